//! Ctrl-C while nothing is searched: it ends within a fraction of a second, and nothing is left half done.

use std::{
    fmt::Write as _,
    fs,
    io::{BufRead, BufReader},
    process::{Child, Command, Output, Stdio},
    thread,
    time::{Duration, Instant},
};

use serde_json::Value;

/// On a machine that is busy with other tests.
const SOON: Duration = Duration::from_millis(1000);

fn start(args: &[&str]) -> Child {
    let command = &mut Command::new(env!("CARGO_BIN_EXE_pintu"));
    command.args(args).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Presses Ctrl-C, and says how it ended.
fn interrupt(child: Child) -> Output {
    let pressed = Instant::now();
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert!(pressed.elapsed() < SOON, "it took {:?}", pressed.elapsed());
    output
}

#[test]
fn a_comparison_of_very_many_boards_ends_and_keeps_its_rows() {
    let scrambles = ["--scrambles", "1000000", "--seed", "1", "--size", "2x2", "--format", "json"];
    let child = start(&[&["compare", "--algorithms", "bfs,astar,auto"][..], &scrambles].concat());
    // The boards are made within less than that.
    thread::sleep(Duration::from_millis(3000));
    let output = interrupt(child);
    let rows: Vec<Value> =
        String::from_utf8(output.stdout).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((output.status.code(), rows.len()), (Some(3), 3), "{rows:?}");
    for row in &rows {
        assert_eq!((&row["status"], &row["boards"]), (&"limit".into(), &1_000_000.into()), "{row}");
    }
    assert!(rows[0]["solved"].as_u64().unwrap() > 0, "{}", rows[0]);
}

#[test]
fn a_large_graph_is_not_read_to_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("large.graph");
    let mut text = String::new();
    for node in 0..3_000_000 {
        writeln!(text, "n{node} n{} 1", node + 1).unwrap();
    }
    fs::write(&file, text).unwrap();
    let child = start(&["path", file.to_str().unwrap(), "--from", "n0", "--to", "n2999999"]);
    thread::sleep(Duration::from_millis(200));
    let output = interrupt(child);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), said.lines().count()), (Some(3), 1), "{said}");
    assert!(said.ends_with("large.graph: interrupted before it ended\n"), "{said}");
}

#[test]
fn a_recording_is_written_whole_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let (board, file) = (folder.path().join("board"), folder.path().join("search.json"));
    fs::write(&board, "15 2 12 11 14 13 9 5 1 3 8 7 0 10 6 4").unwrap();
    let search = [
        "solve",
        "--goal",
        "blank-first",
        "--algorithm",
        "bfs",
        "--node-limit",
        "1000000",
        "--trace-events",
        "100000000",
    ];
    let mut child = start(&[&search[..], &["--trace", file.to_str().unwrap(), board.to_str().unwrap()]].concat());
    // The recording is written once the answer is out.
    let mut answer = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut answer).unwrap();
    assert!(answer.starts_with("stopped: the node limit was reached"), "{answer}");
    let output = interrupt(child);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), said.lines().count()), (Some(3), 1), "{said}");
    assert!(said.contains("search.json: interrupted before it ended"), "{said}");
    let left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["board"], "nothing is left of it");
}

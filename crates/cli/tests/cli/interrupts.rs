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

/// How soon it ends.
const SOON: Duration = Duration::from_secs(1);

fn start(args: &[&str]) -> Child {
    let command = &mut Command::new(env!("CARGO_BIN_EXE_pintu"));
    command.args(args).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Presses Ctrl-C, and says how it ended, if that was soon.
fn interrupt(child: Child) -> Option<Output> {
    let pressed = Instant::now();
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    (pressed.elapsed() < SOON).then_some(output)
}

/// Interrupts it in the middle, which on a machine that is busy with other tests comes now sooner, now later: `act` has so
/// long before it presses Ctrl-C, and says whether that was in the middle and whether it ended soon.
#[track_caller]
fn in_the_middle(mut act: impl FnMut(Duration) -> bool) {
    let waits = [50, 100, 200, 400, 800, 1600, 3200, 6400, 12_800];
    assert!(waits.into_iter().any(|wait| act(Duration::from_millis(wait))), "it never ended soon and as it should");
}

#[test]
fn a_comparison_of_very_many_boards_ends_and_keeps_its_rows() {
    let scrambles = ["--scrambles", "1000000", "--seed", "1", "--size", "2x2", "--format", "json"];
    in_the_middle(|wait| {
        let child = start(&[&["compare", "--algorithms", "bfs,astar,auto"][..], &scrambles].concat());
        thread::sleep(wait);
        let Some(output) = interrupt(child) else { return false };
        let rows: Vec<Value> =
            String::from_utf8(output.stdout).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        // Before that it makes boards, of which there is nothing to tell.
        if rows.first().is_none_or(|row| row["solved"] == 0) {
            return false;
        }
        assert_eq!((output.status.code(), rows.len()), (Some(3), 3), "{rows:?}");
        for row in &rows {
            assert_eq!((&row["status"], &row["boards"]), (&"limit".into(), &1_000_000.into()), "{row}");
        }
        true
    });
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
    in_the_middle(|wait| {
        let child = start(&["path", file.to_str().unwrap(), "--from", "n0", "--to", "n2999999"]);
        thread::sleep(wait);
        let Some(output) = interrupt(child) else { return false };
        let said = String::from_utf8(output.stderr).unwrap();
        // Before that it does not listen yet.
        output.status.code() == Some(3)
            && said.lines().count() == 1
            && said.ends_with("large.graph: interrupted before it ended\n")
    });
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
    in_the_middle(|_| {
        let mut child = start(&[&search[..], &["--trace", file.to_str().unwrap(), board.to_str().unwrap()]].concat());
        // The recording is written once the answer is out.
        let mut answer = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut answer).unwrap();
        assert!(answer.starts_with("stopped: the node limit was reached"), "{answer}");
        let Some(output) = interrupt(child) else { return false };
        let said = String::from_utf8(output.stderr).unwrap();
        if said.is_empty() {
            // It was written before the signal came: whole.
            assert!(fs::read(&file).unwrap().trim_ascii_end().ends_with(b"}"));
            fs::remove_file(&file).unwrap();
            return false;
        }
        assert_eq!((output.status.code(), said.lines().count()), (Some(3), 1), "{said}");
        assert!(said.contains("search.json: interrupted before it ended"), "{said}");
        let left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(left, ["board"], "nothing is left of it");
        true
    });
}

#[test]
fn a_recording_is_written_though_nobody_reads_the_answer() {
    let folder = tempfile::tempdir().unwrap();
    let (board, file) = (folder.path().join("board"), folder.path().join("search.json"));
    fs::write(&board, "8 6 7 2 5 4 3 0 1").unwrap();
    let mut child =
        start(&["solve", "--algorithm", "astar", "--trace", file.to_str().unwrap(), board.to_str().unwrap()]);
    drop(child.stdout.take());
    assert!(child.wait().unwrap().success());
    assert!(fs::read(&file).unwrap().trim_ascii_end().ends_with(b"}"));
}

//! What happens when nobody can listen, and when somebody presses Ctrl-C.

use std::{
    fs::{self, File},
    io::{BufRead, BufReader, Read, Write},
    process::{Child, Command, ExitStatus, Stdio},
    sync::mpsc::channel,
    thread,
    time::Duration,
};

use serde_json::Value;

use crate::run::{pintu, pintu_args, rows};

const FOUR: &str = "0 1 3 4 2 5 7 8 6";

fn start(args: &str) -> Child {
    command(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap()
}

fn command(args: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pintu"));
    command.args(args.split_whitespace()).env("PINTU_TABLES", concat!(env!("CARGO_TARGET_TMPDIR"), "/tables"));
    command
}

fn interrupt(child: &Child) {
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
}

/// How it ended, unless it does not end.
fn ended(mut child: Child) -> ExitStatus {
    for _ in 0..600 {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        thread::sleep(Duration::from_millis(50));
    }
    child.kill().unwrap();
    panic!("it does not end");
}

/// A 15-puzzle that keeps plain IDA* busy for minutes.
fn hard() -> String {
    rows("korf100.txt")[87][1..17].join(" ")
}

const SLOW: &str = "solve --batch --format json --goal blank-first --algorithm ida --heuristic misplaced";

#[cfg(target_os = "linux")]
#[test]
fn a_batch_goes_on_when_standard_error_cannot_be_written() {
    let full = || File::options().write(true).open("/dev/full").unwrap();
    let mut child =
        command("solve --batch").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(full()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"x\n123456708\n").unwrap();
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(text.starts_with("invalid\n1 move (optimal): R"), "{text}");
    let refused = command("solve no-such-file").stderr(full()).status().unwrap();
    assert_eq!(refused.code(), Some(2));
    for args in ["generate --count 3", "solve --help", "completions bash", "tables list"] {
        let status = command(args).stdin(Stdio::null()).stdout(full()).stderr(full()).status().unwrap();
        assert!(status.code().is_some_and(|code| code < 3), "{args}: {status}");
    }
    for args in ["--help", "--version", "solve --help", "help path"] {
        let status = command(args).stdout(full()).stderr(Stdio::null()).status().unwrap();
        assert_eq!(status.code(), Some(2), "{args}");
    }
    let unheard = command("check").stdin(Stdio::piped()).stdout(full()).stderr(Stdio::piped()).spawn().unwrap();
    unheard.stdin.as_ref().unwrap().write_all(FOUR.as_bytes()).unwrap();
    let output = unheard.wait_with_output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), said.starts_with("pintu: standard output: ")), (Some(2), true), "{said}");
}

#[test]
fn whoever_has_had_enough_of_the_output_is_no_error() {
    let mut child = command("generate --count 1000000").stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.is_empty()), (Some(0), true));
}

#[test]
fn each_answer_of_a_batch_is_out_before_the_next_line_comes() {
    for threads in ["", " --threads 3"] {
        let mut child = start(&format!("solve --batch --format moves{threads}"));
        let mut input = child.stdin.take().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        for _ in 0..3 {
            writeln!(input, "{FOUR}").unwrap();
            let mut line = String::new();
            output.read_line(&mut line).unwrap();
            assert_eq!(line, "RDRD\n");
        }
        drop(input);
        assert_eq!(ended(child).code(), Some(0));
    }
}

#[test]
fn answers_come_in_order_whatever_takes_longer() {
    let boards: Vec<String> = (0..60)
        .map(|at| {
            if at % 7 == 3 {
                rows("korf100.txt")[11][1..17].join(" ")
            } else {
                "1 2 3 4 5 6 7 8 9 10 11 12 13 14 0 15".to_owned()
            }
        })
        .collect();
    let run = pintu("solve --batch --format json --threads 4 --algorithm ida", &boards.join("\n"));
    let lines: Vec<u64> = run.json().iter().map(|answer| answer["line"].as_u64().unwrap()).collect();
    assert_eq!(lines, (1..=60).collect::<Vec<u64>>());
}

#[cfg(unix)]
#[test]
fn an_interrupted_batch_says_what_it_did_not_answer() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let solved = "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15";
    let lines = [solved, &hard(), "1 2 x", &hard(), "# nothing", solved];
    fs::write(file.path(), lines.join("\n")).unwrap();
    let path = file.path().to_str().unwrap();
    for (args, given) in
        [(format!("{SLOW} {path}"), false), (format!("{SLOW} --threads 2 {path}"), false), (SLOW.to_owned(), true)]
    {
        let mut child = start(&args);
        if given {
            child.stdin.take().unwrap().write_all(lines.join("\n").as_bytes()).unwrap();
        }
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let mut first = String::new();
        output.read_line(&mut first).unwrap();
        thread::sleep(Duration::from_millis(200));
        interrupt(&child);
        let mut rest = String::new();
        output.read_to_string(&mut rest).unwrap();
        assert_eq!(ended(child).code(), Some(3), "{args}");
        let answers: Vec<Value> =
            format!("{first}{rest}").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let statuses: Vec<(&str, u64)> = answers
            .iter()
            .map(|answer| (answer["status"].as_str().unwrap(), answer["line"].as_u64().unwrap()))
            .collect();
        assert_eq!(statuses, [("solved", 1), ("limit", 2), ("invalid", 3), ("limit", 4), ("limit", 6)], "{args}");
        assert!(
            answers.iter().filter(|answer| answer["status"] == "limit").all(|answer| answer["reason"] == "cancelled")
        );
    }
}

#[cfg(unix)]
#[test]
fn several_files_that_are_interrupted_are_all_answered() {
    let folder = tempfile::tempdir().unwrap();
    let files: Vec<String> = (0..3).map(|at| folder.path().join(at.to_string()).display().to_string()).collect();
    for file in &files {
        fs::write(file, hard()).unwrap();
    }
    let args = SLOW.replace("--batch ", "");
    let mut child = start(&format!("{args} {}", files.join(" ")));
    thread::sleep(Duration::from_millis(300));
    interrupt(&child);
    let mut text = String::new();
    child.stdout.take().unwrap().read_to_string(&mut text).unwrap();
    assert_eq!((ended(child).code(), text.matches("\"reason\":\"cancelled\"").count()), (Some(3), 3), "{text}");
}

#[cfg(unix)]
#[test]
fn ctrl_c_is_heard_while_input_is_awaited() {
    for args in ["solve", "solve --batch", "compare --algorithms bfs", "path -", "check"] {
        let mut child = start(args);
        let held = child.stdin.take().unwrap();
        let (gone, is_gone) = channel();
        thread::sleep(Duration::from_millis(300));
        interrupt(&child);
        thread::spawn(move || gone.send(ended(child).code()));
        let code = is_gone.recv_timeout(Duration::from_secs(10)).unwrap_or_else(|_| panic!("{args} goes on waiting"));
        assert_eq!(code, Some(3), "{args}");
        drop(held);
    }
}

#[test]
fn a_byte_order_mark_is_no_part_of_a_text() {
    let mark = "\u{feff}";
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, format!("{mark}{text}")).unwrap();
        path.display().to_string()
    };
    let moves = |args: &[&str], input: &str| pintu_args(&[&["solve", "--format", "moves"], args].concat(), input).out;
    assert_eq!(moves(&[], &format!("{mark}{FOUR}")), "RDRD\n");
    assert_eq!(moves(&["--batch"], &format!("{mark}{FOUR}\n{FOUR}\n")), "RDRD\nRDRD\n");
    let goal = put("goal", "1 2 3 4 5 6 7 8 0");
    assert_eq!(moves(&["--goal", &format!("@{goal}")], FOUR), "RDRD\n");
    for map in [
        put("terrain", "S.G\n"),
        put("sea", "1 3\n1 0 4\n"),
        put("octile.map", "type octile\nheight 1\nwidth 3\nmap\n...\n"),
    ] {
        let run = pintu_args(&["path", &map, "--from", "0,0", "--to", "0,2"], "");
        assert!(run.out.contains("cost 2 (optimal)"), "{map}: {}{}", run.out, run.err);
    }
    let map = folder.path().join("octile.map").display().to_string();
    let scenarios = put("queries.scen", "version 1\n0 octile.map 3 1 0 0 2 0 2\n");
    let run = pintu_args(&["path", &map, "--scenarios", &scenarios], "");
    assert_eq!((run.status, run.out.starts_with("1 of 1 queries agree")), (0, true), "{}{}", run.out, run.err);
    let graph = put("towns.graph", "a b 1\nb c 1\n");
    let run = pintu_args(&["path", &graph, "--from", "a", "--to", "c"], "");
    assert!(run.out.starts_with("a b c\n"), "{}{}", run.out, run.err);
    assert_eq!(pintu("check", &format!("{mark}{FOUR}")).status, 0);
}

#[test]
fn endless_input_ends_with_an_interrupt() {
    let mut child = start("solve --batch --format json");
    let mut input = child.stdin.take().unwrap();
    // It ends when nobody reads any more.
    let feeder = thread::spawn(move || while input.write_all(b"123456708\n".repeat(1000).as_slice()).is_ok() {});
    let mut output = child.stdout.take().unwrap();
    let reader = thread::spawn(move || std::io::copy(&mut output, &mut std::io::sink()));
    thread::sleep(Duration::from_millis(500));
    interrupt(&child);
    assert_eq!(ended(child).code(), Some(3));
    feeder.join().unwrap();
    reader.join().unwrap().unwrap();
}

#[test]
fn an_interrupt_ends_the_making_of_boards() {
    let args = "compare --scrambles 2000000 --seed 1 --size 4x4 --algorithms greedy --node-limit 1 --format json";
    let child = start(args);
    thread::sleep(Duration::from_millis(500));
    interrupt(&child);
    assert_eq!(ended(child).code(), Some(3));
}

#[test]
fn a_file_that_cannot_be_read_does_not_keep_the_next_from_its_answer() {
    let folder = tempfile::tempdir().unwrap();
    let (good, missing) = (folder.path().join("good.txt"), folder.path().join("missing.txt"));
    fs::write(&good, format!("{FOUR}\nx\n")).unwrap();
    let (good, missing) = (good.to_str().unwrap(), missing.to_str().unwrap());
    let run = pintu_args(&["solve", "--batch", "--format", "json", missing, good], "");
    assert_eq!(run.status, 2);
    assert!(run.err.contains("missing.txt"), "{}", run.err);
    let answers = run.json();
    assert_eq!((&answers[0]["status"], &answers[0]["file"]), (&"solved".into(), &good.into()));
    assert_eq!((&answers[1]["status"], &answers[1]["file"]), (&"invalid".into(), &good.into()));
    fs::write(folder.path().join("good.txt"), FOUR).unwrap();
    let run = pintu_args(&["check", missing, good], "");
    assert_eq!(run.status, 2);
    assert!(run.out.contains("good.txt: solvable") && run.err.contains("missing.txt"), "{}{}", run.out, run.err);
}

#[test]
fn what_is_wrong_with_a_line_names_its_file_once() {
    let run = pintu("solve --batch", &format!("{FOUR}\n\0\n"));
    let said = "pintu: standard input: line 2: found a zero byte at offset 0, expected text\n";
    assert_eq!((run.status, run.err.as_str()), (2, said));
    let answer = pintu("solve --batch --format json", "\0\n").json().remove(0);
    assert_eq!(answer["error"], "found a zero byte at offset 0, expected text", "its line has a field: {answer}");
}

/// The first keeps at it until Ctrl-C, the second never begins.
#[cfg(unix)]
#[test]
fn contestants_that_never_began_have_spent_nothing() {
    let run = |format: &str| {
        let mut child = start(&format!("compare --goal blank-first --algorithms ida:misplaced,bfs --format {format}"));
        child.stdin.take().unwrap().write_all(hard().as_bytes()).unwrap();
        thread::sleep(Duration::from_millis(500));
        interrupt(&child);
        let mut text = String::new();
        child.stdout.take().unwrap().read_to_string(&mut text).unwrap();
        assert_eq!(ended(child).code(), Some(3), "{text}");
        text
    };
    let table = run("markdown");
    let cells = |name: &str| -> Vec<String> {
        let row = table.lines().find(|line| line.contains(name)).unwrap_or_else(|| panic!("{table}"));
        row.split('|').map(|cell| cell.trim().to_owned()).collect()
    };
    let is_measured = |cell: &String| cell.starts_with(|first: char| first.is_ascii_digit());
    assert_eq!(cells("ida:misplaced").iter().filter(|cell| is_measured(cell)).count(), 5, "{table}");
    assert_eq!(cells("| bfs").iter().filter(|cell| is_measured(cell)).count(), 0, "{table}");
    let table = run("csv");
    let row = table.lines().find(|line| line.starts_with("bfs,")).unwrap_or_else(|| panic!("{table}"));
    assert_eq!(row.split(',').filter(|cell| cell.parse::<f64>().is_ok()).count(), 0, "{row}");
}

/// Averages of the boards that were easy enough look better than those of all.
#[test]
fn a_comparison_says_which_boards_its_averages_are_of() {
    let args = "compare --scrambles 6 --seed 3 --algorithms astar,bfs,dfs --node-limit 60000";
    let run = pintu(args, "");
    assert_eq!(run.status, 3);
    assert!(run.err.contains("bfs ended at a limit (nodes: 3): its figures are of the others"), "{}", run.err);
    assert!(!run.err.contains("astar"), "{}", run.err);
    let rows = pintu(&format!("{args} --format json"), "").out;
    let rows: Vec<serde_json::Value> = rows.lines().map(|row| serde_json::from_str(row).unwrap()).collect();
    assert_eq!((rows[0].get("limits"), &rows[0]["solved"]), (None, &6.into()));
    assert_eq!((&rows[1]["limits"]["nodes"], &rows[1]["solved"]), (&3.into(), &3.into()));
}

#[test]
fn what_is_too_long_for_a_board_is_not_held() {
    let long = "1 ".repeat(1 << 20);
    for args in ["solve", "solve --batch", "check"] {
        let run = pintu(args, &long);
        let expected = "found more than 1.0 MiB at once, expected a board";
        assert!(run.status == 2 && run.err.contains(expected), "{args}: {}", run.err);
    }
    // In a batch, a line of it is one that is wrong, and the others have their answers.
    let run = pintu("solve --batch --format moves", &format!("123456078\n{long}\n123456708\n#{long}\n123456780\n"));
    assert_eq!((run.status, run.out.as_str()), (2, "RR\ninvalid\nR\ninvalid\n\n"));
}

#[test]
fn json_that_nobody_reads_to_its_end_ends_quietly() {
    let map = format!("{}\n", ".".repeat(200)).repeat(200);
    let mut child = command("path - --from 0,0 --distances --format json")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(map.as_bytes()).unwrap();
    let mut first = [0; 10];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
}

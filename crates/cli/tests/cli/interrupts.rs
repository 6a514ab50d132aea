//! Ctrl-C: a search ends and says what it found, exit status 130; before the search it ends the process as usual.

use std::{
    fs,
    io::{BufRead, BufReader, Read, Write},
    os::unix::process::ExitStatusExt,
    process::{Child, Command, ExitStatus, Output},
    sync::mpsc::channel,
    thread,
    time::Duration,
};

use serde_json::Value;

use crate::run::{hard, start};

fn interrupt(child: &Child) {
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
}

/// The exit status and output of a process, which has twenty seconds to end.
#[track_caller]
fn ended(child: Child) -> Output {
    let (gone, is_gone) = channel();
    let id = child.id().to_string();
    thread::spawn(move || gone.send(child.wait_with_output().unwrap()));
    is_gone.recv_timeout(Duration::from_secs(20)).unwrap_or_else(|_| {
        let _ = Command::new("kill").args(["-KILL", &id]).status();
        panic!("it goes on after Ctrl-C");
    })
}

/// Runs a command and interrupts its search, which starts sooner or later depending on the load of the machine.
#[track_caller]
fn interrupted(args: &str, input: &str, is_in_the_middle: impl Fn(&Output) -> bool) -> Output {
    for wait in [100, 400, 1600, 6400] {
        let mut child = start(args);
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        thread::sleep(Duration::from_millis(wait));
        interrupt(&child);
        let output = ended(child);
        if output.status.code() == Some(130) && is_in_the_middle(&output) {
            return output;
        }
        assert!(was_killed(output.status) || output.status.code() == Some(130), "{args}: {:?}", output.status);
    }
    panic!("{args}: the search was never interrupted");
}

fn was_killed(status: ExitStatus) -> bool {
    status.signal() == Some(2)
}

fn objects(printed: &[u8]) -> Vec<Value> {
    String::from_utf8_lossy(printed).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

const SLOW: &str = "--goal blank-first --algorithm ida --heuristic misplaced --format json";

#[test]
fn every_puzzle_and_every_contestant_has_an_answer() {
    let folder = tempfile::tempdir().unwrap();
    let files: Vec<String> = (0..3).map(|at| folder.path().join(at.to_string()).display().to_string()).collect();
    for file in &files {
        fs::write(file, hard()).unwrap();
    }
    let boards = "compare --size 5x5 --time-limit 60s --algorithms ida:misplaced,bfs --scrambles 3 --format json";
    let many = "compare --size 2x2 --algorithms bfs,astar,auto --scrambles 300000 --seed 1 --format json";
    for (args, input, answers) in [
        (format!("solve {SLOW} {}", files.join(" ")), "", 3),
        ("compare --goal blank-first --algorithms ida:misplaced,bfs --format json".to_owned(), hard().as_str(), 2),
        (boards.to_owned(), "", 2),
        (many.to_owned(), "", 3),
    ] {
        let output = interrupted(&args, input, |output| !output.stdout.is_empty());
        let rows = objects(&output.stdout);
        assert_eq!(rows.len(), answers, "{args}");
        for row in rows {
            assert_eq!(row["status"], "limit", "{args}: {row}");
            assert!(row["reason"] == "cancelled" || row["boards"].as_u64() > Some(2), "{args}: {row}");
        }
    }
}

#[test]
fn an_interrupted_batch_says_what_it_did_not_answer() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let solved = "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15";
    let lines = [solved, &hard(), "1 2 x", &hard(), "# nothing", solved];
    fs::write(file.path(), lines.join("\n")).unwrap();
    let path = file.path().to_str().unwrap();
    for (args, is_piped) in [
        (format!("solve --batch {SLOW} {path}"), false),
        (format!("solve --batch {SLOW} --threads 2 {path}"), false),
        (format!("solve --batch {SLOW}"), true),
    ] {
        let mut child = start(&args);
        // The pipe stays open: the batch waits for more.
        let mut input = child.stdin.take().unwrap();
        if is_piped {
            writeln!(input, "{}", lines.join("\n")).unwrap();
        }
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let mut text = String::new();
        output.read_line(&mut text).unwrap();
        interrupt(&child);
        output.read_to_string(&mut text).unwrap();
        assert_eq!(ended(child).status.code(), Some(130), "{args}");
        let answers = objects(text.as_bytes());
        let statuses: Vec<(&str, u64)> = answers
            .iter()
            .map(|answer| (answer["status"].as_str().unwrap(), answer["line"].as_u64().unwrap()))
            .collect();
        assert_eq!(statuses, [("solved", 1), ("limit", 2), ("invalid", 3), ("limit", 4), ("limit", 6)], "{args}");
        let mut limited = answers.iter().filter(|answer| answer["status"] == "limit");
        assert!(limited.all(|answer| answer["reason"] == "cancelled"), "{args}");
    }
}

/// In words, a puzzle whose search never began has no counts.
#[test]
fn puzzles_that_were_not_begun_say_so() {
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), [hard(), hard()].join("\n")).unwrap();
    let slow = SLOW.replace("json", "text");
    let is_begun = |output: &Output| output.stdout.starts_with(b"stopped");
    let output = interrupted(&format!("solve --batch {slow} {}", file.path().display()), "", is_begun);
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines.len() == 2 && lines[1].ends_with(" · not begun"), "{text}");
}

#[test]
fn endless_input_ends_with_an_interrupt() {
    let mut child = start("solve --batch --format json");
    let mut input = child.stdin.take().unwrap();
    let feeder = thread::spawn(move || while input.write_all(b"123456708\n".repeat(1000).as_slice()).is_ok() {});
    let mut output = BufReader::new(child.stdout.take().unwrap());
    output.read_line(&mut String::new()).unwrap();
    let reader = thread::spawn(move || std::io::copy(&mut output, &mut std::io::sink()));
    interrupt(&child);
    assert_eq!(ended(child).status.code(), Some(130));
    feeder.join().unwrap();
    reader.join().unwrap().unwrap();
}

#[test]
fn while_input_is_awaited_ctrl_c_ends_the_process() {
    for args in ["solve", "compare --algorithms bfs", "path", "check"] {
        let mut child = start(args);
        let _held = child.stdin.take().unwrap();
        thread::sleep(Duration::from_millis(200));
        interrupt(&child);
        assert!(was_killed(ended(child).status), "{args}");
    }
    let mut child = start("solve --batch --format moves");
    let mut held = child.stdin.take().unwrap();
    writeln!(held, "123456708").unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    output.read_line(&mut String::new()).unwrap();
    interrupt(&child);
    assert_eq!(ended(child).status.code(), Some(130), "a batch that waits for its next line");
}

#[test]
fn a_recording_is_written_whole_and_though_nobody_reads_the_answer() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("search.json");
    let args = format!("solve {SLOW} --trace-events 1000 --trace {}", file.display());
    interrupted(&args, &hard(), |_| true);
    let is_whole = || fs::read(&file).unwrap().trim_ascii_end().ends_with(b"}");
    assert!(is_whole());
    fs::remove_file(&file).unwrap();
    let mut child = start(&format!("solve 867254301 --algorithm astar --trace {}", file.display()));
    drop(child.stdout.take());
    assert!(child.wait().unwrap().success());
    assert!(is_whole());
}

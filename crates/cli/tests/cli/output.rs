//! Output that is closed or cannot be written, and odd input.

use std::{
    fs::{self, File},
    io::{BufRead, BufReader, Read, Write},
    process::Stdio,
};

use crate::run::{FOUR, Run, assert_refused, command, pintu, start};

#[cfg(target_os = "linux")]
#[test]
fn a_batch_goes_on_when_standard_error_cannot_be_written() {
    let full = || File::options().write(true).open("/dev/full").unwrap();
    let mut child =
        command("solve --batch").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(full()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"x\n123456708\n").unwrap();
    let run = Run::from(child.wait_with_output().unwrap());
    assert_eq!(run.status, 2);
    assert!(run.out.starts_with("invalid\n1 move (optimal): R"), "{}", run.out);
    let refused = command("solve no-such-file").stderr(full()).status().unwrap();
    assert_eq!(refused.code(), Some(2));
    for args in ["generate --count 3", "solve --help", "completions bash", "tables list"] {
        let status = command(args).stdin(Stdio::null()).stdout(full()).stderr(full()).status().unwrap();
        assert!(status.code().is_some_and(|code| code < 3), "{args}: {status}");
    }
    let unheard = Run::from(command("check 013425786").stdout(full()).output().unwrap());
    assert_eq!((unheard.status, unheard.err.starts_with("pintu: standard output: ")), (2, true), "{}", unheard.err);
}

#[test]
fn whoever_has_had_enough_of_the_output_is_no_error() {
    let map = format!("{}\n", ".".repeat(200)).repeat(200);
    for (args, input) in
        [("generate --count 1000000", ""), ("path - --from 0,0 --distances --format json", map.as_str())]
    {
        let mut child = start(args);
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        child.stdout.take().unwrap().read_exact(&mut [0; 10]).unwrap();
        let run = Run::from(child.wait_with_output().unwrap());
        assert_eq!((run.status, run.err.as_str()), (0, ""), "{args}");
    }
}

#[test]
fn each_answer_of_a_batch_is_out_before_the_next_line_comes() {
    for threads in [1, 3] {
        let mut child = start(&format!("solve --batch --format moves --threads {threads}"));
        let mut input = child.stdin.take().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        for _ in 0..3 {
            writeln!(input, "{FOUR}").unwrap();
            let mut line = String::new();
            output.read_line(&mut line).unwrap();
            assert_eq!(line, "RDRD\n");
        }
        drop(input);
        assert!(child.wait().unwrap().success());
    }
}

#[test]
fn answers_come_in_order_whatever_takes_longer() {
    let boards = ["867254301", "123456708", "123456708"].map(|board| format!("{board}\n")).concat().repeat(9);
    let run = pintu("solve --batch --format json --threads 4 --algorithm astar", &boards);
    let lines: Vec<u64> = run.json().iter().map(|answer| answer["line"].as_u64().unwrap()).collect();
    assert_eq!(lines, (1..=27).collect::<Vec<u64>>());
}

/// (Of maps and graphs, their own readers skip it.)
#[test]
fn a_byte_order_mark_is_no_part_of_a_board() {
    let goal = tempfile::NamedTempFile::new().unwrap();
    fs::write(&goal, "\u{feff}1 2 3 4 5 6 7 8 0").unwrap();
    let marked = format!("\u{feff}{FOUR}\n");
    for (args, expected) in
        [("", "RDRD\n"), ("--batch", "RDRD\n"), (&format!("--goal @{}", goal.path().display()), "RDRD\n")]
    {
        assert_eq!(pintu(&format!("solve --format moves {args}"), &marked).out, expected, "{args}");
    }
}

#[test]
fn a_file_that_cannot_be_read_does_not_keep_the_next_from_its_answer() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("good.txt");
    fs::write(&file, format!("{FOUR}\nx\n")).unwrap();
    let good = file.to_str().unwrap();
    let run = pintu(&format!("solve --batch --format json missing.txt {good}"), "");
    assert_eq!(run.status, 2);
    assert!(run.err.contains("missing.txt"), "{}", run.err);
    let answers = run.json();
    assert_eq!((&answers[0]["status"], &answers[0]["file"]), (&"solved".into(), &good.into()));
    assert_eq!((&answers[1]["status"], &answers[1]["file"]), (&"invalid".into(), &good.into()));
    fs::write(&file, FOUR).unwrap();
    let run = pintu(&format!("check missing.txt {good}"), "");
    assert_eq!(run.status, 2);
    assert!(run.out.contains("good.txt: solvable") && run.err.contains("missing.txt"), "{}{}", run.out, run.err);
}

#[test]
fn what_is_too_long_for_a_board_is_not_held() {
    let long = "1 ".repeat(1 << 20);
    let expected = "found more than 1.0 MiB at once, expected a board";
    assert_refused(&[("solve", &long, expected), ("check", &long, expected)]);
    // In a batch, a line of it is one that is wrong, and the others have their answers.
    let run = pintu("solve --batch --format moves", &format!("123456078\n{long}\n123456708\n#{long}\n123456780\n"));
    assert_eq!((run.status, run.out.as_str()), (2, "RR\ninvalid\nR\ninvalid\n\n"));
    assert!(run.err.contains(expected), "{}", run.err);
}

#[test]
fn an_output_file_is_written_only_once_there_is_an_answer_and_never_over_the_input() {
    let folder = tempfile::tempdir().unwrap();
    let (board, older) = (folder.path().join("board.txt"), folder.path().join("older.txt"));
    fs::write(&board, "1 2 3 4 5 6 7 0 8\n").unwrap();
    fs::write(&older, "older").unwrap();
    let (board, older) = (board.display(), older.display());
    let same = "the same file as input and --output";
    assert_refused(&[
        (&format!("solve {board} -o {board}"), "", same),
        (&format!("solve --batch {board} -o {board}"), "", same),
        (&format!("path {board} -o {board}"), "", same),
        (&format!("solve nosuch -o {older}"), "", "nosuch"),
        ("solve 123456708 --output /no/such/folder/x", "", "pintu: --output /no/such/folder/x: "),
    ]);
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!((read("board.txt").as_str(), read("older.txt").as_str()), ("1 2 3 4 5 6 7 0 8\n", "older"));
    assert_eq!(pintu(&format!("solve {board} -f moves -o {older}"), "").status, 0);
    assert_eq!(read("older.txt"), "R\n");
}

//! Bad input and bad usage: one clear line and exit status 2.

use std::fs;

use crate::run::{Run, data, pintu, pintu_args};

fn assert_refused(run: &Run, expected: &str) {
    assert_eq!(run.status, 2, "{}{}", run.out, run.err);
    assert_eq!(run.out, "", "nothing is printed as an answer");
    assert_eq!(run.err.trim_end(), expected);
}

#[test]
fn boards_that_are_none() {
    for (input, message) in [
        ("", "line 1: found nothing, expected a board"),
        ("1 2 3\n4 5 6\n7 8\n", "line 3: found a row of 2, expected 3"),
        (
            "1 2 3 4 5 6 7 8",
            "line 1: found 8 numbers on one line, which is no square: the size is needed (as in --size 2x4)",
        ),
        (
            "12345670",
            "line 1: found 8 digits together, expected 4 or 9 for a board of 2x2 or 3x3, or numbers with spaces between them (as in --size 2x4)",
        ),
        ("1 2 3 99999999999", "line 1: found the number 99999999999, expected at most 255: no board has more tiles"),
        ("1 2 3 4 5 6 7 8 9", "line 1: found 9; missing 0, expected each of 0 to 8 once on a board of 3x3"),
        ("1 1 3 4 5 6 7 8 0", "line 1: repeated 1; missing 2, expected each of 0 to 8 once on a board of 3x3"),
        ("1 2 3 -4 5 6 7 8 0", "line 1: found `-4`, expected a number from 0 on"),
        ("1 2 3/4 5/6 7 0", "line 1: found a row of 2, expected 3"),
        ("1,2,3\n4,x,_", "line 2: found `x`, expected a number from 0 on"),
        ("1 2 three", "line 1: found `three`, expected a number from 0 on"),
        ("4\n1 2 3\n4 5 6\n7 8 0", "line 1: found 9 numbers after the size, expected 16 for a board of 4x4"),
    ] {
        assert_refused(&pintu("solve", input), &format!("pintu: standard input: {message}"));
    }
    let large: Vec<String> = (0..289).map(|tile| tile.to_string()).collect();
    assert_refused(
        &pintu("solve", &large.join(" ")),
        "pintu: standard input: line 1: found a board of 17x17, expected sides from 1 to 16 and at least two cells",
    );
}

#[test]
fn sizes_and_goals_that_do_not_fit() {
    let board = "1 2 3 4 5 6 7 0 8";
    assert_refused(
        &pintu("solve --size 4x4", board),
        "pintu: standard input: line 1: found 9 tiles, expected 16 for a board of 4x4",
    );
    assert_refused(
        &pintu_args(&["solve", "--goal", "1 2 3 4 5 6 7 8 9"], board),
        "pintu: standard input: --goal: found 9; missing 0, expected each of 0 to 8 once on a board of 3x3",
    );
    assert_refused(
        &pintu("solve --goal 123804765", "123450678\n\n123456780"),
        "pintu: standard input: found a goal in the input and --goal beside it, expected one of them",
    );
    assert_refused(
        &pintu("solve --goal snale", board),
        "pintu: standard input: found the goal `snale`, expected one of standard, blank-first, snail (did you mean `snail`?)",
    );
    assert_refused(
        &pintu("solve --wrap-rows 3", board),
        "pintu: standard input: found a wrapping row 3, expected rows from 0 to 2",
    );
    assert_refused(
        &pintu("solve --wrap-cols 0", "1 2 3\n4 0 5"),
        "pintu: standard input: column 0 cannot wrap: it has 2 cells, and a wrap needs at least 3",
    );
}

#[test]
fn files_that_are_none() {
    let directory = data("algs4").display().to_string();
    assert_refused(
        &pintu_args(&["solve", &directory], ""),
        &format!("pintu: {directory}: found a directory, expected a file"),
    );
    assert_refused(
        &pintu_args(&["solve", "1 2 0"], ""),
        "pintu: 1 2 0: found a board, expected the name of a file; boards go to standard input, as in echo '1 2 0' | pintu solve",
    );
    for args in ["check 867254301", "solve --batch 867254301", "compare 867254301"] {
        let expected = "pintu: 867254301: found a board, expected the name of a file; boards go to standard input";
        assert!(pintu(args, "").err.starts_with(expected), "{args}");
    }
    // A map is no board.
    assert!(!pintu("path 867254301", "").err.contains("standard input"));
    for args in ["solve no-such-file", "solve --batch no-such-file", "path no-such-file"] {
        let name = args.split(' ').next_back().unwrap();
        assert_refused(&pintu(args, ""), &format!("pintu: {name}: there is no such file or folder"));
    }
    let folder = std::env::temp_dir().join(format!("pintu-test-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let binary = folder.join("binary");
    fs::write(&binary, [0x7f, b'E', b'L', b'F', 0, 1]).unwrap();
    let name = binary.display().to_string();
    assert_refused(
        &pintu_args(&["solve", &name], ""),
        &format!("pintu: {name}: found a zero byte at offset 4, expected text"),
    );
    fs::write(&binary, [b'1', b' ', 0xff]).unwrap();
    assert_refused(
        &pintu_args(&["solve", &name], ""),
        &format!("pintu: {name}: found bytes that are not UTF-8 at offset 2, expected text"),
    );
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn names_that_nothing_has_come_with_the_nearest() {
    for (args, nearest) in [
        ("solve --algorithm a-star", "'astar'"),
        ("solve --heuristic manhatten", "'manhattan'"),
        ("compare --algorithms bfs,astr", "`astar`"),
        ("compare --algorithms astar:euklidean", "`euclidean`"),
        ("slove", "'solve'"),
    ] {
        let run = pintu(args, "1 2 3 4 5 6 7 0 8");
        assert_eq!(run.status, 2, "{args}");
        assert!(run.err.contains(nearest), "{args}: {}", run.err);
    }
}

#[test]
fn a_contestant_that_the_board_rules_out_is_named_before_anything_runs() {
    let large: Vec<String> = [2, 3, 1].into_iter().chain(4..64).chain([0]).map(|tile| tile.to_string()).collect();
    assert_refused(
        &pintu("compare --algorithms astar:manhattan,astar:pattern --size 8x8", &large.join(" ")),
        "pintu: astar:pattern: found a board of 64 cells, expected at most 63 for pattern tables",
    );
}

#[test]
fn heuristics_and_weights_where_they_do_not_belong() {
    let board = "1 2 3 4 5 6 7 0 8";
    assert_refused(
        &pintu("solve --algorithm bfs --heuristic manhattan", board),
        "pintu: found the heuristic manhattan for bfs, which uses none: expected greedy, astar, wastar or ida",
    );
    assert_refused(
        &pintu("solve --algorithm astar --weight 2", board),
        "pintu: found a weight for astar, which has none: expected wastar",
    );
    for heuristic in ["euclidean", "linear-conflict", "walking-distance"] {
        let run = pintu(&format!("solve --algorithm ida --wrap-rows all --heuristic {heuristic}"), board);
        assert_eq!(run.status, 2);
        assert!(
            run.err.starts_with(&format!("pintu: {heuristic} does not apply to a board that wraps: ")),
            "{}",
            run.err
        );
    }
    for (args, word) in [
        ("solve --algorithm wastar --weight 0.5", "1 to 1000"),
        ("solve --time-limit soon", "expected a time"),
        ("solve --memory-limit much", "expected a size"),
        ("solve --size 17x17", "sides from 1 to 16"),
        ("solve --size wide", "a size such as 4x4"),
        ("check --moves ULXR", "expected U, D, L or R"),
        ("check --moves 2R", "found `2` at position 1 of the moves, expected U, D, L or R"),
        ("check --moves UR0", "found `0` after the R at position 2 of the moves, expected a number from 1 to 255"),
        ("check --moves R256", "found `256` after the R at position 1"),
    ] {
        let run = pintu(args, board);
        assert_eq!(run.status, 2, "{args}");
        assert!(run.err.contains(word), "{args}: {}", run.err);
    }
    let none = pintu("solve --algorithm bfs --heuristic none --format json", board);
    assert_eq!((none.status, &none.json()[0]["heuristic"]), (0, &"none".into()));
}

#[test]
fn a_batch_goes_on_after_a_bad_line() {
    let lines = "1 2 3 4 5 6 7 0 8\n\n# a comment\n1 2 3\n1 2 3 4 5 6 8 7 0\n123456780\n";
    let run = pintu("solve --batch --format json", lines);
    let answers = run.json();
    assert_eq!(run.status, 2);
    let statuses: Vec<&str> = answers.iter().map(|answer| answer["status"].as_str().unwrap()).collect();
    assert_eq!(statuses, ["solved", "invalid", "unsolvable", "solved"]);
    assert_eq!(answers[1]["line"], 4);
    assert_eq!(
        answers[1]["error"],
        "found 3 numbers on one line, which is no square: the size is needed (as in --size 1x3)"
    );
    let run = pintu("solve --batch --format moves", lines);
    assert_eq!(run.out, "R\ninvalid\nunsolvable\n\n");
    assert!(run.err.contains("standard input: line 4: found 3 numbers"), "{}", run.err);
}

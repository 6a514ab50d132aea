//! Bad input and bad usage: one clear line and exit status 2.

use std::fs;

use crate::run::{answer, assert_refused, data, pintu};

const ONE: &str = "1 2 3 4 5 6 7 0 8";

#[test]
fn boards_sizes_and_goals_that_do_not_fit() {
    for (args, input, message) in [
        ("", "", "line 1: found nothing, expected a board"),
        ("", "1 2 3\n4 5 6\n7 8\n", "line 3: found a row of 2, expected 3"),
        (
            "",
            "1 2 3 4 5 6 7 8",
            "line 1: found 8 numbers on one line, which is no square: the size is needed (as in --size 2x4)",
        ),
        (
            "",
            "12345670",
            "line 1: found 8 digits together, expected 4 or 9 for a board of 2x2 or 3x3, or numbers with spaces between them (as in --size 2x4)",
        ),
        ("--size 4x4", ONE, "line 1: found 9 tiles, expected 16 for a board of 4x4"),
        ("--goal 1,2,3,4,5,6,7,8,9", ONE, "--goal: found 9; missing 0, expected each of 0 to 8 once on a board of 3x3"),
        (
            "--goal 123804765",
            "123450678\n\n123456780",
            "found a goal in the input and --goal beside it, expected one of them",
        ),
        (
            "--goal snale",
            ONE,
            "--goal: found the goal `snale`, expected one of standard, blank-first, snail (did you mean `snail`?), or a board, a link or @FILE",
        ),
        (
            "",
            "1 2 3 4 5 6 7 0 8\n1 2 3 4 5 6 7 8 0\n",
            "found 2 puzzles, expected one: `pintu solve --batch` reads a puzzle a line",
        ),
        ("--wrap-rows 3", ONE, "found a wrapping row 3, expected rows from 0 to 2"),
        ("--wrap-cols 0", "1 2 3\n4 0 5", "column 0 cannot wrap: it has 2 cells, and a wrap needs at least 3"),
    ] {
        assert_refused(&[(&format!("solve {args}"), input, &format!("pintu: standard input: {message}\n"))]);
    }
}

#[test]
fn files_that_are_none() {
    let folder = data("algs4");
    assert_refused(&[
        (&format!("solve {folder}"), "", &format!("pintu: {folder}: found a directory, expected a file\n")),
        ("solve no-such-file", "", "pintu: no-such-file: there is no such file or folder\n"),
        ("solve --batch no-such-file", "", "pintu: no-such-file: there is no such file or folder\n"),
        ("path no-such-file", "", "pintu: no-such-file: there is no such file or folder\n"),
    ]);
    let binary = tempfile::NamedTempFile::new().unwrap();
    let name = binary.path().display().to_string();
    for (bytes, found) in
        [(&b"\x7fELF\0"[..], "a zero byte at offset 4"), (b"1 \xff", "bytes that are not UTF-8 at offset 2")]
    {
        fs::write(&binary, bytes).unwrap();
        assert_refused(&[(&format!("solve {name}"), "", &format!("pintu: {name}: found {found}, expected text\n"))]);
    }
}

#[test]
fn names_numbers_and_options_that_do_not_belong() {
    let large: Vec<String> = [2, 3, 1].into_iter().chain(4..64).chain([0]).map(|tile| tile.to_string()).collect();
    assert_refused(&[
        // The message about an unknown name offers the nearest known one.
        ("solve --algorithm a-star", ONE, "'astar'"),
        ("solve --heuristic manhatten", ONE, "'manhattan'"),
        ("compare --algorithms bfs,astr", ONE, "`astar`"),
        ("compare --algorithms astar:euklidean", ONE, "`euclidean`"),
        ("slove", ONE, "'solve'"),
        ("solve --algorithm a*", ONE, "tip: a similar value exists: 'astar'"),
        ("solve --algorithm A*", ONE, "tip: a similar value exists: 'astar'"),
        ("solve --algorithm idastar", ONE, "tip: a similar value exists: 'ida'"),
        ("solve --algorithm bsf", ONE, "tip: a similar value exists: 'bfs'"),
        ("path --algorithm jump-point", "", "tip: a similar value exists: 'jps'"),
        ("compare --algorithms bfs,ida*", ONE, "(did you mean `ida`?)"),
        ("serve --port 8080", "", "tip: a similar argument exists: '--addr 127.0.0.1:PORT'"),
        ("--port 8080", "", "tip: a similar argument exists: 'serve --addr 127.0.0.1:PORT'"),
        ("solve --port 8080", ONE, "unexpected argument '--port' found"),
        ("solve --depth=3", ONE, "tip: a similar argument exists: '--max-depth'"),
        ("solve --timeout 3s", ONE, "tip: a similar argument exists: '--time-limit'"),
        ("solve --json", ONE, "tip: a similar argument exists: '--format json'"),
        (
            "compare --algorithms astar:manhattan,astar:pattern --size 8x8",
            &large.join(" "),
            "pintu: astar:pattern: found a board of 64 cells, expected at most 63 for pattern tables\n",
        ),
        (
            "solve --algorithm ida --heuristic pattern --size 8x8",
            &large.join(" "),
            "pintu: found a board of 64 cells, expected at most 63 for pattern tables\n",
        ),
        ("tables build --size 9x9", "", "pintu: found a board of 81 cells, expected at most 63 for pattern tables\n"),
        (
            "solve --algorithm bfs --heuristic manhattan",
            ONE,
            "pintu: found the heuristic manhattan for bfs, which uses none: expected greedy, astar, wastar or ida\n",
        ),
        (
            "solve --algorithm astar --weight 2",
            ONE,
            "pintu: found a weight for astar, which has none: expected wastar\n",
        ),
        (
            "solve --algorithm ida --wrap-rows all --heuristic walking-distance",
            ONE,
            "pintu: walking-distance does not apply to a board that wraps: ",
        ),
        ("solve --algorithm wastar --weight 0.5", ONE, "1 to 1000"),
        ("solve --time-limit soon", ONE, "expected a time"),
        ("solve --memory-limit much", ONE, "expected a size"),
        ("solve --size 17x17", ONE, "sides from 1 to 16"),
        ("solve --size wide", ONE, "a size such as 4x4"),
        ("solve --all 867254301 --algorithm bfs", "", "every optimal solution"),
        ("solve --all 867254301 --format boards", "", "--all needs --format"),
        ("solve --all --batch", "", "cannot be used with"),
        ("solve --device tpu", ONE, "invalid value 'tpu'"),
        ("tables build --size 3x4 --device tpu", "", "invalid value 'tpu'"),
        ("check --moves ULXR", ONE, "expected U, D, L or R"),
        ("check --moves 2R", ONE, "found `2` at position 1 of the moves, expected U, D, L or R"),
        ("check --moves UR0", ONE, "found `0` after the R at position 2 of the moves, expected a number from 1 to 255"),
        ("check --moves R256", ONE, "found `256` after the R at position 1"),
        ("man solv", "", "found the command `solv`, expected one of serve, solve, "),
        ("man tables buil", "", "found the command `tables buil`, expected one of serve, solve, "),
        ("solve -n x", ONE, "invalid value 'x' for '--node-limit <N>': expected a whole number, as in 1000000"),
        ("path", "a b 3\n", "use --map-format graph"),
        ("serve --log loud", "", "[possible values: error, warn, info, debug]"),
        ("serve --log INFO --password=", "", "--password"),
    ]);
    assert_eq!(answer("solve --algorithm bfs --heuristic none", ONE)["heuristic"], "none");
}

#[test]
fn a_batch_goes_on_after_a_bad_line() {
    let lines = "1 2 3 4 5 6 7 0 8\n\n# a comment\n1 2 3\n1 2 3 4 5 6 8 7 0\n\0\n123456780\n";
    let run = pintu("solve --batch --format json", lines);
    let answers = run.json();
    assert_eq!(run.status, 2);
    let statuses: Vec<&str> = answers.iter().map(|answer| answer["status"].as_str().unwrap()).collect();
    assert_eq!(statuses, ["solved", "invalid", "unsolvable", "invalid", "solved"]);
    assert_eq!((&answers[1]["line"], &answers[3]["line"]), (&4.into(), &6.into()));
    let error = "found 3 numbers on one line, which is no square: the size is needed (as in --size 1x3)";
    assert_eq!(answers[1]["error"], error);
    let run = pintu("solve --batch --format moves", lines);
    assert_eq!(run.out, "R\ninvalid\nunsolvable\ninvalid\n\n");
    let zero = "found a zero byte at offset 0, expected text";
    let [first, second] =
        [(4, error), (6, zero)].map(|(line, what)| format!("pintu: standard input: line {line}: {what}\n"));
    assert_eq!(run.err, first + &second, "each names its file once");
}

//! The output, in each format.

use std::{collections::HashSet, fs};

use serde_json::json;

use crate::run::{FOUR, answer, data, pintu, pintu_args};

#[test]
fn moves_are_a_line_a_puzzle() {
    assert_eq!(pintu("solve --format moves", FOUR).out, "RDRD\n");
    assert_eq!(pintu("solve --format moves --notation tile", FOUR).out, "LULU\n");
    assert_eq!(pintu("solve --format moves", "123456780").out, "\n");
    assert_eq!(pintu("solve --format moves", "123456870").out, "unsolvable\n");
    // A board is taken from the command line as well: in one word, or a number a word.
    for (board, moves) in [("1 2 3 4 5 6 7 8 0", "\n"), ("1 2 3 4 5 0 7 8 6", "D\n"), ("123450786", "D\n")] {
        assert_eq!(pintu(&format!("solve --format moves {board}"), "").out, moves, "{board}");
    }
    assert_eq!(pintu("solve --format moves --algorithm dfs --max-depth 2", FOUR).out, "limit\n");
}

#[test]
fn json_has_the_fields_it_promises() {
    let found = answer("solve --algorithm astar --heuristic manhattan", FOUR);
    for (field, value) in [
        ("status", json!("solved")),
        ("moves", json!("RDRD")),
        ("length", json!(4)),
        ("optimal", json!(true)),
        ("algorithm", json!("astar")),
        ("heuristic", json!("manhattan")),
    ] {
        assert_eq!(found[field], value, "{field}");
    }
    for field in ["expanded", "generated", "peak_states"] {
        assert!(found[field].as_u64().unwrap() >= 5, "{field}");
    }
    assert!(found["seconds"].as_f64().unwrap() > 0.0);
    let impossible = answer("solve", "123456870");
    assert_eq!(impossible["status"], "unsolvable");
    assert!(impossible["reason"].as_str().unwrap().contains("parities"));
    let auto = answer("solve", FOUR);
    assert_eq!((&auto["algorithm"], &auto["heuristic"]), (&json!("astar"), &json!("linear-conflict")));
    assert_eq!(answer("solve --wrap-rows all", FOUR)["heuristic"], "manhattan");
}

#[test]
fn pattern_tables_are_looked_at_wherever_they_are_named() {
    for (args, board) in [
        ("", "8 6 7 2 5 4 3 0 1"),
        ("--wrap-rows all", "8 6 7 2 5 4 3 0 1"),
        ("--algorithm ida", "8 6 7 2 5 4 3 0 1"),
        ("--algorithm wastar --weight 1", "8 6 7 2 5 4 3 0 1"),
        ("--size 2x2", "3 1 2 0"),
        ("--size 1x4", "1 0 2 3"),
        ("--size 1x5 --wrap-rows 0", "3 4 1 0 2"),
        ("--algorithm astar --size 2x3", "0 5 1 4 3 2"),
    ] {
        let [pattern, plain] =
            ["pattern", "manhattan"].map(|name| answer(&format!("solve --heuristic {name} {args}"), board));
        assert_eq!(pattern["heuristic"], "pattern", "{args}: {pattern}");
        assert_eq!((&pattern["status"], &pattern["length"]), (&plain["status"], &plain["length"]), "{args}: {pattern}");
        if board.starts_with('8') {
            assert_ne!(pattern["expanded"], plain["expanded"], "{args}: another estimate expands other states");
        }
    }
}

#[test]
fn every_algorithm_solves_and_says_its_name() {
    for algorithm in
        ["bfs", "bidirectional", "dfs", "iddfs", "dijkstra", "greedy", "astar", "wastar", "ida", "bfs-tree", "dfs-tree"]
    {
        let found = answer(&format!("solve --algorithm {algorithm} --max-depth 10"), FOUR);
        assert_eq!(found["algorithm"], algorithm);
        let moves = found["moves"].as_str().unwrap();
        assert_eq!(pintu(&format!("check --moves {moves}"), FOUR).status, 0, "{algorithm}");
        // Whichever algorithm found it, a solution as short as a known bound is proved optimal.
        if !algorithm.starts_with("dfs") {
            assert_eq!((&found["length"], &found["optimal"]), (&json!(4), &json!(true)), "{algorithm}");
        }
        let solved = answer(&format!("solve --algorithm {algorithm}"), "123456780");
        assert_eq!((&solved["length"], &solved["optimal"]), (&json!(0), &json!(true)), "{algorithm}");
    }
}

#[test]
fn rectangles_print_both_sides() {
    let run = pintu("solve --format boards", "1 2 3\n4 0 5");
    assert_eq!(run.out, "Minimum number of moves = 1\n2 3\n 1  2  3 \n 4  0  5 \n\n2 3\n 1  2  3 \n 4  5  0 \n");
    let run = pintu("solve --algorithm wastar --format boards", "867254301");
    assert!(run.out.starts_with("Number of moves = "), "{}", run.out);
}

#[test]
fn generated_boards_are_reproducible_and_solvable() {
    let boards = pintu("generate --size 3x3 --count 20 --seed 5", "").out;
    assert_eq!(boards, pintu("generate --size 3x3 --count 20 --seed 5 --uniform", "").out);
    assert_ne!(boards, pintu("generate --size 3x3 --count 20 --seed 6", "").out);
    assert_eq!(boards.lines().count(), 20);
    assert_eq!(pintu("solve --batch --format moves", &boards).status, 0);
    for (board, walk) in [("2x5", "--walk"), ("2x5", "--walk 7"), ("1x3", ""), ("3x5 --wrap-rows all --goal snail", "")]
    {
        let made = pintu(&format!("generate --count 3 --seed 1 --size {board} {walk}"), "").out;
        let solved = pintu(&format!("solve --batch --format moves --size {board}"), &made);
        assert_eq!(solved.status, 0, "{board} {walk}: {made}{}", solved.err);
    }
    assert_ne!(pintu("generate", "").out, pintu("generate", "").out, "without a seed each is new");
}

#[test]
fn all_optimal_solutions_are_listed_and_counted() {
    let text = pintu("solve --all 867254301", "").out;
    let number = text.lines().count() - 2;
    let said = format!("\n{number} optimal solutions of 31 moves (where the blank goes)\n");
    assert!(number > 1 && text.contains(&said), "{text}");
    let moves = pintu("solve --all 867254301 --format moves", "").out;
    let listed: HashSet<&str> = moves.lines().collect();
    assert_eq!((listed.len(), moves.lines().count()), (number, number));
    let found = answer("solve --all 867254301", "");
    let solutions = found["solutions"].as_array().unwrap().iter().map(|moves| moves.as_str().unwrap());
    assert_eq!((&found["length"], &found["number"]), (&json!(31), &json!(number)), "{found}");
    assert_eq!(solutions.collect::<HashSet<_>>(), listed);
    let solved = pintu("solve --all 123456780", "").out;
    assert!(solved.starts_with("\n1 optimal solution of 0 moves (where the blank goes)\n"), "{solved}");
    for (args, status, said) in [
        ("123456870", 1, "no solution: "),
        ("867254301 --node-limit 9", 3, "stopped: "),
        ("867254301 --memory-limit 13MiB", 3, "stopped: "),
    ] {
        let run = pintu(&format!("solve --all {args}"), "");
        assert!(run.status == status && run.out.contains(said), "{args}: {}{}", run.out, run.err);
    }
}

#[test]
fn check_says_why() {
    let reason = "tiles and blank together are an even permutation of the goal, and the blank is 4 steps, an even number, \
                  from its goal cell: the two parities agree";
    assert_eq!(pintu("check", FOUR).out, format!("solvable: {reason}\n"));
    // The parity counts the blank, inversions do not: 17 of them beside an even permutation are no mistake.
    let impossible = "tiles and blank together are an even permutation of the goal (the tiles alone have 17 inversions), \
                      but the blank is 3 steps, an odd number, from its goal cell: each move changes both parities, so \
                      they never agree";
    let file = data("algs4/puzzle4x4-unsolvable.txt");
    assert!(pintu(&format!("check {file}"), "").out.ends_with(&format!("unsolvable: {impossible}\n")));
    assert_eq!(pintu("check --moves U", FOUR).out, "fails: move 1 (U) leads off the board\n");
    for (args, board, status, found) in [
        ("", FOUR, 0, "solvable"),
        ("", "123456870", 1, "unsolvable"),
        ("--wrap-rows 0", "123456870", 0, "solvable"),
        ("", "1 3 2 0\n", 1, "unsolvable"),
        ("--moves RDR", FOUR, 1, "fails"),
        ("--moves LULU --notation tile", FOUR, 0, "solves"),
    ] {
        let run = pintu(&format!("check --format json {args}"), board);
        assert_eq!((run.status, &run.json()[0]["status"]), (status, &json!(found)), "{args} {board}");
    }
}

/// Help is written by hand; the limits that it names are those of the crates below.
#[test]
fn help_names_the_limits_that_hold() {
    let path = pintu("path --help", "").out;
    for limit in [pintu_grid::MAX_COST, pintu_grid::MAX_DIAGONAL_COST] {
        assert!(path.contains(&limit.to_string()), "{limit}");
    }
    let share = format!("{} MiB", pintu_engine::memory::MIN_SHARE_BYTES >> 20);
    assert!(pintu("solve --help", "").out.contains(&share), "{share}");
}

/// A board may be an argument, and output may go to a file.
#[test]
fn boards_are_arguments_and_output_goes_to_a_file() {
    for args in ["013425786", "0 1 3 4 2 5 7 8 6", "_ 1 3 4 2 5 7 8 6"] {
        assert_eq!(pintu(&format!("solve -f moves {args}"), "").out, "RDRD\n", "{args}");
        assert_eq!(pintu(&format!("check {args} --moves RDRD"), "").status, 0, "{args}");
        assert_eq!(answer(&format!("compare {args} -a bfs"), "")["length"], 4, "{args}");
    }
    assert_eq!(pintu_args(&["solve", "--format", "moves", "0 1 3/4 2 5/7 8 6", "123456708"], "").out, "RDRD\nR\n");
    assert_eq!(pintu("generate 2x5 --seed 1", "").out, pintu("generate --size 2x5 --seed 1", "").out);
    let file = tempfile::NamedTempFile::new().unwrap();
    for args in ["solve 013425786 -f moves", "generate 3x3 --seed 1", "path --color auto"] {
        let printed = pintu(args, "S.G\n").out;
        let run = pintu(&format!("{args} -o {}", file.path().display()), "S.G\n");
        let written = fs::read_to_string(&file).unwrap();
        assert_eq!((run.status, run.out.as_str()), (0, ""), "{args}");
        // Only the time differs.
        assert_eq!(written.lines().next(), printed.lines().next(), "{args}");
    }
}

/// The game copies boards with `/` between rows, and people write the blank and the spaces in other ways, too.
#[test]
fn boards_are_read_as_the_game_writes_them() {
    for board in ["0 1 3/4 2 5/7 8 6", "_ 1 3 / 4 2 5 / 7 8 6 /", "_,1,3\n4,2,5\n7,8,6", "0,1,3;4,2,5;7,8,6"] {
        assert_eq!(pintu("solve --format moves", board).out, "RDRD\n", "{board}");
    }
    let batch = pintu("solve --batch --format moves", "0 1 3/4 2 5/7 8 6\n1 2 3/4 5 _\n1,2,3,4,5,6,7,_,8");
    assert_eq!(batch.out, "RDRD\n\nR\n");
    let goal = pintu_args(&["solve", "--format", "moves", "--goal", "1 2 3/4 5 6/7 _ 8"], "1 2 3/4 5 6/_ 7 8");
    assert_eq!(goal.out, "R\n", "{}", goal.err);
    assert_eq!(pintu("check", "1 2/3 _//1 2/_ 3").status, 0);
}

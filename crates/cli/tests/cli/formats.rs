//! What is printed, in each format.

use std::fs;

use crate::run::{pintu, pintu_args};

const FOUR: &str = "0 1 3 4 2 5 7 8 6";

#[test]
fn moves_are_a_line_a_puzzle() {
    assert_eq!(pintu("solve --format moves", FOUR).out, "RDRD\n");
    assert_eq!(pintu("solve --format moves --notation tile", FOUR).out, "LULU\n");
    assert_eq!(pintu("solve --format moves", "123456780").out, "\n");
    assert_eq!(pintu("solve --format moves", "123456870").out, "unsolvable\n");
    assert_eq!(pintu("solve --format moves --algorithm dfs --max-depth 2", FOUR).out, "limit\n");
}

#[test]
fn json_has_the_fields_it_promises() {
    let answer = &pintu("solve --algorithm astar --heuristic manhattan --format json", FOUR).json()[0];
    for (field, value) in [
        ("status", serde_json::Value::from("solved")),
        ("moves", "RDRD".into()),
        ("length", 4.into()),
        ("optimal", true.into()),
        ("algorithm", "astar".into()),
        ("heuristic", "manhattan".into()),
    ] {
        assert_eq!(answer[field], value, "{field}");
    }
    for field in ["expanded", "generated", "peak_states"] {
        assert!(answer[field].as_u64().unwrap() >= 5, "{field}");
    }
    assert!(answer["seconds"].as_f64().unwrap() > 0.0);
    let impossible = &pintu("solve --format json", "123456870").json()[0];
    assert_eq!(impossible["status"], "unsolvable");
    assert!(impossible["reason"].as_str().unwrap().contains("parities"));
}

#[test]
fn auto_says_what_it_used() {
    let answer = &pintu("solve --format json", FOUR).json()[0];
    assert_eq!((&answer["algorithm"], &answer["heuristic"]), (&"astar".into(), &"linear-conflict".into()));
    let wrapped = &pintu("solve --wrap-rows all --format json", FOUR).json()[0];
    assert_eq!(wrapped["heuristic"], "manhattan");
}

#[test]
fn pattern_tables_are_looked_at_wherever_they_are_named() {
    for (args, board) in [
        ("", "8 6 7 2 5 4 3 0 1"),
        ("--wrap-rows all", "8 6 7 2 5 4 3 0 1"),
        ("--size 2x2", "3 1 2 0"),
        ("--size 1x4", "1 0 2 3"),
        ("--size 1x5 --wrap-rows 0", "3 4 1 0 2"),
        ("--algorithm astar --size 2x3", "0 5 1 4 3 2"),
    ] {
        let answer = &pintu(&format!("solve --heuristic pattern --format json {args}"), board).json()[0];
        let plain = &pintu(&format!("solve --heuristic manhattan --format json {args}"), board).json()[0];
        assert_eq!(
            (&answer["heuristic"], &answer["status"]),
            (&"pattern".into(), &plain["status"]),
            "{args}: {answer}"
        );
        assert_eq!(answer["length"], plain["length"], "{args}: {answer}");
        if board.starts_with('8') {
            assert_ne!(answer["expanded"], plain["expanded"], "{args}: another estimate takes other states up");
        }
    }
}

#[test]
fn every_algorithm_solves_and_says_its_name() {
    for algorithm in
        ["bfs", "bidirectional", "dfs", "iddfs", "dijkstra", "greedy", "astar", "wastar", "ida", "bfs-tree", "dfs-tree"]
    {
        let run = pintu(&format!("solve --algorithm {algorithm} --max-depth 10 --format json"), FOUR);
        let answer = &run.json()[0];
        assert_eq!((run.status, &answer["algorithm"]), (0, &algorithm.into()), "{answer}");
        let moves = answer["moves"].as_str().unwrap();
        assert_eq!(pintu_args(&["check", "--moves", moves], FOUR).status, 0, "{algorithm}");
        // Whatever searched, a solution that is as short as a bound that is known is proved optimal.
        if !algorithm.starts_with("dfs") {
            assert_eq!((&answer["length"], &answer["optimal"]), (&4.into(), &true.into()), "{algorithm}");
        }
        let solved = &pintu(&format!("solve --algorithm {algorithm} --format json"), "123456780").json()[0];
        assert_eq!((&solved["length"], &solved["optimal"]), (&0.into(), &true.into()), "{algorithm}");
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
    for args in ["--size 2x5 --walk", "--size 2x5 --walk 7", "--size 1x3", "--size 3x5 --wrap-rows all --goal snail"] {
        let made = pintu(&format!("generate {args} --count 3 --seed 1"), "").out;
        let size = args.split(' ').nth(1).unwrap();
        let rest = args.split_once("--wrap").map_or(String::new(), |(_, rest)| format!("--wrap{rest}"));
        let solved = pintu(&format!("solve --batch --size {size} {rest} --format moves"), &made);
        assert_eq!(solved.status, 0, "{args}: {made}{}", solved.err);
    }
    assert_ne!(pintu("generate", "").out, pintu("generate", "").out, "without a seed each is new");
}

#[test]
fn check_says_why() {
    let run = pintu("check", FOUR);
    assert_eq!(
        (run.status, run.out.as_str()),
        (
            0,
            "solvable: the tiles are an even permutation of the goal, and the blank is 4 steps from its goal cell: \
             the two parities agree\n"
        )
    );
    let run = pintu("check --format json", "123456870");
    assert_eq!((run.status, &run.json()[0]["status"]), (1, &"unsolvable".into()));
    assert_eq!(pintu("check --wrap-rows 0", "123456870").status, 0);
    assert_eq!(pintu("check", "1 3 2 0\n").status, 1);
    let run = pintu("check --moves RDR --format json", FOUR);
    assert_eq!((run.status, &run.json()[0]["status"]), (1, &"fails".into()));
    let run = pintu("check --moves LULU --notation tile --format json", FOUR);
    assert_eq!((run.status, &run.json()[0]["status"]), (0, &"solves".into()));
    let run = pintu("check --moves U", FOUR);
    assert_eq!((run.status, run.out.as_str()), (1, "fails: move 1 (U) leads off the board\n"));
}

#[test]
fn compare_writes_tables_and_charts() {
    let folder = std::env::temp_dir().join(format!("pintu-compare-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let chart = folder.join("chart.svg");
    let args = ["compare", "--algorithms", "bfs,astar:manhattan,dfs", "--max-depth", "2", "--plot"];
    let run = pintu_args(&[&args[..], &[&chart.display().to_string(), "--format", "csv"]].concat(), FOUR);
    assert_eq!(run.status, 3, "depth-first search does not get there: {}", run.err);
    let lines: Vec<&str> = run.out.lines().collect();
    assert_eq!(
        lines[0],
        "contestant,algorithm,heuristic,weight,status,moves,optimal,expanded,generated,peak,memory,time,reason"
    );
    assert!(lines[1].starts_with("bfs,bfs,none,,solved,4,true,"), "{}", lines[1]);
    assert!(lines[3].starts_with("dfs,dfs,none,,limit,,,") && lines[3].ends_with(",depth"), "{}", lines[3]);
    let svg = fs::read_to_string(&chart).unwrap();
    for word in ["<svg", "states generated", "astar:manhattan", "not solved"] {
        assert!(svg.contains(word), "{word}");
    }
    fs::remove_dir_all(&folder).unwrap();
    let markdown = pintu("compare --algorithms bfs --format markdown", FOUR).out;
    assert!(markdown.starts_with("| contestant | algorithm | heuristic |"), "{markdown}");
}

#[test]
fn help_teaches() {
    for (args, words) in [
        ("--help", &["solve", "compare", "generate", "check", "completions", "Exit status"][..]),
        ("solve --help", &["linear-conflict", "bidirectional", "--time-limit", "echo \"0 1 3 4 2 5 7 8 6\""]),
        ("compare --help", &["--scrambles", "--plot", "expanded"]),
        ("generate --help", &["--walk", "--seed"]),
        ("check --help", &["--moves"]),
    ] {
        let run = pintu(args, "");
        assert_eq!(run.status, 0);
        for word in words {
            assert!(run.out.contains(word), "{args} mentions {word}");
        }
    }
    assert!(pintu("--version", "").out.starts_with("pintu "));
    assert!(pintu("completions bash", "").out.contains("_pintu"));
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

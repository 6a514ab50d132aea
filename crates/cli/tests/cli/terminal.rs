//! What fits a terminal of eighty columns, and what is accepted and given in more than one form.

use std::fs;

use crate::run::{pintu, pintu_args};

const FOUR: &str = "0 1 3 4 2 5 7 8 6";
const COMMANDS: [&str; 13] = [
    "",
    "serve",
    "solve",
    "compare",
    "generate",
    "check",
    "path",
    "tables",
    "backup",
    "restore",
    "devices",
    "completions",
    "man",
];

#[test]
fn help_fits_and_leaves_no_word_alone() {
    for command in COMMANDS {
        for help in ["-h", "--help"] {
            let shown = pintu(&format!("{command} {help}"), "").out;
            let mut before = 0;
            for line in shown.lines() {
                let width = line.chars().count();
                assert!(width <= 80, "{command} {help}: {line}");
                let is_alone = line.split_whitespace().count() == 1 && line.trim().len() < 10;
                assert!(!(before > 66 && is_alone && !line.trim().starts_with('-')), "{command} {help}: {line}");
                before = width;
            }
        }
    }
}

#[test]
fn comparisons_fit() {
    let hard = "8 6 7 2 5 4 3 0 1";
    let all = "bfs,astar:walking-distance,wastar:manhattan:5,ida,dfs,bfs-tree";
    let one = pintu(&format!("compare --algorithms {all} --node-limit 200000"), hard).out;
    let averages = pintu(&format!("compare --scrambles 3 --seed 1 --algorithms {all} --node-limit 200000"), "").out;
    let table = one.split("\n\n").next().unwrap();
    for line in table.lines().chain(averages.lines()) {
        assert!(line.chars().count() <= 80, "{line}");
    }
    assert!(table.contains("astar:walking-distance  optimal"), "{table}");
    assert!(table.contains("wastar:manhattan:5      solved"), "{table}");
    let impossible = pintu("compare --algorithms bfs,ida", "123456870").out;
    assert!(impossible.starts_with("contestant  found"), "{impossible}");
    assert!(impossible.contains("bfs         no solution"), "{impossible}");
}

/// What a search took fits, too; only moves may be longer. (A batch has a line a puzzle.)
#[test]
fn what_it_took_fits() {
    let hard = "8 6 7 2 5 4 3 0 1";
    for run in [
        pintu("solve --algorithm bfs", hard),
        pintu("solve --algorithm astar --heuristic linear-conflict", hard),
        pintu("solve --algorithm bfs --node-limit 1000", hard),
    ] {
        for line in run.out.lines().filter(|line| !line.contains("moves (")) {
            assert!(line.chars().count() <= 80, "{line}");
        }
    }
    assert_eq!(pintu("solve --batch --algorithm bfs", hard).out.lines().count(), 1);
    // A drawn path has one line below it where no terminal is too narrow for that.
    assert_eq!(pintu("path -", "S..9...\n.......\n......G").out.lines().count(), 4);
}

/// The examples of help are whole lines that can be pasted.
#[test]
fn examples_in_help_work() {
    let mut seen = 0;
    for command in COMMANDS {
        let help = pintu(&format!("{command} --help"), "").out;
        for line in help.lines().filter(|line| line.starts_with("    ") && line.contains("pintu compare ")) {
            let (board, args) = line.trim().split_once("pintu ").unwrap();
            let board = board.trim_start_matches("echo ").trim_end_matches("| ");
            let run = pintu(&args.replace("--scrambles 100", "--scrambles 2"), board);
            assert_eq!(run.status, 0, "{line}: {}", run.err);
            seen += 1;
        }
    }
    assert!(seen >= 2);
}

#[test]
fn names_are_accepted_in_any_case() {
    let answer =
        pintu("solve --algorithm AStar --heuristic MANHATTAN --goal Standard --device CPU --format JSON", FOUR);
    assert_eq!((answer.status, &answer.json()[0]["algorithm"]), (0, &"astar".into()));
    let entry = &pintu("compare --algorithms IDA:Manhattan --format json", FOUR).json()[0];
    assert_eq!(entry["contestant"], "ida:manhattan");
    assert_eq!(pintu("path - --map-format Terrain --diagonal NEVER --algorithm Dijkstra", "S.\n.G").status, 0);
    assert_eq!(pintu("path - --diagonal No-Corners --algorithm ASTAR --heuristic Octile", "S.\n.G").status, 0);
}

#[test]
fn a_solution_says_whose_direction_it_gives() {
    assert!(pintu("solve", FOUR).out.starts_with("4 moves (optimal): RDRD (where the blank goes)\n"));
    assert!(pintu("solve --notation tile", FOUR).out.starts_with("4 moves (optimal): LULU (where the tiles go)\n"));
    assert!(pintu("compare --algorithms bfs", FOUR).out.ends_with("RDRD\n(moves: where the blank goes)\n"));
}

#[test]
fn links_are_given_and_taken() {
    let link = pintu("generate --size 3x4 --wrap-rows 0,2 --goal snail --seed 7 --format link", "").out;
    assert!(link.starts_with("http://127.0.0.1:7468/#p=3x4&b="), "{link}");
    let board = pintu("generate --size 3x4 --wrap-rows 0,2 --goal snail --seed 7", "").out;
    let options = "solve --algorithm astar --format json";
    let by_board = pintu(&format!("{options} --size 3x4 --wrap-rows 0,2 --goal snail"), &board).json();
    for by_link in
        [pintu(options, &link), pintu(&format!("{options} --batch"), &link), pintu(&format!("{options} {link}"), "")]
    {
        assert_eq!(by_link.json()[0]["moves"], by_board[0]["moves"], "{}", by_link.err);
    }
    assert_eq!(pintu("check --format link", &link).out, link);
    assert_eq!(pintu("solve --format link", &link).out, link);
    let beside = pintu("solve --goal snail", &link);
    assert_eq!((beside.status, beside.out.as_str()), (2, ""));
    assert!(beside.err.contains("found --goal beside a link"), "{}", beside.err);
    let to_link = pintu("solve --goal #p=3x3&b=8&t=1.2.3.4.5.6.7.0.8", "123456780");
    assert!(to_link.out.starts_with("1 move (optimal): L "), "{}{}", to_link.out, to_link.err);
    let wraps = pintu("solve --goal #p=3x3&b=8&t=1.2.3.4.5.6.7.0.8&wr=0", "123456780");
    assert_eq!(wraps.status, 2);
    assert!(wraps.err.contains("found a link whose lines wrap"), "{}", wraps.err);
    let bad = pintu("solve", "#p=3x3&b=8&t=1.2.3");
    assert_eq!(bad.status, 2);
    assert_eq!(bad.err.lines().count(), 1, "{}", bad.err);
}

#[test]
fn both_ends_stay_visible_on_a_drawn_path() {
    assert!(pintu("path -", "S..\n##.\n..G").out.starts_with("S**\n##*\n..G\n"));
    assert!(pintu("path - --from 0,1 --to 2,1", "...\n##.\n...").out.starts_with(".S*\n##*\n.G*\n"));
    // The assignment's sea maps are drawn as it draws them.
    assert!(pintu("path -", "2 3\n120\n004").out.starts_with("* 2 0\n* * *\n"));
}

#[test]
fn there_is_a_manual_page_for_every_command() {
    let dir = tempfile::tempdir().unwrap();
    assert_eq!(pintu_args(&["man", "--to", dir.path().to_str().unwrap()], "").status, 0);
    for command in COMMANDS.iter().filter(|command| !command.is_empty()) {
        let page = fs::read_to_string(dir.path().join(format!("pintu-{command}.1"))).unwrap();
        assert!(page.contains(".SH NAME"), "{command}");
        assert_eq!(pintu(&format!("man {command}"), "").out, page, "{command}");
    }
    assert!(fs::read_to_string(dir.path().join("pintu.1")).unwrap().contains("pintu\\-solve"));
    let unknown = pintu("man solv", "");
    assert_eq!((unknown.status, unknown.err.lines().count()), (2, 1));
}

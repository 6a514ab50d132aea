//! `pintu compare`: its contestants, its figures, its files.

use std::{collections::HashMap, fs};

#[cfg(unix)]
use crate::run::shell;
use crate::run::{FOUR, answer, assert_refused, korf, pintu};

#[test]
fn rows_are_named_by_what_was_asked_for() {
    let (board, _) = korf(12);
    let args = "compare --goal blank-first --algorithms auto,ida:pattern,wastar:manhattan:5,wastar";
    let answers = pintu(&format!("{args} --format json"), &board).json();
    let named: Vec<&str> = answers.iter().map(|answer| answer["contestant"].as_str().unwrap()).collect();
    assert_eq!(named, ["auto", "ida:pattern", "wastar:manhattan:5", "wastar"]);
    assert_eq!((&answers[0]["algorithm"], &answers[0]["heuristic"]), (&"ida".into(), &"pattern".into()));
    let text = pintu(args, &board).out;
    for name in named {
        assert_eq!(text.lines().filter(|line| line.starts_with(&format!("{name} "))).count(), 2, "{name}:\n{text}");
    }
}

#[test]
fn building_tables_takes_none_of_a_contestants_time() {
    let folder = tempfile::tempdir().unwrap();
    // A contestant that had to build them would have no time left for the search.
    let args = "compare --size 4x6 --algorithms ida:pattern --time-limit 1s";
    let board = "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 0 22 23";
    let answer = answer(&format!("{args} --tables {}", folder.path().display()), board);
    assert_eq!((&answer["status"], &answer["length"]), (&"solved".into(), &2.into()), "{answer}");
    assert!(answer["seconds"].as_f64().unwrap() < 1.0, "{answer}");
    assert!(fs::read_dir(folder.path().join("unasked")).unwrap().count() > 1, "tables were built");
}

#[test]
fn averages_say_their_seed_and_their_spread() {
    let args = "compare --scrambles 9 --size 3x3 --algorithms astar:manhattan,greedy:manhattan";
    for answer in pintu(&format!("{args} --seed 7 --format json"), "").json() {
        assert_eq!((&answer["seed"], &answer["boards"]), (&7.into(), &9.into()), "{answer}");
        for number in ["length", "expanded", "seconds"] {
            let spread = &answer["spread"][number];
            let [min, median, max] = ["min", "median", "max"].map(|name| spread[name].as_f64().unwrap());
            let mean = answer[number].as_f64().unwrap();
            assert!(min <= median && median <= max && min <= mean && mean <= max, "{number}: {answer}");
            assert!(min < max, "{number}: {answer}");
        }
    }
    let text = pintu(&format!("{args} --seed 7"), "").out;
    assert!(text.starts_with("3x3: 9 random boards, seed 7\n"), "{text}");
    let unseeded = pintu(args, "").out;
    let seed = unseeded.lines().next().unwrap().rsplit_once(' ').unwrap().1;
    let again = answer(&format!("{args} --seed {seed}"), "");
    let moves = format!("{:.2}", again["length"].as_f64().unwrap());
    assert!(unseeded.contains(&moves), "the seed that is printed makes the same boards: {unseeded}");
    let markdown = pintu(&format!("{args} --seed 7 --format markdown"), "").out;
    assert!(markdown.ends_with("\n\n3x3: 9 random boards, seed 7\n"), "{markdown}");
    assert!(markdown.starts_with("| contestant"), "{markdown}");
}

/// Averages of the boards that were easy enough look better than those of all.
#[test]
fn a_comparison_says_which_boards_its_averages_are_of() {
    let args = "compare --scrambles 6 --seed 3 --algorithms astar,bfs,dfs --node-limit 60000";
    let run = pintu(args, "");
    assert_eq!(run.status, 3);
    assert!(run.err.contains("bfs ended at a limit (nodes: 3): its figures are of the others"), "{}", run.err);
    assert!(!run.err.contains("astar"), "{}", run.err);
    let rows = pintu(&format!("{args} --format json"), "").json();
    assert_eq!((rows[0].get("limits"), &rows[0]["solved"]), (None, &6.into()));
    assert_eq!((&rows[1]["limits"]["nodes"], &rows[1]["solved"]), (&3.into(), &3.into()));
}

/// The rows of a comparison as CSV, each by its columns.
fn csv(args: &str, board: &str) -> Vec<HashMap<String, String>> {
    let text = pintu(&format!("compare --format csv {args}"), board).out;
    let header: Vec<&str> = text.lines().next().unwrap().split(',').collect();
    let row = |line: &str| {
        let cells: Vec<&str> = line.splitn(header.len(), ',').collect();
        assert_eq!(cells.len(), header.len(), "{text}");
        header.iter().zip(cells).map(|(name, cell)| ((*name).to_owned(), cell.to_owned())).collect()
    };
    text.lines().skip(1).map(row).collect()
}

#[test]
fn in_csv_numbers_are_numbers_and_a_status_is_a_word_with_the_sentence_beside_it() {
    let words = ["contestant", "algorithm", "heuristic", "status", "optimal", "moves", "reason"];
    for (args, input, expected) in [
        ("--algorithms bfs,dfs --max-depth 2", FOUR, [["solved", ""], ["limit", "depth"]]),
        ("--algorithms bfs,wastar:manhattan:2.5 --node-limit 3", FOUR, [["limit", "nodes"], ["limit", "nodes"]]),
        ("--algorithms bfs,dfs --max-depth 2 --scrambles 4 --seed 1", "", [["", ""], ["", ""]]),
    ] {
        let rows = csv(args, input);
        for (name, cell) in rows.iter().flatten().filter(|(name, _)| !words.contains(&name.as_str())) {
            let is_number = cell.parse::<f64>().is_ok_and(|number| number.is_finite() && number >= 0.0);
            assert!(cell.is_empty() || is_number, "{name}: {cell}");
        }
        let text = |row: &HashMap<String, String>, name: &str| row.get(name).cloned().unwrap_or_default();
        let told: Vec<[String; 2]> = rows.iter().map(|row| ["status", "reason"].map(|name| text(row, name))).collect();
        assert_eq!(told, expected, "{args}");
    }
    let impossible = csv("--algorithms bfs", "123456870").remove(0);
    assert_eq!(impossible["status"], "unsolvable");
    assert!(impossible["reason"].contains(' '), "{impossible:?}");
}

#[test]
fn tables_and_charts_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let chart = folder.path().join("chart.svg");
    let args = format!("compare --algorithms bfs,astar:manhattan,dfs --max-depth 2 --plot {}", chart.display());
    let run = pintu(&format!("{args} --format csv"), FOUR);
    assert_eq!(run.status, 3, "depth-first search does not get there: {}", run.err);
    let lines: Vec<&str> = run.out.lines().collect();
    assert_eq!(
        lines[0],
        "contestant,algorithm,heuristic,weight,status,length,optimal,expanded,generated,peak_states,memory,seconds,\
         moves,reason"
    );
    assert!(lines[1].starts_with("bfs,bfs,none,,solved,4,true,") && lines[1].ends_with(",RDRD,"), "{}", lines[1]);
    let before = fs::read_to_string(&chart).unwrap();
    for word in ["<svg", "states generated", ">astar:manhattan<", ">not solved<"] {
        assert!(before.contains(word), "{word}");
    }
    // A limit on the size of files ends a write in the middle, as a full disk does.
    #[cfg(unix)]
    {
        let run = shell(&format!("trap '' XFSZ; ulimit -f 1; pintu {args} 013425786"));
        assert!(run.err.contains("pintu: --plot ") && run.out.contains("astar:manhattan"), "{}{}", run.err, run.out);
        assert_eq!(run.status, 2, "{}", run.err);
        assert_eq!(fs::read_to_string(&chart).unwrap(), before, "the old one stays");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing half written stays");
    }
    for name in ["chart.png", "chart", "svg"] {
        let path = folder.path().join(name);
        let args = format!("compare --algorithms bfs --plot {}", path.display());
        assert_refused(&[(&args, FOUR, "expected one that ends in .svg")]);
        assert!(!path.exists());
    }
}

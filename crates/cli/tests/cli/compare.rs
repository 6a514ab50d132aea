//! `pintu compare`: who is named, what is measured, what is written.

use std::{fs, process::Command, thread, time::Duration};

use crate::run::{pintu, pintu_args, rows};

const FOUR: &str = "0 1 3 4 2 5 7 8 6";

#[test]
fn rows_are_named_by_what_was_asked_for() {
    let board = rows("korf100.txt")[11][1..17].join(" ");
    let args = "compare --goal blank-first --algorithms auto,ida:pattern,wastar:manhattan:5,wastar";
    let run = pintu(&format!("{args} --format json"), &board);
    let answers = run.json();
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
    let tables = folder.path().to_str().unwrap();
    // Whoever had to build them would have no time left for the search.
    let args = ["compare", "--size", "4x6", "--algorithms", "ida:pattern", "--format", "json", "--time-limit", "100ms"];
    let board = "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 0 22 23";
    let answer = &pintu_args(&[&args[..], &["--tables", tables]].concat(), board).json()[0];
    assert_eq!((&answer["status"], &answer["length"]), (&"solved".into(), &2.into()), "{answer}");
    assert!(answer["seconds"].as_f64().unwrap() < 0.1, "{answer}");
    assert!(fs::read_dir(folder.path().join("unasked")).unwrap().count() > 1, "tables were built");
}

#[cfg(unix)]
#[test]
fn a_chart_for_which_there_is_no_room_is_an_error_and_leaves_the_old_one() {
    let Some(disk) = crate::small_disk::SmallDisk::mount(40 << 10) else { return };
    let chart = disk.path().join("chart.svg");
    let plot = |algorithms: &str| {
        pintu_args(&["compare", "--algorithms", algorithms, "--plot", chart.to_str().unwrap()], FOUR)
    };
    assert_eq!(plot("bfs,astar").status, 0);
    let before = fs::read_to_string(&chart).unwrap();
    assert!(before.trim_end().ends_with("</svg>"));
    // The rest of the disk is taken.
    let _ = fs::write(disk.path().join("fill"), vec![0; 64 << 10]);
    let run = plot("bfs,astar,ida,greedy,wastar,bidirectional");
    assert_eq!((run.status, run.err.lines().count()), (2, 1), "{}", run.err);
    assert!(run.err.contains("--plot") && run.out.contains("bidirectional"), "{}{}", run.err, run.out);
    assert_eq!(fs::read_to_string(&chart).unwrap(), before);
    let names: Vec<_> = fs::read_dir(disk.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names.len(), 2, "nothing half written stays: {names:?}");
}

#[test]
fn averages_say_their_seed_and_their_spread() {
    let args = "compare --scrambles 9 --size 3x3 --algorithms astar:manhattan,greedy:manhattan";
    let run = pintu(&format!("{args} --seed 7 --format json"), "");
    for answer in run.json() {
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
    let again = pintu(&format!("{args} --seed {seed} --format json"), "").json();
    let moves = format!("{:.2}", again[0]["length"].as_f64().unwrap());
    assert!(unseeded.contains(&moves), "the seed that is printed makes the same boards: {unseeded}");
    let markdown = pintu(&format!("{args} --seed 7 --format markdown"), "").out;
    assert!(markdown.ends_with("\n\n3x3: 9 random boards, seed 7\n"), "{markdown}");
}

#[test]
fn numbers_are_numbers_in_csv() {
    let names = ["contestant", "algorithm", "heuristic", "status", "optimal", "reason"];
    for (args, input) in [
        ("compare --algorithms bfs,wastar:manhattan:2.5,dfs --max-depth 2", FOUR),
        ("compare --algorithms bfs,dfs --max-depth 2 --scrambles 4 --seed 1", ""),
        ("compare --algorithms bfs,wastar --node-limit 0", FOUR),
    ] {
        let text = pintu(&format!("{args} --format csv"), input).out;
        let mut lines = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
        let header = lines.next().unwrap();
        let mut count = 0;
        for line in lines {
            assert_eq!(line.len(), header.len(), "{text}");
            for (name, cell) in header.iter().zip(line) {
                let numeric = cell.is_empty() || cell.parse::<f64>().is_ok_and(f64::is_finite);
                assert!(names.contains(name) || (numeric && !cell.starts_with('-')), "{name}: {cell} in\n{text}");
            }
            count += 1;
        }
        assert!(count >= 2, "{text}");
    }
}

#[test]
fn a_status_is_a_word_in_csv_and_the_sentence_stands_beside_it() {
    let rows = |args: &str, board: &str| -> Vec<[String; 2]> {
        let text = pintu(&format!("compare --format csv {args}"), board).out;
        let cells = |line: &str| line.splitn(13, ',').map(str::to_owned).collect::<Vec<_>>();
        let header = cells(text.lines().next().unwrap());
        let at = |name: &str| header.iter().position(|cell| cell == name).unwrap_or_else(|| panic!("{text}"));
        let row = |line: &str| [cells(line)[at("status")].clone(), cells(line)[at("reason")].clone()];
        text.lines().skip(1).map(row).collect()
    };
    let words = |rows: &[[String; 2]]| rows.iter().map(|row| row[0].clone()).collect::<Vec<_>>();
    let impossible = rows("--algorithms bfs,ida", "123456870");
    assert_eq!(words(&impossible), ["unsolvable", "unsolvable"]);
    assert!(impossible[0][1].contains(' '), "{impossible:?}");
    let limited = rows("--algorithms bfs,dfs --max-depth 2 --node-limit 3", FOUR);
    assert_eq!(limited, [["limit", "nodes"], ["limit", "nodes"]]);
    assert_eq!(rows("--algorithms bfs", FOUR), [["solved", ""]]);
}

#[test]
fn a_chart_is_not_written_under_another_kinds_name() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["chart.png", "chart", "svg"] {
        let path = folder.path().join(name);
        let run = pintu_args(&["compare", "--algorithms", "bfs", "--plot", path.to_str().unwrap()], FOUR);
        assert_eq!((run.status, run.out.as_str(), path.exists()), (2, "", false));
        assert!(run.err.contains("expected one that ends in .svg"), "{}", run.err);
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_comparison_has_every_row_and_says_so() {
    let child = Command::new(env!("CARGO_BIN_EXE_pintu"))
        .args(["compare", "--scrambles", "3", "--seed", "1", "--size", "5x5", "--time-limit", "60s"])
        .args(["--algorithms", "ida:misplaced,bfs", "--format", "json"])
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    thread::sleep(Duration::from_millis(300));
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!((output.status.code(), text.lines().count()), (Some(3), 2), "{text}");
    for line in text.lines() {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!((&row["status"], &row["boards"], &row["solved"]), (&"limit".into(), &3.into(), &0.into()), "{row}");
        assert!(row["length"].is_null() && !line.contains("-0.0"), "{line}");
    }
}

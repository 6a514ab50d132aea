//! Paths on maps and graphs.

use std::fs;

use crate::run::{Run, data, pintu, pintu_args};

const SEA: &str = "3 4\n1 3 0 4\n0 2 0 2\n0 0 0 0\n";

fn sea_map(name: &str, more: &[&str]) -> Run {
    let file = data(&format!("seamaps/{name}.txt"));
    pintu_args(&[&["path", file.to_str().unwrap()], more].concat(), "")
}

#[test]
fn the_sea_maps_are_drawn_with_their_paths() {
    let run = sea_map("4x8", &[]);
    assert_eq!(run.status, 0);
    let rows: Vec<&str> = run.out.lines().collect();
    assert_eq!(rows.len(), 5);
    assert_eq!(rows[..4].iter().map(|row| row.matches('*').count()).sum::<usize>(), 11);
    assert!(rows[..4].iter().all(|row| row.len() == 15), "cells are separated by a space");
    assert!(rows[4].starts_with("cost 10 (optimal)") && rows[4].contains("expanded"), "{}", rows[4]);
    assert!(sea_map("4x16", &[]).out.contains("cost 100 (optimal)"));
    for name in ["4x8-unsolvable", "4x16-unsolvable"] {
        let run = sea_map(name, &[]);
        assert_eq!((run.out.as_str(), run.status), ("no path!\n", 1), "{name}");
        assert!(run.err.starts_with("obstacles cut the goal off from the start; --nearest goes to"), "{}", run.err);
    }
    let blocked = pintu("path - --from 0,0", "#.G\n");
    assert_eq!((blocked.out.as_str(), blocked.err.as_str()), ("no path!\n", "the start is blocked\n"));
}

#[test]
fn json_has_the_fields_it_promises() {
    let answer = &sea_map("4x8", &["--algorithm", "astar", "--format", "json"]).json()[0];
    assert_eq!((&answer["status"], &answer["cost"], &answer["optimal"]), (&"found".into(), &10.into(), &true.into()));
    assert_eq!((&answer["algorithm"], &answer["heuristic"]), (&"astar".into(), &"manhattan".into()));
    assert_eq!((&answer["path"][0], &answer["path"][10]), (&vec![3, 2].into(), &vec![2, 7].into()));
    for field in ["expanded", "generated", "peak_states"] {
        assert!(answer[field].as_u64().unwrap() >= 11, "{field}");
    }
    assert!(answer["seconds"].as_f64().unwrap() > 0.0);
    let none = &sea_map("4x8-unsolvable", &["--format", "json"]).json()[0];
    assert_eq!(none["status"], "unreachable");
    assert_eq!(sea_map("4x8-unsolvable", &["--format", "json"]).err, "", "the answer has the reason");
    let limit = sea_map("4x16", &["--algorithm", "dijkstra", "--node-limit", "5", "--format", "json"]);
    assert_eq!(
        (limit.status, &limit.json()[0]["status"], &limit.json()[0]["reason"]),
        (3, &"limit".into(), &"nodes".into())
    );
}

#[test]
fn every_algorithm_finds_a_path_and_says_its_name() {
    for (algorithm, cost, optimal) in [
        ("bfs", 22, false),
        ("bidirectional", 22, false),
        ("dijkstra", 7, true),
        ("greedy", 22, false),
        ("astar", 7, true),
        ("ida", 7, true),
    ] {
        let run = pintu(&format!("path - --algorithm {algorithm} --format json"), SEA);
        let answer = &run.json()[0];
        assert_eq!(answer["algorithm"], algorithm);
        assert_eq!(answer["optimal"], optimal, "{algorithm}");
        if algorithm != "greedy" {
            assert_eq!(answer["cost"], cost, "{algorithm}");
        }
    }
    let run = pintu("path - --algorithm wastar --weight 1 --format json", SEA);
    assert_eq!((&run.json()[0]["cost"], &run.json()[0]["optimal"]), (&7.into(), &true.into()));
    let run = pintu("path - --algorithm jps --cost 3=1 --format json", SEA);
    assert_eq!((&run.json()[0]["cost"], &run.json()[0]["algorithm"]), (&3.into(), &"jps".into()));
    let run = pintu("path - --algorithm jps", SEA);
    assert!(run.status == 2 && run.err.contains("costs 1 to 20"), "{}", run.err);
}

#[test]
fn auto_says_which_algorithm_it_counts_for() {
    let crowded = "S.#.#.\n.#.#..\n..#..G\n";
    let row = |ends: &str| format!("{ends}{}\n", ".".repeat(20));
    let open = format!("{}{}{}", row("S"), row(".").repeat(20), row("G"));
    for (map, more, algorithm) in [
        (open.as_str(), "", "jps"),
        (crowded, "", "astar-levels"),
        ("S.9\n.9.\n..G\n", "", "astar-pruned"),
        (crowded, "--heuristic manhattan", "astar"),
    ] {
        let answer = &pintu(&format!("path - --format json {more}"), map).json()[0];
        assert_eq!(answer["algorithm"], algorithm, "{answer}");
    }
    // What it says can be asked for, and is the same.
    for (map, algorithm) in [(open.as_str(), "jps"), (crowded, "astar-levels"), ("S.9\n.9.\n..G\n", "astar-pruned")] {
        let named = &pintu(&format!("path - --format json --algorithm {algorithm}"), map).json()[0];
        let auto = &pintu("path - --format json", map).json()[0];
        for field in ["algorithm", "heuristic", "expanded", "generated", "cost"] {
            assert_eq!(auto[field], named[field], "{algorithm}: {field}");
        }
    }
    let uneven = &pintu("path - --format json --algorithm astar-levels", "S.9\n.9.\n..G\n").json()[0];
    assert_eq!(uneven["algorithm"], "astar-pruned", "it says what it was");
    let scenarios = data("maps/rooms.map.scen");
    let run = pintu_args(
        &[
            "path",
            data("maps/rooms.map").to_str().unwrap(),
            "--scenarios",
            scenarios.to_str().unwrap(),
            "--format",
            "json",
        ],
        "",
    );
    assert_ne!(run.json()[0]["algorithm"], "auto");
}

#[test]
fn a_heuristic_that_overestimates_is_refused_or_reported() {
    let run = pintu("path - --diagonal always --heuristic manhattan --algorithm astar", SEA);
    assert!(run.status == 2 && run.err.contains("overestimates"), "{}", run.err);
    assert!(run.err.contains("(--inadmissible allows it)"), "{}", run.err);
    let run = pintu("path - --map-format graph --from a --to b --nearest", "a b 1\n");
    assert!(run.status == 2 && run.err.contains("found --nearest for a graph, expected a map"), "{}", run.err);
    for algorithm in ["jps", "astar-levels", "astar-pruned"] {
        let run = pintu(&format!("path - --map-format graph --from a --to b --algorithm {algorithm}"), "a b 1\n");
        assert!(run.status == 2 && run.err.contains(&format!("found {algorithm} for a graph")), "{}", run.err);
        let run = pintu(&format!("path - --algorithm {algorithm} --heuristic euclidean"), "S..\n..G\n");
        assert!(run.status == 2 && run.err.contains("always uses manhattan"), "{}", run.err);
    }
    let run =
        pintu("path - --diagonal always --heuristic manhattan --algorithm astar --inadmissible --format json", SEA);
    assert_eq!((run.status, &run.json()[0]["optimal"]), (0, &false.into()));
    let run = pintu("path - --algorithm bfs --heuristic octile", SEA);
    assert!(run.status == 2 && run.err.contains("uses none"), "{}", run.err);
}

#[test]
fn costs_are_in_full_precision() {
    let run = pintu("path - --diagonal always --format json", "S.\n#G\n");
    assert_eq!(run.json()[0]["cost"], std::f64::consts::SQRT_2);
    let run = pintu("path - --diagonal no-corners --format json", "S.\n#G\n");
    assert_eq!(run.json()[0]["cost"], 2);
}

#[test]
fn several_goals_and_the_nearest_cell() {
    let run = pintu_args(&["path", "-", "--from", "0,0", "--to", "0,3;2,1", "--format", "json"], SEA);
    assert_eq!((&run.json()[0]["cost"], &run.json()[0]["path"][3]), (&3.into(), &vec![2, 1].into()));
    let cut_off = "S.#G\n..#.\n";
    assert_eq!(pintu("path -", cut_off).out, "no path!\n");
    let run = pintu("path - --nearest --format json", cut_off);
    assert_eq!((run.status, &run.json()[0]["nearest"], &run.json()[0]["cost"]), (0, &vec![0, 1].into(), &1.into()));
}

#[test]
fn distances_are_a_row_a_row() {
    let map = "S.#.\n.9#.\n";
    assert_eq!(pintu("path - --distances", map).out, "0 1 - -\n1 10 - -\n");
    assert_eq!(pintu("path - --distances --format json", map).out, "[[0,1,null,null],[1,10,null,null]]\n");
    let run = pintu("path - --distances --to 0,1 --directions", map);
    assert_eq!(run.out, "1 0 - -\n2 1 - -\n\n→ • - -\n↑ ↑ - -\n");
    assert!(pintu("path - --distances --diagonal always", "S.\n..\n").out.ends_with("1 1.4142135623730951\n"));
}

#[test]
fn graphs_have_names() {
    let folder = std::env::temp_dir().join(format!("pintu-graph-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join("towns.graph");
    fs::write(&file, "@ a 0 0\n@ b 3 4\n@ c 6 0\na b 5\nb c 5.5\na c 12\n").unwrap();
    let path = file.to_str().unwrap();
    let run = pintu_args(&["path", path, "--from", "a", "--to", "c"], "");
    assert!(run.out.starts_with("a b c\ncost 10.500000 (optimal) · astar with euclidean"), "{}", run.out);
    let run = pintu_args(&["path", path, "--from", "c", "--to", "a", "--directed"], "");
    assert_eq!((run.out.as_str(), run.status), ("no path!\n", 1));
    let run = pintu_args(&["path", path, "--from", "a", "--to", "c", "--format", "json", "--algorithm", "bfs"], "");
    assert_eq!((&run.json()[0]["path"], &run.json()[0]["cost"]), (&vec!["a", "c"].into(), &12.into()));
    let run = pintu_args(&["path", path, "--from", "a", "--to", "d"], "");
    assert!(run.status == 2 && run.err.contains("found the node `d`, expected one of a, b, c"), "{}", run.err);
    let run = pintu_args(&["path", path, "--from", "a", "--distances"], "");
    assert_eq!(run.out, "a 0\nb 5\nc 10.500000\n");
    fs::write(&file, "a b 1000000000000.000001\nb c 0.5\n").unwrap();
    let run = pintu_args(&["path", path, "--from", "a", "--to", "c"], "");
    assert!(run.out.starts_with("a b c\ncost 1000000000000.500001 (optimal)"), "{}", run.out);
    let run = pintu_args(&["path", path, "--from", "a", "--to", "c", "--format", "json"], "");
    assert!(run.out.contains("\"cost\":1000000000000.500001,"), "{}", run.out);
    let run = pintu_args(&["path", path, "--from", "a", "--distances", "--format", "json"], "");
    assert_eq!(run.out, "{\"a\":0,\"b\":1000000000000.000001,\"c\":1000000000000.500001}\n");
    fs::write(&file, "a;b c,d 2\nc,d e 1\n").unwrap();
    for (from, to, cost) in [("a;b", "c,d", 2), ("e", "a;b", 3), ("e", "a;b;c,d", 1), ("e", "c,d; a;b", 1)] {
        let run = pintu_args(&["path", path, "--from", from, "--to", to, "--format", "json"], "");
        assert_eq!(run.json()[0]["cost"], cost, "from {from} to {to}");
    }
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn scenarios_are_checked() {
    let map = data("maps/rooms.map");
    let file = data("maps/rooms.map.scen");
    let (map, file) = (map.to_str().unwrap(), file.to_str().unwrap());
    for algorithm in ["auto", "astar", "dijkstra", "jps"] {
        let args = ["path", map, "--scenarios", file, "--threads", "2", "--algorithm", algorithm, "--format", "json"];
        let run = pintu_args(&args, "");
        let summary = &run.json()[0];
        assert_eq!((run.status, &summary["queries"], &summary["agree"]), (0, &40.into(), &40.into()), "{algorithm}");
        assert!(summary["mean_seconds"].as_f64().unwrap() > 0.0);
    }
    let run = pintu_args(&["path", map, "--scenarios", file, "--node-limit", "1", "--format", "json"], "");
    let summary = &run.json()[0];
    let (expanded, stopped) = (summary["expanded"].as_u64().unwrap(), summary["stopped"].as_u64().unwrap());
    assert!(run.status == 3 && stopped > 0 && expanded >= stopped, "what was stopped has taken up cells: {summary}");
    assert_eq!((&summary["queries"], summary["agree"].as_u64()), (&40.into(), Some(40 - stopped)), "{summary}");
    let folder = tempfile::tempdir().unwrap();
    for (text, message) in [
        ("version 1\n", "found no query, expected at least one"),
        ("version 1\n0 rooms.map 3 2 0 0 7 1 9\n", "found the query"),
    ] {
        let (queries, map) = (folder.path().join("q.scen"), folder.path().join("q.map"));
        fs::write(&queries, text).unwrap();
        fs::write(&map, "type octile\nheight 2\nwidth 3\nmap\n...\n...\n").unwrap();
        let run = pintu_args(&["path", map.to_str().unwrap(), "--scenarios", queries.to_str().unwrap()], "");
        assert!(run.status == 2 && run.err.contains("q.scen") && run.err.contains(message), "{}", run.err);
    }
    let run = pintu_args(&["path", map, "--scenarios", file, "--diagonal", "never"], "");
    assert!(run.status == 1 && run.out.contains("on record"), "{}", run.out);
}

#[test]
fn bad_maps_and_cells_say_what_is_wrong_and_where() {
    for (args, input, message) in [
        ("path -", "2 2\n00\n0", "standard input: line 3: found a row of 1 cells, expected 2"),
        ("path -", "S.\n.x\n", "standard input: line 2, column 2: found `x`"),
        ("path -", "..\n", "found no start in the map and no --from"),
        ("path - --from 0,0", "..\n", "found no goal in the map and no --to"),
        ("path - --from 0,0 --to 5,5", "..\n", "found the cell 5,5, expected rows from 0 to 0 and columns from 0 to 1"),
        ("path - --from x --to 0,0", "..\n", "--from: found `x`, expected a cell as `row,col`"),
        ("path - --cost 2=3", SEA, "found a cost for `2`"),
        (
            "path - --cost 3=-1",
            SEA,
            "found the cost `-1` for `3`, expected a whole number from 1 to 18446744073709551615: walking in circles would be free, or pay",
        ),
        ("path - --cost 3=0", SEA, "walking in circles"),
        (
            "path - --cost 3=x",
            SEA,
            "found the cost `x` for `3`, expected a whole number from 1 to 18446744073709551615\n",
        ),
        ("path - --cost 3", SEA, "found `3`, expected SYMBOL=COST, one ASCII symbol and what it costs, as in 3=20"),
        ("path - --cost ab=3", SEA, "found `ab=3`, expected SYMBOL=COST"),
        ("path - --directed", SEA, "found --directed for a map"),
    ] {
        let run = pintu(args, input);
        assert_eq!(run.status, 2, "{args}: {}", run.out);
        assert!(run.err.contains(message), "{args}: {}", run.err);
    }
}

#[test]
fn a_dear_way_to_what_is_reached_more_cheaply_is_no_limit() {
    let dear = "18446744073709551615";
    let graph = format!("a b 1\nb b {dear}\nd e 1\n");
    for algorithm in ["dijkstra", "greedy", "astar", "wastar", "ida"] {
        let args =
            format!("path - --map-format graph --from a --to d --algorithm {algorithm} --heuristic none --format json");
        let args = if algorithm == "dijkstra" { args.replace("--heuristic none", "") } else { args };
        let run = pintu(&args, &graph);
        assert_eq!((run.status, &run.json()[0]["status"]), (1, &"unreachable".into()), "{algorithm}: {}", run.out);
    }
    let graph = format!("a b 1\nb c {dear}\na c 2\n");
    let run = pintu("path - --map-format graph --from a --distances", &graph);
    assert_eq!((run.out.as_str(), run.status), ("a 0\nb 1\nc 2\n", 0), "{}", run.err);
    let run = pintu(&format!("path - --cost 9={dear} --distances"), "S9\n..\n");
    assert_eq!((run.out.as_str(), run.status), (format!("0 {dear}\n1 2\n").as_str(), 0), "{}", run.err);
}

#[test]
fn what_does_not_fit_takes_nothing_from_what_does() {
    let dear = "18446744073709551615";
    let graph = format!("a b 1\nb c {dear}\nd e 1\n");
    let run = pintu("path - --map-format graph --from a --distances", &graph);
    assert_eq!((run.out.as_str(), run.status), ("a 0\nb 1\nc too-dear\nd -\ne -\n", 3), "{}", run.err);
    assert!(run.err.contains("every path to c costs more than a number can say"), "{}", run.err);
    let run = pintu("path - --map-format graph --from a --distances --format json", &graph);
    assert_eq!((run.json()[0]["b"].as_u64(), &run.json()[0]["c"]), (Some(1), &serde_json::Value::Null));
    let run = pintu(&format!("path - --cost 9={dear} --distances --directions"), "S.9#.\n");
    assert_eq!((run.out.as_str(), run.status), ("0 1 too-dear - -\n\n• → - - -\n", 3), "{}", run.err);
    assert!(run.err.contains("every path to 0,2 costs more"), "{}", run.err);
}

#[test]
fn what_would_be_overlooked_is_refused() {
    for (args, input, expected) in [
        ("path - --cost .=2,.=3", "S.G\n", "--cost: found two costs for `.`, expected one"),
        ("path - --map-format graph --from a --to b --distances", "a b 1\n", "found --to beside --distances"),
        ("path - --from 0,0 --to 9,9 --distances", "S.G\n", "found --from and --to beside --distances"),
        ("path - --distances --weight 3", "S.G\n", "weight"),
        ("path - --distances --nearest", "S.G\n", "--nearest"),
        ("path - --map-format graph --from a --distances --weight 2", "a b 1\n", "weight"),
        (
            "path - --map-format graph --from a --to g --algorithm wastar --heuristic euclidean --weight 2",
            "@ a 0 0\n@ b 100 0\n@ g 0 1\na b 1\nb g 1\na g 5\n",
            "(--inadmissible allows it)",
        ),
    ] {
        let run = pintu(args, input);
        assert_eq!((run.out.as_str(), run.status), ("", 2), "{args}");
        assert!(run.err.contains(expected), "{args}: {}", run.err);
    }
}

//! Paths on maps and graphs.

use std::{collections::HashSet, fs};

use serde_json::{Value, json};

use crate::run::{Run, answer, assert_refused, data, pintu};

const SEA: &str = "3 4\n1 3 0 4\n0 2 0 2\n0 0 0 0\n";

fn sea_map(name: &str, more: &str) -> Run {
    pintu(&format!("path {} {more}", data(&format!("seamaps/{name}.txt"))), "")
}

#[test]
fn the_sea_maps_are_drawn_with_their_paths() {
    let run = sea_map("4x8", "");
    assert_eq!(run.status, 0);
    let rows: Vec<&str> = run.out.lines().collect();
    assert_eq!(rows.len(), 5);
    assert_eq!(rows[..4].iter().map(|row| row.matches('*').count()).sum::<usize>(), 11);
    assert!(rows[..4].iter().all(|row| row.len() == 15), "cells are separated by a space");
    assert!(rows[4].starts_with("cost 10 (optimal)") && rows[4].contains("expanded"), "{}", rows[4]);
    assert!(sea_map("4x16", "").out.contains("cost 100 (optimal)"));
    for name in ["4x8-unsolvable", "4x16-unsolvable"] {
        let run = sea_map(name, "");
        assert_eq!((run.out.as_str(), run.status), ("no path!\n", 1), "{name}");
        assert!(run.err.starts_with("obstacles cut the goal off from the start; --nearest goes to"), "{}", run.err);
    }
    let blocked = pintu("path - --from 0,0", "#.G\n");
    assert_eq!((blocked.out.as_str(), blocked.err.as_str()), ("no path!\n", "the start is blocked\n"));
}

#[test]
fn json_has_the_fields_it_promises() {
    let found = &sea_map("4x8", "--algorithm astar --format json").json()[0];
    assert_eq!((&found["status"], &found["cost"], &found["optimal"]), (&json!("found"), &json!(10), &json!(true)));
    assert_eq!((&found["algorithm"], &found["heuristic"]), (&json!("astar"), &json!("manhattan")));
    assert_eq!((&found["path"][0], &found["path"][10]), (&json!([3, 2]), &json!([2, 7])));
    for field in ["expanded", "generated", "peak_states"] {
        assert!(found[field].as_u64().unwrap() >= 11, "{field}");
    }
    assert!(found["seconds"].as_f64().unwrap() > 0.0);
    let none = sea_map("4x8-unsolvable", "--format json");
    assert_eq!(
        (&none.json()[0]["status"], none.err.as_str()),
        (&json!("unreachable"), ""),
        "the answer has the reason"
    );
    let limit = sea_map("4x16", "--algorithm dijkstra --node-limit 5 --format json");
    let limited = &limit.json()[0];
    assert_eq!((limit.status, &limited["status"], &limited["reason"]), (3, &json!("limit"), &json!("nodes")));
}

#[test]
fn every_algorithm_finds_a_path_and_says_its_name() {
    for (args, cost, optimal) in [
        ("bfs", 22, false),
        ("bidirectional", 22, false),
        ("dijkstra", 7, true),
        ("greedy", 22, false),
        ("astar", 7, true),
        ("ida", 7, true),
        ("wastar --weight 1", 7, true),
        ("jps --cost 3=1", 3, true),
    ] {
        let found = answer(&format!("path - --algorithm {args}"), SEA);
        let algorithm = args.split(' ').next().unwrap();
        assert_eq!((&found["algorithm"], &found["optimal"]), (&json!(algorithm), &json!(optimal)), "{args}");
        assert!(found["cost"] == cost || algorithm == "greedy", "{args}: {found}");
    }
}

#[test]
fn auto_says_which_algorithm_it_counts_for() {
    let (crowded, uneven) = ("S.#.#.\n.#.#..\n..#..G\n", "S.9\n.9.\n..G\n");
    let row = |ends: &str| format!("{ends}{}\n", ".".repeat(20));
    let open = format!("{}{}{}", row("S"), row(".").repeat(20), row("G"));
    for (map, algorithm) in [(open.as_str(), "jps"), (crowded, "astar-levels"), (uneven, "astar-pruned")] {
        let auto = answer("path -", map);
        assert_eq!(auto["algorithm"], algorithm, "{auto}");
        // The algorithm that it names can be asked for, with the same result.
        let named = answer(&format!("path - --algorithm {algorithm}"), map);
        for field in ["algorithm", "heuristic", "expanded", "generated", "cost"] {
            assert_eq!(auto[field], named[field], "{algorithm}: {field}");
        }
    }
    assert_eq!(answer("path - --heuristic manhattan", crowded)["algorithm"], "astar");
    assert_eq!(answer("path - --algorithm astar-levels", uneven)["algorithm"], "astar-pruned", "it says what it was");
    let scenarios = format!("path {} --scenarios {}", data("maps/rooms.map"), data("maps/rooms.map.scen"));
    assert_ne!(answer(&scenarios, "")["algorithm"], "auto");
}

#[test]
fn costs_are_in_full_precision() {
    let cost = |rule: &str| answer(&format!("path - --diagonal {rule}"), "S.\n#G\n")["cost"].clone();
    assert_eq!((cost("always"), cost("no-corners")), (json!(std::f64::consts::SQRT_2), json!(2)));
}

#[test]
fn several_goals_and_the_nearest_cell() {
    for to in ["--to 0,3;2,1", "--to 0,3 --to 2,1"] {
        let found = answer(&format!("path --from 0,0 {to}"), SEA);
        assert_eq!((&found["cost"], &found["path"][3]), (&json!(3), &json!([2, 1])));
    }
    let cut_off = "S.#G\n..#.\n";
    assert_eq!(pintu("path -", cut_off).out, "no path!\n");
    assert!(pintu("path - --nearest", "S#G\n").out.starts_with("S#G\n"), "the start is the nearest cell");
    let run = pintu("path - --nearest --format json", cut_off);
    assert_eq!((run.status, &run.json()[0]["nearest"], &run.json()[0]["cost"]), (0, &json!([0, 1]), &json!(1)));
}

#[test]
fn distances_are_a_row_a_row() {
    let map = "S.#.\n.9#.\n";
    assert_eq!(pintu("path - --distances", map).out, "0 1 - -\n1 10 - -\n");
    assert_eq!(pintu("path - --distances --format json", map).out, "[[0,1,null,null],[1,10,null,null]]\n");
    let run = pintu("path - --distances --to 0,1 --directions", map);
    assert_eq!(run.out, "1 0 - -\n2 1 - -\n\n→ • - -\n↑ ↑ - -\n");
    assert!(pintu("path - --distances --diagonal always", "S.\n..\n").out.ends_with("1 1.4142135623730951\n"));
    let run = pintu("path - --distances --node-limit 1", map);
    assert_eq!((run.status, run.err.as_str()), (3, "pintu: the search was stopped: the node limit was reached\n"));
}

#[test]
fn graphs_have_names() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("towns.graph");
    fs::write(&file, "@ a 0 0\n@ b 3 4\n@ c 6 0\na b 5\nb c 5.5\na c 12\n").unwrap();
    let path = |more: &str| pintu(&format!("path {} {more}", file.display()), "");
    let found = path("--from a --to c").out;
    assert!(found.starts_with("a b c\ncost 10.500000 (optimal) · astar with euclidean"), "{found}");
    let none = path("--from c --to a --directed");
    assert_eq!((none.out.as_str(), none.status), ("no path!\n", 1));
    let fewest = &path("--from a --to c --format json --algorithm bfs").json()[0];
    assert_eq!((&fewest["path"], &fewest["cost"]), (&json!(["a", "c"]), &json!(12)));
    let unknown = path("--from a --to d");
    assert!(
        unknown.status == 2 && unknown.err.contains("found the node `d`, expected one of a, b, c"),
        "{}",
        unknown.err
    );
    assert_eq!(path("--from a --distances").out, "a 0\nb 5\nc 10.500000\n");
    fs::write(&file, "a b 1000.000001\nb c 0.5\n").unwrap();
    assert!(path("--from a --to c").out.starts_with("a b c\ncost 1000.500001 (optimal)"));
    assert!(path("--from a --to c --format json").out.contains("\"cost\":1000.500001,"));
    let distances = path("--from a --distances --format json").out;
    assert_eq!(distances, "{\"a\":0,\"b\":1000.000001,\"c\":1000.500001}\n");
    fs::write(&file, "a;b c,d 2\nc,d e 1\n").unwrap();
    for (ends, cost) in [("a;b --to c,d", 2), ("e --to a;b", 3), ("e --to a;b --to c,d", 1)] {
        assert_eq!(path(&format!("--format json --from {ends}")).json()[0]["cost"], cost, "from {ends}");
    }
}

#[test]
fn scenarios_are_checked() {
    let rooms = format!("path {} --scenarios {}", data("maps/rooms.map"), data("maps/rooms.map.scen"));
    for algorithm in ["auto", "astar", "dijkstra", "jps"] {
        let run = pintu(&format!("{rooms} --threads 2 --algorithm {algorithm} --format json"), "");
        let summary = &run.json()[0];
        assert_eq!((run.status, &summary["queries"], &summary["agree"]), (0, &json!(40), &json!(40)), "{algorithm}");
        assert!(summary["mean_seconds"].as_f64().unwrap() > 0.0);
    }
    let run = pintu(&format!("{rooms} --node-limit 1 --format json"), "");
    let summary = &run.json()[0];
    let (expanded, stopped) = (summary["expanded"].as_u64().unwrap(), summary["stopped"].as_u64().unwrap());
    assert!(run.status == 3 && stopped > 0 && expanded >= stopped, "what was stopped has expanded cells: {summary}");
    assert_eq!((&summary["queries"], summary["agree"].as_u64()), (&json!(40), Some(40 - stopped)), "{summary}");
    let run = pintu(&format!("{rooms} --diagonal never"), "");
    assert!(run.status == 1 && run.out.contains("on record"), "{}", run.out);
    let folder = tempfile::tempdir().unwrap();
    let (queries, map) = (folder.path().join("q.scen"), folder.path().join("q.map"));
    fs::write(&map, "type octile\nheight 2\nwidth 3\nmap\n...\n...\n").unwrap();
    for (text, message) in [
        ("version 1\n", "q.scen: found no query, expected at least one"),
        ("version 1\n0 rooms.map 3 2 0 0 7 1 9\n", "q.scen: found the query"),
    ] {
        fs::write(&queries, text).unwrap();
        assert_refused(&[(&format!("path {} --scenarios {}", map.display(), queries.display()), "", message)]);
    }
}

#[test]
fn bad_maps_cells_and_options_say_what_is_wrong_and_where() {
    let (edge, on_graph) = ("a b 1\n", "path - --map-format graph --from a --to b");
    let crossed = "@ a 0 0\n@ b 100 0\n@ g 0 1\na b 1\nb g 1\na g 5\n";
    let greatest = "expected a whole number from 1 to 9007199254740992";
    assert_refused(&[
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
            &format!("found the cost `-1` for `3`, {greatest}: walking in circles would be free, or pay"),
        ),
        ("path - --cost 3=0", SEA, "walking in circles"),
        ("path - --cost 3=x", SEA, &format!("found the cost `x` for `3`, {greatest}\n")),
        ("path - --cost 3=9007199254740993", SEA, "found the cost `9007199254740993` for `3`"),
        ("path - --cost 3", SEA, "found `3`, expected SYMBOL=COST, one ASCII symbol and what it costs, as in 3=20"),
        ("path - --cost ab=3", SEA, "found `ab=3`, expected SYMBOL=COST"),
        ("path - --cost .=2,.=3", "S.G\n", "--cost: found two costs for `.`, expected one"),
        ("path --directed", SEA, "--directed needs a graph, not a map"),
        ("path - --algorithm jps", SEA, "costs 1 to 20"),
        ("path - --algorithm bfs --heuristic octile", SEA, "uses none"),
        ("path - --algorithm jps --heuristic euclidean", "S..\n..G\n", "always uses manhattan"),
        ("path - --algorithm astar-levels --heuristic euclidean", "S..\n..G\n", "always uses manhattan"),
        ("path - --algorithm astar-pruned --heuristic euclidean", "S..\n..G\n", "always uses manhattan"),
        (
            "path - --diagonal always --heuristic manhattan --algorithm astar",
            SEA,
            "overestimates, and the path found need not be the cheapest (--inadmissible allows it)",
        ),
        ("path - --from 0,0 --to 9,9 --distances", "S.G\n", "found --from and --to beside --distances"),
        ("path - --distances --weight 3", "S.G\n", "weight"),
        ("path - --distances --nearest", "S.G\n", "--nearest"),
        ("path - --paths 2 --nearest", "S.G\n", "--nearest"),
        (&format!("{on_graph} --nearest"), edge, "--nearest needs a map, not a graph"),
        (&format!("{on_graph} --distances"), edge, "found --to beside --distances"),
        (&format!("{on_graph} --algorithm jps"), edge, "found jps for a graph"),
        (&format!("{on_graph} --algorithm astar-levels"), edge, "found astar-levels for a graph"),
        (&format!("{on_graph} --algorithm astar-pruned"), edge, "found astar-pruned for a graph"),
        ("path - --map-format graph --from a --distances --weight 2", edge, "weight"),
        (
            "path - --map-format graph --from a --to g --algorithm wastar --heuristic euclidean --weight 2",
            crossed,
            "(--inadmissible allows it)",
        ),
        (on_graph, "a b 9007199254740993\n", "line 1: found a cost above 9007199254740992"),
        (on_graph, "a b 1\nb c 1000000000.000001\n", "line 2: found a cost above 999999999.999999"),
    ]);
    let allowed = answer("path - --diagonal always --heuristic manhattan --algorithm astar --inadmissible", SEA);
    assert_eq!((&allowed["status"], &allowed["optimal"]), (&json!("found"), &json!(false)));
}

/// A sum that does not fit is a limit: for a path the answer says so, for distances an error line.
#[test]
fn sums_of_costs_that_are_too_large_are_a_limit() {
    let greatest = "9007199254740992";
    let (on_graph, on_map) = ("path - --map-format graph --from a", format!("path - --cost 9={greatest}"));
    let run = pintu(&format!("{on_graph} --distances"), &format!("a b 1\nb c {greatest}\na c 2\n"));
    assert_eq!((run.out.as_str(), run.status), ("a 0\nb 1\nc 2\n", 0), "{}", run.err);
    let run = pintu(&format!("{on_map} --distances"), "S9\n..\n");
    assert_eq!((run.out.as_str(), run.status), (format!("0 {greatest}\n1 2\n").as_str(), 0), "{}", run.err);
    let graph = format!("a b 1\nb c {greatest}\nd e 1\n");
    for (args, to, input) in [(on_graph, "--to c", graph.as_str()), (&on_map, "", "S.9G\n")] {
        let run = pintu(&format!("{args} {to} --format json"), input);
        let told = &run.json()[0];
        assert_eq!((run.status, &told["status"], &told["reason"]), (3, &json!("limit"), &json!("cost")), "{args}");
        let run = pintu(&format!("{args} --distances"), input);
        assert_eq!((run.out.as_str(), run.status), ("", 3), "{args}");
        assert!(run.err.starts_with("pintu: the search was stopped: "), "{args}: {}", run.err);
    }
}

#[test]
fn the_cheapest_paths_are_listed_with_their_costs() {
    let map = "S.2.\n.#..\n...G\n";
    let all = answer("path --paths 100", map);
    let costs = |found: &Value| -> Vec<u64> {
        let paths = found["paths"].as_array().unwrap();
        let distinct: HashSet<String> = paths.iter().map(|path| path["path"].to_string()).collect();
        assert_eq!((distinct.len(), &found["status"]), (paths.len(), &json!("found")), "{found}");
        paths.iter().map(|path| path["cost"].as_u64().unwrap()).collect()
    };
    assert!(costs(&all).len() > 5 && costs(&all).is_sorted(), "{all}");
    assert_eq!(costs(&answer("path --paths 3", map)), costs(&all)[..3]);
    let text = pintu("path --paths 2", map).out;
    assert!(text.starts_with('S') && text.contains("\npath 1: cost 5\n") && text.contains("\n2 paths · "), "{text}");
    let text = pintu("path --map-format graph --from a --to c --paths 9", "a b 1\nb c 1\na c 3\n").out;
    assert!(text.starts_with("a b c\npath 1: cost 2\n\na c\npath 2: cost 3\n\n2 paths · "), "{text}");
    let none = pintu("path --paths 2", "S#G\n");
    assert_eq!((none.status, none.out.as_str()), (1, "no path!\n"));
    let stopped = pintu("path --paths 1000 --node-limit 5 --format json", map);
    assert_eq!((stopped.status, &stopped.json()[0]["reason"]), (3, &json!("nodes")));
}

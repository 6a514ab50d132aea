//! `--trace`: what is written, in which form, and that it agrees with the answer.

use std::{fs, path::Path};

use serde_json::Value;

use crate::run::{data, pintu_args};

const BOARD: &str = "1 2 3 7 4 6 5 0 8";

fn read(path: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

fn count(events: &Value, kind: &str) -> u64 {
    events.as_array().unwrap().iter().filter(|event| event["type"] == kind).count() as u64
}

/// Runs a command with `--trace` in both forms: its answer, our own form and Posthoc's.
fn traced(args: &[&str], input: &str) -> (Value, Value, Value) {
    let folder = tempfile::tempdir().unwrap();
    let (own, posthoc) = (folder.path().join("search.json"), folder.path().join("search.trace.json"));
    let mut answer = Value::Null;
    for path in [&own, &posthoc] {
        let run = pintu_args(&[args, &["--format", "json", "--trace", path.to_str().unwrap()]].concat(), input);
        assert_eq!(run.status, 0, "{args:?}: {}", run.err);
        answer = run.json().remove(0);
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "nothing unfinished is left");
    (answer, read(&own), read(&posthoc))
}

fn check_posthoc(answer: &Value, document: &Value, state: &[&str]) {
    let mut keys: Vec<&String> = document.as_object().unwrap().keys().collect();
    keys.sort();
    // Where states lie somewhere, Posthoc is told where, and draws the way to an event.
    let lies = state.contains(&"x");
    let expected: &[&str] =
        if lies { &["events", "pivot", "version", "views"] } else { &["events", "version", "views"] };
    assert_eq!(keys, expected);
    assert_eq!(document["version"], "1.4.0");
    assert!(document["views"]["main"][0]["$"].is_string());
    let events = &document["events"];
    assert_eq!(count(events, "expanding"), answer["expanded"].as_u64().unwrap());
    assert_eq!((count(events, "source"), count(events, "end")), (1, 1));
    let types = ["source", "destination", "expanding", "generating", "updating", "closing", "end"];
    for event in events.as_array().unwrap() {
        assert!(types.contains(&event["type"].as_str().unwrap()) && event["id"].as_u64() >= Some(1), "{event}");
        assert!(["pId", "g", "h", "f"].iter().chain(state).all(|key| event.get(key).is_some()), "{event}");
    }
    let end = events.as_array().unwrap().last().unwrap();
    assert_eq!((&end["type"], &end["cut"]), (&"end".into(), &false.into()));
}

#[test]
fn boards_are_recorded_in_both_forms() {
    for algorithm in ["auto", "bfs", "bidirectional", "dijkstra", "greedy", "astar", "wastar", "ida", "iddfs"] {
        let (answer, own, posthoc) = traced(&["solve", "--algorithm", algorithm], BOARD);
        assert_eq!((&own["format"], &own["cut"]), (&"pintu-trace".into(), &false.into()));
        assert_eq!(own["counts"]["expanded"], answer["expanded"], "{algorithm}");
        assert_eq!(own["answer"]["moves"], answer["moves"], "{algorithm}");
        let expanded = own["events"]["what"].as_array().unwrap().iter().filter(|&what| *what == 0).count() as u64;
        assert_eq!(Some(expanded), answer["expanded"].as_u64(), "{algorithm}");
        check_posthoc(&answer, &posthoc, &["tiles"]);
        assert_eq!(posthoc["events"][0]["tiles"], serde_json::json!([1, 2, 3, 7, 4, 6, 5, 0, 8]), "{algorithm}");
    }
}

#[test]
fn maps_and_graphs_are_recorded_in_both_forms() {
    let sea = data("seamaps/4x8.txt");
    for algorithm in ["auto", "bfs", "bidirectional", "dijkstra", "greedy", "astar", "wastar", "ida"] {
        let (answer, own, posthoc) = traced(&["path", sea.to_str().unwrap(), "--algorithm", algorithm], "");
        assert_eq!((&own["space"]["kind"], &own["space"]["rows"]), (&"cells".into(), &4.into()));
        assert_eq!(own["path"].as_array().unwrap().len(), answer["path"].as_array().unwrap().len(), "{algorithm}");
        assert_eq!(own["counts"]["expanded"], answer["expanded"], "{algorithm}");
        check_posthoc(&answer, &posthoc, &["x", "y"]);
        let source = &posthoc["events"][0];
        let start = &answer["path"][0];
        assert_eq!((&source["y"], &source["x"]), (&start[0], &start[1]), "{algorithm}");
    }
    let graph = "a b 1.5\nb c 2\na c 4\n";
    for algorithm in ["bfs", "dijkstra", "astar", "ida"] {
        let args = ["path", "-", "--map-format", "graph", "--from", "a", "--to", "c", "--algorithm", algorithm];
        let (answer, own, posthoc) = traced(&args, graph);
        assert_eq!(own["space"]["names"], serde_json::json!(["a", "b", "c"]), "{algorithm}");
        assert_eq!(own["counts"]["expanded"], answer["expanded"], "{algorithm}");
        check_posthoc(&answer, &posthoc, &["x", "y", "name"]);
    }
}

#[test]
fn a_comparison_is_recorded_contestant_by_contestant() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("race.trace.json");
    let args = ["compare", "--algorithms", "bfs,astar:manhattan,wastar:manhattan:5", "--format", "json", "--trace"];
    let run = pintu_args(&[&args[..], &[path.to_str().unwrap()]].concat(), BOARD);
    assert_eq!(run.status, 0, "{}", run.err);
    for (name, answer) in ["bfs", "astar-manhattan", "wastar-manhattan-5"].iter().zip(run.json()) {
        check_posthoc(&answer, &read(&folder.path().join(format!("race.{name}.trace.json"))), &["tiles"]);
    }
}

#[test]
fn the_number_of_events_is_bounded() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("search.json");
    let args = ["solve", "--algorithm", "bfs", "--format", "json", "--trace-events", "50", "--trace"];
    let run = pintu_args(&[&args[..], &[path.to_str().unwrap()]].concat(), "8 6 7 2 5 4 3 0 1");
    let document = read(&path);
    assert_eq!((document["events"]["what"].as_array().unwrap().len(), &document["cut"]), (50, &true.into()));
    assert_eq!(document["counts"]["expanded"], run.json()[0]["expanded"], "counts go on");
}

#[test]
fn what_cannot_be_recorded_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("search.json");
    let path = path.to_str().unwrap();
    let board = "1 2 3 4 5 6 7 8 9 10 11 12 13 14 0 15";
    for (args, message) in [
        (&["solve", "--trace", path][..], "expected a named algorithm"),
        (&["solve", "--batch", "--trace", path], "found --trace for several puzzles"),
        (&["compare", "--scrambles", "2", "--trace", path], "found --trace for several puzzles"),
        (&["solve", "--trace-events", "5"], "--trace <FILE>"),
        (&["solve", "--algorithm", "astar", "--trace", "/no/such/folder/x.json"], "--trace /no/such/folder/x.json: "),
    ] {
        let run = pintu_args(args, board);
        assert_eq!(run.status, 2, "{args:?}: {}", run.out);
        assert!(run.err.contains(message), "{args:?}: {}", run.err);
        assert!(!Path::new(path).exists(), "{args:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_trace_that_cannot_be_written_takes_nothing_from_the_answer() {
    for (args, input) in [
        (&["solve", "--algorithm", "bfs"][..], BOARD),
        (&["path", "-"], "S.G\n"),
        (&["path", "-", "--map-format", "graph", "--from", "a", "--to", "b"], "a b 1\n"),
    ] {
        let run = pintu_args(&[args, &["--format", "json", "--trace", "/dev/full"]].concat(), input);
        assert_eq!((run.status, run.json().len()), (2, 1), "{args:?}: {}", run.err);
        assert!(run.err.contains("--trace /dev/full"), "{args:?}: {}", run.err);
    }
}

#[test]
fn a_folder_that_is_missing_is_seen_before_anything_is_searched() {
    for args in [&["solve"][..], &["compare", "--algorithms", "bfs"]] {
        let run = pintu_args(&[args, &["--trace", "no/such/folder/x.json"]].concat(), BOARD);
        assert_eq!((run.status, run.out.as_str()), (2, ""), "{args:?}");
        assert!(run.err.contains("found no folder no/such/folder, expected one that exists"), "{}", run.err);
        let run = pintu_args(&[args, &["--trace", env!("CARGO_TARGET_TMPDIR")]].concat(), BOARD);
        assert_eq!((run.status, run.out.as_str()), (2, ""), "{args:?}");
        assert!(run.err.contains("found a folder, expected the name of a file"), "{}", run.err);
    }
}

/// Wherever a clock ends a search, it ends elsewhere the next time: what is recorded is the one that is told of.
#[test]
fn a_comparison_records_what_it_has_measured() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("race.json");
    let board = "15 14 8 12 10 11 9 13 2 6 5 1 3 7 4 0";
    let args = ["compare", "--algorithms", "bfs,ida:misplaced", "--time-limit", "40ms", "--format", "json", "--trace"];
    let run = pintu_args(&[&args[..], &[path.to_str().unwrap()]].concat(), board);
    for (name, row) in ["bfs", "ida-misplaced"].iter().zip(run.json()) {
        let document = read(&folder.path().join(format!("race.{name}.json")));
        assert_eq!(document["counts"]["expanded"], row["expanded"], "{name}");
        for key in ["expanded", "status", "reason", "seconds"] {
            assert_eq!(document["answer"][key], row[key], "{name}: {key}");
        }
    }
}

#[test]
fn contestants_of_one_name_have_a_trace_each() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("race.json");
    let run = pintu_args(&["compare", "--algorithms", "bfs,bfs", "--trace", path.to_str().unwrap()], BOARD);
    assert_eq!(run.status, 0, "{}", run.err);
    assert!(folder.path().join("race.bfs.json").exists() && folder.path().join("race.bfs-2.json").exists());
}

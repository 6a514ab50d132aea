//! `--trace`: the files, their forms, and their agreement with the answer.

use std::{fs, path::Path};

use serde_json::{Value, json};

use crate::run::{assert_refused, data, pintu};

const BOARD: &str = "1 2 3 7 4 6 5 0 8";

fn read(path: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

/// Runs a command with `--trace` in both forms; checks Posthoc's and returns the answer and the project's own form.
fn traced(args: &str, input: &str, state: &[&str]) -> (Value, Value) {
    let folder = tempfile::tempdir().unwrap();
    let [own, posthoc] = ["search.json", "search.trace.json"].map(|name| {
        let path = folder.path().join(name);
        let run = pintu(&format!("{args} --format json --trace {}", path.display()), input);
        assert_eq!(run.status, 0, "{args}: {}", run.err);
        (run.json().remove(0), read(&path))
    });
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "nothing unfinished is left");
    check_posthoc(&posthoc.0, &posthoc.1, state);
    let (answer, own) = own;
    assert_eq!((&own["format"], &own["cut"]), (&json!("pintu-trace"), &json!(false)), "{args}");
    assert_eq!(own["counts"]["expanded"], answer["expanded"], "{args}");
    (answer, own)
}

/// Checks Posthoc's form, with the fields that every event has for its state.
fn check_posthoc(answer: &Value, document: &Value, state: &[&str]) {
    assert_eq!(document["version"], "1.4.0");
    let events = document["events"].as_array().unwrap();
    let count = |kind: &str| events.iter().filter(|event| event["type"] == kind).count() as u64;
    assert_eq!((count("source"), Some(count("expanding")), count("end")), (1, answer["expanded"].as_u64(), 1));
    for event in events {
        assert!(["id", "pId", "g", "h", "f"].iter().chain(state).all(|key| event.get(key).is_some()), "{event}");
    }
}

#[test]
fn boards_are_recorded_in_both_forms() {
    for algorithm in ["auto", "bfs", "bidirectional", "dijkstra", "greedy", "astar", "wastar", "ida", "iddfs"] {
        let (answer, own) = traced(&format!("solve --algorithm {algorithm}"), BOARD, &["tiles"]);
        assert_eq!(own["answer"]["moves"], answer["moves"], "{algorithm}");
    }
}

#[test]
fn maps_and_graphs_are_recorded_in_both_forms() {
    let sea = data("seamaps/4x8.txt");
    for algorithm in ["auto", "bfs", "bidirectional", "dijkstra", "greedy", "astar", "wastar", "ida"] {
        let (answer, own) = traced(&format!("path {sea} --algorithm {algorithm}"), "", &["x", "y"]);
        assert_eq!((&own["space"]["kind"], &own["space"]["rows"]), (&json!("cells"), &json!(4)));
        assert_eq!(own["path"].as_array().unwrap().len(), answer["path"].as_array().unwrap().len(), "{algorithm}");
    }
    for algorithm in ["bfs", "dijkstra", "astar", "ida"] {
        let args = format!("path --map-format graph --from a --to c --algorithm {algorithm}");
        let (_, own) = traced(&args, "a b 1.5\nb c 2\na c 4\n", &["x", "y", "name"]);
        assert_eq!(own["space"]["names"], json!(["a", "b", "c"]), "{algorithm}");
    }
}

/// A clock ends each search elsewhere: the recording is of the same search as the measurement.
#[test]
fn a_comparison_is_recorded_contestant_by_contestant_as_it_was_measured() {
    let folder = tempfile::tempdir().unwrap();
    let compare = |algorithms: &str, name: &str, board: &str| {
        let path = folder.path().join(name);
        pintu(&format!("compare --algorithms {algorithms} --format json --trace {}", path.display()), board).json()
    };
    let answers = compare("astar:manhattan,wastar:manhattan:5,bfs,bfs", "race.trace.json", BOARD);
    for (name, answer) in ["astar-manhattan", "wastar-manhattan-5", "bfs", "bfs-2"].iter().zip(answers) {
        check_posthoc(&answer, &read(&folder.path().join(format!("race.{name}.trace.json"))), &["tiles"]);
    }
    let hard = "15 14 8 12 10 11 9 13 2 6 5 1 3 7 4 0";
    let answers = compare("bfs,ida:misplaced --time-limit 40ms", "race.json", hard);
    for (name, answer) in ["bfs", "ida-misplaced"].iter().zip(answers) {
        let document = read(&folder.path().join(format!("race.{name}.json")));
        assert_eq!(document["counts"]["expanded"], answer["expanded"], "{name}");
        for key in ["expanded", "status", "reason", "seconds"] {
            assert_eq!(document["answer"][key], answer[key], "{name}: {key}");
        }
    }
}

#[test]
fn the_number_of_events_is_bounded() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("search.json");
    let args = format!("solve --algorithm bfs --format json --trace-events 50 --trace {}", path.display());
    let run = pintu(&args, "8 6 7 2 5 4 3 0 1");
    let document = read(&path);
    assert_eq!((document["events"]["what"].as_array().unwrap().len(), &document["cut"]), (50, &json!(true)));
    assert_eq!(document["counts"]["expanded"], run.json()[0]["expanded"], "counts go on");
}

#[test]
fn what_cannot_be_recorded_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("search.json");
    let trace = format!("--trace {}", path.display());
    let board = "1 2 3 4 5 6 7 8 9 10 11 12 13 14 0 15";
    let nowhere = "--trace no/such/x.json: there is no such file or folder";
    assert_refused(&[
        (&format!("solve {trace}"), board, "expected a named algorithm"),
        (&format!("solve --batch {trace}"), board, "found --trace for several puzzles"),
        (&format!("compare --scrambles 2 {trace}"), "", "found --trace for several puzzles"),
        ("solve --trace-events 5", board, "--trace <FILE>"),
        ("solve --trace no/such/x.json", board, nowhere),
        ("compare --trace no/such/x.json", board, nowhere),
        (&format!("solve --trace {}", folder.path().display()), board, "found a folder, expected the name of a file"),
    ]);
    assert!(!path.exists());
}

#[cfg(target_os = "linux")]
#[test]
fn a_trace_that_cannot_be_written_takes_nothing_from_the_answer() {
    for (args, input) in [
        ("solve --algorithm bfs", BOARD),
        ("path -", "S.G\n"),
        ("path - --map-format graph --from a --to b", "a b 1\n"),
    ] {
        let run = pintu(&format!("{args} --format json --trace /dev/full"), input);
        assert_eq!((run.status, run.json().len()), (2, 1), "{args}: {}", run.err);
        assert!(run.err.contains("--trace /dev/full"), "{args}: {}", run.err);
    }
}

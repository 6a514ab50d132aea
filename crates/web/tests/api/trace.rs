use std::io::Read;

use axum::body::Body;
use pintu_engine::{Algorithm, Request, solve, trace::EventKind};
use pintu_search::Control;
use pintu_tiles::{NamedGoal, Puzzle, Size, Topology, read_board};
use serde_json::{Value, json};

use crate::support::{Browser, HARD, LONG, Reply, browser, browser_with, with as changed};

const START: [u32; 9] = [8, 1, 3, 4, 0, 2, 7, 6, 5];
const SEA: &str = "3 4\n1 0 3 0\n2 2 3 4\n0 0 0 0\n";

/// A recording, read as a page reads it.
pub(crate) struct Recording {
    pub(crate) header: Value,
    bytes: Vec<u8>,
}

impl Recording {
    fn of(reply: &Reply) -> Self {
        assert_eq!((reply.status.as_u16(), reply.header("content-type")), (200, "application/octet-stream"));
        Self::read(reply.body.clone())
    }

    /// Fetched from where the last event of a stream says that it is.
    pub(crate) async fn of_event(browser: &mut Browser, data: &Value) -> Self {
        Self::of(&browser.get(data["href"].as_str().unwrap()).await)
    }

    fn read(bytes: Vec<u8>) -> Self {
        assert_eq!(&bytes[..4], b"PTR1");
        let length = u32::from_le_bytes(bytes[4..8].try_into().unwrap()) as usize;
        assert_eq!((8 + length) % 8, 0);
        Self { header: serde_json::from_slice(&bytes[8..8 + length]).unwrap(), bytes }
    }

    pub(crate) fn array(&self, name: &str) -> Vec<f64> {
        let array = &self.header["arrays"][name];
        let number = |field: &str| array[field].as_u64().unwrap_or_else(|| panic!("{name}")) as usize;
        let (offset, length) = (number("offset"), number("length"));
        assert_eq!(offset % 8, 0, "{name}");
        let element = |size: usize, read: fn(&[u8]) -> f64| {
            self.bytes[offset..offset + size * length].chunks_exact(size).map(read).collect()
        };
        match array["type"].as_str().unwrap() {
            "u8" => element(1, |bytes| f64::from(bytes[0])),
            "u32" => element(4, |bytes| f64::from(u32::from_le_bytes(bytes.try_into().unwrap()))),
            "f32" => element(4, |bytes| f64::from(f32::from_le_bytes(bytes.try_into().unwrap()))),
            "f64" => element(8, |bytes| f64::from_le_bytes(bytes.try_into().unwrap())),
            other => panic!("{other}"),
        }
    }

    fn count(&self, what: EventKind) -> u64 {
        self.array("what").iter().filter(|&&code| code as u8 == what as u8).count() as u64
    }
}

fn problem(algorithm: &str) -> Value {
    json!({ "rows": 3, "cols": 3, "tiles": START, "algorithm": algorithm, "limits": { "max_depth": 14 } })
}

#[tokio::test]
async fn every_algorithm_is_recorded_as_the_engine_counts() {
    let mut browser = browser();
    let start = read_board("8 1 3 4 0 2 7 6 5", None).unwrap();
    let puzzle =
        Puzzle::new(Topology::plain(start.size()), start, NamedGoal::Standard.on(Size::new(3, 3).unwrap())).unwrap();
    for algorithm in Algorithm::ALL {
        let recording = Recording::of(&browser.post("/api/trace", &problem(algorithm.name())).await);
        let request = Request { max_depth: Some(14), ..Request::new(puzzle.clone(), algorithm) };
        let answer = solve(&request, &Control::unlimited()).unwrap();
        let header = &recording.header;
        assert_eq!(header["answer"]["expanded"], answer.counters.expanded, "{algorithm}");
        assert_eq!(header["answer"]["generated"], answer.counters.generated, "{algorithm}");
        for name in ["expanded", "generated"] {
            assert_eq!(header["counts"][name], header["answer"][name], "{algorithm}: counted one way");
        }
        if header["cut"] == false {
            assert_eq!(recording.count(EventKind::Expanded), answer.counters.expanded, "{algorithm}");
            let path = header["path_nodes"].as_array().unwrap();
            assert_eq!(recording.array("on_path").iter().sum::<f64>() as usize, path.len(), "{algorithm}");
            assert!(path.len() > answer.moves().unwrap().len(), "{algorithm}");
        }
        let nodes = recording.array("backward").len();
        assert_eq!(recording.array("states").len(), 9 * nodes, "{algorithm}");
        for name in ["tree_parent", "tree_x", "tree_y", "tree_size", "tree_first", "tree_next", "on_path"] {
            assert_eq!(recording.array(name).len(), nodes, "{algorithm}: {name}");
        }
        for name in ["node", "parent", "paid", "left"] {
            assert_eq!(recording.array(name).len(), recording.array("what").len(), "{algorithm}: {name}");
        }
    }
}

#[tokio::test]
async fn maps_and_graphs_are_recorded_too() {
    let mut browser = browser();
    let reply = browser.post("/api/trace", &json!({ "map": SEA, "algorithm": "astar" })).await;
    let recording = Recording::of(&reply);
    let path =
        browser.post("/api/path", &json!({ "map_id": reply.header("x-map"), "algorithm": "astar" })).await.json();
    assert_eq!(recording.header["answer"]["path"], path["path"]);
    assert_eq!(recording.count(EventKind::Expanded), path["expanded"].as_u64().unwrap());
    assert_eq!(recording.header["place"], json!({ "kind": "cells", "rows": 3, "cols": 4, "goals": [7] }));
    assert_eq!(recording.header["arrays"]["states"]["type"], "u32");
    let graph = json!({ "map": "a b 1.5\nb c 2\na c 4\n", "format": "graph", "from": "a", "to": ["c"], "events": 100 });
    let recording = Recording::of(&browser.post("/api/trace", &graph).await);
    assert_eq!((&recording.header["place"]["kind"], &recording.header["cost"]), (&json!("graph"), &json!(3.5)));
    assert!(recording.array("paid").contains(&1.5));
}

#[tokio::test]
async fn a_recording_ends_at_its_number_of_events_and_the_counts_go_on() {
    let few = changed(&problem("bfs"), "events", json!(50));
    let recording = Recording::of(&browser().post("/api/trace", &few).await);
    assert_eq!((recording.array("what").len(), &recording.header["cut"]), (50, &json!(true)));
    assert!(recording.header["counts"]["expanded"].as_u64() > Some(50));
    assert_eq!(recording.header["answer"]["status"], "solved");
}

#[tokio::test]
async fn little_memory_means_a_short_recording() {
    let mut browser = browser_with(|config| config.bounds.search_bytes = 1 << 20);
    let small = changed(&problem("ida"), "heuristic", json!("misplaced"));
    let recording = Recording::of(&browser.post("/api/trace", &small).await);
    let events = recording.array("what").len();
    assert!(events > 100 && events * 300 < 1 << 20, "{events}");
}

#[tokio::test]
async fn a_recording_is_compressed_for_clients_that_accept_it() {
    let mut browser = browser();
    let body = || Body::from(problem("astar").to_string());
    let plain = browser.send("POST", "/api/trace", &[], body()).await;
    let zipped = browser.send("POST", "/api/trace", &[("accept-encoding", "gzip")], body()).await;
    assert_eq!((plain.header("content-encoding"), zipped.header("content-encoding")), ("", "gzip"));
    assert_eq!(arrays(&unzipped(&zipped.body)), arrays(&plain.body));
}

/// The bytes after the header, which holds a time.
fn arrays(bytes: &[u8]) -> &[u8] {
    &bytes[8 + u32::from_le_bytes(bytes[4..8].try_into().unwrap()) as usize..]
}

fn unzipped(bytes: &[u8]) -> Vec<u8> {
    let mut plain = Vec::new();
    flate2::read::GzDecoder::new(bytes).read_to_end(&mut plain).unwrap();
    plain
}

#[tokio::test]
async fn a_stream_tells_progress_and_then_the_recording() {
    let body = json!({ "rows": 5, "cols": 5, "tiles": LONG, "algorithm": "ida", "heuristic": "manhattan",
                       "events": 1000, "limits": { "seconds": 0.5 } });
    let (events, recording) = browser().stream_with_recording("/api/trace", &body).await;
    let (last, before) = events.split_last().unwrap();
    assert!(before.len() >= 3 && before.iter().all(|(name, _)| name == "progress"));
    let late = &before.last().unwrap().1;
    assert_eq!((&late["recorded"], &late["cut"]), (&json!(1000), &json!(true)), "{late}");
    assert_eq!(last.0, "recording");
    let recording = Recording::of(&recording.unwrap());
    assert_eq!((recording.array("what").len(), &recording.header["answer"]["reason"]), (1000, &json!("time")));
}

#[tokio::test]
async fn the_form_of_another_program_can_be_had() {
    let reply = browser().post("/api/trace", &changed(&problem("astar"), "form", json!("posthoc"))).await;
    assert_eq!(reply.header("content-type"), "application/json");
    let document = reply.json();
    assert_eq!(document["version"], "1.4.0");
    assert!(document["events"].as_array().unwrap().len() > 10);
}

#[tokio::test]
async fn bad_bodies_are_refused() {
    let mut browser = browser();
    let with = |field: &str, value: Value| changed(&problem("astar"), field, value);
    let bad = [
        with("events", json!(0)),
        with("events", json!(200_001)),
        with("events", json!("many")),
        with("form", json!("png")),
        with("event", json!(5)),
        with("map", json!(SEA)),
        json!({ "map": SEA, "events": -1 }),
        json!({ "map": SEA, "tiles": START }),
        json!({}),
        json!({ "rows": 4, "cols": 4, "tiles": HARD }),
    ];
    browser.assert_refused("/api/trace", "bad-field", bad).await;
    browser.post("/api/trace", &json!({ "map_id": "0".repeat(32) })).await.assert_error(404, "unknown-map");
}

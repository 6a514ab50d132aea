use axum::body::Body;
use pintu_engine::{Algorithm, Contestant, QUANTUM, Request, compare};
use pintu_search::Control;
use pintu_tiles::{Arrangement, NamedGoal, Puzzle, Scrambler, Size, Topology};
use serde_json::{Value, json};

use crate::{
    solve::{HARD, events},
    support::{browser, browser_with},
};

const START: [u32; 9] = [8, 6, 7, 2, 5, 4, 3, 0, 1];

fn contestants(names: &[&str]) -> Value {
    let entry = |name: &&str| {
        let mut parts = name.split(':');
        let mut entry = json!({ "algorithm": parts.next() });
        if let Some(heuristic) = parts.next() {
            entry["heuristic"] = json!(heuristic);
        }
        if let Some(weight) = parts.next() {
            entry["weight"] = json!(weight.parse::<f64>().unwrap());
        }
        entry
    };
    Value::Array(names.iter().map(entry).collect())
}

fn race(names: &[&str]) -> Value {
    json!({ "rows": 3, "cols": 3, "tiles": START, "contestants": contestants(names) })
}

fn hard(names: &[&str], limits: &Value) -> Value {
    json!({ "rows": 4, "cols": 4, "tiles": HARD, "contestants": contestants(names), "limits": limits })
}

/// An answer without what differs from run to run.
fn timeless(mut answer: Value) -> Value {
    let fields = answer.as_object_mut().unwrap();
    for field in ["seconds", "memory", "bytes"] {
        fields.remove(field);
    }
    answer
}

const ALL: [&str; 8] =
    ["bfs", "bidirectional", "dijkstra", "greedy", "astar:manhattan", "wastar:manhattan:5", "ida:euclidean", "auto"];

#[tokio::test]
async fn answers_are_those_of_a_comparison() {
    let mut browser = browser();
    let size = Size::new(3, 3).unwrap();
    let puzzle =
        Puzzle::new(Topology::plain(size), Arrangement::new(size, &START).unwrap(), NamedGoal::Standard.on(size));
    let puzzle = puzzle.unwrap();
    let request = Request::new(puzzle.clone(), Algorithm::Auto);
    let compared: Vec<Contestant> = ALL.iter().map(|name| name.parse().unwrap()).collect();
    let entries = compare(&request, &[puzzle], &compared, &Control::unlimited(), &mut |_| ()).unwrap();
    for fair in ["expansions", "time"] {
        let mut body = race(&ALL);
        body["fair"] = json!(fair);
        let reply = browser.post("/api/race", &body).await;
        assert_eq!(reply.status, 200, "{}", reply.text());
        let answers = reply.json();
        assert_eq!(answers.as_array().unwrap().len(), ALL.len());
        for (answer, entry) in answers.as_array().unwrap().iter().zip(&entries) {
            let expected = serde_json::to_value(entry.record(pintu_tiles::Notation::Blank)).unwrap();
            assert_eq!(timeless(answer.clone()), timeless(expected), "{fair}");
            assert!(answer["bytes"].is_u64() && answer["seconds"].as_f64() >= Some(0.0));
        }
    }
}

#[tokio::test]
async fn a_stream_has_a_row_a_contestant_and_none_runs_away() {
    let names = ["bfs", "ida:manhattan", "iddfs", "astar:misplaced"];
    let body = hard(&names, &json!({ "seconds": 1.2 }));
    let accept = [("accept", "text/event-stream")];
    let reply = browser().send("POST", "/api/race", &accept, Body::from(body.to_string())).await;
    assert_eq!((reply.status.as_u16(), reply.header("content-type")), (200, "text/event-stream"), "{}", reply.text());
    let events = events(&reply);
    let (last, before) = events.split_last().unwrap();
    assert_eq!((last.0.as_str(), last.1.as_array().unwrap().len()), ("result", 4));
    assert!(before.len() > 5, "{}", before.len());
    let mut seen = 0;
    for (name, rows) in before {
        assert_eq!(name, "progress");
        let rows = rows.as_array().unwrap();
        assert_eq!(rows.iter().map(|row| row["contestant"].as_str().unwrap()).collect::<Vec<_>>(), names);
        let expanded: Vec<u64> =
            rows.iter().filter(|row| row["status"] == "running").map(|row| row["expanded"].as_u64().unwrap()).collect();
        if let (Some(least), Some(most)) = (expanded.iter().min(), expanded.iter().max()) {
            seen = seen.max(*least);
            assert!(most - least <= QUANTUM, "{rows:?}");
        }
        for field in ["generated", "peak_states", "bytes", "seconds"] {
            assert!(rows[0][field].is_number(), "{field}");
        }
    }
    assert!(seen > 2 * QUANTUM, "{seen}");
    assert!(last.1.as_array().unwrap().iter().all(|answer| answer["reason"] == "time"), "{}", last.1);
}

#[tokio::test]
async fn nodes_are_each_ones_and_memory_is_everybodys() {
    let mut browser = browser();
    let counted = browser.post("/api/race", &hard(&["bfs", "dijkstra", "ida"], &json!({ "nodes": 5000 }))).await.json();
    for answer in counted.as_array().unwrap() {
        assert_eq!((&answer["reason"], &answer["expanded"]), (&json!("nodes"), &json!(5000)), "{answer}");
    }
    let small = browser.post("/api/race", &hard(&["bfs", "dijkstra"], &json!({ "mebibytes": 4 }))).await.json();
    for answer in small.as_array().unwrap() {
        assert_eq!(answer["reason"], "memory");
        assert!(answer["bytes"].as_u64() <= Some(4 << 20), "{answer}");
    }
}

#[tokio::test]
async fn growth_adds_up() {
    let mut body = race(&["bfs", "astar", "ida:manhattan", "dfs"]);
    body["growth"] = json!(true);
    body["contestants"][3]["max_depth"] = json!(12);
    let answers = browser().post("/api/race", &body).await.json();
    for answer in answers.as_array().unwrap() {
        let growth = answer["growth"].as_array().unwrap_or_else(|| panic!("{answer}"));
        let sum = |at: usize| growth.iter().map(|one| one[at].as_u64().unwrap()).sum::<u64>();
        assert_eq!((&json!(sum(1)), &json!(sum(2))), (&answer["expanded"], &answer["generated"]), "{answer}");
    }
    assert!(answers[0]["growth"].as_array().unwrap().len() > 20, "one for each depth");
    assert_eq!(answers[3]["reason"], "depth");
}

/// The rows of a stream have what is new since the row before: put together they are what the answers have, as far as they
/// have come.
#[tokio::test]
async fn growth_is_told_while_the_race_runs() {
    let names = ["bfs", "ida:manhattan", "greedy"];
    let mut body = hard(&names, &json!({ "seconds": 1.2 }));
    body["growth"] = json!(true);
    let accept = [("accept", "text/event-stream")];
    let reply = browser().send("POST", "/api/race", &accept, Body::from(body.to_string())).await;
    let events = events(&reply);
    let (last, before) = events.split_last().unwrap();
    for (at, name) in names.iter().enumerate() {
        let mut grown = std::collections::BTreeMap::new();
        for (_, rows) in before {
            for one in rows[at]["growth"].as_array().into_iter().flatten() {
                grown.insert(one[0].as_u64().unwrap(), one[1].as_u64().unwrap());
            }
            assert_ne!(rows[at]["growth"], json!([]), "where nothing is new there is none");
        }
        let answer = &last.1[at];
        let ends = answer["growth"].as_array().unwrap();
        assert!(grown.len() > 2, "{name}: {grown:?}");
        for (bound, expanded) in &grown {
            let end = ends.iter().find(|one| one[0].as_u64() == Some(*bound)).unwrap();
            assert!(*expanded <= end[1].as_u64().unwrap(), "{name} {bound}: {expanded} of {end}");
        }
        assert!(grown.values().sum::<u64>() <= answer["expanded"].as_u64().unwrap());
        let peak = |row: &Value| row["peak_states"].as_u64().unwrap();
        let middle = &before[before.len() / 2].1[at];
        assert!(peak(middle) > 0 && peak(middle) <= peak(answer), "{name}: {middle}");
    }
}

#[tokio::test]
async fn averages_are_those_of_the_command_line() {
    let names = ["bidirectional", "wastar:manhattan:5"];
    let body =
        json!({ "rows": 3, "cols": 3, "contestants": contestants(&names), "scrambles": { "count": 6, "seed": 42 } });
    let mut browser = browser();
    let answers = browser.post("/api/race", &body).await.json();
    let size = Size::new(3, 3).unwrap();
    let (topology, goal) = (Topology::plain(size), NamedGoal::Standard.on(size));
    let mut scrambler = Scrambler::new(topology, goal.clone(), 42);
    let boards: Vec<Puzzle> =
        (0..6).map(|_| Puzzle::new(topology, scrambler.uniform(), goal.clone()).unwrap()).collect();
    let request = Request::new(boards[0].clone(), Algorithm::Auto);
    let compared: Vec<Contestant> = names.iter().map(|name| name.parse().unwrap()).collect();
    let entries = compare(&request, &boards, &compared, &Control::unlimited(), &mut |_| ()).unwrap();
    for (answer, entry) in answers.as_array().unwrap().iter().zip(entries) {
        let expected = serde_json::from_str::<Value>(&serde_json::to_string(&entry.summary()).unwrap()).unwrap();
        for field in ["contestant", "status", "boards", "solved", "length", "expanded", "generated"] {
            assert_eq!(answer[field], expected[field], "{field}");
        }
        for field in ["length", "expanded", "generated"] {
            assert_eq!(answer["spread"][field], expected["spread"][field], "{field}");
        }
        assert_eq!(answer["seed"], 42);
    }
    let accept = [("accept", "text/event-stream")];
    let stream = browser.send("POST", "/api/race", &accept, Body::from(body.to_string())).await;
    let events = events(&stream);
    assert!(events[0].1[0]["status"].is_string());
    assert_eq!(events.last().unwrap().1[0]["expanded"], answers[0]["expanded"]);
}

#[tokio::test]
async fn bad_races_are_refused_with_and_without_a_stream() {
    let mut browser = browser();
    let with = |field: &str, value: Value| {
        let mut body = race(&["astar"]);
        body[field] = value;
        body
    };
    let scrambled = |scrambles: Value| json!({ "rows": 3, "cols": 3, "contestants": contestants(&["astar"]), "scrambles": scrambles });
    let large: Vec<u8> = [2, 3, 1].into_iter().chain(4..64).chain([0]).collect();
    let bad = [
        with("contestants", json!([])),
        with("contestants", contestants(&["bfs"; 9])),
        with("contestants", json!([{ "algorithm": "magic" }])),
        with("contestants", json!([{ "algorithm": "bfs", "heuristic": "manhattan" }])),
        with("contestants", json!([{ "algorithm": "astar", "weight": 2 }])),
        with("contestants", json!([{ "algorithm": "wastar", "weight": 0.5 }])),
        with("contestants", json!([{ "algorithm": "astar", "max_depth": 12 }])),
        with("contestants", json!([{ "heuristic": "manhattan" }])),
        with("contestants", json!([{ "algorithm": "astar", "speed": 3 }])),
        with("contestants", json!("astar")),
        with("fair", json!("lottery")),
        with("algorithm", json!("astar")),
        with("growth", json!("yes")),
        with("scrambles", json!({ "count": 3, "seed": 1 })),
        with("contestant", json!("astar")),
        scrambled(json!({ "count": 0, "seed": 1 })),
        scrambled(json!({ "count": 1001, "seed": 1 })),
        scrambled(json!({ "count": 3 })),
        json!({ "rows": 3, "cols": 3, "tiles": START }),
        json!({ "rows": 8, "cols": 8, "tiles": large, "contestants": [{ "algorithm": "astar", "heuristic": "manhattan" }, { "algorithm": "astar", "heuristic": "pattern" }] }),
        json!({ "contestants": contestants(&["astar"]), "scrambles": { "count": 3, "seed": 1 } }),
    ];
    for body in bad {
        for accept in ["application/json", "text/event-stream"] {
            let reply = browser.send("POST", "/api/race", &[("accept", accept)], Body::from(body.to_string())).await;
            reply.assert_error(400, "bad-field");
        }
    }
}

#[tokio::test]
async fn an_impossible_board_ends_a_race_at_once() {
    let mut body = race(&["bfs", "ida"]);
    body["tiles"] = json!([2, 1, 3, 4, 5, 6, 7, 8, 0]);
    let answers = browser_with(|config| config.workers = 1).post("/api/race", &body).await.json();
    assert!(answers.as_array().unwrap().iter().all(|answer| answer["status"] == "unsolvable"), "{answers}");
}

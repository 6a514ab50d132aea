use pintu_engine::{Algorithm, Contestant, Request, compare};
use pintu_search::Control;
use pintu_tiles::{Arrangement, NamedGoal, Puzzle, Scrambler, Size, Topology};
use serde_json::{Value, json};

use crate::support::{HARD, browser, browser_with, timeless, with as changed};

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
        let reply = browser.post("/api/race", &changed(&race(&ALL), "fair", json!(fair))).await;
        assert_eq!(reply.status, 200, "{}", reply.text());
        let answers = reply.json();
        assert_eq!(answers.as_array().unwrap().len(), ALL.len());
        for (answer, entry) in answers.as_array().unwrap().iter().zip(&entries) {
            let expected = serde_json::to_value(entry.record(pintu_tiles::Notation::Blank)).unwrap();
            assert_eq!(timeless(answer.clone()), timeless(expected), "{fair}");
            assert!(answer["memory"].is_u64() && answer["seconds"].as_f64() >= Some(0.0));
        }
    }
}

#[tokio::test]
async fn a_stream_has_a_row_for_each_contestant_and_its_growth() {
    let names = ["bfs", "ida:manhattan", "iddfs", "astar:misplaced"];
    let body = changed(&hard(&names, &json!({ "seconds": 0.8 })), "growth", json!(true));
    let events = browser().stream("/api/race", &body).await;
    let (last, before) = events.split_last().unwrap();
    assert_eq!((last.0.as_str(), last.1.as_array().unwrap().len()), ("result", 4));
    assert!(last.1.as_array().unwrap().iter().all(|answer| answer["reason"] == "time"), "{}", last.1);
    assert!(before.len() > 2, "{}", before.len());
    let mut grown = [0; 4];
    for (name, rows) in before {
        assert_eq!(name, "progress");
        let rows = rows.as_array().unwrap();
        assert_eq!(rows.iter().map(|row| row["contestant"].as_str().unwrap()).collect::<Vec<_>>(), names);
        for (row, grown) in rows.iter().zip(&mut grown) {
            for field in ["expanded", "generated", "peak_states", "memory", "seconds"] {
                assert!(row[field].is_number(), "{field}");
            }
            *grown += row["growth"].as_array().map_or(0, Vec::len);
        }
    }
    assert!(grown.iter().all(|&entries| entries > 0), "{grown:?}");
}

#[tokio::test]
async fn growth_adds_up() {
    let mut body = changed(&race(&["bfs", "astar", "ida:manhattan", "dfs"]), "growth", json!(true));
    body["contestants"][3]["max_depth"] = json!(12);
    let answers = browser().post("/api/race", &body).await.json();
    for answer in answers.as_array().unwrap() {
        let growth = answer["growth"].as_array().unwrap_or_else(|| panic!("{answer}"));
        let sum = |at: usize| growth.iter().map(|one| one[at].as_u64().unwrap()).sum::<u64>();
        assert_eq!((&json!(sum(1)), &json!(sum(2))), (&answer["expanded"], &answer["generated"]), "{answer}");
    }
    assert_eq!(answers[3]["reason"], "depth");
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
    let events = browser.stream("/api/race", &body).await;
    assert!(events[0].1[0]["status"].is_string());
    assert_eq!(events.last().unwrap().1[0]["expanded"], answers[0]["expanded"]);
}

#[tokio::test]
async fn bad_races_are_refused_with_and_without_a_stream() {
    let mut browser = browser();
    let with = |field: &str, value: Value| changed(&race(&["astar"]), field, value);
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
    browser.assert_refused("/api/race", "bad-field", bad).await;
}

#[tokio::test]
async fn an_impossible_board_ends_a_race_at_once() {
    let body = changed(&race(&["bfs", "ida"]), "tiles", json!([2, 1, 3, 4, 5, 6, 7, 8, 0]));
    let answers = browser_with(|config| config.bounds.workers = 1).post("/api/race", &body).await.json();
    assert!(answers.as_array().unwrap().iter().all(|answer| answer["status"] == "unsolvable"), "{answers}");
}

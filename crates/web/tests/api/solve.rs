use axum::body::Body;
use serde_json::{Value, json};

use crate::support::{HARD, LONG, browser, browser_with, with as changed};

fn problem() -> Value {
    json!({ "rows": 3, "cols": 3, "tiles": [0, 1, 3, 4, 2, 5, 7, 8, 6] })
}

fn with(field: &str, value: Value) -> Value {
    changed(&problem(), field, value)
}

#[tokio::test]
async fn a_problem_is_solved() {
    let reply = browser().post("/api/solve", &problem()).await;
    assert_eq!(reply.status, 200);
    let answer = reply.json();
    assert_eq!((&answer["status"], &answer["moves"], &answer["length"]), (&json!("solved"), &json!("RDRD"), &json!(4)));
    assert_eq!(answer["optimal"], true);
    for field in ["algorithm", "heuristic", "expanded", "generated", "peak_states", "seconds"] {
        assert!(!answer[field].is_null(), "{field}");
    }
}

#[tokio::test]
async fn goals_wraps_weights_and_heuristics_are_taken() {
    let mut browser = browser();
    let goal = browser.post("/api/solve", &with("goal", json!([1, 0, 3, 4, 2, 5, 7, 8, 6]))).await.json();
    assert_eq!((&goal["moves"], &goal["length"]), (&json!("R"), &json!(1)));
    let wrapped =
        json!({ "rows": 3, "cols": 3, "tiles": [1, 2, 3, 4, 5, 6, 0, 7, 8], "wrap_rows": [2], "wrap_cols": [] });
    assert_eq!(browser.post("/api/solve", &wrapped).await.json()["length"], 2);
    let mut weighted = with("algorithm", json!("wastar"));
    weighted["weight"] = json!(1.5);
    weighted["heuristic"] = json!("manhattan");
    let answer = browser.post("/api/solve", &weighted).await.json();
    assert_eq!((&answer["weight"], &answer["heuristic"]), (&json!(1.5), &json!("manhattan")));
}

#[tokio::test]
async fn unsolvable_and_limited_problems_are_answers_too() {
    let mut browser = browser();
    let swapped = with("tiles", json!([2, 1, 3, 4, 5, 6, 7, 8, 0]));
    let reply = browser.post("/api/solve", &swapped).await;
    assert_eq!((reply.status.as_u16(), &reply.json()["status"]), (200, &json!("unsolvable")));
    assert!(reply.json()["reason"].is_string());
    let mut hard = json!({ "rows": 4, "cols": 4, "tiles": HARD, "algorithm": "bfs" });
    for (limits, reason) in [
        (json!({ "nodes": 1000 }), "nodes"),
        (json!({ "seconds": 0.05 }), "time"),
        (json!({ "mebibytes": 1 }), "memory"),
    ] {
        hard["limits"] = limits;
        let reply = browser.post("/api/solve", &hard).await;
        assert_eq!((reply.status.as_u16(), &reply.json()["reason"]), (200, &json!(reason)), "{}", reply.text());
        assert!(reply.json()["lower_bound"].is_u64());
    }
}

#[tokio::test]
async fn seconds_above_the_bound_are_cut_to_it() {
    let mut browser = browser_with(|config| config.bounds.search_time = std::time::Duration::from_millis(200));
    let problem = json!({ "rows": 5, "cols": 5, "tiles": LONG, "algorithm": "ida", "limits": { "seconds": 1e300 } });
    let answer = browser.post("/api/solve", &problem).await.json();
    assert_eq!((&answer["status"], &answer["reason"]), (&json!("limit"), &json!("time")));
    assert!(answer["seconds"].as_f64() < Some(5.0), "{answer}");
}

#[tokio::test]
async fn bad_problems_are_refused_with_and_without_a_stream() {
    let mut browser = browser();
    let wrapped = json!({ "rows": 3, "cols": 3, "tiles": [1, 2, 3, 4, 5, 6, 0, 7, 8], "wrap_rows": [2],
                          "heuristic": "walking-distance" });
    let bad = [
        with("tiles", json!([0, 1, 2])),
        with("tiles", json!([0, 1, 3, 4, 2, 5, 7, 8, 8])),
        with("tiles", json!("012345678")),
        with("tiles", json!([-1, 1, 3, 4, 2, 5, 7, 8, 6])),
        with("rows", json!(0)),
        with("rows", json!(1_000_000_000_000_u64)),
        with("goal", json!([1])),
        with("wrap_rows", json!([3])),
        with("algorithm", json!("magic")),
        with("heuristic", json!("magic")),
        with("weight", json!(0.5)),
        with("weight", json!(2)),
        with("limits", json!({ "seconds": 0 })),
        with("limits", json!({ "seconds": "10" })),
        with("limits", json!({ "nodes": -1 })),
        with("limits", json!({ "hours": 1 })),
        with("algoritm", json!("bfs")),
        json!({}),
        json!(null),
        wrapped,
    ];
    browser.assert_refused("/api/solve", "bad-field", bad).await;
    let reply =
        browser.send("POST", "/api/solve", &[("accept", "text/event-stream")], Body::from("{\"rows\":3,")).await;
    reply.assert_error(400, "bad-json");
}

#[tokio::test]
async fn a_stream_tells_progress_and_then_the_result() {
    let problem = json!({ "rows": 5, "cols": 5, "tiles": LONG, "algorithm": "ida", "limits": { "seconds": 0.6 } });
    let events = browser().stream("/api/solve", &problem).await;
    let (last, before) = events.split_last().unwrap();
    assert_eq!((last.0.as_str(), &last.1["status"]), ("result", &json!("limit")));
    assert!(before.len() >= 4, "{events:?}");
    for pair in before.windows(2) {
        assert_eq!(pair[0].0, "progress");
        for field in ["expanded", "generated", "bound", "seconds"] {
            assert!(pair[0].1[field].as_f64() <= pair[1].1[field].as_f64(), "{field}: {pair:?}");
        }
    }
    let late = &before.last().unwrap().1;
    assert!(late["expanded"].as_u64() > Some(0) && late["bound"].as_u64() > Some(0), "{late}");
}

#[tokio::test]
async fn a_quick_answer_is_a_stream_too() {
    let events = browser().stream("/api/solve", &problem()).await;
    assert_eq!(events.last().unwrap().0, "result");
    assert_eq!(events.last().unwrap().1["moves"], "RDRD");
}

#[tokio::test]
async fn auto_tells_a_solution_at_once_and_each_shorter_one() {
    let backward: Vec<u32> = [98, 99].into_iter().chain((0..98).rev()).collect();
    for (side, tiles) in [(5, LONG.to_vec()), (10, backward)] {
        let goal: Vec<u32> = (1..side * side).chain([0]).collect();
        let problem = json!({ "rows": side, "cols": side, "tiles": tiles, "limits": { "seconds": 1 } });
        let events = browser().stream("/api/solve", &problem).await;
        let (last, before) = events.split_last().unwrap();
        let solutions: Vec<&Value> = before.iter().filter_map(|(_, data)| data.get("solution")).collect();
        // An event comes every 50 ms; on a busy machine the first may come before the search has begun.
        assert!(before.iter().take(5).any(|(_, data)| data["solution"].is_object()), "{before:?}");
        for pair in solutions.windows(2) {
            assert!(pair[0]["length"].as_u64() > pair[1]["length"].as_u64(), "{pair:?}");
        }
        for solution in &solutions {
            let moves = solution["moves"].as_str().unwrap();
            assert_eq!(solution["length"].as_u64(), Some(moves.len() as u64));
            assert_eq!(played(&tiles, side, moves), goal, "{side}");
        }
        let shortest = solutions.last().unwrap()["length"].as_u64();
        assert!(last.1["status"] == "solved" && last.1["length"].as_u64() <= shortest, "{last:?}");
    }
}

fn played(tiles: &[u32], side: u32, moves: &str) -> Vec<u32> {
    let mut tiles = tiles.to_vec();
    let side = side as usize;
    let mut blank = tiles.iter().position(|&tile| tile == 0).unwrap();
    for letter in moves.chars() {
        let to = match letter {
            'U' => blank - side,
            'D' => blank + side,
            'L' => blank - 1,
            _ => blank + 1,
        };
        tiles.swap(blank, to);
        blank = to;
    }
    tiles
}

use serde_json::{Value, json};

use crate::support::browser;

#[tokio::test]
async fn a_board_is_checked_and_shown_as_it_was_understood() {
    let mut browser = browser();
    let text = browser.post("/api/check", &json!({ "text": "3\n1 2 3\n4 5 6 # a comment\n7 0 8\n" })).await.json();
    assert_eq!((&text["status"], &text["rows"], &text["cols"]), (&json!("solvable"), &json!(3), &json!(3)));
    assert_eq!(
        (&text["tiles"], &text["goal"]),
        (&json!([1, 2, 3, 4, 5, 6, 7, 0, 8]), &json!([1, 2, 3, 4, 5, 6, 7, 8, 0]))
    );
    assert!(text["reason"].is_string() && text.get("swap").is_none());
    let both = browser.post("/api/check", &json!({ "text": "283104765\n\n123804765" })).await.json();
    assert_eq!(both["goal"], json!([1, 2, 3, 8, 0, 4, 7, 6, 5]));
    let snail = browser.post("/api/check", &json!({ "text": "283104765", "goal_text": "snail" })).await.json();
    assert_eq!(snail["goal"], both["goal"]);
    let line = browser.post("/api/check", &json!({ "text": "1 2 3 4 0 5", "rows": 2, "cols": 3 })).await.json();
    assert_eq!((&line["status"], &line["cols"]), (&json!("solvable"), &json!(3)));
}

#[tokio::test]
async fn an_impossible_board_can_be_repaired() {
    let mut browser = browser();
    let impossible = json!({ "rows": 3, "cols": 3, "tiles": [1, 2, 3, 4, 5, 6, 8, 7, 0] });
    let said = browser.post("/api/check", &impossible).await.json();
    assert_eq!(
        (&said["status"], &said["swap"]),
        (&json!("unsolvable"), &json!([8, 7])),
        "each lies where the other belongs"
    );
    let repaired = json!({ "rows": 3, "cols": 3, "tiles": [1, 2, 3, 4, 5, 6, 7, 8, 0] });
    assert_eq!(browser.post("/api/check", &repaired).await.json()["status"], "solvable");
    let mixed = json!({ "rows": 3, "cols": 3, "tiles": [2, 3, 1, 4, 5, 8, 6, 7, 0] });
    assert_eq!(browser.post("/api/check", &mixed).await.json()["status"], "solvable");
    let mixed = json!({ "rows": 3, "cols": 3, "tiles": [2, 3, 4, 1, 5, 6, 7, 8, 0] });
    assert_eq!(browser.post("/api/check", &mixed).await.json()["swap"], json!([7, 8]), "else the last two");
    let line = browser.post("/api/check", &json!({ "rows": 1, "cols": 5, "tiles": [4, 3, 2, 1, 0] })).await.json();
    assert_eq!((&line["status"], line.get("swap")), (&json!("unsolvable"), None), "two are not enough there");
}

#[tokio::test]
async fn every_heuristic_says_what_it_makes_of_a_board() {
    let mut browser = browser();
    let board = json!({ "rows": 3, "cols": 3, "tiles": [8, 1, 3, 4, 0, 2, 7, 6, 5] });
    let said = browser.post("/api/examine", &board).await.json();
    assert_eq!((&said["distance"], &said["solvable"]), (&json!(14), &json!(true)));
    for name in ["misplaced", "euclidean", "manhattan", "linear-conflict", "walking-distance", "pattern"] {
        assert!(said["heuristics"][name]["value"].as_u64() <= Some(14), "{name}: {said}");
    }
    // A search that is guided by one begins with what it says.
    let mut search = board.clone();
    search["algorithm"] = json!("ida");
    search["limits"] = json!({ "nodes": 1 });
    for name in ["manhattan", "linear-conflict", "walking-distance", "pattern"] {
        search["heuristic"] = json!(name);
        let bound = browser.post("/api/solve", &search).await.json()["lower_bound"].as_u64();
        assert!(bound >= said["heuristics"][name]["value"].as_u64(), "{name}");
    }
    assert_eq!(said["tiles"], board["tiles"]);
}

#[tokio::test]
async fn limits_and_bad_bodies() {
    let mut browser = browser();
    let hard = json!({ "rows": 5, "cols": 5, "text": (0..25).map(|tile| tile.to_string()).collect::<Vec<_>>().join(" "),
                       "limits": { "seconds": 0.2, "mebibytes": 1 } });
    let said = browser.post("/api/examine", &hard).await.json();
    assert!(said["refused"]["pattern"].is_string() && said["distance"] == Value::Null, "{said}");
    assert_eq!(said["refusals"]["pattern"], json!({ "code": "limit-memory" }), "{said}");
    let wrapped = json!({ "rows": 3, "cols": 3, "tiles": [1, 2, 3, 4, 5, 6, 0, 7, 8], "wrap_rows": [2] });
    let said = browser.post("/api/examine", &wrapped).await.json();
    for name in ["euclidean", "linear-conflict", "walking-distance"] {
        assert_eq!(said["refusals"][name], json!({ "code": "wraps" }), "{said}");
    }
    let large = (1..64).map(|tile| tile.to_string()).collect::<Vec<_>>().join(" ") + " 0";
    let said = browser.post("/api/examine", &json!({ "text": large })).await.json();
    assert_eq!(said["refusals"]["pattern"], json!({ "code": "too-large", "most_cells": 63 }), "{said}");
    let bad = [
        json!({}),
        json!({ "text": "1 2 3" }),
        json!({ "text": "" }),
        json!({ "text": 5 }),
        json!({ "text": "1 2 3 0", "tiles": [1, 2, 3, 0], "rows": 2, "cols": 2 }),
        json!({ "tiles": [1, 2, 3, 0] }),
        json!({ "tiles": [1, 2, 3, 0], "rows": 2 }),
        json!({ "text": "1 2 3 0", "goal_text": "snale" }),
        json!({ "text": "1 2 3 0", "goal_text": "snail", "goal": [1, 2, 3, 0] }),
        json!({ "text": "283104765\n\n123804765", "goal_text": "standard" }),
        json!({ "text": "1 2 3 0", "algorithm": "bfs" }),
        json!({ "text": "1 2 3 0", "wrap_rows": [0] }),
    ];
    for body in bad {
        for path in ["/api/check", "/api/examine"] {
            browser.post(path, &body).await.assert_error(400, "bad-field");
        }
    }
}

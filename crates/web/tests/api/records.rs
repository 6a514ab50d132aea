use serde_json::{Value, json};

use crate::support::{browser, game, with, won};

fn record(millis: u64) -> Value {
    json!({ "game": won(millis) })
}

#[tokio::test]
async fn records_are_kept_by_board() {
    let mut browser = browser();
    assert_eq!(browser.get("/api/records").await.json(), json!([]));
    let mut ids = Vec::new();
    for millis in [5000, 3000, 4000, 9000, 6000] {
        ids.push(browser.make("/api/records", &record(millis)).await);
    }
    let boards = browser.get("/api/records").await.json();
    let board = &boards[0];
    assert_eq!((boards.as_array().unwrap().len(), &board["rows"], &board["cols"]), (1, &json!(3), &json!(3)));
    assert_eq!(
        (&board["games"], &board["average_of_5"], &board["average_of_12"]),
        (&json!(5), &json!(5000), &Value::Null)
    );
    assert_eq!(board["best_time"]["millis"], 3000);
    assert_eq!(board["best_time"]["id"], json!(ids[1]));
    assert_eq!((&board["best_moves"]["moves"], &board["best_moves"]["millis"]), (&json!(4), &json!(3000)));
    assert_eq!(board["recent"][0]["millis"], 6000);
    for millis in 7000..7010 {
        browser.make("/api/records", &record(millis)).await;
    }
    let recent = |boards: Value| boards[0]["recent"].as_array().unwrap().len();
    assert_eq!(recent(browser.get("/api/records").await.json()), 12);
    assert_eq!(recent(browser.get("/api/records?all").await.json()), 15, "a browser that lost its own can list all");
}

#[tokio::test]
async fn a_finished_game_can_be_watched_again_by_its_player() {
    let mut browser = browser();
    let id = browser.make("/api/records", &record(5000)).await;
    let path = format!("/api/records/{id}");
    assert_eq!(browser.get(&path).await.json()["game"]["moves"], "RRDD");
    browser.stranger().get(&path).await.assert_error(404, "not-found");
    assert_eq!(browser.delete(&path).await.status, 204);
    browser.get(&path).await.assert_error(404, "not-found");
}

#[tokio::test]
async fn records_that_do_not_add_up_are_refused() {
    let mut browser = browser();
    let change = |field: &str, value: Value| json!({ "game": with(&won(5000), field, value) });
    for (record, code) in [
        (json!({ "game": game() }), "record-refused"),
        (record(1), "record-refused"),
        (change("helped", json!(true)), "record-helped"),
        (change("moves", json!("RRD")), "record-refused"),
        (change("moves", json!("RRDDD")), "illegal-move"),
        (change("blank", json!(0)), "record-refused"),
        (change("start", json!([1, 0, 2, 4, 5, 3, 7, 8, 6])), "illegal-move"),
        (json!({ "moves": 4, "millis": 9 }), "bad-field"),
    ] {
        browser.post("/api/records", &record).await.assert_error(400, code);
    }
    assert_eq!(browser.get("/api/records").await.json(), json!([]));
}

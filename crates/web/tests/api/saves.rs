use serde_json::{Value, json};

use crate::support::{browser, game, named, with, won};

#[tokio::test]
async fn a_save_comes_back_as_it_was_is_overwritten_and_deleted() {
    let mut browser = browser();
    let id = browser.make("/api/saves", &named("晚安", &game())).await;
    let path = format!("/api/saves/{id}");
    let loaded = browser.get(&path).await.json();
    assert_eq!((&loaded["name"], &loaded["id"], &loaded["game"]), (&json!("晚安"), &json!(id), &game()));
    assert!(loaded["updated_millis"].as_u64() > Some(1_600_000_000_000));
    let reply = browser.put(&path, &named("b", &won(99))).await;
    assert_eq!((reply.status.as_u16(), reply.json()), (200, json!({ "id": id, "revision": 2 })));
    let loaded = browser.get(&path).await.json();
    assert_eq!((&loaded["name"], &loaded["game"]["moves"]), (&json!("b"), &json!("RRDD")));
    assert_eq!(browser.delete(&path).await.status, 204);
    let stale = with(&named("c", &game()), "revision", json!(2));
    for reply in [browser.get(&path).await, browser.delete(&path).await, browser.put(&path, &stale).await] {
        reply.assert_error(404, "not-found");
    }
}

/// A client that saw no answer sends the same again, and has one save.
#[tokio::test]
async fn a_save_can_be_made_under_an_id_of_the_clients_own() {
    let mut browser = browser();
    let id = "0123456789abcdef".repeat(2);
    let path = format!("/api/saves/{id}");
    let reply = browser.put(&path, &named("a", &game())).await;
    assert_eq!((reply.status.as_u16(), reply.json()), (201, json!({ "id": id, "revision": 1 })));
    assert!(browser.cookie().is_some());
    let reply = browser.put(&path, &named("a", &game())).await;
    assert_eq!((reply.status.as_u16(), reply.json()), (200, json!({ "id": id, "revision": 2 })));
    assert_eq!(browser.get("/api/saves").await.json().as_array().unwrap().len(), 1);
    browser.stranger().put(&path, &named("b", &game())).await.assert_error(404, "not-found");
    assert_eq!(browser.get(&path).await.json()["name"], "a");
}

/// A client that waited too long for its answer sends the same again while the first is still on its way.
#[tokio::test(flavor = "multi_thread")]
async fn of_requests_that_make_one_save_at_once_one_makes_it_and_the_others_find_it() {
    let mut browser = browser();
    browser.make("/api/saves", &named("first", &game())).await;
    for number in 0..10 {
        let path = format!("/api/saves/{number:032x}");
        let writers = (0..8).map(|_| {
            let (mut browser, path) = (browser.clone(), path.clone());
            tokio::spawn(async move { browser.put(&path, &named("a", &game())).await.status.as_u16() })
        });
        let mut statuses = Vec::new();
        for writer in writers.collect::<Vec<_>>() {
            statuses.push(writer.await.unwrap());
        }
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 200, 200, 200, 200, 200, 200, 201]);
    }
}

#[tokio::test]
async fn the_list_shows_each_save_as_it_stands() {
    let mut browser = browser();
    assert_eq!(browser.get("/api/saves").await.json(), json!([]));
    let id = browser.make("/api/saves", &named("first", &game())).await;
    browser.make("/api/saves", &named("second", &won(5000))).await;
    let list = browser.get("/api/saves").await.json();
    assert_eq!(list.as_array().unwrap().len(), 2);
    let first = list.as_array().unwrap().iter().find(|item| item["id"] == json!(id)).unwrap();
    assert_eq!(first["name"], "first");
    assert_eq!(first["tiles"], json!([1, 2, 0, 4, 5, 3, 7, 8, 6]));
    assert_eq!((&first["moves"], &first["solved"], &first["millis"]), (&json!(2), &json!(false), &json!(1234)));
    assert_eq!((&first["picture"], &first["blank"]), (&json!("builtin:hills"), &json!(8)));
}

#[tokio::test]
async fn another_browser_sees_nothing() {
    let mut owner = browser();
    let id = owner.make("/api/saves", &named("mine", &game())).await;
    let mut stranger = owner.stranger();
    stranger.make("/api/saves", &named("theirs", &game())).await;
    let path = format!("/api/saves/{id}");
    for reply in
        [stranger.get(&path).await, stranger.delete(&path).await, stranger.put(&path, &named("x", &game())).await]
    {
        reply.assert_error(404, "not-found");
    }
    assert_eq!(stranger.get("/api/saves").await.json().as_array().unwrap().len(), 1);
    assert_eq!(owner.get(&path).await.json()["name"], "mine");
}

#[tokio::test]
async fn a_browser_can_delete_everything_it_has_and_nothing_else() {
    let mut owner = browser();
    let mut stranger = owner.stranger();
    stranger.make("/api/saves", &named("theirs", &game())).await;
    owner.make("/api/saves", &named("a", &game())).await;
    owner.make("/api/records", &json!({ "game": won(5000) })).await;
    let mut same = owner.clone();
    let reply = owner.delete("/api/data").await;
    assert_eq!(reply.status, 204);
    assert!(reply.header("set-cookie").contains("=; Max-Age=0;"));
    assert_eq!(same.get("/api/saves").await.json(), json!([]));
    assert_eq!(same.get("/api/records").await.json(), json!([]));
    assert_eq!(stranger.get("/api/saves").await.json().as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_game_that_makes_no_sense_is_refused() {
    let mut browser = browser();
    let id = browser.make("/api/saves", &named("good", &game())).await;
    let changes: [(&str, Value, &str); 14] = [
        ("moves", json!("RRR"), "illegal-move"),
        ("moves", json!("XYZ"), "illegal-move"),
        ("redo", json!("UUUU"), "illegal-move"),
        ("moves", json!(7), "bad-field"),
        ("version", json!(2), "save-version"),
        ("rows", json!(4), "bad-field"),
        ("rows", json!(-1), "bad-field"),
        ("blank", json!(9), "bad-field"),
        ("start", json!([0, 1, 2, 4, 5, 3, 7, 8, 8]), "bad-field"),
        ("runs", json!([[3, 9]]), "bad-field"),
        ("wrap_rows", json!([7]), "bad-field"),
        ("millis", json!(1.5), "bad-field"),
        ("picture", json!("https://example.org/cat.jpg"), "bad-field"),
        ("unknown", json!(1), "bad-field"),
    ];
    for (field, value, code) in changes {
        let bad = with(&game(), field, value);
        browser.post("/api/saves", &named("bad", &bad)).await.assert_error(400, code);
        browser.put(&format!("/api/saves/{id}"), &named("bad", &bad)).await.assert_error(400, code);
    }
    assert_eq!(browser.get(&format!("/api/saves/{id}")).await.json()["game"], game(), "the good one is untouched");
    assert_eq!(browser.get("/api/saves").await.json().as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn bodies_that_are_no_save_are_refused() {
    let mut browser = browser();
    for (body, code) in
        [("", "bad-json"), ("{", "bad-json"), ("[]", "bad-field"), ("{}", "bad-field"), ("7", "bad-field")]
    {
        let reply = browser.send("POST", "/api/saves", &[], axum::body::Body::from(body)).await;
        reply.assert_error(400, code);
    }
    browser.post("/api/saves", &named(&"n".repeat(101), &game())).await.assert_error(400, "bad-field");
    browser.post("/api/saves", &named("a\u{0}b", &game())).await.assert_error(400, "bad-field");
}

//! Late writers, and what can be deleted.

use axum::body::Body;
use serde_json::{Value, json};

use crate::support::{Reply, browser, browser_at, browser_with, game, jpeg, long_game, metrics, named, with, won};

fn at(revision: u64, name: &str) -> Value {
    json!({ "name": name, "game": game(), "revision": revision })
}

#[track_caller]
fn assert_stale(reply: &Reply, current: u64) {
    let body = reply.json();
    assert_eq!((reply.status.as_u16(), &body["code"]), (409, &json!("stale-revision")), "{body}");
    assert_eq!(body["revision"], json!(current));
    assert!(body["error"].as_str().unwrap().contains(&current.to_string()));
}

#[tokio::test]
async fn a_late_writer_is_told_and_nothing_changes() {
    let mut one = browser();
    let made = one.post("/api/saves", &named("begun", &game())).await.json();
    assert_eq!(made["revision"], 1);
    let path = format!("/api/saves/{}", made["id"].as_str().unwrap());
    let mut other = one.clone();
    assert_eq!(one.put(&path, &at(1, "by one")).await.json()["revision"], 2);
    assert_stale(&other.put(&path, &at(1, "by the other")).await, 2);
    assert_stale(&other.put(&path, &at(3, "from the future")).await, 2);
    let kept = other.get(&path).await.json();
    assert_eq!((&kept["name"], &kept["revision"]), (&json!("by one"), &json!(2)));
    // Both versions are stored: the late one as a save of its own.
    other.make("/api/saves", &named("by the other", &game())).await;
    assert_eq!(one.get("/api/saves").await.json().as_array().unwrap().len(), 2);
    assert_eq!(other.put(&path, &at(2, "after a look")).await.json()["revision"], 3);
}

#[tokio::test]
async fn a_writer_without_a_revision_overwrites_and_counts() {
    let mut browser = browser();
    let id = browser.make("/api/saves", &named("a", &game())).await;
    let path = format!("/api/saves/{id}");
    for revision in 2..5 {
        assert_eq!(browser.put(&path, &named("a", &won(9))).await.json(), json!({ "id": id, "revision": revision }));
    }
    let item = browser.get("/api/saves").await.json()[0].clone();
    assert_eq!(item["revision"], 4);
    for bad in [json!(-1), json!("2"), json!(1.5)] {
        let body = json!({ "name": "a", "game": game(), "revision": bad });
        browser.put(&path, &body).await.assert_error(400, "bad-field");
    }
}

#[tokio::test]
async fn of_many_writers_at_one_revision_one_wins() {
    let mut first = browser();
    let id = first.make("/api/saves", &named("a", &game())).await;
    let writers = (0..20).map(|number| {
        let (mut browser, path) = (first.clone(), format!("/api/saves/{id}"));
        tokio::spawn(async move { browser.put(&path, &at(1, &format!("writer {number}"))).await.status.as_u16() })
    });
    let mut statuses = Vec::new();
    for writer in writers.collect::<Vec<_>>() {
        statuses.push(writer.await.unwrap());
    }
    assert_eq!(statuses.iter().filter(|&&status| status == 200).count(), 1);
    assert_eq!(statuses.iter().filter(|&&status| status == 409).count(), 19);
    assert_eq!(first.get(&format!("/api/saves/{id}")).await.json()["revision"], 2);
}

#[tokio::test]
async fn a_deletion_may_name_a_revision() {
    let mut browser = browser();
    let path = browser.save("a", &game()).await;
    browser.put(&path, &named("b", &game())).await;
    assert_stale(&browser.delete(&format!("{path}?revision=1")).await, 2);
    for wrong in ["revision=x", "revision", "revision=", "Revision=2", "revison=2", "revision=2&revision=1"] {
        browser.delete(&format!("{path}?{wrong}")).await.assert_error(400, "bad-field");
    }
    assert_eq!(browser.get(&path).await.status, 200, "nothing was deleted");
    assert_eq!(browser.delete(&format!("{path}?revision=2")).await.status, 204);
    browser.get(&path).await.assert_error(404, "not-found");
}

#[tokio::test]
async fn unknown_query_parameters_are_refused() {
    let mut browser = browser();
    let id = browser.make("/api/saves", &named("a", &game())).await;
    for path in ["/api/data?revision=1", &format!("/api/records/{id}?all")] {
        browser.delete(path).await.assert_error(400, "bad-field");
    }
    for path in [&format!("/api/saves/{id}?revision=1"), "/api/saves?all", "/api/records?All", "/api/records?all=0"] {
        browser.get(path).await.assert_error(400, "bad-field");
    }
    assert_eq!(browser.get("/api/saves?").await.json().as_array().unwrap().len(), 1, "nothing was deleted");
    assert_eq!(browser.get("/?utm=x").await.status, 200, "pages may be linked to in any way");
}

#[tokio::test]
async fn one_record_is_deleted_and_the_others_stay() {
    let mut browser = browser();
    let slow = browser.make("/api/records", &json!({ "game": won(9000) })).await;
    let quick = browser.make("/api/records", &json!({ "game": won(3000) })).await;
    browser.stranger().delete(&format!("/api/records/{quick}")).await.assert_error(404, "not-found");
    assert_eq!(browser.delete(&format!("/api/records/{quick}")).await.status, 204);
    browser.delete(&format!("/api/records/{quick}")).await.assert_error(404, "not-found");
    let board = browser.get("/api/records").await.json()[0].clone();
    assert_eq!((&board["games"], &board["best_time"]["id"]), (&json!(1), &json!(slow)));
}

#[tokio::test]
async fn a_picture_is_deleted_only_when_nothing_shows_it() {
    let mut browser = browser();
    let id = browser.post_picture(jpeg(8, 8, |_, _| [0; 3])).await;
    let path = format!("/api/pictures/{id}");
    let shown = with(&won(5000), "picture", json!(id));
    let save = browser.make("/api/saves", &named("a", &shown)).await;
    let record = browser.make("/api/records", &json!({ "game": shown })).await;
    browser.delete(&path).await.assert_error(409, "picture-in-use");
    browser.delete(&format!("/api/saves/{save}")).await;
    browser.delete(&path).await.assert_error(409, "picture-in-use");
    browser.stranger().delete(&path).await.assert_error(404, "not-found");
    browser.delete(&format!("/api/records/{record}")).await;
    assert_eq!(browser.delete(&path).await.status, 204);
    browser.get(&path).await.assert_error(404, "not-found");
    browser.delete(&path).await.assert_error(404, "not-found");
}

#[tokio::test]
async fn only_what_was_scrambled_and_played_here_is_a_record() {
    let mut browser = browser();
    for origin in ["walk", "link", "file", "lab", "daily"] {
        let inside = json!({ "game": with(&won(5000), "origin", json!(origin)) });
        let beside = json!({ "game": won(5000), "origin": origin });
        let hidden = with(&inside, "origin", json!("scramble"));
        for record in [inside, beside, hidden] {
            browser.post("/api/records", &record).await.assert_error(400, "not-ranked");
        }
    }
    browser.post("/api/records", &json!({ "game": won(5000), "origin": "moon" })).await.assert_error(400, "bad-field");
    assert_eq!(browser.get("/api/records").await.json(), json!([]));
    browser.make("/api/records", &json!({ "game": won(5000), "origin": "scramble" })).await;
    // A save keeps where it comes from, so that it comes back with it.
    let linked = with(&game(), "origin", json!("link"));
    let id = browser.make("/api/saves", &named("a", &linked)).await;
    assert_eq!(browser.get(&format!("/api/saves/{id}")).await.json()["game"], linked);
}

#[tokio::test]
async fn the_same_game_posted_twice_is_one_record_and_a_faster_one_another() {
    let mut browser = browser();
    let first = browser.make("/api/records", &json!({ "game": won(5000) })).await;
    assert_eq!(browser.make("/api/records", &json!({ "game": won(5000) })).await, first, "it is the same game");
    let faster = browser.make("/api/records", &json!({ "game": won(4000) })).await;
    assert_ne!(first, faster);
    let board = browser.get("/api/records").await.json()[0].clone();
    assert_eq!((&board["games"], &board["best_time"]["id"]), (&json!(2), &json!(faster)));
    let other_picture = with(&won(4000), "picture", json!("builtin:dawn"));
    assert_eq!(browser.make("/api/records", &json!({ "game": other_picture })).await, faster, "it is the same game");
}

#[tokio::test]
async fn who_creates_too_much_has_to_wait_and_others_do_not() {
    let mut browser = browser_with(|config| {
        config.bounds.growth_bytes = 3 * (16 << 10);
        config.bounds.growth_bytes_of_address = 3 * (16 << 10);
    });
    let id = browser.make("/api/saves", &named("made a player", &game())).await;
    for _ in 0..3 {
        browser.make("/api/saves", &named("a", &game())).await;
    }
    let reply = browser.post("/api/saves", &named("b", &game())).await;
    reply.assert_error(429, "rate");
    assert!(reply.header("retry-after").parse::<u32>().unwrap() > 0);
    assert_eq!(browser.put(&format!("/api/saves/{id}"), &named("a", &won(9))).await.status, 200, "play goes on");
    // New players of the address have one budget together.
    for status in [201, 201, 429] {
        assert_eq!(browser.stranger().post("/api/saves", &named("b", &game())).await.status, status);
    }
    let elsewhere = [("x-forwarded-for", "10.0.0.7")];
    let body = named("c", &game()).to_string();
    assert_eq!(browser.stranger().send("POST", "/api/saves", &elsewhere, Body::from(body)).await.status, 201);
}

#[tokio::test]
async fn growth_of_a_save_is_charged() {
    let mut browser = browser_with(|config| config.bounds.growth_bytes = 5 * (16 << 10));
    let path = browser.save("a", &game()).await;
    for _ in 0..5 {
        let reply = browser.put(&path, &named("a", &long_game(40_000))).await;
        assert_eq!(reply.status, 200, "the same size again costs nothing");
    }
    assert_eq!(browser.put(&path, &named("a", &long_game(100_000))).await.status, 429);
}

#[tokio::test]
async fn a_put_to_an_unknown_save_stores_nothing() {
    let data = tempfile::tempdir().unwrap();
    let mut stranger = browser_at(data.path(), |_| ());
    stranger.put(&format!("/api/saves/{}", "0".repeat(32)), &at(1, "a")).await.assert_error(404, "not-found");
    let metrics = metrics(&stranger.service).await;
    assert!(metrics.contains("pintu_players 0\n"), "{metrics}");
}

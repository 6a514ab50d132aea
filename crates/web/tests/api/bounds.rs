use std::time::{Duration, UNIX_EPOCH};

use axum::body::Body;
use serde_json::json;

use crate::support::{browser, browser_at, browser_with, game, long_game, named, postgres, won};

#[tokio::test]
async fn bodies_above_the_bound_are_too_large() {
    let mut browser = browser_with(|config| config.bounds.json_bytes = 2000);
    for (method, path) in [("POST", "/api/saves"), ("POST", "/api/solve"), ("POST", "/api/records")] {
        for length in [2001, 5000, 50_000] {
            let body = Body::from(" ".repeat(length));
            browser.send(method, path, &[], body).await.assert_error(413, "too-large");
        }
        browser.send(method, path, &[], Body::from(" ".repeat(2000))).await.assert_error(400, "bad-json");
    }
    let mut browser = browser_with(|config| config.bounds.picture_bytes = 1000);
    let reply = browser.send("POST", "/api/pictures", &[], Body::from(vec![0; 1001])).await;
    reply.assert_error(413, "too-large");
}

#[tokio::test]
async fn saves_have_a_quota_of_number() {
    let mut browser = browser_with(|config| config.bounds.saves = 2);
    let id = browser.make("/api/saves", &named("a", &game())).await;
    browser.make("/api/saves", &named("b", &game())).await;
    let reply = browser.post("/api/saves", &named("c", &game())).await;
    reply.assert_error(507, "quota-saves");
    assert!(reply.text().contains("at most 2"), "{}", reply.text());
    assert_eq!(browser.put(&format!("/api/saves/{id}"), &named("a", &won(9))).await.status, 200, "no new one");
    assert_eq!(browser.stranger().post("/api/saves", &named("c", &game())).await.status, 201);
    browser.delete(&format!("/api/saves/{id}")).await;
    browser.make("/api/saves", &named("c", &game())).await;
}

#[tokio::test]
async fn saves_have_a_quota_of_size() {
    let mut browser = browser_with(|config| config.bounds.saves_bytes = 2500);
    let id = browser.make("/api/saves", &named("a", &long_game(1000))).await;
    browser.post("/api/saves", &named("b", &long_game(1000))).await.assert_error(507, "quota-bytes");
    browser.put(&format!("/api/saves/{id}"), &named("a", &long_game(3000))).await.assert_error(507, "quota-bytes");
    assert_eq!(browser.get(&format!("/api/saves/{id}")).await.json()["game"]["moves"].as_str().unwrap().len(), 1000);
}

#[tokio::test]
async fn records_have_a_quota() {
    let mut browser = browser_with(|config| config.bounds.records = 2);
    for millis in [1000, 2000] {
        browser.make("/api/records", &json!({ "game": won(millis) })).await;
    }
    browser.post("/api/records", &json!({ "game": won(3000) })).await.assert_error(507, "quota-records");
}

#[tokio::test]
async fn a_full_database_says_so_and_goes_on() {
    let mut browser = browser_with(|config| config.bounds.database_bytes = 64 * 4096);
    let (long, mut made) = (long_game(40_000), Vec::new());
    let refused = loop {
        let reply = browser.post("/api/saves", &named("a", &long)).await;
        if reply.status != 201 {
            break reply;
        }
        made.push(reply.json()["id"].as_str().unwrap().to_owned());
        assert!(made.len() < 20);
    };
    refused.assert_error(507, "storage-full");
    for id in &made {
        assert_eq!(browser.get(&format!("/api/saves/{id}")).await.status, 200, "what was acknowledged is there");
    }
    browser.delete(&format!("/api/saves/{}", made[0])).await;
    browser.make("/api/saves", &named("again", &long)).await;
}

/// What is refused, and what is there already, uses nothing of the day's budget.
#[tokio::test]
async fn only_what_is_stored_counts_as_growth() {
    let mut browser = browser_with(|config| {
        config.bounds.growth_bytes = 2 * (16 << 10);
        config.bounds.saves = 1;
    });
    browser.make("/api/saves", &named("a", &game())).await;
    for _ in 0..10 {
        browser.post("/api/saves", &named("b", &game())).await.assert_error(507, "quota-saves");
    }
    for _ in 0..10 {
        browser.make("/api/records", &json!({ "game": won(1000) })).await;
    }
    browser.make("/api/records", &json!({ "game": won(2000) })).await;
    browser.post("/api/records", &json!({ "game": won(3000) })).await.assert_error(429, "rate");
}

/// While there is plenty of room, each player has its own limit; then all of an address have one together, which leaves
/// room for others.
#[tokio::test]
async fn an_address_has_a_limit_once_the_database_is_half_full() {
    let saves_of_players = async |database_bytes| {
        let browser = browser_with(|config| {
            config.bounds.database_bytes = database_bytes;
            config.bounds.growth_bytes_of_address = 2 * (16 << 10);
        });
        let mut statuses = Vec::new();
        for (home, from) in ["10.0.0.1", "10.0.0.1", "10.0.0.1", "10.0.0.2"].into_iter().enumerate() {
            let mut player = browser.stranger();
            let home = format!("10.0.1.{home}");
            for from in [home.as_str(), from] {
                let body = Body::from(named("a", &game()).to_string());
                let reply = player.send("POST", "/api/saves", &[("x-forwarded-for", from)], body).await;
                statuses.push(reply.status.as_u16());
            }
        }
        statuses
    };
    assert_eq!(saves_of_players(1 << 30).await, [201; 8]);
    // Empty tables of a file take more than half of this; of a database, only rows count.
    if !postgres::is_on() {
        assert_eq!(saves_of_players(160 << 10).await, [201, 201, 201, 201, 201, 429, 201, 201]);
    }
}

/// Nor can many networks fill the other half: players that are newer than those that a full store deletes have a limit
/// together. Whoever was here before has none of that.
#[tokio::test]
async fn newcomers_have_a_limit_together_once_the_database_is_half_full() {
    // Empty tables of a file take more than half of the database then; of PostgreSQL, only rows count.
    if postgres::is_on() {
        return;
    }
    let data = tempfile::tempdir().unwrap();
    let on_day = |day: u64| {
        browser_at(data.path(), |config| {
            config.fixed_time = Some(UNIX_EPOCH + Duration::from_hours(24 * (20_773 + day)));
            config.bounds.database_bytes = if day == 0 { 1 << 30 } else { 160 << 10 };
            config.bounds.growth_bytes_of_newcomers = 3 * (16 << 10);
        })
    };
    let mut old = on_day(0);
    old.make("/api/saves", &named("old", &game())).await;
    let later = on_day(30);
    let mut statuses = Vec::new();
    for number in 0..5 {
        let from = format!("10.0.{number}.1");
        let body = Body::from(named("a", &game()).to_string());
        let reply = later.stranger().send("POST", "/api/saves", &[("x-forwarded-for", &from)], body).await;
        statuses.push(reply.status.as_u16());
    }
    assert_eq!(statuses, [201, 201, 201, 429, 429]);
    old.at(&later).make("/api/saves", &named("again", &game())).await;
}

/// Lists longer than any body may be count as unread answers.
#[tokio::test]
async fn lists_that_nobody_reads_are_bounded() {
    let mut browser = browser_with(|config| {
        config.bounds.json_bytes = 1000;
        config.bounds.answers_bytes_of_address = 4000;
    });
    for millis in 1000..1020 {
        browser.make("/api/records", &json!({ "game": won(millis) })).await;
    }
    let unread = browser.open("GET", "/api/records?all", &[], Body::empty()).await;
    assert_eq!(unread.status(), 200);
    let mut others = Vec::new();
    let refused = loop {
        let reply = browser.open("GET", "/api/records?all", &[], Body::empty()).await;
        if reply.status() != 200 {
            break reply;
        }
        others.push(reply);
        assert!(others.len() < 10);
    };
    assert_eq!(refused.status(), 503);
    drop((unread, others));
    assert_eq!(browser.get("/api/records?all").await.status, 200, "what is read counts no more");
}

#[tokio::test]
async fn a_server_whose_store_cannot_be_written_is_not_healthy() {
    let data = tempfile::tempdir().unwrap();
    let mut browser = browser_at(data.path(), |config| config.bounds.search_bytes = 64 << 20);
    assert_eq!(browser.get("/api/health").await.json(), json!({ "status": "ok" }));
    assert_eq!(browser.get("/api/limits").await.json(), json!({ "search_bytes": 64 << 20 }));
    if let Some(url) = postgres::store_of(data.path(), postgres::ON) {
        // As after an upgrade to tables that this version does not know.
        postgres::run(&url, "UPDATE schema_version SET version = version + 1").await;
        browser.get("/api/health").await.assert_error(500, "internal");
        postgres::run(&url, "UPDATE schema_version SET version = version - 1").await;
        assert_eq!(browser.get("/api/health").await.status, 200);
        return;
    }
    let other = rusqlite::Connection::open(data.path().join("pintu.sqlite3")).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    browser.get("/api/health").await.assert_error(503, "busy");
    drop(other);
    assert_eq!(browser.get("/api/health").await.status, 200);
}

#[tokio::test]
async fn a_request_that_takes_too_long_may_be_done() {
    let mut browser = browser_with(|config| config.bounds.request_time = std::time::Duration::from_millis(50));
    let endless = tokio_stream::pending::<Result<Vec<u8>, std::io::Error>>();
    let reply = browser.send("POST", "/api/saves", &[], Body::from_stream(endless)).await;
    reply.assert_error(504, "timeout");
    assert!(reply.text().contains("may be done or not"), "{}", reply.text());
}

#[tokio::test]
async fn all_requests_of_many_browsers_at_once_are_kept_apart() {
    let first = browser();
    let players = (0..50).map(|number| {
        let mut player = first.stranger();
        tokio::spawn(async move {
            let id = player.make("/api/saves", &named(&format!("player {number}"), &game())).await;
            for millis in 0..10 {
                let reply =
                    player.put(&format!("/api/saves/{id}"), &named(&format!("player {number}"), &won(millis))).await;
                assert_eq!(reply.status, 200);
            }
            let list = player.get("/api/saves").await.json();
            assert_eq!(list.as_array().unwrap().len(), 1);
            assert_eq!((&list[0]["name"], &list[0]["millis"]), (&json!(format!("player {number}")), &json!(9)));
        })
    });
    for player in players.collect::<Vec<_>>() {
        player.await.unwrap();
    }
}

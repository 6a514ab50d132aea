//! Clocks that jump, and browsers that are used no more.

use std::{
    path::Path,
    time::{Duration, SystemTime},
};

use pintu_web::WallClock;
use serde_json::json;
use tokio::time::sleep;

use crate::support::{Browser, browser_at, game, named, won};

const DAY: Duration = Duration::from_hours(24);

/// Noon of a day in 2026, and so many days later.
fn noon(day: u32) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_hours(24 * 365 * 56 + 12) + DAY * day
}

fn start(data: &Path, time: SystemTime) -> Browser {
    browser_at(data, |config| config.clock = WallClock::new(move || time))
}

/// How many saves a browser has.
async fn saves(browser: &Browser, server: &Browser) -> usize {
    browser.at(server).get("/api/saves").await.json().as_array().unwrap().len()
}

/// Whether the saves of a name are forgotten, which is done in the background. The file is asked, for who asks the server
/// has used what is there.
async fn is_forgotten_soon(data: &Path, name: &str) -> bool {
    let file = rusqlite::Connection::open(data.join("pintu.sqlite3")).unwrap();
    for _ in 0..6000 {
        let sql = "SELECT COUNT(*) FROM saves WHERE name = ?1";
        if file.query_row(sql, [name], |row| row.get::<_, u32>(0)).unwrap() == 0 {
            return true;
        }
        sleep(Duration::from_millis(10)).await;
    }
    false
}

#[tokio::test]
async fn a_clock_that_jumps_loses_nothing_and_mixes_nothing_up() {
    let data = tempfile::tempdir().unwrap();
    let mut browser = start(data.path(), noon(0));
    for name in ["first", "second"] {
        browser.make("/api/saves", &named(name, &game())).await;
    }
    browser.make("/api/records", &json!({ "game": won(5000) })).await;
    for (day, name) in [(3650, "in ten years"), (0, "today"), (9999, "far away")] {
        let server = start(data.path(), noon(day));
        sleep(Duration::from_millis(100)).await;
        browser = browser.at(&server);
        browser.make("/api/saves", &named(name, &game())).await;
        browser.make("/api/records", &json!({ "game": won(6000 + u64::from(day)) })).await;
    }
    let list = browser.get("/api/saves").await.json();
    let names: Vec<&str> = list.as_array().unwrap().iter().map(|save| save["name"].as_str().unwrap()).collect();
    assert_eq!(
        names,
        ["far away", "today", "in ten years", "second", "first"],
        "the latest first, whatever the clock says"
    );
    let recent = browser.get("/api/records").await.json()[0]["recent"].clone();
    let times: Vec<u64> = recent.as_array().unwrap().iter().map(|record| record["millis"].as_u64().unwrap()).collect();
    assert_eq!(times, [15_999, 6000, 9650, 5000]);
}

#[tokio::test]
async fn what_is_not_used_for_a_year_is_forgotten_and_what_is_used_is_not() {
    let data = tempfile::tempdir().unwrap();
    let mut gone = start(data.path(), noon(0));
    gone.make("/api/saves", &named("a", &game())).await;
    let mut faithful = gone.stranger();
    let kept = faithful.make("/api/saves", &named("b", &game())).await;
    for day in (14..=364).step_by(14) {
        let server = start(data.path(), noon(day));
        assert_eq!(saves(&faithful, &server).await, 1, "day {day}: it only looks, and that is use");
        // What it notes is written in the background, and before what is written next.
        server.stranger().make("/api/saves", &named("c", &game())).await;
    }
    let server = start(data.path(), noon(378));
    assert!(is_forgotten_soon(data.path(), "a").await, "a year has passed");
    assert_eq!(faithful.at(&server).get(&format!("/api/saves/{kept}")).await.status, 200);
}

#[tokio::test]
async fn a_full_database_makes_room_by_what_is_unused_for_long() {
    let data = tempfile::tempdir().unwrap();
    let start = |day: u32| {
        browser_at(data.path(), |config| {
            config.bounds.database_bytes = 128 * 4096;
            config.clock = WallClock::new(move || noon(day));
        })
    };
    let mut long = game();
    long["moves"] = json!("RL".repeat(20_000));
    long["redo"] = json!("");
    let mut old = start(0);
    while old.post("/api/saves", &named("old", &long)).await.status == 201 {}
    let full = old.stranger().post("/api/saves", &named("new", &long)).await;
    full.assert_error(413, "storage-full");
    assert!(!old.get("/api/saves").await.json().as_array().unwrap().is_empty(), "who was here today stays");
    let server = start(60);
    let mut new = server.stranger();
    new.post("/api/saves", &named("new", &long)).await.assert_error(413, "storage-full");
    assert_ne!(saves(&old, &server).await, 0, "that the server was off for long is nobody's fault");
    // That it was seen is written in the background, and before what is asked for next.
    new.post("/api/saves", &named("new", &long)).await.assert_error(413, "storage-full");
    drop(server);
    // Everybody was seen on that day; and then the server ran for a month.
    for day in [74, 88] {
        drop(start(day));
    }
    let server = start(102);
    let mut new = server.stranger();
    new.make("/api/saves", &named("new", &long)).await;
    assert_eq!(saves(&old, &server).await, 0, "who was away for a month makes room");
    assert_eq!(saves(&new, &server).await, 1);
}

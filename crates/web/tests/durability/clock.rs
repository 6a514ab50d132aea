//! Clocks that jump, and browsers that are not used any more.

use std::{
    path::Path,
    time::{Duration, SystemTime},
};

use serde_json::json;
use tokio::time::sleep;

use crate::support::{Browser, browser_at, game, long_game, named, postgres, won};

const DAY: Duration = Duration::from_hours(24);

fn noon(day: u32) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_hours(24 * 365 * 56 + 12) + DAY * day
}

fn start(data: &Path, time: SystemTime) -> Browser {
    browser_at(data, |config| config.fixed_time = Some(time))
}

async fn saves(browser: &Browser, server: &Browser) -> usize {
    browser.at(server).get("/api/saves").await.json().as_array().unwrap().len()
}

/// Whether the saves of a name are deleted soon, in the background. This reads the file, for a request would count as use.
async fn is_deleted_soon(data: &Path, name: &str) -> bool {
    let sql = format!("SELECT COUNT(*) FROM saves WHERE name = '{name}'");
    for _ in 0..6000 {
        let count = if let Some(url) = postgres::store_of(data, postgres::ON) {
            postgres::run(&url, &sql).await.unwrap()
        } else {
            let file = rusqlite::Connection::open(data.join("pintu.sqlite3")).unwrap();
            file.query_row(&sql, [], |row| row.get::<_, u32>(0)).unwrap().to_string()
        };
        if count == "0" {
            return true;
        }
        sleep(Duration::from_millis(10)).await;
    }
    false
}

#[tokio::test]
async fn a_clock_that_jumps_loses_and_reorders_nothing() {
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
async fn browsers_that_are_unused_for_a_year_are_deleted() {
    let data = tempfile::tempdir().unwrap();
    let mut gone = start(data.path(), noon(0));
    gone.make("/api/saves", &named("a", &game())).await;
    let mut faithful = gone.stranger();
    let kept = faithful.make("/api/saves", &named("b", &game())).await;
    for day in (14..=364).step_by(14) {
        let server = start(data.path(), noon(day));
        assert_eq!(saves(&faithful, &server).await, 1, "day {day}: it only looks, and that is use");
        // The use is noted in the background, before the next write.
        server.stranger().make("/api/saves", &named("c", &game())).await;
    }
    let server = start(data.path(), noon(378));
    assert!(is_deleted_soon(data.path(), "a").await, "a year has passed");
    assert_eq!(faithful.at(&server).get(&format!("/api/saves/{kept}")).await.status, 200);
}

#[tokio::test]
async fn a_full_database_deletes_long_unused_browsers() {
    let data = tempfile::tempdir().unwrap();
    let start = |day: u32| {
        browser_at(data.path(), |config| {
            config.bounds.database_bytes = 128 * 4096;
            config.fixed_time = Some(noon(day));
        })
    };
    let long = long_game(40_000);
    let mut old = start(0);
    while old.post("/api/saves", &named("old", &long)).await.status == 201 {}
    let full = old.stranger().post("/api/saves", &named("new", &long)).await;
    full.assert_error(507, "storage-full");
    assert!(!old.get("/api/saves").await.json().as_array().unwrap().is_empty(), "browsers that were used today stay");
    let server = start(60);
    let mut new = server.stranger();
    new.post("/api/saves", &named("new", &long)).await.assert_error(507, "storage-full");
    assert_ne!(saves(&old, &server).await, 0, "the time in which the server was off does not count");
    // The use is noted in the background, before the next write.
    new.post("/api/saves", &named("new", &long)).await.assert_error(507, "storage-full");
    drop(server);
    // All were used on that day; then the server ran for a month.
    for day in [74, 88] {
        drop(start(day));
    }
    let server = start(102);
    let mut new = server.stranger();
    new.make("/api/saves", &named("new", &long)).await;
    assert_eq!(saves(&old, &server).await, 0, "a browser that was unused for a month makes room");
    assert_eq!(saves(&new, &server).await, 1);
}

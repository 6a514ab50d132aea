//! Two servers on one `PostgreSQL` database behind nginx, as docs/hosting.md has them.
#![cfg(unix)]

#[allow(dead_code, reason = "the benchmark needs more of it")]
mod class;
#[path = "../../../web/tests/api/client.rs"]
#[allow(dead_code, reason = "the other tests need more of it")]
mod client;
mod killed;
#[path = "../../../web/tests/api/postgres.rs"]
#[allow(dead_code, reason = "the other tests need more of it")]
mod postgres;
mod shared;
mod site;

use std::time::Duration;

use site::Site;

/// A short version of the benchmark `class`, which also measures how long saves take.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_class_behind_one_address_plays_and_nobody_is_refused() {
    const PLAYERS: usize = 100;
    for start in [|| Site::start(&[]), Site::start_one] {
        let Some(site) = start() else { continue };
        let report = class::play(site.address, PLAYERS, Duration::from_secs(6), class::SAVE_PERIOD).await;
        assert_eq!(report.failures, [""; 0], "nobody is refused");
        assert!(report.saves.len() >= PLAYERS, "{} saves", report.saves.len());
        assert_eq!(report.lost, 0);
    }
}

/// The same of the benchmark's second part.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_class_finishes_the_days_puzzle_and_all_are_ranked() {
    const PLAYERS: usize = 60;
    let Some(site) = Site::start(&[]) else { return };
    let report = class::play_day(site.address, PLAYERS, Duration::from_secs(4)).await;
    assert_eq!(report.failures, [""; 0], "nobody is refused");
    assert_eq!((report.finished.len(), report.ranked.len(), report.lost), (PLAYERS, PLAYERS, 0));
}

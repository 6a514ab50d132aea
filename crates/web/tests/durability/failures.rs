//! Disks that are full, that fail, and that cannot be written.

use std::time::Duration;

use rusqlite::ffi::{SQLITE_FULL, SQLITE_IOERR_FSYNC, SQLITE_IOERR_WRITE, SQLITE_READONLY};
use serde_json::json;
use tokio::time::{sleep, timeout};

use crate::{
    disk::Disk,
    support::{browser_at, game, named, won},
};

/// Errors of the disk are reported, acknowledged data stays, and the server recovers with the disk.
#[tokio::test]
async fn errors_of_the_disk_are_reported_and_no_data_is_lost() {
    let disk = Disk::new("failing");
    let data = tempfile::tempdir().unwrap();
    let mut browser = browser_at(data.path(), |config| config.vfs = Some("failing".to_owned()));
    let path = browser.save("a", &game()).await;
    let mut revision = 1;
    for (write, flush, status, code) in [
        (SQLITE_FULL, 0, 507, "storage-full"),
        (SQLITE_IOERR_WRITE, 0, 500, "storage-failed"),
        (SQLITE_READONLY, 0, 500, "storage-failed"),
        (0, SQLITE_IOERR_FSYNC, 500, "storage-failed"),
    ] {
        disk.fail_writes(write);
        disk.fail_flushes(flush);
        for _ in 0..3 {
            browser.put(&path, &named("lost", &won(9))).await.assert_error(status, code);
            browser.post("/api/saves", &named("lost", &game())).await.assert_error(status, code);
        }
        let kept = browser.get(&path).await.json();
        assert_eq!((&kept["name"], &kept["revision"]), (&json!("a"), &json!(revision)), "{code}");
        disk.fail_writes(0);
        disk.fail_flushes(0);
        let again = browser.put(&path, &named("a", &game())).await;
        revision += 1;
        assert_eq!((again.status.as_u16(), &again.json()["revision"]), (200, &json!(revision)), "{code}");
        assert_eq!(browser.get("/api/saves").await.json().as_array().unwrap().len(), 1, "{code}");
    }
}

/// A request times out; the client can ask whether its save was made.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_that_waits_for_the_disk_times_out() {
    let disk = Disk::new("stuck");
    let data = tempfile::tempdir().unwrap();
    let mut browser = browser_at(data.path(), |config| {
        config.vfs = Some("stuck".to_owned());
        config.bounds.request_time = Duration::from_millis(700);
    });
    let path = browser.save("a", &game()).await;
    disk.hold_flushes(true);
    browser.put(&path, &named("b", &game())).await.assert_error(504, "timeout");
    disk.hold_flushes(false);
    while browser.get(&path).await.json()["revision"] != 2 {
        sleep(Duration::from_millis(10)).await;
    }
    let next = browser.put(&path, &named("c", &game())).await;
    assert_eq!((next.status.as_u16(), &next.json()["revision"]), (200, &json!(3)), "the one before was made after all");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn readers_do_not_wait_for_a_flush() {
    let disk = Disk::new("slow");
    let data = tempfile::tempdir().unwrap();
    let mut browser = browser_at(data.path(), |config| config.vfs = Some("slow".to_owned()));
    let path = browser.save("a", &game()).await;
    disk.hold_flushes(true);
    let (mut writer, written) = (browser.clone(), path.clone());
    let writing = tokio::spawn(async move { writer.put(&written, &named("b", &won(9))).await.status });
    while disk.held_flushes() == 0 {
        sleep(Duration::from_millis(1)).await;
    }
    for _ in 0..20 {
        let reply = timeout(Duration::from_secs(5), browser.get(&path)).await.expect("it does not wait");
        assert_eq!(reply.json()["name"], "a", "what is not on the disk is not shown");
        timeout(Duration::from_secs(5), browser.get("/api/saves")).await.expect("nor does the list");
    }
    assert!(!writing.is_finished(), "a save is acknowledged when it is on the disk, and not before");
    disk.hold_flushes(false);
    assert_eq!(writing.await.unwrap(), 200);
    assert_eq!(browser.get(&path).await.json()["name"], "b");
}

//! Disks that are full, that fail, and that cannot be written.

use rusqlite::ffi::{SQLITE_FULL, SQLITE_IOERR_FSYNC, SQLITE_IOERR_WRITE};
use serde_json::json;

use crate::{
    disk::Disk,
    support::{browser_at, game, named, won},
};

/// Whatever the disk answers: what is refused is said, what was acknowledged stays, and when the disk is well
/// again, so is the server.
#[tokio::test]
async fn what_a_failing_disk_refuses_is_said_and_nothing_else_is_lost() {
    let disk = Disk::new("failing");
    let data = tempfile::tempdir().unwrap();
    let mut browser = browser_at(data.path(), |config| config.vfs = Some("failing".to_owned()));
    let id = browser.make("/api/saves", &named("a", &game())).await;
    let path = format!("/api/saves/{id}");
    let mut revision = 1;
    let failures: [(&dyn Fn(i32), i32, u16, &str); 3] = [
        (&|error| disk.fail_writes(error), SQLITE_FULL, 413, "storage-full"),
        (&|error| disk.fail_writes(error), SQLITE_IOERR_WRITE, 500, "storage-failed"),
        (&|error| disk.fail_flushes(error), SQLITE_IOERR_FSYNC, 500, "storage-failed"),
    ];
    for (fail, error, status, code) in failures {
        fail(error);
        for _ in 0..3 {
            browser.put(&path, &named("lost", &won(9))).await.assert_error(status, code);
            browser.post("/api/saves", &named("lost", &game())).await.assert_error(status, code);
        }
        let kept = browser.get(&path).await.json();
        assert_eq!((&kept["name"], &kept["revision"]), (&json!("a"), &json!(revision)), "{code}");
        fail(0);
        let again = browser.put(&path, &named("a", &game())).await;
        revision += 1;
        assert_eq!((again.status.as_u16(), &again.json()["revision"]), (200, &json!(revision)), "{code}");
        assert_eq!(browser.get("/api/saves").await.json().as_array().unwrap().len(), 1, "{code}");
    }
    drop(browser.clone());
}

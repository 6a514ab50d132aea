//! Power cuts, in which any write that was not flushed may be lost.

use serde_json::json;

use crate::{
    disk::{Disk, Luck},
    support::{Browser, browser_at, long_game, named, with},
};

/// A save of a game after some moves back and forth; long ones make the log roll over.
fn save(moves: usize) -> serde_json::Value {
    let game = with(&long_game(moves), "runs", json!([]));
    named("a game", &with(&game, "millis", json!(moves)))
}

struct Player {
    browser: Browser,
    path: String,
    /// After how many acts of the disk a save was acknowledged, and its milliseconds.
    acknowledged: Vec<(usize, u64)>,
}

impl Player {
    async fn begin(mut browser: Browser, disk: &Disk) -> Self {
        let id = browser.make("/api/saves", &save(0)).await;
        Self { browser, path: format!("/api/saves/{id}"), acknowledged: vec![(disk.acts(), 0)] }
    }

    async fn play(&mut self, disk: &Disk, moves: usize) {
        let reply = self.browser.put(&self.path, &save(moves)).await;
        assert_eq!(reply.status, 200, "{}", reply.text());
        self.acknowledged.push((disk.acts(), moves as u64));
    }
}

const PLAYERS: usize = 4;
const ROUNDS: usize = 40;

/// Several players save, each at its own pace, until the log has been written back more than once.
async fn played(name: &str) -> (std::sync::Arc<Disk>, Vec<Player>) {
    let disk = Disk::new(name);
    let data = tempfile::tempdir().unwrap();
    let first = browser_at(data.path(), |config| config.vfs = Some(name.to_owned()));
    let mut players = Vec::new();
    for _ in 0..PLAYERS {
        players.push(Player::begin(first.stranger(), &disk).await);
    }
    for round in 1..=ROUNDS {
        let moves = |player: usize| (round * 2 + player * 1000) * 20;
        let [a, b, c, d] = &mut players[..] else { unreachable!("there are four") };
        tokio::join!(
            a.play(&disk, moves(0)),
            b.play(&disk, moves(1)),
            c.play(&disk, moves(2)),
            d.play(&disk, moves(3))
        );
    }
    (disk, players)
}

async fn check(disk: &Disk, players: &[Player], acts: usize, luck: Luck) {
    let after = tempfile::tempdir().unwrap();
    disk.after_power_cut(acts, luck, after.path());
    let server = browser_at(after.path(), |_| ());
    for player in players {
        let Some(&(_, last)) = player.acknowledged.iter().rfind(|(at, _)| *at <= acts) else { continue };
        let reply = player.browser.at(&server).get(&player.path).await;
        assert_eq!(reply.status, 200, "after {acts} acts, {luck:?}: {}", reply.text());
        let millis = reply.json()["game"]["millis"].as_u64().unwrap();
        assert!(millis >= last, "after {acts} acts, {luck:?}: found {millis}, acknowledged {last}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_acknowledged_save_is_lost_in_a_power_cut() {
    let (disk, players) = played("power").await;
    let acts = disk.acts();
    assert!(disk.flushes() >= ROUNDS, "{} flushes", disk.flushes());
    // Spread over everything that was done, each time with another luck; and once at the very end.
    let step = acts.div_ceil(120);
    for (number, at) in (0..acts).step_by(step).enumerate() {
        let luck = match number % 4 {
            0 => Luck::Nothing,
            1 => Luck::Everything,
            _ => Luck::Some(number as u64 + 1),
        };
        check(&disk, &players, at, luck).await;
    }
    check(&disk, &players, acts, Luck::Nothing).await;
}

/// Proves that the disk of these tests loses writes that are not flushed.
#[test]
fn without_flushes_this_disk_loses_what_was_committed() {
    let disk = Disk::new("careless");
    let data = tempfile::tempdir().unwrap();
    let flags = rusqlite::OpenFlags::default();
    let connection = rusqlite::Connection::open_with_flags_and_vfs(data.path().join("a"), flags, "careless").unwrap();
    connection.pragma_update(None, "journal_mode", "WAL").unwrap();
    connection.pragma_update(None, "synchronous", "NORMAL").unwrap();
    connection.execute_batch("CREATE TABLE kept (number INTEGER); PRAGMA wal_checkpoint").unwrap();
    for number in 0..10 {
        connection.execute("INSERT INTO kept VALUES (?1)", [number]).unwrap();
    }
    let count = |luck| {
        let after = tempfile::tempdir().unwrap();
        disk.after_power_cut(disk.acts(), luck, after.path());
        let connection = rusqlite::Connection::open(after.path().join("a")).unwrap();
        connection.query_row("SELECT COUNT(*) FROM kept", [], |row| row.get::<_, i64>(0)).unwrap()
    };
    assert_eq!((count(Luck::Everything), count(Luck::Nothing)), (10, 0));
}

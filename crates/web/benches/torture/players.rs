//! Players who save at regular intervals, and how long their saves take.

use std::{
    fs::File,
    io::{self, Write},
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    thread,
    time::{Duration, Instant},
};

use tokio::time::{MissedTickBehavior, interval, sleep, timeout};

use crate::{client::Client, report};

/// Where players come from.
pub(crate) const HERE: &str = "127.0.0.1";

pub(crate) fn save(moves: usize) -> String {
    let letters: String = "ULDR".chars().cycle().take(moves).collect();
    format!(
        r#"{{"name":"a game","game":{{"version":1,"rows":4,"cols":4,"wrap_rows":[],"wrap_cols":[],"blank":15,"start":[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,0],"moves":"{letters}","redo":"","millis":{moves},"helped":false,"picture":"builtin:dawn"}}}}"#
    )
}

/// The number of moves of the game at a path.
pub(crate) async fn load(client: &mut Client, path: &str) -> Option<usize> {
    let (status, body) = client.send(&format!("GET {path}"), b"").await.ok()?;
    let loaded: serde_json::Value = serde_json::from_str(&body).ok().filter(|_| status == 200)?;
    let moves = loaded["game"]["moves"].as_str()?.len();
    (loaded["game"]["millis"].as_u64()? == moves as u64).then_some(moves)
}

pub(crate) async fn create_save(client: &mut Client) -> io::Result<String> {
    let (status, body) = client.send("POST /api/saves", save(0).as_bytes()).await?;
    let made: serde_json::Value = serde_json::from_str(&body)?;
    match made["id"].as_str() {
        Some(id) if status == 201 => Ok(format!("/api/saves/{id}")),
        _ => Err(io::Error::other(format!("{status} {body}"))),
    }
}

/// What the players saw.
pub(crate) struct Saves {
    times: Vec<Duration>,
    /// Times of flushing a page to the same disk meanwhile: no save can be quicker.
    flushes: Vec<Duration>,
    failed: usize,
    lost: usize,
}

/// Lets players save every `period` for a time, spread over the period.
pub(crate) async fn play(address: SocketAddr, players: usize, period: Duration, time: Duration) -> Saves {
    let stop = Arc::new(AtomicBool::new(false));
    let stopped = Arc::clone(&stop);
    let flushing = tokio::task::spawn_blocking(move || flush_times(&stopped));
    let playing: Vec<_> = (0..players as u32)
        .map(|number| tokio::spawn(play_one(address, period * number / players as u32, period, time)))
        .collect();
    let mut saves = Saves { times: Vec::new(), flushes: Vec::new(), failed: 0, lost: 0 };
    for player in playing {
        match player.await.expect("a player does not panic") {
            Ok((times, is_stored)) => {
                saves.times.extend(times);
                saves.lost += usize::from(!is_stored);
            }
            Err(error) => {
                eprintln!("a player failed: {error}");
                saves.failed += 1;
            }
        }
    }
    stop.store(true, Relaxed);
    saves.flushes = flushing.await.expect("flushing does not panic");
    saves.times.sort_unstable();
    saves.flushes.sort_unstable();
    saves
}

/// The times of a player's saves, and whether the last one is there in the end.
async fn play_one(
    address: SocketAddr,
    delay: Duration,
    period: Duration,
    time: Duration,
) -> io::Result<(Vec<Duration>, bool)> {
    sleep(delay).await;
    let mut client = Client::connect(address, HERE).await?;
    let path = create_save(&mut client).await?;
    let line = format!("PUT {path}");
    let mut clock = interval(period);
    clock.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let (began, mut times) = (Instant::now(), Vec::new());
    while began.elapsed() < time {
        clock.tick().await;
        let (sent, body) = (Instant::now(), save(times.len() + 1));
        let answer = timeout(Duration::from_secs(20), client.send(&line, body.as_bytes())).await;
        let (status, reply) = answer.map_err(|_| io::Error::other("no answer"))??;
        times.push(sent.elapsed());
        if status != 200 {
            return Err(io::Error::other(format!("{status} {reply}")));
        }
    }
    let is_stored = load(&mut client, &path).await == Some(times.len());
    Ok((times, is_stored))
}

fn flush_times(stop: &AtomicBool) -> Vec<Duration> {
    let directory = tempfile::tempdir().expect("a directory");
    let mut file = File::create(directory.path().join("page")).expect("a file");
    let mut times = Vec::new();
    while !stop.load(Relaxed) {
        let began = Instant::now();
        file.write_all(&[7; 4096]).and_then(|()| file.sync_data()).expect("a flush");
        times.push(began.elapsed());
        thread::sleep(Duration::from_millis(50));
    }
    times
}

/// The time that this share of sorted times does not exceed.
fn percentile(times: &[Duration], share: f64) -> Duration {
    let index = (times.len() as f64 * share).ceil() as usize;
    times.get(index.saturating_sub(1)).copied().unwrap_or_default()
}

pub(crate) fn millis(time: Duration) -> String {
    format!("{:.2} ms", time.as_secs_f64() * 1000.0)
}

impl Saves {
    /// Prints the report; whether nobody failed, nothing was lost and the 99th percentile is within a bound.
    pub(crate) fn report(&self, bound: Duration) -> bool {
        let pair = |times: &[Duration], one, other| {
            format!("{} / {}", millis(percentile(times, one)), millis(percentile(times, other)))
        };
        report("saves acknowledged; players that failed", format!("{}; {}", self.times.len(), self.failed), "0 failed");
        report("a save until it is on the disk, median / p90", pair(&self.times, 0.5, 0.9), "");
        report("p99 / slowest", pair(&self.times, 0.99, 1.0), millis(bound));
        report("beside them: 4 KiB flushed to the same disk, median / p99", pair(&self.flushes, 0.5, 0.99), "");
        report("last acknowledged saves that are not there in the end", self.lost, "0");
        let is_complete = self.failed == 0 && self.lost == 0 && !self.times.is_empty();
        is_complete && percentile(&self.times, 0.99) <= bound
    }
}

//! Players who save a move a second, while others search.

use std::{
    io,
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

use tokio::time::{MissedTickBehavior, interval, sleep};

use crate::{
    client::{Client, make, moves_of, save},
    disk::{Times, flush_times, millis},
    server::Server,
};

const SEARCHES: usize = 8;
const BOUND: Duration = Duration::from_millis(50);
/// What the server may hold: a search's share of the memory, which `Config` caps at 2 GiB, and itself.
const MOST_MEBIBYTES: u64 = (2 << 10) + 256;

/// What the players saw.
pub(crate) struct Load {
    players: usize,
    saves: Times,
    flushes: Times,
    failed: usize,
    lost: usize,
    searches: usize,
    mebibytes: u64,
}

pub(crate) async fn run(players: usize, seconds: usize) -> Load {
    let data = tempfile::tempdir().expect("a directory");
    let server = Server::start(data.path());
    let stop = Arc::new(AtomicBool::new(false));
    let answered = Arc::new(AtomicUsize::new(0));
    let watched = Arc::clone(&stop);
    let flushing = tokio::task::spawn_blocking(move || flush_times(|| !watched.load(Relaxed)));
    let searches: Vec<_> = (0..SEARCHES)
        .map(|number| tokio::spawn(search(server.address, number, Arc::clone(&stop), Arc::clone(&answered))))
        .collect();
    let playing: Vec<_> =
        (0..players).map(|number| tokio::spawn(play(server.address, number, players, seconds))).collect();
    let (mut times, mut failed, mut lost) = (Vec::new(), 0, 0);
    for player in playing {
        match player.await.expect("a player does not panic") {
            Ok(seen) => {
                times.extend(seen.times);
                lost += usize::from(!seen.is_kept);
            }
            Err(error) => {
                eprintln!("a player failed: {error}");
                failed += 1;
            }
        }
    }
    stop.store(true, Relaxed);
    searches.iter().for_each(tokio::task::JoinHandle::abort);
    let flushes = flushing.await.expect("flushing does not panic");
    let (saves, mebibytes) = (Times::new(times), server.peak_mebibytes());
    Load { players, saves, flushes, failed, lost, searches: answered.load(Relaxed), mebibytes }
}

struct Seen {
    times: Vec<Duration>,
    /// Whether the last save is there in the end.
    is_kept: bool,
}

/// Saves a move a second, all players spread over the second.
async fn play(address: SocketAddr, number: usize, players: usize, seconds: usize) -> io::Result<Seen> {
    sleep(Duration::from_secs(1) * number as u32 / players as u32).await;
    let mut client = Client::connect(address).await?;
    let path = make(&mut client).await?;
    let mut clock = interval(Duration::from_secs(1));
    clock.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut times = Vec::with_capacity(seconds);
    for moves in 1..=seconds {
        clock.tick().await;
        let body = save(moves);
        let began = Instant::now();
        let (status, reply) = client.send("PUT", &path, &body).await?;
        times.push(began.elapsed());
        if status != 200 {
            return Err(io::Error::other(format!("{status} {reply}")));
        }
    }
    let (_, loaded) = client.send("GET", &path, "").await?;
    Ok(Seen { times, is_kept: moves_of(&loaded) == Some(seconds) })
}

/// Asks for one hard search after the other.
async fn search(
    address: SocketAddr,
    number: usize,
    stop: Arc<AtomicBool>,
    answered: Arc<AtomicUsize>,
) -> io::Result<()> {
    let algorithm = ["ida", "astar", "bidirectional", "bfs"][number % 4];
    let body = format!(
        r#"{{"rows":4,"cols":4,"tiles":[14,15,8,12,10,11,9,13,2,6,5,1,3,7,4,0],"algorithm":"{algorithm}","limits":{{"seconds":2}}}}"#
    );
    let mut client = Client::connect(address).await?;
    while !stop.load(Relaxed) {
        let (status, _) = client.send("POST", "/api/solve", &body).await?;
        if status == 200 {
            answered.fetch_add(1, Relaxed);
        }
    }
    Ok(())
}

impl Load {
    pub(crate) fn print(&self) {
        let saves = &self.saves;
        println!(
            "| players, each saving a move a second; searches always at the workers | {}; {SEARCHES} | |",
            self.players
        );
        println!("| saves acknowledged; players that failed | {}; {} | 0 failed |", saves.len(), self.failed);
        println!(
            "| a save until it is on the disk, median / p90 | {} / {} | |",
            millis(saves.part(0.5)),
            millis(saves.part(0.9))
        );
        println!("| p99 / slowest | {} / {} | {} |", millis(saves.part(0.99)), millis(saves.part(1.0)), millis(BOUND));
        let flush = |part| millis(self.flushes.part(part));
        println!("| beside them: 4 KiB flushed to the same disk, median / p99 | {} / {} | |", flush(0.5), flush(0.99));
        println!("| last acknowledged saves that are not there in the end | {} | 0 |", self.lost);
        println!("| searches answered meanwhile | {} | |", self.searches);
        println!("| most memory resident | {} MiB | {MOST_MEBIBYTES} MiB |", self.mebibytes);
    }

    pub(crate) fn is_within_bounds(&self) -> bool {
        let quick = self.saves.part(0.99) <= BOUND;
        quick && self.failed == 0 && self.lost == 0 && self.searches > 0 && self.mebibytes <= MOST_MEBIBYTES
    }
}

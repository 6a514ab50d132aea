//! One client that wants everything, and others who play.

use std::{
    io,
    net::SocketAddr,
    path::Path,
    process::{Child, Command},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpSocket, TcpStream},
    time::{sleep, timeout},
};

use crate::{
    Random,
    client::{Client, make, moves_of, save},
    server::Server,
    times::{Times, flush_times, millis},
};

/// The argument that makes this program the hostile client of a server.
pub(crate) const HOSTILE: &str = "--hostile";
/// Where the hostile client comes from; everybody else is at 127.0.0.1.
const FROM: &str = "127.0.0.2:0";
const CONNECTIONS: u64 = 1000;
const SEARCHES: u64 = 9;
const PLAYERS: usize = 10;
const BOUND: Duration = Duration::from_millis(100);
/// What the server may hold: a search's share, two pictures that are decoded, what arrives and leaves, itself.
const MOST_MEBIBYTES: u64 = (2 << 10) + 768;
/// What may come to lie on the disk meanwhile, tables included.
const MOST_DISK_MEBIBYTES: u64 = 512;
/// How long another client's search may take that needs no time by itself: what a search may take while others
/// wait, twice.
const SEARCH_BOUND: Duration = Duration::from_secs(20);

/// Is the hostile client, until it is killed.
pub(crate) async fn attack(address: SocketAddr) {
    let tasks = (0..CONNECTIONS).map(|number| {
        tokio::spawn(async move {
            let mut random = Random::new(number);
            loop {
                // Refused or cut off, it comes again.
                let _ = annoy(address, number, &mut random).await;
                sleep(Duration::from_millis(200 + random.below(800))).await;
            }
        })
    });
    for task in tasks.collect::<Vec<_>>() {
        let _ = task.await;
    }
}

async fn connect(address: SocketAddr) -> io::Result<TcpStream> {
    let socket = TcpSocket::new_v4()?;
    socket.bind(FROM.parse().map_err(io::Error::other)?)?;
    // The less fits on the way, the sooner a server has to wait for who does not read.
    socket.set_recv_buffer_size(4096)?;
    socket.connect(address).await
}

async fn annoy(address: SocketAddr, number: u64, random: &mut Random) -> io::Result<()> {
    let mut stream = connect(address).await?;
    match number {
        0..SEARCHES => search(&mut stream, address, random).await,
        _ => match number % 4 {
            0 => read_slowly(&mut stream, address).await,
            1 => upload_slowly(&mut stream, address, "/api/pictures", 24_000_000, 64_000).await,
            2 => upload_slowly(&mut stream, address, "/api/saves", 200_000, 100).await,
            _ => {
                // Half a head, and nothing more.
                stream.write_all(b"GET / HT").await?;
                sleep(Duration::from_mins(1)).await;
                Ok(())
            }
        },
    }
}

/// Asks for what takes longest, each time on a board for which there are no tables yet.
async fn search(stream: &mut TcpStream, address: SocketAddr, random: &mut Random) -> io::Result<()> {
    let wraps = |random: &mut Random| -> Vec<u64> { (0..4).filter(|_| random.below(2) == 0).collect() };
    let (rows, cols) = (wraps(random), wraps(random));
    let body = format!(
        r#"{{"rows":4,"cols":4,"tiles":[14,15,8,12,10,11,9,13,2,6,5,1,3,7,4,0],"wrap_rows":{rows:?},"wrap_cols":{cols:?},"limits":{{"seconds":60}}}}"#
    );
    let head = format!("POST /api/solve HTTP/1.1\r\nHost: {address}\r\nContent-Length: {}\r\n\r\n", body.len());
    stream.write_all((head + &body).as_bytes()).await?;
    let mut answer = [0; 4096];
    stream.read(&mut answer).await.map(drop)
}

/// Asks for the page again and again and reads none of it.
async fn read_slowly(stream: &mut TcpStream, address: SocketAddr) -> io::Result<()> {
    for _ in 0..400 {
        stream.write_all(format!("GET / HTTP/1.1\r\nHost: {address}\r\n\r\n").as_bytes()).await?;
    }
    sleep(Duration::from_mins(1)).await;
    Ok(())
}

async fn upload_slowly(
    stream: &mut TcpStream,
    address: SocketAddr,
    path: &str,
    length: usize,
    part: usize,
) -> io::Result<()> {
    let head = format!("POST {path} HTTP/1.1\r\nHost: {address}\r\nContent-Length: {length}\r\n\r\n");
    stream.write_all(head.as_bytes()).await?;
    loop {
        stream.write_all(&vec![b' '; part]).await?;
        sleep(Duration::from_millis(500)).await;
    }
}

/// What the others saw.
pub(crate) struct Hostile {
    saves: Times,
    flushes: Times,
    failed: usize,
    lost: usize,
    /// A search of somebody else's, if it was answered.
    search: Option<Duration>,
    mebibytes: u64,
    disk_mebibytes: u64,
}

pub(crate) async fn run(time: Duration) -> Hostile {
    let data = tempfile::tempdir().expect("a directory");
    let server = Server::start(data.path());
    let _attacker = Attacker::start(server.address);
    // It takes a moment until all of them are there.
    sleep(Duration::from_secs(3)).await;
    let stop = Arc::new(AtomicBool::new(false));
    let watched = Arc::clone(&stop);
    let flushing = tokio::task::spawn_blocking(move || flush_times(|| !watched.load(Relaxed)));
    let searching = tokio::spawn(search_once(server.address));
    let playing: Vec<_> = (0..PLAYERS).map(|_| tokio::spawn(play(server.address, time))).collect();
    let (mut times, mut failed, mut lost) = (Vec::new(), 0, 0);
    for player in playing {
        match player.await.expect("a player does not panic") {
            Ok((seen, is_kept)) => {
                times.extend(seen);
                lost += usize::from(!is_kept);
            }
            Err(error) => {
                eprintln!("a player failed: {error}");
                failed += 1;
            }
        }
    }
    stop.store(true, Relaxed);
    let search = searching.await.expect("searching does not panic").ok();
    let flushes = flushing.await.expect("flushing does not panic");
    let (mebibytes, disk_mebibytes) = (server.peak_mebibytes(), size_of_files(data.path()) >> 20);
    Hostile { saves: Times::new(times), flushes, failed, lost, search, mebibytes, disk_mebibytes }
}

struct Attacker(Child);

impl Attacker {
    fn start(address: SocketAddr) -> Self {
        let program = std::env::current_exe().expect("this program has a name");
        Self(Command::new(program).args([HOSTILE, &address.to_string()]).spawn().expect("a process"))
    }
}

impl Drop for Attacker {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Saves ten times a second; the times that took, and whether the last one is there.
async fn play(address: SocketAddr, time: Duration) -> io::Result<(Vec<Duration>, bool)> {
    let mut client = Client::connect(address).await?;
    let path = make(&mut client).await?;
    let (began, mut times, mut moves) = (Instant::now(), Vec::new(), 0);
    while began.elapsed() < time {
        moves += 1;
        let (sent, body) = (Instant::now(), save(moves));
        let answer = timeout(Duration::from_secs(20), client.send("PUT", &path, &body)).await;
        let (status, reply) = answer.map_err(|_| io::Error::other("no answer"))??;
        times.push(sent.elapsed());
        if status != 200 {
            return Err(io::Error::other(format!("{status} {reply}")));
        }
        sleep(Duration::from_millis(100)).await;
    }
    let (_, loaded) = client.send("GET", &path, "").await?;
    Ok((times, moves_of(&loaded) == Some(moves)))
}

/// How long a small search takes that has to wait for its turn.
async fn search_once(address: SocketAddr) -> io::Result<Duration> {
    let (began, body) = (Instant::now(), r#"{"rows":3,"cols":3,"tiles":[8,6,7,2,5,4,3,0,1],"algorithm":"astar"}"#);
    loop {
        let (status, reply) = Client::connect(address).await?.send("POST", "/api/solve", body).await?;
        match status {
            200 => return Ok(began.elapsed()),
            503 if began.elapsed() < 2 * SEARCH_BOUND => sleep(Duration::from_secs(1)).await,
            _ => return Err(io::Error::other(format!("{status} {reply}"))),
        }
    }
}

fn size_of_files(directory: &Path) -> u64 {
    let files = std::fs::read_dir(directory).into_iter().flatten().flatten();
    files
        .map(|file| match file.metadata() {
            Ok(data) if data.is_dir() => size_of_files(&file.path()),
            data => data.map_or(0, |data| data.len()),
        })
        .sum()
}

impl Hostile {
    pub(crate) fn print(&self) {
        println!("| a hostile client's connections; long searches among them | {CONNECTIONS}; {SEARCHES} | |");
        println!(
            "| saves of {PLAYERS} others acknowledged; players that failed | {}; {} | 0 failed |",
            self.saves.len(),
            self.failed
        );
        let saves = |part| millis(self.saves.part(part));
        println!("| a save until it is on the disk, median / p90 | {} / {} | |", saves(0.5), saves(0.9));
        println!("| p99 / slowest | {} / {} | {} |", saves(0.99), saves(1.0), millis(BOUND));
        let flush = |part| millis(self.flushes.part(part));
        println!("| beside them: 4 KiB flushed to the same disk, median / p99 | {} / {} | |", flush(0.5), flush(0.99));
        println!("| last acknowledged saves that are not there in the end | {} | 0 |", self.lost);
        let search = self.search.map_or_else(|| "none".to_owned(), millis);
        println!("| another client's search, in its turn | {search} | {} |", millis(SEARCH_BOUND));
        println!("| most memory resident | {} MiB | {MOST_MEBIBYTES} MiB |", self.mebibytes);
        println!("| files of the database and tables | {} MiB | {MOST_DISK_MEBIBYTES} MiB |", self.disk_mebibytes);
    }

    pub(crate) fn is_within_bounds(&self) -> bool {
        let fair = self.search.is_some_and(|time| time <= SEARCH_BOUND);
        let small = self.mebibytes <= MOST_MEBIBYTES && self.disk_mebibytes <= MOST_DISK_MEBIBYTES;
        self.saves.part(0.99) <= BOUND && self.failed == 0 && self.lost == 0 && self.saves.len() > 0 && small && fair
    }
}

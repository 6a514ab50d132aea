//! One client that wants everything, and others who play.

use std::{
    io,
    net::SocketAddr,
    path::Path,
    process::{Child, Command},
    time::{Duration, Instant},
};

use tokio::{io::AsyncWriteExt, net::TcpSocket, time::sleep};

use crate::{
    Random,
    client::Client,
    players::{self, HERE, millis},
    report,
    server::Server,
};

/// The argument that makes this program the hostile client of a server.
pub(crate) const HOSTILE: &str = "--hostile";
/// Where the hostile client comes from; everybody else is at 127.0.0.1.
const FROM: &str = "127.0.0.2:0";
const CONNECTIONS: u64 = 1000;
const SEARCHES: u64 = 9;
const PLAYERS: usize = 10;
const BOUND: Duration = Duration::from_millis(100);
/// The memory of a search, of bytes in flight, and of the server itself.
const MAX_MEBIBYTES: u64 = (2 << 10) + 768;
/// Files of the database and tables.
const MAX_DISK_MEBIBYTES: u64 = 512;
/// How long another client's short search may take: the time share of a search, twice.
const SEARCH_BOUND: Duration = Duration::from_secs(20);

pub(crate) async fn attack(address: SocketAddr) {
    let tasks = (0..CONNECTIONS).map(|number| {
        tokio::spawn(async move {
            let mut random = Random::new(number);
            loop {
                // Refused or disconnected, it reconnects.
                let _ = annoy(address, number, &mut random).await;
                sleep(Duration::from_millis(200 + random.below(800))).await;
            }
        })
    });
    for task in tasks.collect::<Vec<_>>() {
        let _ = task.await;
    }
}

async fn annoy(address: SocketAddr, number: u64, random: &mut Random) -> io::Result<()> {
    let socket = TcpSocket::new_v4()?;
    socket.bind(FROM.parse().map_err(io::Error::other)?)?;
    // A small buffer, so that the server soon waits for this client.
    socket.set_recv_buffer_size(4096)?;
    let mut client = Client::over(socket, address).await?;
    match number {
        0..SEARCHES => search(&mut client, random).await,
        _ => match number % 4 {
            0 => read_slowly(&mut client).await,
            1 => upload_slowly(&mut client, "POST /api/pictures", 24_000_000, 64_000).await,
            2 => upload_slowly(&mut client, "POST /api/saves", 200_000, 100).await,
            _ => {
                // Half a head, and nothing more.
                client.stream.write_all(b"GET / HT").await?;
                sleep(Duration::from_mins(1)).await;
                Ok(())
            }
        },
    }
}

/// Asks for what takes longest, each time on a board for which there are no tables yet.
async fn search(client: &mut Client, random: &mut Random) -> io::Result<()> {
    let wraps = |random: &mut Random| -> Vec<u64> { (0..4).filter(|_| random.below(2) == 0).collect() };
    let (rows, cols) = (wraps(random), wraps(random));
    let body = format!(
        r#"{{"rows":4,"cols":4,"tiles":[14,15,8,12,10,11,9,13,2,6,5,1,3,7,4,0],"wrap_rows":{rows:?},"wrap_cols":{cols:?},"limits":{{"seconds":60}}}}"#
    );
    client.send("POST /api/solve", body.as_bytes()).await.map(drop)
}

/// Asks for the page again and again and reads none of it.
async fn read_slowly(client: &mut Client) -> io::Result<()> {
    for _ in 0..400 {
        client.begin("GET /", "*/*", 0, b"").await?;
    }
    sleep(Duration::from_mins(1)).await;
    Ok(())
}

async fn upload_slowly(client: &mut Client, line: &str, length: usize, part: usize) -> io::Result<()> {
    client.begin(line, "*/*", length, b"").await?;
    loop {
        client.stream.write_all(&vec![b' '; part]).await?;
        sleep(Duration::from_millis(500)).await;
    }
}

pub(crate) async fn run(time: Duration) -> bool {
    let data = tempfile::tempdir().expect("a directory");
    let server = Server::start(data.path());
    let _attacker = Attacker::start(server.address);
    // Until all its connections are there.
    sleep(Duration::from_secs(3)).await;
    let searching = tokio::spawn(search_once(server.address));
    let saves = players::play(server.address, PLAYERS, Duration::from_millis(100), time).await;
    let search = searching.await.expect("searching does not panic").ok();
    let (mebibytes, disk_mebibytes) = (server.peak_mebibytes(), size_of_files(data.path()) >> 20);
    report("a hostile client's connections; long searches", format!("{CONNECTIONS}; {SEARCHES}"), "");
    report("other players, each saving ten times a second", PLAYERS, "");
    let is_good = saves.report(BOUND);
    let time = search.map_or_else(|| "none".to_owned(), millis);
    report("another client's search, in the queue", time, millis(SEARCH_BOUND));
    report("most memory resident", format!("{mebibytes} MiB"), format!("{MAX_MEBIBYTES} MiB"));
    report("files of the database and tables", format!("{disk_mebibytes} MiB"), format!("{MAX_DISK_MEBIBYTES} MiB"));
    let is_small = mebibytes <= MAX_MEBIBYTES && disk_mebibytes <= MAX_DISK_MEBIBYTES;
    is_good && is_small && search.is_some_and(|time| time <= SEARCH_BOUND)
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

/// How long a short search takes, with its wait in the queue.
async fn search_once(address: SocketAddr) -> io::Result<Duration> {
    let (began, body) = (Instant::now(), r#"{"rows":3,"cols":3,"tiles":[8,6,7,2,5,4,3,0,1],"algorithm":"astar"}"#);
    loop {
        let (status, reply) = Client::connect(address, HERE).await?.send("POST /api/solve", body.as_bytes()).await?;
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

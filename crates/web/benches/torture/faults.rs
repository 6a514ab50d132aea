//! Players who lose nothing while power, disk and network fail.

use std::{
    collections::HashSet,
    io,
    net::SocketAddr,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

use pintu_web::{Config, Server, Service};
use rusqlite::ffi::{SQLITE_FULL, SQLITE_IOERR_WRITE};
use tempfile::TempDir;
use tokio::{
    task::JoinHandle,
    time::{sleep, timeout},
};

use crate::{
    Random,
    client::Client,
    disk::{Disk, Luck},
    players::{HERE, create_save, load, save},
    proxy::{self, Target},
    report,
};

const PLAYERS: usize = 12;
const ANSWER_TIMEOUT: Duration = Duration::from_secs(2);

#[derive(Default)]
struct Faults {
    power_cuts: usize,
    full_disks: usize,
    acknowledged: usize,
    refused: usize,
    unanswered: usize,
    lost: usize,
    unexplained: usize,
}

pub(crate) async fn run(time: Duration) -> bool {
    let mut machine = Machine::start(None).await;
    let target: Target = Arc::new(Mutex::new(machine.address));
    let proxy = proxy::start(Arc::clone(&target)).await.expect("a proxy");
    let stop = Arc::new(AtomicBool::new(false));
    let mut players = Vec::new();
    for number in 0..PLAYERS {
        let player = Player::begin(machine.address, number as u64).await.expect("a first save");
        players.push(tokio::spawn(player.play(proxy, Arc::clone(&stop))));
    }
    let mut faults = Faults::default();
    let (began, mut random) = (Instant::now(), Random::new(7));
    while began.elapsed() < time {
        sleep(Duration::from_millis(100 + random.below(700))).await;
        if random.below(3) == 0 {
            let error = if random.below(2) == 0 { SQLITE_FULL } else { SQLITE_IOERR_WRITE };
            machine.disk.fail_writes(error);
            sleep(Duration::from_millis(random.below(400))).await;
            machine.disk.fail_writes(0);
            faults.full_disks += 1;
        } else {
            machine = machine.cut_power(&mut random).await;
            *target.lock().expect("nobody panics") = machine.address;
            faults.power_cuts += 1;
        }
    }
    stop.store(true, Relaxed);
    for player in players {
        let player = player.await.expect("a player does not panic");
        player.judge(machine.address, &mut faults).await;
    }
    faults.report()
}

/// A server on a disk that loses what was not flushed when the power is cut.
struct Machine {
    address: SocketAddr,
    disk: Arc<Disk>,
    data: TempDir,
    serving: JoinHandle<()>,
}

impl Machine {
    async fn start(data: Option<TempDir>) -> Self {
        use std::sync::atomic::AtomicUsize;
        static NUMBERS: AtomicUsize = AtomicUsize::new(0);
        let data = data.unwrap_or_else(|| tempfile::tempdir().expect("a directory"));
        let name = format!("torture {}", NUMBERS.fetch_add(1, Relaxed));
        let disk = Disk::over(&name, data.path());
        let config = Config { vfs: Some(name), ..Config::new(data.path()) };
        let server = Server::bind(Some(SocketAddr::from(([127, 0, 0, 1], 0)))).await.expect("a port");
        let (address, service) = (server.address(), Service::open(config).expect("the data can be opened"));
        let serving = tokio::spawn(server.run(service, std::future::pending()));
        Self { address, disk, data, serving }
    }

    /// Cuts the power now; another server continues with the disk as it is then.
    async fn cut_power(self, random: &mut Random) -> Self {
        let luck = [Luck::Nothing, Luck::Everything, Luck::Some(random.below(1 << 30) + 1)][random.below(3) as usize];
        let after = tempfile::tempdir().expect("a directory");
        // The store may be in the middle of a write.
        self.serving.abort();
        let _ = self.serving.await;
        self.disk.after_power_cut(self.disk.acts(), luck, after.path());
        drop(self.data);
        Self::start(Some(after)).await
    }
}

/// A player of one game, with the answer to each save.
struct Player {
    cookie: String,
    path: String,
    random: Random,
    /// The moves of the last save that was acknowledged.
    acknowledged: usize,
    count: usize,
    /// Saves without an answer: they may be there or not.
    unanswered: HashSet<usize>,
    /// Saves that the server itself refused: they must not be there.
    refused: HashSet<usize>,
}

impl Player {
    async fn begin(address: SocketAddr, number: u64) -> io::Result<Self> {
        let mut client = Client::connect(address, HERE).await?;
        let path = create_save(&mut client).await?;
        let (unanswered, refused) = (HashSet::new(), HashSet::new());
        let random = Random::new(number + 100);
        Ok(Self { cookie: client.cookie, path, random, acknowledged: 0, count: 0, unanswered, refused })
    }

    async fn play(mut self, proxy: SocketAddr, stop: Arc<AtomicBool>) -> Self {
        let mut moves = 0;
        while !stop.load(Relaxed) {
            let Ok(mut client) = Client::connect(proxy, HERE).await else {
                sleep(Duration::from_millis(20)).await;
                continue;
            };
            client.cookie.clone_from(&self.cookie);
            let line = format!("PUT {}", self.path);
            while !stop.load(Relaxed) {
                sleep(Duration::from_millis(self.random.below(30))).await;
                moves += 1;
                let sent = timeout(ANSWER_TIMEOUT, client.send(&line, save(moves).as_bytes())).await;
                match sent {
                    Ok(Ok((200, _))) => {
                        self.acknowledged = moves;
                        self.count += 1;
                        continue;
                    }
                    Ok(Ok((_, body))) if body.contains("\"code\"") => _ = self.refused.insert(moves),
                    // The proxy's own words, or none at all.
                    _ => _ = self.unanswered.insert(moves),
                }
                break;
            }
        }
        self
    }

    /// Compares what the server has in the end with what it said.
    async fn judge(self, address: SocketAddr, faults: &mut Faults) {
        let mut client = Client::connect(address, HERE).await.expect("a connection");
        client.cookie.clone_from(&self.cookie);
        let found = load(&mut client, &self.path).await.unwrap_or(0);
        faults.acknowledged += self.count;
        faults.refused += self.refused.len();
        faults.unanswered += self.unanswered.len();
        faults.lost += usize::from(found < self.acknowledged);
        faults.unexplained += usize::from(self.refused.contains(&found));
        faults.unexplained += usize::from(found > self.acknowledged && !self.unanswered.contains(&found));
    }
}

impl Faults {
    fn report(&self) -> bool {
        report("players, saving through a proxy that fails", PLAYERS, "");
        report("power cuts; full or failing disks", format!("{}; {}", self.power_cuts, self.full_disks), "");
        report("saves acknowledged", self.acknowledged, "");
        report("refused by the server, and said", self.refused, "");
        report("no answer, or the proxy's", self.unanswered, "");
        report("games whose last acknowledged save is lost", self.lost, "0");
        report("games in a state that no answer explains", self.unexplained, "0");
        self.lost == 0 && self.unexplained == 0 && self.acknowledged > 0 && self.power_cuts > 0
    }
}

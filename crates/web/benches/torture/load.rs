//! Players who save a move a second, while others search.

use std::{
    io,
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    time::Duration,
};

use crate::{
    client::Client,
    players::{self, HERE},
    report,
    server::Server,
};

const SEARCHES: usize = 8;
const BOUND: Duration = Duration::from_millis(50);
/// The memory of a search, which `Config` caps at 2 GiB, and of the server itself.
const MAX_MEBIBYTES: u64 = (2 << 10) + 256;

pub(crate) async fn run(players: usize, time: Duration) -> bool {
    let data = tempfile::tempdir().expect("a directory");
    let server = Server::start(data.path());
    let answered = Arc::new(AtomicUsize::new(0));
    let searches: Vec<_> =
        (0..SEARCHES).map(|number| tokio::spawn(search(server.address, number, Arc::clone(&answered)))).collect();
    let saves = players::play(server.address, players, Duration::from_secs(1), time).await;
    searches.iter().for_each(tokio::task::JoinHandle::abort);
    let (answered, mebibytes) = (answered.load(Relaxed), server.peak_mebibytes());
    report("players, each saving a move a second; searches always running", format!("{players}; {SEARCHES}"), "");
    let is_good = saves.report(BOUND);
    report("searches answered meanwhile", answered, "");
    report("most memory resident", format!("{mebibytes} MiB"), format!("{MAX_MEBIBYTES} MiB"));
    is_good && answered > 0 && mebibytes <= MAX_MEBIBYTES
}

async fn search(address: SocketAddr, number: usize, answered: Arc<AtomicUsize>) -> io::Result<()> {
    let algorithm = ["ida", "astar", "bidirectional", "bfs"][number % 4];
    let body = format!(
        r#"{{"rows":4,"cols":4,"tiles":[14,15,8,12,10,11,9,13,2,6,5,1,3,7,4,0],"algorithm":"{algorithm}","limits":{{"seconds":2}}}}"#
    );
    let mut client = Client::connect(address, HERE).await?;
    loop {
        let (status, _) = client.send("POST /api/solve", body.as_bytes()).await?;
        answered.fetch_add(usize::from(status == 200), Relaxed);
    }
}

//! Servers that are killed while others play.

use std::{
    collections::HashSet,
    io,
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

use tokio::time::{sleep, timeout};

use crate::{class::save, client::Client, site::Site};

const PLAYERS: usize = 12;
const TIME: Duration = Duration::from_secs(8);
const ANSWER_TIMEOUT: Duration = Duration::from_secs(5);

/// A player of one game, with the answers to its saves.
struct Player {
    cookie: String,
    path: String,
    /// The moves of the last save that was acknowledged.
    acknowledged: usize,
    count: usize,
    /// Saves that may be stored or not: without an answer, or with the proxy's.
    unanswered: HashSet<usize>,
}

impl Player {
    async fn begin(site: SocketAddr) -> io::Result<Self> {
        let mut client = Client::connect(site, "127.0.0.1").await?;
        let (status, body) = client.send("POST /api/saves", save(0).as_bytes()).await?;
        assert_eq!(status, 201, "{body}");
        let made: serde_json::Value = serde_json::from_str(&body)?;
        let path = format!("/api/saves/{}", made["id"].as_str().unwrap());
        Ok(Self { cookie: client.cookie, path, acknowledged: 0, count: 0, unanswered: HashSet::new() })
    }

    async fn play(mut self, site: SocketAddr, stop: Arc<AtomicBool>) -> Self {
        let (line, mut moves) = (format!("PUT {}", self.path), 0);
        while !stop.load(Relaxed) {
            let mut client = Client::connect(site, "127.0.0.1").await.expect("nginx lives");
            client.cookie.clone_from(&self.cookie);
            while !stop.load(Relaxed) {
                sleep(Duration::from_millis(10)).await;
                moves += 1;
                let answer = timeout(ANSWER_TIMEOUT, client.send(&line, save(moves).as_bytes())).await;
                if let Ok(Ok((200, _))) = answer {
                    self.acknowledged = moves;
                    self.count += 1;
                } else {
                    self.unanswered.insert(moves);
                    sleep(Duration::from_millis(50)).await;
                    break;
                }
            }
        }
        self
    }

    /// The moves of the game that a server has.
    async fn find(&self, server: SocketAddr) -> usize {
        let mut client = Client::connect(server, "127.0.0.1").await.unwrap();
        client.cookie.clone_from(&self.cookie);
        let (status, body) = client.send(&format!("GET {}", self.path), b"").await.unwrap();
        assert_eq!(status, 200, "{body}");
        let save: serde_json::Value = serde_json::from_str(&body).unwrap();
        let moves = save["game"]["moves"].as_str().unwrap().len();
        assert_eq!(save["game"]["millis"], moves, "a save is there whole");
        moves
    }
}

/// Each server in turn is killed and started again while all players save through the proxy.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_acknowledged_is_there_when_servers_are_killed() {
    let Some(mut site) = Site::start(&[]) else { return };
    let stop = Arc::new(AtomicBool::new(false));
    let mut players = Vec::new();
    for _ in 0..PLAYERS {
        let player = Player::begin(site.address).await.unwrap();
        players.push(tokio::spawn(player.play(site.address, Arc::clone(&stop))));
    }
    let (began, mut kills) = (Instant::now(), 0);
    while began.elapsed() < TIME {
        sleep(Duration::from_millis(1300)).await;
        let server = &mut site.servers[kills % 2];
        server.kill();
        sleep(Duration::from_millis(500)).await;
        server.start_again();
        kills += 1;
    }
    stop.store(true, Relaxed);
    let (mut acknowledged, mut unanswered) = (0, 0);
    for player in players {
        let player = player.await.unwrap();
        let found = player.find(site.servers[0].address).await;
        assert_eq!(found, player.find(site.servers[1].address).await, "both servers say the same");
        assert!(found >= player.acknowledged, "{found} moves are there, {} were acknowledged", player.acknowledged);
        assert!(found == player.acknowledged || player.unanswered.contains(&found), "{found} moves were never sent");
        acknowledged += player.count;
        unanswered += player.unanswered.len();
    }
    println!("{kills} kills; {acknowledged} saves acknowledged, {unanswered} not");
    assert!(kills >= 2 && acknowledged > unanswered, "{kills} kills, {acknowledged} acknowledged, {unanswered} not");
}

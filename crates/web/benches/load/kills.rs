//! A server that is killed in the middle of saves.

use std::{
    io,
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    time::Duration,
};

use tokio::time::sleep;

use crate::{
    client::{Client, make, moves_of, save},
    server::Server,
};

const PLAYERS: usize = 16;

/// What became of saves that were acknowledged before the server was killed.
pub(crate) struct Lost {
    pub(crate) acknowledged: usize,
    pub(crate) lost: usize,
}

/// Kills the server so many times while players save as fast as they can.
pub(crate) async fn run(kills: usize) -> Lost {
    let data = tempfile::tempdir().expect("a directory");
    let mut server = Server::start(data.path());
    let mut games = Vec::new();
    for number in 0..PLAYERS {
        let (path, cookie) = first_save(server.address).await.unwrap_or_else(|error| panic!("save {number}: {error}"));
        games.push(Arc::new(Game { path, cookie, acknowledged: AtomicUsize::new(0) }));
    }
    let mut lost = 0;
    for kill in 0..kills {
        let address = server.address;
        let playing: Vec<_> = games.iter().map(|game| tokio::spawn(play(address, Arc::clone(game)))).collect();
        // Any moment of a save may be hit.
        sleep(Duration::from_micros(20_000 + (kill as u64 * 7919) % 80_000)).await;
        server.kill();
        for player in playing {
            // It ends with an error, for the server is gone.
            let _ = player.await;
        }
        server = Server::start(data.path());
        for game in &games {
            let found = load(server.address, game).await.unwrap_or(0);
            lost += usize::from(found < game.acknowledged.load(SeqCst));
            game.acknowledged.store(found, SeqCst);
        }
    }
    let acknowledged = games.iter().map(|game| game.acknowledged.load(SeqCst)).sum();
    Lost { acknowledged, lost }
}

struct Game {
    path: String,
    cookie: String,
    /// The moves of the last save that was acknowledged.
    acknowledged: AtomicUsize,
}

async fn first_save(address: SocketAddr) -> io::Result<(String, String)> {
    let mut client = Client::connect(address).await?;
    Ok((make(&mut client).await?, client.cookie()))
}

async fn load(address: SocketAddr, game: &Game) -> Option<usize> {
    let mut client = Client::again(address, game.cookie.clone()).await.ok()?;
    let (status, body) = client.send("GET", &game.path, "").await.ok()?;
    if status == 200 { moves_of(&body) } else { None }
}

async fn play(address: SocketAddr, game: Arc<Game>) -> io::Result<()> {
    let mut client = Client::again(address, game.cookie.clone()).await?;
    loop {
        let moves = game.acknowledged.load(SeqCst) + 1;
        let (status, _) = client.send("PUT", &game.path, &save(moves)).await?;
        if status == 200 {
            game.acknowledged.store(moves, SeqCst);
        }
    }
}

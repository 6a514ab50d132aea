//! How many searches run and wait, and what becomes of those that nobody waits for, over a real socket.

use std::{
    io,
    time::{Duration, Instant},
};

use pintu_web::{Config, Server, app};
use serde_json::json;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    sync::oneshot,
    time::{sleep, timeout},
};

use crate::solve::LONG;

struct Running {
    address: std::net::SocketAddr,
    end: oneshot::Sender<()>,
    ended: tokio::task::JoinHandle<()>,
    _data: tempfile::TempDir,
}

async fn start(workers: usize, waiting: usize) -> Running {
    let data = tempfile::tempdir().unwrap();
    let config = Config { workers, waiting, ..Config::new(data.path()) };
    let server = Server::bind(Some("127.0.0.1:0".parse().unwrap())).await.unwrap();
    let (address, app) = (server.address(), app(config).unwrap());
    let (end, told) = oneshot::channel::<()>();
    let ended = tokio::spawn(async move { server.run(app, async { _ = told.await }).await });
    Running { address, end, ended, _data: data }
}

/// A connection over which a search was asked for that takes a minute, unless it is cancelled.
async fn ask(server: &Running, accept: &str) -> io::Result<TcpStream> {
    let body = json!({ "rows": 5, "cols": 5, "tiles": LONG, "algorithm": "ida", "limits": { "seconds": 60 } });
    request(server, accept, &body.to_string()).await
}

/// The same at another address.
async fn ask_at(server: &Running, path: &str, accept: &str) -> io::Result<TcpStream> {
    let mut body = json!({ "rows": 5, "cols": 5, "tiles": LONG, "limits": { "seconds": 60 } });
    match path {
        "/api/race" => body["contestants"] = json!([{ "algorithm": "ida" }, { "algorithm": "iddfs" }]),
        "/api/path" => body = long_path(),
        _ => body["algorithm"] = json!("ida"),
    }
    request_at(server, path, accept, &body.to_string()).await
}

/// A path that iterative deepening does not find in a minute.
fn long_path() -> serde_json::Value {
    let digit = |at: usize| char::from(b'1' + (at * at * 7 / 11 + at * 5) as u8 % 9);
    let row = |row: usize| (0..200).map(|col| digit(row * 200 + col)).collect::<String>();
    let map = (0..200).map(row).collect::<Vec<_>>().join("\n");
    json!({ "map": map, "from": [0, 0], "to": [[199, 199]], "algorithm": "ida", "diagonal": "always",
            "limits": { "seconds": 60 } })
}

async fn request(server: &Running, accept: &str, body: &str) -> io::Result<TcpStream> {
    request_at(server, "/api/solve", accept, body).await
}

async fn request_at(server: &Running, path: &str, accept: &str, body: &str) -> io::Result<TcpStream> {
    let mut stream = TcpStream::connect(server.address).await?;
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: {}\r\nAccept: {accept}\r\nContent-Length: {}\r\n\r\n",
        server.address,
        body.len()
    );
    stream.write_all(head.as_bytes()).await?;
    stream.write_all(body.as_bytes()).await?;
    Ok(stream)
}

/// What comes first over a connection, if anything comes within a moment.
async fn beginning(stream: &mut TcpStream, wait: Duration) -> Option<String> {
    let mut bytes = vec![0; 4096];
    let count = timeout(wait, stream.read(&mut bytes)).await.ok()?.ok()?;
    Some(String::from_utf8_lossy(&bytes[..count]).into_owned())
}

const MOMENT: Duration = Duration::from_millis(400);

/// Asks for something easy until it is answered, and says how long that took.
async fn time_until_free(server: &Running) -> Duration {
    let easy = json!({ "rows": 2, "cols": 2, "tiles": [1, 2, 0, 3] }).to_string();
    let began = Instant::now();
    loop {
        let mut stream = request(server, "application/json", &easy).await.unwrap();
        let reply = beginning(&mut stream, Duration::from_secs(20)).await.unwrap();
        if reply.starts_with("HTTP/1.1 200") {
            return began.elapsed();
        }
        assert!(reply.starts_with("HTTP/1.1 503"), "{reply}");
        assert!(began.elapsed() < Duration::from_secs(20), "the search was not cancelled");
        sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn the_next_after_those_that_wait_is_turned_away() {
    let server = start(1, 2).await;
    let mut taken = Vec::new();
    for accept in ["application/json", "text/event-stream", "application/json"] {
        taken.push(ask(&server, accept).await.unwrap());
        sleep(Duration::from_millis(100)).await;
    }
    for accept in ["application/json", "text/event-stream"] {
        let mut refused = ask(&server, accept).await.unwrap();
        let reply = beginning(&mut refused, Duration::from_secs(5)).await.unwrap();
        assert!(reply.starts_with("HTTP/1.1 503"), "{reply}");
        assert!(reply.contains("retry-after: 2"), "{reply}");
        assert!(reply.contains(r#""code":"busy""#), "{reply}");
    }
    let waiting = beginning(&mut taken[1], MOMENT).await.expect("a stream begins at once, even while it waits");
    assert!(waiting.starts_with("HTTP/1.1 200"), "{waiting}");
    let mut health = TcpStream::connect(server.address).await.unwrap();
    health.write_all(format!("GET /api/health HTTP/1.1\r\nHost: {}\r\n\r\n", server.address).as_bytes()).await.unwrap();
    let reply = beginning(&mut health, Duration::from_secs(5)).await.unwrap();
    assert!(reply.contains(r#"{"status":"ok"}"#), "others are served meanwhile: {reply}");
    drop(taken);
    time_until_free(&server).await;
}

#[tokio::test]
async fn a_client_that_goes_away_cancels_its_search() {
    let server = start(1, 0).await;
    for accept in ["application/json", "text/event-stream"] {
        let mut stream = ask(&server, accept).await.unwrap();
        let _ = beginning(&mut stream, MOMENT).await;
        let mut other = ask(&server, accept).await.unwrap();
        let reply = beginning(&mut other, Duration::from_secs(5)).await.unwrap();
        assert!(reply.starts_with("HTTP/1.1 503"), "the search runs: {reply}");
        drop((stream, other));
        let took = time_until_free(&server).await;
        assert!(took < Duration::from_secs(5), "{accept}: {took:?}");
    }
}

#[tokio::test]
async fn so_it_is_with_races_recordings_and_paths() {
    let server = start(1, 0).await;
    for path in ["/api/race", "/api/trace", "/api/path"] {
        for accept in ["application/json", "text/event-stream"] {
            let mut stream = ask_at(&server, path, accept).await.unwrap();
            let _ = beginning(&mut stream, MOMENT).await;
            let mut other = ask_at(&server, path, accept).await.unwrap();
            let reply = beginning(&mut other, Duration::from_secs(5)).await.unwrap();
            assert!(reply.starts_with("HTTP/1.1 503"), "{path}: it runs: {reply}");
            drop((stream, other));
            let took = time_until_free(&server).await;
            assert!(took < Duration::from_secs(5), "{path}, {accept}: {took:?}");
        }
    }
}

#[tokio::test]
async fn a_client_that_goes_away_while_it_waits_leaves_its_place() {
    let server = start(1, 1).await;
    let running = ask(&server, "text/event-stream").await.unwrap();
    sleep(Duration::from_millis(100)).await;
    let waiting = ask(&server, "application/json").await.unwrap();
    sleep(Duration::from_millis(100)).await;
    drop(waiting);
    sleep(Duration::from_millis(300)).await;
    let mut next = ask(&server, "application/json").await.unwrap();
    assert_eq!(beginning(&mut next, MOMENT).await, None, "it waits in the place that was left");
    drop((running, next));
    time_until_free(&server).await;
}

#[tokio::test]
async fn a_server_ends_soon_even_in_the_middle_of_a_search() {
    let server = start(1, 1).await;
    let _running = ask(&server, "text/event-stream").await.unwrap();
    let _waiting = ask(&server, "application/json").await.unwrap();
    sleep(Duration::from_millis(200)).await;
    server.end.send(()).unwrap();
    timeout(Duration::from_secs(5), server.ended).await.expect("it ends").unwrap();
}

//! Clients that are slow, or many, over a real socket.

use std::{
    net::SocketAddr,
    time::{Duration, Instant},
};

use pintu_web::{Config, Server, app};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpSocket, TcpStream},
    time::{sleep, timeout},
};

use crate::{
    solve::{HARD, LONG},
    support::{game, named},
};

struct Running {
    address: SocketAddr,
    _data: tempfile::TempDir,
}

async fn start(change: impl FnOnce(&mut Config)) -> Running {
    start_with_patience(Duration::from_secs(20), change).await
}

async fn start_with_patience(patience: Duration, change: impl FnOnce(&mut Config)) -> Running {
    let data = tempfile::tempdir().unwrap();
    let mut config = Config::new(data.path());
    change(&mut config);
    let server = Server::bind(Some("127.0.0.1:0".parse().unwrap())).await.unwrap().with_patience(patience);
    let (address, app) = (server.address(), app(config).unwrap());
    tokio::spawn(async move { server.run(app, std::future::pending()).await });
    Running { address, _data: data }
}

impl Running {
    /// A connection from one of this machine's many addresses of its own.
    async fn connect(&self, from: &str) -> TcpStream {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind(format!("{from}:0").parse().unwrap()).unwrap();
        socket.connect(self.address).await.unwrap()
    }

    fn head(&self, method: &str, path: &str, length: usize) -> String {
        format!("{method} {path} HTTP/1.1\r\nHost: {}\r\nContent-Length: {length}\r\n\r\n", self.address)
    }

    /// Sends a request over a connection of its own, and reads the whole answer.
    async fn send(&self, from: &str, method: &str, path: &str, body: &[u8]) -> (u16, Value) {
        let mut stream = self.connect(from).await;
        stream.write_all(self.head(method, path, body.len()).as_bytes()).await.unwrap();
        stream.write_all(body).await.unwrap();
        answer(&mut stream).await
    }
}

async fn answer(stream: &mut TcpStream) -> (u16, Value) {
    let mut bytes = Vec::new();
    let length = |head: &str| {
        let line = head.lines().find_map(|line| line.strip_prefix("content-length: "));
        line.map_or(0, |length| length.trim().parse().unwrap())
    };
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n")
            && body.len() >= length(head)
        {
            let status = head.split_whitespace().nth(1).unwrap().parse().unwrap();
            return (status, serde_json::from_str(body).unwrap_or(Value::Null));
        }
        let mut part = [0; 4096];
        match stream.read(&mut part).await {
            Ok(count) if count > 0 => bytes.extend(&part[..count]),
            end => panic!("{end:?} after {text}"),
        }
    }
}

fn picture() -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    image::RgbImage::new(64, 64).write_to(&mut bytes, image::ImageFormat::Png).unwrap();
    bytes.into_inner()
}

/// Slow uploads hold no place in the queue of pictures: with one decoder and nobody allowed to wait, another
/// picture is taken while ten never come to an end.
#[tokio::test]
async fn a_slow_upload_keeps_nobody_waiting() {
    let server = start(|config| {
        config.bounds.picture_decodes = 1;
        config.bounds.picture_waiting = 0;
    })
    .await;
    let mut slow = Vec::new();
    for _ in 0..10 {
        let mut stream = server.connect("127.0.0.2").await;
        stream.write_all(server.head("POST", "/api/pictures", 100_000).as_bytes()).await.unwrap();
        stream.write_all(&[0; 1000]).await.unwrap();
        slow.push(stream);
    }
    sleep(Duration::from_millis(100)).await;
    let (status, reply) = server.send("127.0.0.3", "POST", "/api/pictures", &picture()).await;
    assert_eq!(status, 201, "{reply}");
}

#[tokio::test]
async fn a_slow_upload_is_given_up_and_told_so() {
    let server = start(|config| config.bounds.body_time = Duration::from_millis(200)).await;
    for path in ["/api/pictures", "/api/saves", "/api/solve"] {
        let mut stream = server.connect("127.0.0.2").await;
        stream.write_all(server.head("POST", path, 100_000).as_bytes()).await.unwrap();
        let (status, reply) = timeout(Duration::from_secs(5), answer(&mut stream)).await.expect("it is given up");
        assert_eq!((status, &reply["code"]), (408, &json!("timeout")), "{path}");
    }
}

#[tokio::test]
async fn what_arrives_of_one_address_is_bounded() {
    let server = start(|config| {
        config.bounds.json_bytes = 10_000;
        config.bounds.uploads_bytes_of_address = 300_000;
        config.bounds.upload_pause = Duration::MAX;
    })
    .await;
    let mut slow = Vec::new();
    for _ in 0..2 {
        let mut stream = server.connect("127.0.0.2").await;
        stream.write_all(server.head("POST", "/api/pictures", 200_000).as_bytes()).await.unwrap();
        stream.write_all(&vec![0; 140_000]).await.unwrap();
        slow.push(stream);
    }
    sleep(Duration::from_millis(200)).await;
    let (status, reply) = server.send("127.0.0.2", "POST", "/api/pictures", &vec![0; 60_000]).await;
    assert_eq!((status, &reply["code"]), (503, &json!("busy")));
    let (status, _) = server.send("127.0.0.3", "POST", "/api/pictures", &picture()).await;
    assert_eq!(status, 201, "another address has room");
    drop(slow);
    sleep(Duration::from_millis(200)).await;
    let (status, _) = server.send("127.0.0.2", "POST", "/api/pictures", &picture()).await;
    assert_eq!(status, 201, "what is gone counts no more");
}

/// Three addresses have taken all the room with pictures that never come to an end: a fourth has its maps, recordings and
/// pictures all the same. What is small needs no room, and for what is large the greediest of them makes some.
#[tokio::test]
async fn uploads_that_stand_still_keep_no_other_address_out() {
    const LENGTH: usize = 400_000;
    let server = start(|config| {
        config.bounds.json_bytes = 10_000;
        config.bounds.picture_bytes = LENGTH;
        config.bounds.uploads_bytes = 8 * LENGTH;
        config.bounds.uploads_bytes_of_address = 3 * LENGTH;
    })
    .await;
    let mut still = Vec::new();
    for from in ["127.0.0.2", "127.0.0.2", "127.0.0.2", "127.0.0.3", "127.0.0.3", "127.0.0.3", "127.0.0.4", "127.0.0.4"]
    {
        let mut stream = server.connect(from).await;
        stream.write_all(server.head("POST", "/api/pictures", LENGTH).as_bytes()).await.unwrap();
        stream.write_all(&vec![0xff; LENGTH - 1]).await.unwrap();
        still.push(stream);
    }
    sleep(Duration::from_millis(300)).await;
    let map = json!({ "map": "S.G\n" }).to_string();
    let board = json!({ "rows": 3, "cols": 3, "tiles": [1, 2, 3, 4, 5, 6, 7, 0, 8] }).to_string();
    for (path, body) in [("/api/path", map.as_bytes()), ("/api/trace", board.as_bytes())] {
        assert_eq!(server.send("127.0.0.9", "POST", path, body).await.0, 200, "{path}");
    }
    assert_eq!(server.send("127.0.0.9", "POST", "/api/pictures", &picture()).await.0, 201);
    let (status, reply) = server.send("127.0.0.9", "POST", "/api/pictures", &vec![0; 300_000]).await;
    assert_eq!((status, &reply["code"]), (415, &json!("not-a-picture")), "it came whole");
    let first = first_answer(&mut still).await;
    assert_eq!((first.0, &first.1["code"]), (503, &json!("busy")), "one of those that have most was told to go");
}

/// The first answer that comes over any of these connections.
async fn first_answer(streams: &mut [TcpStream]) -> (u16, Value) {
    loop {
        for stream in &mut *streams {
            let mut byte = [0];
            if let Ok(Ok(1)) = timeout(Duration::from_millis(20), stream.peek(&mut byte)).await {
                return answer(stream).await;
            }
        }
    }
}

/// Of three hundred connections that say nothing, the oldest make room; who speaks is heard, even from the
/// same address.
#[tokio::test]
async fn an_address_with_too_many_connections_loses_the_idle_ones() {
    let server = start(|_| ()).await;
    let mut speaking = server.connect("127.0.0.2").await;
    let mut idle = Vec::new();
    for _ in 0..300 {
        idle.push(server.connect("127.0.0.2").await);
    }
    for _ in 0..3 {
        speaking = match timeout(Duration::from_secs(5), speak(&server, speaking)).await.unwrap() {
            Some(stream) => stream,
            // It was among the oldest itself; a browser opens another.
            None => server.connect("127.0.0.2").await,
        };
    }
    let mut ended = 0;
    for stream in &mut idle {
        let mut byte = [0];
        let now = timeout(Duration::from_millis(5), stream.read(&mut byte)).await;
        ended += usize::from(matches!(now, Ok(Ok(0) | Err(_))));
    }
    assert!((44..=60).contains(&ended), "{ended} of 300 had to go, for 256 may stay");
    assert_eq!(server.send("127.0.0.3", "GET", "/api/health", b"").await.0, 200, "others are not concerned");
}

async fn speak(server: &Running, mut stream: TcpStream) -> Option<TcpStream> {
    stream.write_all(server.head("GET", "/api/health", 0).as_bytes()).await.ok()?;
    let mut bytes = [0; 2048];
    let count = stream.read(&mut bytes).await.ok().filter(|&count| count > 0)?;
    assert!(bytes[..count].starts_with(b"HTTP/1.1 200"));
    Some(stream)
}

/// One client asks for nine long searches on one worker; another one's search is answered in a little more
/// than what a search may take while others wait.
#[tokio::test]
async fn one_client_cannot_take_all_workers() {
    let server = start(|config| {
        config.workers = 1;
        config.waiting = 8;
        config.bounds.usual_search_time = Duration::from_millis(300);
    })
    .await;
    let long =
        json!({ "rows": 5, "cols": 5, "tiles": LONG, "algorithm": "ida", "limits": { "seconds": 60 } }).to_string();
    let mut greedy = Vec::new();
    for _ in 0..9 {
        let mut stream = server.connect("127.0.0.2").await;
        stream.write_all(server.head("POST", "/api/solve", long.len()).as_bytes()).await.unwrap();
        stream.write_all(long.as_bytes()).await.unwrap();
        greedy.push(stream);
    }
    sleep(Duration::from_millis(300)).await;
    let (status, reply) = server.send("127.0.0.2", "POST", "/api/solve", long.as_bytes()).await;
    assert_eq!((status, &reply["code"]), (503, &json!("busy")), "its own queue is full");
    let small = json!({ "rows": 3, "cols": 3, "tiles": [0, 1, 3, 4, 2, 5, 7, 8, 6] }).to_string();
    let began = Instant::now();
    let (status, reply) = server.send("127.0.0.3", "POST", "/api/solve", small.as_bytes()).await;
    assert_eq!((status, &reply["status"]), (200, &json!("solved")), "{reply}");
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
    let (status, reply) = answer(&mut greedy[0]).await;
    assert_eq!((status, &reply["reason"]), (200, &json!("cancelled")), "the first had its share: {reply}");
    let (status, reply) = answer(&mut greedy[8]).await;
    assert_eq!((status, &reply["code"]), (503, &json!("busy")), "the last made room");
}

/// Who asks and asks and reads nothing is cut off.
#[tokio::test]
async fn a_slow_reader_is_given_up() {
    let server = start_with_patience(Duration::from_millis(300), |config| config.metrics = true).await;
    let mut stream = server.connect("127.0.0.2").await;
    let head = server.head("GET", "/api/health", 0);
    let asking = async { while stream.write_all(head.as_bytes()).await.is_ok() {} };
    timeout(Duration::from_secs(30), asking).await.expect("it is cut off");
    let mut other = server.connect("127.0.0.3").await;
    other.write_all(server.head("GET", "/metrics", 0).as_bytes()).await.unwrap();
    let mut text = String::new();
    while !text.contains("pintu_connections ") {
        let mut bytes = [0; 4096];
        let count = other.read(&mut bytes).await.unwrap();
        text.push_str(&String::from_utf8_lossy(&bytes[..count]));
    }
    assert!(text.contains("pintu_connections 1\n"), "only the one that asks is left: {text}");
}

/// Who reads slowly but steadily has everything, however much the system could have taken for it at once. (All is quicker
/// than in life by the same factor: the server's patience and the reader.)
#[tokio::test]
async fn a_slow_but_steady_reader_has_everything() {
    const BYTES_A_SECOND: f64 = 2e6;
    let server = start_with_patience(Duration::from_millis(200), |_| ()).await;
    let body = json!({
        "rows": 4, "cols": 4, "tiles": HARD, "algorithm": "bfs", "form": "posthoc", "events": 40_000,
        "limits": { "nodes": 15_000 }
    });
    let mut stream = server.connect("127.0.0.2").await;
    let (head, body) = (server.head("POST", "/api/trace", body.to_string().len()), body.to_string());
    stream.write_all((head + &body).as_bytes()).await.unwrap();
    let (mut bytes, mut text, began) = (vec![0; 20_000], Vec::new(), Instant::now());
    // The last chunk of the body says that it is the last.
    while !text.ends_with(b"\r\n0\r\n\r\n") {
        let count = timeout(Duration::from_secs(10), stream.read(&mut bytes)).await.unwrap().unwrap();
        assert!(count > 0, "it was cut off after {} bytes", text.len());
        text.extend(&bytes[..count]);
        let due = Duration::from_secs_f64(text.len() as f64 / BYTES_A_SECOND);
        sleep(due.saturating_sub(began.elapsed())).await;
    }
    assert!(text.len() > 6_000_000, "it was more than systems take at once: {}", text.len());
}

#[tokio::test]
async fn saves_are_taken_while_others_search_and_stall() {
    let server = start(|config| config.workers = 1).await;
    let mut stalled = Vec::new();
    for _ in 0..50 {
        let mut stream = server.connect("127.0.0.2").await;
        stream.write_all(server.head("POST", "/api/saves", 5000).as_bytes()).await.unwrap();
        stalled.push(stream);
    }
    let body = named("a", &game()).to_string();
    let (status, reply) = server.send("127.0.0.3", "POST", "/api/saves", body.as_bytes()).await;
    assert_eq!(status, 201, "{reply}");
}

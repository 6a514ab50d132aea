//! Clients that are slow, or many, over a real socket.

use std::time::{Duration, Instant};

use serde_json::json;
use tokio::{
    io::AsyncReadExt,
    time::{sleep, timeout},
};

use crate::{
    socket::{answer, start},
    support::{HARD, LONG, game, jpeg, metrics, named},
};

fn picture() -> Vec<u8> {
    jpeg(64, 64, |_, _| [0; 3])
}

/// Slow uploads are not in the queue of the decoders: with one decoder and an empty queue, another picture is accepted while
/// ten never end; and a save.
#[tokio::test]
async fn a_slow_upload_delays_nobody() {
    let server = start(|config| {
        config.bounds.picture_decodes = 1;
        config.bounds.picture_waiting = 0;
    })
    .await;
    let mut slow = Vec::new();
    for path in ["/api/pictures", "/api/saves"].repeat(10) {
        slow.push(server.begin("127.0.0.2", path, 100_000, &[0; 1000]).await);
    }
    sleep(Duration::from_millis(100)).await;
    let save = named("a", &game()).to_string().into_bytes();
    for (line, body) in [("POST /api/pictures", picture()), ("POST /api/saves", save)] {
        let (status, reply) = server.send("127.0.0.3", line, &body).await;
        assert_eq!(status, 201, "{line}: {reply}");
    }
}

#[tokio::test]
async fn a_slow_upload_times_out() {
    let server = start(|config| config.bounds.body_time = Duration::from_millis(200)).await;
    for path in ["/api/pictures", "/api/saves", "/api/solve"] {
        let mut stream = server.begin("127.0.0.2", path, 100_000, b"").await;
        let (status, reply) = timeout(Duration::from_secs(5), answer(&mut stream)).await.expect("a timeout");
        assert_eq!((status, &reply["code"]), (408, &json!("timeout")), "{path}");
    }
}

/// Two addresses use up the limit of all with uploads that never end. Nobody's upload is ended for another's; bodies that are
/// no larger than any JSON do not count, and are accepted from everybody.
#[tokio::test]
async fn uploads_in_flight_are_bounded_per_address_and_in_total() {
    const LENGTH: usize = 400_000;
    let server = start(|config| {
        config.bounds.json_bytes = 10_000;
        config.bounds.picture_bytes = LENGTH;
        config.bounds.uploads_bytes = 3 * LENGTH;
        config.bounds.uploads_bytes_of_address = 2 * LENGTH;
    })
    .await;
    let mut stalled = Vec::new();
    for from in ["127.0.0.2", "127.0.0.2", "127.0.0.3"] {
        stalled.push(server.begin(from, "/api/pictures", LENGTH, &vec![0xff; LENGTH - 1]).await);
    }
    sleep(Duration::from_millis(300)).await;
    let large = async |from| server.send(from, "POST /api/pictures", &vec![0; 300_000]).await;
    for from in ["127.0.0.2", "127.0.0.9"] {
        let (status, reply) = large(from).await;
        assert_eq!((status, &reply["code"]), (503, &json!("busy")), "{from}");
    }
    let map = json!({ "map": "S.G\n" }).to_string();
    let board = json!({ "rows": 3, "cols": 3, "tiles": [1, 2, 3, 4, 5, 6, 7, 0, 8] }).to_string();
    for (line, body, status) in [
        ("POST /api/path", map.as_bytes(), 200),
        ("POST /api/trace", board.as_bytes(), 200),
        ("POST /api/pictures", &picture(), 201),
    ] {
        assert_eq!(server.send("127.0.0.9", line, body).await.0, status, "{line}");
    }
    let mut last = stalled.pop().unwrap();
    tokio::io::AsyncWriteExt::write_all(&mut last.stream, &[0]).await.unwrap();
    assert_eq!(answer(&mut last).await.0, 415, "it arrived whole");
    drop(last);
    assert_eq!(large("127.0.0.9").await.0, 415, "ended uploads count no more");
    assert_eq!(large("127.0.0.2").await.0, 503, "those of its address go on");
}

/// Of three hundred connections of one address 256 are open, and stay so; the others are closed at once.
#[tokio::test]
async fn an_address_has_a_limited_number_of_connections() {
    // Otherwise the addresses of this machine are those of proxies.
    let server = start(|config| config.trusted_proxies.clear()).await;
    let mut clients = Vec::new();
    for _ in 0..300 {
        clients.push(server.connect("127.0.0.2").await);
    }
    let (mut open, mut closed) = (Vec::new(), 0);
    for mut client in clients {
        match client.send("GET /api/health", b"").await {
            Ok((200, _)) => open.push(client),
            _ => closed += 1,
        }
    }
    assert_eq!((open.len(), closed), (256, 44));
    assert_eq!(server.send("127.0.0.3", "GET /api/health", b"").await.0, 200, "other addresses are not affected");
    open.pop();
    sleep(Duration::from_millis(200)).await;
    assert_eq!(server.send("127.0.0.2", "GET /api/health", b"").await.0, 200, "closed ones count no more");
}

/// One client asks for nine long searches on one worker; another one's search is answered soon after a search's time share.
#[tokio::test]
async fn one_client_cannot_take_all_workers() {
    let server = start(|config| {
        config.bounds.workers = 1;
        config.bounds.waiting = 8;
        config.bounds.usual_search_time = Duration::from_millis(300);
    })
    .await;
    let long = json!({ "rows": 5, "cols": 5, "tiles": LONG, "algorithm": "ida", "limits": { "seconds": 60 } });
    let mut greedy = Vec::new();
    for _ in 0..9 {
        greedy.push(server.post("127.0.0.2", "/api/solve", "*/*", &long).await);
    }
    sleep(Duration::from_millis(300)).await;
    let (status, reply) = server.send("127.0.0.2", "POST /api/solve", long.to_string().as_bytes()).await;
    assert_eq!((status, &reply["code"]), (503, &json!("busy")), "the queue is full");
    let small = json!({ "rows": 3, "cols": 3, "tiles": [0, 1, 3, 4, 2, 5, 7, 8, 6] }).to_string();
    let began = Instant::now();
    let (status, reply) = server.send("127.0.0.3", "POST /api/solve", small.as_bytes()).await;
    assert_eq!((status, &reply["status"]), (200, &json!("solved")), "{reply}");
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
    let (status, reply) = answer(&mut greedy[0]).await;
    assert_eq!((status, &reply["reason"]), (200, &json!("cancelled")), "the first used up its time share: {reply}");
}

#[tokio::test]
async fn a_client_that_does_not_read_is_disconnected() {
    let server = start(|config| config.bounds.write_time = Duration::from_millis(300)).await;
    let mut client = server.connect("127.0.0.2").await;
    let asking = async { while client.begin("GET /api/health", "*/*", 0, b"").await.is_ok() {} };
    timeout(Duration::from_secs(30), asking).await.expect("it is disconnected");
    let text = metrics(&server.service).await;
    assert!(text.contains("pintu_connections 0\n"), "none is left: {text}");
}

/// A slow but steady reader gets everything, however large the system's buffers could be. (Timeout and reader are quicker than
/// in life by the same factor.)
#[tokio::test]
async fn a_slow_but_steady_reader_gets_everything() {
    const BYTES_PER_SECOND: f64 = 4e6;
    let server = start(|config| config.bounds.write_time = Duration::from_millis(200)).await;
    let body = json!({
        "rows": 4, "cols": 4, "tiles": HARD, "algorithm": "bfs", "form": "posthoc", "events": 80_000,
        "limits": { "nodes": 30_000 }
    });
    let mut client = server.post("127.0.0.2", "/api/trace", "*/*", &body).await;
    let (mut bytes, mut text, began) = (vec![0; 20_000], Vec::new(), Instant::now());
    // The end of the last chunk.
    while !text.ends_with(b"\r\n0\r\n\r\n") {
        let count = timeout(Duration::from_secs(10), client.stream.read(&mut bytes)).await.unwrap().unwrap();
        assert!(count > 0, "disconnected after {} bytes", text.len());
        text.extend(&bytes[..count]);
        let due = Duration::from_secs_f64(text.len() as f64 / BYTES_PER_SECOND);
        sleep(due.saturating_sub(began.elapsed())).await;
    }
    assert!(text.len() > 6_000_000, "more than systems buffer: {}", text.len());
}

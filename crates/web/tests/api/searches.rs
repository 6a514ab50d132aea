//! The number of running and queued searches, and searches whose clients have gone, over a real socket.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::{
    io::AsyncReadExt,
    time::{sleep, timeout},
};

use crate::{
    client::Client,
    socket::{Running, answer, start},
    support::LONG,
};

async fn start_with(workers: usize, waiting: usize) -> Running {
    start(|config| (config.bounds.workers, config.bounds.waiting) = (workers, waiting)).await
}

/// A connection over which a search was asked for that takes a minute, unless it is cancelled.
async fn ask(server: &Running, path: &str, accept: &str) -> Client {
    let mut body = json!({ "rows": 5, "cols": 5, "tiles": LONG, "limits": { "seconds": 60 } });
    match path {
        "/api/race" => body["contestants"] = json!([{ "algorithm": "ida" }, { "algorithm": "iddfs" }]),
        "/api/path" => body = long_path(),
        _ => body["algorithm"] = json!("ida"),
    }
    server.post("127.0.0.1", path, accept, &body).await
}

/// A path that iterative deepening does not find in a minute.
fn long_path() -> Value {
    let digit = |at: usize| char::from(b'1' + (at * at * 7 / 11 + at * 5) as u8 % 9);
    let row = |row: usize| (0..200).map(|col| digit(row * 200 + col)).collect::<String>();
    let map = (0..200).map(row).collect::<Vec<_>>().join("\n");
    json!({ "map": map, "from": [0, 0], "to": [[199, 199]], "algorithm": "ida", "diagonal": "always",
            "limits": { "seconds": 60 } })
}

/// The first bytes of a response, if some come in time.
async fn beginning(client: &mut Client, wait: Duration) -> Option<String> {
    let mut bytes = vec![0; 4096];
    let count = timeout(wait, client.stream.read(&mut bytes)).await.ok()?.ok()?;
    Some(String::from_utf8_lossy(&bytes[..count]).into_owned())
}

const MOMENT: Duration = Duration::from_millis(400);

/// Asks for an easy search until it is answered; how long that took.
async fn time_until_free(server: &Running) -> Duration {
    let easy = json!({ "rows": 2, "cols": 2, "tiles": [1, 2, 0, 3] });
    let began = Instant::now();
    loop {
        let mut stream = server.post("127.0.0.1", "/api/solve", "application/json", &easy).await;
        match answer(&mut stream).await.0 {
            200 => return began.elapsed(),
            status => assert_eq!(status, 503),
        }
        assert!(began.elapsed() < Duration::from_secs(20), "the search was not cancelled");
        sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn a_search_beyond_the_queues_limit_is_refused() {
    let server = start_with(1, 2).await;
    let mut taken = Vec::new();
    for accept in ["application/json", "text/event-stream", "application/json"] {
        taken.push(ask(&server, "/api/solve", accept).await);
        sleep(Duration::from_millis(100)).await;
    }
    for accept in ["application/json", "text/event-stream"] {
        let mut refused = ask(&server, "/api/solve", accept).await;
        let reply = beginning(&mut refused, Duration::from_secs(5)).await.unwrap();
        for part in ["HTTP/1.1 503", "retry-after: 2", r#""code":"busy""#] {
            assert!(reply.contains(part), "{reply}");
        }
    }
    let waiting = beginning(&mut taken[1], MOMENT).await.expect("a stream begins at once, even while it waits");
    assert!(waiting.starts_with("HTTP/1.1 200"), "{waiting}");
    let health = server.send("127.0.0.1", "GET /api/health", b"").await;
    assert_eq!(health, (200, json!({ "status": "ok" })), "other requests are answered meanwhile");
    drop(taken);
    time_until_free(&server).await;
}

#[tokio::test]
async fn a_search_is_cancelled_when_its_client_has_gone() {
    let server = start_with(1, 0).await;
    for path in ["/api/solve", "/api/race", "/api/trace", "/api/path"] {
        for accept in ["application/json", "text/event-stream"] {
            let mut stream = ask(&server, path, accept).await;
            let _ = beginning(&mut stream, MOMENT).await;
            let mut other = ask(&server, path, accept).await;
            assert_eq!(answer(&mut other).await.0, 503, "{path}: the search runs");
            drop((stream, other));
            let took = time_until_free(&server).await;
            assert!(took < Duration::from_secs(10), "{path}, {accept}: {took:?}");
        }
    }
}

#[tokio::test]
async fn a_client_that_goes_away_while_it_waits_leaves_the_queue() {
    let server = start_with(1, 1).await;
    let running = ask(&server, "/api/solve", "text/event-stream").await;
    sleep(Duration::from_millis(100)).await;
    let waiting = ask(&server, "/api/solve", "application/json").await;
    sleep(Duration::from_millis(100)).await;
    drop(waiting);
    sleep(Duration::from_millis(300)).await;
    let mut next = ask(&server, "/api/solve", "application/json").await;
    assert_eq!(beginning(&mut next, MOMENT).await, None, "it waits in the queue");
    drop((running, next));
    time_until_free(&server).await;
}

#[tokio::test]
async fn a_bad_request_is_refused_however_long_it_waits_for_a_worker() {
    let server = start_with(1, 2).await;
    let running = ask(&server, "/api/solve", "application/json").await;
    sleep(Duration::from_millis(100)).await;
    let bad_board = json!({ "rows": 3, "cols": 3, "tiles": [1, 2, 3, 4, 5, 6, 0, 7, 8], "wrap_rows": [2],
                            "heuristic": "walking-distance" });
    let mut refused = server.post("127.0.0.1", "/api/solve", "text/event-stream", &bad_board).await;
    assert_eq!(answer(&mut refused).await.0, 400, "a board is checked before it waits");
    let bad_map = json!({ "map": "S.\n.G\n", "weight": 2 });
    let mut waiting = server.post("127.0.0.1", "/api/path", "text/event-stream", &bad_map).await;
    assert_eq!(beginning(&mut waiting, MOMENT).await, None, "a map is checked by a worker");
    drop(running);
    assert_eq!(answer(&mut waiting).await.0, 400);
}

#[tokio::test]
async fn a_server_ends_soon_even_in_the_middle_of_a_search() {
    let server = start_with(1, 1).await;
    let _running = ask(&server, "/api/solve", "text/event-stream").await;
    let _waiting = ask(&server, "/api/solve", "application/json").await;
    sleep(Duration::from_millis(200)).await;
    server.end.send(()).unwrap();
    timeout(Duration::from_secs(10), server.ended).await.expect("it ends").unwrap();
}

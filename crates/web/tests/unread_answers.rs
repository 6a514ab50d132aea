//! The memory of answers that clients do not read, by the allocator's own count.

#[path = "api/support.rs"]
#[allow(dead_code, reason = "the other tests need more of it")]
mod support;

use axum::{body::Body, response::Response};
use http_body_util::BodyExt;
use pintu_testing::Counting;
use pintu_web::Config;
use serde_json::{Value, json};
use support::{HARD, browser_with, with};

#[global_allocator]
static MEMORY: Counting = Counting::new();

const MIB: u64 = 1 << 20;

fn shrink(config: &mut Config) {
    config.bounds.workers = 1;
    config.bounds.search_bytes = 128 * MIB;
    config.bounds.answers_bytes = 4 << 20;
    config.bounds.answers_bytes_of_address = 4 << 20;
    config.bounds.maps_bytes = 16 * MIB;
}

/// The text of a map of which everything can be reached, at costs of many digits.
fn large_map(side: usize) -> String {
    let row = |row: usize| (0..side).map(|col| char::from(b'1' + ((row * 7 + col * 3) % 9) as u8)).collect::<String>();
    (0..side).map(row).collect::<Vec<_>>().join("\n")
}

/// Four of each kind of long answer are requested, and none is read. One test, for the whole process is counted.
#[tokio::test]
async fn answers_that_nobody_reads_stay_within_their_bounds() {
    let (mut most, mut answers) = (0, 0);
    let browser = browser_with(|config| {
        shrink(config);
        (most, answers) = (config.most_bytes_of_searches(), config.bounds.answers_bytes as u64);
    });
    let ask = async |path: &str, body: &Value, headers: &[(&str, &str)]| -> Response {
        browser.stranger().open("POST", path, headers, Body::from(body.to_string())).await
    };
    let board = json!({ "rows": 4, "cols": 4, "tiles": HARD, "algorithm": "bfs", "limits": { "nodes": 20_000 } });
    let posthoc = with(&board, "form", json!("posthoc"));
    let map =
        json!({ "map": large_map(400), "from": [0, 0], "diagonal": "always", "distances": true, "directions": true });
    let stream = [("accept", "text/event-stream")];
    let asked = [("/api/trace", posthoc), ("/api/trace", board), ("/api/path", map)];
    let asked = asked.iter().flat_map(|(path, body)| [(*path, body, &[][..]), (*path, body, &stream[..])]);
    for (path, body, headers) in asked {
        let before = MEMORY.held();
        MEMORY.forget_peak();
        let (mut unread, mut refused) = (Vec::new(), 0);
        for _ in 0..4 {
            let mut reply = ask(path, body, headers).await;
            match reply.status().as_u16() {
                200 if is_there(&mut reply, !headers.is_empty()).await => unread.push(reply),
                200 | 503 => refused += 1,
                other => panic!("{path}: {other}"),
            }
        }
        let (held, peak) = (MEMORY.held() - before, MEMORY.peak() - before);
        println!("{path} {headers:?}: {held} bytes of {} held, at most {peak}, {refused} refused", unread.len());
        assert!(peak <= most, "{path} took {} MiB, expected at most {}", peak / MIB, most / MIB);
        assert!(held <= answers + 16 * MIB, "{path}: {} MiB wait to be read", held / MIB);
        assert!(unread.len() > 1, "{path}");
        assert!(refused > 0 || body["form"] != "posthoc", "{path}: {} of 4 fit", unread.len());
        // An accepted answer is whole, however late it is read.
        let text = unread.swap_remove(0).into_body().collect().await.unwrap().to_bytes();
        check(path, body, headers.is_empty(), &text);
        drop(unread);
        // The task of a stream notices in a moment that its client has gone.
        let mut tries = 0;
        while !is_there(&mut ask(path, body, headers).await, !headers.is_empty()).await {
            tries += 1;
            assert!(tries < 100, "dropped answers count no more");
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    }
}

/// Whether an answer has come; of a stream, only the events before it are read.
async fn is_there(reply: &mut Response, is_stream: bool) -> bool {
    while is_stream && reply.status() == 200 {
        let frame = reply.body_mut().frame().await.unwrap().unwrap().into_data().unwrap();
        if !frame.starts_with(b"event: progress") {
            return !frame.starts_with(b"event: error");
        }
    }
    reply.status() == 200
}

fn check(path: &str, body: &Value, is_plain: bool, text: &[u8]) {
    if !is_plain {
        assert!(text.ends_with(b"\n\n") && text.len() > 200_000, "{path}");
    } else if body["form"] == "posthoc" {
        let document: Value = serde_json::from_slice(text).unwrap();
        let events = document["events"].as_array().unwrap();
        assert_eq!(events.last().unwrap()["answer"]["expanded"], 20_000);
        assert!(events.len() > 50_000);
    } else if path == "/api/trace" {
        let length = u32::from_le_bytes(text[4..8].try_into().unwrap()) as usize;
        let header: Value = serde_json::from_slice(&text[8..8 + length]).unwrap();
        let last = &header["arrays"]["on_path"];
        let end = last["offset"].as_u64().unwrap() + last["length"].as_u64().unwrap();
        assert_eq!(text.len() as u64, end.next_multiple_of(8));
    } else {
        let document: Value = serde_json::from_slice(text).unwrap();
        assert_eq!(document["distances"].as_array().unwrap().len(), 400);
    }
}

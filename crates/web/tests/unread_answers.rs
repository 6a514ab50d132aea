//! The memory of answers that clients do not read, by the allocator's own count.

#[path = "api/support.rs"]
#[allow(dead_code, reason = "the other tests need more of it")]
mod support;

use axum::{body::Body, response::Response};
use base64::{Engine, prelude::BASE64_STANDARD};
use http_body_util::BodyExt;
use pintu_testing::Counting;
use pintu_web::Config;
use serde_json::{Value, json};
use support::{HARD, browser_with, jpeg, with};

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
                200 => match arrived(&mut reply, !headers.is_empty()).await {
                    Some(address) => unread.push((reply, address)),
                    None => refused += 1,
                },
                503 => refused += 1,
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
        let (first, address) = unread.swap_remove(0);
        let text = match &address {
            Some(address) => {
                let fetched = browser.stranger().open("GET", address, &[], Body::empty()).await;
                fetched.into_body().collect().await.unwrap().to_bytes()
            }
            None => first.into_body().collect().await.unwrap().to_bytes(),
        };
        check(path, body, headers.is_empty() || address.is_some(), &text);
        drop(unread);
        // The task of a stream notices in a moment that its client has gone.
        let mut tries = 0;
        while arrived(&mut ask(path, body, headers).await, !headers.is_empty()).await.is_none() {
            tries += 1;
            assert!(tries < 100, "dropped answers count no more");
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    }
    exports_hold_a_picture_each().await;
}

/// Exports of four pictures that are stalled where the first begins.
async fn exports_hold_a_picture_each() {
    const EXPORTS: usize = 4;
    let mut browser = browser_with(|_| ());
    let mut pictures = Vec::new();
    for number in 0..4_u32 {
        let noise = |x: u16, y: u16| {
            let mixed = (u32::from(x) * 2000 + u32::from(y) + number * 7).wrapping_mul(0x9e37_79b1);
            [(mixed >> 24) as u8, (mixed >> 16) as u8, (mixed >> 8) as u8]
        };
        let id = browser.post_picture(jpeg(900, 900, noise)).await;
        pictures.push((browser.get(&format!("/api/pictures/{id}")).await.body, id));
    }
    let size = pictures.iter().map(|(bytes, _)| bytes.len() as u64).max().unwrap();
    assert!(size > 500_000, "{size}");
    let before = MEMORY.held();
    MEMORY.forget_peak();
    let mut stalled = Vec::new();
    for _ in 0..EXPORTS {
        let mut reply = browser.open("GET", "/api/data", &[], Body::empty()).await;
        let mut text = Vec::new();
        while !text.ends_with(b"\"pictures\":{") {
            text.extend_from_slice(&reply.body_mut().frame().await.unwrap().unwrap().into_data().unwrap());
        }
        stalled.push((reply, text));
    }
    let mut tries = 0;
    while MEMORY.held() - before < EXPORTS as u64 * size * 9 / 10 && tries < 500 {
        tries += 1;
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    tokio::time::sleep(std::time::Duration::from_millis(200)).await;
    let peak = MEMORY.peak() - before;
    let most = EXPORTS as u64 * size * 3 / 2 + MIB;
    assert!(peak <= most, "{EXPORTS} exports held {peak} bytes, expected at most {most}");
    let (reply, mut text) = stalled.pop().unwrap();
    text.extend(reply.into_body().collect().await.unwrap().to_bytes());
    let file: Value = serde_json::from_slice(&text).unwrap();
    for (bytes, id) in pictures {
        let data = file["pictures"][&id].as_str().unwrap().trim_start_matches("data:image/jpeg;base64,");
        assert!(BASE64_STANDARD.decode(data).unwrap() == bytes);
    }
}

/// Waits for an answer, and says where it can be fetched if that is elsewhere; nothing if there is none. Of a stream, only
/// the events before it are read, and what names a recording.
async fn arrived(reply: &mut Response, is_stream: bool) -> Option<Option<String>> {
    while is_stream && reply.status() == 200 {
        let frame = reply.body_mut().frame().await.unwrap().unwrap().into_data().unwrap();
        let text = String::from_utf8_lossy(&frame);
        if !text.starts_with("event: progress") {
            let address = text.split_once("\"href\":\"").and_then(|(_, rest)| rest.split('"').next());
            return (!text.starts_with("event: error")).then(|| address.map(str::to_owned));
        }
    }
    (reply.status() == 200).then_some(None)
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

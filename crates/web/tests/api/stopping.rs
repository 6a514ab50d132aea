//! Streamed searches that their clients stop, and what they have found then.

use axum::body::{Body, BodyDataStream};
use serde_json::{Value, json};
use tokio_stream::StreamExt;

use crate::{
    support::{Browser, HARD, browser, events_in},
    trace::Recording,
};

struct Stream {
    id: String,
    parts: BodyDataStream,
    text: String,
}

impl Stream {
    async fn open(browser: &mut Browser, path: &str, body: &Value) -> Self {
        let accept = [("accept", "text/event-stream")];
        let response = browser.open("POST", path, &accept, Body::from(body.to_string())).await;
        assert_eq!(response.status().as_u16(), 200);
        let id = response.headers()["x-search"].to_str().unwrap().to_owned();
        Self { id, parts: response.into_body().into_data_stream(), text: String::new() }
    }

    async fn until(&mut self, is_far: impl Fn(&Value) -> bool) {
        loop {
            let whole = self.text.rfind("\n\n").unwrap_or(0);
            if events_in(&self.text[..whole]).iter().any(|(_, data)| is_far(data)) {
                return;
            }
            let part = self.parts.next().await.expect("it goes on").unwrap();
            self.text.push_str(std::str::from_utf8(&part).unwrap());
        }
    }

    /// Reads the last event. The stream of a recording stays open after it.
    async fn last(&mut self) -> (String, Value) {
        loop {
            let whole = self.text.rfind("\n\n").unwrap_or(0);
            if let Some(last) = events_in(&self.text[..whole]).pop().filter(|(name, _)| name != "progress") {
                return last;
            }
            let part = self.parts.next().await.expect("it goes on").unwrap();
            self.text.push_str(std::str::from_utf8(&part).unwrap());
        }
    }

    async fn stop(&mut self, browser: &mut Browser) -> (String, Value) {
        let path = format!("/api/searches/{}", self.id);
        assert_eq!(browser.delete(&path).await.status, 204);
        let last = self.last().await;
        browser.delete(&path).await.assert_error(404, "not-found");
        last
    }
}

#[tokio::test]
async fn stopped_averages_are_of_the_boards_that_all_contestants_have_done() {
    let mut browser = browser();
    let ask = |count: usize| {
        json!({ "rows": 3, "cols": 3, "contestants": [{ "algorithm": "bfs" }, { "algorithm": "wastar", "heuristic": "manhattan" }],
                "scrambles": { "count": count, "seed": 7 }, "limits": { "seconds": 60 } })
    };
    let mut stream = Stream::open(&mut browser, "/api/race", &ask(1000)).await;
    stream.until(|rows| rows[0]["boards"].as_u64() >= Some(2)).await;
    let (event, ended) = stream.stop(&mut browser).await;
    assert_eq!(event, "result");
    let number = |value: &Value| usize::try_from(value.as_u64().unwrap()).unwrap();
    let done = number(&ended[0]["boards"]) - number(&ended[0]["unanswered"]);
    assert!((2..1000).contains(&done), "{ended}");
    let whole = browser.post("/api/race", &ask(done)).await.json();
    for (ended, whole) in ended.as_array().unwrap().iter().zip(whole.as_array().unwrap()) {
        assert_eq!(
            (&ended["boards"], &ended["solved"], &ended["status"]),
            (&json!(1000), &json!(done), &json!("limit"))
        );
        assert_eq!((&whole["boards"], &whole["solved"], whole.get("unanswered")), (&json!(done), &json!(done), None));
        for field in ["contestant", "length", "expanded", "generated", "seed"] {
            assert_eq!(ended[field], whole[field], "{field}");
        }
        assert_eq!(ended["spread"]["expanded"], whole["spread"]["expanded"]);
    }
}

#[tokio::test]
async fn a_stopped_search_sends_its_recording() {
    let mut browser = browser();
    let body = json!({ "rows": 4, "cols": 4, "tiles": HARD, "algorithm": "bfs", "limits": { "seconds": 60 } });
    let mut stream = Stream::open(&mut browser, "/api/trace", &body).await;
    stream.until(|row| row["recorded"].as_u64() > Some(1000)).await;
    let (event, data) = stream.stop(&mut browser).await;
    assert_eq!(event, "recording");
    let recording = Recording::of_event(&mut browser, &data).await;
    let answer = &recording.header["answer"];
    assert_eq!((&answer["status"], &answer["reason"]), (&json!("limit"), &json!("cancelled")));
    assert!(recording.array("what").len() > 1000);
    assert_eq!(recording.header["counts"]["expanded"], answer["expanded"]);
}

/// It waits for its client as long as the client's stream is open, and is fetched once.
#[tokio::test]
async fn a_recording_is_fetched_once_while_its_stream_is_open() {
    let mut browser = browser();
    let body = json!({ "rows": 3, "cols": 3, "tiles": [8, 1, 3, 4, 0, 2, 7, 6, 5], "algorithm": "astar" });
    let mut stream = Stream::open(&mut browser, "/api/trace", &body).await;
    let (event, data) = stream.last().await;
    let address = data["href"].as_str().unwrap().to_owned();
    assert_eq!((event.as_str(), &address), ("recording", &format!("/api/searches/{}", stream.id)));
    assert_eq!(browser.send("HEAD", &address, &[], Body::empty()).await.status, 200);
    assert_eq!(Recording::of_event(&mut browser, &data).await.header["answer"]["status"], "solved");
    assert!(stream.parts.next().await.is_none(), "the stream ends then");
    browser.get(&address).await.assert_error(404, "not-found");
    let mut stream = Stream::open(&mut browser, "/api/trace", &body).await;
    let address = stream.last().await.1["href"].as_str().unwrap().to_owned();
    drop(stream);
    let mut tries = 0;
    while browser.send("HEAD", &address, &[], Body::empty()).await.status == 200 {
        tries += 1;
        assert!(tries < 500, "a client that has gone leaves nothing");
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
}

#[tokio::test]
async fn only_streams_have_ids_and_others_stop_nothing() {
    let mut browser = browser();
    let reply = browser.post("/api/solve", &json!({ "rows": 2, "cols": 2, "tiles": [1, 2, 0, 3] })).await;
    assert_eq!((reply.status.as_u16(), reply.header("x-search")), (200, ""));
    for name in ["0".repeat(32), "..".to_owned(), "nonsense".to_owned()] {
        browser.delete(&format!("/api/searches/{name}")).await.assert_error(404, "not-found");
    }
}

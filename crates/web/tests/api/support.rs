//! A server in the process, and browsers that talk to it.

use std::{path::Path, sync::Arc};

use axum::{
    Router,
    body::Body,
    http::{HeaderMap, Request, StatusCode},
    response::Response,
};
use http_body_util::BodyExt;
use pintu_web::{Config, Service};
use serde_json::{Value, json};
use tempfile::TempDir;
use tower::ServiceExt;

#[path = "postgres.rs"]
pub(crate) mod postgres;

/// A browser with its cookie. Clones are other windows of the same browser.
#[derive(Clone)]
pub(crate) struct Browser {
    app: Router,
    pub(crate) service: Service,
    cookie: Option<String>,
    _data: Option<Arc<TempDir>>,
}

pub(crate) struct Reply {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

pub(crate) fn browser() -> Browser {
    browser_with(|_| ())
}

pub(crate) fn browser_with(change: impl FnOnce(&mut Config)) -> Browser {
    let data = Arc::new(tempfile::tempdir().unwrap());
    Browser { _data: Some(Arc::clone(&data)), ..browser_at(data.path(), change) }
}

pub(crate) fn browser_at(data: &Path, change: impl FnOnce(&mut Config)) -> Browser {
    let mut config = Config { store: postgres::store_of(data, postgres::ON), ..Config::new(data) };
    change(&mut config);
    let service = Service::open(config).unwrap();
    Browser { app: service.router(), service, cookie: None, _data: None }
}

/// What the operator sees.
pub(crate) async fn metrics(service: &Service) -> String {
    let request = Request::get("/metrics").body(Body::empty()).unwrap();
    let (parts, body) = service.metrics().oneshot(request).await.unwrap().into_parts();
    assert!(parts.headers["content-type"].to_str().unwrap().starts_with("text/plain; version=0.0.4"));
    String::from_utf8(body.collect().await.unwrap().to_bytes().to_vec()).unwrap()
}

impl Browser {
    pub(crate) fn stranger(&self) -> Self {
        Self { cookie: None, ..self.clone() }
    }

    pub(crate) fn at(&self, other: &Self) -> Self {
        Self { cookie: self.cookie.clone(), ..other.clone() }
    }

    pub(crate) fn cookie(&self) -> Option<&str> {
        self.cookie.as_deref()
    }

    pub(crate) async fn send(&mut self, method: &str, path: &str, headers: &[(&str, &str)], body: Body) -> Reply {
        let (parts, body) = self.open(method, path, headers, body).await.into_parts();
        let body = body.collect().await.unwrap().to_bytes().to_vec();
        Reply { status: parts.status, headers: parts.headers, body }
    }

    /// Sends a request; the caller reads the body.
    pub(crate) async fn open(&mut self, method: &str, path: &str, headers: &[(&str, &str)], body: Body) -> Response {
        let mut request = Request::builder().method(method).uri(path);
        if !headers.iter().any(|&(name, _)| name == "host") {
            request = request.header("host", "127.0.0.1:7468");
        }
        if let Some(cookie) = &self.cookie {
            request = request.header("cookie", cookie);
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let response = self.app.clone().oneshot(request.body(body).unwrap()).await.unwrap();
        if let Some(cookie) = response.headers().get("set-cookie") {
            self.cookie = cookie.to_str().unwrap().split(';').next().map(str::to_owned);
        }
        response
    }

    pub(crate) async fn get(&mut self, path: &str) -> Reply {
        self.send("GET", path, &[], Body::empty()).await
    }

    pub(crate) async fn delete(&mut self, path: &str) -> Reply {
        self.send("DELETE", path, &[], Body::empty()).await
    }

    pub(crate) async fn post(&mut self, path: &str, body: &Value) -> Reply {
        self.send("POST", path, &[], Body::from(body.to_string())).await
    }

    pub(crate) async fn put(&mut self, path: &str, body: &Value) -> Reply {
        self.send("PUT", path, &[], Body::from(body.to_string())).await
    }

    pub(crate) async fn stream(&mut self, path: &str, body: &Value) -> Vec<(String, Value)> {
        self.stream_with_recording(path, body).await.0
    }

    /// The events of a stream, and the recording that the last one names.
    pub(crate) async fn stream_with_recording(
        &mut self,
        path: &str,
        body: &Value,
    ) -> (Vec<(String, Value)>, Option<Reply>) {
        let accept = [("accept", "text/html, text/event-stream;q=0.9")];
        let mut reply = self.open("POST", path, &accept, Body::from(body.to_string())).await;
        let (status, kind) = (reply.status().as_u16(), reply.headers()["content-type"].clone());
        let (mut text, mut recording) = (String::new(), None);
        while let Some(frame) = reply.body_mut().frame().await {
            text.push_str(str::from_utf8(&frame.unwrap().into_data().unwrap()).unwrap());
            if let Some((_, rest)) = text.split_once("\ndata: {\"href\":\"") {
                recording = Some(self.get(rest.split('"').next().unwrap()).await);
            }
        }
        assert_eq!((status, kind.to_str().unwrap()), (200, "text/event-stream"), "{text}");
        (events_in(&text), recording)
    }

    /// Posts bodies that must be refused, with and without a stream.
    pub(crate) async fn assert_refused(&mut self, path: &str, code: &str, bodies: impl IntoIterator<Item = Value>) {
        for body in bodies {
            for accept in ["application/json", "text/event-stream"] {
                let reply = self.send("POST", path, &[("accept", accept)], Body::from(body.to_string())).await;
                reply.assert_error(400, code);
                assert!(!reply.text().contains('\n'), "{}", reply.text());
            }
        }
    }

    pub(crate) async fn post_picture(&mut self, jpeg: Vec<u8>) -> String {
        self.send("POST", "/api/pictures", &[], Body::from(jpeg)).await.made()
    }

    pub(crate) async fn save(&mut self, name: &str, game: &Value) -> String {
        format!("/api/saves/{}", self.make("/api/saves", &named(name, game)).await)
    }

    pub(crate) async fn make(&mut self, path: &str, body: &Value) -> String {
        self.post(path, body).await.made()
    }
}

impl Reply {
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    fn made(&self) -> String {
        assert_eq!(self.status, StatusCode::CREATED, "{}", self.text());
        self.json()["id"].as_str().unwrap().to_owned()
    }

    /// Makes sure that this is an error of the contract's shape.
    #[track_caller]
    pub(crate) fn assert_error(&self, status: u16, code: &str) {
        assert_eq!(self.status.as_u16(), status, "{}", self.text());
        let body = self.json();
        assert_eq!(body["code"], code, "{body}");
        let error = body["error"].as_str().unwrap();
        assert!(!error.is_empty());
        // Errors name fields, not options of the command line.
        assert!(code == "foreign-host" || !error.contains("--"), "{error}");
        assert_eq!(body.as_object().unwrap().len(), 2, "{body}");
        assert_eq!(self.header("content-type"), "application/json");
    }
}

/// A game on 3×3, two moves from its end.
pub(crate) fn game() -> Value {
    json!({
        "version": 1, "rows": 3, "cols": 3, "wrap_rows": [], "wrap_cols": [], "blank": 8,
        "start": [0, 1, 2, 4, 5, 3, 7, 8, 6], "moves": "RR", "redo": "DD", "runs": [[0, 2]],
        "millis": 1234, "helped": false, "picture": "builtin:hills"
    })
}

pub(crate) fn long_game(moves: usize) -> Value {
    with(&with(&game(), "moves", json!("RL".repeat(moves / 2))), "redo", json!(""))
}

pub(crate) fn won(millis: u64) -> Value {
    let won = with(&with(&game(), "moves", json!("RRDD")), "redo", json!(""));
    with(&won, "millis", json!(millis))
}

pub(crate) fn with(object: &Value, field: &str, value: Value) -> Value {
    let mut object = object.clone();
    object[field] = value;
    object
}

pub(crate) fn named(name: &str, game: &Value) -> Value {
    json!({ "name": name, "game": game })
}

pub(crate) fn events_in(text: &str) -> Vec<(String, Value)> {
    let field = |block: &str, name: &str| {
        let line = block.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_else(|| panic!("{block}"));
        line.trim().to_owned()
    };
    let blocks = text.split("\n\n").filter(|block| !block.trim().is_empty());
    let value = |text: String| serde_json::from_str(&text).unwrap_or(Value::String(text));
    blocks.map(|block| (field(block, "event:"), value(field(block, "data:")))).collect()
}

pub(crate) fn jpeg(width: u16, height: u16, pixel: impl Fn(u16, u16) -> [u8; 3]) -> Vec<u8> {
    jpeg_of_kind(false, width, height, pixel)
}

pub(crate) fn jpeg_of_kind(
    is_progressive: bool,
    width: u16,
    height: u16,
    pixel: impl Fn(u16, u16) -> [u8; 3],
) -> Vec<u8> {
    let pixels: Vec<u8> =
        (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).flat_map(|(x, y)| pixel(x, y)).collect();
    let mut file = Vec::new();
    let mut encoder = jpeg_encoder::Encoder::new(&mut file, 90);
    encoder.set_progressive(is_progressive);
    encoder.encode(&pixels, width, height, jpeg_encoder::ColorType::Rgb).unwrap();
    file
}

/// A grey pixel.
pub(crate) const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\x01\0\0\0\x01\x08\0\0\0\0:~\x9bU\
    \0\0\0\x0dIDATx\x01\x01\x02\0\xfd\xff\0\x80\0\x82\0\x81\xc3n%\xe0\0\0\0\0IEND\xaeB`\x82";

/// A square of one colour, again and again: some bytes a frame, and four a pixel for a decoder.
pub(crate) fn animated_webp(side: u32, frames: usize) -> Vec<u8> {
    let chunk = |name: &[u8], content: &[u8]| [name, &(content.len() as u32).to_le_bytes(), content].concat();
    let three = |number: u32| number.to_le_bytes()[..3].to_vec();
    let last = three(side - 1);
    // Each channel's code has one symbol, so that pixels take no bits.
    let channels = [40, 200, 40, 255].map(|shade: u128| (0b101 | shade << 3, 11));
    let sides = [(u128::from(side - 1), 14); 2];
    let (mut bits, mut at) = (0, 0);
    for (value, length) in [&sides[..], &[(0, 7)], &channels, &[(1, 4)]].concat() {
        bits |= value << at;
        at += length;
    }
    let image = chunk(b"VP8L", &[&[0x2f], &bits.to_le_bytes()[..11]].concat());
    let frame = chunk(b"ANMF", &[&[0; 6], &last[..], &last, &three(100), &[0], &image].concat());
    let head = chunk(b"VP8X", &[&[2, 0, 0, 0], &last[..], &last].concat());
    chunk(b"RIFF", &[b"WEBP", &head[..], &chunk(b"ANIM", &[0; 6]), &frame.repeat(frames)].concat())
}

/// A board of 15 tiles that no search here solves.
pub(crate) const HARD: [u32; 16] = [14, 15, 8, 12, 10, 11, 9, 13, 2, 6, 5, 1, 3, 7, 4, 0];

/// A board of 24 tiles that no algorithm solves optimally in the time of a test.
pub(crate) const LONG: [u32; 25] =
    [17, 1, 20, 9, 16, 2, 22, 19, 14, 5, 15, 21, 0, 3, 24, 23, 18, 13, 12, 7, 10, 8, 6, 4, 11];

/// An answer without what differs from run to run.
pub(crate) fn timeless(mut answer: Value) -> Value {
    answer.as_object_mut().unwrap().retain(|field, _| !["seconds", "memory"].contains(&field.as_str()));
    answer
}

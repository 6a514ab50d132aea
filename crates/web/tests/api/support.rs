//! A server in the process, and browsers that talk to it.

use std::{path::Path, sync::Arc};

use axum::{
    Router,
    body::Body,
    http::{HeaderMap, Request, StatusCode},
    response::Response,
};
use http_body_util::BodyExt;
use pintu_web::{Config, app};
use serde_json::{Value, json};
use tempfile::TempDir;
use tower::ServiceExt;

/// A browser with its cookie. Clones are other windows of the same browser.
#[derive(Clone)]
pub(crate) struct Browser {
    app: Router,
    cookie: Option<String>,
    _data: Option<Arc<TempDir>>,
}

/// What came back.
pub(crate) struct Reply {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

/// The first browser at a new server.
pub(crate) fn browser() -> Browser {
    browser_with(|_| ())
}

/// The first browser at a new server that is set up otherwise.
pub(crate) fn browser_with(change: impl FnOnce(&mut Config)) -> Browser {
    let data = Arc::new(tempfile::tempdir().unwrap());
    Browser { _data: Some(Arc::clone(&data)), ..browser_at(data.path(), change) }
}

/// The first browser at a server with its data in a directory.
pub(crate) fn browser_at(data: &Path, change: impl FnOnce(&mut Config)) -> Browser {
    let mut config = Config::new(data);
    change(&mut config);
    Browser { app: app(config).unwrap(), cookie: None, _data: None }
}

impl Browser {
    /// Another browser at the same server.
    pub(crate) fn stranger(&self) -> Self {
        Self { cookie: None, ..self.clone() }
    }

    /// This browser, at another server.
    #[allow(dead_code, reason = "only servers that come back need it, which is tested elsewhere")]
    pub(crate) fn at(&self, other: &Self) -> Self {
        Self { cookie: self.cookie.clone(), ..other.clone() }
    }

    /// Its cookie, as it is sent.
    pub(crate) fn cookie(&self) -> Option<&str> {
        self.cookie.as_deref()
    }

    pub(crate) async fn send(&mut self, method: &str, path: &str, headers: &[(&str, &str)], body: Body) -> Reply {
        let (parts, body) = self.open(method, path, headers, body).await.into_parts();
        let body = body.collect().await.unwrap().to_bytes().to_vec();
        Reply { status: parts.status, headers: parts.headers, body }
    }

    /// Asks, and leaves it to the caller how much of the answer is read.
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

    /// Posts what must be taken, and returns its id.
    pub(crate) async fn make(&mut self, path: &str, body: &Value) -> String {
        let reply = self.post(path, body).await;
        assert_eq!(reply.status, StatusCode::CREATED, "{}", reply.text());
        reply.json()["id"].as_str().unwrap().to_owned()
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

    /// Makes sure that this is an error of the contract's shape.
    #[track_caller]
    pub(crate) fn assert_error(&self, status: u16, code: &str) {
        assert_eq!(self.status.as_u16(), status, "{}", self.text());
        let body = self.json();
        assert_eq!(body["code"], code, "{body}");
        let error = body["error"].as_str().unwrap();
        assert!(!error.is_empty());
        // Who runs the server has flags; who asks it has fields.
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

/// The same game, won.
pub(crate) fn won(millis: u64) -> Value {
    let mut game = game();
    game["moves"] = json!("RRDD");
    game["redo"] = json!("");
    game["millis"] = json!(millis);
    game
}

pub(crate) fn named(name: &str, game: &Value) -> Value {
    json!({ "name": name, "game": game })
}

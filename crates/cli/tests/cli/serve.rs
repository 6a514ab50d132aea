//! The server as a process: its first line, its end, and what a killed one leaves behind.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    path::Path,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use serde_json::{Value, json};

/// A server that is ended, at the latest, with the test.
struct Server {
    child: Child,
    address: SocketAddr,
}

impl Server {
    fn start(data: &Path, args: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_pintu"))
            .args(["serve", "--no-open", "--data"])
            .arg(data)
            .args(args)
            .stdout(Stdio::piped())
            .spawn()
            .expect("pintu starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.strip_prefix("listening on http://").and_then(|rest| rest.strip_suffix("/\n"));
        let address = address.unwrap_or_else(|| panic!("found the first line `{line}`")).parse().unwrap();
        Self { child, address }
    }

    fn signal(&self, name: &str) {
        let sent = Command::new("kill").args([name, &self.child.id().to_string()]).status().unwrap();
        assert!(sent.success());
    }

    /// Sends a request, and returns the status and the body.
    fn send(&self, method: &str, path: &str, body: &str) -> (u16, Value) {
        let mut stream = TcpStream::connect(self.address).unwrap();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nCookie: pintu=0123456789abcdef0123456789abcdef\r\n\
             Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
            self.address,
            body.len()
        );
        stream.write_all(head.as_bytes()).unwrap();
        let mut reply = String::new();
        stream.read_to_string(&mut reply).unwrap();
        let (head, body) = reply.split_once("\r\n\r\n").unwrap();
        let status = head.split_whitespace().nth(1).unwrap().parse().unwrap();
        (status, serde_json::from_str(body).unwrap_or(Value::Null))
    }

    /// Waits for the end and returns its status.
    fn status(mut self) -> Option<i32> {
        let began = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code();
            }
            assert!(began.elapsed() < Duration::from_secs(20), "the server does not end");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

const ANY_PORT: [&str; 2] = ["--addr", "127.0.0.1:0"];

fn save(moves: usize) -> String {
    let game = json!({
        "version": 1, "rows": 3, "cols": 3, "wrap_rows": [], "wrap_cols": [], "blank": 8,
        "start": [1, 2, 3, 4, 5, 6, 7, 8, 0], "moves": "LR".repeat(moves / 2), "redo": "",
        "millis": moves, "helped": false, "picture": "builtin:hills"
    });
    json!({ "name": "a game", "game": game }).to_string()
}

#[test]
fn the_first_line_says_where_and_signals_end_it_cleanly() {
    let data = tempfile::tempdir().unwrap();
    for signal in ["-TERM", "-INT"] {
        let server = Server::start(data.path(), &ANY_PORT);
        assert_eq!(server.send("GET", "/api/health", ""), (200, json!({ "status": "ok" })));
        server.signal(signal);
        assert_eq!(server.status(), Some(0), "{signal}");
    }
}

#[test]
fn a_taken_port_is_replaced_only_if_it_was_the_usual_one() {
    let data = tempfile::tempdir().unwrap();
    // If somebody else has the port, it is taken as well.
    let _taken = TcpListener::bind("127.0.0.1:7468");
    let server = Server::start(data.path(), &[]);
    assert_ne!(server.address.port(), 7468);
    let explicit = Command::new(env!("CARGO_BIN_EXE_pintu"))
        .args(["serve", "--no-open", "--addr", &server.address.to_string(), "--data"])
        .arg(data.path())
        .output()
        .unwrap();
    assert_eq!(explicit.status.code(), Some(2));
    let said = String::from_utf8(explicit.stderr).unwrap();
    assert!(said.contains(&format!("cannot listen on {}", server.address)), "{said}");
}

#[test]
fn data_that_cannot_be_opened_is_bad_input() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let run = Command::new(env!("CARGO_BIN_EXE_pintu"))
        .args(["serve", "--no-open", "--addr", "127.0.0.1:0", "--data"])
        .arg(file.path())
        .output()
        .unwrap();
    assert_eq!((run.status.code(), run.stdout.is_empty()), (Some(2), true));
    assert!(String::from_utf8(run.stderr).unwrap().contains("cannot use the data directory"));
}

#[test]
fn what_was_acknowledged_survives_being_killed() {
    let data = tempfile::tempdir().unwrap();
    let mut server = Server::start(data.path(), &ANY_PORT);
    let (status, made) = server.send("POST", "/api/saves", &save(0));
    assert_eq!(status, 201);
    let path = format!("/api/saves/{}", made["id"].as_str().unwrap());
    for round in 1..=15 {
        for moves in [round * 20, round * 20 + 2] {
            assert_eq!(server.send("PUT", &path, &save(moves)).0, 200);
        }
        server.signal("-KILL");
        server = Server::start(data.path(), &ANY_PORT);
        let (status, loaded) = server.send("GET", &path, "");
        assert_eq!((status, &loaded["game"]["millis"]), (200, &json!(round * 20 + 2)));
        assert_eq!(loaded["game"]["moves"].as_str().unwrap().len(), round * 20 + 2);
    }
}

#[test]
fn host_names_can_be_allowed() {
    let data = tempfile::tempdir().unwrap();
    let server = Server::start(data.path(), &["--addr", "127.0.0.1:0", "--allow-host", "pintu.example"]);
    let status = |host: &str| {
        let mut stream = TcpStream::connect(server.address).unwrap();
        let request = format!("GET /api/health HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        let mut reply = String::new();
        stream.read_to_string(&mut reply).unwrap();
        reply.split_whitespace().nth(1).map(str::to_owned)
    };
    assert_eq!(status("pintu.example").as_deref(), Some("200"));
    assert_eq!(status("other.example").as_deref(), Some("403"));
}

#[test]
fn without_a_command_it_serves() {
    let home = tempfile::tempdir().unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_pintu"))
        .env("HOME", home.path())
        .env("XDG_DATA_HOME", home.path().join("data"))
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert!(line.starts_with("listening on http://127.0.0.1:"), "{line}");
    let made = home.path().join("data/pintu/pintu.sqlite3").exists();
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(made, "the data is in the user's data directory");
}

//! The server as a process: its first line, its end, and what a killed one leaves behind.

use std::{
    cell::RefCell,
    fs,
    io::{BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    os::unix::fs::PermissionsExt,
    path::Path,
    process::{Child, ChildStdout, Command, Output, Stdio},
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::small_disk::SmallDisk;

/// A server that is ended, at the latest, with the test.
struct Server {
    child: Child,
    address: SocketAddr,
    out: BufReader<ChildStdout>,
    /// The cookie that it issued.
    cookie: RefCell<String>,
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
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        out.read_line(&mut line).unwrap();
        let address = line.strip_prefix("listening on http://").and_then(|rest| rest.strip_suffix("/\n"));
        let address = address.unwrap_or_else(|| panic!("found the first line `{line}`")).parse().unwrap();
        Self { child, address, out, cookie: RefCell::default() }
    }

    /// The next line that it prints.
    fn line(&mut self) -> String {
        let mut line = String::new();
        self.out.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    }

    /// The same data in another process, and the same browser.
    fn again(mut self, data: &Path) -> Self {
        self.signal("-KILL");
        self.child.wait().unwrap();
        let next = Self::start(data, &ANY_PORT);
        next.cookie.replace(self.cookie.take());
        next
    }

    fn signal(&self, name: &str) {
        let sent = Command::new("kill").args([name, &self.child.id().to_string()]).status().unwrap();
        assert!(sent.success());
    }

    /// Sends a request, and returns the status and the body.
    fn send(&self, method: &str, path: &str, body: &str) -> (u16, Value) {
        let mut stream = TcpStream::connect(self.address).unwrap();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nCookie: {}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
            self.address,
            self.cookie.borrow(),
            body.len()
        );
        stream.write_all(head.as_bytes()).unwrap();
        let mut reply = String::new();
        stream.read_to_string(&mut reply).unwrap();
        let (head, body) = reply.split_once("\r\n\r\n").unwrap();
        let status = head.split_whitespace().nth(1).unwrap().parse().unwrap();
        if let Some(cookie) = head.lines().find_map(|line| line.strip_prefix("set-cookie: ")) {
            self.cookie.replace(cookie.split(';').next().unwrap().to_owned());
        }
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
    assert_eq!(said.matches("in use").count(), 1, "{said}");
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
        server = server.again(data.path());
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

fn pintu(args: &[&str], data: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_pintu")).args(args).arg("--data").arg(data).output().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_backup_is_made_and_brought_back_while_the_server_runs() {
    let (data, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let file = elsewhere.path().join("backup.sqlite3");
    let name = file.to_str().unwrap();
    let server = Server::start(data.path(), &ANY_PORT);
    let (_, made) = server.send("POST", "/api/saves", &save(10));
    let path = format!("/api/saves/{}", made["id"].as_str().unwrap());
    let run = pintu(&["backup", name], data.path());
    assert!(run.status.success() && run.stdout.is_empty(), "{}", said(&run));
    server.send("PUT", &path, &save(20));
    let (_, later) = server.send("POST", "/api/saves", &save(2));
    let later = format!("/api/saves/{}", later["id"].as_str().unwrap());
    let run = pintu(&["restore", name], data.path());
    assert!(run.status.success(), "{}", said(&run));
    let (status, loaded) = server.send("GET", &path, "");
    assert_eq!((status, &loaded["game"]["millis"], &loaded["revision"]), (200, &json!(10), &json!(1)));
    assert_eq!(server.send("GET", &later, "").0, 404, "it came after the backup");
    assert_eq!(server.send("PUT", &path, &save(30)).0, 200, "the server goes on");
    let before = data.path().join("before-restore.sqlite3");
    assert!(said(&run).contains(before.to_str().unwrap()), "{}", said(&run));
    let run = pintu(&["restore", before.to_str().unwrap()], data.path());
    assert!(run.status.success(), "{}", said(&run));
    assert_eq!(server.send("GET", &path, "").1["game"]["millis"], 20, "what was replaced can be had back");
    assert_eq!(server.send("GET", &later, "").0, 200);
    let server = server.again(data.path());
    assert_eq!(server.send("GET", &later, "").0, 200);
}

#[test]
fn a_backup_moves_to_another_machine_whose_server_runs_already() {
    let (data, other, elsewhere) =
        (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let file = elsewhere.path().join("backup");
    let server = Server::start(data.path(), &ANY_PORT);
    let (_, made) = server.send("POST", "/api/saves", &save(10));
    assert!(pintu(&["backup", file.to_str().unwrap()], data.path()).status.success());
    let there = Server::start(other.path(), &ANY_PORT);
    there.send("POST", "/api/saves", &save(2));
    assert!(pintu(&["restore", file.to_str().unwrap()], other.path()).status.success());
    there.cookie.replace(server.cookie.borrow().clone());
    let path = format!("/api/saves/{}", made["id"].as_str().unwrap());
    let (status, loaded) = there.send("GET", &path, "");
    assert_eq!((status, &loaded["game"]["millis"]), (200, &json!(10)), "its browsers are known there");
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn what_is_no_backup_is_refused_and_changes_nothing() {
    let data = tempfile::tempdir().unwrap();
    let file = tempfile::NamedTempFile::new().unwrap();
    let name = file.path().to_str().unwrap().to_owned();
    let run = pintu(&["backup", &name], &data.path().join("nowhere"));
    assert_eq!(run.status.code(), Some(2));
    assert!(said(&run).contains("found no database at"), "{}", said(&run));
    let server = Server::start(data.path(), &ANY_PORT);
    let (_, made) = server.send("POST", "/api/saves", &save(10));
    let path = format!("/api/saves/{}", made["id"].as_str().unwrap());
    for bytes in [&b"these are no games"[..], &[0; 100], b""] {
        fs::write(file.path(), bytes).unwrap();
        let run = pintu(&["restore", &name], data.path());
        assert_eq!((run.status.code(), said(&run).lines().count()), (Some(2), 1), "{}", said(&run));
        assert!(said(&run).contains(&name), "{}", said(&run));
        let (_, reason) = said(&run).trim().rsplit_once(": ").map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
        assert_eq!(said(&run).matches(&reason).count(), 1, "each thing is said once: {}", said(&run));
    }
    fs::write(file.path(), "a board of mine").unwrap();
    for occupied in [name.as_str(), data.path().join("pintu.sqlite3").to_str().unwrap()] {
        let run = pintu(&["backup", occupied], data.path());
        assert_eq!(run.status.code(), Some(2), "{}", said(&run));
        assert!(said(&run).contains("found another file at"), "{}", said(&run));
    }
    assert_eq!(fs::read_to_string(file.path()).unwrap(), "a board of mine");
    assert_eq!(server.send("GET", &path, "").0, 200);
    let mut left = fs::read_dir(data.path()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert!(left.all(|name| name.starts_with("pintu.sqlite3")), "nothing is left over");
}

#[test]
fn a_server_for_the_network_says_where_others_find_it() {
    let data = tempfile::tempdir().unwrap();
    let mut server = Server::start(data.path(), &["--addr", "0.0.0.0:0", "--invite"]);
    assert!(server.address.ip().is_unspecified());
    let mut lines = Vec::new();
    while lines.last().is_none_or(|line: &String| !line.starts_with("lets one browser in: ")) {
        lines.push(server.line());
        assert!(lines.len() < 100, "{lines:?}");
    }
    let port = server.address.port();
    let (invitation, others) = lines.split_last().unwrap();
    for line in others {
        let address: SocketAddr = line
            .strip_prefix("on the network: http://")
            .and_then(|rest| rest.strip_suffix('/'))
            .unwrap()
            .parse()
            .unwrap();
        assert!(address.port() == port && !address.ip().is_unspecified() && !address.ip().is_loopback(), "{line}");
        assert!(TcpStream::connect(address).is_ok(), "{line}");
    }
    let link = invitation.trim_start_matches("lets one browser in: ");
    let token = link.rsplit('/').next().unwrap().to_owned();
    server.address = SocketAddr::from(([127, 0, 0, 1], port));
    assert_eq!(server.send("GET", "/api/saves", "").0, 401);
    assert_eq!(server.send("POST", "/enter", &format!("token={token}")).0, 303);
    assert_eq!(server.send("GET", "/api/saves", ""), (200, json!([])));
    assert!(server.line().starts_with("lets one browser in: "), "the next one");
}

#[test]
fn a_password_is_asked_for() {
    let data = tempfile::tempdir().unwrap();
    let server = Server::start(data.path(), &["--addr", "127.0.0.1:0", "--password", "sesame"]);
    assert_eq!(server.send("GET", "/api/saves", "").1["code"], "password");
    assert_eq!(server.send("POST", "/enter", "password=sesame").0, 303);
    assert_eq!(server.send("GET", "/api/saves", "").0, 200);
    let empty = pintu(&["serve", "--no-open", "--password", ""], data.path());
    assert_eq!(empty.status.code(), Some(2));
}

/// One line a request at `info`, and none unless it is asked for.
#[test]
fn requests_are_logged_when_that_is_wanted() {
    let log = |args: &[&str]| {
        let data = tempfile::tempdir().unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_pintu"));
        command.args(["serve", "--no-open", "--addr", "127.0.0.1:0", "--data"]).arg(data.path()).args(args);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        out.read_line(&mut line).unwrap();
        let address = line.trim().trim_start_matches("listening on http://").trim_end_matches('/').parse().unwrap();
        let errors = child.stderr.take().unwrap();
        let server = Server { child, address, out, cookie: RefCell::default() };
        assert_eq!(server.send("GET", "/api/records?all", "").0, 200);
        assert_eq!(server.send("GET", "/api/nothing", "").0, 404);
        server.signal("-TERM");
        assert_eq!(server.status(), Some(0));
        std::io::read_to_string(errors).unwrap()
    };
    assert_eq!(log(&[]), "");
    let lines: Vec<Value> = log(&["--log", "info"]).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert_eq!(
        (&lines[0]["span"]["path"], &lines[0]["status"]),
        (&json!("/api/records"), &json!(200)),
        "without its query"
    );
    assert_eq!((&lines[1]["span"]["method"], &lines[1]["code"]), (&json!("GET"), &json!("not-found")));
    assert_ne!(lines[0]["span"]["id"], lines[1]["span"]["id"]);
    assert!(lines[0]["micros"].is_u64() && lines[0]["timestamp"].is_string());
}

#[test]
fn a_full_disk_is_said_and_costs_nothing_that_was_saved() {
    let Some(disk) = SmallDisk::mount(2 << 20) else { return };
    let data = disk.path().join("data");
    let mut server = Server::start(&data, &ANY_PORT);
    let mut made = Vec::new();
    let refused = loop {
        let (status, reply) = server.send("POST", "/api/saves", &save(100_000));
        if status != 201 {
            break (status, reply["code"].clone());
        }
        made.push(reply["id"].as_str().unwrap().to_owned());
        assert!(made.len() < 100);
    };
    assert!(!made.is_empty());
    assert_eq!(refused, (413, json!("storage-full")));
    server = server.again(&data);
    for id in &made {
        assert_eq!(server.send("GET", &format!("/api/saves/{id}"), "").0, 200);
    }
}

#[test]
fn a_disk_that_cannot_be_written_is_said() {
    let Some(disk) = SmallDisk::mount(2 << 20) else { return };
    let data = disk.path().join("data");
    let server = Server::start(&data, &ANY_PORT);
    assert_eq!(server.send("POST", "/api/saves", &save(10)).0, 201);
    server.signal("-TERM");
    assert_eq!(server.status(), Some(0));
    assert!(disk.remount("remount,ro"));
    let run = pintu(&["serve", "--no-open", "--addr", "127.0.0.1:0"], &data);
    assert_eq!(run.status.code(), Some(2));
    assert_eq!(said(&run).lines().count(), 1, "{}", said(&run));
    assert!(said(&run).contains(data.to_str().unwrap()), "{}", said(&run));
}

/// What a race may hold is what the process takes for it, and it gives that back.
#[cfg(target_os = "linux")]
#[test]
fn a_race_takes_no_more_of_the_machine_than_its_limit() {
    const LIMIT_MIB: u64 = 200;
    let data = tempfile::tempdir().unwrap();
    let server = Server::start(data.path(), &ANY_PORT);
    let resident = |name: &str| -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", server.child.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap();
        line.trim().strip_suffix(" kB").unwrap().parse::<u64>().unwrap() >> 10
    };
    let contestants = ["bfs", "dijkstra", "bidirectional", "bfs-tree", "astar", "greedy", "dfs", "wastar"];
    let contestants: Vec<Value> =
        contestants.iter().map(|name| json!({ "algorithm": name, "heuristic": null })).collect();
    let race = json!({
        "rows": 4, "cols": 4, "tiles": [14, 15, 8, 12, 10, 11, 9, 13, 2, 6, 5, 1, 3, 7, 4, 0],
        "contestants": contestants, "growth": true, "limits": { "seconds": 60, "mebibytes": LIMIT_MIB, "max_depth": 4_000_000 }
    });
    let before = resident("VmRSS:");
    let (status, answers) = server.send("POST", "/api/race", &race.to_string());
    assert_eq!(status, 200, "{answers}");
    assert!(answers.as_array().unwrap().iter().any(|answer| answer["reason"] == "memory"), "{answers}");
    let (peak, after) = (resident("VmHWM:"), resident("VmRSS:"));
    println!("{before} MiB before, {peak} at most, {after} after");
    // Code that runs for the first time, stacks, and what lies between blocks.
    assert!(peak <= before + LIMIT_MIB + 16, "{before} MiB before, {peak} at most");
    assert!(after <= before + 24, "{before} MiB before, {after} after");
}

//! The server as a process: its first line, its end, and the state that a killed one leaves.

use std::{
    cell::RefCell,
    fs,
    io::{BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    os::unix::fs::PermissionsExt,
    path::Path,
    process::{Child, ChildStdout, Command, Stdio},
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::run::Run;

/// A server that is killed, at the latest, when the test ends.
struct Server {
    child: Child,
    address: SocketAddr,
    out: BufReader<ChildStdout>,
    cookie: RefCell<String>,
}

impl Server {
    fn start(data: &Path, args: &[&str]) -> Self {
        Self::of(&mut serve(data, args))
    }

    fn of(command: &mut Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).spawn().expect("pintu starts");
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        out.read_line(&mut line).unwrap();
        let address = line.strip_prefix("listening on http://").and_then(|rest| rest.strip_suffix("/\n"));
        let address = address.unwrap_or_else(|| panic!("found the first line `{line}`")).parse().unwrap();
        Self { child, address, out, cookie: RefCell::default() }
    }

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

    /// Saves a game of `moves` moves, and returns its address.
    fn make(&self, moves: usize) -> String {
        let (status, made) = self.send("POST", "/api/saves", &save(moves));
        assert_eq!(status, 201, "{made}");
        format!("/api/saves/{}", made["id"].as_str().unwrap())
    }

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

fn serve(data: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pintu"));
    command.args(["serve", "--no-open", "--data"]).arg(data).args(args);
    command
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
fn a_taken_port_is_replaced_only_if_it_was_the_usual_one_and_bad_data_is_refused() {
    let data = tempfile::tempdir().unwrap();
    // If another process has the port already, it is taken as well.
    let _taken = TcpListener::bind("127.0.0.1:7468");
    let server = Server::start(data.path(), &[]);
    assert_ne!(server.address.port(), 7468);
    let explicit = Run::from(serve(data.path(), &["--addr", &server.address.to_string()]).output().unwrap());
    assert_eq!((explicit.status, explicit.err.matches("in use").count()), (2, 1), "{}", explicit.err);
    assert!(explicit.err.contains(&format!("cannot listen on {}", server.address)), "{}", explicit.err);
    let file = tempfile::NamedTempFile::new().unwrap();
    let no_data = Run::from(serve(file.path(), &ANY_PORT).output().unwrap());
    assert_eq!((no_data.status, no_data.out.as_str()), (2, ""));
    assert!(no_data.err.contains("cannot use the data directory"), "{}", no_data.err);
    let no_database = Run::from(serve(data.path(), &[&ANY_PORT[..], &["--store", AWAY]].concat()).output().unwrap());
    assert_eq!((no_database.status, no_database.err.lines().count()), (2, 1), "{}", no_database.err);
    assert!(no_database.err.contains("cannot use the database: "), "{}", no_database.err);
}

/// Nobody answers there.
const AWAY: &str = "postgres://pintu@127.0.0.1:1/pintu";

#[test]
fn a_database_is_the_store_of_every_command_wherever_a_directory_is_named() {
    let data = tempfile::tempdir().unwrap();
    let server = Server::start(data.path(), &ANY_PORT);
    let path = server.make(10);
    let file = data.path().join("backup.sqlite3");
    let name = file.to_str().unwrap();
    let run = |args: &[&str], store: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pintu"));
        Run::from(command.args(args).arg("--data").arg(data.path()).env("PINTU_STORE", store).output().unwrap())
    };
    for args in [&["serve", "--no-open", "--addr", "127.0.0.1:0"][..], &["players", "list"]] {
        let run = run(args, AWAY);
        assert!(run.status == 2 && run.err.contains("cannot use the database: "), "{args:?}: {}", run.err);
    }
    for args in [["backup", name], ["restore", name]] {
        let run = run(&args, AWAY);
        assert!(run.status == 2 && run.err.contains("pg_dump") && run.err.contains("copy-store"), "{}", run.err);
        assert!(!file.exists());
    }
    for command in ["backup", "restore"] {
        assert_eq!(run(&[command, name], "").status, 0, "an empty variable names no database");
    }
    assert_eq!(server.send("GET", &path, "").0, 200);
}

#[test]
fn without_a_command_it_serves() {
    let home = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_pintu"));
    command.env("HOME", home.path()).env("XDG_DATA_HOME", home.path().join("data"));
    let server = Server::of(command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY"));
    assert!(server.address.ip().is_loopback());
    assert!(home.path().join("data/pintu/pintu.sqlite3").exists(), "the data is in the user's data directory");
}

fn pintu(args: &[&str], data: &Path) -> Run {
    Command::new(env!("CARGO_BIN_EXE_pintu")).args(args).arg("--data").arg(data).output().unwrap().into()
}

#[test]
fn a_backup_is_made_and_brought_back_while_servers_run() {
    let [data, other, elsewhere] = [(); 3].map(|()| tempfile::tempdir().unwrap());
    let file = elsewhere.path().join("backup.sqlite3");
    let name = file.to_str().unwrap();
    let server = Server::start(data.path(), &ANY_PORT);
    let path = server.make(10);
    let run = pintu(&["backup", name], data.path());
    assert_eq!((run.status, run.out.as_str()), (0, ""), "{}", run.err);
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    server.send("PUT", &path, &save(20));
    let later = server.make(2);
    let run = pintu(&["restore", name], data.path());
    assert_eq!(run.status, 0, "{}", run.err);
    let (status, loaded) = server.send("GET", &path, "");
    assert_eq!((status, &loaded["game"]["millis"], &loaded["revision"]), (200, &json!(10), &json!(1)));
    assert_eq!(server.send("GET", &later, "").0, 404, "it came after the backup");
    assert_eq!(server.send("PUT", &path, &save(30)).0, 200, "the server goes on");
    let before = data.path().join("before-restore.sqlite3");
    assert!(run.err.contains(before.to_str().unwrap()), "{}", run.err);
    let run = pintu(&["restore", before.to_str().unwrap()], data.path());
    assert_eq!(run.status, 0, "{}", run.err);
    assert_eq!(server.send("GET", &path, "").1["game"]["millis"], 20, "what was replaced can be had back");
    assert_eq!(server.send("GET", &later, "").0, 200);
    let server = server.again(data.path());
    assert_eq!(server.send("GET", &later, "").0, 200);
    // On another machine, whose server runs already.
    let there = Server::start(other.path(), &ANY_PORT);
    there.make(2);
    assert_eq!(pintu(&["restore", name], other.path()).status, 0);
    there.cookie.replace(server.cookie.borrow().clone());
    let (status, loaded) = there.send("GET", &path, "");
    assert_eq!((status, &loaded["game"]["millis"]), (200, &json!(10)), "its browsers are known there");
}

#[test]
fn players_are_listed_renamed_banned_and_removed_while_a_server_runs() {
    let data = tempfile::tempdir().unwrap();
    let refused = pintu(&["players", "list"], data.path());
    assert!(refused.status == 2 && refused.err.contains("found no database in"), "{}", refused.err);
    let server = Server::start(data.path(), &ANY_PORT);
    let path = server.make(10);
    let listed = || -> Value {
        let run = pintu(&["players", "list", "--format", "json"], data.path());
        serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{}", run.err))
    };
    let player = listed()[0].clone();
    assert_eq!((&player["saves"], &player["devices"], &player["nickname"]), (&json!(1), &json!(1), &json!(null)));
    let id = &player["id"].as_str().unwrap()[..8];
    assert_eq!(pintu(&["players", "rename", id, "小明"], data.path()).status, 0);
    assert_eq!(server.send("GET", "/api/player", "").1["nickname"], "小明");
    let odd = pintu(&["players", "rename", id, "<b>"], data.path());
    assert!(odd.status == 2 && odd.err.contains("nickname: found `<`"), "{}", odd.err);
    assert_eq!(pintu(&["players", "ban", id], data.path()).status, 0);
    assert_eq!(server.send("PUT", &path, &save(20)).0, 403);
    assert!(pintu(&["players", "list", "明"], data.path()).out.contains("banned"));
    assert_eq!(pintu(&["players", "unban", id], data.path()).status, 0);
    assert_eq!(server.send("PUT", &path, &save(20)).0, 200);
    assert_eq!(pintu(&["players", "remove", id], data.path()).status, 0);
    assert_eq!((server.send("GET", &path, "").0, listed()), (404, json!([])));
    let gone = pintu(&["players", "remove", id], data.path());
    assert!(gone.status == 2 && gone.err.contains("found 0 players"), "{}", gone.err);
}

/// The name that a file was given is on the disk, too, when the command ends: after each rename its directory is synced.
#[test]
fn names_of_backups_survive_a_power_cut() {
    let [data, elsewhere] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let name = |file: &str| elsewhere.path().join(file).to_string_lossy().into_owned();
    let (file, calls) = (name("backup.sqlite3"), name("calls"));
    drop(Server::start(data.path(), &ANY_PORT));
    let folder = |path: &Path| format!("<{}>", path.canonicalize().unwrap().display());
    for (command, renamed_in) in [("backup", elsewhere.path()), ("restore", data.path())] {
        let mut strace = Command::new("strace");
        strace.args(["-f", "-y", "-e", "trace=rename,renameat,renameat2,link,linkat,fsync", "-o", &calls]);
        strace.arg(env!("CARGO_BIN_EXE_pintu")).args([command, &file, "--data"]).arg(data.path());
        if !strace.output().is_ok_and(|output| output.status.success()) {
            return pintu_testing::skip("strace is not there, or may not trace: that the names of backups are synced");
        }
        let calls = fs::read_to_string(&calls).unwrap();
        let lines: Vec<&str> = calls.lines().collect();
        let renamed = lines.iter().rposition(|line| line.contains(" rename") || line.contains(" link"));
        let renamed = renamed.unwrap_or_else(|| panic!("{command} renames nothing: {calls}"));
        // At once: SQLite syncs the directory later for files of its own.
        let next = lines.get(renamed + 1).copied().unwrap_or_default();
        assert!(next.contains("fsync(") && next.contains(&folder(renamed_in)), "{command}: {calls}");
    }
}

#[test]
fn systemd_takes_the_service() {
    let folder = tempfile::tempdir().unwrap();
    let unit = include_str!("../../../../data/pintu.service").replace("/usr/bin/pintu", env!("CARGO_BIN_EXE_pintu"));
    let file = folder.path().join("pintu.service");
    fs::write(&file, unit).unwrap();
    let Ok(run) = Command::new("systemd-analyze").args(["verify", "--man=no"]).arg(&file).output() else {
        return pintu_testing::skip("systemd-analyze is not there: the unit of systemd");
    };
    let told = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success() && !told.contains("pintu.service"), "{told}");
}

#[test]
fn what_is_no_backup_is_refused_and_changes_nothing() {
    let data = tempfile::tempdir().unwrap();
    let file = tempfile::NamedTempFile::new().unwrap();
    let name = file.path().to_str().unwrap().to_owned();
    let run = pintu(&["backup", &name], &data.path().join("nowhere"));
    assert!(run.status == 2 && run.err.contains("found no database at"), "{}", run.err);
    let run = pintu(&["restore", &format!("{name}.none")], data.path());
    assert!(run.status == 2 && run.err.ends_with("none: there is no such file or folder\n"), "{}", run.err);
    let server = Server::start(data.path(), &ANY_PORT);
    let path = server.make(10);
    for bytes in [&b"these are no games"[..], &[0; 100], b""] {
        fs::write(file.path(), bytes).unwrap();
        let run = pintu(&["restore", &name], data.path());
        assert_eq!((run.status, run.err.lines().count()), (2, 1), "{}", run.err);
        assert!(run.err.contains(&name), "{}", run.err);
        let reason = run.err.trim().rsplit_once(": ").unwrap().1;
        assert_eq!(run.err.matches(reason).count(), 1, "each thing is said once: {}", run.err);
    }
    fs::write(file.path(), "a board of mine").unwrap();
    for occupied in [name.as_str(), data.path().join("pintu.sqlite3").to_str().unwrap()] {
        let run = pintu(&["backup", occupied], data.path());
        assert!(run.status == 2 && run.err.contains("found another file at"), "{}", run.err);
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
        let address = line.strip_prefix("on the network: http://").and_then(|rest| rest.strip_suffix('/'));
        let address: SocketAddr = address.unwrap().parse().unwrap();
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
fn host_names_are_allowed_and_a_password_is_asked_for() {
    let data = tempfile::tempdir().unwrap();
    let server =
        Server::start(data.path(), &["--addr", "127.0.0.1:0", "--password", "sesame", "--allow-host", "pintu.example"]);
    for (host, expected) in [("pintu.example", "200"), ("other.example", "403")] {
        let mut stream = TcpStream::connect(server.address).unwrap();
        let request = format!("GET /api/health HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        let reply = std::io::read_to_string(stream).unwrap();
        assert_eq!(reply.split_whitespace().nth(1), Some(expected), "{host}");
    }
    assert_eq!(server.send("GET", "/api/saves", "").1["code"], "password");
    assert_eq!(server.send("POST", "/enter", "password=sesame").0, 303);
    assert_eq!(server.send("GET", "/api/saves", "").0, 200);
    let empty = serve(data.path(), &["--password", ""]).output().unwrap();
    assert_eq!(empty.status.code(), Some(2));
}

/// One line a request at `info`, and none unless it is asked for.
#[test]
fn requests_are_logged_when_that_is_wanted() {
    let log = |args: &[&str]| {
        let data = tempfile::tempdir().unwrap();
        let file = tempfile::NamedTempFile::new().unwrap();
        let mut command = serve(data.path(), &[&ANY_PORT, args].concat());
        let server = Server::of(command.stderr(file.reopen().unwrap()));
        assert_eq!(server.send("GET", "/api/records?all", "").0, 200);
        assert_eq!(server.send("GET", "/api/nothing", "").0, 404);
        server.signal("-TERM");
        assert_eq!(server.status(), Some(0));
        fs::read_to_string(&file).unwrap()
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
    assert_eq!(lines[0]["span"]["client"], json!("127.0.0.1"));
    assert!(lines[0]["micros"].is_u64() && lines[0]["timestamp"].is_string());
}

/// A small disk, where one can be mounted.
struct SmallDisk(tempfile::TempDir);

impl SmallDisk {
    fn mount(&self, options: &str) -> bool {
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", options, "pintu"]).arg(self.0.path()).stderr(Stdio::null());
        mount.status().is_ok_and(|status| status.success())
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(self.0.path()).stderr(Stdio::null()).status();
    }
}

#[test]
fn a_disk_that_is_full_or_cannot_be_written_is_said_and_costs_nothing_that_was_saved() {
    let disk = SmallDisk(tempfile::tempdir().unwrap());
    if !disk.mount("size=2m") {
        return pintu_testing::skip("a disk that is full: only root can mount a small one");
    }
    let data = disk.0.path().join("data");
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
    assert_eq!(refused, (507, json!("storage-full")));
    server = server.again(&data);
    for id in &made {
        assert_eq!(server.send("GET", &format!("/api/saves/{id}"), "").0, 200);
    }
    server.signal("-TERM");
    assert_eq!(server.status(), Some(0));
    assert!(disk.mount("remount,ro"));
    let run = Run::from(serve(&data, &ANY_PORT).output().unwrap());
    assert_eq!((run.status, run.err.lines().count()), (2, 1), "{}", run.err);
    assert!(run.err.contains(data.to_str().unwrap()), "{}", run.err);
}

/// The process takes no more memory for a race than its limit, and gives it back.
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
    // A quarter more for code that runs for the first time, stacks and fragments.
    assert!(peak < before + LIMIT_MIB * 5 / 4, "{before} MiB before, {peak} at most");
    assert!(after < before + LIMIT_MIB / 2, "{before} MiB before, {after} after");
}

#[test]
fn settings_come_from_a_file_the_environment_and_the_command_line() {
    let data = tempfile::tempdir().unwrap();
    let file = data.path().join("pintu.toml");
    fs::write(&file, "saves = 7\nrecords = 8\npictures = 9\n").unwrap();
    let print = |args: &[&str]| {
        let mut command = serve(data.path(), args);
        let out = command.arg("--config").arg(&file).env("PINTU_RECORDS", "80").env("PINTU_PICTURES", "90").output();
        let out = out.unwrap();
        (out.status.code(), String::from_utf8(out.stdout).unwrap(), String::from_utf8(out.stderr).unwrap())
    };
    let (status, printed, _) = print(&["--print-config", "--set", "pictures=900", "--metrics", "127.0.0.1:0"]);
    assert_eq!(status, Some(0));
    for line in ["saves = 7", "records = 80", "pictures = 900", "metrics = \"127.0.0.1:0\""] {
        assert!(printed.lines().any(|found| found == line), "{line} is not in\n{printed}");
    }
    fs::write(&file, "\nsafes = 7").unwrap();
    let (status, _, error) = print(&["--print-config"]);
    assert_eq!(status, Some(2), "{error}");
    assert!(error.contains("line 2: found `safes`") && error.contains("`saves`"), "{error}");
}

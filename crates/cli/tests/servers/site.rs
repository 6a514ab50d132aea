//! The servers, their database and the proxy in front of them.

use std::{
    env, fs,
    io::{BufRead, BufReader},
    net::{SocketAddr, TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::{Child, ChildStdout, Command, Stdio},
    thread,
    time::Duration,
};

use tempfile::TempDir;

use crate::postgres;

const HOSTING: &str = include_str!("../../../../docs/hosting.md");

/// Servers and nginx, which are stopped when this is dropped.
pub(crate) struct Site {
    pub(crate) servers: Vec<Server>,
    /// The address of nginx.
    pub(crate) address: SocketAddr,
    _nginx: Nginx,
    _directory: TempDir,
}

pub(crate) struct Server {
    process: Process,
    command: Command,
    out: BufReader<ChildStdout>,
    pub(crate) address: SocketAddr,
}

struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The proxy's master process, which ends its workers itself.
struct Nginx(Process);

impl Drop for Nginx {
    fn drop(&mut self) {
        let child = &mut self.0.0;
        let sent = Command::new("kill").arg(child.id().to_string()).status();
        if sent.is_ok_and(|sent| sent.success()) {
            let _ = child.wait();
        }
    }
}

impl Site {
    /// Starts nginx and two servers with these options; remarks and returns `None` without a database or nginx.
    pub(crate) fn start(options: &[&str]) -> Option<Self> {
        let directory = tempfile::tempdir().unwrap();
        let store = postgres::store_of(directory.path(), "PINTU_TEST_POSTGRES");
        if store.is_none() {
            pintu_testing::skip("there is no PostgreSQL server (PINTU_TEST_POSTGRES): two servers at once");
        }
        Self::start_with(directory, &["--store", &store?], &["one", "two"], options)
    }

    /// The same of one server with its data in a file.
    pub(crate) fn start_one() -> Option<Self> {
        let directory = tempfile::tempdir().unwrap();
        let data = directory.path().join("data").to_string_lossy().into_owned();
        Self::start_with(directory, &["--data", &data], &["one"], &[])
    }

    fn start_with(directory: TempDir, store: &[&str], names: &[&str], options: &[&str]) -> Option<Self> {
        let Some(nginx) = nginx() else {
            pintu_testing::skip("there is no nginx: a class behind one address");
            return None;
        };
        let school = directory.path().join("school.toml");
        fs::write(&school, block("growth_bytes")).unwrap();
        let start = |name: &&str| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_pintu"));
            command.args(["serve", "--no-open", "--config"]).arg(&school).args(store).args(options);
            command.env("PINTU_TABLES", directory.path().join(name)).env_remove("DISPLAY");
            Server::start(command, "127.0.0.1:0")
        };
        let servers: Vec<Server> = names.iter().map(start).collect();
        let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let nginx = start_nginx(&nginx, directory.path(), address, &servers);
        Some(Self { servers, address, _nginx: nginx, _directory: directory })
    }
}

impl Server {
    fn start(mut command: Command, address: &str) -> Self {
        let mut child = command.args(["--addr", address]).stdout(Stdio::piped()).spawn().expect("pintu starts");
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        out.read_line(&mut line).unwrap();
        let found = line.strip_prefix("listening on http://").and_then(|rest| rest.strip_suffix("/\n"));
        let address = found.unwrap_or_else(|| panic!("found the first line `{line}`")).parse().unwrap();
        Self { process: Process(child), command, out, address }
    }

    /// The next line that it prints.
    pub(crate) fn line(&mut self) -> String {
        let mut line = String::new();
        self.out.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    }

    /// Kills the process, which cannot do anything more.
    pub(crate) fn kill(&mut self) {
        self.process.0.kill().unwrap();
        self.process.0.wait().unwrap();
    }

    /// Starts another process at the same address.
    pub(crate) fn start_again(&mut self) {
        let mut command = Command::new(self.command.get_program());
        // The last two name the address.
        let args: Vec<_> = self.command.get_args().collect();
        command
            .args(&args[..args.len() - 2])
            .envs(self.command.get_envs().filter_map(|(name, value)| Some((name, value?))));
        *self = Self::start(command, &self.address.to_string());
    }
}

/// The machine's nginx: on the path, or where Debian puts it, which is not on every user's path.
fn nginx() -> Option<PathBuf> {
    let paths = env::var_os("PATH").unwrap_or_default();
    let mut folders = env::split_paths(&paths).chain([PathBuf::from("/usr/sbin")]);
    folders.find_map(|folder| Some(folder.join("nginx")).filter(|path| path.is_file()))
}

/// Starts nginx with the recipe of the documentation, on an address of the test's own and without TLS.
fn start_nginx(program: &Path, directory: &Path, address: SocketAddr, servers: &[Server]) -> Nginx {
    let mut recipe = block("map $http_cookie").replace("listen 443 ssl;", &format!("listen {address};"));
    for (name, server) in ["127.0.0.1:7468", "127.0.0.1:7469"].iter().zip(servers) {
        recipe = recipe.replace(name, &server.address.to_string());
    }
    // Where there is one server, one line goes.
    let is_wanted = |line: &&str| !line.trim().starts_with("ssl_") && !line.contains("127.0.0.1:7469");
    let recipe = recipe.lines().filter(is_wanted).collect::<Vec<_>>().join("\n");
    assert!(servers.iter().all(|server| recipe.contains(&server.address.to_string())), "{recipe}");
    assert!(recipe.contains(&address.to_string()), "{recipe}");
    let temporary =
        ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(|kind| format!("{kind}_temp_path {kind};\n"));
    let here = directory.display();
    let config = format!(
        "user root;\ndaemon off;\npid {here}/nginx.pid;\nerror_log {here}/error.log;\n{}\
         http {{\naccess_log off;\n{}{recipe}\n}}\n",
        block("worker_rlimit_nofile"),
        temporary.concat()
    );
    let path = directory.join("nginx.conf");
    fs::write(&path, config).unwrap();
    let mut command = Command::new(program);
    command
        .arg("-p")
        .arg(directory)
        .arg("-c")
        .arg(&path)
        .arg("-e")
        .arg(directory.join("error.log"))
        .stderr(Stdio::null());
    let nginx = Nginx(Process(command.spawn().expect("nginx starts")));
    for _ in 0..600 {
        if TcpStream::connect(address).is_ok() {
            return nginx;
        }
        thread::sleep(Duration::from_millis(50));
    }
    panic!("nginx does not listen: {}", fs::read_to_string(directory.join("error.log")).unwrap_or_default());
}

/// The example of the documentation that begins with this text.
fn block(begin: &str) -> String {
    let lines = HOSTING.lines().skip_while(|line| !line.trim_start().starts_with(begin));
    let lines = lines.map_while(|line| line.strip_prefix("    ").or((line.trim().is_empty()).then_some("")));
    let text: Vec<&str> = lines.take_while(|line| !line.is_empty()).collect();
    assert!(!text.is_empty(), "docs/hosting.md has no example that begins with {begin}");
    text.join("\n") + "\n"
}

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

/// Two servers and nginx, which end with this.
pub(crate) struct Site {
    pub(crate) servers: [Server; 2],
    /// Where nginx listens.
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

/// The proxy's first process, which has to end the others itself.
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
    /// Starts everything, the servers with these options; says so and returns nothing where there is no database or no nginx.
    pub(crate) fn start(options: &[&str]) -> Option<Self> {
        let directory = tempfile::tempdir().unwrap();
        let (store, nginx) = (postgres::store_of(directory.path(), "PINTU_TEST_POSTGRES"), nginx());
        let (Some(store), Some(nginx)) = (store, nginx) else {
            pintu_testing::skip("there is no PostgreSQL server (PINTU_TEST_POSTGRES) or no nginx: two servers at once");
            return None;
        };
        let school = directory.path().join("school.toml");
        fs::write(&school, block("growth_bytes")).unwrap();
        let servers = ["one", "two"].map(|name| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_pintu"));
            command.args(["serve", "--no-open", "--store", &store, "--config"]).arg(&school).args(options);
            command.env("PINTU_TABLES", directory.path().join(name)).env_remove("DISPLAY");
            Server::start(command, "127.0.0.1:0")
        });
        let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let nginx = start_nginx(&nginx, directory.path(), address, servers.each_ref().map(|server| server.address));
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

    /// Kills the process; it has no time to do anything more.
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

/// The nginx of the machine; where Debian puts it, too, for that is not on everybody's path.
fn nginx() -> Option<PathBuf> {
    let paths = env::var_os("PATH").unwrap_or_default();
    let mut folders = env::split_paths(&paths).chain([PathBuf::from("/usr/sbin")]);
    folders.find_map(|folder| Some(folder.join("nginx")).filter(|path| path.is_file()))
}

/// Starts nginx with the recipe of the documentation, on an address of the test's own and without TLS.
fn start_nginx(program: &Path, directory: &Path, address: SocketAddr, servers: [SocketAddr; 2]) -> Nginx {
    let recipe = block("map $http_cookie")
        .replace("listen 443 ssl;", &format!("listen {address};"))
        .replace("127.0.0.1:7468", &servers[0].to_string())
        .replace("127.0.0.1:7469", &servers[1].to_string());
    let lines: Vec<&str> = recipe.lines().filter(|line| !line.trim().starts_with("ssl_")).collect();
    let recipe = lines.join(
        "
",
    );
    assert!(recipe.contains(&address.to_string()) && recipe.contains(&servers[1].to_string()), "{recipe}");
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

/// The example of the documentation that begins so.
fn block(begin: &str) -> String {
    let lines = HOSTING.lines().skip_while(|line| !line.trim_start().starts_with(begin));
    let lines = lines.map_while(|line| line.strip_prefix("    ").or((line.trim().is_empty()).then_some("")));
    let text: Vec<&str> = lines.take_while(|line| !line.is_empty()).collect();
    assert!(!text.is_empty(), "docs/hosting.md has no example that begins with {begin}");
    text.join("\n") + "\n"
}

use std::{
    fs,
    io::{BufRead, BufReader},
    net::SocketAddr,
    path::Path,
    process::{Child, Command, ExitCode, Stdio},
};

use pintu_web::{Config, serve as serve_until_killed};

pub(crate) const SERVE: &str = "--serve";

pub(crate) fn serve(data: &str) -> ExitCode {
    let any_port = SocketAddr::from(([127, 0, 0, 1], 0));
    match serve_until_killed(Config::new(data), Some(any_port), |server| println!("listening on {}", server.url())) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

pub(crate) struct Server {
    child: Child,
    pub(crate) address: SocketAddr,
}

impl Server {
    pub(crate) fn start(data: &Path) -> Self {
        let program = std::env::current_exe().expect("this program has a name");
        let mut serve = Command::new(program);
        // Tables, too, are made anew, where they are measured and thrown away.
        serve.arg(SERVE).arg(data).env("PINTU_TABLES", data.join("tables"));
        let mut child = serve.stdout(Stdio::piped()).spawn().expect("a process");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("it is piped")).read_line(&mut line).expect("a first line");
        let address = line.trim().trim_start_matches("listening on http://").trim_end_matches('/');
        Self { address: address.parse().expect("the first line is an address"), child }
    }

    /// The most memory it had resident so far, in MiB; 0 where the system does not say.
    pub(crate) fn peak_mebibytes(&self) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0) >> 10
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

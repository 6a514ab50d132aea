use std::{
    env,
    io::{self, Write},
    net::SocketAddr,
    path::PathBuf,
};

use anyhow::Context;
use clap::Args;
use etcetera::{BaseStrategy, choose_base_strategy};
use pintu_web::Config;

use crate::exit::Exit;

/// Serve the game to a browser; this is also what `pintu` does without a command
///
/// The first line on standard output is the address. Only this machine can reach it unless --addr says
/// otherwise; then whoever can reach the address can play. Ctrl-C ends it; games are kept.
///
///     pintu serve --addr 0.0.0.0:7468      for a phone on the same network
#[derive(Args, Debug, Default)]
#[command(verbatim_doc_comment)]
pub(crate) struct Serve {
    /// Where to listen; port 0 is any that is free [default: 127.0.0.1:7468, or a free port if that is taken]
    #[arg(long, value_name = "ADDRESS:PORT")]
    addr: Option<SocketAddr>,

    /// Where games and pictures are kept [default: pintu in the user's data directory]
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,

    /// Do not open the browser
    #[arg(long)]
    no_open: bool,

    /// Answer to this host name, too, beside IP addresses and localhost; may be repeated
    #[arg(long, value_name = "NAME")]
    allow_host: Vec<String>,
}

impl Serve {
    pub(crate) fn run(self) -> anyhow::Result<Exit> {
        let data = match self.data {
            Some(data) => data,
            None => choose_base_strategy()
                .context("cannot find a data directory: name one with --data")?
                .data_dir()
                .join("pintu"),
        };
        let config = Config { allow_hosts: self.allow_host, ..Config::new(data) };
        let opens = !self.no_open && has_desktop();
        pintu_web::serve(config, self.addr, |url| {
            let mut out = io::stdout().lock();
            // The server serves, whether or not somebody reads where.
            let _ = writeln!(out, "listening on {url}").and_then(|()| out.flush());
            if opens && open::that_detached(url).is_err() {
                eprintln!("pintu: no browser could be opened; open {url} yourself");
            }
        })?;
        Ok(Exit::Solved)
    }
}

/// Whether there is a screen on which a browser could appear.
fn has_desktop() -> bool {
    let set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
    cfg!(any(windows, target_os = "macos")) || set("DISPLAY") || set("WAYLAND_DISPLAY")
}

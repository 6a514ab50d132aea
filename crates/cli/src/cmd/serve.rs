use std::{
    cell::Cell,
    env,
    io::{self, IsTerminal},
    net::{IpAddr, SocketAddr},
    path::PathBuf,
};

use anyhow::{Context, bail};
use clap::{
    Args,
    builder::{PossibleValuesParser, TypedValueParser},
};
use etcetera::{BaseStrategy, choose_base_strategy};
use pintu_web::{Config, Invites, Server};
use tracing::level_filters::LevelFilter;

use super::network;
use crate::{exit::Exit, say};

/// Serve the game to a browser; this is also what `pintu` does without a command
///
/// The first line on standard output is the address. Only this machine can
/// reach it unless --addr says otherwise; then whoever can reach the address
/// can play, unless there is a password or an invitation is needed.
/// Ctrl-C ends it; games are kept.
///
///     pintu serve --addr 0.0.0.0      # for a phone nearby; prints a code for it
#[derive(Args, Debug, Default)]
#[command(verbatim_doc_comment)]
pub(crate) struct Serve {
    /// Where to listen; port 0 is any that is free [default: 127.0.0.1:7468, or a free port if that is taken]
    #[arg(long, value_name = "ADDRESS[:PORT]", value_parser = address)]
    addr: Option<SocketAddr>,

    #[command(flatten)]
    data: DataArgs,

    /// Do not open the browser
    #[arg(long)]
    no_open: bool,

    /// Answer to this host name, too, beside IP addresses and localhost; may be repeated
    #[arg(long, value_name = "NAME")]
    allow_host: Vec<String>,

    /// Let in only who knows this password; `PINTU_PASSWORD` in the environment does the same, unseen by others
    #[arg(long, value_name = "WORD")]
    password: Option<String>,

    /// Print a link that lets one browser in; when it was used, the next
    #[arg(long)]
    invite: bool,

    /// Tell at /metrics what the server has done, for Prometheus
    #[arg(long)]
    metrics: bool,

    /// Log to standard error, a JSON object a line
    ///
    /// error: what failed. warn: that, and what is amiss. info: also a line for each request. debug: also what helps
    /// to find a fault.
    #[arg(
        long,
        value_name = "LEVEL",
        ignore_case = true,
        value_parser = PossibleValuesParser::new(LEVELS).try_map(|name| name.parse::<LevelFilter>())
    )]
    log: Option<LevelFilter>,
}

const LEVELS: [&str; 4] = ["error", "warn", "info", "debug"];

impl Serve {
    pub(crate) fn run(self) -> anyhow::Result<Exit> {
        log(self.log);
        let invites = self.invite.then(Invites::default);
        let config = Config {
            allow_hosts: self.allow_host,
            password: password(self.password)?,
            invites: invites.clone(),
            metrics: self.metrics,
            ..Config::new(self.data.directory()?)
        };
        let opens = !self.no_open && has_desktop();
        pintu_web::serve(config, self.addr, |server| announce(server, invites, opens))?;
        Ok(Exit::Solved)
    }
}

/// The directory of games.
#[derive(Args, Debug, Default)]
pub(super) struct DataArgs {
    /// Where games and pictures are kept [default: pintu in the user's data directory]
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
}

impl DataArgs {
    pub(super) fn directory(self) -> anyhow::Result<PathBuf> {
        if let Some(named) = self.data {
            return Ok(named);
        }
        let strategy = choose_base_strategy().context("found no data directory, expected --data DIR")?;
        Ok(strategy.data_dir().join("pintu"))
    }
}

/// An address with its port, or one with the usual port.
fn address(text: &str) -> Result<SocketAddr, String> {
    let usual = |address: IpAddr| SocketAddr::new(address, Server::USUAL_PORT);
    let found = text.parse().or_else(|_| text.parse().map(usual));
    found.map_err(|_| "expected an IP address, with a port or without, as in 0.0.0.0:7468".to_owned())
}

fn password(named: Option<String>) -> anyhow::Result<Option<String>> {
    let word = named.or_else(|| env::var("PINTU_PASSWORD").ok().filter(|word| !word.is_empty()));
    if word.as_deref() == Some("") {
        bail!("--password: found nothing, expected a word");
    }
    Ok(word)
}

/// Says where the server is. It serves, whether or not somebody reads that.
fn announce(server: &Server, invites: Option<Invites>, opens: bool) {
    let (local, others) = (server.local_url(), network::addresses(server.address()));
    print_line(&format!("listening on {}", server.url()));
    for other in &others {
        print_line(&format!("on the network: http://{other}/"));
    }
    let first = others.first().map_or_else(|| local.clone(), |other| format!("http://{other}/"));
    let Some(invites) = invites else {
        if !others.is_empty() {
            show_code(&first);
        }
        if opens {
            open(&local);
        }
        return;
    };
    // The first link is for who started the server; the next ones are for others.
    let opens = Cell::new(opens);
    invites.each(move |path| {
        let link = |base: &str| format!("{}{path}", base.trim_end_matches('/'));
        print_line(&format!("lets one browser in: {}", link(&first)));
        show_code(&link(&first));
        if opens.take() {
            open(&link(&local));
        }
    });
}

fn print_line(line: &str) {
    let _ = say::print(&format!("{line}\n"));
}

/// Shows a phone where to go, if there is a screen.
fn show_code(url: &str) {
    if let Some(code) = network::code(url).filter(|_| io::stdout().is_terminal()) {
        print_line(&code);
    }
}

fn open(url: &str) {
    if open::that_detached(url).is_err() {
        say::complain(format_args!("no browser could be opened; open {url} yourself"));
    }
}

/// Without a level, only what goes wrong is told, in words.
fn log(level: Option<LevelFilter>) {
    let most = level.unwrap_or(LevelFilter::WARN);
    let subscriber = tracing_subscriber::fmt().with_writer(io::stderr).with_max_level(most);
    match level {
        Some(_) => subscriber.json().flatten_event(true).with_span_list(false).init(),
        None => subscriber.without_time().with_target(false).with_ansi(false).init(),
    }
}

/// Whether there is a screen on which a browser could appear.
fn has_desktop() -> bool {
    let set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
    cfg!(any(windows, target_os = "macos")) || set("DISPLAY") || set("WAYLAND_DISPLAY")
}

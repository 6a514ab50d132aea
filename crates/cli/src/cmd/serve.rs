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
use pintu_web::{Config, Invites, Server, Settings};
use tracing::Level;

use super::network;
use crate::{exit::Exit, say};

/// Serve the game to a browser; this is also what `pintu` does without a command
///
/// The first line on standard output is the address. Only this machine can
/// reach it unless --addr says otherwise; then whoever can reach the address
/// can play, unless there is a password or an invitation is needed.
/// Ctrl-C ends it; games are kept.
///
/// Every limit is a setting: --print-config lists all of them, which may stand in
/// a file (--config), in the environment (`PINTU_SAVES` for `saves`) and on the
/// command line (--set saves=500); the later of these goes before the earlier.
///
///     pintu serve --addr 0.0.0.0      # for a phone nearby; prints a code for it
///     pintu serve --print-config >pintu.toml
///     pintu serve --config pintu.toml
#[derive(Args, Debug, Default)]
#[command(verbatim_doc_comment)]
pub(crate) struct Serve {
    /// Where to listen; port 0 is any that is free [default: 127.0.0.1:7468, or a free port if that is taken]
    #[arg(long, value_name = "ADDRESS[:PORT]", value_parser = address)]
    addr: Option<SocketAddr>,

    #[command(flatten)]
    store: StoreArgs,

    /// Do not open the browser
    #[arg(long)]
    no_open: bool,

    /// Answer to this host name, too, beside IP addresses and localhost; may be repeated
    #[arg(long, value_name = "NAME")]
    allow_host: Vec<String>,

    /// Let in only visitors who know this password; in the variable `PINTU_PASSWORD` it is hidden from other users
    #[arg(long, value_name = "WORD")]
    password: Option<String>,

    /// Print a link that lets one browser in; when it was used, the next
    #[arg(long)]
    invite: bool,

    /// Tell at http://ADDRESS:PORT/metrics what the server has done, for Prometheus
    #[arg(long, value_name = "ADDRESS:PORT")]
    metrics: Option<SocketAddr>,

    /// Read settings from a TOML file
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,

    /// Set any setting; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = assignment)]
    set: Vec<(String, String)>,

    /// Print the settings as they are with these options, as a file for --config, and end
    #[arg(long)]
    print_config: bool,

    /// Log to standard error, a JSON object a line
    ///
    /// error: what failed. warn: that, and what is amiss. info: also a line for each request. debug: also what helps
    /// to find a fault.
    #[arg(
        long,
        value_name = "LEVEL",
        ignore_case = true,
        value_parser = PossibleValuesParser::new(LEVELS).try_map(|name| name.parse::<Level>())
    )]
    log: Option<Level>,
}

const LEVELS: [&str; 4] = ["error", "warn", "info", "debug"];

impl Serve {
    pub(crate) fn run(self) -> anyhow::Result<Exit> {
        let (prints, opens) = (self.print_config, !self.no_open && has_desktop());
        let settings = self.settings()?;
        if prints {
            say::print(&settings.to_string())?;
            return Ok(Exit::Solved);
        }
        let Settings { hosting, bounds, .. } = settings;
        log(hosting.log);
        let invites = hosting.invite.then(Invites::default);
        let data = DataArgs { data: hosting.data.clone() }.directory()?;
        let config = Config { invites: invites.clone(), ..Config::of(&hosting, bounds, data) };
        pintu_web::serve(config, hosting.addr, |server| announce(server, invites, opens))?;
        Ok(Exit::Solved)
    }

    /// The settings of the file, the environment and --set; options of their own take precedence.
    fn settings(self) -> anyhow::Result<Settings> {
        let environment = |name: &str| env::var(name).ok();
        let mut settings = Settings::read(self.config.as_deref(), environment, &self.set)?;
        if self.password.as_deref() == Some("") {
            bail!("--password: found nothing, expected a word");
        }
        let hosting = &mut settings.hosting;
        hosting.addr = self.addr.or(hosting.addr);
        hosting.data = self.store.data.data.or(hosting.data.take());
        hosting.store = self.store.store.or(hosting.store.take());
        hosting.metrics = self.metrics.or(hosting.metrics);
        hosting.password = self.password.or(hosting.password.take());
        hosting.log = self.log.or(hosting.log);
        hosting.invite |= self.invite;
        if !self.allow_host.is_empty() {
            hosting.allow_host = self.allow_host;
        }
        Ok(settings)
    }
}

/// A setting and its value.
fn assignment(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("expected a setting and its value, as in saves=500")?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

/// The directory of games.
#[derive(Args, Debug, Default)]
struct DataArgs {
    /// Where games and pictures are kept [default: pintu in the user's data directory]
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
}

impl DataArgs {
    fn directory(self) -> anyhow::Result<PathBuf> {
        let of_environment = || env::var_os("PINTU_DATA").filter(|named| !named.is_empty()).map(PathBuf::from);
        if let Some(named) = self.data.or_else(of_environment) {
            return Ok(named);
        }
        let strategy = choose_base_strategy().context("found no data directory, expected --data DIR")?;
        Ok(strategy.data_dir().join("pintu"))
    }
}

/// The store of a server.
#[derive(Args, Debug, Default)]
pub(super) struct StoreArgs {
    #[command(flatten)]
    data: DataArgs,

    /// A `PostgreSQL` database, which several servers may share, instead of that directory, wherever that is named;
    /// `PINTU_STORE` in the environment does the same, unseen by others
    #[arg(long, value_name = "postgres://…")]
    store: Option<String>,
}

impl StoreArgs {
    /// A configuration of which only the store is used.
    pub(super) fn config(self) -> anyhow::Result<Config> {
        let of_environment = || env::var("PINTU_STORE").ok().filter(|named| !named.is_empty());
        let store = self.store.or_else(of_environment);
        Ok(Config { store, ..Config::new(self.data.directory()?) })
    }
}

/// An address with its port, or one with the usual port.
fn address(text: &str) -> Result<SocketAddr, String> {
    let usual = |address: IpAddr| SocketAddr::new(address, Server::USUAL_PORT);
    let found = text.parse().or_else(|_| text.parse().map(usual));
    found.map_err(|_| "expected an IP address, with a port or without, as in 127.0.0.1 or 0.0.0.0:7468".to_owned())
}

/// Prints the address. The server runs even if the output cannot be written.
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
    // The first link is for the user who started the server; the next ones are for guests.
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

/// Shows the address as a QR code, if standard output is a terminal.
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

/// Without a level, errors and warnings are logged, as sentences.
fn log(level: Option<Level>) {
    let most = level.unwrap_or(Level::WARN);
    let subscriber = tracing_subscriber::fmt().with_writer(io::stderr).with_max_level(most);
    match level {
        Some(_) => subscriber.json().flatten_event(true).with_span_list(false).init(),
        None => subscriber.without_time().with_target(false).with_ansi(false).init(),
    }
}

/// Whether there is a desktop on which a browser can open.
fn has_desktop() -> bool {
    let set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
    cfg!(any(windows, target_os = "macos")) || set("DISPLAY") || set("WAYLAND_DISPLAY")
}

//! The settings of an operator: one table, from which the file, the environment, `--print-config` and the documentation come.

use std::{
    net::{IpAddr, Ipv4Addr, SocketAddr},
    path::PathBuf,
    thread,
    time::{Duration, SystemTime},
};

use ipnet::IpNet;
use pintu_engine::{
    calls::CallBounds,
    tables::{self, Store},
};
use pintu_game::Day;

use crate::{
    auth::Invites,
    client::ProxyHeader,
    engine::Engine,
    response_body::CHUNK_BYTES,
    server::BUFFER_BYTES,
    settings::{Setting, Table, Unit, Value},
};

#[derive(Clone, Debug)]
pub struct Config {
    /// The directory of the database; it is made if it is not there.
    pub data: PathBuf,
    /// The address of a `PostgreSQL` database instead of that.
    pub store: Option<String>,
    /// Host names that are accepted beside IP addresses and `localhost`.
    pub allow_hosts: Vec<String>,
    /// Where pages asked for at `localhost` are redirected to, so that a browser has one cookie.
    pub loopback: IpAddr,
    /// Proxies that are believed about the addresses of clients.
    pub trusted_proxies: Vec<IpNet>,
    /// The header in which they name them.
    pub proxy_header: ProxyHeader,
    pub tables: pintu_engine::tables::Store,
    /// The engine for browsers, which the page then uses beside this one.
    pub engine: Option<Engine>,
    pub bounds: Bounds,
    /// The password that lets people in, if there is one.
    pub password: Option<String>,
    /// The day from which on passes count.
    pub passes_since: Option<Day>,
    /// Links that let people in, if there are any.
    pub invites: Option<Invites>,
    /// Where `/metrics` tells what the server has done, if it does.
    pub metrics: Option<SocketAddr>,
    /// A fixed time instead of that of the wall clock, for tests.
    pub fixed_time: Option<SystemTime>,
    /// `SQLite`'s name of the file system under the database, unless it is the system's own.
    pub vfs: Option<String>,
}

impl Config {
    pub fn new(data: impl Into<PathBuf>) -> Self {
        Self::of(&Hosting::default(), Bounds::default(), data.into())
    }

    /// The configuration of an operator. Invitations are the caller's to announce.
    pub fn of(hosting: &Hosting, bounds: Bounds, data: PathBuf) -> Self {
        Self {
            data,
            store: hosting.store.clone(),
            allow_hosts: hosting.allow_host.clone(),
            loopback: IpAddr::V4(Ipv4Addr::LOCALHOST),
            trusted_proxies: hosting.trusted_proxies.clone(),
            proxy_header: hosting.proxy_header,
            tables: tables(bounds.tables_bytes),
            engine: Engine::built_in(),
            bounds,
            password: hosting.password.clone(),
            passes_since: hosting.passes_since,
            invites: None,
            metrics: hosting.metrics,
            fixed_time: None,
            vfs: None,
        }
    }

    /// The bounds of a client's calls of the engine.
    pub(crate) fn call_bounds(&self) -> CallBounds {
        let bounds = &self.bounds;
        CallBounds {
            search_time: bounds.search_time,
            usual_search_time: bounds.usual_search_time,
            search_bytes: bounds.search_bytes,
            contestants: bounds.contestants,
            scrambles: bounds.scrambles,
            events: bounds.events,
            map_cells: bounds.map_cells,
            tables: self.tables.clone(),
        }
    }

    /// The most bytes that a server holds, whatever clients request and however slowly they read, beside its code and the
    /// database's cache. Every new use of memory is added here.
    pub fn most_bytes(&self) -> u64 {
        let bounds = &self.bounds;
        let pixels = u64::from(bounds.picture_side).pow(2);
        let pictures = pixels * (bounds.picture_decodes as u64 * DECODED_PIXEL_BYTES + bounds.downloads as u64);
        let connections = bounds.connections as u64 * (bounds.json_bytes + CONNECTION_BYTES) as u64;
        self.most_bytes_of_searches() + pictures + connections + bounds.uploads_bytes as u64
    }

    /// The part of it that searches hold, with their unread answers.
    pub fn most_bytes_of_searches(&self) -> u64 {
        let bounds = &self.bounds;
        // Beside the memory limit of a search, which includes its answer: a long path that was found, and a map that is read.
        let beside = bounds.search_bytes / 8 + bounds.map_cells * PREPARED_CELL_BYTES + WORKER_BYTES;
        let running = bounds.workers as u64 * (bounds.search_bytes + beside);
        let bodies = (bounds.workers + 2 * bounds.waiting) as u64 * 2 * bounds.map_bytes as u64;
        running + bodies + bounds.answers_bytes as u64 + bounds.maps_bytes + bounds.tables_bytes
    }
}

/// A pixel while a picture is decoded and encoded again: colours, coefficients of progressive files, the result.
const DECODED_PIXEL_BYTES: u64 = 16;
/// A cell while a map is read and prepared.
const PREPARED_CELL_BYTES: u64 = 48;
/// A worker beside its search: the compression of the answer, threads of a race, small things.
const WORKER_BYTES: u64 = 4 << 20;
/// A connection: its read buffer, and chunks of a response that are ready to be written.
const CONNECTION_BYTES: usize = 2 * BUFFER_BYTES + 6 * CHUNK_BYTES;

fn tables(bytes: u64) -> Store {
    Store::of_user().within(tables::Bounds { memory: bytes, unasked: bytes })
}

/// All cores but one, and at least one.
fn default_workers() -> usize {
    thread::available_parallelism().map_or(1, |cores| cores.get() - 1).max(1)
}

const MIB: usize = 1 << 20;

/// Declares settings, each with its default and its unit. The doc comment of a setting is also its documentation for
/// operators.
macro_rules! settings {
    (#[doc = $about:literal] $table:ident: $(#[doc = $doc:literal] $name:ident: $type:ty = $default:expr, $unit:expr;)*) => {
        #[doc = $about]
        #[derive(Clone, Debug)]
        pub struct $table {
            $(#[doc = $doc] pub $name: $type,)*
        }

        impl Default for $table {
            fn default() -> Self {
                Self { $($name: $default,)* }
            }
        }

        impl Table for $table {
            const SETTINGS: &'static [Setting<Self>] = &[$(Setting {
                name: stringify!($name),
                doc: $doc,
                unit: $unit,
                set: |all, text| {
                    all.$name = Value::read(text, $unit)?;
                    Ok(())
                },
                get: |all| all.$name.write($unit),
            },)*];
        }
    };
}

settings! {
    /// Where the server listens, and whom it lets in.
    Hosting:
    /// Where to listen; port 0 is any that is free. By default 127.0.0.1:7468, or a free port if that is taken.
    addr: Option<SocketAddr> = None, Unit::text("an IP address with its port, as in 0.0.0.0:7468");
    /// The directory of games and pictures. By default pintu in the user's data directory.
    data: Option<PathBuf> = None, Unit::text("a directory");
    /// A `PostgreSQL` database that several servers may share, instead of a file in that directory, wherever that is named.
    store: Option<String> = None, Unit::secret("postgres://USER:PASSWORD@HOST/DATABASE");
    /// Host names that are accepted beside IP addresses and localhost.
    allow_host: Vec<String> = Vec::new(), Unit::text("host names");
    /// Proxies that are believed about the addresses of clients. Their own connections are limited only in total.
    trusted_proxies: Vec<IpNet> = loopback(), Unit::text("networks, as in 10.0.0.0/8 (not ::ffff:10.0.0.0/104) or ::1/128");
    /// The header in which trusted proxies name the client. It has to be one that the proxy sets itself.
    proxy_header: ProxyHeader = ProxyHeader::XForwardedFor, Unit::text("X-Forwarded-For or Forwarded");
    /// Where /metrics tells what the server has done, for Prometheus; without an address nowhere.
    metrics: Option<SocketAddr> = None, Unit::text("an IP address with its port, as in 127.0.0.1:9468");
    /// The password that lets people in, if there is one.
    password: Option<String> = None, Unit::secret("a word");
    /// Whether links that let one browser in are printed.
    invite: bool = false, Unit::text("true or false");
    /// The day from which on passes count, by which those of the days before are revoked.
    passes_since: Option<Day> = None, Unit::text("a date up to today (in Greenwich), as in 2026-11-16");
    /// What is logged to standard error, as JSON: error, warn, info (a line a request) or debug; by default failures only, in words.
    log: Option<tracing::Level> = None, Unit::text("error, warn, info or debug");
}

fn loopback() -> Vec<IpNet> {
    let networks = ["127.0.0.0/8", "::1/128"];
    networks.iter().filter_map(|network| network.parse().ok()).collect()
}

settings! {
    /// The bounds on requests, players and the store.
    Bounds:
    /// Searches that run at once. By default all cores but one.
    workers: usize = default_workers(), Unit::number(1);
    /// Searches that may wait for a worker; as many again of addresses of which none waits.
    waiting: usize = 8, Unit::number(0);
    /// Bytes that one search may hold. By default a worker's share of half the memory that is available at the start, at most 2 GiB.
    search_bytes: u64 = search_bytes(default_workers()), Unit::bytes(1 << 20);
    /// How long a search may take.
    search_time: Duration = CallBounds::SEARCH_TIME, Unit::time(1);
    /// How long a search may take that names no time, and any search while others wait.
    usual_search_time: Duration = CallBounds::USUAL_SEARCH_TIME, Unit::time(1);
    /// Bytes of pattern tables that requests have built, in memory, and as many on the disk.
    tables_bytes: u64 = 256 * MIB as u64, Unit::bytes(0);
    /// Open connections; the usual limit of 1024 open files leaves these beside those of the database.
    connections: usize = 896, Unit::number(1);
    /// The same of one address that is no trusted proxy. A browser opens six.
    connections_of_address: usize = 256, Unit::number(1);
    /// How many times the connections, bytes in flight and wrong guesses of one address (of IPv6 a /64) a whole network (a /48) has.
    network_share: usize = 8, Unit::number(1);
    /// How long a client may take to send the head of a request, and idle between two.
    idle_time: Duration = Duration::from_secs(75), Unit::time(1);
    /// How long a client may read nothing of its response. Two minutes are enough for readers of 4 KiB a second.
    write_time: Duration = Duration::from_mins(2), Unit::time(1);
    /// How long running requests may take to finish when the server ends.
    shutdown_time: Duration = Duration::from_secs(2), Unit::time(0);
    /// How long a request may take, its body included, unless it is a search.
    request_time: Duration = Duration::from_mins(1), Unit::time(1);
    /// How long a body may take to arrive.
    body_time: Duration = Duration::from_secs(30), Unit::time(1);
    /// Bytes of a JSON body.
    json_bytes: usize = MIB / 4, Unit::bytes(1 << 10);
    /// Bytes of a body that may hold a map.
    map_bytes: usize = 3 * MIB, Unit::bytes(1 << 10);
    /// Cells of a map.
    map_cells: u64 = CallBounds::MAP_CELLS, Unit::number(1);
    /// Prepared maps that are cached.
    cached_maps: usize = 32, Unit::number(1);
    /// Bytes of all cached maps.
    maps_bytes: u64 = 256 * MIB as u64, Unit::bytes(1 << 20);
    /// Events of a recording.
    events: usize = CallBounds::EVENTS, Unit::number(1);
    /// Contestants of a race.
    contestants: usize = CallBounds::CONTESTANTS, Unit::number(1);
    /// Random boards that averages are over.
    scrambles: usize = CallBounds::SCRAMBLES, Unit::number(1);
    /// Bytes of an uploaded picture.
    picture_bytes: usize = 8 * MIB, Unit::bytes(1 << 10);
    /// Pixels of the longer side of a picture.
    picture_side: u16 = 1600, Unit::number(8);
    /// Pictures that are decoded at once.
    picture_decodes: usize = 2, Unit::number(1);
    /// Pictures that may wait to be decoded.
    picture_waiting: usize = 6, Unit::number(0);
    /// Bytes of uploads (pictures and maps) in flight, beyond what any JSON body may have.
    uploads_bytes: usize = 192 * MIB, Unit::bytes(1 << 20);
    /// The same of one address.
    uploads_bytes_of_address: usize = 72 * MIB, Unit::bytes(1 << 20);
    /// Downloads of pictures, and of everything that is stored for a player, in flight.
    downloads: usize = 128, Unit::number(1);
    /// The same of one address.
    downloads_of_address: usize = 32, Unit::number(1);
    /// Bytes of unread answers to searches, and of long lists.
    answers_bytes: usize = 256 * MIB, Unit::bytes(1 << 20);
    /// The same of one address.
    answers_bytes_of_address: usize = 64 * MIB, Unit::bytes(1 << 20);
    /// Bytes that one player may add to the store in a day. Whatever is new counts as 16 KiB at least.
    growth_bytes: u64 = 32 * MIB as u64, Unit::bytes(1 << 20);
    /// The same of all new players of one address; while more than half of the database is in use, of all players of an address, or of a whole /48 of IPv6.
    growth_bytes_of_address: u64 = 128 * MIB as u64, Unit::bytes(1 << 20);
    /// The same of all players together that are newer than `unused_time_when_full`, while more than half of the database is in use.
    growth_bytes_of_newcomers: u64 = 128 * MIB as u64, Unit::bytes(1 << 20);
    /// Wrong passwords of one player in a minute, and of all new browsers of one address together; as many wrong pairing codes and recovery phrases, of these each browser by itself.
    guesses: u32 = 10, Unit::number(1);
    /// The same of all new browsers of one address, and of all its players that were here the day before. A whole /48 has `network_share` times as many.
    guesses_of_address: u32 = 600, Unit::number(1);
    /// The same of all new browsers, and of all players that were here the day before.
    guesses_in_total: u32 = 6000, Unit::number(1);
    /// How long the password or a link lets a browser in, in days; the last one counts whole (in Greenwich). Browsers keep it for 400 days at most.
    pass_time: Duration = Duration::from_hours(365 * 24), Unit::time(24 * 60 * 60);
    /// Saves of one player.
    saves: usize = 400, Unit::number(1);
    /// Bytes of all saves of one player.
    saves_bytes: usize = 16 * MIB, Unit::bytes(1 << 10);
    /// Pictures of one player.
    pictures: usize = 60, Unit::number(1);
    /// Bytes of all pictures of one player.
    pictures_bytes: usize = 64 * MIB, Unit::bytes(1 << 10);
    /// Records of one player.
    records: usize = 5000, Unit::number(1);
    /// Bytes of all records of one player.
    records_bytes: usize = 16 * MIB, Unit::bytes(1 << 10);
    /// Bytes of the whole database.
    database_bytes: u64 = 8 << 30, Unit::bytes(1 << 20);
    /// Connections to a `PostgreSQL` database. It has to allow those of all servers together.
    database_connections: usize = 16, Unit::number(2);
    /// How long a player may be unused before its data is deleted.
    unused_time: Duration = Duration::from_hours(365 * 24), Unit::time(24 * 60 * 60);
    /// The same when the database is full.
    unused_time_when_full: Duration = Duration::from_hours(30 * 24), Unit::time(24 * 60 * 60);
}

/// A worker's share of half the memory that is available now, and at most 2 GiB.
pub(crate) fn search_bytes(workers: usize) -> u64 {
    let available = pintu_engine::memory::available().unwrap_or(1 << 30);
    (available / 2 / workers as u64).clamp(64 << 20, 2 << 30)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A full database deletes the data of players that were unused for some time. In that time neither one
    /// address nor all who are new may be able to fill the half of it for which they have a limit.
    #[test]
    fn neither_one_address_nor_all_newcomers_can_fill_the_database() {
        let bounds = Bounds::default();
        let days = bounds.unused_time_when_full.as_secs() / (24 * 60 * 60);
        for growth in [bounds.growth_bytes_of_address, bounds.growth_bytes_of_newcomers] {
            assert!(growth * (days + 1) < bounds.database_bytes / 2);
        }
    }
}

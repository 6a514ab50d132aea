use std::{
    net::{IpAddr, Ipv4Addr},
    path::PathBuf,
    thread,
    time::{Duration, SystemTime},
};

use pintu_engine::tables::{self, Store};

use crate::{
    auth::Invites,
    response_body::CHUNK_BYTES,
    server::{BUFFER_BYTES, MAX_CONNECTIONS},
};

/// The configuration of a server.
#[derive(Clone, Debug)]
pub struct Config {
    /// The directory of the database; it is made if it is not there.
    pub data: PathBuf,
    /// Host names that are accepted beside IP addresses and `localhost`.
    pub allow_hosts: Vec<String>,
    /// Where pages asked for at `localhost` are redirected to, so that a browser has one cookie.
    pub loopback: IpAddr,
    /// Searches that run at once.
    pub workers: usize,
    /// Searches that may wait for a worker; as many again of addresses of which none waits.
    pub waiting: usize,
    /// Where the solver stores its tables.
    pub tables: pintu_engine::tables::Store,
    /// What requests and browsers may cost.
    pub bounds: Bounds,
    /// The password that lets people in, if there is one.
    pub password: Option<String>,
    /// Links that let people in, if there are any.
    pub invites: Option<Invites>,
    /// Whether `/metrics` tells what the server has done.
    pub metrics: bool,
    /// A fixed time instead of that of the wall clock, for tests.
    pub fixed_time: Option<SystemTime>,
    /// `SQLite`'s name of the file system under the database, unless it is the system's own.
    pub vfs: Option<String>,
}

impl Config {
    /// The usual server with its data in a directory.
    pub fn new(data: impl Into<PathBuf>) -> Self {
        let workers = default_workers();
        Self {
            data: data.into(),
            allow_hosts: Vec::new(),
            loopback: IpAddr::V4(Ipv4Addr::LOCALHOST),
            workers,
            waiting: 8,
            tables: tables(),
            bounds: Bounds { search_bytes: search_bytes(workers), ..Bounds::default() },
            password: None,
            invites: None,
            metrics: false,
            fixed_time: None,
            vfs: None,
        }
    }

    /// The most bytes that a server holds, whatever clients request and however slowly they read, beside its code and the
    /// database's cache. Every new use of memory is added here.
    pub fn most_bytes(&self) -> u64 {
        let bounds = &self.bounds;
        let pixels = u64::from(bounds.picture_side).pow(2);
        let pictures = pixels * (bounds.picture_decodes as u64 * DECODED_PIXEL_BYTES + bounds.downloads as u64);
        let connections = MAX_CONNECTIONS as u64 * (bounds.json_bytes + CONNECTION_BYTES) as u64;
        self.most_bytes_of_searches() + pictures + connections + bounds.uploads_bytes as u64
    }

    /// The part of it that searches hold, with their unread answers.
    pub fn most_bytes_of_searches(&self) -> u64 {
        let bounds = &self.bounds;
        // Beside the memory limit of a search, which includes its answer: a long path that was found, and a map that is read.
        let beside = bounds.search_bytes / 8 + bounds.map_cells * PREPARED_CELL_BYTES + WORKER_BYTES;
        let running = self.workers as u64 * (bounds.search_bytes + beside);
        let bodies = (self.workers + 2 * self.waiting) as u64 * 2 * bounds.map_bytes as u64;
        running + bodies + bounds.answers_bytes as u64 + bounds.maps_bytes + TABLES_BYTES
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
/// Tables that requests have built, in memory, and as many on the disk.
const TABLES_BYTES: u64 = 256 << 20;

fn tables() -> Store {
    Store::of_user().within(tables::Bounds { memory: TABLES_BYTES, unasked: TABLES_BYTES })
}

/// All cores but one, and at least one.
fn default_workers() -> usize {
    thread::available_parallelism().map_or(1, |cores| cores.get() - 1).max(1)
}

const MIB: usize = 1 << 20;

/// Declares the bounds, each with its default.
macro_rules! bounds {
    ($(#[doc = $doc:literal] $name:ident: $type:ty = $default:expr;)*) => {
        /// The bounds on requests, browsers and the store.
        #[derive(Clone, Debug)]
        pub struct Bounds {
            $(#[doc = $doc] pub $name: $type,)*
        }

        impl Default for Bounds {
            fn default() -> Self {
                Self { $($name: $default,)* }
            }
        }
    };
}

bounds! {
    /// Bytes of a JSON body.
    json_bytes: usize = MIB / 4;
    /// Bytes of a body that may hold a map.
    map_bytes: usize = 3 * MIB;
    /// Cells of a map.
    map_cells: u64 = 1 << 20;
    /// Prepared maps that are cached.
    maps: usize = 32;
    /// Bytes of all of them.
    maps_bytes: u64 = 256 * MIB as u64;
    /// Events of a recording.
    events: usize = 200_000;
    /// Contestants of a race.
    contestants: usize = 8;
    /// Random boards that averages are over.
    scrambles: usize = 1000;
    /// Bytes of an uploaded picture.
    picture_bytes: usize = 8 * MIB;
    /// Pixels of the longer side of a picture.
    picture_side: u16 = 1600;
    /// Pictures that are decoded at once.
    picture_decodes: usize = 2;
    /// Pictures that may wait to be decoded.
    picture_waiting: usize = 6;
    /// Bytes of uploads (pictures and maps) in flight, beyond what any JSON body may have.
    uploads_bytes: usize = 192 * MIB;
    /// The same of one address.
    uploads_bytes_of_address: usize = 72 * MIB;
    /// Downloads of pictures in flight.
    downloads: usize = 128;
    /// The same of one address.
    downloads_of_address: usize = 32;
    /// Bytes of unread answers to searches.
    answers_bytes: usize = 256 * MIB;
    /// The same of one address.
    answers_bytes_of_address: usize = 64 * MIB;
    /// Bytes that one address may add to the store in a day.
    growth_bytes: u64 = 256 * MIB as u64;
    /// Wrong passwords from one address in a minute.
    guesses: u32 = 10;
    /// How long a request may take, its body included, unless it is a search.
    request_time: Duration = Duration::from_mins(1);
    /// How long a body may take to arrive.
    body_time: Duration = Duration::from_secs(30);
    /// How long a search may take.
    search_time: Duration = Duration::from_mins(1);
    /// How long a search may take that names no time, and any search while others wait.
    usual_search_time: Duration = Duration::from_secs(10);
    /// Bytes that one search may hold.
    search_bytes: u64 = 512 * MIB as u64;
    /// Saves of one browser.
    saves: usize = 200;
    /// Bytes of all saves of one browser.
    saves_bytes: usize = 16 * MIB;
    /// Pictures of one browser.
    pictures: usize = 60;
    /// Bytes of all pictures of one browser.
    pictures_bytes: usize = 64 * MIB;
    /// Records of one browser.
    records: usize = 5000;
    /// Bytes of all records of one browser.
    records_bytes: usize = 16 * MIB;
    /// Bytes of the whole database.
    database_bytes: u64 = 8 << 30;
    /// How long a browser may be unused before its data is deleted.
    unused_time: Duration = Duration::from_hours(365 * 24);
    /// The same when the database is full.
    unused_time_when_full: Duration = Duration::from_hours(30 * 24);
}

/// A worker's share of half the memory that is available now, and at most 2 GiB.
fn search_bytes(workers: usize) -> u64 {
    let available = pintu_engine::memory::available().unwrap_or(1 << 30);
    (available / 2 / workers as u64).clamp(64 << 20, 2 << 30)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A full database deletes the data of browsers that were unused for some time. In that time one address alone must not
    /// be able to fill it.
    #[test]
    fn no_address_alone_can_fill_the_database() {
        let bounds = Bounds::default();
        let days = bounds.unused_time_when_full.as_secs() / (24 * 60 * 60);
        assert!(bounds.growth_bytes * (days + 1) < bounds.database_bytes);
    }
}

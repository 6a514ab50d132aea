use std::{
    net::{IpAddr, Ipv4Addr},
    path::PathBuf,
    thread,
    time::Duration,
};

use pintu_engine::tables::{self, Store};

use crate::{
    clock::WallClock,
    gate::Invites,
    parcel::PART,
    server::{BUFFERED, MOST_CONNECTIONS},
};

/// What a server is told at its start.
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
    /// Searches that may wait for a worker.
    pub waiting: usize,
    /// Where the solver keeps its tables.
    pub tables: pintu_engine::tables::Store,
    /// What one request or one browser may cost.
    pub bounds: Bounds,
    /// The password that lets people in, if there is one.
    pub password: Option<String>,
    /// Links that let people in, if there are any.
    pub invites: Option<Invites>,
    /// Whether `/metrics` tells what the server has done.
    pub metrics: bool,
    /// Who is asked what time it is.
    pub clock: WallClock,
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
            clock: WallClock::default(),
            vfs: None,
        }
    }
}

impl Config {
    /// The most bytes that a server holds, whatever it is asked for and however slowly that is read, beside its code and
    /// what the database caches. This is the one place that knows all of it: what holds memory anew is added here.
    pub fn most_bytes(&self) -> u64 {
        let bounds = &self.bounds;
        let pictures = bounds.picture_decodes as u64 * bounds.picture_pixels * DECODED_PIXEL
            + bounds.downloads as u64 * u64::from(bounds.picture_side) * u64::from(bounds.picture_side);
        let connections = MOST_CONNECTIONS as u64 * (bounds.json_bytes + CONNECTION) as u64;
        self.most_bytes_of_searches() + pictures + connections + bounds.uploads_bytes as u64
    }

    /// The part of it that searches have, and their answers until they are read.
    pub fn most_bytes_of_searches(&self) -> u64 {
        let bounds = &self.bounds;
        // What a search asks for is bounded, its answer included. Beside it: a long path that was found, and a map that is read.
        let aside = bounds.search_bytes / 8 + bounds.map_cells * PREPARED_CELL + WORKER;
        let at_work = self.workers as u64 * (bounds.search_bytes + aside);
        // Those who wait have brought what they ask about.
        let asked_about = (self.workers + self.waiting) as u64 * 2 * bounds.map_bytes as u64;
        at_work + asked_about + bounds.answers_bytes as u64 + bounds.maps_bytes + TABLES
    }
}

/// Bytes of a pixel while a picture is decoded and made smaller.
const DECODED_PIXEL: u64 = 6;
/// Bytes of a cell while a map is read and prepared.
const PREPARED_CELL: u64 = 48;
/// What a worker holds beside what its search asks for: what packs the answer, threads of a race, a little of everything.
const WORKER: u64 = 4 << 20;
/// What a connection holds: what was read ahead, and parts of an answer that are ready to be written.
const CONNECTION: usize = 2 * BUFFERED + 6 * PART;
/// Bytes of tables that are kept in memory, and as many on the disk.
const TABLES: u64 = 256 << 20;

/// The tables of a server: what it keeps of those that requests have built for them is bounded here.
fn tables() -> Store {
    Store::of_user().within(tables::Bounds { memory: TABLES, unasked: TABLES })
}

/// All cores but one, and at least one.
fn default_workers() -> usize {
    thread::available_parallelism().map_or(1, |cores| cores.get() - 1).max(1)
}

/// What one request or one browser may cost.
#[derive(Clone, Debug)]
pub struct Bounds {
    /// Bytes of a JSON body.
    pub json_bytes: usize,
    /// Bytes of a body that may hold a map.
    pub map_bytes: usize,
    /// Cells of a map.
    pub map_cells: u64,
    /// Maps that are kept ready.
    pub maps: usize,
    /// Bytes of all of them.
    pub maps_bytes: u64,
    /// Events of a recording.
    pub events: usize,
    /// Contestants of a race.
    pub contestants: usize,
    /// Random boards that averages are over.
    pub scrambles: usize,
    /// Bytes of a picture as it is posted.
    pub picture_bytes: usize,
    /// Pixels of a picture as it is posted.
    pub picture_pixels: u64,
    /// The longer side of a picture as it is posted.
    pub picture_longest: u32,
    /// The longer side of a picture as it is kept.
    pub picture_side: u32,
    /// Pictures that are decoded at once.
    pub picture_decodes: usize,
    /// Pictures that may wait to be decoded.
    pub picture_waiting: usize,
    /// Bytes of pictures and maps that are on their way at once, beyond what any JSON body may have.
    pub uploads_bytes: usize,
    /// Bytes of pictures and maps that are on their way at once from one address.
    pub uploads_bytes_of_address: usize,
    /// How long nothing may come of one before it makes room for others of its address.
    pub upload_pause: Duration,
    /// Pictures that clients read at once.
    pub downloads: usize,
    /// Pictures that clients of one address read at once.
    pub downloads_of_address: usize,
    /// Bytes of answers to searches that wait to be read.
    pub answers_bytes: usize,
    /// Bytes of answers to searches that wait to be read by clients of one address.
    pub answers_bytes_of_address: usize,
    /// Bytes that one address may add to what is kept, in a day.
    pub growth_bytes: u64,
    /// Wrong passwords from one address in a minute.
    pub guesses: u32,
    /// How long a request may take, its body included, unless it is a search.
    pub request_time: Duration,
    /// How long a body may take to arrive.
    pub body_time: Duration,
    /// How long a search may take.
    pub search_time: Duration,
    /// How long a search takes that names no time.
    pub usual_search_time: Duration,
    /// Bytes that one search may hold.
    pub search_bytes: u64,
    /// Saves of one browser.
    pub saves: usize,
    /// Bytes of all saves of one browser.
    pub saves_bytes: usize,
    /// Pictures of one browser.
    pub pictures: usize,
    /// Bytes of all pictures of one browser.
    pub pictures_bytes: usize,
    /// Finished games of one browser that are kept for its records.
    pub records: usize,
    /// Bytes of all records of one browser.
    pub records_bytes: usize,
    /// Bytes of the whole database.
    pub database_bytes: u64,
    /// How long a browser may be away before what it has here is forgotten.
    pub unused_time: Duration,
    /// The same when the database is full.
    pub unused_time_when_full: Duration,
}

const MIB: usize = 1 << 20;

impl Default for Bounds {
    fn default() -> Self {
        Self {
            json_bytes: MIB / 4,
            map_bytes: 3 * MIB,
            map_cells: 1 << 20,
            maps: 32,
            events: 200_000,
            contestants: 8,
            scrambles: 1000,
            maps_bytes: 256 * MIB as u64,
            picture_bytes: 24 * MIB,
            picture_pixels: 32_000_000,
            picture_longest: 20_000,
            picture_side: 1600,
            picture_decodes: 2,
            picture_waiting: 6,
            uploads_bytes: 192 * MIB,
            uploads_bytes_of_address: 72 * MIB,
            upload_pause: Duration::from_secs(2),
            downloads: 128,
            downloads_of_address: 32,
            answers_bytes: 256 * MIB,
            answers_bytes_of_address: 64 * MIB,
            growth_bytes: 256 * MIB as u64,
            guesses: 10,
            request_time: Duration::from_mins(1),
            body_time: Duration::from_secs(30),
            search_time: Duration::from_mins(1),
            usual_search_time: Duration::from_secs(10),
            search_bytes: 512 * MIB as u64,
            saves: 200,
            saves_bytes: 16 * MIB,
            pictures: 60,
            pictures_bytes: 64 * MIB,
            records: 5000,
            records_bytes: 16 * MIB,
            database_bytes: 8 << 30,
            unused_time: Duration::from_hours(365 * 24),
            unused_time_when_full: Duration::from_hours(30 * 24),
        }
    }
}

/// A worker's share of half the memory that is available now, and at most 2 GiB.
fn search_bytes(workers: usize) -> u64 {
    let available = pintu_engine::memory::available().unwrap_or(1 << 30);
    (available / 2 / workers as u64).clamp(64 << 20, 2 << 30)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What makes room when all is full is what was not used for some time: in that time one address alone must not be
    /// able to fill all.
    #[test]
    fn no_address_can_fill_the_database_before_others_make_room() {
        let bounds = Bounds::default();
        let days = bounds.unused_time_when_full.as_secs() / (24 * 60 * 60);
        assert!(bounds.growth_bytes * (days + 1) < bounds.database_bytes);
    }
}

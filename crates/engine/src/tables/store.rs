use std::{
    collections::BTreeSet,
    env, fmt, fs, io,
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
};

use pintu_search::{Control, Idle, Stop};
use pintu_solver::{
    Tables,
    internals::{Built, Pattern, Table},
    store::{BuildError, Key, PatternError, TableSource},
};

use super::{
    cache::Cache,
    directory::{Directory, Purpose, TableFile},
    file::{self, Damage},
};
use crate::{
    device::{Device, DeviceError, Devices},
    in_words, memory,
};

/// The store of pattern tables: in this process, and in a directory if there is one. Clones are the same store.
///
/// Files in the directory are checked before use, and never needed: a table that is missing, damaged or of another
/// version is built again, and one that cannot be written is kept in memory.
#[derive(Clone, Debug)]
pub struct Store(Arc<Inner>);

struct Inner {
    folder: Option<Directory>,
    cache: Cache,
    /// The devices that build missing tables.
    devices: &'static Devices<'static>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The most bytes of the sets that are kept in memory. Sets in use stay alive regardless.
    pub memory: u64,
    /// The most bytes on disk of tables that were built because a search needed them, not because a user asked.
    pub unasked: u64,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { memory: u64::MAX, unasked: 4 << 30 }
    }
}

/// Receives the progress of a build, over all tables of the set.
pub type Watch<'a> = &'a mut dyn FnMut(Building);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Building {
    /// The table that is being built, from 1.
    pub table: usize,
    pub tables: usize,
    pub built: Built,
}

/// A set that was built, and the error if some of it could not be written.
pub struct BuiltTables {
    pub tables: Arc<Tables>,
    /// Why the directory does not hold all of it, if it does not.
    pub unwritten: Option<StoreError>,
    /// The device that built the missing tables, if any was built: a GPU, if it built one of them.
    pub built_on: Option<Device>,
}

/// A set to make, and the means to build its missing tables.
#[derive(Clone, Copy)]
pub(super) struct Wanted {
    pub(super) key: Key,
    pub(super) purpose: Purpose,
    pub(super) device: Device,
    pub(super) threads: usize,
}

impl Idle for Inner {
    fn keep_within(&self, bytes: u64) {
        self.cache.keep_idle_within(bytes);
    }
}

impl fmt::Debug for Inner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dir = self.folder.as_ref().map(|folder| &folder.dir);
        f.debug_struct("Inner").field("dir", &dir).finish_non_exhaustive()
    }
}

impl Store {
    pub fn in_memory() -> Self {
        Self::with(None, Bounds::default(), &Devices::OWN)
    }

    /// In a directory, which is made when the first table is written.
    pub fn at(dir: impl Into<PathBuf>) -> Self {
        Self::with(Some(dir.into()), Bounds::default(), &Devices::OWN)
    }

    /// In the user's cache directory, or in the one that `PINTU_TABLES` names.
    pub fn of_user() -> Self {
        Self::with(user_dir(), Bounds::default(), &Devices::OWN)
    }

    /// The same directory with other bounds. It shares nothing in memory with this store.
    #[must_use]
    pub fn within(&self, bounds: Bounds) -> Self {
        Self::with(self.dir().map(Path::to_owned), bounds, self.0.devices)
    }

    /// The store in memory that is shared by everything in this process that names no other.
    pub fn shared() -> Self {
        static SHARED: OnceLock<Store> = OnceLock::new();
        SHARED.get_or_init(Self::in_memory).clone()
    }

    pub(crate) fn with(dir: Option<PathBuf>, bounds: Bounds, devices: &'static Devices<'static>) -> Self {
        let folder = dir.map(|dir| Directory { dir, max_unasked_bytes: bounds.unasked });
        Self(Arc::new(Inner { folder, cache: Cache::new(bounds.memory), devices }))
    }

    pub fn dir(&self) -> Option<&Path> {
        self.folder().map(|folder| folder.dir.as_path())
    }

    /// The directory of the files; none in a browser, whose engine is smaller without this code.
    fn folder(&self) -> Option<&Directory> {
        if cfg!(target_family = "wasm") { None } else { self.0.folder.as_ref() }
    }

    /// Evicts cached sets that no search uses when a control needs the memory, as no control holds their bytes.
    pub fn evict_for(&self, control: &Control) {
        control.let_go_of(Arc::clone(&self.0) as Arc<dyn Idle>);
    }

    /// Makes a set that a user asks for: missing tables are built on a device, on `threads` threads if that is the
    /// processor; all are written to stay.
    pub fn build(
        &self,
        key: Key,
        device: Device,
        threads: usize,
        control: &Control,
        watch: Watch<'_>,
    ) -> Result<BuiltTables, StoreError> {
        self.build_or_find(Wanted { key, purpose: Purpose::Asked, device, threads }, control, watch)
    }

    /// Makes one table of a set that a user asks for, so that several machines can build a set: finds or builds it, and
    /// writes it to stay. Returns its bytes, and the device if it was built.
    pub fn build_one(
        &self,
        pattern: &Pattern,
        device: Device,
        threads: usize,
        control: &Control,
        watch: &mut dyn FnMut(Built),
    ) -> Result<(u64, Option<Device>), StoreError> {
        if let Some(table) = self.load(pattern) {
            self.keep_found(pattern, Purpose::Asked)?;
            return Ok((table.bytes(), None));
        }
        let rows = self.0.cache.rows();
        let (table, by) = self.0.devices.build(device, pattern, &rows, threads, control, watch)?;
        self.save(&table, Purpose::Asked, control)?;
        Ok((table.bytes(), Some(by)))
    }

    pub(super) fn build_or_find(
        &self,
        wanted: Wanted,
        control: &Control,
        watch: Watch<'_>,
    ) -> Result<BuiltTables, StoreError> {
        let Wanted { key, purpose, device, threads } = wanted;
        let patterns = key.patterns()?;
        let _making = self.0.cache.lock(key, control)?;
        if let Some(tables) = self.in_hand(key).filter(|_| purpose == Purpose::Unasked) {
            return Ok(BuiltTables { tables, unwritten: None, built_on: None });
        }
        let mut tables = Vec::new();
        let (mut unwritten, mut built_on) = (None, None);
        // The tables that are ready, while others are built.
        let mut hold = control.hold();
        for (index, pattern) in patterns.iter().enumerate() {
            if let Some(table) = self.find(pattern, &tables) {
                self.keep_found(pattern, purpose)?;
                tables.push(table);
                continue;
            }
            let mut report = |built| watch(Building { table: index + 1, tables: patterns.len(), built });
            let rows = self.0.cache.rows();
            let (table, by) = self.0.devices.build(device, pattern, &rows, threads, control, &mut report)?;
            built_on = built_on.filter(|&before| before == Device::Gpu).or(Some(by));
            hold.more(table.bytes())?;
            match self.save(&table, purpose, control) {
                Ok(mapped) => tables.push(mapped.unwrap_or(table)),
                Err(error) => {
                    unwritten = Some(error);
                    tables.push(table);
                }
            }
        }
        if built_on.is_some() {
            memory::tidy_up(u64::MAX);
        }
        Ok(BuiltTables { tables: self.put(key, tables), unwritten, built_on })
    }

    fn put(&self, key: Key, tables: Vec<Table>) -> Arc<Tables> {
        let tables = Arc::new(Tables::new(tables));
        self.0.cache.put(key, &tables);
        tables
    }

    /// The table of a pattern, from `among` or from the directory: partitions may share patterns.
    fn find(&self, pattern: &Pattern, among: &[Table]) -> Option<Table> {
        let found = among.iter().find(|table| table.pattern() == pattern);
        found.cloned().or_else(|| self.load(pattern))
    }

    fn load(&self, pattern: &Pattern) -> Option<Table> {
        self.folder()?.load(pattern, &self.0.cache.rows())
    }

    /// Keeps a table that was found, if a user asks for it now.
    fn keep_found(&self, pattern: &Pattern, purpose: Purpose) -> Result<(), StoreError> {
        match self.folder() {
            Some(folder) if purpose == Purpose::Asked => folder.promote(pattern),
            _ => Ok(()),
        }
    }

    /// Writes a table and returns it as mapped from the file, which the system can reclaim, if there is room for both.
    fn save(&self, table: &Table, purpose: Purpose, control: &Control) -> Result<Option<Table>, StoreError> {
        let Some(folder) = self.folder() else { return Ok(None) };
        folder.save(table, purpose)?;
        let mut both = control.hold();
        let has_room = control.has_room(table.bytes()) && both.more(table.bytes()).is_ok();
        Ok(if has_room { self.load(table.pattern()) } else { None })
    }

    /// The files in the directory that look like tables, by name; those that a user asked for come first.
    pub fn list(&self) -> Result<Vec<TableFile>, StoreError> {
        self.folder().map_or_else(|| Ok(Vec::new()), Directory::list)
    }

    /// Reads a whole file and checks that it is undamaged.
    pub fn verify(&self, listed: &TableFile) -> Result<(), Damage> {
        let pattern = file::pattern_of(&listed.path)?;
        file::read(&listed.path, &pattern, &self.0.cache.rows()).map(|_| ())
    }

    /// Removes a file that a store made, and no other.
    pub fn remove(&self, listed: &TableFile) -> Result<(), StoreError> {
        let path = listed.path.clone();
        if !listed.is_ours() {
            return Err(StoreError::Foreign(path));
        }
        match fs::remove_file(&path) {
            // Another process has removed it.
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            removed => removed.map_err(|why| StoreError::Io { what: "remove", path, why }),
        }
    }

    /// Removes files that killed processes have left unfinished, but none that a process is writing; returns their
    /// number.
    pub fn remove_unfinished(&self) -> usize {
        self.folder().map_or(0, Directory::remove_unfinished)
    }
}

impl TableSource for Store {
    fn in_hand(&self, key: Key) -> Option<Arc<Tables>> {
        self.0.cache.get(key)
    }

    /// The bytes of a set's files, if all exist; they may still be damaged.
    fn readable(&self, key: Key) -> Option<u64> {
        let folder = self.folder()?;
        // Partitions may share patterns.
        let names: BTreeSet<String> = key.patterns().ok()?.iter().map(file::name).collect();
        names.iter().map(|name| folder.bytes(name)).sum()
    }

    /// A set that is cached, or complete and undamaged in the directory.
    fn read(&self, key: Key) -> Option<Arc<Tables>> {
        if let Some(tables) = self.in_hand(key) {
            return Some(tables);
        }
        let _making = self.0.cache.lock(key, &Control::unlimited()).ok()?;
        if let Some(tables) = self.in_hand(key) {
            return Some(tables);
        }
        let patterns = key.patterns().ok()?;
        let mut tables = Vec::new();
        for pattern in &patterns {
            let table = self.find(pattern, &tables)?;
            tables.push(table);
        }
        Some(self.put(key, tables))
    }

    /// Makes a set that a search needs: missing tables are built on `threads` threads, and written within the bound for
    /// tables that no user asked for.
    fn make(&self, key: Key, threads: usize, control: &Control) -> Result<Arc<Tables>, BuildError> {
        if let Some(tables) = self.in_hand(key) {
            return Ok(tables);
        }
        let wanted = Wanted { key, purpose: Purpose::Unasked, device: Device::Cpu, threads };
        match self.build_or_find(wanted, control, &mut |_| ()) {
            Ok(made) => Ok(made.tables),
            Err(StoreError::BrokenOff(why)) => Err(why.into()),
            Err(StoreError::Pattern(error)) => Err(error.into()),
            Err(error) => unreachable!("the processor builds them, and what is not written is kept: {error}"),
        }
    }
}

/// Why there are no tables, or none on disk.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error(transparent)]
    Pattern(#[from] PatternError),
    #[error(transparent)]
    Device(DeviceError),
    #[error("the build ended early, and unfinished tables were not written: {0}")]
    BrokenOff(#[from] Stop),
    #[error("cannot {what} {}: {}", path.display(), in_words(why))]
    Io {
        /// `read`, `write` or `remove`.
        what: &'static str,
        path: PathBuf,
        why: io::Error,
    },
    #[error("{}: found a file that is no table of ours, expected one to remove", .0.display())]
    Foreign(PathBuf),
}

impl From<DeviceError> for StoreError {
    fn from(error: DeviceError) -> Self {
        match error {
            DeviceError::Stopped(why) => Self::BrokenOff(why),
            error => Self::Device(error),
        }
    }
}

/// `PINTU_TABLES`, else the system's cache directory.
fn user_dir() -> Option<PathBuf> {
    let named = env::var_os("PINTU_TABLES").filter(|value| !value.is_empty()).map(PathBuf::from);
    named.or_else(|| Some(cache_dir()?.join("pintu").join("tables")))
}

#[cfg(not(target_family = "wasm"))]
fn cache_dir() -> Option<PathBuf> {
    use etcetera::base_strategy::{BaseStrategy as _, choose_native_strategy};
    Some(choose_native_strategy().ok()?.cache_dir())
}

#[cfg(target_family = "wasm")]
fn cache_dir() -> Option<PathBuf> {
    None
}

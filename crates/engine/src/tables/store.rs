use std::{
    collections::BTreeSet,
    env, fmt, fs, io,
    ops::ControlFlow,
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
};

use pintu_search::{Control, Idle, Stop};
use pintu_solver::{
    Supply,
    tables::{Built, Key, Pattern, PatternError, Table, Tables},
};

use super::{
    file::{self, Damage},
    hand::Hand,
    shelf::{Listed, Purpose, Shelf},
};
use crate::{
    device::{Device, DeviceError, Rig},
    in_words, memory,
};

/// Where pattern tables are kept: in this process, and in a directory if there is one. Clones are the
/// same store.
///
/// What lies in the directory is never believed unchecked, and never needed: a table that is missing,
/// damaged or foreign is built anew, and one that cannot be written is kept in memory.
#[derive(Clone)]
pub struct Store(Arc<Inner>);

struct Inner {
    folder: Option<Shelf>,
    hand: Hand,
    /// What builds what is not there.
    rig: &'static Rig<'static>,
}

/// How much a store keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Bytes of the sets that are kept in hand. Sets that searches use stay alive for as long as they do.
    pub memory: u64,
    /// Bytes on disk of what was built because a search needed it. What somebody asked to be built does not count.
    pub unasked: u64,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { memory: u64::MAX, unasked: 4 << 30 }
    }
}

/// How far a build has come, over all tables of the set.
pub type Watch<'a> = &'a mut dyn FnMut(Building);

/// How far a build has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Building {
    /// The table in hand, from 1.
    pub table: usize,
    /// How many tables there are.
    pub tables: usize,
    /// How far that one is.
    pub built: Built,
}

/// A set that was built, and what kept some of it from being written.
pub struct Kept {
    /// The tables.
    pub tables: Arc<Tables>,
    /// Why the directory does not hold them, if it does not.
    pub unwritten: Option<StoreError>,
    /// What built those that were not there before, if any was built: a GPU, if it built one of them.
    pub built_on: Option<Device>,
}

/// A set that is wanted, and what may build what is not ready.
#[derive(Clone, Copy)]
struct Order {
    key: Key,
    purpose: Purpose,
    device: Device,
    threads: usize,
}

impl Idle for Inner {
    fn keep_within(&self, bytes: u64) {
        self.hand.keep_idle_within(bytes);
    }
}

impl fmt::Debug for Inner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dir = self.folder.as_ref().map(|folder| &folder.dir);
        f.debug_struct("Store").field("dir", &dir).finish_non_exhaustive()
    }
}

impl Kept {
    /// A set that was there.
    fn found(tables: Arc<Tables>) -> Self {
        Self { tables, unwritten: None, built_on: None }
    }
}

impl Store {
    /// In this process alone.
    pub fn in_memory() -> Self {
        Self::with(None, Bounds::default())
    }

    /// In a directory, which is made when the first table is written.
    pub fn at(dir: impl Into<PathBuf>) -> Self {
        Self::with(Some(dir.into()), Bounds::default())
    }

    /// In the user's cache directory, or in the one that `PINTU_TABLES` names.
    pub fn of_user() -> Self {
        Self::with(user_dir(), Bounds::default())
    }

    /// The same place with other bounds. It shares nothing in memory with this store.
    #[must_use]
    pub fn within(&self, bounds: Bounds) -> Self {
        Self::with(self.dir().map(Path::to_owned), bounds)
    }

    /// The store that everything in this process shares which names no other: in memory.
    pub fn shared() -> Self {
        static SHARED: OnceLock<Store> = OnceLock::new();
        SHARED.get_or_init(Self::in_memory).clone()
    }

    fn with(dir: Option<PathBuf>, bounds: Bounds) -> Self {
        let folder = dir.map(|dir| Shelf { dir, most_unasked: bounds.unasked });
        Self(Arc::new(Inner { folder, hand: Hand::new(bounds.memory), rig: &Rig::OWN }))
    }

    /// In a directory, with other devices than this process's.
    #[cfg(test)]
    pub(crate) fn with_rig(dir: &Path, rig: &'static Rig<'static>) -> Self {
        let folder = Some(Shelf { dir: dir.to_owned(), most_unasked: Bounds::default().unasked });
        Self(Arc::new(Inner { folder, hand: Hand::new(u64::MAX), rig }))
    }

    /// The directory, if there is one.
    pub fn dir(&self) -> Option<&Path> {
        self.0.folder.as_ref().map(|folder| folder.dir.as_path())
    }

    /// Has sets in hand that no search uses let go where a control's memory is needed for something else. They are in
    /// nobody's ledger, and without this they would be held beside what its limit allows.
    pub fn give_way_to(&self, control: &Control) {
        control.let_go_of(Arc::clone(&self.0) as Arc<dyn Idle>);
    }

    /// A set that this process has in hand already.
    pub fn in_hand(&self, key: Key) -> Option<Arc<Tables>> {
        self.0.hand.get(key)
    }

    /// A set that is in hand, or lies in the directory complete and undamaged.
    pub fn ready(&self, key: Key) -> Option<Arc<Tables>> {
        if let Some(tables) = self.in_hand(key) {
            return Some(tables);
        }
        let _turn = self.0.hand.turn(key, &Control::unlimited()).continue_value()?;
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

    /// How many bytes the files of a set have, if every one is there; they may still be damaged.
    pub fn on_disk(&self, key: Key) -> Option<u64> {
        let folder = self.0.folder.as_ref()?;
        // Partitions may share patterns.
        let names: BTreeSet<String> = key.patterns().ok()?.iter().map(file::name).collect();
        names.iter().map(|name| folder.bytes(name)).sum()
    }

    /// A set that a search needs, of which what is not ready is built on so many threads, and written as far as there is
    /// room for what nobody asked for.
    pub fn make(&self, key: Key, threads: usize, control: &Control, watch: Watch<'_>) -> Result<Kept, StoreError> {
        if let Some(tables) = self.in_hand(key) {
            return Ok(Kept::found(tables));
        }
        let (purpose, device) = (Purpose::Unasked, Device::Cpu);
        self.build_or_find(Order { key, purpose, device, threads }, control, watch)
    }

    /// A set that somebody asks for, of which what is not ready is built on a device, by so many threads if that is the
    /// processor; all of it is written to stay.
    pub fn build(
        &self,
        key: Key,
        device: Device,
        threads: usize,
        control: &Control,
        watch: Watch<'_>,
    ) -> Result<Kept, StoreError> {
        self.build_or_find(Order { key, purpose: Purpose::Asked, device, threads }, control, watch)
    }

    fn build_or_find(&self, order: Order, control: &Control, watch: Watch<'_>) -> Result<Kept, StoreError> {
        let Order { key, purpose, device, threads } = order;
        let patterns = key.patterns()?;
        let _turn = match self.0.hand.turn(key, control) {
            ControlFlow::Continue(turn) => turn,
            ControlFlow::Break(why) => return Err(StoreError::BrokenOff(why)),
        };
        if let Some(tables) = self.in_hand(key).filter(|_| purpose == Purpose::Unasked) {
            return Ok(Kept::found(tables));
        }
        let mut tables = Vec::new();
        let (mut unwritten, mut built_on) = (None, None);
        // Those that are there already, while others are built.
        let mut hold = control.hold();
        for (index, pattern) in patterns.iter().enumerate() {
            if let Some(table) = self.find(pattern, &tables) {
                self.keep_found(pattern, purpose)?;
                tables.push(table);
                continue;
            }
            let mut report = |built| watch(Building { table: index + 1, tables: patterns.len(), built });
            let rows = self.0.hand.rows();
            let (table, by) = match self.0.rig.build(device, pattern, &rows, threads, control, &mut report)? {
                ControlFlow::Continue(built) => built,
                ControlFlow::Break(why) => return Err(StoreError::BrokenOff(why)),
            };
            built_on = built_on.filter(|&before| before == Device::Gpu).or(Some(by));
            if let ControlFlow::Break(why) = hold.more(table.bytes()) {
                return Err(StoreError::BrokenOff(why));
            }
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
        Ok(Kept { tables: self.put(key, tables), unwritten, built_on })
    }

    fn put(&self, key: Key, tables: Vec<Table>) -> Arc<Tables> {
        let tables = Arc::new(Tables::new(tables).expect("each partition has every tile once"));
        self.0.hand.put(key, &tables);
        tables
    }

    /// The table of a pattern, if it is among some or in the directory: partitions may share patterns.
    fn find(&self, pattern: &Pattern, among: &[Table]) -> Option<Table> {
        let found = among.iter().find(|table| table.pattern() == pattern);
        found.cloned().or_else(|| self.load(pattern))
    }

    fn load(&self, pattern: &Pattern) -> Option<Table> {
        self.0.folder.as_ref()?.load(pattern, &self.0.hand.rows())
    }

    /// A table that was found stays, if somebody asks for it now.
    fn keep_found(&self, pattern: &Pattern, purpose: Purpose) -> Result<(), StoreError> {
        match &self.0.folder {
            Some(folder) if purpose == Purpose::Asked => folder.promote(pattern),
            _ => Ok(()),
        }
    }

    /// Writes a table and gives it back as the file has it, whose memory the system can take back, if there is room for both.
    fn save(&self, table: &Table, purpose: Purpose, control: &Control) -> Result<Option<Table>, StoreError> {
        let Some(folder) = &self.0.folder else { return Ok(None) };
        folder.save(table, purpose)?;
        let mut both = control.hold();
        let has_room = control.has_room(table.bytes()) && both.more(table.bytes()).is_continue();
        Ok(if has_room { self.load(table.pattern()) } else { None })
    }

    /// What lies in the directory and looks like a table, by name: what was asked for first.
    pub fn list(&self) -> Result<Vec<Listed>, StoreError> {
        self.0.folder.as_ref().map_or_else(|| Ok(Vec::new()), Shelf::list)
    }

    /// Reads a file to its end and checks that it is all that it says it is.
    pub fn verify(&self, listed: &Listed) -> Result<(), Damage> {
        let pattern = file::pattern_of(&listed.path)?;
        file::read(&listed.path, &pattern, &self.0.hand.rows()).map(|_| ())
    }

    /// Removes a file that a store made, and no other.
    pub fn remove(&self, listed: &Listed) -> Result<(), StoreError> {
        let path = listed.path.clone();
        if !listed.is_ours() {
            return Err(StoreError::Foreign { path });
        }
        match fs::remove_file(&path) {
            // Somebody else was faster.
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            removed => removed.map_err(|why| StoreError::Unremovable { path, why }),
        }
    }

    /// Removes what was being written when its process was killed; says how many files those were. What another
    /// process is writing now stays.
    pub fn remove_unfinished(&self) -> usize {
        self.0.folder.as_ref().map_or(0, Shelf::remove_unfinished)
    }
}

/// What the solver needs comes from here.
impl Supply for Store {
    fn in_hand(&self, key: Key) -> Option<Arc<Tables>> {
        self.in_hand(key)
    }

    fn readable(&self, key: Key) -> Option<u64> {
        self.on_disk(key)
    }

    fn read(&self, key: Key) -> Option<Arc<Tables>> {
        self.ready(key)
    }

    fn make(&self, key: Key, threads: usize, control: &Control) -> ControlFlow<Stop, Arc<Tables>> {
        match self.make(key, threads, control, &mut |_| ()) {
            Ok(kept) => ControlFlow::Continue(kept.tables),
            Err(StoreError::BrokenOff(why)) => ControlFlow::Break(why),
            // Only where a board has no tables, of which whoever asks has made sure.
            Err(_) => ControlFlow::Break(Stop::Memory),
        }
    }
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Why there are no tables, or none on disk.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The board has no such tables.
    #[error(transparent)]
    Pattern(#[from] PatternError),
    /// The GPU that was asked for is not there, does not suit the board, or failed.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// A limit, or somebody, ended the build.
    #[error("the build was broken off: {0}")]
    BrokenOff(Stop),
    /// The directory cannot be read.
    #[error("cannot read {}: {}", dir.display(), in_words(why))]
    Unreadable {
        /// Which.
        dir: PathBuf,
        /// What the system says.
        why: io::Error,
    },
    /// A file that no store made.
    #[error("{}: found a file that is no table of ours, expected one to remove", path.display())]
    Foreign {
        /// Which.
        path: PathBuf,
    },
    /// A file cannot be removed.
    #[error("cannot remove {}: {}", path.display(), in_words(why))]
    Unremovable {
        /// Which.
        path: PathBuf,
        /// What the system says.
        why: io::Error,
    },
    /// The directory cannot be written.
    #[error("cannot write {}: {}", dir.display(), in_words(why))]
    Unwritable {
        /// Which.
        dir: PathBuf,
        /// What the system says.
        why: io::Error,
    },
}

/// `PINTU_TABLES`, else the system's directory for what can be made again.
fn user_dir() -> Option<PathBuf> {
    let set = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let cache = || {
        if cfg!(windows) {
            set("LOCALAPPDATA")
        } else if cfg!(target_os = "macos") {
            set("HOME").map(|home| home.join("Library/Caches"))
        } else {
            let absolute = set("XDG_CACHE_HOME").filter(|dir| dir.is_absolute());
            absolute.or_else(|| set("HOME").map(|home| home.join(".cache")))
        }
    };
    set("PINTU_TABLES").or_else(|| cache().map(|dir| dir.join("pintu").join("tables")))
}

use std::{
    collections::BTreeSet,
    env, fmt, fs, io,
    ops::ControlFlow::{Break, Continue},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
};

use pintu_search::{Control, Stop};
use pintu_solver::tables::{Built, Key, Pattern, PatternError, SharedRows, Table, Tables, patterns};

use super::file::{self, Damage};

/// Where pattern tables are kept: in this process, and in a directory if there is one. Clones are the
/// same store.
///
/// What lies in the directory is never believed unchecked, and never needed: a table that is missing,
/// damaged or foreign is built anew, and one that cannot be written is kept in memory.
#[derive(Clone)]
pub struct Store(Arc<Shelf>);

struct Shelf {
    dir: Option<PathBuf>,
    rows: SharedRows,
    /// The sets in hand. Held only to look and to put, never while building.
    sets: Mutex<Vec<(Key, Arc<Tables>)>>,
    /// Held while a set is loaded or built, so that two threads do not do it twice.
    at_work: Mutex<()>,
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
}

impl Store {
    /// In this process alone.
    pub fn in_memory() -> Self {
        Self::with(None)
    }

    /// In a directory, which is made when the first table is written.
    pub fn at(dir: impl Into<PathBuf>) -> Self {
        Self::with(Some(dir.into()))
    }

    /// In the user's cache directory, or in the one that `PINTU_TABLES` names.
    pub fn of_user() -> Self {
        Self::with(user_dir())
    }

    /// The store that everything in this process shares which names no other: in memory.
    pub fn shared() -> Self {
        static SHARED: OnceLock<Store> = OnceLock::new();
        SHARED.get_or_init(Self::in_memory).clone()
    }

    fn with(dir: Option<PathBuf>) -> Self {
        let (rows, sets, at_work) = (SharedRows::new(), Mutex::new(Vec::new()), Mutex::new(()));
        Self(Arc::new(Shelf { dir, rows, sets, at_work }))
    }

    /// The directory, if there is one.
    pub fn dir(&self) -> Option<&Path> {
        self.0.dir.as_deref()
    }

    /// A set that this process has in hand already.
    pub fn in_hand(&self, key: Key) -> Option<Arc<Tables>> {
        let sets = lock(&self.0.sets);
        sets.iter().find(|(other, _)| *other == key).map(|(_, tables)| Arc::clone(tables))
    }

    /// A set that is in hand, or lies in the directory complete and undamaged.
    pub fn ready(&self, key: Key) -> Option<Arc<Tables>> {
        if let Some(tables) = self.in_hand(key) {
            return Some(tables);
        }
        let _at_work = lock(&self.0.at_work);
        if let Some(tables) = self.in_hand(key) {
            return Some(tables);
        }
        let patterns = patterns(key.topology, key.blank, key.extent).ok()?;
        let mut tables = Vec::new();
        for pattern in &patterns {
            let table = self.find(pattern, &tables)?;
            tables.push(table);
        }
        Some(self.put(key, tables))
    }

    /// How many bytes the files of a set have, if every one is there; they may still be damaged.
    pub fn on_disk(&self, key: Key) -> Option<u64> {
        let dir = self.dir()?;
        let names: BTreeSet<String> =
            patterns(key.topology, key.blank, key.extent).ok()?.iter().map(file::name).collect();
        names.iter().map(|name| fs::metadata(dir.join(name)).ok().map(|data| data.len())).sum()
    }

    /// A set, of which what is not ready is built on so many threads and written, unless the control ends that.
    pub fn make(&self, key: Key, threads: usize, control: &Control, watch: Watch<'_>) -> Result<Kept, StoreError> {
        if let Some(tables) = self.in_hand(key) {
            return Ok(Kept { tables, unwritten: None });
        }
        let _at_work = lock(&self.0.at_work);
        if let Some(tables) = self.in_hand(key) {
            return Ok(Kept { tables, unwritten: None });
        }
        let patterns = patterns(key.topology, key.blank, key.extent)?;
        let mut tables = Vec::new();
        let mut unwritten = None;
        for (index, pattern) in patterns.iter().enumerate() {
            if let Some(table) = self.find(pattern, &tables) {
                tables.push(table);
                continue;
            }
            let mut report = |built| watch(Building { table: index + 1, tables: patterns.len(), built });
            let table = match Table::build(pattern, &self.0.rows, threads, control, &mut report) {
                Continue(table) => table,
                Break(why) => return Err(StoreError::Stopped(why)),
            };
            match self.save(&table) {
                Ok(mapped) => tables.push(mapped.unwrap_or(table)),
                Err(error) => {
                    unwritten = Some(error);
                    tables.push(table);
                }
            }
        }
        Ok(Kept { tables: self.put(key, tables), unwritten })
    }

    fn put(&self, key: Key, tables: Vec<Table>) -> Arc<Tables> {
        let tables = Arc::new(Tables::new(tables).expect("each partition has every tile once"));
        lock(&self.0.sets).push((key, Arc::clone(&tables)));
        tables
    }

    /// The table of a pattern, if it is among some or in the directory: partitions may share patterns.
    fn find(&self, pattern: &Pattern, among: &[Table]) -> Option<Table> {
        let found = among.iter().find(|table| table.pattern() == pattern);
        found.cloned().or_else(|| self.load(pattern).ok())
    }

    fn load(&self, pattern: &Pattern) -> Result<Table, Damage> {
        let dir = self.dir().ok_or(io::Error::from(io::ErrorKind::NotFound))?;
        file::read(&dir.join(file::name(pattern)), pattern, &self.0.rows)
    }

    /// Writes a table and gives it back as the file has it, whose memory the system can take back.
    fn save(&self, table: &Table) -> Result<Option<Table>, StoreError> {
        let Some(dir) = self.dir() else { return Ok(None) };
        let unwritable = |why| StoreError::Unwritable { dir: dir.to_owned(), why };
        file::write(dir, table).map_err(unwritable)?;
        Ok(self.load(table.pattern()).ok())
    }

    /// What lies in the directory, by name.
    pub fn list(&self) -> Vec<Listed> {
        let listed = |path: PathBuf| Listed {
            bytes: fs::metadata(&path).map_or(0, |data| data.len()),
            pattern: file::pattern_of(&path),
            path,
        };
        self.dir()
            .map_or_else(Vec::new, |dir| file::with_extension(dir, file::SUFFIX).into_iter().map(listed).collect())
    }

    /// Reads a file to its end and checks that it is all that it says it is.
    pub fn verify(&self, listed: &Listed) -> Result<(), Damage> {
        let pattern = file::pattern_of(&listed.path)?;
        let right_name = listed.path.file_name().is_some_and(|name| name == file::name(&pattern).as_str());
        if !right_name {
            return Err(Damage::Foreign);
        }
        file::read(&listed.path, &pattern, &self.0.rows).map(|_| ())
    }

    /// Removes a file.
    pub fn remove(&self, listed: &Listed) -> Result<(), StoreError> {
        fs::remove_file(&listed.path).map_err(|why| StoreError::Unwritable { dir: listed.path.clone(), why })
    }

    /// Removes what was being written when its process was killed; says how many files those were.
    pub fn remove_unfinished(&self) -> usize {
        let paths = self.dir().map_or_else(Vec::new, file::unfinished);
        paths.into_iter().filter(|path| fs::remove_file(path).is_ok()).count()
    }
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Store").field("dir", &self.0.dir).finish_non_exhaustive()
    }
}

/// A file of the directory.
#[derive(Debug)]
pub struct Listed {
    /// Where it is.
    pub path: PathBuf,
    /// What it says it is of.
    pub pattern: Result<Pattern, Damage>,
    /// How long it is.
    pub bytes: u64,
}

/// Why there are no tables, or none on disk.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The board has no such tables.
    #[error(transparent)]
    Pattern(#[from] PatternError),
    /// A limit was reached, or somebody broke the build off.
    #[error("the build was broken off: {0}")]
    Stopped(Stop),
    /// The directory or file cannot be written or removed.
    #[error("cannot write {}: {why}", dir.display())]
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

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

//! The directory: it holds tables that a user asked for, and in a subfolder those that searches needed, up to a bound.

use std::{
    fs, io,
    path::{Path, PathBuf},
    time::SystemTime,
};

use pintu_solver::internals::{Pattern, SharedRows, Table};

use super::{
    StoreError,
    file::{self, Damage},
};

/// The subfolder of tables that searches needed.
const UNASKED: &str = "unasked";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// A user asked for it: it stays until a user removes it.
    Asked,
    /// A search needed it: the least recently used ones are removed when others need the room.
    Unasked,
}

/// The order in which files are looked for.
const PURPOSES: [Purpose; 2] = [Purpose::Asked, Purpose::Unasked];

pub(super) struct Directory {
    pub(super) dir: PathBuf,
    /// The most bytes of tables that were built unasked.
    pub(super) max_unasked_bytes: u64,
}

impl Directory {
    fn folder(&self, purpose: Purpose) -> PathBuf {
        match purpose {
            Purpose::Asked => self.dir.clone(),
            Purpose::Unasked => self.dir.join(UNASKED),
        }
    }

    /// The file of this name and its purpose, if it has a header of this version.
    fn path(&self, name: &str) -> Option<(PathBuf, Purpose)> {
        let at = |purpose| (self.folder(purpose).join(name), purpose);
        PURPOSES.into_iter().map(at).find(|(path, _)| file::pattern_of(path).is_ok())
    }

    /// The length of the file of this name, if it is there.
    pub(super) fn bytes(&self, name: &str) -> Option<u64> {
        let (path, _) = self.path(name)?;
        fs::metadata(path).ok().map(|data| data.len())
    }

    /// The table of a pattern, mapped, if its file is complete and undamaged.
    pub(super) fn load(&self, pattern: &Pattern, rows: &SharedRows) -> Option<Table> {
        PURPOSES.into_iter().find_map(|purpose| {
            let path = self.folder(purpose).join(file::name(pattern));
            let table = file::read(&path, pattern, rows).ok()?;
            if purpose == Purpose::Unasked {
                file::touch(&path);
            }
            Some(table)
        })
    }

    /// Writes a table, unless it is unasked and there is no room for it.
    pub(super) fn save(&self, table: &Table, purpose: Purpose) -> Result<(), StoreError> {
        if purpose == Purpose::Unasked && !self.make_room(table.entries().len() as u64) {
            return Ok(());
        }
        file::write(&self.folder(purpose), table).map_err(|why| self.unwritable(why))
    }

    fn unwritable(&self, why: io::Error) -> StoreError {
        StoreError::Io { what: "write", path: self.dir.clone(), why }
    }

    /// Turns a table that was built unasked into one that a user asked for.
    pub(super) fn promote(&self, pattern: &Pattern) -> Result<(), StoreError> {
        let name = file::name(pattern);
        match self.path(&name) {
            Some((path, Purpose::Unasked)) => fs::rename(path, self.dir.join(name)).map_err(|why| self.unwritable(why)),
            _ => Ok(()),
        }
    }

    /// Removes the least recently used tables that were built unasked, until `bytes` more are within the bound.
    fn make_room(&self, bytes: u64) -> bool {
        let used = |listed: &TableFile| fs::metadata(&listed.path).and_then(|data| data.modified()).ok();
        let listed = list(&self.folder(Purpose::Unasked)).unwrap_or_default();
        let mut ours: Vec<(Option<SystemTime>, TableFile)> =
            listed.into_iter().filter(TableFile::is_ours).map(|listed| (used(&listed), listed)).collect();
        ours.sort_by_key(|(used, _)| *used);
        let mut held: u64 = ours.iter().map(|(_, listed)| listed.bytes).sum();
        for (_, oldest) in &ours {
            if held.saturating_add(bytes) <= self.max_unasked_bytes {
                break;
            }
            if fs::remove_file(&oldest.path).is_ok() {
                held -= oldest.bytes;
            }
        }
        held.saturating_add(bytes) <= self.max_unasked_bytes
    }

    pub(super) fn list(&self) -> Result<Vec<TableFile>, StoreError> {
        let mut all = list(&self.folder(Purpose::Asked))?;
        all.extend(list(&self.folder(Purpose::Unasked))?);
        Ok(all)
    }

    /// Removes files that killed processes have left unfinished; returns their number.
    pub(super) fn remove_unfinished(&self) -> usize {
        PURPOSES.map(|purpose| file::remove_abandoned(&self.folder(purpose))).iter().sum()
    }
}

/// A file that looks like a table.
#[derive(Debug)]
pub struct TableFile {
    pub path: PathBuf,
    /// The pattern of the table, by the file's name, header and length.
    pub pattern: Result<Pattern, Damage>,
    pub bytes: u64,
}

impl TableFile {
    fn new(path: PathBuf) -> Self {
        let bytes = fs::metadata(&path).map_or(0, |data| data.len());
        Self { bytes, pattern: file::pattern_of(&path), path }
    }

    /// The pattern that its name stands for, if a store gives such names.
    pub fn named(&self) -> Option<Pattern> {
        file::named(&self.path)
    }

    /// Whether a store made it: it is a file, and a store gives such names. Its contents may be damaged.
    pub fn is_ours(&self) -> bool {
        self.named().is_some() && fs::symlink_metadata(&self.path).is_ok_and(|found| found.is_file())
    }
}

/// The tables of a folder, by name; none, if the folder is not there.
fn list(folder: &Path) -> Result<Vec<TableFile>, StoreError> {
    let unreadable = |why| StoreError::Io { what: "read", path: folder.to_owned(), why };
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(unreadable(error)),
    };
    let mut paths = Vec::new();
    for entry in entries {
        let path = entry.map_err(unreadable)?.path();
        if path.extension().is_some_and(|found| found == file::SUFFIX) {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths.into_iter().map(TableFile::new).collect())
}

//! What is kept: saves, pictures and records. The rest of the server sees [`Store`] and plain values; what
//! knows the database is in a module of its own.
//!
//! A store's promises: what it acknowledges is on the disk; a check (a quota, a revision, whose picture it
//! is) and the change that depends on it are one transaction, whoever else writes.

mod sqlite;

use std::{fmt, future::Future, io, path::PathBuf, pin::Pin};

use pintu_engine::in_words;
use pintu_game::{Picture, Save, Score};
use sha2::{Digest, Sha256};
pub use sqlite::{BackupError, backup, restore};
pub(crate) use sqlite::{Setup, Sqlite};

use crate::{
    id::{Id, hex},
    picture::Kept,
};

/// What the server asks of a database.
pub(crate) trait Store: Send + Sync + fmt::Debug {
    /// A browser's saves, the latest first.
    fn saves(&self, owner: Owner) -> Answer<'_, Vec<SaveLine>>;
    /// One save, if it is this browser's.
    fn save(&self, owner: Owner, id: Id) -> Answer<'_, Option<StoredSave>>;
    /// Makes a save; it has [`FIRST_REVISION`].
    fn add_save(&self, owner: Owner, id: Id, save: NewSave) -> Answer<'_, ()>;
    /// Overwrites a save, if it is at the revision that is expected.
    fn replace_save(&self, owner: Owner, id: Id, save: NewSave, expected: Option<u64>) -> Answer<'_, Changed>;
    /// Deletes a save, if it is at the revision that is expected.
    fn delete_save(&self, owner: Owner, id: Id, expected: Option<u64>) -> Answer<'_, Changed>;
    /// Deletes all saves of a browser.
    fn delete_saves(&self, owner: Owner) -> Answer<'_, ()>;

    /// Stores a picture and returns its id: that of the same picture, if the browser has it already.
    fn add_picture(&self, owner: Owner, id: Id, picture: Kept) -> Answer<'_, String>;
    /// A picture's bytes, if it is this browser's.
    fn picture(&self, owner: Owner, id: Id) -> Answer<'_, Option<Vec<u8>>>;
    /// Deletes a picture that no save or record of the browser shows.
    fn delete_picture(&self, owner: Owner, id: Id) -> Answer<'_, Removed>;

    /// A browser's finished games, the oldest first.
    fn records(&self, owner: Owner) -> Answer<'_, Vec<StoredRecord>>;
    /// The game of a record, if it is this browser's.
    fn record(&self, owner: Owner, id: Id) -> Answer<'_, Option<String>>;
    /// Stores a finished game and returns its id: that of the same game, if it was posted before, for a
    /// client that saw no answer posts again.
    fn add_record(&self, owner: Owner, id: Id, record: NewRecord) -> Answer<'_, String>;
    /// Deletes a record; whether it was there, and this browser's.
    fn delete_record(&self, owner: Owner, id: Id) -> Answer<'_, bool>;
    /// Deletes all records of a browser.
    fn delete_records(&self, owner: Owner) -> Answer<'_, ()>;

    /// Whether a browser has anything here.
    fn knows(&self, owner: Owner) -> Answer<'_, bool>;
    /// Deletes everything that a browser has here.
    fn forget(&self, owner: Owner) -> Answer<'_, ()>;
    /// Deletes what some browsers have here that were not used for too long; whether there may be more.
    fn forget_unused(&self) -> Answer<'_, bool>;
    /// The key by which the server knows what it has issued.
    fn secret(&self) -> Answer<'_, [u8; 32]>;
    /// How much there is.
    fn census(&self) -> Answer<'_, Census>;
}

/// What a store returns, in its own time.
pub(crate) type Answer<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;

/// The revision of a save that was never overwritten.
pub(crate) const FIRST_REVISION: u64 = 1;

/// A browser, as the store knows it. Its id is a credential, of which only the hash is kept.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Owner(String);

impl Owner {
    pub(crate) fn of(id: &Id) -> Self {
        Self::of_text(id.as_str())
    }

    fn of_text(id: &str) -> Self {
        Self(hex(&Sha256::digest(id.as_bytes())))
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Owner({}…)", &self.0[..8])
    }
}

/// A save to be stored.
#[derive(Clone, Debug)]
pub(crate) struct NewSave {
    pub(crate) name: String,
    /// The game as JSON.
    pub(crate) game: String,
    /// What a list shows of it, as JSON.
    pub(crate) line: String,
    pub(crate) picture: Picture,
}

/// A save as it was stored.
#[derive(Clone, Debug)]
pub(crate) struct StoredSave {
    pub(crate) name: String,
    pub(crate) game: String,
    pub(crate) revision: u64,
    pub(crate) created: i64,
    pub(crate) updated: i64,
}

/// A line in the list of saves.
#[derive(Clone, Debug)]
pub(crate) struct SaveLine {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) line: String,
    pub(crate) revision: u64,
    pub(crate) created: i64,
    pub(crate) updated: i64,
}

/// A finished game to be stored.
#[derive(Clone, Debug)]
pub(crate) struct NewRecord {
    /// The kind of board, as JSON.
    pub(crate) board: String,
    pub(crate) score: Score,
    /// The game itself, and as JSON.
    pub(crate) save: Save,
    pub(crate) game: String,
}

/// A finished game as it was stored.
#[derive(Clone, Debug)]
pub(crate) struct StoredRecord {
    pub(crate) id: String,
    /// The kind of board, as JSON.
    pub(crate) board: String,
    pub(crate) score: Score,
    pub(crate) created: i64,
}

/// What became of a change to a save.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Changed {
    /// It is done, and this is the revision now.
    Done(u64),
    /// There is no such save of this browser.
    Absent,
    /// It is at another revision, and unchanged.
    Stale(u64),
}

/// What became of a deletion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Removed {
    Done,
    Absent,
    /// Something still needs it.
    InUse,
}

/// How much a store holds.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Census {
    pub(crate) browsers: u64,
    pub(crate) saves: u64,
    pub(crate) pictures: u64,
    pub(crate) records: u64,
    pub(crate) bytes: u64,
}

/// Why the store did not do what it was asked.
#[derive(Clone, Debug, thiserror::Error)]
pub(crate) enum StoreError {
    /// A browser may not keep more.
    #[error(
        "this would make {count} {what} of {size} bytes for this browser, expected at most {most_count} of {most_size} \
         bytes: delete some first"
    )]
    Quota {
        /// What there is too much of.
        what: &'static str,
        /// How many there would be.
        count: usize,
        /// Their size in bytes.
        size: usize,
        /// How many there may be.
        most_count: usize,
        /// Their size at most.
        most_size: usize,
    },
    /// The game's picture is not there, or another browser's.
    #[error("found the picture `{id}`, expected `builtin:NAME` or a picture posted by this browser")]
    NoPicture {
        /// The id.
        id: String,
    },
    /// The database or the disk is full.
    #[error("there is no room left to store this")]
    Full,
    /// More is waiting to be written than may wait.
    #[error("too much is waiting to be written")]
    Busy,
    /// The disk fails, or cannot be written.
    #[error("the disk cannot be written: {0}")]
    Disk(String),
    /// The database was written by a newer version of the program.
    #[error("found a database of version {found}, expected at most {known}: it was written by a newer pintu")]
    Newer {
        /// Its version.
        found: i64,
        /// The newest that is known here.
        known: i64,
    },
    /// Anything else.
    #[error("the database failed: {0}")]
    Failed(String),
}

/// Why the database cannot be opened.
#[derive(Debug, thiserror::Error)]
pub(crate) enum OpenError {
    #[error("cannot use the data directory {}: {}", path.display(), in_words(why))]
    Directory { path: PathBuf, why: io::Error },
    #[error("cannot open {}: {why}", path.display())]
    File { path: PathBuf, why: StoreError },
}

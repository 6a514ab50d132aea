//! The store in one `SQLite` file.
//!
//! One thread owns the connection that writes and does what it is sent, in order. Writes that wait together
//! share one transaction, so that a hundred players cost one flush of the disk and not a hundred; each is
//! answered only when that transaction is on the disk. Other threads read beside it and never wait for it.

mod backup;
mod browsers;
mod directory;
mod ladder;
mod pictures;
mod readers;
mod records;
mod saves;
mod schema;
mod writer;

use std::path::PathBuf;

pub use backup::{BackupError, backup, restore};
use readers::Readers;
use rusqlite::{Connection, ErrorCode};
use writer::Writer;

use super::{
    Answer, Census, Changed, NewRecord, NewSave, OpenError, Owner, Removed, SaveLine, Store, StoreError, StoredRecord,
    StoredSave,
};
use crate::{clock::WallClock, config::Bounds, id::Id, picture::Kept};

/// The database.
#[derive(Debug)]
pub(crate) struct Sqlite {
    writer: Writer,
    readers: Readers,
    setup: Setup,
}

/// How a database is opened.
#[derive(Clone, Debug)]
pub(crate) struct Setup {
    /// The directory of the file.
    pub(crate) directory: PathBuf,
    pub(crate) bounds: Bounds,
    pub(crate) clock: WallClock,
    /// `SQLite`'s name of the file system to use, unless it is the usual one.
    pub(crate) vfs: Option<String>,
}

/// The name of the database in its directory.
const FILE: &str = "pintu.sqlite3";

/// What a job has while it is in a transaction that writes.
struct Desk<'a> {
    connection: &'a Connection,
    bounds: &'a Bounds,
    /// The time on the wall.
    now: i64,
}

impl Sqlite {
    /// Opens the database in a directory, or makes both; and its key.
    pub(crate) fn open(setup: Setup) -> Result<(Self, [u8; 32]), OpenError> {
        let in_directory = |why| OpenError::Directory { path: setup.directory.clone(), why };
        directory::prepare(&setup.directory, FILE).map_err(in_directory)?;
        let path = setup.directory.join(FILE);
        let in_file = |why| OpenError::File { path: path.clone(), why };
        let vfs = setup.vfs.as_deref();
        let connection = schema::open(&path, vfs, setup.bounds.database_bytes).map_err(in_file)?;
        browsers::prepare(&connection, setup.clock.millis()).map_err(in_file)?;
        let secret = browsers::secret(&connection).map_err(in_file)?;
        directory::close_to_others(&setup.directory, FILE).map_err(in_directory)?;
        let readers = Readers::start(|| schema::open_to_read(&path, vfs)).map_err(in_file)?;
        let writer = Writer::start(connection).map_err(in_directory)?;
        Ok((Self { writer, readers, setup }, secret))
    }

    /// Does something in a transaction that writes so many bytes; returns once that is on the disk.
    fn write<T: Send + 'static>(
        &self,
        bytes: usize,
        work: impl FnOnce(&Desk<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> Answer<'_, T> {
        let (bounds, now) = (self.setup.bounds.clone(), self.setup.clock.millis());
        Box::pin(self.writer.run(bytes, move |connection| work(&Desk { connection, bounds: &bounds, now })))
    }

    /// Makes something of so many bytes for a browser, which is used by that.
    fn make<T: Send + 'static>(
        &self,
        owner: Owner,
        bytes: usize,
        work: impl FnOnce(&Desk<'_>, &str) -> Result<T, StoreError> + Send + 'static,
    ) -> Answer<'_, T> {
        self.write(bytes, move |desk| {
            browsers::touch(desk.connection, owner.as_str())?;
            work(desk, owner.as_str())
        })
    }

    /// Looks something up for a browser, which is used by that, too.
    fn look<T: Send + 'static>(
        &self,
        owner: Owner,
        work: impl FnOnce(&Connection, &str) -> Result<T, StoreError> + Send + 'static,
    ) -> Answer<'_, T> {
        Box::pin(async move {
            let whose = owner.clone();
            let look = move |connection: &Connection| {
                Ok((work(connection, whose.as_str())?, browsers::is_stale(connection, whose.as_str())?))
            };
            let (found, is_stale) = self.readers.run(look).await?;
            if is_stale {
                // That it was here today can be noted later, and another day if not now.
                let note = move |connection: &Connection| browsers::touch(connection, owner.as_str());
                self.writer.leave(note);
            }
            Ok(found)
        })
    }
}

impl Store for Sqlite {
    fn saves(&self, owner: Owner) -> Answer<'_, Vec<SaveLine>> {
        self.look(owner, saves::list)
    }

    fn save(&self, owner: Owner, id: Id) -> Answer<'_, Option<StoredSave>> {
        self.look(owner, move |connection, owner| saves::load(connection, owner, &id))
    }

    fn add_save(&self, owner: Owner, id: Id, save: NewSave) -> Answer<'_, ()> {
        self.make(owner, saves::size(&save), move |desk, owner| saves::add(desk, owner, &id, &save))
    }

    fn replace_save(&self, owner: Owner, id: Id, save: NewSave, expected: Option<u64>) -> Answer<'_, Changed> {
        self.write(saves::size(&save), move |desk| {
            let changed = saves::replace(desk, owner.as_str(), &id, &save, expected)?;
            // Who asks for what is not there leaves nothing behind.
            if matches!(changed, Changed::Done(_)) {
                browsers::touch(desk.connection, owner.as_str())?;
            }
            Ok(changed)
        })
    }

    fn delete_save(&self, owner: Owner, id: Id, expected: Option<u64>) -> Answer<'_, Changed> {
        self.write(0, move |desk| saves::delete(desk.connection, owner.as_str(), &id, expected))
    }

    fn delete_saves(&self, owner: Owner) -> Answer<'_, ()> {
        self.write(0, move |desk| delete_all(desk.connection, "saves", owner.as_str()))
    }

    fn add_picture(&self, owner: Owner, id: Id, picture: Kept) -> Answer<'_, String> {
        self.make(owner, picture.jpeg.len(), move |desk, owner| pictures::add(desk, owner, &id, &picture))
    }

    fn picture(&self, owner: Owner, id: Id) -> Answer<'_, Option<Vec<u8>>> {
        self.look(owner, move |connection, owner| pictures::load(connection, owner, &id))
    }

    fn delete_picture(&self, owner: Owner, id: Id) -> Answer<'_, Removed> {
        self.write(0, move |desk| pictures::delete(desk.connection, owner.as_str(), &id))
    }

    fn records(&self, owner: Owner) -> Answer<'_, Vec<StoredRecord>> {
        self.look(owner, records::list)
    }

    fn record(&self, owner: Owner, id: Id) -> Answer<'_, Option<String>> {
        self.look(owner, move |connection, owner| records::load(connection, owner, &id))
    }

    fn add_record(&self, owner: Owner, id: Id, record: NewRecord) -> Answer<'_, String> {
        self.make(owner, record.game.len(), move |desk, owner| records::add(desk, owner, &id, &record))
    }

    fn delete_record(&self, owner: Owner, id: Id) -> Answer<'_, bool> {
        self.write(0, move |desk| records::delete(desk.connection, owner.as_str(), &id))
    }

    fn delete_records(&self, owner: Owner) -> Answer<'_, ()> {
        self.write(0, move |desk| delete_all(desk.connection, "records", owner.as_str()))
    }

    fn knows(&self, owner: Owner) -> Answer<'_, bool> {
        Box::pin(self.readers.run(move |connection| browsers::knows(connection, owner.as_str())))
    }

    fn forget(&self, owner: Owner) -> Answer<'_, ()> {
        self.write(0, move |desk| browsers::forget(desk.connection, owner.as_str()))
    }

    fn forget_unused(&self) -> Answer<'_, bool> {
        self.write(0, browsers::forget_unused)
    }

    fn secret(&self) -> Answer<'_, [u8; 32]> {
        Box::pin(self.readers.run(browsers::secret))
    }

    fn census(&self) -> Answer<'_, Census> {
        Box::pin(self.readers.run(browsers::census))
    }
}

fn delete_all(connection: &Connection, table: &str, owner: &str) -> Result<(), StoreError> {
    connection.prepare_cached(&format!("DELETE FROM {table} WHERE browser = ?1"))?.execute([owner])?;
    Ok(())
}

/// The number of rows of a browser in a table, and the sum of their sizes.
fn usage(connection: &Connection, table: &str, owner: &str) -> Result<(usize, usize), StoreError> {
    let sql = format!("SELECT COUNT(*), COALESCE(SUM(size), 0) FROM {table} WHERE browser = ?1");
    Ok(connection.prepare_cached(&sql)?.query_row([owner], |row| Ok((row.get(0)?, row.get(1)?)))?)
}

/// An error unless both stay within their quotas.
fn check_quota(what: &'static str, (count, size): (usize, usize), most: (usize, usize)) -> Result<(), StoreError> {
    if count > most.0 || size > most.1 {
        return Err(StoreError::Quota { what, count, size, most_count: most.0, most_size: most.1 });
    }
    Ok(())
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => Self::Full,
            Some(ErrorCode::ReadOnly | ErrorCode::SystemIoFailure | ErrorCode::CannotOpen) => {
                Self::Disk(error.to_string())
            }
            Some(ErrorCode::DatabaseBusy) => Self::Busy,
            _ => Self::Failed(error.to_string()),
        }
    }
}

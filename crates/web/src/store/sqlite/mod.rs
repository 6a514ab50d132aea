//! The store in one `SQLite` file.
//!
//! One thread owns the connection that writes. Writes that wait together share one transaction (group commit), so that a
//! hundred players cost one flush of the disk; each is acknowledged when that transaction is on the disk. Other threads read,
//! with connections of their own, and never wait for the writer.

mod backup;
mod browsers;
mod connection;
mod copy;
mod directory;
mod pictures;
mod records;
mod saves;
mod schema;
mod threads;
mod writer;

use std::time::SystemTime;

pub use backup::{BackupError, backup, restore};
pub(super) use copy::{open_to_read, open_to_write};
use rusqlite::{Connection, ErrorCode};
use threads::{Queue, Threads, caught, stopped};
use tokio::sync::oneshot;
use writer::Writer;

use super::{
    Answer, Census, Changed, NewRecord, NewSave, OpenError, Owner, Removed, Store, StoreError, StoredRecord,
    StoredSave, rules::wall_clock,
};
use crate::{
    config::{Bounds, Config},
    id::Id,
    picture::StoredPicture,
};

pub(crate) struct Sqlite {
    writer: Writer,
    /// They see what was acknowledged, and never wait for the disk.
    readers: Threads<Read>,
    bounds: Bounds,
    fixed_time: Option<SystemTime>,
}

type Read = Box<dyn FnOnce(&Connection) + Send>;

const READERS: usize = 2;

const FILE: &str = "pintu.sqlite3";

struct Transaction<'a> {
    connection: &'a Connection,
    bounds: &'a Bounds,
    /// Milliseconds of the wall clock.
    now: i64,
}

impl Sqlite {
    /// Opens or creates the database and its directory; also returns its secret.
    pub(crate) fn open(config: &Config) -> Result<(Self, [u8; 32]), OpenError> {
        let in_directory = |why| OpenError::Directory { path: config.data.clone(), why };
        directory::prepare(&config.data, FILE).map_err(in_directory)?;
        let path = config.data.join(FILE);
        let in_file = |why| OpenError::File { path: path.clone(), why };
        let (vfs, bounds, fixed_time) = (config.vfs.as_deref(), config.bounds.clone(), config.fixed_time);
        let connection = connection::open(&path, vfs, bounds.database_bytes).map_err(in_file)?;
        browsers::prepare(&connection, now(fixed_time)).map_err(in_file)?;
        let secret = browsers::secret(&connection).map_err(in_file)?;
        let readers = (0..READERS).map(|_| connection::open_to_read(&path, vfs)).collect::<Result<Vec<_>, _>>();
        let work = |connection: &Connection, queue: &Queue<Read>| {
            while let Some(job) = queue.next() {
                job(connection);
            }
        };
        let readers = Threads::start("store reader", readers.map_err(in_file)?, work).map_err(in_directory)?;
        let writer = Writer::start(connection).map_err(in_directory)?;
        Ok((Self { writer, readers, bounds, fixed_time }, secret))
    }

    /// Runs `work` in a transaction; returns once that is on the disk.
    fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> Answer<'_, T> {
        let (bounds, now) = (self.bounds.clone(), now(self.fixed_time));
        Box::pin(self.writer.run(move |connection| work(&Transaction { connection, bounds: &bounds, now })))
    }

    /// The same for a browser, which counts as used.
    fn write_for<T: Send + 'static>(
        &self,
        owner: Owner,
        work: impl FnOnce(&Transaction<'_>, &str) -> Result<T, StoreError> + Send + 'static,
    ) -> Answer<'_, T> {
        self.write(move |transaction| {
            browsers::touch(transaction.connection, owner.as_str())?;
            work(transaction, owner.as_str())
        })
    }

    fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Answer<'_, T> {
        Box::pin(async move {
            let (sender, receiver) = oneshot::channel();
            let job = move |connection: &Connection| {
                if !sender.is_closed() {
                    let _ = sender.send(caught(|| work(connection)));
                }
            };
            self.readers.send(Box::new(job))?;
            receiver.await.map_err(|_| stopped())?
        })
    }

    /// Reads for a browser, which counts as used, too.
    fn read_for<T: Send + 'static>(
        &self,
        owner: Owner,
        work: impl FnOnce(&Connection, &str) -> Result<T, StoreError> + Send + 'static,
    ) -> Answer<'_, T> {
        Box::pin(async move {
            let name = owner.clone();
            let read = move |connection: &Connection| {
                Ok((work(connection, name.as_str())?, browsers::is_stale(connection, name.as_str())?))
            };
            let (found, is_stale) = self.read(read).await?;
            if is_stale {
                self.writer.run_later(move |connection| browsers::touch(connection, owner.as_str()));
            }
            Ok(found)
        })
    }
}

impl Store for Sqlite {
    fn saves(&self, owner: Owner) -> Answer<'_, Vec<StoredSave>> {
        self.read_for(owner, saves::list)
    }

    fn save(&self, owner: Owner, id: Id) -> Answer<'_, Option<StoredSave>> {
        self.read_for(owner, move |connection, owner| saves::load(connection, owner, &id))
    }

    fn add_save(&self, owner: Owner, id: Id, save: NewSave) -> Answer<'_, bool> {
        self.write(move |transaction| {
            let is_new = saves::add(transaction, owner.as_str(), &id, &save)?;
            if is_new {
                browsers::touch(transaction.connection, owner.as_str())?;
            }
            Ok(is_new)
        })
    }

    fn replace_save(&self, owner: Owner, id: Id, save: NewSave, expected: Option<u64>) -> Answer<'_, Changed> {
        self.write(move |transaction| {
            let changed = saves::replace(transaction, owner.as_str(), &id, &save, expected)?;
            if matches!(changed, Changed::Done(_)) {
                browsers::touch(transaction.connection, owner.as_str())?;
            }
            Ok(changed)
        })
    }

    fn delete_save(&self, owner: Owner, id: Id, expected: Option<u64>) -> Answer<'_, Changed> {
        self.write(move |transaction| saves::delete(transaction.connection, owner.as_str(), &id, expected))
    }

    fn delete_saves(&self, owner: Owner) -> Answer<'_, ()> {
        self.write(move |transaction| delete_all(transaction.connection, "saves", owner.as_str()))
    }

    fn add_picture(&self, owner: Owner, id: Id, picture: StoredPicture) -> Answer<'_, String> {
        self.write_for(owner, move |transaction, owner| pictures::add(transaction, owner, &id, &picture))
    }

    fn picture(&self, owner: Owner, id: Id) -> Answer<'_, Option<Vec<u8>>> {
        self.read_for(owner, move |connection, owner| pictures::load(connection, owner, &id))
    }

    fn delete_picture(&self, owner: Owner, id: Id) -> Answer<'_, Removed> {
        self.write(move |transaction| pictures::delete(transaction.connection, owner.as_str(), &id))
    }

    fn records(&self, owner: Owner) -> Answer<'_, Vec<StoredRecord>> {
        self.read_for(owner, records::list)
    }

    fn record(&self, owner: Owner, id: Id) -> Answer<'_, Option<String>> {
        self.read_for(owner, move |connection, owner| records::load(connection, owner, &id))
    }

    fn add_record(&self, owner: Owner, id: Id, record: NewRecord) -> Answer<'_, String> {
        self.write_for(owner, move |transaction, owner| records::add(transaction, owner, &id, &record))
    }

    fn delete_record(&self, owner: Owner, id: Id) -> Answer<'_, bool> {
        self.write(move |transaction| records::delete(transaction.connection, owner.as_str(), &id))
    }

    fn delete_records(&self, owner: Owner) -> Answer<'_, ()> {
        self.write(move |transaction| delete_all(transaction.connection, "records", owner.as_str()))
    }

    fn forget(&self, owner: Owner) -> Answer<'_, ()> {
        self.write(move |transaction| browsers::forget(transaction.connection, owner.as_str()))
    }

    fn forget_unused(&self) -> Answer<'_, bool> {
        self.write(browsers::forget_unused)
    }

    fn add_invitation(&self, token: Id) -> Answer<'_, ()> {
        self.write(move |transaction| browsers::add_invitation(transaction.connection, &token))
    }

    fn has_invitation(&self, token: Id) -> Answer<'_, bool> {
        self.read(move |connection| browsers::has_invitation(connection, &token))
    }

    fn take_invitation(&self, token: Id) -> Answer<'_, bool> {
        self.write(move |transaction| browsers::take_invitation(transaction.connection, &token))
    }

    fn secret(&self) -> Answer<'_, [u8; 32]> {
        self.read(browsers::secret)
    }

    fn check(&self) -> Answer<'_, ()> {
        Box::pin(async move {
            self.read(browsers::secret).await?;
            // A transaction that changes nothing: it needs the lock, and no flush.
            self.write(|transaction| browsers::secret(transaction.connection).map(|_| ())).await
        })
    }

    fn census(&self) -> Answer<'_, Census> {
        self.read(browsers::census)
    }
}

fn now(fixed_time: Option<SystemTime>) -> i64 {
    wall_clock(fixed_time.unwrap_or_else(SystemTime::now))
}

fn delete_all(connection: &Connection, table: &str, owner: &str) -> Result<(), StoreError> {
    connection.prepare_cached(&format!("DELETE FROM {table} WHERE browser = ?1"))?.execute([owner])?;
    Ok(())
}

/// The number of a browser's rows in a table, and the sum of their sizes.
fn usage(connection: &Connection, table: &str, owner: &str) -> Result<(usize, usize), StoreError> {
    let sql = format!("SELECT COUNT(*), COALESCE(SUM(size), 0) FROM {table} WHERE browser = ?1");
    Ok(connection.prepare_cached(&sql)?.query_row([owner], |row| Ok((row.get(0)?, row.get(1)?)))?)
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

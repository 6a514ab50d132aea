//! The store in one `SQLite` file.
//!
//! One thread owns the connection that writes. Writes that wait together share one transaction (group commit), so that a
//! hundred players cost one flush of the disk; each is acknowledged when that transaction is on the disk. Other threads read,
//! with connections of their own, and never wait for the writer.

mod backup;
mod connection;
mod copy;
mod devices;
mod directory;
mod facts;
mod operator;
mod pictures;
mod players;
mod records;
mod runs;
mod saves;
mod schema;
mod threads;
mod writer;

use std::{
    ops::RangeInclusive,
    thread,
    time::{Duration, Instant, SystemTime},
};

pub use backup::{BackupError, backup, restore};
pub(super) use copy::{open_to_read, open_to_write};
use pintu_game::{Claim, Day};
use rusqlite::{Connection, ErrorCode, params};
use threads::{Queue, Threads, caught, stopped};
use tokio::sync::oneshot;
use writer::Writer;

use super::{
    Answer, Census, Changed, DailyResult, Device, EndedRun, Key, NewRecord, NewSave, OpenError, Player, PlayerLine,
    Removed, Run, Secret, SentAway, Store, StoreError, StoredRecord, StoredSave,
    rules::{MAX_DELETIONS, wall_clock},
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

/// How long to wait before the log is emptied, while another connection does that.
const CHECKPOINT_RETRY: Duration = Duration::from_millis(10);

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
        facts::prepare(&connection, now(fixed_time)).map_err(in_file)?;
        let secret = facts::secret(&connection).map_err(in_file)?;
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

    /// The same for the player of a device, which counts as used. A new device makes a new player.
    fn write_for<T: Send + 'static>(
        &self,
        device: Device,
        work: impl FnOnce(&Transaction<'_>, &str) -> Result<T, StoreError> + Send + 'static,
    ) -> Answer<'_, T> {
        self.write(move |transaction| {
            let player = players::of_writer(transaction, &device)?;
            work(transaction, &player)
        })
    }

    /// The same, if the device has a player.
    fn write_for_known<T: Default + Send + 'static>(
        &self,
        device: Device,
        work: impl FnOnce(&Transaction<'_>, &str) -> Result<T, StoreError> + Send + 'static,
    ) -> Answer<'_, T> {
        self.write(move |transaction| match players::of(transaction.connection, &device)? {
            Some(_) => work(transaction, &players::of_writer(transaction, &device)?),
            None => Ok(T::default()),
        })
    }

    /// Deletes something of the player of a device, if it has one; a banned player may.
    fn delete_for<T: Default + Send + 'static>(
        &self,
        device: Device,
        work: impl FnOnce(&Connection, &str) -> Result<T, StoreError> + Send + 'static,
    ) -> Answer<'_, T> {
        self.write(move |transaction| match players::of(transaction.connection, &device)? {
            Some(player) => work(transaction.connection, &player),
            None => Ok(T::default()),
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

    /// Reads for the player of a device, which counts as used, too. A device without a player has nothing.
    fn read_for<T: Default + Send + 'static>(
        &self,
        device: Device,
        work: impl FnOnce(&Connection, &str) -> Result<T, StoreError> + Send + 'static,
    ) -> Answer<'_, T> {
        Box::pin(async move {
            let (name, now) = (device.clone(), now(self.fixed_time));
            let read = move |connection: &Connection| match players::of(connection, &name)? {
                Some(player) => Ok((work(connection, &player)?, players::is_stale(connection, &name, now)?)),
                None => Ok((T::default(), false)),
            };
            let (found, is_stale) = self.read(read).await?;
            if is_stale {
                let bounds = self.bounds.clone();
                self.writer.run_later(move |connection| {
                    players::touch(&Transaction { connection, bounds: &bounds, now }, &device)
                });
            }
            Ok(found)
        })
    }

    /// Empties the log, which still has copies of what was deleted. Others wait meanwhile. While a backup is being made it stays
    /// as it is, until the next time.
    fn truncate_log(&self) -> Answer<'_, ()> {
        self.read(|connection| {
            let begun = Instant::now();
            // SQLite waits for transactions, but refuses at once while another connection empties the log.
            while connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get::<_, bool>(0))?
                && begun.elapsed() < connection::LOCK_TIMEOUT
            {
                thread::sleep(CHECKPOINT_RETRY);
            }
            Ok(())
        })
    }
}

/// Methods for the player of a device, each of which runs a function with what else that takes.
macro_rules! methods {
    ($($how:ident $name:ident($($argument:ident: $type:ty),*) -> $answer:ty
        = $module:ident::$function:ident($($given:expr),*);)*) => {
        $(fn $name(&self, device: Device, $($argument: $type),*) -> Answer<'_, $answer> {
            self.$how(device, move |store, player| $module::$function(store, player, $($given),*))
        })*
    };
}

impl Store for Sqlite {
    methods! {
        read_for saves() -> Vec<StoredSave> = saves::list();
        read_for save(id: Id) -> Option<StoredSave> = saves::load(&id);
        write_for_known replace_save(id: Id, save: NewSave, expected: Option<u64>) -> Changed
            = saves::replace(&id, &save, expected);
        delete_for delete_save(id: Id, expected: Option<u64>) -> Changed = saves::delete(&id, expected);
        write_for add_picture(id: Id, picture: StoredPicture) -> String = pictures::add(&id, &picture);
        read_for picture(id: Id) -> Option<Vec<u8>> = pictures::load(&id);
        read_for pictures() -> Vec<String> = pictures::list();
        delete_for delete_picture(id: Id) -> Removed = pictures::delete(&id);
        read_for records() -> Vec<StoredRecord> = records::list();
        read_for record(id: Id) -> Option<String> = records::load(&id);
        write_for add_record(id: Id, record: NewRecord) -> String = records::add(&id, &record);
        write_for_known rename_device(id: Id, name: String) -> bool = devices::rename(&id, &name);
        write_for set_code(code: Secret) -> () = devices::set_code(&code);
        write_for begin_run(day: Day) -> Run = runs::begin(day);
        write_for_known end_run(day: Day, claim: Claim) -> EndedRun = runs::end(day, claim);
        read_for runs() -> Vec<Run> = runs::list();
    }

    fn add_save(&self, device: Device, id: Id, save: NewSave) -> Answer<'_, bool> {
        self.write(move |transaction| {
            if saves::exists(transaction.connection, &id)? {
                return Ok(false);
            }
            let player = players::of_writer(transaction, &device)?;
            saves::add(transaction, &player, &id, &save)?;
            Ok(true)
        })
    }

    fn delete_record(&self, device: Device, id: Id) -> Answer<'_, bool> {
        self.delete_for(device, move |connection, player| Ok(delete(connection, "records", player, &id)? == 1))
    }

    fn deletions(&self, device: Device) -> Answer<'_, Vec<String>> {
        self.read_for(device, deletions)
    }

    fn player_of(&self, device: Device) -> Answer<'_, Option<String>> {
        self.read(move |connection| players::of(connection, &device))
    }

    fn player(&self, device: Device) -> Answer<'_, Option<Player>> {
        self.read_for(device.clone(), move |connection, player| {
            devices::player(connection, &device, player.to_owned()).map(Some)
        })
    }

    fn set_nickname(&self, device: Device, nickname: Option<String>) -> Answer<'_, ()> {
        self.write_for(device, move |transaction, player| {
            devices::set_nickname(transaction.connection, player, nickname.as_deref()).map(|_| ())
        })
    }

    fn send_away(&self, device: Device, id: Id) -> Answer<'_, SentAway> {
        self.write(move |transaction| devices::send_away(transaction.connection, &device, &id))
    }

    fn set_phrase(&self, device: Device, phrase: Secret) -> Answer<'_, ()> {
        self.write_for(device, move |transaction, player| devices::set_phrase(transaction.connection, player, &phrase))
    }

    fn join(&self, device: Device, key: Key) -> Answer<'_, bool> {
        self.write(move |transaction| devices::join(transaction, &device, &key))
    }

    fn results(&self, days: RangeInclusive<Day>) -> Answer<'_, Vec<DailyResult>> {
        self.read(move |connection| runs::results(connection, &days))
    }

    fn forget(&self, device: Device) -> Answer<'_, ()> {
        Box::pin(async move {
            if self.delete_for(device, players::forget).await? {
                self.truncate_log().await?;
            }
            Ok(())
        })
    }

    fn forget_unused(&self) -> Answer<'_, bool> {
        Box::pin(async {
            let is_more = self.write(players::forget_unused).await?;
            if !is_more {
                self.truncate_log().await?;
            }
            Ok(is_more)
        })
    }

    fn add_invitation(&self, token: Secret) -> Answer<'_, ()> {
        self.write(move |transaction| facts::add_invitation(transaction.connection, &token))
    }

    fn has_invitation(&self, token: Secret) -> Answer<'_, bool> {
        self.read(move |connection| facts::has_invitation(connection, &token))
    }

    fn take_invitation(&self, token: Secret) -> Answer<'_, bool> {
        self.write(move |transaction| facts::take_invitation(transaction.connection, &token))
    }

    fn secret(&self) -> Answer<'_, [u8; 32]> {
        self.read(facts::secret)
    }

    fn check(&self) -> Answer<'_, ()> {
        Box::pin(async move {
            self.read(facts::secret).await?;
            // A transaction that changes nothing: it needs the lock, and no flush.
            self.write(|transaction| facts::secret(transaction.connection).map(|_| ())).await
        })
    }

    fn census(&self) -> Answer<'_, Census> {
        self.read(facts::census)
    }

    fn bytes(&self) -> Answer<'_, u64> {
        self.read(facts::bytes)
    }

    fn list_players(&self, text: String, most: usize) -> Answer<'_, Vec<PlayerLine>> {
        self.read(move |connection| operator::list(connection, &text, most))
    }

    fn rename_player(&self, player: String, nickname: Option<String>) -> Answer<'_, bool> {
        self.write(move |transaction| devices::set_nickname(transaction.connection, &player, nickname.as_deref()))
    }

    fn remove_player(&self, player: String) -> Answer<'_, bool> {
        Box::pin(async move {
            let is_removed = self.write(move |transaction| players::forget(transaction.connection, &player)).await?;
            if is_removed {
                self.truncate_log().await?;
            }
            Ok(is_removed)
        })
    }

    fn ban_player(&self, player: String, banned: bool) -> Answer<'_, bool> {
        self.write(move |transaction| operator::ban(transaction.connection, &player, banned))
    }
}

/// Whether there is a database.
pub(super) fn exists(config: &Config) -> bool {
    config.data.join(FILE).is_file()
}

fn now(fixed_time: Option<SystemTime>) -> i64 {
    wall_clock(fixed_time.unwrap_or_else(SystemTime::now))
}

/// Deletes a save or a record of a player; how many. Other devices of the player get to know.
fn delete(connection: &Connection, table: &str, player: &str, id: &Id) -> Result<usize, StoreError> {
    let which = params![player, id.as_str()];
    let sql = format!(
        "INSERT INTO deletions SELECT player, id FROM {table} WHERE player = ?1 AND id = ?2
         AND (SELECT COUNT(*) FROM devices WHERE player = ?1) > 1"
    );
    if connection.prepare_cached(&sql)?.execute(which)? > 0 {
        let sql = "DELETE FROM deletions WHERE player = ?1 AND rowid NOT IN
                   (SELECT rowid FROM deletions WHERE player = ?1 ORDER BY rowid DESC LIMIT ?2)";
        connection.prepare_cached(sql)?.execute(params![player, MAX_DELETIONS])?;
    }
    let sql = format!("DELETE FROM {table} WHERE player = ?1 AND id = ?2");
    Ok(connection.prepare_cached(&sql)?.execute(which)?)
}

fn deletions(connection: &Connection, player: &str) -> Result<Vec<String>, StoreError> {
    let mut statement = connection.prepare_cached("SELECT id FROM deletions WHERE player = ?1 ORDER BY rowid")?;
    Ok(statement.query_map([player], |row| row.get(0))?.collect::<Result<_, _>>()?)
}

/// The number of a player's rows in a table, and the sum of their sizes.
fn usage(connection: &Connection, table: &str, player: &str) -> Result<(usize, usize), StoreError> {
    Ok(connection.prepare_cached(&usage_of(table))?.query_row([player], |row| Ok((row.get(0)?, row.get(1)?)))?)
}

fn usage_of(table: &str) -> String {
    format!("SELECT COUNT(*), COALESCE(SUM(size), 0) FROM {table} WHERE player = ?1")
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

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use super::*;

    const MARK: &str = "a name that is found nowhere else";

    fn is_there(file: &Path) -> bool {
        fs::read(file).is_ok_and(|bytes| bytes.windows(MARK.len()).any(|part| part == MARK.as_bytes()))
    }

    fn device() -> Device {
        Device::of(&Id::parse(&format!("{:032x}", 1)).unwrap(), String::new())
    }

    /// A backup that is being made keeps the log; it is emptied with the next look at what is outdated.
    #[tokio::test]
    async fn what_is_deleted_during_a_backup_is_overwritten_after_it() {
        let data = tempfile::tempdir().unwrap();
        let (store, _) = Sqlite::open(&Config::new(data.path())).unwrap();
        let (file, log) = (data.path().join(FILE), data.path().join(format!("{FILE}-wal")));
        store.set_nickname(device(), Some(MARK.to_owned())).await.unwrap();
        let backup = connection::open_to_read(&file, None).unwrap();
        backup.execute_batch("BEGIN; SELECT COUNT(*) FROM players").unwrap();
        store.forget(device()).await.unwrap();
        assert!(is_there(&log));
        backup.execute_batch("COMMIT").unwrap();
        store.forget_unused().await.unwrap();
        assert!(!is_there(&log) && !is_there(&file));
    }

    /// `SQLite` refuses to empty the log while another connection empties it.
    #[tokio::test]
    async fn what_is_deleted_while_the_log_is_being_emptied_is_overwritten() {
        let data = tempfile::tempdir().unwrap();
        let (store, _) = Sqlite::open(&Config::new(data.path())).unwrap();
        let log = data.path().join(format!("{FILE}-wal"));
        for _ in 0..100 {
            store.set_nickname(device(), Some(MARK.to_owned())).await.unwrap();
            let (emptied, forgotten) = tokio::join!(store.truncate_log(), store.forget(device()));
            emptied.and(forgotten).unwrap();
            assert!(!is_there(&log));
        }
    }
}

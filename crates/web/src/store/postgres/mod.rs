//! The store in a `PostgreSQL` database, which several servers may share.
//!
//! A write is one transaction. It takes a lock of its player, so that what it checks stays true until it commits, whichever
//! server runs it; writes of different players run side by side, and the database flushes together the commits that wait
//! together. Reads take no lock. There is one clock for all servers, that of the database.

mod connection;
mod copy;
mod deletions;
mod devices;
mod facts;
mod operator;
mod pictures;
mod players;
pub(super) mod records;
mod room;
mod runs;
mod saves;
mod schema;

use std::{error::Error, future::Future, io, ops::RangeInclusive, sync::Arc, time::SystemTime};

pub(super) use connection::SCHEMES;
pub(super) use copy::{open_to_read, open_to_write};
use deadpool_postgres::{Client, GenericClient, Pool, PoolError};
use pintu_game::{Claim, Day};
use room::Room;
use tokio::runtime::Runtime;
use tokio_postgres::{Row, error::SqlState, types::ToSql};

use super::{
    Answer, Census, Changed, DailyResult, Device, EndedRun, Key, NewRecord, NewSave, OpenError, Player, PlayerLine,
    Removed, Run, Secret, SentAway, Store, StoreError, StoredRecord, StoredSave, rules::wall_clock,
};
use crate::{
    config::{Bounds, Config},
    id::Id,
    picture::StoredPicture,
};

pub(crate) struct Postgres {
    shared: Arc<Shared>,
    /// A thread that talks to the database, however busy the caller's are. Taken only when the store is dropped.
    runtime: Option<Runtime>,
}

struct Shared {
    pool: Pool,
    bounds: Bounds,
    fixed_time: Option<SystemTime>,
    room: Room,
}

/// A transaction; dropped without a commit, it is undone.
struct Transaction<'a> {
    db: deadpool_postgres::Transaction<'a>,
    store: &'a Shared,
    /// Milliseconds of the database's clock.
    now: i64,
}

/// Requests that may wait for a connection; beyond that they are refused.
const MAX_WAITING: usize = 1024;

impl Postgres {
    /// Connects to the database, and makes its tables if it is new; also returns its secret.
    pub(crate) fn open(config: &Config, url: &str) -> Result<(Self, [u8; 32]), OpenError> {
        let in_database = |why| OpenError::Database { why };
        let settings = connection::settings(url)?;
        let pool = connection::pool(settings, config.bounds.database_connections).map_err(in_database)?;
        let (bounds, fixed_time) = (config.bounds.clone(), config.fixed_time);
        let shared = Arc::new(Shared { pool, bounds, fixed_time, room: Room::default() });
        let runtime = connection::runtime().map_err(in_database)?;
        let (opening, handle) = (Arc::clone(&shared), runtime.handle().clone());
        // Also where opening fails, the store drops its runtime: a task of another one must not wait for the end of that.
        let store = Self { shared, runtime: Some(runtime) };
        let secret = connection::wait_for(&handle, async move { schema::open(&opening).await }).map_err(in_database)?;
        Ok((store, secret))
    }

    /// Runs work to its end, also if the client that asked for it goes away meanwhile.
    fn run<T, F>(&self, work: impl FnOnce(Arc<Shared>) -> F) -> Answer<'_, T>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, StoreError>> + Send + 'static,
    {
        let Some(runtime) = &self.runtime else { return Box::pin(async { Err(connection::stopped()) }) };
        let task = runtime.spawn(work(Arc::clone(&self.shared)));
        Box::pin(async move { task.await.map_err(|_| connection::stopped())? })
    }
}

impl Drop for Postgres {
    /// A change that was not acknowledged may be done or not.
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// Methods of the store, each of which runs a function with the shared state and what else that takes.
macro_rules! methods {
    ($($name:ident($($argument:ident: $type:ty),*) -> $answer:ty = $module:ident::$function:ident($($given:expr),*);)*) => {
        $(fn $name(&self, $($argument: $type),*) -> Answer<'_, $answer> {
            self.run(async move |store: Arc<Shared>| $module::$function(&store, $($given),*).await)
        })*
    };
}

impl Store for Postgres {
    methods! {
        saves(device: Device) -> Vec<StoredSave> = saves::list(&device);
        save(device: Device, id: Id) -> Option<StoredSave> = saves::load(&device, &id);
        add_save(device: Device, id: Id, save: NewSave) -> bool = saves::add(&device, &id, &save);
        replace_save(device: Device, id: Id, save: NewSave, expected: Option<u64>) -> Changed
            = saves::replace(&device, &id, &save, expected);
        delete_save(device: Device, id: Id, expected: Option<u64>) -> Changed = saves::delete(&device, &id, expected);
        add_picture(device: Device, id: Id, picture: StoredPicture) -> String = pictures::add(&device, &id, &picture);
        picture(device: Device, id: Id) -> Option<Vec<u8>> = pictures::load(&device, &id);
        pictures(device: Device) -> Vec<String> = pictures::list(&device);
        delete_picture(device: Device, id: Id) -> Removed = pictures::delete(&device, &id);
        records(device: Device) -> Vec<StoredRecord> = records::list(&device);
        record(device: Device, id: Id) -> Option<String> = records::load(&device, &id);
        add_record(device: Device, id: Id, record: NewRecord) -> String = records::add(&device, &id, &record);
        delete_record(device: Device, id: Id) -> bool = records::delete(&device, &id);
        deletions(device: Device) -> Vec<String> = deletions::list(&device);
        player(device: Device) -> Option<Player> = devices::player(&device);
        set_nickname(device: Device, nickname: Option<String>) -> ()
            = devices::set_nickname(&device, nickname.as_deref());
        rename_device(device: Device, id: Id, name: String) -> bool = devices::rename(&device, &id, &name);
        send_away(device: Device, id: Id) -> SentAway = devices::send_away(&device, &id);
        set_code(device: Device, code: Secret) -> () = devices::set_code(&device, &code);
        set_phrase(device: Device, phrase: Secret) -> () = devices::set_phrase(&device, &phrase);
        join(device: Device, key: Key) -> bool = devices::join(&device, &key);
        begin_run(device: Device, day: Day) -> Run = runs::begin(&device, day);
        end_run(device: Device, day: Day, claim: Claim) -> EndedRun = runs::end(&device, day, claim);
        runs(device: Device) -> Vec<Run> = runs::list(&device);
        results(days: RangeInclusive<Day>) -> Vec<DailyResult> = runs::results(&days);
        forget(device: Device) -> () = players::forget(&device);
        forget_unused() -> bool = players::forget_unused();
        add_invitation(token: Secret) -> () = facts::add_invitation(&token);
        has_invitation(token: Secret) -> bool = facts::has_invitation(&token);
        take_invitation(token: Secret) -> bool = facts::take_invitation(&token);
        census() -> Census = facts::census();
        list_players(text: String, most: usize) -> Vec<PlayerLine> = operator::list(&text, most);
        rename_player(player: String, nickname: Option<String>) -> bool
            = operator::rename(&player, nickname.as_deref());
        remove_player(player: String) -> bool = operator::remove(&player);
        ban_player(player: String, banned: bool) -> bool = operator::ban(&player, banned);
    }

    fn player_of(&self, device: Device) -> Answer<'_, Option<String>> {
        self.run(async move |store: Arc<Shared>| players::of(&store.client().await?, &device).await)
    }

    fn secret(&self) -> Answer<'_, [u8; 32]> {
        self.run(async move |store: Arc<Shared>| facts::secret(&store.client().await?).await)
    }

    fn check(&self) -> Answer<'_, ()> {
        self.run(async move |store: Arc<Shared>| schema::check(&store.client().await?).await)
    }

    fn bytes(&self) -> Answer<'_, u64> {
        self.run(async move |store: Arc<Shared>| store.room.bytes(&store.client().await?).await)
    }
}

impl Shared {
    async fn client(&self) -> Result<Client, StoreError> {
        if self.pool.status().waiting >= MAX_WAITING {
            return Err(StoreError::Busy);
        }
        Ok(self.pool.get().await?)
    }

    async fn begin<'a>(&'a self, client: &'a mut Client) -> Result<Transaction<'a>, StoreError> {
        let db = client.transaction().await?;
        let now = self.now(&db).await?;
        Ok(Transaction { db, store: self, now })
    }

    async fn now(&self, db: &impl GenericClient) -> Result<i64, StoreError> {
        match self.fixed_time {
            Some(time) => Ok(wall_clock(time)),
            None => Ok(one(db, connection::NOW, &[]).await?.get(0)),
        }
    }
}

impl Transaction<'_> {
    /// Waits until no other transaction has the lock of this name, and keeps it until the end. What is read from then on is
    /// as the one before left it.
    async fn lock(&self, name: &str) -> Result<(), StoreError> {
        execute(&self.db, "SELECT pg_advisory_xact_lock($1)", &[&lock_key(name)]).await?;
        Ok(())
    }

    /// The same, if it is free; whether it was.
    async fn try_lock(&self, name: &str) -> Result<bool, StoreError> {
        Ok(one(&self.db, "SELECT pg_try_advisory_xact_lock($1)", &[&lock_key(name)]).await?.get(0))
    }

    /// Returns when what was written is on the disk.
    async fn commit(self) -> Result<(), StoreError> {
        Ok(self.db.commit().await?)
    }
}

/// The number by which the database knows a lock: the first 64 bits of a random id or a hash.
fn lock_key(name: &str) -> i64 {
    name.get(..16).and_then(|digits| u64::from_str_radix(digits, 16).ok()).unwrap_or_default() as i64
}

type Values<'a> = &'a [&'a (dyn ToSql + Sync)];

async fn rows(db: &impl GenericClient, sql: &str, values: Values<'_>) -> Result<Vec<Row>, StoreError> {
    let statement = db.prepare_cached(sql).await?;
    Ok(db.query(&statement, values).await?)
}

/// The first row, if there is one.
async fn first(db: &impl GenericClient, sql: &str, values: Values<'_>) -> Result<Option<Row>, StoreError> {
    Ok(rows(db, sql, values).await?.into_iter().next())
}

async fn one(db: &impl GenericClient, sql: &str, values: Values<'_>) -> Result<Row, StoreError> {
    let statement = db.prepare_cached(sql).await?;
    Ok(db.query_one(&statement, values).await?)
}

/// How many rows it changes.
async fn execute(db: &impl GenericClient, sql: &str, values: Values<'_>) -> Result<u64, StoreError> {
    let statement = db.prepare_cached(sql).await?;
    Ok(db.execute(&statement, values).await?)
}

/// The number of a player's rows in a table, and the sum of their sizes.
async fn usage(db: &impl GenericClient, table: &str, player: &str) -> Result<(usize, usize), StoreError> {
    let sql = format!("SELECT COUNT(*), COALESCE(SUM(size), 0)::BIGINT FROM {table} WHERE player = $1");
    let row = one(db, &sql, &[&player]).await?;
    Ok((row.get::<_, i64>(0) as usize, row.get::<_, i64>(1) as usize))
}

impl From<tokio_postgres::Error> for StoreError {
    fn from(error: tokio_postgres::Error) -> Self {
        let words = || error.source().map_or_else(|| error.to_string(), ToString::to_string);
        match error.code() {
            Some(&SqlState::DISK_FULL) => Self::Full,
            Some(&SqlState::READ_ONLY_SQL_TRANSACTION | &SqlState::IO_ERROR) => Self::Disk(words()),
            Some(
                &SqlState::LOCK_NOT_AVAILABLE
                | &SqlState::QUERY_CANCELED
                | &SqlState::T_R_DEADLOCK_DETECTED
                | &SqlState::TOO_MANY_CONNECTIONS,
            ) => Self::Busy,
            Some(&SqlState::ADMIN_SHUTDOWN | &SqlState::CRASH_SHUTDOWN | &SqlState::CANNOT_CONNECT_NOW) => {
                Self::Away(words())
            }
            None if error.is_closed() || error.source().is_some_and(<dyn Error>::is::<io::Error>) => {
                Self::Away(words())
            }
            _ => Self::Failed(words()),
        }
    }
}

impl From<PoolError> for StoreError {
    fn from(error: PoolError) -> Self {
        match error {
            PoolError::Backend(error) => error.into(),
            PoolError::Timeout(_) => Self::Busy,
            error => Self::Failed(error.to_string()),
        }
    }
}

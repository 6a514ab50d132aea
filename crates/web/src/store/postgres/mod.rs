//! The store in a `PostgreSQL` database, which several servers may share.
//!
//! A write is one transaction. It first takes a lock of its browser, so that what it checks stays true until it commits,
//! whichever server runs it; writes of different browsers run side by side, and the database flushes together the commits that
//! wait together. Reads take no lock. There is one clock for all servers, that of the database.

mod browsers;
mod connection;
mod copy;
mod facts;
mod pictures;
mod records;
mod room;
mod saves;
mod schema;

use std::{error::Error, future::Future, io, sync::Arc, time::SystemTime};

pub(super) use connection::SCHEMES;
pub(super) use copy::{open_to_read, open_to_write};
use deadpool_postgres::{Client, GenericClient, Pool, PoolError};
use room::Room;
use tokio_postgres::{Row, error::SqlState, types::ToSql};

use super::{
    Answer, Census, Changed, NewRecord, NewSave, OpenError, Owner, Removed, Store, StoreError, StoredRecord,
    StoredSave, rules::wall_clock,
};
use crate::{
    config::{Bounds, Config},
    id::Id,
    picture::StoredPicture,
};

pub(crate) struct Postgres(Arc<Shared>);

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
        let settings = connection::settings(url)?;
        let in_database = |why| OpenError::Database { why };
        let now = config.fixed_time.map(wall_clock);
        let secret = connection::wait_for(schema::open(&settings, now)).map_err(in_database)?;
        let pool = connection::pool(settings, config.bounds.database_connections).map_err(in_database)?;
        let (bounds, fixed_time) = (config.bounds.clone(), config.fixed_time);
        Ok((Self(Arc::new(Shared { pool, bounds, fixed_time, room: Room::default() })), secret))
    }

    fn shared(&self) -> Arc<Shared> {
        Arc::clone(&self.0)
    }

    /// Reads for a browser, which counts as used, too.
    async fn read_for<T>(
        &self,
        db: &Client,
        owner: &Owner,
        work: impl Future<Output = Result<T, StoreError>>,
    ) -> Result<T, StoreError> {
        // Both queries are sent before the first result comes.
        let (found, is_stale) = tokio::try_join!(work, browsers::is_stale(db, owner))?;
        if is_stale {
            let (store, owner) = (self.shared(), owner.clone());
            tokio::spawn(async move { browsers::use_now(&store, &owner).await });
        }
        Ok(found)
    }
}

/// Runs a write to its end, also if the client that asked for it goes away meanwhile.
fn detached<'a, T: Send + 'static>(
    work: impl Future<Output = Result<T, StoreError>> + Send + 'static,
) -> Answer<'a, T> {
    Box::pin(async move { tokio::spawn(work).await.map_err(|_| StoreError::Failed("a job panicked".to_owned()))? })
}

impl Store for Postgres {
    fn saves(&self, owner: Owner) -> Answer<'_, Vec<StoredSave>> {
        Box::pin(async move {
            let db = self.0.client().await?;
            self.read_for(&db, &owner, saves::list(&db, &owner)).await
        })
    }

    fn save(&self, owner: Owner, id: Id) -> Answer<'_, Option<StoredSave>> {
        Box::pin(async move {
            let db = self.0.client().await?;
            self.read_for(&db, &owner, saves::load(&db, &owner, &id)).await
        })
    }

    fn add_save(&self, owner: Owner, id: Id, save: NewSave) -> Answer<'_, bool> {
        let store = self.shared();
        detached(async move { saves::add(&store, &owner, &id, &save).await })
    }

    fn replace_save(&self, owner: Owner, id: Id, save: NewSave, expected: Option<u64>) -> Answer<'_, Changed> {
        let store = self.shared();
        detached(async move { saves::replace(&store, &owner, &id, &save, expected).await })
    }

    fn delete_save(&self, owner: Owner, id: Id, expected: Option<u64>) -> Answer<'_, Changed> {
        let store = self.shared();
        detached(async move { saves::delete(&store, &owner, &id, expected).await })
    }

    fn delete_saves(&self, owner: Owner) -> Answer<'_, ()> {
        let store = self.shared();
        detached(async move { store.delete_all("saves", &owner).await })
    }

    fn add_picture(&self, owner: Owner, id: Id, picture: StoredPicture) -> Answer<'_, String> {
        let store = self.shared();
        detached(async move { pictures::add(&store, &owner, &id, &picture).await })
    }

    fn picture(&self, owner: Owner, id: Id) -> Answer<'_, Option<Vec<u8>>> {
        Box::pin(async move {
            let db = self.0.client().await?;
            self.read_for(&db, &owner, pictures::load(&db, &owner, &id)).await
        })
    }

    fn delete_picture(&self, owner: Owner, id: Id) -> Answer<'_, Removed> {
        let store = self.shared();
        detached(async move { pictures::delete(&store, &owner, &id).await })
    }

    fn records(&self, owner: Owner) -> Answer<'_, Vec<StoredRecord>> {
        Box::pin(async move {
            let db = self.0.client().await?;
            self.read_for(&db, &owner, records::list(&db, &owner)).await
        })
    }

    fn record(&self, owner: Owner, id: Id) -> Answer<'_, Option<String>> {
        Box::pin(async move {
            let db = self.0.client().await?;
            self.read_for(&db, &owner, records::load(&db, &owner, &id)).await
        })
    }

    fn add_record(&self, owner: Owner, id: Id, record: NewRecord) -> Answer<'_, String> {
        let store = self.shared();
        detached(async move { records::add(&store, &owner, &id, &record).await })
    }

    fn delete_record(&self, owner: Owner, id: Id) -> Answer<'_, bool> {
        let store = self.shared();
        detached(async move { records::delete(&store, &owner, &id).await })
    }

    fn delete_records(&self, owner: Owner) -> Answer<'_, ()> {
        let store = self.shared();
        detached(async move { store.delete_all("records", &owner).await })
    }

    fn forget(&self, owner: Owner) -> Answer<'_, ()> {
        let store = self.shared();
        detached(async move { browsers::forget(&store, &owner).await })
    }

    fn forget_unused(&self) -> Answer<'_, bool> {
        let store = self.shared();
        detached(async move { browsers::forget_unused(&store).await })
    }

    fn add_invitation(&self, token: Id) -> Answer<'_, ()> {
        let store = self.shared();
        detached(async move { facts::add_invitation(&store, &token).await })
    }

    fn has_invitation(&self, token: Id) -> Answer<'_, bool> {
        Box::pin(async move { facts::has_invitation(&self.0.client().await?, &token).await })
    }

    fn take_invitation(&self, token: Id) -> Answer<'_, bool> {
        let store = self.shared();
        detached(async move { facts::take_invitation(&store, &token).await })
    }

    fn secret(&self) -> Answer<'_, [u8; 32]> {
        Box::pin(async move { facts::secret(&self.0.client().await?).await })
    }

    fn check(&self) -> Answer<'_, ()> {
        Box::pin(async move { schema::check(&self.0.client().await?).await })
    }

    fn census(&self) -> Answer<'_, Census> {
        Box::pin(async move {
            let status = self.0.pool.status();
            let census = browsers::census(&self.0.client().await?).await?;
            Ok(Census {
                connections: Some((status.size - status.available.min(status.size), status.waiting)),
                ..census
            })
        })
    }
}

impl Shared {
    async fn client(&self) -> Result<Client, StoreError> {
        if self.pool.status().waiting >= MAX_WAITING {
            return Err(StoreError::Busy);
        }
        Ok(self.pool.get().await?)
    }

    /// Begins a transaction for a browser, and waits until no other one writes for it. What the transaction then reads, it
    /// sees as the writers before it left it.
    async fn begin<'a>(&'a self, client: &'a mut Client, owner: &Owner) -> Result<Transaction<'a>, StoreError> {
        let transaction = self.begin_alone(client).await?;
        execute(&transaction.db, "SELECT pg_advisory_xact_lock($1)", &[&owner.lock_key()]).await?;
        Ok(transaction)
    }

    /// Begins a transaction that is not a browser's.
    async fn begin_alone<'a>(&'a self, client: &'a mut Client) -> Result<Transaction<'a>, StoreError> {
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

    async fn delete_all(&self, table: &str, owner: &Owner) -> Result<(), StoreError> {
        let mut client = self.client().await?;
        let transaction = self.begin(&mut client, owner).await?;
        execute(&transaction.db, &format!("DELETE FROM {table} WHERE browser = $1"), &[&owner.as_str()]).await?;
        transaction.commit().await
    }
}

impl Transaction<'_> {
    /// Returns when what was written is on the disk.
    async fn commit(self) -> Result<(), StoreError> {
        Ok(self.db.commit().await?)
    }
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

/// The number of a browser's rows in a table, and the sum of their sizes.
async fn usage(db: &impl GenericClient, table: &str, owner: &Owner) -> Result<(usize, usize), StoreError> {
    let sql = format!("SELECT COUNT(*), COALESCE(SUM(size), 0)::BIGINT FROM {table} WHERE browser = $1");
    let row = one(db, &sql, &[&owner.as_str()]).await?;
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
            None if error.is_closed() || error.source().is_some_and(|source| source.is::<io::Error>()) => {
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

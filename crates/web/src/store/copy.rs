//! Copies of everything in a store to another one, of the same kind or not.

use std::{convert::Infallible, fmt, path::PathBuf, str::FromStr};

use sha2::{Digest, Sha256};

use super::{OpenError, StoreError, postgres, sqlite};

/// A table, whose rows are in both stores the same values in the same order.
pub(super) struct Table {
    pub(super) name: &'static str,
    pub(super) columns: &'static [&'static str],
    pub(super) order: Order,
}

pub(super) enum Order {
    /// By these columns, which no two rows have in common.
    ByKey(&'static str),
    /// In the order in which they were made, which the copy keeps.
    ByMaking,
}

/// Every table of the store.
pub(super) const TABLES: [Table; 10] = [
    Table { name: "players", columns: &["player", "nickname", "banned", "used"], order: Order::ByKey("player") },
    Table { name: "devices", columns: &["device", "player", "id", "name", "created", "used"], order: Order::ByMaking },
    Table { name: "codes", columns: &["code", "player", "created"], order: Order::ByKey("code") },
    Table { name: "phrases", columns: &["phrase", "player"], order: Order::ByKey("phrase") },
    Table {
        name: "runs",
        columns: &["day", "player", "started", "millis", "moves"],
        order: Order::ByKey("day, player"),
    },
    Table {
        name: "saves",
        columns: &["id", "player", "name", "game", "line", "picture", "size", "created", "updated", "revision", "turn"],
        order: Order::ByKey("id"),
    },
    Table {
        name: "pictures",
        columns: &["id", "player", "width", "height", "bytes", "size", "created"],
        order: Order::ByMaking,
    },
    Table {
        name: "records",
        columns: &["id", "player", "board", "millis", "moves", "game", "picture", "size", "created", "mark"],
        order: Order::ByMaking,
    },
    Table { name: "deletions", columns: &["player", "id"], order: Order::ByMaking },
    Table { name: FACTS, columns: &["name", "number", "bytes"], order: Order::ByKey("name") },
];

/// The table that a store has rows in before anybody has used it.
pub(super) const FACTS: &str = "facts";

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value {
    Null,
    Number(i64),
    Text(String),
    Bytes(Vec<u8>),
}

/// A store of which everything is read, or into which everything is written, in one transaction.
pub(super) trait Side {
    fn has_rows(&mut self, table: &Table) -> Result<bool, StoreError>;
    /// Reads a table, in its order.
    fn each(
        &mut self,
        table: &Table,
        visit: &mut dyn FnMut(&[Value]) -> Result<(), StoreError>,
    ) -> Result<(), StoreError>;
    fn clear(&mut self, table: &Table) -> Result<(), StoreError>;
    fn insert(&mut self, table: &Table, row: &[Value]) -> Result<(), StoreError>;
    /// Returns when what was written is on the disk.
    fn commit(&mut self) -> Result<(), StoreError>;
}

/// Where a store is.
#[derive(Clone, PartialEq, Eq)]
pub enum StoreAddress {
    /// The data directory of a server.
    Directory(PathBuf),
    /// The address of a `PostgreSQL` database.
    Database(String),
}

impl FromStr for StoreAddress {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        let is_url = postgres::SCHEMES.iter().any(|scheme| text.starts_with(scheme));
        Ok(if is_url { Self::Database(text.to_owned()) } else { Self::Directory(text.into()) })
    }
}

/// The address of a database may have its password, and is not shown.
impl fmt::Debug for StoreAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Directory(path) => fmt::Debug::fmt(path, f),
            Self::Database(_) => f.write_str("a database"),
        }
    }
}

impl StoreAddress {
    fn open_to_read(&self) -> Result<Box<dyn Side>, OpenError> {
        match self {
            Self::Directory(path) => sqlite::open_to_read(path),
            Self::Database(url) => postgres::open_to_read(url),
        }
    }

    fn open_to_write(&self) -> Result<Box<dyn Side>, OpenError> {
        match self {
            Self::Directory(path) => sqlite::open_to_write(path),
            Self::Database(url) => postgres::open_to_write(url),
        }
    }
}

/// The tables that were copied, and how many rows each has.
pub type Copied = Vec<(&'static str, u64)>;

/// Copies everything to a store in which there is nothing yet, whole or not at all. Before it is kept, the copy is read
/// again and compared. Servers must not write meanwhile: what they write to the first store later is not in the copy.
pub fn copy_store(from: &StoreAddress, to: &StoreAddress) -> Result<Copied, CopyError> {
    Ok(copy(from, to)?)
}

fn copy(from: &StoreAddress, to: &StoreAddress) -> Result<Copied, Why> {
    let (mut from, mut to) = (from.open_to_read().map_err(Why::From)?, to.open_to_write().map_err(Why::To)?);
    for table in TABLES.iter().filter(|table| table.name != FACTS) {
        if to.has_rows(table).map_err(Why::Write)? {
            return Err(Why::Occupied);
        }
    }
    let mut copied = Vec::new();
    for table in &TABLES {
        let original = copy_table(table, &mut *from, &mut *to)?;
        let copy = Digested::of(table, &mut *to).map_err(Why::Write)?;
        if original != copy {
            let (found, expected) = (copy.rows, original.rows);
            return Err(Why::Different { table: table.name, found, expected });
        }
        copied.push((table.name, original.rows));
    }
    to.commit().map_err(Why::Write)?;
    Ok(copied)
}

fn copy_table(table: &Table, from: &mut dyn Side, to: &mut dyn Side) -> Result<Digested, Why> {
    to.clear(table).map_err(Why::Write)?;
    let mut digested = Digested::default();
    let mut failed = None;
    let read = from.each(table, &mut |row| {
        digested.add(row);
        to.insert(table, row).inspect_err(|error| failed = Some(error.clone()))
    });
    match failed {
        Some(error) => Err(Why::Write(error)),
        None => read.map(|()| digested).map_err(Why::Read),
    }
}

/// The number of rows, and a hash of their values.
#[derive(Default)]
struct Digested {
    rows: u64,
    hash: Sha256,
}

impl Digested {
    fn of(table: &Table, side: &mut dyn Side) -> Result<Self, StoreError> {
        let mut digested = Self::default();
        side.each(table, &mut |row| {
            digested.add(row);
            Ok(())
        })?;
        Ok(digested)
    }

    fn add(&mut self, row: &[Value]) {
        self.rows += 1;
        for value in row {
            let (kind, bytes): (u8, &[u8]) = match value {
                Value::Null => (0, &[]),
                Value::Number(number) => (1, &number.to_le_bytes()),
                Value::Text(text) => (2, text.as_bytes()),
                Value::Bytes(bytes) => (3, bytes),
            };
            self.hash.update([kind]);
            self.hash.update((bytes.len() as u64).to_le_bytes());
            self.hash.update(bytes);
        }
    }
}

impl PartialEq for Digested {
    fn eq(&self, other: &Self) -> bool {
        self.rows == other.rows && self.hash.clone().finalize() == other.hash.clone().finalize()
    }
}

/// There is no copy, and why.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct CopyError(#[from] Why);

#[derive(Debug, thiserror::Error)]
enum Why {
    #[error("the store to copy: {0}")]
    From(OpenError),
    #[error("the store to copy to: {0}")]
    To(OpenError),
    #[error("the store to copy cannot be read: {0}")]
    Read(StoreError),
    #[error("the copy cannot be written: {0}")]
    Write(StoreError),
    #[error("found data in the store to copy to, expected an empty one")]
    Occupied,
    #[error(
        "the copy differs and was discarded: found {found} rows in {table}, expected {expected} with the same values"
    )]
    Different { table: &'static str, found: u64, expected: u64 },
}

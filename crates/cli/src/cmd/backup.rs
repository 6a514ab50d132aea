use std::path::PathBuf;

use anyhow::bail;
use clap::Args;
use pintu_web::Config;

use super::serve::StoreArgs;
use crate::{exit::Exit, say};

/// Copy all games, pictures and records into a file
///
/// A server may run meanwhile. The file is there whole or not at all, only its owner can read it, and it replaces a backup of the same
/// name, but no other file.
/// Keep it like a key: anyone who has it has all players' games.
/// Of a `PostgreSQL` database, `pg_dump` and `pg_restore` make backups.
#[derive(Args, Debug)]
pub(crate) struct Backup {
    /// The file to write
    file: PathBuf,

    #[command(flatten)]
    store: StoreArgs,
}

impl Backup {
    pub(crate) fn run(self) -> anyhow::Result<Exit> {
        pintu_web::backup(&directory(self.store)?, &self.file)?;
        say::remark(format_args!("wrote {}", self.file.display()));
        Ok(Exit::Solved)
    }
}

/// Put a backup in place of all games, pictures and records
///
/// A server may run meanwhile. Backups of older versions are brought up to date. What was there before is kept beside it, as
/// before-restore.sqlite3 (or -2, -3 and so on), itself a backup.
#[derive(Args, Debug)]
pub(crate) struct Restore {
    /// The file that `pintu backup` wrote
    file: PathBuf,

    #[command(flatten)]
    store: StoreArgs,
}

impl Restore {
    pub(crate) fn run(self) -> anyhow::Result<Exit> {
        let data = directory(self.store)?;
        let before = pintu_web::restore(&data, &self.file)?;
        say::remark(format_args!("restored into {}", data.display()));
        if let Some(before) = before {
            say::remark(format_args!("what was there before is kept as {}", before.display()));
        }
        Ok(Exit::Solved)
    }
}

/// The directory of a store, which must not be a database.
fn directory(store: StoreArgs) -> anyhow::Result<PathBuf> {
    let Config { store, data, .. } = store.config()?;
    if store.is_some() {
        bail!(
            "found a PostgreSQL database (--store or PINTU_STORE), expected a data directory: pg_dump and pg_restore \
             are for a database's backups, and `pintu copy-store` copies it to a directory"
        );
    }
    Ok(data)
}

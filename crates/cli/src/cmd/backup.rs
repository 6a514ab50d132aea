use std::path::PathBuf;

use clap::Args;

use super::serve::DataArgs;
use crate::{exit::Exit, say};

/// Copy all games, pictures and records into a file
///
/// A server may run meanwhile. The file is there whole or not at all, only its owner can read it, and it replaces a backup of the same
/// name, but no other file.
/// Keep it like a key: anyone who has it has all players' games.
#[derive(Args, Debug)]
pub(crate) struct Backup {
    /// The file to write
    file: PathBuf,

    #[command(flatten)]
    data: DataArgs,
}

impl Backup {
    pub(crate) fn run(self) -> anyhow::Result<Exit> {
        pintu_web::backup(&self.data.directory()?, &self.file)?;
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
    data: DataArgs,
}

impl Restore {
    pub(crate) fn run(self) -> anyhow::Result<Exit> {
        let data = self.data.directory()?;
        if let Some(before) = pintu_web::restore(&data, &self.file)? {
            say::remark(format_args!("what was there before is kept as {}", before.display()));
        }
        Ok(Exit::Solved)
    }
}

use clap::Args;
use pintu_web::StoreAddress;

use crate::{exit::Exit, say};

/// Copy everything from one store to another, which has to be empty
///
/// A store is the data directory of a server, or a `PostgreSQL` database (`postgres://USER:PASSWORD@HOST/DATABASE`).
/// Stop the servers of both first. The copy is there whole or not at all: it is read again and compared before it is
/// kept.
#[derive(Args, Debug)]
pub(crate) struct CopyStore {
    /// The store to copy, which stays as it is
    from: StoreAddress,

    /// The store to copy to
    to: StoreAddress,
}

impl CopyStore {
    pub(crate) fn run(self) -> anyhow::Result<Exit> {
        for (table, rows) in pintu_web::copy_store(&self.from, &self.to)? {
            let table = if table == "facts" { "the server's own values" } else { table };
            say::remark(format_args!("{table}: {rows} copied and compared"));
        }
        Ok(Exit::Solved)
    }
}

use std::path::PathBuf;

use clap::Args;

use crate::{exit::Exit, say, units};

/// Write the game as a folder of files for any web server
///
/// The whole page works from it, with the engine in the visitor's browser: under any path of any host, and without
/// a network after the first visit. Games stay in the browser. An earlier site in the folder is brought up to date.
///
///     cargo xtask site DIR        builds the engine and writes the site
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub(crate) struct Site {
    /// The folder, which is made if it is not there
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    /// The engine for browsers, if this program was built without one
    #[arg(long, value_name = "FILE")]
    engine: Option<PathBuf>,
}

impl Site {
    pub(crate) fn run(&self) -> anyhow::Result<Exit> {
        let (files, bytes) = pintu_web::write_site(&self.folder, self.engine.as_deref())?;
        say::print(&format!("{files} files, {}: {}\n", units::show_bytes(bytes), self.folder.display()))?;
        Ok(Exit::Solved)
    }
}

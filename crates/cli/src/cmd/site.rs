use std::path::PathBuf;

use clap::Args;

use crate::{exit::Exit, say, units};

/// Write the game as a folder of files for any web server
///
/// The whole page works from it, with the engine in the visitor's browser: under
/// any path of any host, and offline after the first visit, for which the browser
/// fetches all of it in the background (1.1 MB compressed). The neural networks for
/// boards from 6x6 on (0.6 MB) come when a search first wants them. Games stay in
/// the browser. Other pages can include pintu-board.js, whose address stays. An
/// earlier site in the folder is brought up to date; its folders page-... and
/// engine-... stay, because open pages still ask for them, and may be deleted after
/// some days.
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

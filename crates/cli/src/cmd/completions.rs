use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::{exit::Exit, say};

/// Print completions for a shell
///
///     source <(pintu completions bash)
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub(crate) struct Completions {
    /// The shell
    #[arg(ignore_case = true)]
    shell: Shell,
}

impl Completions {
    pub(crate) fn run(&self) -> anyhow::Result<Exit> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut super::Pintu::command(), "pintu", &mut script);
        say::print(&String::from_utf8_lossy(&script))?;
        Ok(Exit::Solved)
    }
}

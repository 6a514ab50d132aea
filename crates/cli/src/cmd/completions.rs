use std::io::{self, Write};

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::exit::Exit;

/// Print completions for a shell
///
/// For bash: pintu completions bash > ~/.local/share/bash-completion/completions/pintu
#[derive(Args, Debug)]
pub(crate) struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    pub(crate) fn run(&self) -> anyhow::Result<Exit> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut super::Pintu::command(), "pintu", &mut script);
        io::stdout().write_all(&script)?;
        Ok(Exit::Solved)
    }
}

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, bail};
use clap::{Args, Command, CommandFactory};
use clap_mangen::Man as Page;

use crate::{exit::Exit, say, whole_file::write_whole};

/// Print a manual page
///
///     pintu man solve | man -l -
///     pintu man --to ~/.local/share/man/man1
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub(crate) struct Man {
    /// The command it is about [default: pintu itself]
    #[arg(value_name = "COMMAND", conflicts_with = "to")]
    about: Option<String>,

    /// Write the pages of all commands into a folder instead, which is made if it is not there
    #[arg(long, value_name = "DIR")]
    to: Option<PathBuf>,
}

impl Man {
    pub(crate) fn run(&self) -> anyhow::Result<Exit> {
        let mut pintu = super::Pintu::command().disable_help_subcommand(true);
        pintu.build();
        match (&self.to, self.about.as_deref()) {
            (Some(dir), _) => write_all(&pintu, dir)?,
            (None, None) => say::print(&page(pintu)?)?,
            (None, Some(name)) => {
                let Some(command) = pintu.find_subcommand(name) else {
                    let known: Vec<&str> = pintu.get_subcommands().map(Command::get_name).collect();
                    bail!("found the command `{name}`, expected one of {}", known.join(", "));
                };
                say::print(&page(command.clone())?)?;
            }
        }
        Ok(Exit::Solved)
    }
}

fn write_all(pintu: &Command, dir: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(dir).with_context(|| dir.display().to_string())?;
    let pages = std::iter::once(pintu).chain(pintu.get_subcommands());
    for command in pages {
        let name = command.get_display_name().unwrap_or(command.get_name());
        let path = dir.join(format!("{name}.1"));
        let text = page(command.clone())?;
        write_whole(&path, |out| out.write_all(text.as_bytes())).with_context(|| path.display().to_string())?;
    }
    Ok(())
}

fn page(command: Command) -> anyhow::Result<String> {
    let mut text = Vec::new();
    Page::new(command).render(&mut text)?;
    Ok(String::from_utf8(text)?)
}

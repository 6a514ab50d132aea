use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, bail};
use clap::{Args, Command, CommandFactory};
use clap_mangen::Man as Page;

use crate::{
    exit::Exit,
    say::{self, write_whole},
};

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
    Ok(with_examples(&String::from_utf8(text)?))
}

/// A page whose examples, which are its indented lines, stay as they are, so that they can be copied: neither filled nor
/// hyphenated, and no further in than the text, for some are as long as there is room for.
fn with_examples(page: &str) -> String {
    let lines: Vec<&str> = page.lines().collect();
    let blocks = lines.chunk_by(|one, next| example(one).is_some() == example(next).is_some());
    let shown = |block: &[&str]| match block.iter().map(|line| example(line)).collect::<Option<Vec<_>>>() {
        // What would be a request at the beginning of a line is none behind this.
        Some(examples) => format!(".nf\n\\&{}\n.fi\n", examples.join("\n\\&")),
        None => block.join("\n") + "\n",
    };
    blocks.map(shown).collect()
}

fn example(line: &str) -> Option<&str> {
    line.strip_prefix("    ")
}

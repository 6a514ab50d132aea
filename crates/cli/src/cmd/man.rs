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
    /// The command it is about, as in `solve` or `tables build` [default: pintu itself]
    #[arg(value_name = "COMMAND", conflicts_with = "to")]
    about: Vec<String>,

    /// Write the pages of all commands into a folder instead, which is made if it is not there
    #[arg(long, value_name = "DIR")]
    to: Option<PathBuf>,
}

impl Man {
    pub(crate) fn run(&self) -> anyhow::Result<Exit> {
        let mut pintu = super::Pintu::command().disable_help_subcommand(true);
        pintu.build();
        let all = with_subcommands(&pintu);
        if let Some(dir) = &self.to {
            write_all(&all, dir)?;
            return Ok(Exit::Solved);
        }
        let wanted = [&["pintu".to_owned()], self.about.as_slice()].concat().join("-");
        let Some(command) = all.iter().find(|command| page_name(command) == wanted) else {
            let known: Vec<&str> = pintu.get_subcommands().map(Command::get_name).collect();
            bail!("found the command `{}`, expected one of {}", self.about.join(" "), known.join(", "));
        };
        say::print(&page((*command).clone())?)?;
        Ok(Exit::Solved)
    }
}

/// A command and all below it.
fn with_subcommands(command: &Command) -> Vec<&Command> {
    let below = command.get_subcommands().filter(|command| command.get_name() != "help");
    std::iter::once(command).chain(below.flat_map(with_subcommands)).collect()
}

/// The name of a command's page, as in `pintu-tables-build`.
fn page_name(command: &Command) -> &str {
    command.get_display_name().unwrap_or(command.get_name())
}

fn write_all(commands: &[&Command], dir: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(dir).with_context(|| dir.display().to_string())?;
    for &command in commands {
        let path = dir.join(format!("{}.1", page_name(command)));
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

/// A page whose examples (its indented lines) can be copied: neither filled nor hyphenated, and indented no more than
/// the text, because some are as long as a line.
fn with_examples(page: &str) -> String {
    let lines: Vec<&str> = page.lines().collect();
    let blocks = lines.chunk_by(|one, next| example(one).is_some() == example(next).is_some());
    let shown = |block: &[&str]| match block.iter().map(|line| example(line)).collect::<Option<Vec<_>>>() {
        // A dot at the beginning of a line would be a roff request; this escapes it.
        Some(examples) => format!(".nf\n\\&{}\n.fi\n", examples.join("\n\\&")),
        None => block.join("\n") + "\n",
    };
    blocks.map(shown).collect()
}

fn example(line: &str) -> Option<&str> {
    line.strip_prefix("    ")
}

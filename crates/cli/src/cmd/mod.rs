//! The subcommands, one a file.

mod backup;
mod check;
mod compare;
mod completions;
mod copy_store;
mod devices;
mod generate;
mod man;
mod merge;
mod network;
mod path;
mod players;
mod serve;
mod site;
mod solve;
mod tables;

use std::{env, path::PathBuf};

use clap::{
    ColorChoice, CommandFactory, Parser, Subcommand,
    error::{ContextKind, ContextValue, ErrorKind},
};

use crate::{exit::Exit, say};

/// Sliding pictures (拼图): play them, solve them, make new ones,
/// and compare the ways to solve them
///
/// Without a command it serves the game to this machine's browser,
/// as `pintu serve` does.
///
/// A puzzle is a board of numbers, 0 for the blank, in a file, on standard input or
/// as an argument; a link from the game will do as well:
///
///     pintu solve 0 1 3 4 2 5 7 8 6
///
/// Boards go from 1x2 to 16x16, square or not; rows and columns may wrap around;
/// the goal is what you say it is. Exit status: 0 solved, 1 there is no solution,
/// 2 bad usage or input, 3 a limit was reached, 130 after Ctrl-C.
#[derive(Debug, Parser)]
#[command(name = "pintu", version, verbatim_doc_comment, max_term_width = say::PAGE_WIDTH)]
pub(crate) struct Pintu {
    #[command(subcommand)]
    command: Option<Command>,

    /// Whether to print in colour; auto: on a terminal, unless `NO_COLOR` is set
    #[arg(
        long,
        value_name = "WHEN",
        default_value = "auto",
        ignore_case = true,
        global = true,
        help_heading = "Output"
    )]
    color: ColorChoice,

    /// Write to a file what would be printed
    #[arg(short, long, value_name = "FILE", global = true, help_heading = "Output")]
    output: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum Command {
    Serve(serve::Serve),
    Solve(Box<solve::Solve>),
    Merge(merge::Merge),
    Compare(compare::Compare),
    Generate(generate::Generate),
    Check(check::Check),
    Tables(tables::TablesCommand),
    Devices(devices::Devices),
    Path(Box<path::Path>),
    Players(players::Players),
    Site(site::Site),
    Backup(backup::Backup),
    Restore(backup::Restore),
    CopyStore(copy_store::CopyStore),
    Completions(completions::Completions),
    Man(man::Man),
}

/// For an option's name in other programs: its name here, and what to write instead.
const OTHER_OPTIONS: [(&str, &str, &str); 9] = [
    ("port", "addr", "--addr 127.0.0.1:PORT"),
    ("host", "addr", "--addr ADDRESS"),
    ("bind", "addr", "--addr ADDRESS"),
    ("listen", "addr", "--addr ADDRESS"),
    ("depth", "max-depth", "--max-depth"),
    ("timeout", "time-limit", "--time-limit"),
    ("seconds", "time-limit", "--time-limit"),
    ("jobs", "threads", "--threads"),
    ("json", "format", "--format json"),
];

/// The replacement for an option that has another name here; without a command, that of `serve`.
fn instead_of(option: &str, args: impl IntoIterator<Item = String>) -> Option<String> {
    let root = Pintu::command();
    let mut command = &root;
    for arg in args {
        command = command.find_subcommand(&arg).unwrap_or(command);
    }
    let is_root = command.get_name() == root.get_name();
    let command = if is_root { root.find_subcommand("serve")? } else { command };
    let (_, own, instead) = *OTHER_OPTIONS.iter().find(|(other, ..)| option.strip_prefix("--") == Some(other))?;
    let has = command.get_arguments().any(|arg| arg.get_long() == Some(own));
    has.then(|| if is_root { format!("serve {instead}") } else { instead.to_owned() })
}

/// Adds the replacement to the error about an unknown option.
fn with_tip(mut error: clap::Error) -> clap::Error {
    let instead = match (error.kind(), error.get(ContextKind::InvalidArg)) {
        (ErrorKind::UnknownArgument, Some(ContextValue::String(option))) => {
            instead_of(option, env::args_os().skip(1).map(|arg| arg.to_string_lossy().into_owned()))
        }
        _ => None,
    };
    if let Some(instead) = instead {
        error.insert(ContextKind::SuggestedArg, ContextValue::String(instead));
        // Clap's own tip is how to pass the word as a file's name.
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(Vec::new()));
    }
    error
}

impl Pintu {
    /// Reads the arguments of the process, or exits with the error in them.
    pub(crate) fn from_args() -> Self {
        Self::try_parse().unwrap_or_else(|error| with_tip(error).exit())
    }

    /// Carries out the command.
    pub(crate) fn run(self) -> anyhow::Result<Exit> {
        match self.color {
            ColorChoice::Auto => {}
            ColorChoice::Always => anstream::ColorChoice::Always.write_global(),
            ColorChoice::Never => anstream::ColorChoice::Never.write_global(),
        }
        if let Some(path) = &self.output {
            say::print_to(path);
        }
        match self.command.unwrap_or_else(|| Command::Serve(serve::Serve::default())) {
            Command::Serve(serve) => serve.run(),
            Command::Solve(solve) => solve.run(),
            Command::Merge(merge) => merge.run(),
            Command::Compare(compare) => compare.run(),
            Command::Generate(generate) => generate.run(),
            Command::Check(check) => check.run(),
            Command::Tables(tables) => tables.run(),
            Command::Devices(devices) => devices.run(),
            Command::Path(path) => path.run(),
            Command::Players(players) => players.run(),
            Command::Site(site) => site.run(),
            Command::Backup(backup) => backup.run(),
            Command::Restore(restore) => restore.run(),
            Command::CopyStore(copy) => copy.run(),
            Command::Completions(completions) => completions.run(),
            Command::Man(man) => man.run(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use clap::{Command, CommandFactory};

    use super::{OTHER_OPTIONS, Pintu, instead_of};

    /// A letter stands for one option, and an option has one letter, in all commands.
    #[test]
    fn short_options_mean_the_same_everywhere() {
        fn collect(command: &Command, found: &mut HashMap<char, String>) {
            for option in command.get_arguments() {
                let (Some(short), Some(long)) = (option.get_short(), option.get_long()) else { continue };
                // `compare` takes a list where others take one.
                let long = long.trim_end_matches("algorithms").to_owned();
                let long = if long.is_empty() { "algorithm".to_owned() } else { long };
                let known = found.entry(short).or_insert_with(|| long.clone());
                assert_eq!(*known, long, "-{short} of {}", command.get_name());
            }
            command.get_subcommands().for_each(|command| collect(command, found));
        }
        let mut pintu = Pintu::command();
        pintu.build();
        // Panics if two options of a command have the same letter.
        pintu.clone().debug_assert();
        let mut found = HashMap::new();
        collect(&pintu, &mut found);
        for (short, long) in
            [('a', "algorithm"), ('f', "format"), ('j', "threads"), ('o', "output"), ('t', "time-limit")]
        {
            assert_eq!(found[&short], long);
        }
    }

    /// Each tip names an option that some command has.
    #[test]
    fn tips_are_about_options_that_exist() {
        let pintu = Pintu::command();
        for (other, own, instead) in OTHER_OPTIONS {
            let option = format!("--{other}");
            let told = |command: &Command| instead_of(&option, [command.get_name().to_owned()]);
            assert!(pintu.get_subcommands().any(|command| told(command).as_deref() == Some(instead)), "{other}");
            assert!(instead.starts_with(&format!("--{own}")), "{other}");
        }
    }
}

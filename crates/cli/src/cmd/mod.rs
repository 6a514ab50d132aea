//! The subcommands, one a file.

mod backup;
mod check;
mod compare;
mod completions;
mod devices;
mod generate;
mod man;
mod network;
mod path;
mod serve;
mod solve;
mod tables;

use clap::{Parser, Subcommand};

use crate::exit::Exit;

/// Sliding pictures (拼图): play them, solve them, make new ones,
/// and compare the ways to solve them
///
/// Without a command it serves the game to this machine's browser,
/// as `pintu serve` does.
///
/// A puzzle is a board of numbers, 0 for the blank, in a file or on standard input;
/// a link from the game will do as well:
///
///     echo "0 1 3 4 2 5 7 8 6" | pintu solve
///
/// Boards go from 1x2 to 16x16, square or not; rows and columns may wrap around;
/// the goal is what you say it is. Exit status: 0 solved, 1 there is no solution,
/// 2 bad usage or input, 3 a limit was reached.
#[derive(Debug, Parser)]
#[command(name = "pintu", version, verbatim_doc_comment, max_term_width = crate::say::HELP_WIDTH)]
pub(crate) struct Pintu {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    Serve(serve::Serve),
    Solve(solve::Solve),
    Compare(compare::Compare),
    Generate(generate::Generate),
    Check(check::Check),
    Tables(tables::TablesCommand),
    Devices(devices::Devices),
    Path(Box<path::Path>),
    Backup(backup::Backup),
    Restore(backup::Restore),
    Completions(completions::Completions),
    Man(man::Man),
}

/// Carries out a command.
pub(crate) fn run(pintu: Pintu) -> anyhow::Result<Exit> {
    match pintu.command.unwrap_or_else(|| Command::Serve(serve::Serve::default())) {
        Command::Serve(serve) => serve.run(),
        Command::Solve(solve) => solve.run(),
        Command::Compare(compare) => compare.run(),
        Command::Generate(generate) => generate.run(),
        Command::Check(check) => check.run(),
        Command::Tables(tables) => tables.run(),
        Command::Devices(devices) => devices.run(),
        Command::Path(path) => path.run(),
        Command::Backup(backup) => backup.run(),
        Command::Restore(restore) => restore.run(),
        Command::Completions(completions) => completions.run(),
        Command::Man(man) => man.run(),
    }
}

//! The `pintu` command: reads arguments, calls the engine, prints.

mod args;
mod cmd;
mod exit;
mod input;
mod progress;
mod render;
mod say;
mod units;

use std::process::ExitCode;

use pintu_solver::internals::catch_spawn_error;

use crate::exit::Exit;

fn main() -> ExitCode {
    let ran = catch_spawn_error(|| cmd::Pintu::from_args().run());
    let exit = match ran.unwrap_or_else(|error| Err(error.into())) {
        Ok(exit) => exit,
        // The reader has closed the output, for example `head`.
        Err(error) if say::is_broken_pipe(&error) => Exit::Solved,
        Err(error) => {
            say::complain_of(&error);
            Exit::of_error(&error)
        }
    };
    if exit::is_interrupted() { Exit::Interrupted.into() } else { exit.into() }
}

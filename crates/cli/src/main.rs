//! The `pintu` command: reads arguments, calls the engine, prints.

mod args;
mod cmd;
mod exit;
mod input;
mod interrupt;
mod progress;
mod render;
mod say;
mod units;
mod whole_file;

use std::process::ExitCode;

use clap::Parser;

use crate::exit::Exit;

fn main() -> ExitCode {
    let pintu = match cmd::Pintu::try_parse() {
        Ok(pintu) => pintu,
        // The help and the version come this way, too.
        Err(said) => return end(say::usage(&said)),
    };
    end(cmd::run(pintu).map(ExitCode::from))
}

fn end(ended: anyhow::Result<ExitCode>) -> ExitCode {
    match ended {
        Ok(code) => code,
        // Whoever reads our output has had enough of it.
        Err(error) if say::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            say::complain_of(&error);
            let is_limit = interrupt::is_interruption(&error) || input::is_too_large(&error);
            if is_limit { Exit::Limit.into() } else { Exit::BadInput.into() }
        }
    }
}

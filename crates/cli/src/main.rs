//! The `pintu` command: reads arguments, calls the engine, prints.

mod args;
mod cmd;
mod exit;
mod input;
mod interrupt;
mod progress;
mod render;
mod units;

use std::{io, process::ExitCode};

use clap::Parser;

use crate::exit::Exit;

fn main() -> ExitCode {
    match cmd::run(cmd::Pintu::parse()) {
        Ok(exit) => exit.into(),
        // Whoever reads our output has had enough of it.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("pintu: {error:#}");
            Exit::BadInput.into()
        }
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let kind = error.chain().find_map(|cause| cause.downcast_ref::<io::Error>()).map(io::Error::kind);
    kind == Some(io::ErrorKind::BrokenPipe)
}

//! The server under load, with failing hardware, and with a hostile client. Everything stays on loopback.
//!
//!     cargo xtask bench torture [--seconds 40] [--players 200]
//!
//! First, players save a move a second while eight searches are always running. Then players save through a proxy that loses,
//! delays and refuses, to a server whose power is cut again and again (what was not flushed is lost) and whose disk is full at
//! times: at the end every acknowledged save must be there, and nothing that was refused. Then one hostile client opens a
//! thousand connections (slow readers, slow uploads, half-open ones, long searches, tables to be built) while others play.
//! Exits with 1 if a bound is missed.

#[path = "../../tests/api/client.rs"]
mod client;
#[path = "../../tests/durability/disk.rs"]
#[expect(unsafe_code, reason = "SQLite's interface to file systems is C's")]
#[allow(dead_code, reason = "the tests need more of it")]
mod disk;
mod faults;
mod hostile;
mod load;
mod players;
mod proxy;
mod server;

use std::{env, process::ExitCode, time::Duration};

use disk::Random;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().collect();
    let after = |name: &str| arguments.iter().position(|argument| argument == name).map(|at| &arguments[at + 1..]);
    if let Some([data, ..]) = after(server::SERVE) {
        return server::serve(data);
    }
    let runtime = tokio::runtime::Runtime::new().expect("threads");
    if let Some([address, ..]) = after(hostile::HOSTILE) {
        runtime.block_on(hostile::attack(address.parse().expect("an address")));
        return ExitCode::SUCCESS;
    }
    let number = |name, usual| after(name).and_then(|rest| rest.first()?.parse().ok()).unwrap_or(usual);
    let (time, players) = (Duration::from_secs(number("--seconds", 40)), number("--players", 200) as usize);
    println!("| what | figure | bound |\n| --- | --- | --- |");
    runtime.block_on(async {
        let is_good = [load::run(players, time).await, faults::run(time).await, hostile::run(time).await];
        if is_good == [true; 3] { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    })
}

/// A line of the report: a figure and its bound, if there is one.
fn report(what: &str, figure: impl std::fmt::Display, bound: impl std::fmt::Display) {
    println!("| {what} | {figure} | {bound} |");
}

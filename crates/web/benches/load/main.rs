//! Many players at once, and a server that is killed again and again. Everything stays on loopback.
//!
//!     cargo bench -p pintu-web --bench load [-- --players 200 --seconds 30 --kills 100]
//!
//! First, players save a move a second while eight searches are always at the workers, and the time until
//! each save is acknowledged is measured. Then the server is killed in the middle of saves, and everything
//! that was acknowledged must be there when it is back. Exits with 1 if a bound is missed.

mod client;
mod disk;
mod kills;
mod players;
mod server;

use std::{env, process::ExitCode};

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().collect();
    if let Some(at) = arguments.iter().position(|argument| argument == server::SERVE) {
        return server::serve(&arguments[at + 1]);
    }
    let number = |name: &str, usual: usize| {
        let at = arguments.iter().position(|argument| argument == name);
        at.and_then(|at| arguments.get(at + 1)?.parse().ok()).unwrap_or(usual)
    };
    let (players, seconds, kills) = (number("--players", 200), number("--seconds", 30), number("--kills", 100));
    let runtime = tokio::runtime::Runtime::new().expect("threads");
    println!("| what | figure | bound |\n| --- | --- | --- |");
    let load = runtime.block_on(players::run(players, seconds));
    load.print();
    let lost = runtime.block_on(kills::run(kills));
    println!("| acknowledged saves lost over {kills} `kill -9` | {} of {} | 0 |", lost.lost, lost.acknowledged);
    if load.is_within_bounds() && lost.lost == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

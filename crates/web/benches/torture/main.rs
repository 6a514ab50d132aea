//! What the server is like to others when everything goes wrong at once. Everything stays on loopback.
//!
//!     cargo xtask bench torture [--seconds 40]
//!
//! First, players save through a proxy that loses, delays and refuses, to a server whose power is cut again
//! and again (what was not flushed is lost) and whose disk is full at times. At the end every acknowledged
//! save must be there, and nothing that was refused. Then one hostile client opens a thousand connections
//! (slow readers, slow uploads, half-open ones, long searches, tables to be built) while others play.
//! Exits with 1 if a bound is missed.

#[path = "../load/client.rs"]
#[allow(dead_code, reason = "the other benchmark needs more of it")]
mod client;
#[path = "../../tests/durability/disk.rs"]
#[expect(unsafe_code, reason = "SQLite's interface to file systems is C's")]
#[allow(dead_code, reason = "the tests need more of it")]
mod disk;
mod faults;
mod hostile;
mod proxy;
#[path = "../load/server.rs"]
#[allow(dead_code, reason = "the other benchmark needs more of it")]
mod server;
#[path = "../load/disk.rs"]
#[allow(dead_code, reason = "the other benchmark needs more of it")]
mod times;

use std::{env, process::ExitCode, time::Duration};

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
    let seconds = after("--seconds").and_then(|rest| rest.first()?.parse().ok()).unwrap_or(40);
    let time = Duration::from_secs(seconds);
    println!("| what | figure | bound |\n| --- | --- | --- |");
    let faults = runtime.block_on(faults::run(time));
    faults.print();
    let hostile = runtime.block_on(hostile::run(time));
    hostile.print();
    if faults.is_within_bounds() && hostile.is_within_bounds() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Numbers that look random and are the same in every run.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// One of 0 to n − 1.
    pub(crate) fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
}

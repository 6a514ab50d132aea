//! A school behind one address: two servers, `PostgreSQL` and nginx, all on this machine and on loopback.
//!
//!     cargo xtask bench class [--players 2000] [--seconds 60]
//!
//! Everybody loads the page, plays, saves every three seconds, and has a board solved once. Nobody may be refused, nothing
//! that was acknowledged may be lost, and of a hundred saves ninety-nine take less than a tenth of a second. Exits with 1
//! otherwise.

#[path = "../../tests/servers/class.rs"]
mod class;
#[path = "../../../web/tests/api/client.rs"]
#[allow(dead_code, reason = "the tests need more of it")]
mod client;
#[path = "../../../web/tests/api/postgres.rs"]
#[allow(dead_code, reason = "the tests need more of it")]
mod postgres;
#[path = "../../tests/servers/site.rs"]
#[allow(dead_code, reason = "the tests need more of it")]
mod site;

use std::{env, process::ExitCode, time::Duration};

const BOUND: Duration = Duration::from_millis(100);

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().collect();
    let number = |name: &str, usual: u64| {
        let at = arguments.iter().position(|argument| argument == name);
        at.and_then(|at| arguments.get(at + 1)?.parse().ok()).unwrap_or(usual)
    };
    let (players, seconds) = (number("--players", 2000) as usize, number("--seconds", 60));
    let Some(site) = site::Site::start(&[]) else { return ExitCode::FAILURE };
    let runtime = tokio::runtime::Runtime::new().expect("threads");
    let report = runtime.block_on(class::play(site.address, players, Duration::from_secs(seconds)));
    let millis = |time: Duration| format!("{:.1} ms", time.as_secs_f64() * 1000.0);
    let three = |times: &[Duration]| [0.5, 0.99, 1.0].map(|share| millis(class::percentile(times, share))).join(" / ");
    println!("| what | figure | bound |\n| --- | --- | --- |");
    println!("| players behind one address; seconds | {players}; {seconds} | |");
    println!("| refused or failed | {} | 0 |", report.failures.len());
    println!("| saves | {} | |", report.saves.len());
    println!(
        "| a save until it is acknowledged, median / p99 / slowest | {} | p99 {} |",
        three(&report.saves),
        millis(BOUND)
    );
    println!("| the page with its scripts and styles, median / p99 / slowest | {} | |", three(&report.pages));
    println!("| a board of 3×3 solved, median / p99 / slowest | {} | |", three(&report.solved));
    println!("| games that differ in the end from what was acknowledged | {} | 0 |", report.lost);
    report.failures.iter().take(5).for_each(|failure| eprintln!("{failure}"));
    let is_good = report.failures.is_empty() && report.lost == 0 && report.slowest(0.99) <= BOUND;
    if is_good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

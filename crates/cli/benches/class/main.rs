//! A school behind one address: two servers, `PostgreSQL` and nginx, all on this machine and on loopback; with `--sqlite`
//! one server and its file instead.
//!
//!     cargo xtask bench class [--sqlite] [--players 2000] [--seconds 60] [--period 3] [--day 1000]
//!
//! All players load the page, play, save after each period of seconds, and have one board solved. Then others do the day's
//! puzzle and finish within a minute, each asking for the ranking. No request may be refused, no acknowledged save
//! lost, and 99 % of saves take less than 0.1 s. Exits with 1 otherwise.

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

use std::{env, fs, process::ExitCode, time::Duration};

use class::Report;

const BOUND: Duration = Duration::from_millis(100);

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().collect();
    let number = |name: &str, usual: u64| {
        let at = arguments.iter().position(|argument| argument == name);
        at.and_then(|at| arguments.get(at + 1)?.parse().ok()).unwrap_or(usual)
    };
    let (players, seconds, day) = (number("--players", 2000), number("--seconds", 60), number("--day", 1000));
    let period = number("--period", class::SAVE_PERIOD.as_secs());
    let is_file = arguments.iter().any(|argument| argument == "--sqlite");
    let site = if is_file { site::Site::start_one() } else { site::Site::start(&[]) };
    let Some(site) = site else { return ExitCode::FAILURE };
    let runtime = tokio::runtime::Runtime::new().expect("threads");
    let load = || fs::read_to_string("/proc/loadavg").unwrap_or_default().split(' ').next().unwrap_or("").to_owned();
    let mut is_good = true;
    let mut tell = |what: &str, before: &str, report: &Report| {
        println!("\n| {what} | figure | bound |\n| --- | --- | --- |");
        println!("| load average before and after | {before}, {} | |", load());
        println!("| refused or failed | {} | 0 |", report.failures.len());
        println!("| saves | {} | |", report.saves.len());
        for (times, what, bound) in [
            (&report.saves, "a save until it is acknowledged", millis(BOUND)),
            (&report.pages, "the page with its scripts and styles", String::new()),
            (&report.solved, "a board of 3×3 solved", String::new()),
            (&report.finished, "the end of a run until it is acknowledged", String::new()),
            (&report.ranked, "the ranking after it", String::new()),
        ] {
            if !times.is_empty() {
                println!("| {what}, median / p99 / slowest | {} | {bound} |", three(times));
            }
        }
        println!("| games and runs that are not there in the end as they were acknowledged | {} | 0 |", report.lost);
        for failure in report.failures.iter().take(5) {
            eprintln!("{failure}");
        }
        is_good &= report.failures.is_empty() && report.lost == 0 && report.slowest(0.99) <= BOUND;
    };
    let before = load();
    let (time, period) = (Duration::from_secs(seconds), Duration::from_secs(period));
    let report = runtime.block_on(class::play(site.address, players as usize, time, period));
    let store = if is_file { "SQLite" } else { "PostgreSQL" };
    tell(&format!("{players} players behind one address, {seconds} seconds, {store}"), &before, &report);
    let before = load();
    let report = runtime.block_on(class::play_day(site.address, day as usize, Duration::from_mins(1)));
    tell(&format!("{day} players who finish the day's puzzle within a minute"), &before, &report);
    if is_good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn millis(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1000.0)
}

fn three(times: &[Duration]) -> String {
    [0.5, 0.99, 1.0].map(|share| millis(class::percentile(times, share))).join(" / ")
}

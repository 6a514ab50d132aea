//! The project's own commands: `cargo xtask test` checks everything, `cargo xtask bench` measures.

mod browser;
mod licences;
mod memcheck;
mod msrv;
mod packages;
mod shell;

use std::{env, process::ExitCode, time::SystemTime};

use anyhow::Context;

use shell::{cargo, minutes, run, title};

const USAGE: &str = "\
cargo xtask test     check formatting, lints, tests, the page, documentation, licences and the minimum Rust version
cargo xtask bench    run the benchmarks; what follows is passed on, as in `cargo xtask bench -p pintu-search`
cargo xtask bench torture [--seconds N]    what the server is like when everything goes wrong at once
cargo xtask bench gpu [large] [huge] [random=N] [wrap] [blanks] [many=N] [faults]    what a GPU does, if there is one
cargo xtask fuzz     check every algorithm against plain ones on random problems: `cargo xtask fuzz MINUTES [SEED]`";

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    let result = match args.first().map(String::as_str) {
        Some("test") => test(),
        Some("bench") => bench(&args[1..]),
        Some("fuzz") => fuzz(&args[1..]),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn test() -> anyhow::Result<()> {
    title("formatting");
    run(cargo().args(["fmt", "--all", "--check"]))?;
    title("lints");
    run(cargo().args(["clippy", "--workspace", "--all-targets", "--", "--deny", "warnings"]))?;
    title("minimum Rust version");
    msrv::check()?;
    title("licences");
    licences::check()?;
    title("packages");
    packages::check()?;
    title("tests");
    run(cargo().args(["test", "--workspace"]))?;
    title("memory checker");
    memcheck::check()?;
    title("browser tests");
    browser::test()?;
    title("examples");
    for example in ["rooms", "jugs"] {
        run(cargo().args(["run", "--quiet", "--package", "pintu-search", "--example", example]))?;
    }
    title("documentation");
    run(cargo().args(["doc", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "--deny warnings"))?;
    println!("\nAll checks passed in {}.", minutes());
    Ok(())
}

fn bench(args: &[String]) -> anyhow::Result<()> {
    if let [first, rest @ ..] = args
        && first == "torture"
    {
        return run(cargo().args(["bench", "-p", "pintu-web", "--bench", "torture", "--"]).args(rest));
    }
    if let [first, rest @ ..] = args
        && first == "gpu"
    {
        return run(cargo().args(["bench", "-p", "pintu-gpu", "--bench", "gpu", "--"]).args(rest));
    }
    run(cargo().arg("bench").args(args))
}

/// Without a seed, the time is one: each run tries other problems, and says which.
fn fuzz(args: &[String]) -> anyhow::Result<()> {
    let number = |at: usize, usual: u64| match args.get(at) {
        None => Ok(usual),
        Some(text) => text.parse().with_context(|| format!("found `{text}`, expected a whole number")),
    };
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH)?.as_secs();
    let (minutes, seed) = (number(0, 5)?, number(1, now)?);
    title(&format!("{minutes} minutes of random problems from seed {seed}"));
    let mut test = cargo();
    test.args(["test", "--package", "pintu-engine", "--test", "fuzz", "--", "--nocapture"]);
    run(test.env("PINTU_FUZZ_MINUTES", minutes.to_string()).env("PINTU_FUZZ_SEED", seed.to_string()))
}

//! The project's own commands: `cargo xtask test` checks everything, `cargo xtask bench` measures.

mod apt;
mod browser;
mod element;
mod installed;
mod licences;
mod memcheck;
mod msrv;
mod packages;
mod python;
mod release;
mod servers;
mod shell;
mod site;
mod skipped;
mod targets;
mod tools;

use std::{
    env,
    process::{Command, ExitCode},
    thread,
    time::SystemTime,
};

use anyhow::Context;

use shell::{Aside, Stages, cargo, is_installed, run, run_aside, target_folder, tests_at_once};
use skipped::{SKIPPED, Skipped};

const USAGE: &str = "\
cargo xtask test     check formatting, lints, tests, the page, documentation, licences and the minimum Rust version
cargo xtask bench    run the benchmarks; what follows is passed on, as in `cargo xtask bench -p pintu-search`
cargo xtask bench class [--players N] [--seconds N] [--day N]    two servers, PostgreSQL and nginx under a school's load
cargo xtask bench interface [CASES]    schemathesis against the server's OpenAPI document, 1000 cases an operation
cargo xtask bench torture [--seconds N]    the server under load, with failing disks, and with a hostile client
cargo xtask bench gpu [large] [huge] [random=N] [wrap] [blanks] [many=N] [faults]    what a GPU does, if there is one
cargo xtask bench gpu steps FILE STEP…    the same for large boards of a file; crates/gpu/benches/gpu/large.rs has the steps
cargo xtask site DIR    the game as a folder of files for any web server, with the engine for browsers
cargo xtask engine      that engine alone; `PINTU_ENGINE=FILE cargo build --release` makes a program that has it in it
cargo xtask bench python [peers] [overhead] [cluster]    the Python package beside others, and on Ray
cargo xtask fuzz     check every algorithm against plain ones on random problems: `cargo xtask fuzz MINUTES [SEED]`
cargo xtask element  pack the custom element <pintu-board> for npm
cargo xtask release  make what a release consists of and try it, as far as this machine can
cargo xtask pages, deb, web, installed, wheel    parts of it: manual pages and completions; the Debian package; the site and
                     the element as archives; trying what was made; the wheel of the Python package, built and tried";

/// All that the tests need in one compilation: the tests, and beside them the command, the server and the Python module, which
/// the stages run from where they lie. With the whole workspace selected, every dependency has the same features each time.
const BUILD: [&str; 6] = ["build", "--workspace", "--lib", "--bins", "--examples", "--tests"];

/// The tests in processes of their own, where nextest is installed; `.config/nextest.toml` says which run alone.
const NEXTEST: [&str; 3] = ["nextest", "run", "--workspace"];

/// The tests of the server by name, built as the others were.
const NEXTEST_STORE: [&str; 5] = ["nextest", "run", "--workspace", "-E", "binary(api) | binary(durability)"];
const TEST_STORE: [&str; 8] = ["test", "--package", "pintu-web", "--test", "api", "--test", "durability", "--"];

/// The cases of an operation that the tests try; `bench interface` tries more.
const FEW_CASES: &str = "20";
/// So that no run of the tests meets what another does not; `bench interface` tries other cases each time, and names its seed.
const SAME_CASES: [&str; 2] = ["--seed", "1"];

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    let result = match args.first().map(String::as_str) {
        Some("test") => test(),
        Some("bench") => bench(&args[1..]),
        Some("fuzz") => fuzz(&args[1..]),
        Some("site") => site::write(&args[1..]),
        Some("release") => release::release().and_then(|()| python::prepare()?.try_wheel()),
        // As maturin calls cargo.
        Some("rustc") => python::stand_in_for_cargo(),
        Some("wheel") => python::prepare().and_then(|python| python.try_wheel()),
        Some("engine") => site::build().map(|path| println!("{}", path.display())),
        Some("pages") => release::pages().map(drop),
        Some("web") => release::web_packages(),
        Some("deb") => release::debian_package(),
        Some("installed") => release::try_installed(),
        Some("element") => {
            browser::install_packages().and_then(|()| element::pack()).map(|path| println!("{}", path.display()))
        }
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
    let stages = Stages::start();
    let built = target_folder()?.join("debug");
    let skipped = Skipped::start()?;
    // Downloads for the browser tests run while cargo compiles.
    let page = Aside::start(browser::prepare);
    let python = Aside::start(python::prepare);
    let database = Aside::start(servers::start);
    stages.run("formatting", || run(cargo().args(["fmt", "--all", "--check"])))?;
    stages.run("licences", licences::check)?;
    stages.run("packages", packages::check)?;
    stages.run("minimum Rust version", || skipped.note(msrv::check()?))?;
    let has_nextest = is_installed("cargo-nextest");
    let tests: &[&str] = if has_nextest { &NEXTEST } else { &["test", "--workspace"] };
    stages.run("compilation of tests", || run(cargo().args(BUILD)))?;
    let database = match database.join() {
        Ok(database) => Some(database),
        Err(error) => {
            skipped.note([format!("{error:#}: no test of several servers and of PostgreSQL")])?;
            None
        }
    };
    stages.run("tests", || {
        let mut command = cargo();
        command.args(tests);
        if has_nextest {
            command.args(["--test-threads", &tests_at_once().to_string()]);
        }
        if let Some(database) = &database {
            command.env(servers::POSTGRES, database.url());
        }
        run(command.env(SKIPPED, &skipped.file))
    })?;
    if let Some(database) = &database {
        stages.run("tests of the store in PostgreSQL", || {
            let tests: &[&str] = if has_nextest { &NEXTEST_STORE } else { &TEST_STORE };
            let store = [(servers::STORE, database.url()), (SKIPPED, skipped.file.to_string_lossy().into_owned())];
            run(cargo().args(tests).args(servers::STORE_TESTS).envs(store))
        })?;
    }
    drop(database);
    let engine = stages.run("engine for browsers", || match site::compiler() {
        Ok(compiler) => compiler.build().map(Some),
        Err(error) => {
            skipped
                .note([format!("{error:#}: no test of the engine in a browser, and of the page without a server")])?;
            Ok(None)
        }
    })?;
    let element = stages.run("page, types and style", || page.join())?;
    thread::scope(|scope| {
        // Browsers wait more than they compute: all that measures no time runs beside them.
        let browsers = scope.spawn(|| {
            stages.run("browser tests", || browser::test(&built, &element, engine.as_deref(), &skipped.file))
        });
        let lints = ["clippy", "--workspace", "--all-targets", "--", "--deny", "warnings"];
        stages.run("lints", || run(cargo().args(lints)))?;
        match python.join() {
            Ok(python) => {
                skipped.note(python.missing.iter().cloned())?;
                stages.run("Python package", || python.test(&built, &skipped.file))?;
                stages.run("interface", || python.try_interface(&built.join("pintu"), FEW_CASES, &SAME_CASES))?;
            }
            Err(error) => skipped.note([format!("{error:#}: no test of the Python package and of the interface")])?,
        }
        if has_nextest {
            stages.run("examples in the documentation", || run(cargo().args(["test", "--workspace", "--doc"])))?;
        }
        stages.run("documentation", || {
            // With the examples, dependencies have the features that the lints have checked them with already.
            let doc = ["doc", "--workspace", "--no-deps", "--lib", "--bin", "pintu", "--examples"];
            run(cargo().args(doc).env("RUSTDOCFLAGS", "--deny warnings"))
        })?;
        stages.run("memory checker", || {
            let missing =
                (!memcheck::check(&built.join("pintu"))?).then_some("valgrind is not installed: no check of memory");
            skipped.note(missing.map(str::to_owned))
        })?;
        stages.run("examples", || {
            ["rooms", "jugs"]
                .iter()
                .try_for_each(|name| run_aside(&mut Command::new(built.join("examples").join(name))))
        })?;
        browsers.join().expect("no stage panics")
    })?;
    skipped.tell()?;
    stages.summarise();
    Ok(())
}

fn bench(args: &[String]) -> anyhow::Result<()> {
    if args.first().is_some_and(|first| first == "python") {
        return python::prepare()?.bench(&args[1..]);
    }
    if args.first().is_some_and(|first| first == "interface") {
        run(cargo().args(["build", "--package", "pintu-cli"]))?;
        let cases = args.get(1).map_or("1000", String::as_str);
        return python::prepare()?.try_interface(&target_folder()?.join("debug/pintu"), cases, &[]);
    }
    if args.first().is_some_and(|first| first == "class") {
        let database = servers::start()?;
        let mut bench = cargo();
        bench.args(["bench", "-p", "pintu-cli", "--bench", "class", "--"]).args(&args[1..]);
        return run(bench.env(servers::POSTGRES, database.url()));
    }
    for (bench, package) in [("torture", "pintu-web"), ("gpu", "pintu-gpu")] {
        if args.first().is_some_and(|first| first == bench) {
            return run(cargo().args(["bench", "-p", package, "--bench", bench, "--"]).args(&args[1..]));
        }
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
    println!("{minutes} minutes of random problems from seed {seed}");
    let mut test = cargo();
    test.args(["test", "--package", "pintu-engine", "--test", "fuzz", "--", "--nocapture"]);
    run(test.env("PINTU_FUZZ_MINUTES", minutes.to_string()).env("PINTU_FUZZ_SEED", seed.to_string()))
}

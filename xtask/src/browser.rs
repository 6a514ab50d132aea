//! The page's tests, in a real browser.

use std::{fs, num::NonZero, path::Path, process::Command, thread};

use anyhow::{Context, bail};

use crate::shell::{cargo, output, root, run};

/// What the tests need, and the Debian package it comes with.
const NEEDED: [(&str, &str); 2] = [("node", "nodejs"), ("npm", "npm")];
/// The browser. Without windows it takes two thirds of the processor's time; the one with windows will do where it is there.
const BROWSERS: [&str; 2] = ["chromium-headless-shell", "chromium"];
/// Chinese must be seen as Chinese on the screenshots, and measured as such.
const FONTS: (&str, &str) = ("/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc", "fonts-noto-cjk");
/// Tried as well where it can be had; its tests say so where it cannot.
const WELCOME: (&str, &str) = ("firefox-esr", "firefox-esr");
const OLDEST_NODE: u32 = 20;

/// Measured by itself: other tests beside it would be measured, too.
const ALONE: &str = "budget.test.mjs";

/// More browsers at once than this wait for each other's disk rather than for a core.
const MOST_AT_ONCE: usize = 4;

/// Installs what is missing, checks the page's types and style, builds the server and runs the tests, once: what fails
/// now and then is a fault. Each test has a server of its own and waits for conditions, so that files can run side by
/// side, as many as there are cores.
pub(crate) fn test() -> anyhow::Result<()> {
    install_missing()?;
    install_welcome();
    check_node()?;
    let folder = root().join("crates/web/tests/browser");
    run(Command::new("npm").args(["ci", "--silent"]).current_dir(&folder))?;
    run(Command::new("npm").args(["run", "--silent", "check"]).current_dir(&folder))?;
    run(cargo().args(["build", "--quiet", "--package", "pintu-web", "--example", "serve"]))?;
    // What the page counts is compared with what the command line does.
    run(cargo().args(["build", "--quiet", "--package", "pintu-cli", "--bin", "pintu"]))?;
    let (alone, together): (Vec<_>, Vec<_>) = test_files(&folder)?.into_iter().partition(|name| name == ALONE);
    let at_once = thread::available_parallelism().map_or(1, NonZero::get).min(MOST_AT_ONCE);
    for (files, at_once) in [(together, at_once), (alone, 1)] {
        let mut node = Command::new("node");
        node.args(["--test", "--test-reporter=dot", &format!("--test-concurrency={at_once}")]);
        run(node.args(files).current_dir(&folder))?;
    }
    Ok(())
}

fn test_files(folder: &Path) -> anyhow::Result<Vec<String>> {
    let names = fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
    let mut names = names.collect::<anyhow::Result<Vec<String>>>()?;
    names.retain(|name| name.ends_with(".test.mjs"));
    names.sort();
    Ok(names)
}

fn install_missing() -> anyhow::Result<()> {
    let programs = NEEDED.iter().filter(|(program, _)| !is_installed(program)).map(|(_, package)| *package);
    let fonts = (!Path::new(FONTS.0).exists()).then_some(FONTS.1);
    let browser = BROWSERS.iter().all(|browser| !is_installed(browser)).then_some(BROWSERS[0]);
    let missing: Vec<&str> = programs.chain(browser).chain(fonts).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let by_hand = format!("apt-get install --yes {}", missing.join(" "));
    if !is_installed("apt-get") || output(Command::new("id").arg("--user"))?.trim() != "0" {
        bail!("the browser tests need {}; on Debian, as root: {by_hand}", missing.join(", "));
    }
    let mut update = Command::new("apt-get");
    run(update.args(["update", "--quiet=2"]))?;
    let mut install = Command::new("apt-get");
    install.args(["install", "--yes", "--quiet=2", "--no-install-recommends"]).args(&missing);
    run(install.env("DEBIAN_FRONTEND", "noninteractive")).with_context(|| by_hand)
}

/// Installs what the tests can do without; that it fails is no fault.
fn install_welcome() {
    let (program, package) = WELCOME;
    if is_installed(program) || !is_installed("apt-get") {
        return;
    }
    let mut install = Command::new("apt-get");
    install.args(["install", "--yes", "--quiet=2", "--no-install-recommends", package]);
    if let Err(error) = run(install.env("DEBIAN_FRONTEND", "noninteractive")) {
        println!("without {program}: {error:#}");
    }
}

fn is_installed(program: &str) -> bool {
    Command::new("sh")
        .args(["-c", &format!("command -v {program} >/dev/null")])
        .status()
        .is_ok_and(|status| status.success())
}

fn check_node() -> anyhow::Result<()> {
    let version = output(Command::new("node").arg("--version"))?;
    let major = version.trim().trim_start_matches('v').split('.').next().and_then(|major| major.parse::<u32>().ok());
    match major {
        Some(major) if major >= OLDEST_NODE => Ok(()),
        _ => bail!("found node {}, expected {OLDEST_NODE} or newer", version.trim()),
    }
}

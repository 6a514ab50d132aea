//! The page's tests, in a real browser.

use std::{fs, path::Path, process::Command};

use anyhow::{Context, bail};

use crate::shell::{cargo, output, root, run};

/// What the tests need, and the Debian package it comes with.
const NEEDED: [(&str, &str); 3] = [("chromium", "chromium"), ("node", "nodejs"), ("npm", "npm")];
/// Chinese must be seen as Chinese on the screenshots, and measured as such.
const FONTS: (&str, &str) = ("/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc", "fonts-noto-cjk");
/// Tried as well where it can be had; its tests say so where it cannot.
const WELCOME: (&str, &str) = ("firefox-esr", "firefox-esr");
const OLDEST_NODE: u32 = 20;

/// Measured by itself: other tests beside it would be measured, too.
const ALONE: &str = "budget.test.mjs";

/// Installs what is missing, checks the page's types and style, builds the server and runs the tests. Each test has a
/// server of its own. All run side by side first; if that fails, each file has to pass by itself, and what failed before
/// stays on the screen: what fails now and then is a fault that is to be found.
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
    let mut node = Command::new("node");
    node.args(["--test", "--test-concurrency=2", "--test-reporter=dot"]).args(&together).current_dir(&folder);
    if let Err(error) = run(&mut node) {
        println!("{error:#}; now each file by itself");
        for file in &together {
            let alone = || run(Command::new("node").args(["--test", "--test-reporter=dot", file]).current_dir(&folder));
            alone().or_else(|_| alone())?;
        }
    }
    run(Command::new("node").args(["--test", "--test-reporter=dot"]).args(alone).current_dir(&folder))
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
    let missing: Vec<&str> = programs.chain(fonts).collect();
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

//! The page's tests, in a real browser.

use std::{
    cmp::Reverse,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::bail;

use crate::{
    apt, element,
    shell::{is_installed, output, root, run_aside, tests_at_once},
    skipped::SKIPPED,
};

/// Programs that the tests need, and the Debian packages that they come with.
const NEEDED: [(&str, &str); 2] = [("node", "nodejs"), ("npm", "npm")];
/// The browser. Without windows it takes two thirds of the processor's time; the one with windows will do where it is there.
const BROWSERS: [&str; 2] = ["chromium-headless-shell", "chromium"];
/// Chinese must be seen as Chinese on the screenshots, and measured as such.
const FONTS: (&str, &str) = ("/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc", "fonts-noto-cjk");
/// Tried as well where it can be had; its tests say so where it cannot.
const WELCOME: (&str, &str) = ("firefox-esr", "firefox-esr");
const OLDEST_NODE: u32 = 20;

/// More browsers at once than this wait for each other's disk rather than for a core.
const MOST_AT_ONCE: usize = 6;
/// Files that take longer than their size says, as measured, the longest first.
const LONG: [&str; 9] = ["firefox", "site", "daily", "troubles", "words", "paths-looks", "library", "tabs", "budget"];

/// Installs what is missing, checks the page's types and style, and packs the element: returns the archive.
pub(crate) fn prepare() -> anyhow::Result<PathBuf> {
    install_missing()?;
    install_welcome();
    install_packages()?;
    run_aside(Command::new("npm").args(["run", "--silent", "check"]).current_dir(folder()))?;
    element::pack()
}

/// Installs the packages of npm that the tests need.
pub(crate) fn install_packages() -> anyhow::Result<()> {
    check_node()?;
    run_aside(Command::new("npm").args(["ci", "--silent"]).current_dir(folder()))
}

/// Runs the tests with the server and the command that lie in `built`, and the engine for browsers if there is one. Each test
/// has a server of its own and waits for conditions, so that files can run side by side; a file that fails there is run once
/// more, alone, and named if it passes then.
pub(crate) fn test(built: &Path, element: &Path, engine: Option<&Path>, skipped: &Path) -> anyhow::Result<()> {
    let at_once = tests_at_once().min(MOST_AT_ONCE);
    let mut node = Command::new("node");
    node.args(["run.mjs", &at_once.to_string()]);
    node.env("PINTU_SERVE", built.join("examples/serve")).env("PINTU", built.join("pintu")).env(SKIPPED, skipped);
    node.env("PINTU_ELEMENT", element).env("PINTU_ENGINE", engine.unwrap_or(Path::new("")));
    run_aside(node.args(test_files()?).current_dir(folder()))
}

fn folder() -> PathBuf {
    root().join("crates/web/tests/browser")
}

/// The names of the files with tests, the longest first: the last to begin shall not be the last to end.
fn test_files() -> anyhow::Result<Vec<String>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder())? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.ends_with(".test.mjs") {
            let rank = LONG.iter().position(|long| name.strip_suffix(".test.mjs") == Some(*long)).unwrap_or(LONG.len());
            files.push((rank, Reverse(entry.metadata()?.len()), name));
        }
    }
    files.sort();
    Ok(files.into_iter().map(|(.., name)| name).collect())
}

fn install_missing() -> anyhow::Result<()> {
    let programs = NEEDED.iter().filter(|(program, _)| !is_installed(program)).map(|(_, package)| *package);
    let fonts = (!Path::new(FONTS.0).exists()).then_some(FONTS.1);
    let browser = BROWSERS.iter().all(|browser| !is_installed(browser)).then_some(BROWSERS[0]);
    let missing: Vec<&str> = programs.chain(browser).chain(fonts).collect();
    apt::install(&missing, "the browser tests")
}

/// Installs what the tests can do without; that it fails is no fault.
fn install_welcome() {
    let (program, package) = WELCOME;
    if is_installed(program) || !is_installed("apt-get") {
        return;
    }
    if let Err(error) = apt::install(&[package], "the tests in a second browser") {
        println!("without {program}: {error:#}");
    }
}

fn check_node() -> anyhow::Result<()> {
    let version = output(Command::new("node").arg("--version"))?;
    let major = version.trim().trim_start_matches('v').split('.').next().and_then(|major| major.parse::<u32>().ok());
    match major {
        Some(major) if major >= OLDEST_NODE => Ok(()),
        _ => bail!("found node {}, expected {OLDEST_NODE} or newer", version.trim()),
    }
}

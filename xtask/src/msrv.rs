//! The oldest Rust that each package promises to build with.

use std::{collections::BTreeMap, process::Command};

use anyhow::{Context, bail};

use crate::shell::{metadata, output, root, run};

/// Builds every package with the oldest Rust that it promises, where that is installed. Where it is the Rust that runs this,
/// the other checks have done so already. Returns the promises that could not be tried.
pub(crate) fn check() -> anyhow::Result<Vec<String>> {
    let version = output(Command::new("rustc").arg("--version"))?;
    let running = version.split_whitespace().nth(1).context("rustc says its version")?;
    let mut untried = Vec::new();
    for (promised, packages) in promises()? {
        if minor(running) == minor(&promised) {
            println!("Rust {promised} is promised by {}, and {running} is what builds it here", packages.join(", "));
        } else if is_installed(&promised) {
            build_with(&promised, &packages)?;
        } else {
            // The lints know which Rust each function of the standard library came with, though not which came with each
            // construct of the language.
            let packages = packages.join(", ");
            untried.push(format!(
                "Rust {promised}, promised by {packages}, is not installed: only the lints checked that"
            ));
        }
    }
    Ok(untried)
}

fn is_installed(version: &str) -> bool {
    let asked = Command::new("cargo").args([&format!("+{version}"), "--version"]).output();
    asked.is_ok_and(|output| output.status.success())
}

/// Builds the parts of a package that others build: its library and binaries, with all features, but not its tests.
fn build_with(version: &str, packages: &[String]) -> anyhow::Result<()> {
    let packages = packages.iter().flat_map(|package| ["--package", package]);
    let check = ["check", "--all-features", "--target-dir", "target/msrv"];
    let mut command = Command::new("cargo");
    command.arg(format!("+{version}")).args(check).args(packages).current_dir(root());
    // The variable would make the other toolchain's cargo use this one's rustc.
    run(command.env_remove("RUSTUP_TOOLCHAIN"))
}

/// The packages by the Rust that they promise.
fn promises() -> anyhow::Result<BTreeMap<String, Vec<String>>> {
    let metadata = metadata(&["--no-deps"])?;
    let mut promises: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in metadata["packages"].as_array().context("cargo lists the packages")? {
        let name = package["name"].as_str().context("a package has a name")?;
        let Some(version) = package["rust_version"].as_str() else { bail!("{name} promises no rust-version") };
        promises.entry(version.to_owned()).or_default().push(name.to_owned());
    }
    Ok(promises)
}

fn minor(version: &str) -> Option<u32> {
    version.split('.').nth(1)?.parse().ok()
}

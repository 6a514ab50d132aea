//! The oldest Rust that the project promises to build with.

use std::process::Command;

use anyhow::{Context, bail};

use crate::shell::{cargo, output, root, run};

/// Builds with the oldest Rust promised. If that is the Rust that runs this, the other checks have done
/// so already.
pub(crate) fn check() -> anyhow::Result<()> {
    let promised = promised()?;
    let version = output(Command::new("rustc").arg("--version"))?;
    let running = version.split_whitespace().nth(1).context("rustc says its version")?;
    if minor(running) == minor(&promised) {
        println!("Rust {promised} is promised, and {running} is what builds it here");
        return Ok(());
    }
    let toolchain = format!("+{promised}");
    let installed = Command::new("cargo").args([&toolchain, "--version"]).output();
    if !installed.is_ok_and(|output| output.status.success()) {
        let install = ["toolchain", "install", &promised, "--profile", "minimal"];
        if run(Command::new("rustup").args(install)).is_err() {
            bail!("Rust {promised} is needed to check the promise: rustup {}", install.join(" "));
        }
    }
    let check = ["check", "--workspace", "--all-targets", "--target-dir", "target/msrv"];
    // The variable would make the other toolchain's cargo use this one's rustc.
    run(Command::new("cargo").arg(&toolchain).args(check).current_dir(root()).env_remove("RUSTUP_TOOLCHAIN"))
}

fn promised() -> anyhow::Result<String> {
    let metadata = output(cargo().args(["metadata", "--format-version", "1", "--no-deps"]))?;
    let metadata: serde_json::Value = serde_json::from_str(&metadata)?;
    let packages = metadata["packages"].as_array().context("cargo lists the packages")?;
    let versions: Vec<&str> = packages.iter().filter_map(|package| package["rust_version"].as_str()).collect();
    if versions.len() != packages.len() || versions.windows(2).any(|pair| pair[0] != pair[1]) {
        bail!("found packages with other rust-versions than the workspace's, or with none");
    }
    Ok(versions[0].to_owned())
}

fn minor(version: &str) -> Option<&str> {
    version.split('.').nth(1)
}

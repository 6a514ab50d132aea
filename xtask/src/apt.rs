//! Installing Debian's packages.

use std::{
    process::Command,
    sync::{Mutex, PoisonError},
};

use anyhow::{Context, bail};

use crate::shell::{is_installed, output, run_aside};

/// Stages run side by side, and the packages' database has one writer.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// Installs packages, if there are any to install and this is root on Debian; otherwise the error says how to. No service
/// that comes with them is started.
pub(crate) fn install(packages: &[&str], purpose: &str) -> anyhow::Result<()> {
    if packages.is_empty() {
        return Ok(());
    }
    let by_hand = format!("apt-get install --yes {}", packages.join(" "));
    if !is_installed("apt-get") || output(Command::new("id").arg("--user"))?.trim() != "0" {
        bail!("{purpose} need {}; on Debian, as root: {by_hand}", packages.join(", "));
    }
    let _lock = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    run_aside(Command::new("apt-get").args(["update", "--quiet=2"]))?;
    let mut install = Command::new("apt-get");
    install.args(["install", "--yes", "--quiet=2", "--no-install-recommends"]).args(packages);
    run_aside(install.env("DEBIAN_FRONTEND", "noninteractive").env("RUNLEVEL", "1")).with_context(|| by_hand)
}

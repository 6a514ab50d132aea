//! Installing Debian's packages.

use std::{
    process::Command,
    sync::{Mutex, PoisonError},
};

use anyhow::{Context, bail};

use crate::shell::{is_installed, output, run_aside};

/// Stages run side by side, and the packages' database has one writer.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// apt asks no questions, and no package starts its service: System V's scripts start none in runlevel 1, and `systemctl` starts
/// none where it is told that systemd does not run.
const QUIETLY: [(&str, &str); 3] = [("DEBIAN_FRONTEND", "noninteractive"), ("RUNLEVEL", "1"), ("SYSTEMD_OFFLINE", "1")];

/// Installs packages, if there are any to install and this is root on Debian; otherwise the error says how to. No service
/// that comes with them is started.
pub(crate) fn install(packages: &[&str], purpose: &str) -> anyhow::Result<()> {
    if packages.is_empty() {
        return Ok(());
    }
    let by_hand = format!("apt-get install --yes {}", packages.join(" "));
    if !is_installed("apt-get") || output(Command::new("id").arg("--user"))?.trim() != "0" {
        bail!("expected {} for {purpose}; on Debian, as root: {by_hand}", packages.join(", "));
    }
    let _lock = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    run_aside(Command::new("apt-get").args(["update", "--quiet=2"]))?;
    let mut install = Command::new("apt-get");
    install.args(["install", "--yes", "--quiet=2", "--no-install-recommends"]).args(packages);
    run_aside(install.envs(QUIETLY)).with_context(|| by_hand)
}

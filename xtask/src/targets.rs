//! The systems that no test runs on: what is written for them is compiled at least, where rustup may fetch their standard
//! library and pip the C compiler of `cargo-zigbuild`, for the database.

use std::{env, path::Path, process::Command};

use crate::{
    shell::{is_installed, output, root, run, run_aside},
    tools::zigbuild,
};

/// Windows is released for MSVC, whose headers are to be had on Windows alone; GNU's has the same code of ours.
const TARGETS: [&str; 3] = ["aarch64-unknown-linux-gnu", "aarch64-apple-darwin", "x86_64-pc-windows-gnu"];

/// Checks the program for every target that can be checked, and returns why others were not.
pub(crate) fn check() -> anyhow::Result<Vec<String>> {
    let mut untried = Vec::new();
    for target in TARGETS {
        if !can_have(target) {
            untried.push(format!("{target} is not compiled: `rustup target add {target}` brings what it needs"));
            continue;
        }
        match zigbuild() {
            Err(why) => untried.push(format!("{target} is not compiled, for want of a C compiler: {why:#}")),
            Ok(mut check) => {
                check.env("RUSTFLAGS", "--deny warnings").current_dir(root());
                run(check.args(["check", "--target", target, "--bin", "pintu"]))?;
            }
        }
    }
    Ok(untried)
}

/// Whether the toolchain has a target's standard library, which rustup is asked to fetch where it is missing.
pub(crate) fn can_have(target: &str) -> bool {
    let add = || run_aside(Command::new("rustup").args(["target", "add", target])).is_ok();
    has(target) || is_installed("rustup") && add() && has(target)
}

fn has(target: &str) -> bool {
    let mut rustc = Command::new(env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned()));
    let folder = output(rustc.args(["--print", "target-libdir", "--target", target]));
    folder.is_ok_and(|folder| Path::new(folder.trim()).is_dir())
}

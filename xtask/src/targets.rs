//! The systems that no test runs on: what is written for them is compiled at least, where the toolchain has their
//! standard library and the C compiler of `cargo-zigbuild` is there for the database.

use std::process::Command;

use crate::shell::{is_installed, output, root, run};

/// Windows is released for MSVC, whose headers are to be had on Windows alone; GNU's has the same code of ours.
const TARGETS: [&str; 3] = ["aarch64-unknown-linux-gnu", "aarch64-apple-darwin", "x86_64-pc-windows-gnu"];

/// Checks the program for every target that can be checked, and returns why others were not.
pub(crate) fn check() -> anyhow::Result<Vec<String>> {
    let has = output(Command::new("rustup").args(["target", "list", "--installed"])).unwrap_or_default();
    let mut untried = Vec::new();
    for target in TARGETS {
        if !has.lines().any(|line| line == target) {
            untried.push(format!("{target} is not compiled: `rustup target add {target}` brings what it needs"));
        } else if !is_installed("cargo-zigbuild") {
            untried.push(format!("{target} is not compiled: `pip install cargo-zigbuild` brings a C compiler for it"));
        } else {
            let mut check = Command::new("cargo-zigbuild");
            check.env("RUSTFLAGS", "--deny warnings").current_dir(root());
            run(check.args(["check", "--target", target, "--bin", "pintu"]))?;
        }
    }
    Ok(untried)
}

//! Programs that only releases need: those on the path, or installed below the target folder.

use std::{env, process::Command};

use crate::shell::{cargo, is_installed, run, run_aside, target_folder};

/// Each program's package and version; the archive tool's is that of `dist-workspace.toml`.
const TOOLS: [(&str, &str, &str); 3] = [
    ("dist", "cargo-dist", "0.34.0"),
    ("cargo-deb", "cargo-deb", "3.8.0"),
    ("cargo-semver-checks", "cargo-semver-checks", "0.51.0"),
];

/// The program, which is installed first where it is missing. It is compiled in little time rather than for speed.
pub(crate) fn tool(program: &str) -> anyhow::Result<Command> {
    if is_installed(program) {
        return Ok(Command::new(program));
    }
    let folder = target_folder()?.join("tools");
    let path = folder.join("bin").join(program);
    if !path.exists() {
        let (_, package, version) = TOOLS.iter().find(|tool| tool.0 == program).expect("every tool is listed");
        run(cargo().args(["install", package, "--version", version, "--locked", "--debug", "--root"]).arg(&folder))?;
    }
    Ok(Command::new(path))
}

/// `cargo-zigbuild`, which has a C compiler for every target: from `PyPI`, where it is missing.
pub(crate) fn zigbuild() -> anyhow::Result<Command> {
    if is_installed("cargo-zigbuild") {
        return Ok(Command::new("cargo-zigbuild"));
    }
    let folder = target_folder()?.join("tools/zig");
    let programs = folder.join("bin");
    let path = programs.join("cargo-zigbuild");
    if !path.exists() {
        run_aside(Command::new("python3").args(["-m", "venv"]).arg(&folder))?;
        run_aside(Command::new(programs.join("pip")).args(["install", "--quiet", "cargo-zigbuild"]))?;
    }
    let mut command = Command::new(path);
    // It looks for the compiler in the Python beside it.
    let paths = env::var_os("PATH").unwrap_or_default();
    command.env("PATH", env::join_paths([programs].into_iter().chain(env::split_paths(&paths)))?);
    Ok(command)
}

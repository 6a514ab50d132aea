//! Programs that only releases need: those on the path, or installed below the target folder.

use std::process::Command;

use crate::shell::{cargo, is_installed, run, target_folder};

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

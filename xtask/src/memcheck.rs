//! The look-ups without checks, under a checker of memory where there is one.

use std::{
    env, fs,
    process::{Command, Stdio, id},
};

use crate::shell::{cargo, run};

/// A board of 3×4 that is solved on tables in a moment, also where everything takes fifty times as long.
const BOARD: &str = "4 7 0 3 1 2 9 5 11 10 6 8\n";
const RUNNER: &str = r#"target."cfg(unix)".runner = ["valgrind", "--quiet", "--error-exitcode=9"]"#;

/// Solves a board on tables under valgrind, if that is installed.
pub(crate) fn check() -> anyhow::Result<()> {
    let is_there = Command::new("valgrind").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    if !is_there.is_ok_and(|status| status.success()) {
        println!("valgrind is not installed: left out");
        return Ok(());
    }
    let folder = env::temp_dir().join(format!("pintu-memcheck-{}", id()));
    fs::create_dir_all(&folder)?;
    let board = folder.join("board.txt");
    fs::write(&board, BOARD)?;
    let mut solve = cargo();
    solve.args(["--config", RUNNER, "run", "--quiet", "--package", "pintu-cli", "--"]);
    solve.args(["solve", "--size", "3x4", "--threads", "1"]).arg(&board).env("PINTU_TABLES", folder.join("tables"));
    let solved = run(&mut solve);
    fs::remove_dir_all(&folder)?;
    solved
}

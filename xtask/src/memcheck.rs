//! The look-ups without checks, under a checker of memory.

use std::{env, fs, path::Path, process::Command, process::id};

use crate::shell::{is_installed, root, run_aside};

/// A board of 3×4 that is solved on tables in a moment, also where everything takes fifty times as long.
const BOARD: &str = "4 7 0 3 1 2 9 5 11 10 6 8\n";

/// Solves a board on tables under valgrind with the command that was built for the tests. Returns whether there is a valgrind.
pub(crate) fn check(pintu: &Path) -> anyhow::Result<bool> {
    if !is_installed("valgrind") {
        return Ok(false);
    }
    let folder = env::temp_dir().join(format!("pintu-memcheck-{}", id()));
    fs::create_dir_all(&folder)?;
    let board = folder.join("board.txt");
    fs::write(&board, BOARD)?;
    let mut solve = Command::new("valgrind");
    solve.args(["--quiet", "--error-exitcode=9"]).arg(pintu).args(["solve", "--size", "3x4", "--threads", "1"]);
    solve.arg(&board).env("PINTU_TABLES", folder.join("tables")).current_dir(root());
    let solved = run_aside(&mut solve);
    fs::remove_dir_all(&folder)?;
    solved.map(|()| true)
}

//! Running commands.

use std::{
    env,
    path::{Path, PathBuf},
    process::Command,
    sync::LazyLock,
    time::Instant,
};

use anyhow::{Context, bail};

/// The project's root.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the project").to_path_buf()
}

/// The cargo that runs this, in the project's root.
pub(crate) fn cargo() -> Command {
    let mut command = Command::new(env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned()));
    command.current_dir(root());
    command
}

static STARTED: LazyLock<Instant> = LazyLock::new(Instant::now);

/// Says what comes next, and when: what takes long in a run is seen in what it printed.
pub(crate) fn title(name: &str) {
    println!("\n── {name} ── {}", minutes());
}

/// How long this has been running since its first title, as minutes and seconds.
pub(crate) fn minutes() -> String {
    let seconds = STARTED.elapsed().as_secs();
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

/// Runs a command to its end; a failure is an error that names it.
pub(crate) fn run(command: &mut Command) -> anyhow::Result<()> {
    let line = describe(command);
    println!("$ {line}");
    let status = command.status().with_context(|| line.clone())?;
    if !status.success() {
        bail!("`{line}` failed ({status})");
    }
    Ok(())
}

/// What a command prints.
pub(crate) fn output(command: &mut Command) -> anyhow::Result<String> {
    let line = describe(command);
    let output = command.output().with_context(|| line.clone())?;
    if !output.status.success() {
        bail!("`{line}` failed: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(String::from_utf8(output.stdout)?)
}

fn describe(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap_or_default();
    let words = std::iter::once(program).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

//! Running commands and stages.

use std::{
    env,
    num::NonZero,
    path::{Path, PathBuf},
    process::Command,
    sync::Mutex,
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use anyhow::{Context, bail};

/// The project's root.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the project").to_path_buf()
}

/// The cargo that runs this, in the project's root. It compiles without what would make the next build shorter, for that
/// makes this one longer.
pub(crate) fn cargo() -> Command {
    let mut command = Command::new(env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned()));
    command.current_dir(root());
    if env::var_os("CARGO_INCREMENTAL").is_none() {
        command.env("CARGO_INCREMENTAL", "0");
    }
    command
}

/// Runs the stages of a check and keeps how long each took.
pub(crate) struct Stages {
    started: Instant,
    took: Mutex<Vec<(&'static str, Duration)>>,
}

impl Stages {
    pub(crate) fn start() -> Self {
        Self { started: Instant::now(), took: Mutex::default() }
    }

    /// Runs a stage under its title; its error names it.
    pub(crate) fn run<T>(&self, name: &'static str, stage: impl FnOnce() -> anyhow::Result<T>) -> anyhow::Result<T> {
        let begun = Instant::now();
        println!("\n── {name} ── {}", minutes(self.started.elapsed()));
        let found = stage().context(name)?;
        self.took.lock().expect("no stage panics").push((name, begun.elapsed()));
        Ok(found)
    }

    /// Prints what each stage took and the whole: less than the sum where stages ran side by side.
    pub(crate) fn summarise(&self) {
        println!();
        for (name, took) in self.took.lock().expect("no stage panics").iter() {
            println!("{:>6}  {name}", minutes(*took));
        }
        println!("\nAll checks passed in {}.", minutes(self.started.elapsed()));
    }
}

fn minutes(time: Duration) -> String {
    let seconds = time.as_secs();
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

/// Runs a command beside others: what it prints comes in one piece, at its end.
pub(crate) fn run_aside(command: &mut Command) -> anyhow::Result<()> {
    let line = describe(command);
    let output = command.output().with_context(|| line.clone())?;
    let [out, err] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes));
    print!("$ {line}\n{out}{err}");
    if !output.status.success() {
        bail!("`{line}` failed ({})", output.status);
    }
    Ok(())
}

/// The output of a command.
pub(crate) fn output(command: &mut Command) -> anyhow::Result<String> {
    let line = describe(command);
    let output = command.output().with_context(|| line.clone())?;
    if !output.status.success() {
        bail!("`{line}` failed: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(String::from_utf8(output.stdout)?)
}

/// Cargo's metadata of all packages, or with `--no-deps` of the workspace's.
pub(crate) fn metadata(options: &[&str]) -> anyhow::Result<serde_json::Value> {
    let text = output(cargo().args(["metadata", "--format-version", "1"]).args(options))?;
    Ok(serde_json::from_str(&text)?)
}

/// Where cargo builds.
pub(crate) fn target_folder() -> anyhow::Result<PathBuf> {
    let metadata = metadata(&["--no-deps"])?;
    Ok(metadata["target_directory"].as_str().context("cargo says where it builds")?.into())
}

/// How many tests run at once: one more than there are cores, for tests wait as well.
pub(crate) fn tests_at_once() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get) + 1
}

/// Whether a program is on the path.
pub(crate) fn is_installed(program: &str) -> bool {
    let paths = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&paths).any(|folder| folder.join(program).is_file())
}

fn describe(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap_or_default();
    let words = std::iter::once(program).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

/// Work beside the stages. Dropping it waits for its end, so that it leaves no processes behind.
pub(crate) struct Aside<T>(Option<JoinHandle<T>>);

impl<T: Send + 'static> Aside<T> {
    pub(crate) fn start(work: impl FnOnce() -> T + Send + 'static) -> Self {
        Self(Some(thread::spawn(work)))
    }

    pub(crate) fn join(mut self) -> T {
        self.0.take().expect("it is joined once").join().expect("no stage panics")
    }
}

impl<T> Drop for Aside<T> {
    fn drop(&mut self) {
        drop(self.0.take().map(JoinHandle::join));
    }
}

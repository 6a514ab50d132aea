//! Running the command.

use std::{
    io::Write,
    path::PathBuf,
    process::{Command, Stdio},
};

use serde_json::Value;

/// What a run printed and how it ended.
pub(crate) struct Run {
    pub(crate) out: String,
    pub(crate) err: String,
    pub(crate) status: i32,
}

impl Run {
    /// The JSON objects that it printed, a line each.
    pub(crate) fn json(&self) -> Vec<Value> {
        self.out.lines().map(|line| serde_json::from_str(line).expect("each line is an object")).collect()
    }
}

/// Runs `pintu` with arguments separated by spaces.
pub(crate) fn pintu(args: &str, input: &str) -> Run {
    pintu_args(&args.split_whitespace().collect::<Vec<_>>(), input)
}

/// Runs `pintu` with arguments separated by spaces, in an environment that has some more.
pub(crate) fn pintu_with(args: &str, input: &str, environment: &[(&str, &str)]) -> Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pintu"));
    run(command.args(args.split_whitespace()).envs(environment.iter().copied()), input)
}

/// Runs `pintu` with arguments and standard input.
pub(crate) fn pintu_args(args: &[&str], input: &str) -> Run {
    run(Command::new(env!("CARGO_BIN_EXE_pintu")).args(args), input)
}

/// Runs a line that somebody pastes into a shell.
#[cfg(unix)]
pub(crate) fn shell(line: &str) -> Run {
    let folder = PathBuf::from(env!("CARGO_BIN_EXE_pintu")).parent().expect("it lies in a folder").to_owned();
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap_or_default());
    run(Command::new("sh").args(["-c", line]).env("PATH", path), "")
}

fn run(command: &mut Command, input: &str) -> Run {
    let mut child = command
        .env("PINTU_TABLES", concat!(env!("CARGO_TARGET_TMPDIR"), "/tables"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("pintu starts");
    // A run that refuses its arguments does not wait for input.
    let _ = child.stdin.take().expect("it is piped").write_all(input.as_bytes());
    let output = child.wait_with_output().expect("pintu ends");
    Run {
        out: String::from_utf8(output.stdout).expect("pintu prints text"),
        err: String::from_utf8(output.stderr).expect("pintu prints text"),
        status: output.status.code().expect("pintu is not killed"),
    }
}

/// A file of the project's instances.
pub(crate) fn data(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../data").join(name)
}

/// The lines of an instance file that are not comments, as words.
pub(crate) fn rows(name: &str) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(data(name)).expect("the instances are there");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.split_whitespace().map(str::to_owned).collect()).collect()
}

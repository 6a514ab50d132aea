//! Running the command.

use std::{
    io::Write,
    path::PathBuf,
    process::{Child, Command, Output, Stdio},
};

use serde_json::Value;

/// A board whose only shortest solution is `RDRD`.
pub(crate) const FOUR: &str = "0 1 3 4 2 5 7 8 6";

/// The table directory of all tests that name no other.
const TABLES: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/tables");

/// A run's output and exit status.
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

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        Self {
            out: String::from_utf8(output.stdout).expect("pintu prints text"),
            err: String::from_utf8(output.stderr).expect("pintu prints text"),
            status: output.status.code().expect("pintu is not killed"),
        }
    }
}

pub(crate) fn pintu(args: &str, input: &str) -> Run {
    run(&mut command(args), input)
}

/// Runs `pintu` with arguments, which may have spaces in them.
pub(crate) fn pintu_args(args: &[&str], input: &str) -> Run {
    run(command("").args(args), input)
}

/// The first object that `pintu` prints with `--format json`.
pub(crate) fn answer(args: &str, input: &str) -> Value {
    pintu(&format!("{args} --format json"), input).json().remove(0)
}

/// Runs commands with their inputs that are refused: in one line with the reason, or by the argument parser.
#[track_caller]
pub(crate) fn assert_refused(cases: &[(&str, &str, &str)]) {
    for (args, input, message) in cases {
        let run = pintu(args, input);
        assert_eq!((run.status, run.out.as_str()), (2, ""), "{args}: {}", run.err);
        assert!(run.err.contains(message), "{args}: {}", run.err);
        assert!(run.err.lines().count() == 1 || run.err.starts_with("error: "), "{args}: {}", run.err);
    }
}

/// `pintu` with arguments separated by spaces, to be run.
pub(crate) fn command(args: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pintu"));
    command.args(args.split_whitespace()).env("PINTU_TABLES", TABLES);
    command
}

pub(crate) fn start(args: &str) -> Child {
    piped(&mut command(args))
}

fn piped(command: &mut Command) -> Child {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("pintu starts")
}

#[cfg(unix)]
pub(crate) fn shell(line: &str) -> Run {
    let folder = PathBuf::from(env!("CARGO_BIN_EXE_pintu")).parent().expect("it lies in a folder").to_owned();
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap_or_default());
    run(Command::new("sh").args(["-c", line]).env("PATH", path).env("PINTU_TABLES", TABLES), "")
}

fn run(command: &mut Command, input: &str) -> Run {
    let mut child = piped(command);
    // A run that refuses its arguments does not wait for input.
    let _ = child.stdin.take().expect("it is piped").write_all(input.as_bytes());
    child.wait_with_output().expect("pintu ends").into()
}

pub(crate) fn data(name: &str) -> String {
    format!("{}/../../data/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// The lines of an instance file that are not comments, as words.
pub(crate) fn rows(name: &str) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(data(name)).expect("the instances are there");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.split_whitespace().map(str::to_owned).collect()).collect()
}

/// One of Korf's 15-puzzles, whose blank goes first, by its number from 1 on, and the length of its shortest solutions.
pub(crate) fn korf(number: usize) -> (String, u64) {
    let row = &rows("korf100.txt")[number - 1];
    (row[1..17].join(" "), row[18].parse().expect("a length"))
}

/// A 15-puzzle of 65 moves, far beyond breadth-first search and minutes of IDA* with a weak heuristic.
pub(crate) fn hard() -> String {
    korf(88).0
}

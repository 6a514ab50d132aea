mod resume;

use std::{
    io::{IsTerminal, stdout},
    path::PathBuf,
};

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use pintu_engine::{
    Algorithm, AllSolutions, Answer, Answered, Progress, Record, Request, RequestError, Verdict,
    answer_file::Shard,
    device::{Device, open_gpu, run_batch_on_gpu},
    run_batch, solve, solve_all, solve_traced,
    trace::Traced,
};
use pintu_search::{Control, Limits, Stop};
use pintu_tiles::{Moves, Notation, Puzzle, read_link};
use serde::Serialize;

use crate::{
    args::{BoardArgs, NotationArgs, SearchArgs, TraceArgs, link_of, names},
    exit::{Exit, cancel_on_interrupt},
    input,
    progress::{shown, watched},
    render::{self, whose, written},
    say::{self, fitted, folded},
    units::{counted, show_count},
};

/// Solve puzzles
///
/// A board is a size and its numbers, bare rows, one line of numbers, or digits
/// without spaces. Rows end with their line or with /, the blank is 0 or _, and #
/// starts a comment. A file with two boards, a blank line between them,
/// is a start and a goal.
///
///     echo "0 1 3 4 2 5 7 8 6" | pintu solve --format boards
///     pintu solve 867254301 --algorithm ida --heuristic manhattan
///     pintu generate 3x3 --count 100 | pintu solve --batch --format json
///
/// The answer is optimal (no solution has fewer moves) where it says so. Exit
/// status: 0 every puzzle was solved, 1 one has no solution, 2 bad usage or input,
/// 3 a limit was reached without a solution, 130 after Ctrl-C.
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub(crate) struct Solve {
    /// Files with a puzzle each, or boards, or links; standard input if there are none
    files: Vec<String>,

    /// Read one puzzle a line and print one answer a line
    #[arg(short, long)]
    batch: bool,

    /// Solve only the K-th of N shards of a batch: lines K, K + N, K + 2N and so on, counted from 1
    ///
    /// Lines without a puzzle count too. So that many machines can share a batch; `pintu merge` puts the answers
    /// that they kept by --resume in order.
    #[arg(long, value_name = "K/N", default_value_t = Shard::WHOLE, hide_default_value = true, requires = "batch")]
    shard: Shard,

    /// Keep the answers of a batch in FILE, and solve only what it does not answer yet
    ///
    /// Answers are appended as JSON, one a line with the number of its line in the input, each as soon as it is there,
    /// and nothing is printed. Run the same command again after it was killed: complete answers are kept, a torn last
    /// line is dropped. A FILE of another input, shard or other options is refused; --threads, --device and --tables may
    /// differ. So an answer that a limit ended stays: for more time, begin another FILE. Answers of the last seconds
    /// before the power failed may be missing, and are searched again. The exit status is that of all answers in FILE.
    #[arg(long, value_name = "FILE", requires = "batch")]
    resume: Option<PathBuf>,

    /// Print every optimal solution, with --format json their number and the first thousand; by A*, for small boards
    #[arg(long, conflicts_with_all = ["batch", "trace"])]
    all: bool,

    #[command(flatten)]
    board: BoardArgs,

    /// How to search
    ///
    /// auto: whatever suits the board and the limits. bfs: breadth first, level by level. bidirectional:
    /// breadth first from both ends. dfs: depth first, to --max-depth. iddfs: depth first to depth 1, 2, 3,
    /// and so on. dijkstra: the state with the fewest moves so far first. greedy: the state with the smallest
    /// estimate first. astar: the smallest sum of both first. wastar: A* that counts the estimate --weight times.
    /// ida: A*'s order by repeated depth-first searches, in next to no memory. bfs-tree, dfs-tree: the same without
    /// noticing states met before, to see what that is worth.
    #[arg(
        short,
        long,
        value_name = "NAME",
        default_value = "auto",
        help_heading = "Search",
        ignore_case = true,
        value_parser = names(&Algorithm::ALL, Algorithm::name)
    )]
    algorithm: Algorithm,

    #[command(flatten)]
    search: SearchArgs,

    /// How to print the answers
    #[arg(short, long, value_enum, ignore_case = true, default_value = "text", help_heading = "Output")]
    format: Format,

    #[command(flatten)]
    notation: NotationArgs,

    #[command(flatten)]
    trace: TraceArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Sentences
    Text,
    /// The number of moves and each board of the solution, as the 8-puzzle assignment prints it
    Boards,
    /// The moves alone
    Moves,
    /// A link that opens the puzzle in the game
    Link,
    /// A JSON object a line
    Json,
}

/// The source of a puzzle.
#[derive(Clone, Copy)]
struct Source<'a> {
    file: &'a str,
    /// Whether there are several files, so that answers name their files.
    is_named: bool,
    line: Option<usize>,
}

impl<'a> Source<'a> {
    fn named(self) -> Option<&'a str> {
        self.is_named.then_some(self.file)
    }
}

impl Solve {
    pub(crate) fn run(&self) -> anyhow::Result<Exit> {
        self.search.remark_on_depth(self.algorithm);
        self.trace.check()?;
        let files = input::sources(&self.files);
        if self.all && matches!(self.format, Format::Boards | Format::Link) {
            bail!("--all needs --format text, moves or json");
        }
        if self.trace.file().is_some() && (self.batch || files.len() > 1) {
            bail!("found --trace for several puzzles, expected one");
        }
        let sources = files.iter().map(|file| Source { file, is_named: files.len() > 1, line: None });
        let control = self.search.control();
        if let Some(path) = &self.resume {
            return self.run_resumed(path, &files, &control);
        }
        if self.batch {
            cancel_on_interrupt(control.cancel_switch())?;
            return highest(sources.map(|source| self.run_batch(source, &control)));
        }
        // All input is read before any search: until then Ctrl-C ends the process.
        let read: Vec<_> = sources.map(|source| (source, self.read(source.file))).collect();
        cancel_on_interrupt(control.cancel_switch())?;
        highest(read.into_iter().map(|(source, request)| match request {
            Ok(request) if self.all => self.run_all(source, &request, &control),
            Ok(request) => {
                let (answer, recorded) = self.solve(&request, &control);
                self.trace.write_after(self.print(source, Ok((request, answer))), recorded.as_ref())
            }
            Err(error) => self.print(source, Err(error)),
        }))
    }

    fn read(&self, file: &str) -> anyhow::Result<Request> {
        let puzzle = self.board.read(&input::read_file(file)?).with_context(|| input::name(file))?;
        Ok(self.search.request(puzzle, self.algorithm))
    }

    /// The answer to a request, and the recording of the search, if there is one.
    fn solve(&self, request: &Request, control: &Control) -> (Result<Answer, RequestError>, Option<Traced<()>>) {
        if control.cancel_switch().is_cancelled() {
            return (Answer::unanswered(request, Stop::Cancelled), None);
        }
        // The part has its own clock and counts.
        let part = control.part(Limits::default());
        let title = self.algorithm.name();
        if self.trace.file().is_none() {
            return (watched(title, &part, || solve(request, &part)), None);
        }
        match watched(title, &part, || solve_traced(request, &part, &self.trace.budget())) {
            Ok(traced) => (Ok(traced.answer.clone()), Some(traced.without_answer())),
            Err(error) => (Err(error), None),
        }
    }

    /// Solves the lines of a file and prints the answers.
    fn run_batch(&self, source: Source<'_>, control: &Control) -> anyhow::Result<Exit> {
        let lines = match input::read_lines(source.file, control.cancel_switch().clone()) {
            Ok(lines) => lines,
            Err(error) => {
                say::complain_of(&error);
                return Ok(Exit::BadInput);
            }
        };
        let mut exit = Exit::Solved;
        self.answer_lines(lines, control, |number, item| {
            exit = exit.max(self.print(Source { line: Some(number), ..source }, item)?);
            Ok(())
        })?;
        Ok(exit)
    }

    /// Solves the lines of this shard, on several threads if allowed, and passes the answers on in the lines' order.
    fn answer_lines(
        &self,
        lines: impl Iterator<Item = (usize, anyhow::Result<String>)> + Send,
        control: &Control,
        mut output: impl FnMut(usize, anyhow::Result<Answered>) -> anyhow::Result<()> + Send,
    ) -> anyhow::Result<()> {
        let has_puzzle = |line: &anyhow::Result<String>| line.as_ref().map_or(true, |line| !is_empty(line));
        let lines =
            lines.filter(|(number, line)| self.shard.has(*number) && has_puzzle(line)).map(|(number, line)| match line
                .and_then(|line| self.board.read_line(&line))
            {
                Ok(puzzle) => ((number, None), Some(self.search.request(puzzle, self.algorithm))),
                Err(error) => ((number, Some(error)), None),
            });
        let print = |(number, error): (usize, Option<anyhow::Error>), answered: Option<Answered>| {
            output(number, answered.ok_or_else(|| error.unwrap_or_else(|| anyhow::anyhow!("found no answer"))))
        };
        let done = Progress::default();
        let work = || match self.search.device() {
            Device::Gpu => {
                open_gpu()?;
                run_batch_on_gpu(lines, control, &done, print)
            }
            Device::Auto | Device::Cpu => run_batch(lines, self.search.threads(), control, &done, print),
        };
        // On a terminal, the answers themselves show the progress.
        if stdout().is_terminal() && self.resume.is_none() {
            work()
        } else {
            shown(|| format!("{} answered", show_count(done.count() as u64)), work)
        }
    }

    /// Prints every optimal solution as it is found, then their number.
    fn run_all(&self, source: Source<'_>, request: &Request, control: &Control) -> anyhow::Result<Exit> {
        const MAX_IN_JSON: usize = 1000;
        let notation = Notation::from(self.notation);
        let (mut listed, mut printed) = (Vec::new(), Ok(()));
        let mut each = |moves: &Moves| match self.format {
            Format::Json => {
                listed.push(moves.to_text(notation));
                listed.len() < MAX_IN_JSON
            }
            format => {
                let text = if format == Format::Text { written(moves, notation) } else { moves.to_text(notation) };
                printed = say::print(&format!("{text}\n"));
                printed.is_ok()
            }
        };
        let part = control.part(Limits::default());
        let all = watched(self.algorithm.name(), &part, || solve_all(request, &part, &mut each));
        printed?;
        let AllSolutions { answer, number } = match all {
            Ok(all) => all,
            Err(error) => return self.print(source, Err(error.into())),
        };
        match (self.format, answer.moves()) {
            (Format::Json, _) => {
                let (record, file) = (answer.record(notation), source.named());
                say::print_json(&All { record: Object { record, file, line: None }, number, solutions: listed })?;
            }
            (Format::Text, Some(moves)) => {
                let solutions = if number == 1 { "solution" } else { "solutions" };
                let moves = counted(moves.len() as u64, "move");
                let spent = render::spent(&answer);
                say::print(&fitted(&format!(
                    "{number} optimal {solutions} of {moves} ({})\n{spent}\n",
                    whose(notation)
                )))?;
            }
            (_, Some(_)) => {}
            (_, None) => say::print(&self.show(source, &request.puzzle, &answer)?)?,
        }
        Ok(Exit::of(&answer.verdict))
    }

    fn print(&self, source: Source<'_>, item: anyhow::Result<Answered>) -> anyhow::Result<Exit> {
        let (puzzle, answer) = match item.and_then(|(request, answer)| Ok((request.puzzle, answer?))) {
            Ok(answered) => answered,
            Err(error) => {
                self.print_invalid(source, &error)?;
                return Ok(Exit::BadInput);
            }
        };
        let is_titled = !self.batch && matches!(self.format, Format::Text | Format::Boards);
        let title = source.named().filter(|_| is_titled).map_or_else(String::new, |file| format!("{file}:\n"));
        say::print(&format!("{title}{}", self.show(source, &puzzle, &answer)?))?;
        Ok(Exit::of(&answer.verdict))
    }

    fn show(&self, source: Source<'_>, puzzle: &Puzzle, answer: &Answer) -> anyhow::Result<String> {
        let notation = Notation::from(self.notation);
        Ok(match self.format {
            Format::Text if self.batch => format!("{}\n", render::one_line(answer, notation)),
            // An impossible puzzle is recognised without a search, so nothing was spent on it.
            Format::Text if matches!(answer.verdict, Verdict::Unsolvable(_)) => {
                fitted(&format!("{}\n", render::sentence(answer, notation)))
            }
            Format::Text => {
                let spent = folded(&render::spent(answer), say::room());
                format!("{}\n{spent}\n", fitted(&render::sentence(answer, notation)))
            }
            Format::Boards => render::boards(puzzle, answer),
            Format::Moves => match answer.moves() {
                Some(moves) => format!("{}\n", moves.to_text(notation)),
                None => format!("{}\n", answer.status()),
            },
            Format::Link => format!("{}\n", link_of(puzzle)),
            Format::Json => {
                let object = Object { record: answer.record(notation), file: source.named(), line: source.line };
                format!("{}\n", serde_json::to_string(&object)?)
            }
        })
    }

    /// In a batch, prints an answer line that says so, and the run goes on.
    fn print_invalid(&self, source: Source<'_>, error: &anyhow::Error) -> anyhow::Result<()> {
        match (source.line, self.format) {
            (Some(line), Format::Json) => {
                say::print_json(&Invalid { status: "invalid", error: say::chain(error), file: source.named(), line })?;
            }
            (Some(line), _) => {
                say::print("invalid\n")?;
                say::complain(format_args!("{}: line {line}: {}", input::name(source.file), say::chain(error)));
            }
            (None, _) => say::complain_of(error),
        }
        Ok(())
    }
}

/// The highest of several exit statuses.
fn highest(mut exits: impl Iterator<Item = anyhow::Result<Exit>>) -> anyhow::Result<Exit> {
    exits.try_fold(Exit::Solved, |highest, exit| Ok(highest.max(exit?)))
}

/// An answer with the source of its puzzle.
#[derive(Serialize)]
struct Object<'a> {
    #[serde(flatten)]
    record: Record<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
}

/// The first of all optimal solutions, their number, and their moves as far as they are listed.
#[derive(Serialize)]
struct All<'a> {
    #[serde(flatten)]
    record: Object<'a>,
    number: u128,
    solutions: Vec<String>,
}

/// A line that is no puzzle.
#[derive(Serialize)]
struct Invalid<'a> {
    status: &'static str,
    error: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    line: usize,
}

/// Whether a line is empty or only a comment. (A link's last part begins like a comment.)
fn is_empty(line: &str) -> bool {
    line.split('#').next().is_none_or(|content| content.trim().is_empty()) && read_link(line).is_none()
}

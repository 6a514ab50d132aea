use std::io::{IsTerminal, stdout};

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use pintu_engine::{
    Algorithm, Answer, Answered, Done, Record, Request, RequestError, Verdict,
    device::{Device, open_gpu, run_batch_on_gpu},
    run_batch, solve, solve_traced,
    trace::Traced,
};
use pintu_search::{Control, Limits, Stop};
use pintu_tiles::{Notation, Puzzle, read_link};
use serde::Serialize;

use crate::{
    args::{BoardArgs, NotationArgs, SearchArgs, TraceArgs, link_of, names},
    exit::Exit,
    input::{self, STDIN},
    interrupt::is_interruption,
    progress::{shown, watched},
    render, say,
    units::show_count,
};

/// Solve puzzles
///
/// A board is a size and its numbers, bare rows, one line of numbers, or digits
/// without spaces. Rows end with their line or with /, the blank is 0 or _, and #
/// starts a comment. A file with two boards, a blank line between them,
/// is a start and a goal.
///
///     echo "0 1 3 4 2 5 7 8 6" | pintu solve --format boards
///     echo 867254301 | pintu solve --algorithm ida --heuristic manhattan
///     pintu generate --size 3x3 --count 100 | pintu solve --batch --format json
///
/// The answer is optimal (no solution has fewer moves) where it says so. Exit
/// status: 0 every puzzle was solved, 1 one has no solution, 2 bad usage or input,
/// 3 a limit was reached without a solution.
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub(crate) struct Solve {
    /// Files with a puzzle each, or links; standard input if there are none
    files: Vec<String>,

    /// Read one puzzle a line and print one answer a line
    #[arg(long)]
    batch: bool,

    #[command(flatten)]
    board: BoardArgs,

    /// How to search
    ///
    /// auto: whatever suits the board and the budget. bfs: breadth first, level by level. bidirectional:
    /// breadth first from both ends. dfs: depth first, to --max-depth. iddfs: depth first to depth 1, 2, 3,
    /// and so on. dijkstra: cheapest first. greedy: what looks nearest to the goal first. astar: what looks
    /// cheapest in all first. wastar: A* that trusts its heuristic --weight times as much. ida: A*'s order by
    /// repeated depth-first searches, in next to no memory. bfs-tree, dfs-tree: the same without noticing
    /// states met before, to see what that is worth.
    #[arg(
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
    #[arg(long, value_enum, ignore_case = true, default_value = "text", help_heading = "Output")]
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
    /// The number of moves and each board on the way, as the 8-puzzle assignment prints it
    Boards,
    /// The moves alone
    Moves,
    /// A link that opens the puzzle in the game
    Link,
    /// A JSON object a line
    Json,
}

/// Where a puzzle stands.
#[derive(Clone, Copy)]
struct Place<'a> {
    file: &'a str,
    line: Option<usize>,
}

impl Solve {
    pub(crate) fn run(&self) -> anyhow::Result<Exit> {
        self.search.remark_on_depth(self.algorithm);
        self.trace.check()?;
        if self.trace.file().is_some() && (self.batch || self.files.len() > 1) {
            bail!("found --trace for several puzzles, expected one");
        }
        let control = self.search.control()?;
        let stdin = [STDIN.to_owned()];
        let files = if self.files.is_empty() { &stdin[..] } else { &self.files };
        let mut exit = Exit::Solved;
        for file in files {
            exit = exit.max(if self.batch { self.run_batch(file, &control)? } else { self.run_file(file, &control)? });
        }
        Ok(exit)
    }

    fn run_file(&self, file: &str, control: &Control) -> anyhow::Result<Exit> {
        let request = input::read_file(file).and_then(|text| {
            let puzzle = self.board.read(&text).with_context(|| input::name(file))?;
            Ok(self.search.request(puzzle, self.algorithm))
        });
        let place = Place { file, line: None };
        match request {
            Ok(request) => {
                let (answer, recorded) = self.solve(&request, control);
                self.trace.write_after(self.print(place, Ok((request, answer))), recorded.as_ref())
            }
            Err(error) => self.print(place, Err(error)),
        }
    }

    /// What came of a request, and what was recorded on the way, if anything was.
    fn solve(&self, request: &Request, control: &Control) -> (Result<Answer, RequestError>, Option<Traced<()>>) {
        if control.cancel_switch().is_cancelled() {
            return (Answer::unanswered(request, Stop::Cancelled), None);
        }
        // A clock and counts of its own.
        let part = control.part(Limits::default());
        let title = self.algorithm.name();
        if self.trace.file().is_none() {
            return (watched(title, &part, || solve(request, &part)), None);
        }
        match watched(title, &part, || solve_traced(request, &part, &self.trace.tape())) {
            Ok(traced) => (Ok(traced.answer.clone()), Some(traced.without_answer())),
            Err(error) => (Err(error), None),
        }
    }

    /// Solves the lines of a file, several at once if there are threads, and prints each answer in its turn.
    fn run_batch(&self, file: &str, control: &Control) -> anyhow::Result<Exit> {
        let mut exit = Exit::Solved;
        let mut interrupted = false;
        let lines = match input::read_lines(file) {
            Ok(lines) => lines,
            Err(error) => {
                say::complain_of(&error);
                return Ok(Exit::BadInput);
            }
        };
        let lines = lines
            .take_while(|(_, line)| {
                interrupted = line.as_ref().is_err_and(is_interruption);
                !interrupted
            })
            .filter(|(_, line)| line.as_ref().map_or(true, |line| !is_empty(line)))
            .map(|(number, line)| match line.and_then(|line| self.request_of(&line)) {
                Ok(request) => ((number, None), Some(request)),
                Err(error) => ((number, Some(error)), None),
            });
        let print = |(number, error): (usize, Option<anyhow::Error>), answered: Option<Answered>| {
            let place = Place { file, line: Some(number) };
            let item = answered.ok_or_else(|| error.unwrap_or_else(|| anyhow::anyhow!("nothing came of it")));
            exit = exit.max(self.print(place, item)?);
            anyhow::Ok(())
        };
        let done = Done::default();
        let work = || match self.search.device() {
            Device::Gpu => {
                open_gpu()?;
                run_batch_on_gpu(lines, control, &done, print)
            }
            Device::Auto | Device::Cpu => run_batch(lines, self.search.threads(), control, &done, print),
        };
        // On a terminal, the answers themselves show how far it has come.
        if stdout().is_terminal() {
            work()?;
        } else {
            shown(|| format!("{} answered", show_count(done.count() as u64)), work)?;
        }
        Ok(if interrupted { exit.max(Exit::Limit) } else { exit })
    }

    fn request_of(&self, line: &str) -> anyhow::Result<Request> {
        Ok(self.search.request(self.board.read_line(line)?, self.algorithm))
    }

    fn print(&self, place: Place<'_>, item: anyhow::Result<Answered>) -> anyhow::Result<Exit> {
        let answered = item.and_then(|(request, answer)| Ok((request.puzzle, answer?)));
        match answered {
            Ok((puzzle, answer)) => {
                let titled =
                    self.files.len() > 1 && !self.batch && matches!(self.format, Format::Text | Format::Boards);
                let title = if titled { format!("{}:\n", place.file) } else { String::new() };
                say::print(&format!("{title}{}", self.show(place, &puzzle, &answer)?))?;
                Ok(Exit::of(&answer.verdict))
            }
            Err(error) if is_interruption(&error) => Err(error),
            Err(error) => {
                self.print_invalid(place, &error)?;
                Ok(Exit::BadInput)
            }
        }
    }

    fn show(&self, place: Place<'_>, puzzle: &Puzzle, answer: &Answer) -> anyhow::Result<String> {
        let notation = Notation::from(self.notation);
        Ok(match self.format {
            Format::Text if self.batch => format!("{}\n", render::one_line(answer, notation)),
            // An impossible puzzle is recognised without a search, so there is nothing spent to tell.
            Format::Text if matches!(answer.verdict, Verdict::Unsolvable(_)) => {
                render::fitted(&format!("{}\n", render::sentence(answer, notation)))
            }
            Format::Text => {
                let spent = render::folded(&render::spent(answer), say::room());
                format!("{}\n{spent}\n", render::fitted(&render::sentence(answer, notation)))
            }
            Format::Boards => render::boards(puzzle, answer),
            Format::Moves => match answer.moves() {
                Some(moves) => format!("{}\n", moves.to_text(notation)),
                None => format!("{}\n", answer.status()),
            },
            Format::Link => format!("{}\n", link_of(puzzle)),
            Format::Json => {
                let file = self.named(place);
                let object = Object { record: answer.record(notation), file, line: place.line };
                format!("{}\n", serde_json::to_string(&object)?)
            }
        })
    }

    /// The file, where there are several.
    fn named<'p>(&self, place: Place<'p>) -> Option<&'p str> {
        (self.files.len() > 1).then_some(place.file)
    }

    /// In a batch, an answer line says that this one is invalid and the run goes on.
    fn print_invalid(&self, place: Place<'_>, error: &anyhow::Error) -> anyhow::Result<()> {
        match (place.line, self.format) {
            (Some(line), Format::Json) => {
                let file = self.named(place);
                let object = Invalid { status: "invalid", error: say::chain(error), file, line };
                say::print_json(&object)?;
            }
            (Some(line), _) => {
                say::print("invalid\n")?;
                say::complain(format_args!("{}: line {line}: {}", input::name(place.file), say::chain(error)));
            }
            (None, _) => say::complain_of(error),
        }
        Ok(())
    }
}

/// An answer with where its puzzle stood.
#[derive(Serialize)]
struct Object<'a> {
    #[serde(flatten)]
    record: Record,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
}

/// What could not be read, and where it stood.
#[derive(Serialize)]
struct Invalid<'a> {
    status: &'static str,
    error: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    line: usize,
}

/// Whether a line holds nothing but a comment. (A link's last part begins like one.)
fn is_empty(line: &str) -> bool {
    line.split('#').next().is_none_or(|content| content.trim().is_empty()) && read_link(line).is_none()
}

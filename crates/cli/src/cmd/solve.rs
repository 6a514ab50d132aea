use std::{
    io::{self, Write},
    thread,
};

use anyhow::Context;
use clap::{Args, ValueEnum};
use pintu_engine::{Algorithm, Answer, Progress, Record, Request, Verdict, solve};
use pintu_search::Cancel;
use pintu_tiles::{Notation, Puzzle, read_board, read_boards};
use serde::Serialize;

use crate::{
    args::{BoardArgs, NotationArg, SearchArgs, names},
    exit::Exit,
    input::{self, STDIN},
    interrupt::cancel_on_interrupt,
    progress::watched,
    render,
};

/// Solve puzzles
///
/// A board is a size and its numbers, bare rows, one line of numbers, or digits without spaces;
/// 0 is the blank and # starts a comment. A file with two boards, a blank line between them, is
/// a start and a goal.
///
///     echo "0 1 3 4 2 5 7 8 6" | pintu solve --format boards
///     pintu solve puzzle.txt --algorithm ida --heuristic manhattan --time-limit 10s
///     pintu generate --size 3x3 --count 100 | pintu solve --batch --format json
///
/// The answer is optimal (no solution has fewer moves) where it says so. Exit status: 0 every
/// puzzle was solved, 1 one has no solution, 2 bad usage or input, 3 a limit was reached
/// without a solution.
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub(crate) struct Solve {
    /// Files with a puzzle each; standard input if there are none
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
        value_parser = names(&Algorithm::ALL, Algorithm::name)
    )]
    algorithm: Algorithm,

    #[command(flatten)]
    search: SearchArgs,

    /// How to print the answers
    #[arg(long, value_enum, default_value = "text", help_heading = "Output")]
    format: Format,

    /// Whose direction a move's letter names
    #[arg(long, value_enum, default_value = "blank", help_heading = "Output")]
    notation: NotationArg,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Sentences
    Text,
    /// The number of moves and each board on the way, as the 8-puzzle assignment prints it
    Boards,
    /// The moves alone
    Moves,
    /// A JSON object a line
    Json,
}

/// A puzzle that was asked for: where it stands, and what came of it or what is wrong with it.
struct Item {
    file: String,
    line: Option<usize>,
    result: anyhow::Result<(Puzzle, Answer)>,
}

impl Solve {
    pub(crate) fn run(&self) -> anyhow::Result<Exit> {
        let cancel = cancel_on_interrupt()?;
        let stdin = [STDIN.to_owned()];
        let files = if self.files.is_empty() { &stdin[..] } else { &self.files };
        let mut exit = Exit::Solved;
        for file in files {
            let ended = if self.batch { self.run_batch(file, &cancel)? } else { self.run_file(file, &cancel)? };
            exit = exit.max(ended);
            if cancel.is_cancelled() {
                break;
            }
        }
        Ok(exit)
    }

    fn run_file(&self, file: &str, cancel: &Cancel) -> anyhow::Result<Exit> {
        let puzzle = input::read_file(file).and_then(|text| {
            let boards = read_boards(&text, self.board.size()).with_context(|| input::name(file))?;
            self.board.puzzle(boards).with_context(|| input::name(file))
        });
        let result = puzzle.and_then(|puzzle| self.solve(puzzle, cancel));
        self.print(&Item { file: file.to_owned(), line: None, result })
    }

    /// Solves the lines of a file, several at once if there are threads, and prints them in order.
    fn run_batch(&self, file: &str, cancel: &Cancel) -> anyhow::Result<Exit> {
        let threads = self.search.threads();
        let mut lines = input::read_lines(file)?.filter(|(_, line)| line.as_ref().map_or(true, |line| !is_empty(line)));
        let mut exit = Exit::Solved;
        loop {
            let chunk: Vec<(usize, anyhow::Result<String>)> = lines.by_ref().take(threads).collect();
            if chunk.is_empty() || cancel.is_cancelled() {
                return Ok(exit);
            }
            for (line, result) in self.solve_lines(chunk, cancel) {
                exit = exit.max(self.print(&Item { file: file.to_owned(), line: Some(line), result })?);
            }
        }
    }

    fn solve_lines(
        &self,
        lines: Vec<(usize, anyhow::Result<String>)>,
        cancel: &Cancel,
    ) -> Vec<(usize, anyhow::Result<(Puzzle, Answer)>)> {
        let solve_line = |line: anyhow::Result<String>| {
            let start = read_board(&line?, self.board.size()).map_err(|error| error.problem)?;
            let puzzle = self.board.puzzle(pintu_tiles::BoardText { start, goal: None })?;
            self.solve(puzzle, cancel)
        };
        thread::scope(|scope| {
            let workers: Vec<_> =
                lines.into_iter().map(|(number, line)| (number, scope.spawn(move || solve_line(line)))).collect();
            let joined = |(number, worker): (usize, thread::ScopedJoinHandle<'_, _>)| {
                (number, worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            };
            workers.into_iter().map(joined).collect()
        })
    }

    fn solve(&self, puzzle: Puzzle, cancel: &Cancel) -> anyhow::Result<(Puzzle, Answer)> {
        let mut request = self.search.request(puzzle, self.algorithm);
        if self.batch {
            // The threads are busy with other lines, which share the memory.
            request.limits.memory = request.limits.memory.map(|bytes| bytes / request.threads as u64);
            request.threads = 1;
        }
        let progress = Progress::new();
        let answer = watched(self.algorithm.name(), &progress, || solve(&request, cancel, &progress))?;
        let Request { puzzle, .. } = request;
        Ok((puzzle, answer))
    }

    fn print(&self, item: &Item) -> anyhow::Result<Exit> {
        let mut out = io::stdout().lock();
        let exit = match &item.result {
            Ok((puzzle, answer)) => {
                if self.files.len() > 1 && !self.batch && matches!(self.format, Format::Text | Format::Boards) {
                    writeln!(out, "{}:", item.file)?;
                }
                out.write_all(self.show(item, puzzle, answer)?.as_bytes())?;
                Exit::of(&answer.verdict)
            }
            Err(error) => {
                self.print_invalid(&mut out, item, error)?;
                Exit::BadInput
            }
        };
        out.flush()?;
        Ok(exit)
    }

    fn show(&self, item: &Item, puzzle: &Puzzle, answer: &Answer) -> anyhow::Result<String> {
        let notation = Notation::from(self.notation);
        Ok(match self.format {
            Format::Text if self.batch => format!("{}\n", render::one_line(answer, notation)),
            // An impossible puzzle is recognised without a search, so there is nothing spent to tell.
            Format::Text if matches!(answer.verdict, Verdict::Unsolvable(_)) => {
                format!("{}\n", render::sentence(answer, notation))
            }
            Format::Text => format!("{}\n{}\n", render::sentence(answer, notation), render::spent(answer)),
            Format::Boards => render::boards(puzzle, answer),
            Format::Moves => match answer.moves() {
                Some(moves) => format!("{}\n", moves.to_text(notation)),
                None => format!("{}\n", answer.status()),
            },
            Format::Json => {
                let file = (self.files.len() > 1).then_some(item.file.as_str());
                let object = Object { record: answer.record(notation), file, line: item.line };
                format!("{}\n", serde_json::to_string(&object)?)
            }
        })
    }

    /// In a batch, an answer line says that this one is invalid and the run goes on.
    fn print_invalid(&self, out: &mut impl Write, item: &Item, error: &anyhow::Error) -> anyhow::Result<()> {
        match (item.line, self.format) {
            (Some(line), Format::Json) => {
                let object = serde_json::json!({"status": "invalid", "error": format!("{error:#}"), "line": line});
                writeln!(out, "{object}")?;
            }
            (Some(line), _) => {
                writeln!(out, "invalid")?;
                eprintln!("pintu: {}: line {line}: {error:#}", input::name(&item.file));
            }
            (None, _) => eprintln!("pintu: {error:#}"),
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

/// Whether a line holds nothing but a comment.
fn is_empty(line: &str) -> bool {
    line.split('#').next().is_none_or(|content| content.trim().is_empty())
}

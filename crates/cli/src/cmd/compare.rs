use std::{
    io::{self, Write},
    path::PathBuf,
    time::Duration,
};

use anyhow::Context;
use clap::{Args, ValueEnum};
use pintu_engine::{Algorithm, Answer, Contestant, Progress, Request, Summary, solve};
use pintu_search::{Cancel, Stop};
use pintu_tiles::{Notation, Puzzle, Scrambler, Size, read_boards};

use super::generate::new_seed;
use crate::{
    args::{BoardArgs, NotationArg, SearchArgs},
    exit::Exit,
    input::{self, STDIN},
    interrupt::cancel_on_interrupt,
    progress::watched,
    render::{
        Align, Table,
        chart::{self, Bar, Panel},
    },
    units::{show_bytes, show_count, show_seconds},
};

/// Solve the same puzzle with several algorithms and set them side by side
///
/// Each algorithm is written `name[:heuristic[:weight]]`; see `pintu solve --help` for the names.
///
///     echo 867254301 | pintu compare --algorithms bfs,dfs,astar:euclidean,astar:manhattan
///     pintu compare --scrambles 100 --seed 1 --size 3x3 --algorithms bfs,bidirectional,wastar:manhattan:5
///
/// `expanded` counts the states that were taken up, `generated` the successors that were
/// produced, `peak` the most states held at once. An algorithm that runs out of its limits (10
/// s each unless --time-limit says otherwise) says which.
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub(crate) struct Compare {
    /// A file with the puzzle; standard input if there is none
    #[arg(conflicts_with = "scrambles")]
    file: Option<String>,

    /// What to compare, separated by commas
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    algorithms: Vec<Contestant>,

    /// Average over so many random boards instead (of --size, 3x3 unless given)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    scrambles: Option<u32>,

    /// What fixes the random boards [default: a new one each time]
    #[arg(long, value_name = "S", requires = "scrambles")]
    seed: Option<u64>,

    #[command(flatten)]
    board: BoardArgs,

    #[command(flatten)]
    search: SearchArgs,

    /// How to print the table
    #[arg(long, value_enum, default_value = "text", help_heading = "Output")]
    format: Format,

    /// Whose direction a move's letter names
    #[arg(long, value_enum, default_value = "blank", help_heading = "Output")]
    notation: NotationArg,

    /// Draw a chart of the states generated and of the time
    #[arg(long, value_name = "FILE.svg", help_heading = "Output")]
    plot: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// An aligned table
    Text,
    /// A Markdown table
    Markdown,
    /// Comma-separated values
    Csv,
    /// A JSON object a line
    Json,
}

/// One contestant's answers: one, or one a scramble.
struct Entry {
    name: String,
    answers: Vec<Answer>,
    summary: Summary,
}

impl Compare {
    pub(crate) fn run(&self) -> anyhow::Result<Exit> {
        let cancel = cancel_on_interrupt()?;
        let puzzles = self.puzzles()?;
        let contestants = if self.algorithms.is_empty() { usual(&puzzles[0]) } else { self.algorithms.clone() };
        let mut entries = Vec::new();
        for contestant in &contestants {
            let answers = self.answers(contestant, &puzzles, &cancel)?;
            if let Some(summary) = Summary::of(&answers) {
                entries.push(Entry { name: contestant.to_string(), answers, summary });
            }
            if cancel.is_cancelled() {
                break;
            }
        }
        io::stdout().write_all(self.show(&entries)?.as_bytes())?;
        if let Some(path) = &self.plot {
            let names: Vec<String> = entries.iter().map(|entry| entry.name.clone()).collect();
            chart::draw(path, &title(&puzzles), &names, &panels(&entries))?;
        }
        let verdicts = entries.iter().flat_map(|entry| &entry.answers).map(|answer| Exit::of(&answer.verdict));
        Ok(verdicts.max().unwrap_or(Exit::Limit))
    }

    fn puzzles(&self) -> anyhow::Result<Vec<Puzzle>> {
        let Some(count) = self.scrambles else {
            let file = self.file.as_deref().unwrap_or(STDIN);
            let boards = read_boards(&input::read_file(file)?, self.board.size()).with_context(|| input::name(file))?;
            return Ok(vec![self.board.puzzle(boards).with_context(|| input::name(file))?]);
        };
        let size = self.board.size_to_make()?.map_or_else(|| Size::new(3, 3), Ok)?;
        let (topology, goal) = (self.board.topology(size)?, self.board.goal(size)?);
        let mut scrambler = Scrambler::new(topology, goal.clone(), self.seed.unwrap_or_else(new_seed));
        let puzzle = |_| Ok(Puzzle::new(topology, scrambler.uniform(), goal.clone())?);
        (0..count).map(puzzle).collect()
    }

    fn answers(&self, contestant: &Contestant, puzzles: &[Puzzle], cancel: &Cancel) -> anyhow::Result<Vec<Answer>> {
        let mut answers = Vec::new();
        for (index, puzzle) in puzzles.iter().enumerate() {
            let request = self.request(contestant, puzzle);
            let progress = Progress::new();
            let title = match puzzles.len() {
                1 => contestant.to_string(),
                count => format!("{contestant}, board {} of {count}", index + 1),
            };
            answers.push(watched(&title, &progress, || solve(&request, cancel, &progress))?);
            if cancel.is_cancelled() {
                break;
            }
        }
        Ok(answers)
    }

    fn request(&self, contestant: &Contestant, puzzle: &Puzzle) -> Request {
        const PATIENCE: Duration = Duration::from_secs(10);
        let mut request = contestant.enter(&self.search.request(puzzle.clone(), Algorithm::Auto));
        request.limits.time = Some(self.search.time_limit().unwrap_or(PATIENCE));
        request
    }

    fn show(&self, entries: &[Entry]) -> anyhow::Result<String> {
        let averaged = self.scrambles.is_some();
        if self.format == Format::Json {
            let object = |entry: &Entry| match (averaged, entry.answers.first()) {
                (false, Some(answer)) => serde_json::to_string(&answer.record(self.notation.into())),
                _ => serde_json::to_string(&entry.summary),
            };
            let lines = entries.iter().map(|entry| Ok(format!("{}\n", object(entry)?)));
            return lines.collect();
        }
        let plain = self.format == Format::Csv;
        let mut table = Table::new(columns(averaged));
        for entry in entries {
            table.push(row(entry, averaged, plain));
        }
        Ok(match self.format {
            Format::Csv => table.csv(),
            Format::Markdown => table.markdown(),
            Format::Text | Format::Json if averaged => table.text(),
            Format::Text | Format::Json => format!("{}\n{}", table.text(), solutions(entries, self.notation.into())),
        })
    }
}

/// What is compared unless the user says otherwise: blind search only where the space is small.
fn usual(puzzle: &Puzzle) -> Vec<Contestant> {
    let algorithms: &[Algorithm] = if puzzle.size().cells() <= 9 {
        &[
            Algorithm::Bfs,
            Algorithm::Bidirectional,
            Algorithm::Dfs,
            Algorithm::Dijkstra,
            Algorithm::Greedy,
            Algorithm::Astar,
            Algorithm::Wastar,
            Algorithm::Ida,
        ]
    } else {
        &[Algorithm::Greedy, Algorithm::Wastar, Algorithm::Astar, Algorithm::Ida, Algorithm::Auto]
    };
    algorithms.iter().copied().map(Contestant::new).collect()
}

fn columns(averaged: bool) -> Vec<(&'static str, Align)> {
    let mut columns = vec![
        ("algorithm", Align::Left),
        ("heuristic", Align::Left),
        ("status", Align::Left),
        ("moves", Align::Right),
        ("optimal", Align::Left),
        ("expanded", Align::Right),
        ("generated", Align::Right),
        ("peak", Align::Right),
        ("memory", Align::Right),
        ("time", Align::Right),
    ];
    if averaged {
        columns[2] = ("solved", Align::Left);
    }
    columns
}

/// A contestant's line. Machines read numbers without ornament (`plain`): bytes and seconds.
fn row(entry: &Entry, averaged: bool, plain: bool) -> Vec<String> {
    let summary = &entry.summary;
    let weight = summary.weight.map_or_else(String::new, |weight| format!(" × {weight}"));
    let status = match (averaged, entry.answers.first()) {
        (false, Some(answer)) => answer.record(Notation::Blank).reason.unwrap_or_else(|| answer.status().to_owned()),
        _ => format!("{}/{}", summary.solved, summary.boards),
    };
    let solved = summary.solved > 0;
    // The search that was stopped has spent something too.
    let spent = |mean: f64, value: fn(&Answer) -> f64| match (solved, entry.answers.first()) {
        (false, Some(answer)) => value(answer),
        _ => mean,
    };
    let expanded = spent(summary.expanded, |answer| answer.counters.expanded as f64);
    let generated = spent(summary.generated, |answer| answer.counters.generated as f64);
    let peak = spent(summary.peak_states, |answer| answer.counters.peak_states as f64);
    let memory = spent(summary.memory, |answer| answer.counters.peak_bytes as f64);
    let seconds = spent(summary.seconds, |answer| answer.seconds);
    let count = |value: f64| if plain { format!("{value:.0}") } else { show_count(value.round() as u64) };
    let moves = match (solved, averaged) {
        (false, _) => String::new(),
        (true, false) => format!("{:.0}", summary.length),
        (true, true) => format!("{:.2}", summary.length),
    };
    let optimal = match (solved, summary.optimal) {
        (false, _) => "",
        (true, true) => "yes",
        (true, false) => "not proved",
    };
    vec![
        summary.algorithm.to_string(),
        format!("{}{weight}", summary.heuristic),
        status,
        moves,
        optimal.to_owned(),
        count(expanded),
        count(generated),
        count(peak),
        if plain { format!("{memory:.0}") } else { show_bytes(memory) },
        if plain { format!("{seconds:.6}") } else { show_seconds(seconds) },
    ]
}

/// The moves that each contestant found.
fn solutions(entries: &[Entry], notation: Notation) -> String {
    let width = entries.iter().map(|entry| entry.name.len()).max().unwrap_or(0);
    let line = |entry: &Entry| {
        let answer = entry.answers.first()?;
        let found = match &answer.verdict {
            pintu_engine::Verdict::Solved { moves, .. } => moves.to_text(notation),
            pintu_engine::Verdict::Unsolvable(reason) => format!("no solution: {reason}"),
            pintu_engine::Verdict::Limit { why, lower_bound } => {
                format!("{why}; at least {lower_bound} moves are needed{}", advice(*why))
            }
        };
        Some(format!("{:width$}  {found}\n", entry.name))
    };
    entries.iter().filter_map(line).collect()
}

fn advice(why: Stop) -> &'static str {
    match why {
        Stop::Depth => " (a larger --max-depth reaches further)",
        Stop::Time => " (--time-limit allows more)",
        Stop::Memory => " (--memory-limit allows more)",
        _ => "",
    }
}

fn title(puzzles: &[Puzzle]) -> String {
    let topology = puzzles[0].topology();
    match puzzles.len() {
        1 => format!("{topology}: {} → {}", puzzles[0].start(), puzzles[0].goal()),
        count => format!("{topology}: averages over {count} random boards"),
    }
}

fn panels(entries: &[Entry]) -> Vec<Panel> {
    let panel = |title, value: fn(&Summary) -> f64, label: fn(f64) -> String| {
        let bar = |entry: &Entry| {
            let value = value(&entry.summary);
            (entry.summary.solved > 0).then(|| Bar { value, label: label(value) })
        };
        Panel { title, bars: entries.iter().map(bar).collect() }
    };
    vec![
        panel("states generated", |summary| summary.generated, |value| show_count(value.round() as u64)),
        panel("most states held", |summary| summary.peak_states, |value| show_count(value.round() as u64)),
        panel("time", |summary| summary.seconds, show_seconds),
    ]
}

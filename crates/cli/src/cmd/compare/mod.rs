mod table;

use std::{
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use pintu_engine::{
    Algorithm, Attempt, Averages, Contestant, Entry, HeuristicName, Numbers, RequestError, Summary, Verdict, compare,
    trace::retrace,
};
use pintu_search::{Control, Hold, Stop};
use pintu_tiles::{NamedGoal, Notation, Puzzle, Scrambler, Size, Topology};

use super::generate::new_seed;
use crate::{
    args::{BoardArgs, NotationArgs, SearchArgs, TraceArgs},
    exit::{Exit, cancel_on_interrupt},
    input::{self, TooLarge},
    progress::{line, shown},
    render::{
        self,
        chart::{self, Bar, Panel},
    },
    say::{self, fitted},
    units::{counted, show_count, show_seconds},
};

/// Solve one puzzle with several algorithms, side by side
///
/// Each algorithm is written `name[:heuristic[:weight]]`;
/// `pintu solve --help` tells what the names mean.
///
///     pintu compare 867254301 --algorithms bfs,astar,wastar:manhattan:5
///     pintu compare --scrambles 100 --seed 1 --algorithms bfs,ida:euclidean
///
/// `expanded` counts the states that were tested for the goal, the goal itself
/// included; `generated` the start and every successor that was generated; `peak`
/// the most states held at once. An algorithm that runs out of its limits (10 s
/// each unless --time-limit says otherwise) says which.
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub(crate) struct Compare {
    /// A file with the puzzle, or a board, or a link; standard input if there is none
    #[arg(conflicts_with = "scrambles")]
    file: Vec<String>,

    // Its help is built from the engine's names and defaults.
    #[arg(short, long, value_name = "LIST", value_delimiter = ',', help = ALGORITHMS, long_help = algorithms_help())]
    algorithms: Vec<Contestant>,

    /// Average over N random boards instead, of 3x3 or --size
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    scrambles: Option<u32>,

    /// What fixes the random boards; without it they are new each time
    #[arg(long, value_name = "S", requires = "scrambles")]
    seed: Option<u64>,

    #[command(flatten)]
    board: BoardArgs,

    #[command(flatten)]
    search: SearchArgs,

    /// How to print the table
    #[arg(short, long, value_enum, ignore_case = true, default_value = "text", help_heading = "Output")]
    format: Format,

    #[command(flatten)]
    notation: NotationArgs,

    /// Draw a chart of states and times
    #[arg(long, value_name = "FILE.svg", help_heading = "Output")]
    plot: Option<PathBuf>,

    /// Each contestant is recorded in a file of its own: for race.json, race.bfs.json and so on
    #[command(flatten)]
    trace: TraceArgs,
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

const ALGORITHMS: &str = "What to compare, separated by commas: name[:heuristic[:weight]]";

fn algorithms_help() -> String {
    let usual = |side: usize| -> anyhow::Result<String> {
        let size = Size::new(side, side)?;
        let solved = NamedGoal::Standard.on(size);
        let contestants = Contestant::usual(&Puzzle::new(Topology::plain(size), solved.clone(), solved)?);
        Ok(contestants.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "))
    };
    let [small, large] = [3, 4].map(|side| usual(side).unwrap_or_default());
    format!(
        "{ALGORITHMS}\n\n[default: {small}; on boards larger than 3x3 {large}]\n\n[names: {}]\n\n[heuristics: {}]",
        Algorithm::ALL.map(Algorithm::name).join(", "),
        HeuristicName::ALL.map(HeuristicName::name).join(", "),
    )
}

/// The boards to solve, and the seed of random ones.
struct Boards {
    puzzles: Vec<Puzzle>,
    seed: Option<u64>,
    /// The memory of the boards.
    _hold: Hold,
}

impl Compare {
    pub(crate) fn run(&self) -> anyhow::Result<Exit> {
        if let Some(path) = &self.plot {
            check_chart(path)?;
        }
        if self.trace.file().is_some() && self.scrambles.is_some() {
            bail!("found --trace for several puzzles, expected one");
        }
        self.trace.check()?;
        let control = self.search.control();
        let boards = self.boards(&control)?;
        cancel_on_interrupt(control.cancel_switch())?;
        let usual = || Contestant::usual(&boards.puzzles[0]);
        let contestants = if self.algorithms.is_empty() { usual() } else { self.algorithms.clone() };
        let entries = self.compare(&boards.puzzles, &contestants, &control)?;
        say::print(&self.show(&boards, &entries)?)?;
        if boards.seed.is_some() {
            say_of_which_boards(&entries, control.cancel_switch().is_cancelled());
        }
        let recorded = match self.trace.file() {
            Some(path) => self.record(path, &boards.puzzles[0], &entries, &control)?,
            None => Exit::Solved,
        };
        if let Some(path) = &self.plot {
            let names: Vec<String> = entries.iter().map(|entry| entry.contestant.to_string()).collect();
            chart::draw(path, &boards.title(), &names, &panels(&entries))?;
        }
        Ok(entries.iter().map(exit_of).max().unwrap_or(Exit::Limit).max(recorded))
    }

    fn boards(&self, control: &Control) -> anyhow::Result<Boards> {
        let Some(count) = self.scrambles else {
            let files = input::sources(&self.file);
            let [file] = files.as_slice() else { bail!("found {} files, expected one puzzle", files.len()) };
            let puzzle = self.board.read(&input::read_file(file)?).with_context(|| input::name(file))?;
            return Ok(Boards { puzzles: vec![puzzle], seed: None, _hold: control.hold() });
        };
        let size = self.board.size_to_make(3)?;
        let (topology, goal) = (self.board.topology(size)?, self.board.goal(size)?);
        let seed = self.seed.unwrap_or_else(new_seed);
        let hold = hold_for(count, size, control)?;
        let mut scrambler = Scrambler::new(topology, goal.clone(), seed);
        let puzzle = |_| anyhow::Ok(Puzzle::new(topology, scrambler.uniform(), goal.clone())?);
        let puzzles = (0..count).map(puzzle).collect::<Result<_, _>>()?;
        Ok(Boards { puzzles, seed: Some(seed), _hold: hold })
    }

    fn compare(&self, puzzles: &[Puzzle], contestants: &[Contestant], control: &Control) -> anyhow::Result<Vec<Entry>> {
        let request = self.search.request(puzzles[0].clone(), Algorithm::Auto);
        let attempt: Mutex<Option<Attempt>> = Mutex::new(None);
        let said = || {
            let attempt = attempt.lock().unwrap_or_else(PoisonError::into_inner).clone();
            attempt.map_or_else(String::new, |attempt| line(&title_of(&attempt, puzzles.len()), &attempt.control))
        };
        let mut watch = |next: Attempt| *attempt.lock().unwrap_or_else(PoisonError::into_inner) = Some(next);
        Ok(shown(said, || compare(&request, puzzles, contestants, control, &mut watch))?)
    }

    /// Runs every contestant once more to record it, because recording would slow down the measured run.
    fn record(&self, path: &Path, puzzle: &Puzzle, entries: &[Entry], control: &Control) -> anyhow::Result<Exit> {
        let request = self.search.request(puzzle.clone(), Algorithm::Auto);
        let mut exit = Exit::Solved;
        for (at, Entry { contestant, answers, .. }) in entries.iter().enumerate() {
            let namesakes = entries[..at].iter().filter(|before| before.contestant == *contestant).count();
            let path = named_after(path, contestant, namesakes);
            let Some(answer) = answers.first() else { continue };
            match retrace(&contestant.enter(&request), answer, control, &self.trace.budget()) {
                Ok(traced) => exit = exit.max(TraceArgs::write(&path, &traced)),
                Err(error @ RequestError::Untraceable) => {
                    say::complain(format_args!("{contestant} is not recorded: {error}"));
                }
                Err(error) => return Err(error).with_context(|| format!("--trace of {contestant}")),
            }
        }
        Ok(exit)
    }

    fn show(&self, boards: &Boards, entries: &[Entry]) -> anyhow::Result<String> {
        let (table, title, room) = (table::of(entries, boards.seed), boards.title(), say::room());
        let spread = boards.seed.map(|_| table::spread(entries));
        Ok(match (self.format, spread) {
            (Format::Json, _) => self.records(boards, entries)?.concat(),
            (Format::Csv, _) => table::csv(&self.records(boards, entries)?, boards.seed.is_some())?,
            (Format::Markdown, None) => table.markdown(),
            (Format::Markdown, Some(spread)) => format!("{}\n{}\n{title}\n", table.markdown(), spread.markdown()),
            (Format::Text, None) => format!("{}\n{}", table.text(room), solutions(entries, self.notation.into())),
            (Format::Text, Some(spread)) => format!("{title}\n\n{}\n{}", table.text(room), spread.text(room)),
        })
    }

    /// A JSON object for each contestant, each with the end of its line.
    fn records(&self, boards: &Boards, entries: &[Entry]) -> serde_json::Result<Vec<String>> {
        let record = |entry: &Entry| match boards.seed {
            None => serde_json::to_string(&entry.record(self.notation.into())),
            Some(seed) => serde_json::to_string(&Averages { summary: entry.summary(), seed }),
        };
        entries.iter().map(|entry| Ok(record(entry)? + "\n")).collect()
    }
}

/// The memory of random boards. (Answers ask for their own.)
fn hold_for(boards: u32, size: Size, control: &Control) -> anyhow::Result<Hold> {
    let mut hold = control.hold();
    let each = size_of::<Puzzle>() + 2 * size.cells();
    if hold.more(u64::from(boards) * each as u64).is_err() {
        bail!(TooLarge::new(format!("--scrambles {boards}"), control));
    }
    Ok(hold)
}

impl Boards {
    fn title(&self) -> String {
        let topology = self.puzzles[0].topology();
        match self.seed {
            None => format!("{topology}: {} → {}", self.puzzles[0].start(), self.puzzles[0].goal()),
            Some(seed) => format!("{topology}: {}, seed {seed}", counted(self.puzzles.len() as u64, "random board")),
        }
    }
}

/// Checks the suffix of a chart's name: charts are SVG.
fn check_chart(path: &Path) -> anyhow::Result<()> {
    if path.extension().is_some_and(|suffix| suffix.eq_ignore_ascii_case("svg")) {
        return Ok(());
    }
    bail!("--plot: found the name {}, expected one that ends in .svg: charts are drawn as SVG", path.display());
}

/// A file's name with the contestant's before its suffix: `race.astar-manhattan.json`. A number tells it from earlier
/// ones with the same name: `race.bfs-2.json`.
fn named_after(path: &Path, contestant: &Contestant, namesakes: usize) -> PathBuf {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let (stem, suffix) =
        name.split_once('.').map_or((name.as_str(), String::new()), |(stem, suffix)| (stem, format!(".{suffix}")));
    let number = if namesakes == 0 { String::new() } else { format!("-{}", namesakes + 1) };
    path.with_file_name(format!("{stem}.{}{number}{suffix}", contestant.to_string().replace(':', "-")))
}

fn title_of(attempt: &Attempt, boards: usize) -> String {
    match boards {
        1 => attempt.contestant.to_string(),
        boards => format!("{}, board {} of {boards}", attempt.contestant, attempt.board + 1),
    }
}

/// Reports the boards over which each contestant's averages are, if contestants did not solve the same ones.
fn say_of_which_boards(entries: &[Entry], is_cancelled: bool) {
    if is_cancelled {
        say::complain("the comparison was cancelled: the figures are of the boards solved before");
    }
    for summary in entries.iter().filter_map(Entry::summary) {
        let met: Vec<String> = summary.limits.iter().map(|(limit, many)| format!("{limit}: {many}")).collect();
        if !met.is_empty() {
            let Summary { contestant, solved, .. } = summary;
            let others = if solved == 0 { "it has no figures" } else { "its figures are of the others" };
            say::complain(format_args!("{contestant} ended at a limit ({}): {others}", met.join(", ")));
        }
    }
}

/// The exit status of a contestant's answers.
fn exit_of(entry: &Entry) -> Exit {
    let answered = entry.answers.iter().map(|answer| Exit::of(&answer.verdict)).max();
    if entry.unanswered > 0 { Exit::Limit } else { answered.unwrap_or(Exit::Limit) }
}

/// The moves that each contestant found.
fn solutions(entries: &[Entry], notation: Notation) -> String {
    let width = entries.iter().map(|entry| entry.contestant.to_string().len()).max().unwrap_or(0);
    let line = |entry: &Entry| {
        let answer = entry.answers.first()?;
        let found = match &answer.verdict {
            Verdict::Solved { moves, .. } => render::written(moves, notation),
            Verdict::Unsolvable(reason) => format!("no solution: {reason}"),
            Verdict::Limit { why, lower_bound } => {
                format!("{why}; {}{}", render::at_least(*lower_bound), advice(*why))
            }
        };
        Some(format!("{:width$}  {found}\n", entry.contestant))
    };
    let lines = fitted(&entries.iter().filter_map(line).collect::<String>());
    let any = entries.iter().flat_map(|entry| &entry.answers).any(|answer| answer.moves().is_some());
    if any { format!("{lines}(moves: {})\n", render::whose(notation)) } else { lines }
}

fn advice(why: Stop) -> &'static str {
    match why {
        Stop::Depth => " (a larger --max-depth reaches further)",
        Stop::Time => " (--time-limit allows more)",
        Stop::Memory => " (--memory-limit allows more)",
        _ => "",
    }
}

fn panels(entries: &[Entry]) -> Vec<Panel> {
    let panel = |title, value: fn(&Numbers) -> f64, label: fn(f64) -> String| {
        let bar = |entry: &Entry| {
            let value = value(&entry.summary()?.mean?);
            Some(Bar { value, label: label(value) })
        };
        Panel { title, bars: entries.iter().map(bar).collect() }
    };
    let count: fn(f64) -> String = |value| show_count(value.round() as u64);
    vec![
        panel("states generated", |mean| mean.generated, count),
        panel("most states held", |mean| mean.peak_states, count),
        panel("time", |mean| mean.seconds, show_seconds),
    ]
}

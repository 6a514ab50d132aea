//! Arguments that several subcommands share.

use std::{
    net::Ipv4Addr,
    path::{Path, PathBuf},
    sync::OnceLock,
    time::Duration,
};

use anyhow::{Context, bail};
use clap::{Args, ValueEnum, builder::PossibleValuesParser, builder::TypedValueParser};
use pintu_engine::{
    Algorithm, HeuristicName, Request, RequestError, device::Device, folder_of, memory, new_file_beside, tables::Store,
    trace,
};
use pintu_search::{Control, Limits, Weight};
use pintu_tiles::{
    Arrangement, NamedGoal, Notation, Puzzle, Size, StartAndGoal, Topology, fragment_of, read_board, read_link,
    read_start_and_goal,
};
use pintu_web::Server;

use crate::{
    exit::Exit,
    input,
    interrupt::{cancel_on_interrupt, is_interruption},
    say, units,
    whole_file::{Place, write_whole},
};

/// The board and its goal.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Board")]
pub(crate) struct BoardArgs {
    /// Where the tiles should go: standard, blank-first, snail, the numbers themselves, a link, or @FILE
    ///
    /// `standard` is 1 2 3 … 0 (the blank last), `blank-first` 0 1 2 3 …, `snail` a clockwise spiral with
    /// the blank at its end. Numbers are written as for a board: "1 2 3 8 0 4 7 6 5" or 123804765. A link
    /// gives its position. Without this option: standard.
    #[arg(long, value_name = "GOAL")]
    goal: Option<String>,

    /// Rows and columns, as in 4x4 or 3x5: needed where a line of numbers is no square
    #[arg(long, value_name = "RxC")]
    size: Option<Size>,

    /// Rows that wrap left to right: `all`, or their numbers from 0 on
    #[arg(long, value_name = "LIST")]
    wrap_rows: Option<Lines>,

    /// Columns that wrap top to bottom: `all`, or their numbers from 0 on
    #[arg(long, value_name = "LIST")]
    wrap_cols: Option<Lines>,
}

impl BoardArgs {
    /// The puzzle of a text: a board, a board and its goal, or a link, which carries its goal and its wraps itself.
    pub(crate) fn read(&self, text: &str) -> anyhow::Result<Puzzle> {
        match read_link(text) {
            Some(linked) => self.linked(linked?),
            None => self.puzzle(read_start_and_goal(text, self.size)?),
        }
    }

    /// The puzzle of a line: as above, without a goal of its own.
    pub(crate) fn read_line(&self, line: &str) -> anyhow::Result<Puzzle> {
        if let Some(linked) = read_link(line) {
            return self.linked(linked?);
        }
        let start = read_board(line, self.size).map_err(|error| error.problem)?;
        self.puzzle(StartAndGoal { start, goal: None })
    }

    fn linked(&self, puzzle: Puzzle) -> anyhow::Result<Puzzle> {
        let beside = [
            ("--goal", self.goal.is_some()),
            ("--wrap-rows", self.wrap_rows.is_some()),
            ("--wrap-cols", self.wrap_cols.is_some()),
            ("--size", self.size.is_some_and(|size| size != puzzle.size())),
        ];
        match beside.iter().find(|(_, given)| *given) {
            Some((option, _)) => bail!("found {option} beside a link, expected the link alone: it carries that itself"),
            None => Ok(puzzle),
        }
    }

    /// The puzzle that a text and these arguments make.
    fn puzzle(&self, text: StartAndGoal) -> anyhow::Result<Puzzle> {
        let size = text.start.size();
        let goal = match (&self.goal, text.goal) {
            (Some(_), Some(_)) => bail!("found a goal in the input and --goal beside it, expected one of them"),
            (None, Some(goal)) => goal,
            (Some(_), None) => self.goal(size)?,
            (None, None) => NamedGoal::Standard.on(size),
        };
        Ok(Puzzle::new(self.topology(size)?, text.start, goal)?)
    }

    /// The board of a size.
    pub(crate) fn topology(&self, size: Size) -> anyhow::Result<Topology> {
        let lines = |lines: &Option<Lines>, count| lines.as_ref().map_or_else(Vec::new, |lines| lines.list(count));
        Ok(Topology::wrapped(size, lines(&self.wrap_rows, size.rows()), lines(&self.wrap_cols, size.cols()))?)
    }

    /// The goal on a board of a size.
    pub(crate) fn goal(&self, size: Size) -> anyhow::Result<Arrangement> {
        let Some(text) = &self.goal else { return Ok(NamedGoal::Standard.on(size)) };
        if let Some(named) = NamedGoal::from_name(text) {
            return Ok(named.on(size));
        }
        let goal = Self::written_goal(text, Some(size))?;
        if goal.size() != size {
            bail!("--goal: found a board of {}, expected {size}", goal.size());
        }
        Ok(goal)
    }

    /// The size of a board that is to be made: as given, else the written goal's.
    pub(crate) fn size_to_make(&self) -> anyhow::Result<Option<Size>> {
        match (&self.size, &self.goal) {
            (Some(size), _) => Ok(Some(*size)),
            (None, Some(text)) if NamedGoal::from_name(text).is_none() => {
                Ok(Some(Self::written_goal(text, None)?.size()))
            }
            (None, _) => Ok(None),
        }
    }

    fn written_goal(text: &str, size: Option<Size>) -> anyhow::Result<Arrangement> {
        if let Some(path) = text.strip_prefix('@') {
            let text = input::read_file(path)?;
            return match linked_goal(&text) {
                Some(goal) => goal.with_context(|| path.to_owned()),
                None => read_board(&text, size).with_context(|| path.to_owned()),
            };
        }
        if let Some(goal) = linked_goal(text) {
            return goal.context("--goal");
        }
        let is_name = text.chars().next().is_some_and(char::is_alphabetic);
        if is_name {
            let known = NamedGoal::ALL.map(NamedGoal::name);
            return Err(pintu_engine::UnknownName::new("the goal", text, known).into());
        }
        read_board(text, size).map_err(|error| error.problem).context("--goal")
    }
}

/// The position of a link, if the text is one.
fn linked_goal(text: &str) -> Option<anyhow::Result<Arrangement>> {
    let goal = |puzzle: Puzzle| {
        if puzzle.topology() != Topology::plain(puzzle.size()) {
            bail!("found a link whose lines wrap, expected one without: --wrap-rows and --wrap-cols say which do");
        }
        Ok(puzzle.start().clone())
    };
    read_link(text).map(|linked| goal(linked?))
}

/// Rows or columns: a list, or all of them.
#[derive(Clone, Debug)]
enum Lines {
    All,
    Some(Vec<usize>),
}

impl Lines {
    fn list(&self, count: usize) -> Vec<usize> {
        match self {
            Self::All => (0..count).collect(),
            Self::Some(lines) => lines.clone(),
        }
    }
}

impl std::str::FromStr for Lines {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.eq_ignore_ascii_case("all") {
            return Ok(Self::All);
        }
        let line = |part: &str| part.trim().parse().map_err(|_| format!("found `{part}`, expected numbers or `all`"));
        text.split(',').map(line).collect::<Result<_, _>>().map(Self::Some)
    }
}

/// How to search.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Search")]
pub(crate) struct SearchArgs {
    /// What guides the search: an estimate of the moves that are left
    ///
    /// none: nothing. misplaced: tiles out of place. euclidean: distances as the crow flies. manhattan:
    /// distances along rows and columns. linear-conflict: manhattan, and two moves for each tile that must
    /// step aside in its own row or column. walking-distance: moves needed to sort the rows, and the
    /// columns, by table. pattern: moves that groups of tiles need by themselves, by tables that are built
    /// when they are first needed. Each never overestimates, so A* and IDA* stay optimal; the better the estimate,
    /// the fewer states they look at. [default: linear-conflict; manhattan where a row or column wraps]
    #[arg(long, value_name = "NAME", ignore_case = true, value_parser = names(&HeuristicName::ALL, HeuristicName::name))]
    heuristic: Option<HeuristicName>,

    /// How much `wastar` trusts the heuristic: the solution is at most W times too long [default: 5]
    #[arg(long, value_name = "W")]
    weight: Option<Weight>,

    /// How deep `dfs` and `dfs-tree` go [default: 50]
    #[arg(long, value_name = "D")]
    max_depth: Option<u32>,

    /// Time for each puzzle, as in 10s, 250ms, 2m
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    time_limit: Option<Duration>,

    /// States to expand for each puzzle
    #[arg(long, value_name = "N")]
    node_limit: Option<u64>,

    /// Memory of the whole process, as in 2GiB, 500MB [default: half of what is available]
    ///
    /// Where a batch has several threads and its boards do not fit beside each other, fewer are solved at a time; a board
    /// that was begun beside others and is begun again has what is left of its --time-limit. The program itself is counted
    /// as 12 MiB, and a small part is set aside for threads: there are no more of them than that is enough for.
    #[arg(long, value_name = "SIZE", value_parser = units::bytes)]
    memory_limit: Option<u64>,

    /// Threads to use
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,

    /// What searches: the processor, or a GPU
    ///
    /// cpu: the processor. gpu: an NVIDIA GPU, for what `auto` solves by pattern tables: boards of 10 to 25
    /// cells. auto: the GPU for boards of more than 16 cells that the processor does not solve at once, if
    /// there is one; else the processor, which also goes on where a GPU fails. `pintu devices` lists what is
    /// there. In a batch on a GPU, `seconds` are a board's share of those that were solved with it, and
    /// `memory` and `peak_states` are all of theirs.
    #[arg(long, value_name = "NAME", default_value = "auto", ignore_case = true, value_parser = names(&Device::ALL, Device::name))]
    device: Device,

    /// Where pattern tables are kept [default: `$PINTU_TABLES`, else pintu/tables in the user's cache directory]
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,

    /// One store for all requests, so that tables are loaded once.
    #[arg(skip)]
    store: OnceLock<Store>,

    /// As many threads as the memory is enough for, found out once.
    #[arg(skip)]
    fitting: OnceLock<usize>,
}

impl SearchArgs {
    pub(crate) fn request(&self, puzzle: Puzzle, algorithm: Algorithm) -> Request {
        Request {
            puzzle,
            algorithm,
            heuristic: self.heuristic,
            weight: self.weight,
            max_depth: self.max_depth,
            // The memory is that of the process: its control has it.
            limits: Limits { nodes: self.node_limit, time: self.time_limit, memory: None },
            threads: self.threads(),
            tables: self.store().clone(),
            device: self.device,
        }
    }

    /// Says so if a depth is given to an algorithm that goes to none: it would seem to bound it. Nothing else comes of it,
    /// for whoever tries one algorithm after the other may leave the rest of the line as it is.
    pub(crate) fn remark_on_depth(&self, algorithm: Algorithm) {
        if self.max_depth.is_some() && !algorithm.has_depth() {
            say::complain(format_args!("--max-depth: {}", RequestError::DepthUnused { algorithm }));
        }
    }

    /// What searches.
    pub(crate) fn device(&self) -> Device {
        self.device
    }

    /// The control of everything that this run does, which Ctrl-C ends.
    pub(crate) fn control(&self) -> anyhow::Result<Control> {
        let control = memory::control(self.memory_limit, cancel_on_interrupt()?);
        if self.memory_limit.is_some() {
            self.store().give_way_to(&control);
        }
        Ok(control)
    }

    fn store(&self) -> &Store {
        self.store.get_or_init(|| store(self.tables.as_deref()))
    }

    pub(crate) fn threads(&self) -> usize {
        *self.fitting.get_or_init(|| memory::threads(self.memory_limit, usize::from(self.threads)))
    }
}

/// What to record.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Output")]
pub(crate) struct TraceArgs {
    /// Record what the search does; for FILE.trace.json as the Posthoc visualiser reads it
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,

    /// Events to record at most; after them the search goes on unrecorded
    #[arg(long, value_name = "N", default_value_t = trace::USUAL_EVENTS, requires = "trace")]
    trace_events: usize,
}

impl TraceArgs {
    /// Where to record to, if anywhere.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.trace.as_deref()
    }

    /// What to record on.
    pub(crate) fn tape(&self) -> trace::Tape {
        trace::Tape::new(self.trace_events)
    }

    /// Whether the file can be written, before anybody searches for long.
    pub(crate) fn check(&self) -> anyhow::Result<()> {
        let Some(path) = self.file() else { return Ok(()) };
        if path.is_dir() {
            bail!("--trace {}: found a folder, expected the name of a file", path.display());
        }
        // To open a pipe and close it again would be the end of it for whoever reads.
        let Place::Regular(file) = Place::of(path) else { return Ok(()) };
        let folder = folder_of(&file);
        if !folder.is_dir() {
            bail!("--trace {}: found no folder {}, expected one that exists", path.display(), folder.display());
        }
        new_file_beside(&file).with_context(|| format!("--trace {}", path.display()))?;
        Ok(())
    }

    /// Writes what was recorded once the answer is out, also where nobody reads that any more. A recording that cannot be
    /// written takes nothing from the answer.
    pub(crate) fn write_after<A>(
        &self,
        printed: anyhow::Result<Exit>,
        recorded: Option<&trace::Traced<A>>,
    ) -> anyhow::Result<Exit> {
        let (Some(path), Some(traced)) = (self.file(), recorded) else { return printed };
        let written = Self::write_or_complain(path, traced);
        printed.map(|exit| exit.max(written))
    }

    /// Writes a recording; says so if that cannot be done.
    pub(crate) fn write_or_complain<A>(path: &Path, traced: &trace::Traced<A>) -> Exit {
        match Self::write(path, traced) {
            Ok(()) => Exit::Solved,
            Err(error) => {
                say::complain(format_args!("{error:#}"));
                if is_interruption(&error) { Exit::Limit } else { Exit::BadInput }
            }
        }
    }

    /// Writes a recording to a file, whole or not at all, also when Ctrl-C comes; into a pipe or a device as it is.
    pub(crate) fn write<A>(path: &Path, traced: &trace::Traced<A>) -> anyhow::Result<()> {
        let form = trace::Form::of_name(&path.to_string_lossy());
        write_whole(path, |out| traced.write(form, out)).with_context(|| format!("--trace {}", path.display()))
    }
}

/// A link that opens a puzzle in the game that this machine serves.
pub(crate) fn link_of(puzzle: &Puzzle) -> String {
    format!("http://{}:{}/{}", Ipv4Addr::LOCALHOST, Server::USUAL_PORT, fragment_of(puzzle))
}

/// The table store in a directory, or the user's.
pub(crate) fn store(dir: Option<&Path>) -> Store {
    dir.map_or_else(Store::of_user, Store::at)
}

/// How moves are written.
#[derive(Args, Clone, Copy, Debug)]
#[command(next_help_heading = "Output")]
pub(crate) struct NotationArgs {
    /// Whose direction a move's letter names
    #[arg(long, value_enum, ignore_case = true, default_value = "blank")]
    notation: NotationArg,
}

/// Whose direction a move's letter names.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum NotationArg {
    /// The blank's: U means that the blank goes up
    Blank,
    /// The tile's, as speed-solvers write it: U means that the tile goes up; text counts runs, as in D2
    Tile,
}

impl From<NotationArgs> for Notation {
    fn from(args: NotationArgs) -> Self {
        match args.notation {
            NotationArg::Blank => Self::Blank,
            NotationArg::Tile => Self::Tile,
        }
    }
}

/// A parser for the engine's names, which knows them all and suggests the nearest.
pub(crate) fn names<T>(all: &'static [T], name: fn(T) -> &'static str) -> impl TypedValueParser<Value = T>
where
    T: std::str::FromStr<Err: std::error::Error + Send + Sync + 'static> + Copy + Send + Sync + 'static,
{
    PossibleValuesParser::new(all.iter().map(|one| name(*one))).try_map(|text| text.parse::<T>())
}

//! Arguments that several subcommands share.

mod board;

use std::{
    ffi::OsStr,
    io::{self, Write},
    net::Ipv4Addr,
    path::{Path, PathBuf},
    sync::OnceLock,
    thread::available_parallelism,
    time::Duration,
};

use anyhow::{Context, bail};
use clap::{
    Arg, Args, Command, ValueEnum,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser},
    error::{ContextKind, ContextValue},
};
use pintu_engine::{
    Algorithm, HeuristicName, Request, RequestError, device::Device, memory, nearest_name, new_file_beside,
    tables::Store, trace,
};
use pintu_search::{Cancel, Control, Limits, Weight};
use pintu_tiles::{Notation, Puzzle, fragment_of};
use pintu_web::Server;
use serde::Serialize;

pub(crate) use self::board::BoardArgs;
use crate::{
    exit::Exit,
    say::{self, regular_file, write_whole},
    units,
};

#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Search")]
pub(crate) struct LimitArgs {
    /// Time for each search, as in 10s, 250ms, 2m
    #[arg(short, long, value_name = "TIME", value_parser = units::read_duration)]
    time_limit: Option<Duration>,

    /// States to expand in each search
    #[arg(short, long, value_name = "N", value_parser = units::read_count::<u64>)]
    node_limit: Option<u64>,

    /// Memory of the whole process, as in 2GiB, 500MB [default: half of what is available]
    ///
    /// A batch of boards, or of queries, on several threads divides it: tables and maps count once, and each search has
    /// an equal share of the rest, so more threads mean smaller shares. There are fewer threads where a share would be less
    /// than 8 MiB. The program itself is counted as 12 MiB, and a small part is set aside for threads.
    #[arg(short, long, value_name = "SIZE", value_parser = units::read_bytes)]
    memory_limit: Option<u64>,

    #[command(flatten)]
    threads: ThreadArgs,
}

#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct ThreadArgs {
    /// Threads to use; 0 for as many as the machine has
    ///
    /// The default is 1 in every command: counts, memory and times then do not depend on the machine's cores.
    #[arg(short = 'j', long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(0..=1024))]
    threads: u16,
}

impl ThreadArgs {
    /// The number of threads, as far as a memory limit allows.
    pub(crate) fn count(self, memory_limit: Option<u64>) -> usize {
        let wanted = match self.threads {
            0 => available_parallelism().map_or(1, usize::from),
            threads => threads.into(),
        };
        memory::threads(memory_limit, wanted)
    }
}

impl LimitArgs {
    /// The limits of each search. Memory is limited for the whole process, by its control.
    pub(crate) fn limits(&self) -> Limits {
        Limits::none().nodes(self.node_limit).time(self.time_limit)
    }

    /// The control of all work of this process.
    pub(crate) fn control(&self) -> Control {
        memory::control(self.memory_limit, Cancel::new())
    }

    pub(crate) fn threads(&self) -> usize {
        self.threads.count(self.memory_limit)
    }
}

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
    /// the fewer states they expand. [default: linear-conflict; manhattan where a row or column wraps]
    ///
    /// An answer of `auto` says what guided the search that found it. For its beams this may be a name that cannot be
    /// given here: tables+network (many small tables, and a network), tables (the same without a network), or
    /// distances+conflicts (powers of distances, conflicts within lines, and tiles on the border).
    #[arg(short = 'H', long, value_name = "NAME", ignore_case = true, value_parser = names(&HeuristicName::ALL, HeuristicName::name))]
    heuristic: Option<HeuristicName>,

    /// How much `wastar` trusts the heuristic: the solution has at most W times the fewest moves [default: 5]
    #[arg(short, long, value_name = "W")]
    weight: Option<Weight>,

    /// How deep `dfs` and `dfs-tree` go [default: 50]
    #[arg(long, value_name = "D", value_parser = units::read_count::<u32>)]
    max_depth: Option<u32>,

    #[command(flatten)]
    limits: LimitArgs,

    /// What searches: the processor, or a GPU
    ///
    /// cpu: the processor. gpu: an NVIDIA GPU, for what `auto` solves by pattern tables, unless nodes are limited: boards
    /// of 10 to 25 cells, and of 26 to 64 cells unless a row or column of odd length wraps. auto: the GPU for boards of
    /// more than 16 cells that the processor does not solve at once, if there is one; else the processor, which
    /// also goes on where a GPU fails. `pintu devices` lists what is there. In a batch on a GPU, `seconds` are a
    /// board's share of those that were solved with it, and `memory` and `peak_states` are all of theirs.
    #[arg(long, value_name = "NAME", default_value = "auto", ignore_case = true, value_parser = names(&Device::ALL, Device::name))]
    device: Device,

    /// Where pattern tables are kept [default: `$PINTU_TABLES`, else pintu/tables in the user's cache directory]
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,

    /// One store for all requests, so that tables are loaded once.
    #[arg(skip)]
    store: OnceLock<Store>,
}

impl SearchArgs {
    pub(crate) fn request(&self, puzzle: Puzzle, algorithm: Algorithm) -> Request {
        Request {
            puzzle,
            algorithm,
            heuristic: self.heuristic,
            weight: self.weight,
            max_depth: self.max_depth,
            limits: self.limits.limits(),
            threads: self.threads(),
            tables: self.store().clone(),
            device: self.device,
        }
    }

    /// The given options on which a search's answer depends, by their names; not those that choose the device or the
    /// speed.
    pub(crate) fn asked(&self) -> Vec<(&'static str, String)> {
        let LimitArgs { time_limit, node_limit, memory_limit, threads: _ } = &self.limits;
        let seconds = time_limit.map(|time| format!("{}s", time.as_secs_f64()));
        let options = [
            ("--heuristic", self.heuristic.map(|name| name.name().to_owned())),
            ("--weight", self.weight.map(|weight| weight.to_string())),
            ("--max-depth", self.max_depth.map(|depth| depth.to_string())),
            ("--time-limit", seconds),
            ("--node-limit", node_limit.map(|nodes| nodes.to_string())),
            ("--memory-limit", memory_limit.map(|bytes| bytes.to_string())),
        ];
        options.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
    }

    /// Warns if a depth is given to an algorithm that ignores it, as it would seem to limit it. It is no error, so that
    /// several algorithms can be tried with the same command line.
    pub(crate) fn remark_on_depth(&self, algorithm: Algorithm) {
        if self.max_depth.is_some() && !algorithm.has_depth() {
            say::complain(format_args!("--max-depth: {}", RequestError::DepthUnused(algorithm)));
        }
    }

    pub(crate) fn device(&self) -> Device {
        self.device
    }

    /// The control of all work of this process.
    pub(crate) fn control(&self) -> Control {
        let control = self.limits.control();
        if self.limits.memory_limit.is_some() {
            self.store().evict_for(&control);
        }
        control
    }

    fn store(&self) -> &Store {
        self.store.get_or_init(|| store(self.tables.as_deref()))
    }

    pub(crate) fn threads(&self) -> usize {
        self.limits.threads()
    }
}

#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Output")]
pub(crate) struct TraceArgs {
    /// Record what the search does; for FILE.trace.json as the Posthoc visualiser reads it
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,

    /// Events that are recorded at most (a Posthoc file has at least its start, goal and end); the search goes on after them
    #[arg(long, value_name = "N", default_value_t = trace::DEFAULT_EVENTS, value_parser = units::read_count::<usize>, requires = "trace")]
    trace_events: usize,
}

impl TraceArgs {
    /// The file to record to, if there is one.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.trace.as_deref()
    }

    pub(crate) fn budget(&self) -> trace::EventBudget {
        let form = self.file().map_or(trace::Form::Compact, |path| trace::Form::of_name(&path.to_string_lossy()));
        trace::EventBudget::new(self.trace_events, form)
    }

    /// Checks that the file can be written, before any long search.
    pub(crate) fn check(&self) -> anyhow::Result<()> {
        let Some(path) = self.file() else { return Ok(()) };
        if path.is_dir() {
            bail!("--trace {}: found a folder, expected the name of a file", path.display());
        }
        // Opening and closing a pipe would end it for its reader.
        let Some(file) = regular_file(path) else { return Ok(()) };
        new_file_beside(&file).map(drop).with_context(|| format!("--trace {}", path.display()))
    }

    /// Writes the recording once the answer is printed, even if the output is closed. A recording that cannot be
    /// written does not spoil the answer.
    pub(crate) fn write_after<A>(
        &self,
        printed: anyhow::Result<Exit>,
        recorded: Option<&trace::Traced<A>>,
    ) -> anyhow::Result<Exit> {
        let (Some(path), Some(traced)) = (self.file(), recorded) else { return printed };
        let written = Self::write(path, traced);
        printed.map(|exit| exit.max(written))
    }

    /// Writes a recording to a file, completely or not at all; reports an error.
    pub(crate) fn write<A>(path: &Path, traced: &trace::Traced<A>) -> Exit {
        let form = trace::Form::of_name(&path.to_string_lossy());
        let written = write_whole(path, |out| traced.write(form, out));
        match written.with_context(|| format!("--trace {}", path.display())) {
            Ok(()) => Exit::Solved,
            Err(error) => {
                say::complain_of(&error);
                Exit::BadInput
            }
        }
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

/// Whether the output is for people or for programs.
#[derive(Args, Clone, Copy, Debug)]
#[command(next_help_heading = "Output")]
pub(crate) struct FormatArgs {
    /// How to print it
    #[arg(short, long, value_enum, ignore_case = true, default_value = "text")]
    pub(crate) format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    Text,
    /// JSON, for programs
    Json,
}

impl FormatArgs {
    /// Prints an object as JSON, or as a text that is written piece by piece.
    pub(crate) fn print(
        self,
        object: &impl Serialize,
        text: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> anyhow::Result<()> {
        match self.format {
            Format::Json => say::print_json(object),
            Format::Text => say::print_with(text),
        }
    }
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

impl NotationArgs {
    pub(crate) fn name(self) -> &'static str {
        match self.notation {
            NotationArg::Blank => "blank",
            NotationArg::Tile => "tile",
        }
    }
}

impl From<NotationArgs> for Notation {
    fn from(args: NotationArgs) -> Self {
        match args.notation {
            NotationArg::Blank => Self::Blank,
            NotationArg::Tile => Self::Tile,
        }
    }
}

/// A parser of the engine's names, which lists them all and suggests the nearest.
pub(crate) fn names<T>(all: &'static [T], name: fn(T) -> &'static str) -> impl TypedValueParser<Value = T>
where
    T: std::str::FromStr<Err: std::error::Error + Send + Sync + 'static> + Copy + Send + Sync + 'static,
{
    let all: Vec<&str> = all.iter().map(|one| name(*one)).collect();
    Names { parser: PossibleValuesParser::new(&all), all }.try_map(|text| text.parse::<T>())
}

/// Clap's parser of names, with the engine's suggestions.
#[derive(Clone, Debug)]
struct Names {
    parser: PossibleValuesParser,
    all: Vec<&'static str>,
}

impl TypedValueParser for Names {
    type Value = String;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<String, clap::Error> {
        self.parser.parse_ref(command, arg, value).map_err(|mut error| {
            if let Some(near) = nearest_name(&value.to_string_lossy(), self.all.iter().copied()) {
                error.insert(ContextKind::SuggestedValue, ContextValue::String(near.to_owned()));
            }
            error
        })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        self.parser.possible_values()
    }
}

//! Arguments that several subcommands share.

mod board;

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
use pintu_tiles::{Notation, Puzzle, fragment_of};
use pintu_web::Server;

pub(crate) use self::board::BoardArgs;
use crate::{
    exit::Exit,
    interrupt::{cancel_on_interrupt, is_interruption},
    say, units,
    whole_file::{Place, write_whole},
};

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
                say::complain_of(&error);
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

mod answers;
mod place;

use std::time::Duration;

use anyhow::bail;
use clap::{Args, ValueEnum};
use pintu_engine::path::{MapFormat, PathAlgorithm, PathRequest};
use pintu_grid::{Diagonal, Heuristic, SymbolCost};
use pintu_search::{Limits, Weight};

use self::place::Place;
use crate::{
    args::{TraceArgs, names},
    exit::Exit,
    input,
    interrupt::{cancel_on_interrupt, is_interruption, unless_interrupted},
    units,
};

/// Find a cheapest path on a map or a graph
///
/// Maps are recognised by their first lines: a sea map (`rows cols`, then digits:
/// 0 sea, 1 start, 2 island, 3 enemy, 4 goal), a `MovingAI` map (`type octile`),
/// else rows of `#`, `.`, 1 to 9, S and G. A file that ends in .graph is a graph:
/// lines `from to cost`, and `@ name x y` for coordinates.
///
///     printf 'S.#.\n..#.\n...G\n' | pintu path -
///     printf 'a b 3\nb c 4\n' | pintu path - --map-format graph --from a --to c
///
/// Exit status: 0 found, 1 there is no path, 2 bad usage or input,
/// 3 a limit was reached.
#[derive(Args, Clone, Debug)]
#[command(verbatim_doc_comment)]
#[allow(rustdoc::invalid_rust_codeblocks, reason = "the examples are a shell's")]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch on the command line")]
pub(crate) struct Path {
    /// The map or graph; - for standard input
    map: String,

    /// How to read it, if not by its first line and name
    ///
    /// sea: `rows cols`, then digits. terrain: rows of #, ., 1 to 9, S and G. octile: the `MovingAI`
    /// benchmarks' maps. graph: lines `from to cost`.
    #[arg(long, value_name = "FORMAT", help_heading = "Map", ignore_case = true, value_parser = names(&MapFormat::ALL, MapFormat::name))]
    map_format: Option<MapFormat>,

    /// Whether, and past which obstacles, to move diagonally
    ///
    /// no-squeeze: not between two obstacles. no-corners: not past any. Without this option, octile maps
    /// are searched with no-corners, all others with never.
    #[arg(
        long,
        value_name = "RULE",
        help_heading = "Map",
        ignore_case = true,
        value_parser = names(&Diagonal::ALL, Diagonal::name)
    )]
    diagonal: Option<Diagonal>,

    /// What a symbol costs to enter, as in 3=20; may be given several times
    ///
    /// A whole number from 1 to 18446744073709551615. A path may cost as much: what costs more is not
    /// guessed, and the answer says so.
    #[arg(long, value_name = "SYMBOL=COST", help_heading = "Map", value_delimiter = ',')]
    cost: Vec<SymbolCost>,

    /// A graph's edges lead one way only
    #[arg(long, help_heading = "Map")]
    directed: bool,

    /// Where to begin: row,col from 0, or a node's name
    #[arg(long, value_name = "PLACE", help_heading = "Map")]
    from: Option<String>,

    /// Where to go; of several, separated by `;`, the nearest [default: the map's goals]
    ///
    /// A graph's name that has a `;` itself is taken whole. A space after the `;` keeps two names apart.
    #[arg(long, value_name = "PLACE[;PLACE…]", help_heading = "Map")]
    to: Option<String>,

    /// How to search
    ///
    /// auto: the fastest exact one for the map. bfs: fewest steps. bidirectional: fewest steps, from both
    /// ends. dijkstra: cheapest first. greedy: what looks nearest to the goal first. astar: what looks
    /// cheapest in all first. wastar: A* that trusts its heuristic --weight times as much. ida: A*'s order
    /// by repeated depth-first searches. jps: jump point search, on maps where every cell costs the same.
    /// astar-levels, astar-pruned: what auto runs elsewhere: A* that takes up many cells together, four-way
    /// on even ground; and A* that leaves out needless steps, on any.
    #[arg(
        long,
        value_name = "NAME",
        default_value = "auto",
        help_heading = "Search",
        ignore_case = true,
        value_parser = names(&PathAlgorithm::ALL, PathAlgorithm::name)
    )]
    algorithm: PathAlgorithm,

    /// What guides the search: a distance, times the cheapest ground
    ///
    /// Without this option: manhattan, with diagonals octile, on graphs euclidean.
    #[arg(
        long,
        value_name = "NAME",
        help_heading = "Search",
        ignore_case = true,
        value_parser = names(&Heuristic::ALL, Heuristic::name)
    )]
    heuristic: Option<Heuristic>,

    /// How much `wastar` trusts the heuristic: the path costs at most W times too much [default: 5]
    #[arg(long, value_name = "W", help_heading = "Search")]
    weight: Option<Weight>,

    /// Allow a heuristic that overestimates; the path need not be the cheapest then
    #[arg(long, help_heading = "Search")]
    inadmissible: bool,

    /// If the goal is cut off, go to the nearest cell that is not
    #[arg(long, help_heading = "Search", conflicts_with = "distances")]
    nearest: bool,

    /// Time for each query, as in 10s, 250ms, 2m
    #[arg(long, value_name = "TIME", value_parser = units::duration, help_heading = "Search")]
    time_limit: Option<Duration>,

    /// Cells to expand for each query
    #[arg(long, value_name = "N", help_heading = "Search")]
    node_limit: Option<u64>,

    /// Memory of the whole process, as in 2GiB [default: half of what is available]
    ///
    /// The program itself is counted as 12 MiB, and a small part is set aside for threads: there are no more of them than
    /// that is enough for.
    #[arg(long, value_name = "SIZE", value_parser = units::bytes, help_heading = "Search")]
    memory_limit: Option<u64>,

    /// Print how far every cell is from the start; given only --to, how far to there
    #[arg(long, help_heading = "Output", conflicts_with = "scenarios")]
    distances: bool,

    /// With --distances: also which way to go
    #[arg(long, help_heading = "Output", requires = "distances")]
    directions: bool,

    /// Run every query of a .scen file and check its length against the one on record
    #[arg(long, value_name = "FILE", help_heading = "Output", conflicts_with_all = ["from", "to", "nearest"])]
    scenarios: Option<String>,

    /// Threads for --scenarios
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1,
        value_parser = clap::value_parser!(u16).range(1..=1024),
        help_heading = "Search"
    )]
    threads: u16,

    /// How to print it
    #[arg(long, value_enum, ignore_case = true, default_value = "text", help_heading = "Output")]
    format: Output,

    #[command(flatten)]
    trace: TraceArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Output {
    /// The map with the path on it
    Text,
    /// JSON
    Json,
}

impl Path {
    pub(crate) fn run(&self) -> anyhow::Result<Exit> {
        self.trace.check()?;
        for (at, one) in self.cost.iter().enumerate() {
            if self.cost[..at].iter().any(|before| before.symbol == one.symbol) {
                bail!("--cost: found two costs for `{}`, expected one", one.symbol);
            }
        }
        if self.trace.file().is_some() && (self.distances || self.scenarios.is_some()) {
            bail!("found --trace beside --distances or --scenarios, expected a search for one path");
        }
        let cancel = cancel_on_interrupt()?;
        let this = self.clone();
        let (place, room) = unless_interrupted(move || this.read(cancel))
            .map_err(|error| if is_interruption(&error) { error.context(input::name(&self.map)) } else { error })?;
        // What is there by now stays in the room; the clock begins with the search.
        let control = room.control().part(Limits::default());
        let (terrain, map, scenarios) = match &place {
            Place::Graph(graph) => return self.run_graph(graph, &control),
            Place::Map(map, scenarios) => (&map.0, &map.1, scenarios),
        };
        match scenarios {
            Some(scenarios) => self.run_scenarios(map, scenarios, &control),
            None if self.distances => self.run_distances(terrain, map, &control),
            None => self.run_map(terrain, map, &control),
        }
    }

    fn request(&self) -> PathRequest {
        PathRequest {
            algorithm: self.algorithm,
            heuristic: self.heuristic,
            weight: self.weight,
            inadmissible: self.inadmissible,
            nearest: self.nearest,
            limits: Limits { nodes: self.node_limit, time: self.time_limit, memory: None },
        }
    }
}

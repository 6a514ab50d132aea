mod answers;
mod read;

use anyhow::bail;
use clap::Args;
use pintu_engine::path::{MapFormat, PathAlgorithm, PathRequest};
use pintu_grid::{Diagonal, Heuristic, SymbolCost};
use pintu_search::{Limits, Weight};

use self::read::Input;
use crate::{
    args::{FormatArgs, LimitArgs, TraceArgs, names},
    exit::{Exit, cancel_on_interrupt},
    input::STDIN,
};

/// Find a cheapest path on a map or a graph
///
/// Maps are recognised by their first lines: a sea map (`rows cols`, then digits:
/// 0 sea, 1 start, 2 island, 3 enemy, 4 goal), a `MovingAI` map (`type octile`),
/// else rows of `#`, `.`, 1 to 9, S and G. A file that ends in .graph is a graph:
/// lines `from to cost`, and `@ name x y` for coordinates.
///
///     printf 'S.#.\n..#.\n...G\n' | pintu path
///     printf 'a b 3\nb c 4\n' | pintu path --map-format graph --from a --to c
///
/// Exit status: 0 found, 1 there is no path, 2 bad usage or input,
/// 3 a limit was reached, 130 after Ctrl-C.
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
#[allow(rustdoc::invalid_rust_codeblocks, reason = "the examples are a shell's")]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch on the command line")]
pub(crate) struct Path {
    /// The file with the map or graph; - is standard input
    #[arg(default_value = STDIN)]
    map: String,

    /// How to read it, if not by its first line and name
    ///
    /// sea: `rows cols`, then digits. terrain: rows of #, ., 1 to 9, S and G. octile: the `MovingAI`
    /// benchmarks' maps. graph: lines `from to cost`.
    #[arg(long, value_name = "FORMAT", help_heading = "Map", ignore_case = true, value_parser = names(&MapFormat::ALL, MapFormat::name))]
    map_format: Option<MapFormat>,

    /// Whether, and past which obstacles, to move diagonally
    ///
    /// never: four directions only. always: past any obstacle. no-squeeze: not between two obstacles. no-corners:
    /// not past any. Without this option, octile maps are searched with no-corners, all others with never.
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
    /// A whole number from 1 to 9007199254740992. A path's total is at most the same, or 1855077840 where diagonal steps are allowed.
    #[arg(long, value_name = "SYMBOL=COST", help_heading = "Map", value_delimiter = ',')]
    cost: Vec<SymbolCost>,

    /// A graph's edges lead one way only
    #[arg(long, help_heading = "Map")]
    directed: bool,

    /// Where to begin: row,col from 0, or a node's name
    #[arg(long, value_name = "CELL|NODE", help_heading = "Map")]
    from: Option<String>,

    /// Where to go; may be given several times: to the nearest of them [default: the map's goals]
    ///
    /// Cells may also be separated by `;`, as in 0,3;2,1.
    #[arg(long, value_name = "CELL|NODE", help_heading = "Map")]
    to: Vec<String>,

    /// How to search
    ///
    /// auto: the fastest exact one for the map. bfs: fewest steps. bidirectional: fewest steps, from both
    /// ends. dijkstra: the cell that is cheapest to reach first. greedy: the smallest estimate first. astar: the
    /// smallest sum of both first. wastar: A* that counts the estimate --weight times. ida: A*'s order by repeated
    /// depth-first searches. jps: jump point search, on maps where every cell costs the same. astar-levels: A* that
    /// expands many cells together, four-way where every cell costs the same. astar-pruned: canonical A*, which
    /// leaves out needless steps, on any map.
    #[arg(
        short,
        long,
        value_name = "NAME",
        default_value = "auto",
        help_heading = "Search",
        ignore_case = true,
        value_parser = names(&PathAlgorithm::ALL, PathAlgorithm::name)
    )]
    algorithm: PathAlgorithm,

    /// What guides the search: a distance, times the cheapest cell's cost
    ///
    /// Without this option: manhattan, with diagonals octile, on graphs euclidean.
    #[arg(
        short = 'H',
        long,
        value_name = "NAME",
        help_heading = "Search",
        ignore_case = true,
        value_parser = names(&Heuristic::ALL, Heuristic::name)
    )]
    heuristic: Option<Heuristic>,

    /// How much `wastar` trusts the heuristic: the path costs at most W times the least [default: 5]
    #[arg(short, long, value_name = "W", help_heading = "Search")]
    weight: Option<Weight>,

    /// Allow a heuristic that overestimates; the path need not be the cheapest then
    #[arg(long, help_heading = "Search")]
    inadmissible: bool,

    /// If the goal is cut off, go to the nearest cell that is not
    #[arg(long, help_heading = "Search", conflicts_with = "distances")]
    nearest: bool,

    #[command(flatten)]
    limits: LimitArgs,

    /// Find the K cheapest paths without loops, each with its cost
    #[arg(
        long,
        value_name = "K",
        help_heading = "Search",
        value_parser = clap::value_parser!(u32).range(1..),
        conflicts_with_all = ["algorithm", "heuristic", "weight", "inadmissible", "nearest", "distances", "scenarios", "trace"]
    )]
    paths: Option<u32>,

    /// Print how far every cell is from the start; given only --to, how far to there
    #[arg(long, help_heading = "Output", conflicts_with = "scenarios")]
    distances: bool,

    /// With --distances: also which way to go
    #[arg(long, help_heading = "Output", requires = "distances")]
    directions: bool,

    /// Run every query of a .scen file and check its length against the one on record
    #[arg(long, value_name = "FILE", help_heading = "Output", conflicts_with_all = ["from", "to", "nearest"])]
    scenarios: Option<String>,

    #[command(flatten)]
    format: FormatArgs,

    #[command(flatten)]
    trace: TraceArgs,
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
        let control = self.limits.control();
        // The hold on the input lasts as long as the search.
        let mut hold = control.hold();
        let input = self.read(&control, &mut hold)?;
        cancel_on_interrupt(control.cancel_switch())?;
        // The time limit begins with the search.
        let control = control.part(Limits::default());
        match &input {
            Input::Graph(graph) => self.run_graph(graph, &control),
            Input::Map(map, Some(scenarios)) => self.run_scenarios(&map.1, scenarios, &control),
            Input::Map(map, None) if self.distances => self.run_distances(&map.0, &map.1, &control),
            Input::Map(map, None) => self.run_map(&map.0, &map.1, &control),
        }
    }

    fn request(&self) -> PathRequest {
        PathRequest {
            algorithm: self.algorithm,
            heuristic: self.heuristic,
            weight: self.weight,
            inadmissible: self.inadmissible,
            nearest: self.nearest,
            limits: self.limits.limits(),
        }
    }
}

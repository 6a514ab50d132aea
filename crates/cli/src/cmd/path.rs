use std::{
    fmt::Display,
    io::{BufWriter, Write as _, stdout},
    path::Path as File,
    str::FromStr,
    time::Duration,
};

use anyhow::{Context, anyhow, bail};
use clap::{Args, ValueEnum};
use pintu_engine::{
    Done, memory,
    path::{
        CostsRecord, DistancesRecord, MapFormat, PathAlgorithm, PathAnswer, PathError, PathRequest, PathVerdict,
        Reading, ScenarioSummary, distances, find_path, find_path_traced, find_route, find_route_traced, route_costs,
        run_scenarios,
    },
    trace::Traced,
};
use pintu_grid::{Cell, Diagonal, Graph, Heuristic, Map, Scenario, Scratch, SymbolCost, Terrain, Toward};
use pintu_search::{Cancel, Control, Limits, Stop, Weight};

use crate::{
    args::{TraceArgs, names},
    exit::Exit,
    input::{self, Room, TooLarge},
    interrupt::{cancel_on_interrupt, is_interruption, unless_interrupted},
    progress::{counts, shown},
    render::path as render,
    say, units,
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
    /// A whole number from 1 to 18446744073709551615. A path may cost as much, or 14 * 10^18 where it may
    /// go diagonally: what costs more is not guessed, and the answer says so.
    #[arg(long, value_name = "SYMBOL=COST", help_heading = "Map", value_delimiter = ',')]
    cost: Vec<SymbolCost>,

    /// A graph's edges lead one way only
    #[arg(long, help_heading = "Map")]
    directed: bool,

    /// Where to begin: row,col from 0, or a node's name
    #[arg(long, value_name = "PLACE", help_heading = "Map")]
    from: Option<String>,

    /// Where to go; of several, separated by `;`, the nearest [default: the map's goals]
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
    #[arg(long, help_heading = "Search")]
    nearest: bool,

    /// Time for each query, as in 10s, 250ms, 2m
    #[arg(long, value_name = "TIME", value_parser = units::duration, help_heading = "Search")]
    time_limit: Option<Duration>,

    /// Cells to expand for each query
    #[arg(long, value_name = "N", help_heading = "Search")]
    node_limit: Option<u64>,

    /// Memory of the whole process, as in 2GiB [default: half of what is available]
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
                bail!("--cost: found two costs for `{}`, expected one", char::from(one.symbol));
            }
        }
        if self.trace.file().is_some() && (self.distances || self.scenarios.is_some()) {
            bail!("found --trace beside --distances or --scenarios, expected a search for one path");
        }
        let cancel = cancel_on_interrupt()?;
        let (this, switch) = (self.clone(), cancel.clone());
        let place = unless_interrupted(move || this.read(switch))
            .map_err(|error| if is_interruption(&error) { error.context(input::name(&self.map)) } else { error })?;
        // What is there by now counts as it really is.
        let control = memory::control(self.memory_limit, cancel);
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

    /// Reads all that is to be searched, and makes it ready.
    fn read(&self, cancel: Cancel) -> anyhow::Result<Place> {
        let mut room = Room::new(self.memory_limit, cancel);
        let text = room.read(&self.map)?;
        if self.is_graph() {
            return self.read_graph(&text, &mut room).map(Place::Graph);
        }
        if self.directed {
            bail!("found --directed for a map, expected a graph");
        }
        let (terrain, map) = self.prepare(text, &mut room)?;
        let scenarios = self.scenarios.as_ref().map(|file| queries(file, &map, &mut room)).transpose()?;
        Ok(Place::Map(Box::new((terrain, map)), scenarios))
    }

    /// Reads the map and makes it ready, if there is room for that.
    fn prepare(&self, text: String, room: &mut Room) -> anyhow::Result<(Terrain, Map)> {
        let reading = Reading { format: self.map_format, ..Reading::default() };
        let Some(format) = reading.map_format(&text) else { bail!("found a graph, expected a map") };
        let title = || input::name(&self.map);
        let most = format.most_bytes(&text);
        room.take(most, || format!("{}: found a map", title()))?;
        let terrain = format.read(&text, &self.cost).with_context(title)?;
        room.give(most.saturating_sub(terrain.bytes() as u64) + text.capacity() as u64);
        drop(text);
        let (rows, cols) = (terrain.rows(), terrain.cols());
        let map = room.fit(
            || format!("{}: found a map of {rows} rows and {cols} columns", title()),
            |hold| Map::within(&terrain, self.diagonal.unwrap_or(format.diagonal()), hold),
        )?;
        Ok((terrain, map))
    }

    fn is_graph(&self) -> bool {
        let suffix = File::new(&self.map).extension().is_some_and(|suffix| suffix == "graph");
        self.map_format.map_or(suffix, |format| format == MapFormat::Graph)
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

    fn run_map(&self, terrain: &Terrain, map: &Map, control: &Control) -> anyhow::Result<Exit> {
        let from = self.start(terrain)?;
        let to = self.goals(terrain)?;
        let request = self.request();
        let found = self.watched(control, |part| match self.trace.file() {
            None => find_path(map, from, &to, &request, &mut Scratch::new(), part).map(|answer| (answer, None)),
            Some(_) => find_path_traced(map, from, &to, &request, part, &self.trace.tape()).map(recorded),
        })?;
        self.print_found(&found, |answer| render::drawn(terrain, answer))
    }

    /// Has a path found and shows how far that has come.
    fn watched(
        &self,
        control: &Control,
        find: impl FnOnce(&Control) -> Result<Found, PathError> + Send,
    ) -> anyhow::Result<Found> {
        // A clock and counts of its own.
        let part = control.part(Limits::default());
        shown(|| counts(self.algorithm.name(), &part), || find(&part)).map_err(worded)
    }

    /// Prints an answer, and only then writes what was recorded on the way to it, if anything was.
    fn print_found(
        &self,
        (answer, recorded): &Found,
        text: impl FnOnce(&PathAnswer) -> String,
    ) -> anyhow::Result<Exit> {
        let exit = self.print_answer(answer, || text(answer))?;
        Ok(match (self.trace.file(), recorded) {
            (Some(path), Some(traced)) => exit.max(TraceArgs::write_after(path, traced)),
            _ => exit,
        })
    }

    fn read_graph(&self, text: &str, room: &mut Room) -> anyhow::Result<Graph> {
        if self.diagonal.is_some() || !self.cost.is_empty() || self.scenarios.is_some() || self.directions {
            bail!("found --diagonal, --cost, --scenarios or --directions for a graph, expected a map");
        }
        let what = || format!("{}: found a graph", input::name(&self.map));
        room.fit(what, |hold| Graph::within(text, self.directed, hold))?.with_context(|| input::name(&self.map))
    }

    fn run_graph(&self, graph: &Graph, control: &Control) -> anyhow::Result<Exit> {
        if !control.has_room(1) {
            let what = format!("{}: found a graph of {} nodes", input::name(&self.map), graph.len());
            bail!(TooLarge { what, left: 0 });
        }
        let Some(from) = &self.from else { bail!("found no --from, expected the node where the path begins") };
        let request = self.request();
        if self.distances {
            if self.to.is_some() {
                bail!("found --to beside --distances for a graph, expected --from alone");
            }
            let found = match route_costs(graph, from, &request, control).map_err(worded)? {
                Ok(found) => found,
                Err(why) => return Ok(stopped(why)),
            };
            let shown = if self.format == Output::Json {
                let record = CostsRecord { graph, costs: &found.costs };
                format!("{}\n", serde_json::to_string(&record)?)
            } else {
                render::costs(graph, &found)
            };
            say::print(&shown)?;
            return Ok(all_fit(found.too_dear.iter().filter_map(|&node| graph.name(node))));
        }
        let Some(to) = &self.to else { bail!("found no --to, expected the node where the path ends") };
        let goals: Vec<&str> = to.split(';').map(str::trim).collect();
        let found = self.watched(control, |part| match self.trace.file() {
            None => find_route(graph, from, &goals, &request, part).map(|answer| (answer, None)),
            Some(_) => find_route_traced(graph, from, &goals, &request, part, &self.trace.tape()).map(recorded),
        })?;
        self.print_found(&found, render::listed)
    }

    fn run_distances(&self, terrain: &Terrain, map: &Map, control: &Control) -> anyhow::Result<Exit> {
        let (cell, toward) = if self.from.is_none() && self.to.is_some() {
            let goals = self.goals(terrain)?;
            let &[goal] = goals.as_slice() else { bail!("found {} goals, expected one for --distances", goals.len()) };
            (goal, Toward::Cell)
        } else {
            (self.start(terrain)?, Toward::Others)
        };
        let found = match distances(map, cell, toward, &self.request(), control).map_err(worded)? {
            Ok(found) => found,
            Err(why) => return Ok(stopped(why)),
        };
        match self.format {
            Output::Json => {
                let mut out = BufWriter::new(stdout().lock());
                serde_json::to_writer(&mut out, &DistancesRecord { found: &found, directions: self.directions })?;
                out.write_all(b"\n")?;
                out.flush()?;
            }
            Output::Text => say::print(&render::distances(&found, self.directions))?,
        }
        Ok(all_fit(found.too_dear().iter()))
    }

    fn run_scenarios(&self, map: &Map, scenarios: &[Scenario], control: &Control) -> anyhow::Result<Exit> {
        let (request, progress) = (self.request(), Done::default());
        let threads = usize::from(self.threads);
        let run = || run_scenarios(map, scenarios, &request, threads, control, &progress);
        let all = units::show_count(scenarios.len() as u64);
        let said = || format!("{} of {all} queries", units::show_count(progress.count() as u64));
        let summary = shown(said, run).map_err(worded)?;
        let text = match self.format {
            Output::Json => format!("{}\n", serde_json::to_string(&summary)?),
            Output::Text => render::summary(&summary),
        };
        say::print(&text)?;
        Ok(exit_of(&summary))
    }

    fn start(&self, terrain: &Terrain) -> anyhow::Result<Cell> {
        match (&self.from, terrain.start) {
            (Some(text), _) => Cell::from_str(text).context("--from"),
            (None, Some(start)) => Ok(start),
            (None, None) => bail!("found no start in the map and no --from, expected one of them"),
        }
    }

    fn goals(&self, terrain: &Terrain) -> anyhow::Result<Vec<Cell>> {
        match &self.to {
            Some(text) => text.split(';').map(Cell::from_str).collect::<Result<_, _>>().context("--to"),
            None if terrain.goals.is_empty() => bail!("found no goal in the map and no --to, expected one of them"),
            None => Ok(terrain.goals.clone()),
        }
    }

    fn print_answer(&self, answer: &PathAnswer, text: impl FnOnce() -> String) -> anyhow::Result<Exit> {
        let shown = match self.format {
            Output::Json => format!("{}\n", serde_json::to_string(answer)?),
            Output::Text => text(),
        };
        say::print(&shown)?;
        Ok(match answer.verdict {
            PathVerdict::Found { .. } => Exit::Solved,
            PathVerdict::Unreachable { .. } => Exit::NoSolution,
            PathVerdict::Limit { .. } => Exit::Limit,
        })
    }
}

/// What is to be searched: a graph; or a map, as it is written and as it is walked on, and queries of it if there are any.
enum Place {
    Graph(Graph),
    Map(Box<(Terrain, Map)>, Option<Vec<Scenario>>),
}

/// The queries of a file, all of this map.
fn queries(file: &str, map: &Map, room: &mut Room) -> anyhow::Result<Vec<Scenario>> {
    let text = room.read(file)?;
    room.take(Scenario::most_bytes(&text), || format!("{}: found queries", input::name(file)))?;
    let scenarios = Scenario::read_all(&text).with_context(|| input::name(file))?;
    if scenarios.is_empty() {
        bail!("{}: found no query, expected at least one", input::name(file));
    }
    let is_outside = |query: &&Scenario| !map.contains(query.from) || !map.contains(query.to);
    if let Some(query) = scenarios.iter().find(|query| (query.rows, query.cols) != (map.rows(), map.cols())) {
        let (rows, cols) = (map.rows(), map.cols());
        bail!(
            "{}: found a query for a map of {} rows and {} columns, expected {rows} and {cols}",
            input::name(file),
            query.rows,
            query.cols
        );
    }
    if let Some(query) = scenarios.iter().find(is_outside) {
        let (rows, cols) = (map.rows(), map.cols());
        bail!("{}: found the query {query}, expected cells within {rows} rows and {cols} columns", input::name(file));
    }
    Ok(scenarios)
}

/// An answer, and what was recorded on the way to it.
type Found = (PathAnswer, Option<Traced<()>>);

fn recorded(traced: Traced<PathAnswer>) -> Found {
    (traced.answer.clone(), Some(traced.without_answer()))
}

/// An error in the words of this command line.
fn worded(error: PathError) -> anyhow::Error {
    match &error {
        PathError::Overestimates { .. } => anyhow!("{error} (--inadmissible allows it)"),
        PathError::NearestOnGraph => anyhow!("found --nearest for a graph, expected a map"),
        _ => error.into(),
    }
}

fn exit_of(summary: &ScenarioSummary) -> Exit {
    let wrong = if summary.misses.is_empty() { Exit::Solved } else { Exit::NoSolution };
    if summary.stopped > 0 { Exit::Limit } else { wrong }
}

/// Says what is there but costs more than can be said, if anything is.
fn all_fit(mut too_dear: impl Iterator<Item = impl Display> + Clone) -> Exit {
    let more = too_dear.clone().count().saturating_sub(1);
    let Some(first) = too_dear.next() else { return Exit::Solved };
    let others = if more == 0 { String::new() } else { format!(", and to {more} more,") };
    say::complain(format_args!("every path to {first}{others} costs more than a number can say"));
    Exit::Limit
}

fn stopped(why: Stop) -> Exit {
    say::complain(format_args!("stopped: {why}"));
    Exit::Limit
}

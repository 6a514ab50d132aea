//! What is asked of a map or a graph, and printed.

use std::{
    fmt::Display,
    io::{self, Write},
    str::FromStr,
};

use anyhow::{Context, anyhow, bail};
use pintu_engine::{
    Done, memory,
    path::{
        CostsRecord, DistancesRecord, PathAnswer, PathError, PathVerdict, ScenarioSummary, distances, find_path,
        find_path_traced, find_route, find_route_traced, listed_names, route_costs, run_scenarios,
    },
    trace::Traced,
};
use pintu_grid::{Cell, Graph, Map, Scenario, Scratch, Terrain, Toward};
use pintu_search::{Control, Limits, Stop};

use super::{Output, Path};
use crate::{
    exit::Exit,
    input::{self, TooLarge},
    progress::{counts, shown},
    render::path as render,
    say, units,
};

impl Path {
    pub(super) fn run_map(&self, terrain: &Terrain, map: &Map, control: &Control) -> anyhow::Result<Exit> {
        let from = self.start(terrain)?;
        let to = self.goals(terrain)?;
        let request = self.request();
        let found = self.watched(control, |part| match self.trace.file() {
            None => find_path(map, from, &to, &request, &mut Scratch::new(), part).map(|answer| (answer, None)),
            Some(_) => find_path_traced(map, from, &to, &request, part, &self.trace.tape()).map(recorded),
        })?;
        let exit = self.print_found(&found, |out, answer| render::drawn(out, terrain, answer))?;
        if let (PathVerdict::Unreachable { reason }, Output::Text) = (&found.0.verdict, self.format) {
            let advice = "; --nearest goes to the nearest cell that can be reached";
            say::remark(format_args!("{reason}{}", if map.is_free(from) { advice } else { "" }));
        }
        Ok(exit)
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
        text: impl FnOnce(&mut dyn Write, &PathAnswer) -> io::Result<()>,
    ) -> anyhow::Result<Exit> {
        self.trace.write_after(self.print_answer(answer, |out| text(out, answer)), recorded.as_ref())
    }

    pub(super) fn run_graph(&self, graph: &Graph, control: &Control) -> anyhow::Result<Exit> {
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
            match self.format {
                Output::Json => say::print_json(&CostsRecord { graph, costs: &found.costs })?,
                Output::Text => say::print_with(|out| render::costs(out, graph, &found))?,
            }
            return Ok(all_fit(found.too_dear.iter().filter_map(|&node| graph.name(node))));
        }
        let Some(to) = &self.to else { bail!("found no --to, expected the node where the path ends") };
        let goals = listed_names(graph, to);
        let found = self.watched(control, |part| match self.trace.file() {
            None => find_route(graph, from, &goals, &request, part).map(|answer| (answer, None)),
            Some(_) => find_route_traced(graph, from, &goals, &request, part, &self.trace.tape()).map(recorded),
        })?;
        self.print_found(&found, render::listed)
    }

    pub(super) fn run_distances(&self, terrain: &Terrain, map: &Map, control: &Control) -> anyhow::Result<Exit> {
        if self.from.is_some() && self.to.is_some() {
            bail!("found --from and --to beside --distances, expected one of them");
        }
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
            Output::Json => say::print_json(&DistancesRecord { found: &found, directions: self.directions })?,
            Output::Text => say::print_with(|out| render::distances(out, &found, self.directions))?,
        }
        Ok(all_fit(found.too_dear().iter()))
    }

    pub(super) fn run_scenarios(&self, map: &Map, scenarios: &[Scenario], control: &Control) -> anyhow::Result<Exit> {
        let (request, progress) = (self.request(), Done::default());
        let threads = memory::threads(self.memory_limit, usize::from(self.threads));
        let run = || run_scenarios(map, scenarios, &request, threads, control, &progress);
        let all = units::show_count(scenarios.len() as u64);
        let said = || format!("{} of {all} queries", units::show_count(progress.count() as u64));
        let summary = shown(said, run).map_err(worded)?;
        match self.format {
            Output::Json => say::print_json(&summary)?,
            Output::Text => say::print(&render::summary(&summary))?,
        }
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

    fn print_answer(
        &self,
        answer: &PathAnswer,
        text: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> anyhow::Result<Exit> {
        match self.format {
            Output::Json => say::print_json(answer)?,
            Output::Text => say::print_with(text)?,
        }
        Ok(match answer.verdict {
            PathVerdict::Found { .. } => Exit::Solved,
            PathVerdict::Unreachable { .. } => Exit::NoSolution,
            PathVerdict::Limit { .. } => Exit::Limit,
        })
    }
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

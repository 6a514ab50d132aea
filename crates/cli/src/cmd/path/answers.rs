//! Queries of a map or a graph, and their output.

use std::str::FromStr;

use anyhow::{Context, anyhow, bail};
use pintu_engine::{
    Progress,
    path::{
        CheapestPaths, CostsRecord, DistancesRecord, PathAnswer, PathError, PathVerdict, cheapest_paths,
        cheapest_paths_in_graph, costs_in_graph, distances, find_path, find_path_in_graph, find_path_in_graph_traced,
        find_path_traced, run_scenarios,
    },
    trace::Traced,
};
use pintu_grid::{Cell, Graph, Map, Scenario, Scratch, Terrain, Toward};
use pintu_search::{Control, Limits};

use super::Path;
use crate::{
    args::Format,
    exit::Exit,
    progress::{counts, shown},
    render::path as render,
    say, units,
};

impl Path {
    pub(super) fn run_map(&self, terrain: &Terrain, map: &Map, control: &Control) -> anyhow::Result<Exit> {
        let (from, to, request) = (self.start(terrain)?, self.goals(terrain)?, self.request());
        if let Some(count) = self.paths {
            let find = |part: &Control| cheapest_paths(map, from, &to, count as usize, &request, part);
            return self.run_paths(Some(terrain), control, find);
        }
        let (verdict, exit) = self.run_path(Some(terrain), control, |part| match self.trace.file() {
            None => find_path(map, from, &to, &request, &mut Scratch::new(), part).map(|answer| (answer, None)),
            Some(_) => find_path_traced(map, from, &to, &request, part, &self.trace.budget()).map(recorded),
        })?;
        if let (PathVerdict::Unreachable { reason }, Format::Text) = (verdict, self.format.format) {
            let advice = "; --nearest goes to the nearest cell that can be reached";
            say::remark(format_args!("{reason}{}", if map.is_free(from) { advice } else { "" }));
        }
        Ok(exit)
    }

    /// Runs a search, with its progress on the terminal.
    fn watched<T: Send>(
        &self,
        control: &Control,
        find: impl FnOnce(&Control) -> Result<T, PathError> + Send,
    ) -> anyhow::Result<T> {
        // The part has its own clock and counts.
        let part = control.part(Limits::default());
        shown(|| counts(self.algorithm.name(), &part), || find(&part)).map_err(worded)
    }

    /// Finds a path and prints it; then writes the recording, if there is one.
    fn run_path(
        &self,
        terrain: Option<&Terrain>,
        control: &Control,
        find: impl FnOnce(&Control) -> Result<Found, PathError> + Send,
    ) -> anyhow::Result<(PathVerdict, Exit)> {
        let (answer, recording) = self.watched(control, find)?;
        let exit = match answer.verdict {
            PathVerdict::Found { .. } => Exit::Solved,
            PathVerdict::Unreachable { .. } => Exit::NoSolution,
            PathVerdict::Limit { .. } => Exit::Limit,
        };
        let printed = self.format.print(&answer, |out| render::answer(out, terrain, &answer));
        let exit = self.trace.write_after(printed.map(|()| exit), recording.as_ref())?;
        Ok((answer.verdict, exit))
    }

    fn run_paths(
        &self,
        terrain: Option<&Terrain>,
        control: &Control,
        find: impl FnOnce(&Control) -> Result<CheapestPaths, PathError> + Send,
    ) -> anyhow::Result<Exit> {
        let found = self.watched(control, find)?;
        self.format.print(&found, |out| render::paths(out, terrain, &found))?;
        Ok(match (found.stopped, found.paths.is_empty()) {
            (Some(_), _) => Exit::Limit,
            (None, true) => Exit::NoSolution,
            (None, false) => Exit::Solved,
        })
    }

    pub(super) fn run_graph(&self, graph: &Graph, control: &Control) -> anyhow::Result<Exit> {
        let Some(from) = &self.from else { bail!("found no --from, expected the node where the path begins") };
        let request = self.request();
        if self.distances {
            if !self.to.is_empty() {
                bail!("found --to beside --distances for a graph, expected --from alone");
            }
            let costs = costs_in_graph(graph, from, &request, control).map_err(worded)?;
            self.format.print(&CostsRecord { graph, costs: &costs }, |out| render::costs(out, graph, &costs))?;
            return Ok(Exit::Solved);
        }
        if self.to.is_empty() {
            bail!("found no --to, expected the node where the path ends");
        }
        let goals: Vec<&str> = self.to.iter().map(String::as_str).collect();
        if let Some(count) = self.paths {
            let find = |part: &Control| cheapest_paths_in_graph(graph, from, &goals, count as usize, &request, part);
            return self.run_paths(None, control, find);
        }
        let (_, exit) = self.run_path(None, control, |part| match self.trace.file() {
            None => find_path_in_graph(graph, from, &goals, &request, part).map(|answer| (answer, None)),
            Some(_) => {
                find_path_in_graph_traced(graph, from, &goals, &request, part, &self.trace.budget()).map(recorded)
            }
        })?;
        Ok(exit)
    }

    pub(super) fn run_distances(&self, terrain: &Terrain, map: &Map, control: &Control) -> anyhow::Result<Exit> {
        if self.from.is_some() && !self.to.is_empty() {
            bail!("found --from and --to beside --distances, expected one of them");
        }
        let (cell, toward) = if self.from.is_none() && !self.to.is_empty() {
            let goals = self.goals(terrain)?;
            let &[goal] = goals.as_slice() else { bail!("found {} goals, expected one for --distances", goals.len()) };
            (goal, Toward::Cell)
        } else {
            (self.start(terrain)?, Toward::Others)
        };
        let found = distances(map, cell, toward, &self.request(), control).map_err(worded)?;
        let record = DistancesRecord { found: &found, directions: self.directions };
        self.format.print(&record, |out| render::distances(out, &found, self.directions))?;
        Ok(Exit::Solved)
    }

    pub(super) fn run_scenarios(&self, map: &Map, scenarios: &[Scenario], control: &Control) -> anyhow::Result<Exit> {
        let (request, progress) = (self.request(), Progress::default());
        let run = || run_scenarios(map, scenarios, &request, self.limits.threads(), control, &progress);
        let all = units::show_count(scenarios.len() as u64);
        let said = || format!("{} of {all} queries", units::show_count(progress.count() as u64));
        let summary = shown(said, run).map_err(worded)?;
        self.format.print(&summary, |out| render::summary(out, &summary))?;
        let wrong = if summary.misses.is_empty() { Exit::Solved } else { Exit::NoSolution };
        Ok(if summary.stopped > 0 { Exit::Limit } else { wrong })
    }

    fn start(&self, terrain: &Terrain) -> anyhow::Result<Cell> {
        match (&self.from, terrain.start) {
            (Some(text), _) => Cell::from_str(text).context("--from"),
            (None, Some(start)) => Ok(start),
            (None, None) => bail!("found no start in the map and no --from, expected one of them"),
        }
    }

    fn goals(&self, terrain: &Terrain) -> anyhow::Result<Vec<Cell>> {
        if self.to.is_empty() && terrain.goals.is_empty() {
            bail!("found no goal in the map and no --to, expected one of them");
        }
        if self.to.is_empty() {
            return Ok(terrain.goals.clone());
        }
        let cells = self.to.iter().flat_map(|text| text.split(';'));
        cells.map(Cell::from_str).collect::<Result<_, _>>().context("--to")
    }
}

/// An answer, and the recording of its search.
type Found = (PathAnswer, Option<Traced<()>>);

fn recorded(traced: Traced<PathAnswer>) -> Found {
    (traced.answer.clone(), Some(traced.without_answer()))
}

/// An error in the words of this command line.
fn worded(error: PathError) -> anyhow::Error {
    match &error {
        PathError::Overestimates { .. } => anyhow!("{error} (--inadmissible allows it)"),
        PathError::NearestOnGraph => anyhow!("--nearest needs a map, not a graph"),
        _ => error.into(),
    }
}

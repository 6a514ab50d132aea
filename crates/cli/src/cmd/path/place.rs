//! What is to be searched, read and made ready within the memory that there is.

use std::path::Path as File;

use anyhow::{Context, bail};
use pintu_engine::path::{MapFormat, Reading};
use pintu_grid::{Graph, Map, Scenario, Terrain};
use pintu_search::Cancel;

use super::Path;
use crate::input::{self, Room};

/// What is to be searched: a graph; or a map, as it is written and as it is walked on, and queries of it if there are any.
pub(super) enum Place {
    Graph(Graph),
    Map(Box<(Terrain, Map)>, Option<Vec<Scenario>>),
}

impl Path {
    /// Reads all that is to be searched, and makes it ready; the room holds what that takes.
    pub(super) fn read(&self, cancel: Cancel) -> anyhow::Result<(Place, Room)> {
        let mut room = Room::new(self.memory_limit, cancel);
        let text = room.read(&self.map)?;
        if self.is_graph() {
            let graph = self.read_graph(&text, &mut room)?;
            room.give_text(text);
            return Ok((Place::Graph(graph), room));
        }
        if self.directed {
            bail!("found --directed for a map, expected a graph");
        }
        let (terrain, map) = self.prepare(text, &mut room)?;
        let scenarios = self.scenarios.as_ref().map(|file| queries(file, &map, &mut room)).transpose()?;
        Ok((Place::Map(Box::new((terrain, map)), scenarios), room))
    }

    /// Reads the map and makes it ready, if there is room for that.
    fn prepare(&self, text: String, room: &mut Room) -> anyhow::Result<(Terrain, Map)> {
        let reading = Reading { format: self.map_format, ..Reading::default() };
        let Some(format) = reading.map_format(&text) else { bail!("found a graph, expected a map") };
        let title = || input::name(&self.map);
        let most = format.most_bytes(&text);
        room.take(most, || format!("{}: found a map", title()))?;
        let terrain = format.read(&text, &self.cost).with_context(title)?;
        room.give(most.saturating_sub(terrain.bytes() as u64));
        room.give_text(text);
        let (rows, cols) = (terrain.rows(), terrain.cols());
        let map = room.fit(
            || format!("{}: found a map of {rows} rows and {cols} columns", title()),
            |hold| Map::within(&terrain, self.diagonal.unwrap_or(format.diagonal()), hold),
        )?;
        Ok((terrain, map))
    }

    fn read_graph(&self, text: &str, room: &mut Room) -> anyhow::Result<Graph> {
        if self.diagonal.is_some() || !self.cost.is_empty() || self.scenarios.is_some() || self.directions {
            bail!("found --diagonal, --cost, --scenarios or --directions for a graph, expected a map");
        }
        let what = || format!("{}: found a graph", input::name(&self.map));
        room.fit(what, |hold| Graph::within(text, self.directed, hold))?.with_context(|| input::name(&self.map))
    }

    fn is_graph(&self) -> bool {
        let suffix = File::new(&self.map).extension().is_some_and(|suffix| suffix == "graph");
        self.map_format.map_or(suffix, |format| format == MapFormat::Graph)
    }
}

/// The queries of a file, all of this map.
fn queries(file: &str, map: &Map, room: &mut Room) -> anyhow::Result<Vec<Scenario>> {
    let text = room.read(file)?;
    room.take(Scenario::most_bytes(&text), || format!("{}: found queries", input::name(file)))?;
    let scenarios = Scenario::read_all(&text).with_context(|| input::name(file))?;
    room.give_text(text);
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

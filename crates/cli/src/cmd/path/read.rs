//! Reads the map or graph to be searched, within the available memory.

use std::path::Path as File;

use anyhow::{Context, anyhow, bail};
use pintu_engine::path::{MapFormat, Reading};
use pintu_grid::{Format, Graph, Map, Scenario, Terrain};
use pintu_search::{Control, Hold};

use super::Path;
use crate::input::{TooLarge, name, read_within};

/// The input: a graph; or the text of a map and the map prepared from it, and its queries if there are any.
pub(super) enum Input {
    Graph(Graph),
    Map(Box<(Terrain, Map)>, Option<Vec<Scenario>>),
}

impl Path {
    /// Reads the whole input; `hold` has its memory.
    pub(super) fn read(&self, control: &Control, hold: &mut Hold) -> anyhow::Result<Input> {
        let text = read_within(&self.map, control, hold)?;
        let is_named_graph = File::new(&self.map).extension().is_some_and(|suffix| suffix == "graph");
        let format = self.map_format.or(is_named_graph.then_some(MapFormat::Graph));
        let Some(format) = (Reading { format, ..Reading::default() }).map_format(&text) else {
            return self.read_graph(&text, control, hold).map(Input::Graph);
        };
        if self.directed {
            bail!("--directed needs a graph, not a map");
        }
        let (terrain, map) = self.read_map(text, format, control, hold)?;
        let scenarios = self.scenarios.as_ref().map(|file| queries(file, &map, control, hold)).transpose()?;
        Ok(Input::Map(Box::new((terrain, map)), scenarios))
    }

    fn read_map(
        &self,
        text: String,
        format: Format,
        control: &Control,
        hold: &mut Hold,
    ) -> anyhow::Result<(Terrain, Map)> {
        let title = || name(&self.map);
        let most = format.most_bytes(&text);
        hold.more(most).map_err(|_| TooLarge::new(title(), control))?;
        let terrain = format.read(&text, &self.cost).with_context(title);
        // A map of this format has no spaces.
        let first = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
        let is_guess = self.map_format.is_none() && format == Format::Terrain && first.contains(char::is_whitespace);
        let terrain = terrain.map_err(|error| if is_guess { with_graph(&error) } else { error })?;
        hold.less(most.saturating_sub(terrain.bytes() as u64));
        give_back(text, hold);
        let what = || format!("{}: a map of {} rows and {} columns", title(), terrain.rows(), terrain.cols());
        let map = Map::within(&terrain, self.diagonal.unwrap_or(format.diagonal()), hold);
        let map = map.map_err(|_| TooLarge::new(what(), control))?;
        Ok((terrain, map))
    }

    fn read_graph(&self, text: &str, control: &Control, hold: &mut Hold) -> anyhow::Result<Graph> {
        if self.diagonal.is_some() || !self.cost.is_empty() || self.scenarios.is_some() || self.directions {
            bail!("--diagonal, --cost, --scenarios and --directions need a map, not a graph");
        }
        let most = Graph::most_bytes(text);
        hold.more(most).map_err(|_| TooLarge::new(format!("{}: the graph", name(&self.map)), control))?;
        let graph = Graph::read(text, self.directed).with_context(|| name(&self.map))?;
        hold.less(most.saturating_sub(graph.bytes()));
        Ok(graph)
    }
}

/// An error in a map that may have been meant as a graph.
fn with_graph(error: &anyhow::Error) -> anyhow::Error {
    anyhow!("{error:#}; for a graph (lines `from to cost`) use --map-format graph")
}

fn give_back(text: String, hold: &mut Hold) {
    let bytes = text.capacity();
    drop(text);
    hold.less(bytes as u64);
}

/// The queries of a file, all of them about this map.
fn queries(file: &str, map: &Map, control: &Control, hold: &mut Hold) -> anyhow::Result<Vec<Scenario>> {
    let text = read_within(file, control, hold)?;
    hold.more(Scenario::most_bytes(&text)).map_err(|_| TooLarge::new(name(file), control))?;
    let scenarios = Scenario::read_all(&text).with_context(|| name(file))?;
    give_back(text, hold);
    if scenarios.is_empty() {
        bail!("{}: found no query, expected at least one", name(file));
    }
    let (rows, cols) = (map.rows(), map.cols());
    for query in &scenarios {
        if (query.rows, query.cols) != (rows, cols) {
            let (found_rows, found_cols) = (query.rows, query.cols);
            bail!(
                "{}: found a query for a map of {found_rows} rows and {found_cols} columns, expected {rows} and {cols}",
                name(file)
            );
        }
        if !map.contains(query.from) || !map.contains(query.to) {
            bail!("{}: found the query {query}, expected cells within {rows} rows and {cols} columns", name(file));
        }
    }
    Ok(scenarios)
}

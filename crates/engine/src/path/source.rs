//! Maps and graphs, read from a text.

use std::fmt;

use pintu_grid::{Diagonal, Format, FormatError, Graph, Map, SymbolCost, Terrain};

use crate::names::named_enum;

named_enum! {
    MapFormat, "the map format",
    {
        /// `rows cols`, then digits.
        Sea = "sea",
        /// Rows of `#`, `.`, 1 to 9, S and G.
        Terrain = "terrain",
        /// The `MovingAI` benchmarks' maps.
        Octile = "octile",
        /// Lines `from to cost`.
        Graph = "graph",
    }
}

/// The format of a text, and the rules of movement on it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// The format; `None` to recognise it by the first line. (A graph is never recognised.)
    pub format: Option<MapFormat>,
    /// The corner rule, if not the format's own.
    pub diagonal: Option<Diagonal>,
    /// Costs of symbols other than the format's.
    pub costs: Vec<SymbolCost>,
    pub directed: bool,
}

/// A map or a graph to search for paths.
#[derive(Clone)]
pub enum MapOrGraph {
    Map {
        terrain: Terrain,
        /// The terrain prepared for one corner rule.
        map: Box<Map>,
    },
    Graph(Graph),
}

impl Reading {
    /// Reads a map or a graph, and prepares it.
    pub fn read(&self, text: &str) -> Result<MapOrGraph, ReadError> {
        let Some(format) = self.map_format(text) else { return self.read_graph(text) };
        if self.directed {
            return Err(ReadError::Directed);
        }
        let terrain = format.read(text, &self.costs)?;
        let map = Box::new(Map::new(&terrain, self.diagonal.unwrap_or(format.diagonal())));
        Ok(MapOrGraph::Map { terrain, map })
    }

    /// The format of a map; `None` for a graph.
    pub fn map_format(&self, text: &str) -> Option<Format> {
        match self.format {
            Some(MapFormat::Graph) => None,
            Some(MapFormat::Sea) => Some(Format::Sea),
            Some(MapFormat::Terrain) => Some(Format::Terrain),
            Some(MapFormat::Octile) => Some(Format::Octile),
            None => Some(Format::recognise(text)),
        }
    }

    fn read_graph(&self, text: &str) -> Result<MapOrGraph, ReadError> {
        if self.diagonal.is_some() || !self.costs.is_empty() {
            return Err(ReadError::MapsOnly);
        }
        Ok(MapOrGraph::Graph(Graph::read(text, self.directed)?))
    }
}

impl MapOrGraph {
    /// The bytes that it holds, approximately.
    pub fn bytes(&self) -> u64 {
        match self {
            Self::Map { terrain, map } => (map.bytes() + terrain.bytes() + size_of::<Terrain>()) as u64,
            Self::Graph(graph) => graph.bytes(),
        }
    }
}

impl fmt::Debug for MapOrGraph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Map { map, .. } => write!(f, "Map({}×{})", map.rows(), map.cols()),
            Self::Graph(graph) => write!(f, "Graph({})", graph.len()),
        }
    }
}

/// Why a text is neither a map nor a graph.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ReadError {
    #[error(transparent)]
    Format(#[from] FormatError),
    #[error("found `directed` for a map, expected a graph")]
    Directed,
    #[error("found a corner rule or costs of symbols for a graph, expected a map")]
    MapsOnly,
}

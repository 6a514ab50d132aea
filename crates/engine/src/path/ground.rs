//! What paths are looked for on, read from a text.

use std::{fmt, str::FromStr};

use pintu_grid::{Diagonal, Format, FormatError, Graph, GraphError, Map, SymbolCost, Terrain};

use crate::{UnknownName, names::named};

/// How a map or a graph is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MapFormat {
    /// `rows cols`, then digits.
    Sea,
    /// Rows of `#`, `.`, 1 to 9, S and G.
    Terrain,
    /// The `MovingAI` benchmarks' maps.
    Octile,
    /// Lines `from to cost`.
    Graph,
}

impl MapFormat {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Sea, Self::Terrain, Self::Octile, Self::Graph];

    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sea => "sea",
            Self::Terrain => "terrain",
            Self::Octile => "octile",
            Self::Graph => "graph",
        }
    }
}

named!(MapFormat, "the map format");

/// How a text is to be read, and how one moves on what it says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// The format, if it is not to be told by the first line. (That never tells a graph.)
    pub format: Option<MapFormat>,
    /// The corner rule, if not the format's own.
    pub diagonal: Option<Diagonal>,
    /// What symbols cost, if not what the format says.
    pub costs: Vec<SymbolCost>,
    /// Whether a graph's edges lead one way only.
    pub directed: bool,
}

/// What paths are looked for on.
#[derive(Clone)]
pub enum Ground {
    /// A map.
    Map {
        /// What the file says.
        terrain: Terrain,
        /// The same, prepared for one way of moving.
        map: Box<Map>,
    },
    /// A graph.
    Graph(Graph),
}

impl Reading {
    /// Reads a map or a graph, and prepares it.
    pub fn read(&self, text: &str) -> Result<Ground, ReadError> {
        let Some(format) = self.map_format(text) else { return self.read_graph(text) };
        if self.directed {
            return Err(ReadError::Directed);
        }
        let terrain = format.read(text, &self.costs)?;
        let map = Box::new(Map::new(&terrain, self.diagonal.unwrap_or(format.diagonal())));
        Ok(Ground::Map { terrain, map })
    }

    /// How a map is written; `None` for a graph.
    pub fn map_format(&self, text: &str) -> Option<Format> {
        match self.format {
            Some(MapFormat::Graph) => None,
            Some(MapFormat::Sea) => Some(Format::Sea),
            Some(MapFormat::Terrain) => Some(Format::Terrain),
            Some(MapFormat::Octile) => Some(Format::Octile),
            None => Some(Format::recognise(text)),
        }
    }

    fn read_graph(&self, text: &str) -> Result<Ground, ReadError> {
        if self.diagonal.is_some() || !self.costs.is_empty() {
            return Err(ReadError::MapsOnly);
        }
        Ok(Ground::Graph(Graph::read(text, self.directed)?))
    }
}

impl Ground {
    /// The bytes that it holds, as nearly as it knows.
    pub fn bytes(&self) -> u64 {
        match self {
            Self::Map { terrain, map } => {
                map.bytes() as u64 + u64::from(terrain.rows()) * u64::from(terrain.cols()) + size_of::<Terrain>() as u64
            }
            Self::Graph(graph) => graph.bytes(),
        }
    }
}

impl fmt::Debug for Ground {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Map { map, .. } => write!(f, "Map({}×{})", map.rows(), map.cols()),
            Self::Graph(graph) => write!(f, "Graph({})", graph.len()),
        }
    }
}

/// Why a text is nothing to look for paths on.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ReadError {
    /// The map is wrong.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// The graph is wrong.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// A map whose edges are to lead one way.
    #[error("found `directed` for a map, expected a graph")]
    Directed,
    /// A graph on which one is to move diagonally, or over ground.
    #[error("found a corner rule or costs of symbols for a graph, expected a map")]
    MapsOnly,
}

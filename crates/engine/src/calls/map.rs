use std::{collections::BTreeMap, sync::Arc};

use pintu_grid::{Cell, Diagonal, Heuristic, SymbolCost, Terrain};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{CallBounds, CallError, LimitsBody, MapText, field, parsed, weight};
use crate::path::{MapOrGraph, PathAlgorithm, PathRequest, Reading};

/// A map or a graph, the ends of a path, and how to search for it.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct MapBody {
    map: Option<String>,
    map_id: Option<String>,
    format: Option<String>,
    diagonal: Option<String>,
    costs: Option<BTreeMap<String, u64>>,
    directed: Option<bool>,
    from: Option<End>,
    to: Option<Vec<End>>,
    algorithm: Option<String>,
    heuristic: Option<String>,
    weight: Option<f64>,
    inadmissible: Option<bool>,
    nearest: Option<bool>,
    limits: Option<LimitsBody>,
}

/// A cell of a map, or a node of a graph.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "expected [row, col] on a map, a node's name in a graph")]
enum End {
    Cell([u32; 2]),
    Name(String),
}

#[derive(Debug)]
pub struct MapRequest {
    pub reading: Reading,
    pub request: PathRequest,
    from: Option<End>,
    to: Option<Vec<End>>,
}

impl MapBody {
    /// The map and the search, within the caller's bounds.
    pub fn request(self, bounds: &CallBounds) -> Result<(MapText, MapRequest), CallError> {
        let text = match (self.map, self.map_id) {
            (Some(text), None) => MapText::Whole(Arc::from(text)),
            (None, Some(id)) => MapText::Known(id),
            _ => return Err(field("map", "found both or neither of map and map_id, expected one of them")),
        };
        let cost = |(symbol, cost): (String, u64)| format!("{symbol}={cost}").parse::<SymbolCost>();
        let costs: Result<Vec<_>, _> = self.costs.unwrap_or_default().into_iter().map(cost).collect();
        let reading = Reading {
            format: parsed(self.format, "format")?,
            diagonal: parsed::<Diagonal>(self.diagonal, "diagonal")?,
            costs: costs.map_err(|error| field("costs", error))?,
            directed: self.directed.unwrap_or(false),
        };
        let limits = self.limits.unwrap_or_default();
        if limits.max_depth.is_some() {
            return Err(field("limits.max_depth", "found it for a map, on which nothing has a use for it"));
        }
        let request = PathRequest {
            algorithm: parsed(self.algorithm, "algorithm")?.unwrap_or(PathAlgorithm::Auto),
            heuristic: parsed::<Heuristic>(self.heuristic, "heuristic")?,
            weight: weight(self.weight, "weight")?,
            inadmissible: self.inadmissible.unwrap_or(false),
            nearest: self.nearest.unwrap_or(false),
            limits: limits.within(bounds)?,
        };
        Ok((text, MapRequest { reading, request, from: self.from, to: self.to }))
    }
}

impl MapRequest {
    /// The start of a path on a map: the body's, else the map's own.
    pub fn start(&self, terrain: &Terrain) -> Result<Cell, CallError> {
        let named = self.from.as_ref().map(|end| end.cell("from")).transpose()?;
        let start = named.or(terrain.start);
        start.ok_or_else(|| field("from", "found no start here nor in the map, expected one of them"))
    }

    pub fn goals(&self, terrain: &Terrain) -> Result<Vec<Cell>, CallError> {
        match &self.to {
            Some(ends) => ends.iter().map(|end| end.cell("to")).collect(),
            None if terrain.goals.is_empty() => {
                Err(field("to", "found no goal here nor in the map, expected one of them"))
            }
            None => Ok(terrain.goals.clone()),
        }
    }

    pub fn start_name(&self) -> Result<&str, CallError> {
        let named = self.from.as_ref().ok_or_else(|| field("from", "found none, expected a node's name"))?;
        named.name("from")
    }

    pub fn goal_names(&self) -> Result<Vec<&str>, CallError> {
        let named = self.to.as_ref().ok_or_else(|| field("to", "found none, expected a list of nodes' names"))?;
        named.iter().map(|end| end.name("to")).collect()
    }

    /// Whether distances are to the goal instead of from the start, because only a goal is named.
    pub fn is_toward(&self) -> bool {
        self.from.is_none() && self.to.is_some()
    }

    /// Reads the map, with this request's format, rules and costs.
    pub fn read(&self, text: &str, most_cells: u64) -> Result<MapOrGraph, CallError> {
        let found = self.reading.read(text).map_err(|error| CallError::new("bad-map", format!("map: {error}")))?;
        if let MapOrGraph::Map { map, .. } = &found
            && u64::from(map.rows()) * u64::from(map.cols()) > most_cells
        {
            let (rows, cols) = (map.rows(), map.cols());
            return Err(CallError::new(
                "bad-map",
                format!("map: found {rows} rows and {cols} columns, expected at most {most_cells} cells"),
            ));
        }
        Ok(found)
    }
}

impl End {
    fn cell(&self, what: &str) -> Result<Cell, CallError> {
        match self {
            Self::Cell([row, col]) => Ok(Cell::new(*row, *col)),
            Self::Name(name) => Err(field(what, format!("found `{name}`, expected [row, col] on a map"))),
        }
    }

    fn name(&self, what: &str) -> Result<&str, CallError> {
        match self {
            Self::Name(name) => Ok(name),
            Self::Cell([row, col]) => {
                Err(field(what, format!("found [{row}, {col}], expected a node's name in a graph")))
            }
        }
    }
}

use std::{collections::BTreeMap, sync::Arc};

use pintu_engine::path::{Ground, PathRequest, Reading};
use pintu_grid::{Cell, Diagonal, Heuristic, SymbolCost, Terrain};
use pintu_search::Weight;
use serde::Deserialize;

use super::{Spend, field, named};
use crate::{config::Config, error::ApiError, maps::MapText};

/// A map or a graph, where to go on it, and how to look for the way.
#[derive(Debug, Deserialize)]
pub(crate) struct MapBody {
    map: Option<String>,
    map_id: Option<String>,
    format: Option<String>,
    diagonal: Option<String>,
    costs: Option<BTreeMap<String, u64>>,
    directed: Option<bool>,
    from: Option<Spot>,
    to: Option<Vec<Spot>>,
    algorithm: Option<String>,
    heuristic: Option<String>,
    weight: Option<f64>,
    inadmissible: Option<bool>,
    nearest: Option<bool>,
    limits: Option<Spend>,
}

/// A place on a map, or in a graph.
#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "expected [row, col] on a map, a node's name in a graph")]
enum Spot {
    Cell([u32; 2]),
    Name(String),
}

/// What is asked about a map.
#[derive(Debug)]
pub(crate) struct Question {
    pub(crate) reading: Reading,
    pub(crate) request: PathRequest,
    from: Option<Spot>,
    to: Option<Vec<Spot>>,
}

impl MapBody {
    /// The map, and what is asked about it, cut to what the server allows.
    pub(crate) fn question(self, config: &Config) -> Result<(MapText, Question), ApiError> {
        let text = match (self.map, self.map_id) {
            (Some(text), None) => MapText::Whole(Arc::from(text)),
            (None, Some(id)) => MapText::Known(id),
            _ => return Err(field("map", "found both or neither of map and map_id, expected one of them")),
        };
        let cost = |(symbol, cost): (String, u64)| format!("{symbol}={cost}").parse::<SymbolCost>();
        let costs: Result<Vec<_>, _> = self.costs.unwrap_or_default().into_iter().map(cost).collect();
        let reading = Reading {
            format: named(self.format, "format")?,
            diagonal: named::<Diagonal>(self.diagonal, "diagonal")?,
            costs: costs.map_err(|error| field("costs", error))?,
            directed: self.directed.unwrap_or(false),
        };
        let spend = self.limits.unwrap_or_default();
        if spend.max_depth.is_some() {
            return Err(field("limits.max_depth", "found it for a map, on which nothing has a use for it"));
        }
        let request = PathRequest {
            algorithm: named(self.algorithm, "algorithm")?.unwrap_or(pintu_engine::path::PathAlgorithm::Auto),
            heuristic: named::<Heuristic>(self.heuristic, "heuristic")?,
            weight: self.weight.map(Weight::new).transpose().map_err(|error| field("weight", error))?,
            inadmissible: self.inadmissible.unwrap_or(false),
            nearest: self.nearest.unwrap_or(false),
            limits: spend.limits(&config.bounds)?,
        };
        Ok((text, Question { reading, request, from: self.from, to: self.to }))
    }
}

impl Question {
    /// Where a path on a map begins: where the body says, else where the map does.
    pub(crate) fn start(&self, terrain: &Terrain) -> Result<Cell, ApiError> {
        let said = self.from.as_ref().map(|spot| spot.cell("from")).transpose()?;
        let start = said.or(terrain.start);
        start.ok_or_else(|| field("from", "found no start here nor in the map, expected one of them"))
    }

    /// Where it may end.
    pub(crate) fn goals(&self, terrain: &Terrain) -> Result<Vec<Cell>, ApiError> {
        match &self.to {
            Some(spots) => spots.iter().map(|spot| spot.cell("to")).collect(),
            None if terrain.goals.is_empty() => {
                Err(field("to", "found no goal here nor in the map, expected one of them"))
            }
            None => Ok(terrain.goals.clone()),
        }
    }

    /// Where a path in a graph begins.
    pub(crate) fn start_name(&self) -> Result<&str, ApiError> {
        let said = self.from.as_ref().ok_or_else(|| field("from", "found none, expected a node's name"))?;
        said.name("from")
    }

    /// Where it may end.
    pub(crate) fn goal_names(&self) -> Result<Vec<&str>, ApiError> {
        let said = self.to.as_ref().ok_or_else(|| field("to", "found none, expected a list of nodes' names"))?;
        said.iter().map(|spot| spot.name("to")).collect()
    }

    /// Whether a goal is named and a start is not: then it is the way to there that is asked for.
    pub(crate) fn is_toward(&self) -> bool {
        self.from.is_none() && self.to.is_some()
    }

    /// The ground as the question wants it read.
    pub(crate) fn read(&self, text: &str, most_cells: u64) -> Result<Ground, ApiError> {
        let ground = self.reading.read(text).map_err(|error| ApiError::bad("bad-map", format!("map: {error}")))?;
        if let Ground::Map { map, .. } = &ground
            && u64::from(map.rows()) * u64::from(map.cols()) > most_cells
        {
            let (rows, cols) = (map.rows(), map.cols());
            return Err(ApiError::bad(
                "bad-map",
                format!("map: found {rows} rows and {cols} columns, expected at most {most_cells} cells"),
            ));
        }
        Ok(ground)
    }
}

impl Spot {
    fn cell(&self, what: &str) -> Result<Cell, ApiError> {
        match self {
            Self::Cell([row, col]) => Ok(Cell::new(*row, *col)),
            Self::Name(name) => Err(field(what, format!("found `{name}`, expected [row, col] on a map"))),
        }
    }

    fn name(&self, what: &str) -> Result<&str, ApiError> {
        match self {
            Self::Name(name) => Ok(name),
            Self::Cell([row, col]) => {
                Err(field(what, format!("found [{row}, {col}], expected a node's name in a graph")))
            }
        }
    }
}

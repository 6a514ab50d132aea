//! How far everything is, as it is written to JSON.

use pintu_grid::{Cell, Distances, Graph};
use serde::{Serialize, Serializer, ser::SerializeMap};

use super::PathCost;

/// Distances on a map as they are written: a matrix with `null` where there is no path; with directions, an object of
/// two. Row by row, for maps are large.
#[derive(Debug)]
pub struct DistancesRecord<'a> {
    /// What was found.
    pub found: &'a Distances,
    /// Whether to say which way the shortest paths lead.
    pub directions: bool,
}

impl Serialize for DistancesRecord<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let found = self.found;
        let distances = Matrix { found, entry: |cell| found.length(cell).map(PathCost::from) };
        if !self.directions {
            return distances.serialize(serializer);
        }
        let mut object = serializer.serialize_map(Some(2))?;
        object.serialize_entry("distances", &distances)?;
        let steps = |cell| found.step(cell).map(|step| <[i32; 2]>::from(step.delta()));
        object.serialize_entry("directions", &Matrix { found, entry: steps })?;
        object.end()
    }
}

struct Matrix<'a, F> {
    found: &'a Distances,
    entry: F,
}

impl<T: Serialize, F: Fn(Cell) -> T> Serialize for Matrix<'_, F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let cols = self.found.cols();
        let row = |row| (0..cols).map(|col| (self.entry)(Cell::new(row, col))).collect::<Vec<T>>();
        serializer.collect_seq((0..self.found.rows()).map(row))
    }
}

/// Costs on a graph as they are written: by name, `null` where no edges lead.
#[derive(Debug)]
pub struct CostsRecord<'a> {
    /// The graph.
    pub graph: &'a Graph,
    /// What it costs to get to each of its nodes.
    pub costs: &'a [Option<PathCost>],
}

impl Serialize for CostsRecord<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let names = (0..self.graph.len() as u32).filter_map(|node| self.graph.name(node));
        serializer.collect_map(names.zip(self.costs))
    }
}

//! Estimates from where the nodes of a graph lie.

use pintu_search::Space;

use super::{Edge, Graph};
use crate::Heuristic;

/// An estimate from the nodes' coordinates: the distance to the nearest goal.
#[derive(Clone, Copy, Debug)]
pub struct Metric<'a> {
    graph: &'a Graph,
    heuristic: Heuristic,
    goals: &'a [u32],
    /// An edge along which the estimate falls by more than the edge costs.
    too_cheap: Option<(u32, usize)>,
}

/// Upper bound of the relative error that rounding makes in a distance.
const ROUNDING: f64 = 1e-12;

impl Metric<'_> {
    /// An edge that costs less than the distance between its ends, in words. If there is none, the
    /// estimate never overestimates.
    pub fn overestimates(&self) -> Option<String> {
        let graph = self.graph;
        self.too_cheap.map(|(from, edge)| {
            let Edge { to, cost } = graph.forward.edges[edge];
            let (apart, cost) = (graph.apart(self.heuristic, from, to), graph.cost(cost));
            let [from, to] = [from, to].map(|node| graph.name(node).unwrap_or_default());
            format!("the edge from {from} to {to} costs {cost}, and the {} distance is {apart:.6}", self.heuristic)
        })
    }

    fn at(&self, node: u32) -> u64 {
        let nearest =
            self.goals.iter().map(|&goal| self.graph.apart(self.heuristic, node, goal)).fold(f64::MAX, f64::min);
        // An edge may cost less than its length by as much as rounding is allowed for, so twice that is subtracted. No
        // reported path costs more than the greatest cost, and sums with that fit.
        ((nearest * self.graph.unit as f64 * (1.0 - 2.0 * ROUNDING)) as u64).min(self.graph.max_cost())
    }
}

impl<S: Space<State = u32, Cost = u64>> pintu_search::Heuristic<S> for Metric<'_> {
    type Memo = u64;

    fn start(&self, state: &u32) -> u64 {
        self.at(*state)
    }

    fn estimate(&self, memo: u64) -> Option<u64> {
        Some(memo)
    }

    fn is_admissible(&self) -> bool {
        self.too_cheap.is_none()
    }
}

impl Graph {
    /// An estimate of what is left to the nearest goal from where the nodes lie.
    pub fn metric<'a>(&'a self, heuristic: Heuristic, goals: &'a [u32]) -> Result<Metric<'a>, MetricError> {
        match self.nodes.iter().find(|(_, position)| position.is_none()) {
            Some((name, _)) if heuristic != Heuristic::None => Err(MetricError { name: name.to_string(), heuristic }),
            _ => Ok(Metric { graph: self, heuristic, goals, too_cheap: self.too_cheap(heuristic) }),
        }
    }

    fn apart(&self, heuristic: Heuristic, a: u32, b: u32) -> f64 {
        let (Some(a), Some(b)) = (self.position(a), self.position(b)) else {
            return 0.0;
        };
        let (x, y) = ((a.0 - b.0).abs(), (a.1 - b.1).abs());
        match heuristic {
            Heuristic::None => 0.0,
            Heuristic::Manhattan => x + y,
            Heuristic::Euclidean => x.hypot(y),
            Heuristic::Chebyshev => x.max(y),
            Heuristic::Octile => (x - y).abs() + x.min(y) * std::f64::consts::SQRT_2,
        }
    }

    /// The first edge that costs less than the distance between its ends: its node, and its number.
    fn too_cheap(&self, heuristic: Heuristic) -> Option<(u32, usize)> {
        let mut edges = (0..self.len() as u32).flat_map(|from| self.forward.of(from).map(move |edge| (from, edge)));
        edges.find(|&(from, edge)| {
            let Edge { to, cost } = self.forward.edges[edge];
            self.cost(cost) < self.apart(heuristic, from, to) * (1.0 - ROUNDING)
        })
    }
}

/// A node has no coordinates, which an estimate needs.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the {heuristic} distance needs coordinates, and {name} has none: expected a line `@ {name} x y`")]
pub struct MetricError {
    name: String,
    heuristic: Heuristic,
}

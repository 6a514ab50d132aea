//! Random graphs and limits, for the tests that need some.

#![allow(dead_code, reason = "no test needs all of it")]
#![expect(unreachable_pub, reason = "each test sees it as a module of its own")]

use pintu_search::{Backward, Control, Limits, Space};
use proptest::prelude::*;

/// A control that grants `nodes` expansions.
pub fn limited(nodes: u64) -> Control {
    Control::new(Limits::none().nodes(nodes))
}

/// A directed graph with costs; an action is an index into a node's edges.
#[derive(Clone, Debug)]
pub struct Graph {
    pub edges: Vec<Vec<(usize, u32)>>,
    pub goals: Vec<usize>,
}

impl Space for Graph {
    type State = usize;
    type Action = usize;
    type Cost = u32;

    fn actions(&self, state: &usize) -> impl Iterator<Item = usize> {
        0..self.edges[*state].len()
    }

    fn apply(&self, state: &mut usize, action: &usize) -> u32 {
        let (to, cost) = self.edges[*state][*action];
        *state = to;
        cost
    }

    fn is_goal(&self, state: &usize) -> bool {
        self.goals.contains(state)
    }
}

impl Backward for Graph {
    fn goals(&self) -> impl Iterator<Item = usize> {
        self.goals.iter().copied()
    }

    fn origins(&self, state: &usize) -> impl Iterator<Item = (usize, u32)> {
        let into = move |from: usize| {
            self.edges[from].iter().filter(move |(to, _)| to == state).map(move |&(_, cost)| (from, cost))
        };
        (0..self.edges.len()).flat_map(into)
    }
}

impl Graph {
    /// The cheapest way from every node to a goal, by relaxing every edge until nothing changes.
    pub fn costs_to_goal(&self, step: impl Fn(u32) -> u32) -> Vec<Option<u32>> {
        let mut costs = vec![None; self.edges.len()];
        for &goal in &self.goals {
            costs[goal] = Some(0);
        }
        for _ in 0..self.edges.len() {
            for (from, edges) in self.edges.iter().enumerate() {
                for &(to, cost) in edges {
                    let Some(rest) = costs[to] else { continue };
                    let total = rest + step(cost);
                    if costs[from].is_none_or(|known| total < known) {
                        costs[from] = Some(total);
                    }
                }
            }
        }
        costs
    }

    /// The cheapest way from one of some nodes to every node.
    pub fn costs_from(&self, starts: &[usize]) -> Vec<Option<u32>> {
        let to = |goal| Self { goals: vec![goal], ..self.clone() }.costs_to_goal(|cost| cost);
        (0..self.edges.len()).map(|node| starts.iter().filter_map(|&start| to(node)[start]).min()).collect()
    }
}

/// A graph and one to three of its nodes, to start at.
pub fn graphs(cost: impl Strategy<Value = u32> + Clone) -> impl Strategy<Value = (Graph, Vec<usize>)> {
    (2_usize..14).prop_flat_map(move |nodes| {
        let edges = prop::collection::vec(prop::collection::vec((0..nodes, cost.clone()), 0..4), nodes);
        let goals = prop::collection::vec(0..nodes, 0..5);
        let starts = prop::collection::vec(0..nodes, 1..4);
        (edges, goals, starts).prop_map(|(edges, goals, starts)| (Graph { edges, goals }, starts))
    })
}

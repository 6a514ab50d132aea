use std::fmt;

use crate::{Cost, Space};

/// How a search ended, and what it took.
pub struct Report<S: Space> {
    /// Solved, proved impossible, or stopped.
    pub outcome: Outcome<S>,
    /// What the search did until then.
    pub counters: Counters,
}

impl<S: Space> Report<S> {
    /// The solution, if there is one.
    pub fn solution(&self) -> Option<&Solution<S>> {
        match &self.outcome {
            Outcome::Solved(solution) => Some(solution),
            _ => None,
        }
    }
}

/// The three ways in which a search ends.
pub enum Outcome<S: Space> {
    /// A path to a goal was found.
    Solved(Solution<S>),
    /// The search has seen all that can be reached: there is no path.
    NoSolution,
    /// The search gave up. There may be a path.
    Stopped {
        /// What ended it.
        why: Stop,
        /// No path is cheaper than this, where the algorithm knows. (For the algorithms that count
        /// steps, BFS and DFS and their kin: no path has fewer steps.)
        lower_bound: Option<Cost>,
    },
}

/// A path to a goal, and what is known about its quality.
pub struct Solution<S: Space> {
    /// The path itself.
    pub path: Path<S>,
    /// The sum of its steps' costs.
    pub cost: Cost,
    /// What the algorithm guarantees.
    pub guarantee: Guarantee,
    /// No path is cheaper than this, where the algorithm knows. (For the algorithms that count
    /// steps: no path has fewer steps.)
    pub lower_bound: Option<Cost>,
}

/// What an algorithm guarantees about the paths it returns (provided that the heuristic, if it uses
/// one, is admissible).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Guarantee {
    /// No path is cheaper.
    Cheapest,
    /// No path has fewer steps.
    Shortest,
    /// The cheapest path costs at least this fraction of it: cost ≤ weight × optimum.
    Within {
        /// The factor.
        weight: f64,
    },
    /// Nothing but that it is a path.
    None,
}

/// A start and the actions that lead from it to a goal.
pub struct Path<S: Space> {
    /// Where the path begins.
    pub start: S::State,
    /// What to do, one after the other.
    pub actions: Vec<S::Action>,
}

impl<S: Space> Path<S> {
    /// The number of steps.
    pub fn len(&self) -> usize {
        self.actions.len()
    }

    /// Whether the start is a goal already.
    pub fn is_empty(&self) -> bool {
        self.actions.is_empty()
    }

    /// The sum of the steps' costs, unless it does not fit a [`Cost`].
    pub fn cost(&self, space: &S) -> Option<Cost> {
        let mut state = self.start.clone();
        self.actions.iter().try_fold(0, |sum: Cost, action| sum.checked_add(space.apply(&mut state, action)))
    }

    /// The states along the path, both ends included.
    pub fn states<'a>(&'a self, space: &'a S) -> impl Iterator<Item = S::State> + 'a {
        let mut state = self.start.clone();
        std::iter::once(state.clone()).chain(self.actions.iter().map(move |action| {
            space.apply(&mut state, action);
            state.clone()
        }))
    }
}

/// Why a search ended without an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stop {
    /// As many states as allowed were expanded.
    Nodes,
    /// Time ran out.
    Time,
    /// The next table would not fit into the memory allowed.
    Memory,
    /// Everything within the depth bound was searched, and the bound cut something off.
    Depth,
    /// Somebody asked it to.
    Cancelled,
    /// A path's cost did not fit a [`Cost`].
    Overflow,
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Nodes => "the node limit was reached",
            Self::Time => "the time limit was reached",
            Self::Memory => "the memory limit was reached",
            Self::Depth => "nothing was found within the depth bound",
            Self::Cancelled => "the search was cancelled",
            Self::Overflow => "a path's cost grew beyond what a cost can hold",
        })
    }
}

/// What a search has done. Every algorithm counts the same way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// States taken up, the goal included: the goal is tested when a state is taken up.
    pub expanded: u64,
    /// Successors produced, those pruned at once included, and the start once. Iterative algorithms
    /// sum over their iterations and still count the start once.
    pub generated: u64,
    /// The most states held at once.
    pub peak_states: u64,
    /// The most bytes that the algorithm's tables, queues and stacks held at once. Memory that
    /// states own on the heap is not seen.
    pub peak_bytes: u64,
}

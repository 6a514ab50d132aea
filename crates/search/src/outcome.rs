use std::fmt;

use crate::{Cost, Space};

/// How a search of a space `S` ended: what every algorithm returns.
pub type ReportOf<S> = Report<<S as Space>::State, <S as Space>::Action, <S as Space>::Cost>;

/// How a search ended, and what it took.
#[derive(Clone, Debug, PartialEq)]
#[must_use]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Report<St, A, C> {
    /// Solved, proved impossible, or stopped.
    pub outcome: Outcome<St, A, C>,
    /// The counts of the search until then.
    pub counters: Counters,
}

impl<St, A, C> Report<St, A, C> {
    /// A report.
    pub fn new(outcome: Outcome<St, A, C>, counters: Counters) -> Self {
        Self { outcome, counters }
    }

    /// The solution, if there is one.
    pub fn solution(&self) -> Option<&Solution<St, A, C>> {
        match &self.outcome {
            Outcome::Solved(solution) => Some(solution),
            _ => None,
        }
    }

    /// The solution itself, if there is one.
    pub fn into_solution(self) -> Option<Solution<St, A, C>> {
        self.into_result().ok()
    }

    /// The solution, or why there is none: an error that tells "there is no path" from "the search was stopped".
    ///
    /// ```
    /// use pintu_search::{bfs, from_fn, Control, Limits, Stop, Unsolved};
    ///
    /// let line = from_fn(|&n: &u32| (n < 9).then_some((n + 1, 1_u32)), |&n| n == 10);
    /// assert_eq!(bfs(&line, &0, ()).into_result(), Err(Unsolved::NoSolution));
    /// let control = Control::new(Limits::none().nodes(5));
    /// let stopped = bfs(&line, &0, &control).into_result().unwrap_err();
    /// assert_eq!(stopped.stop(), Some(Stop::Nodes));
    /// assert_eq!(stopped.to_string(), "the node limit was reached");
    /// ```
    pub fn into_result(self) -> Result<Solution<St, A, C>, Unsolved<C>> {
        match self.outcome {
            Outcome::Solved(solution) => Ok(solution),
            Outcome::NoSolution => Err(Unsolved::NoSolution),
            Outcome::Stopped { why, lower_bound } => Err(Unsolved::Stopped { why, lower_bound }),
        }
    }
}

/// Why a search found no solution: the error of [`Report::into_result`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Unsolved<C> {
    /// There is no path.
    NoSolution,
    /// The search was stopped. There may be a path.
    Stopped {
        /// What stopped it.
        why: Stop,
        /// A lower bound of all paths, if one is known.
        lower_bound: Option<Bound<C>>,
    },
}

impl<C> Unsolved<C> {
    /// What stopped the search, if it was stopped.
    pub fn stop(&self) -> Option<Stop> {
        match self {
            Self::NoSolution => None,
            Self::Stopped { why, .. } => Some(*why),
        }
    }
}

impl<C> fmt::Display for Unsolved<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSolution => f.write_str("there is no path to a goal"),
            Self::Stopped { why, .. } => why.fmt(f),
        }
    }
}

impl<C: fmt::Debug> std::error::Error for Unsolved<C> {}

/// The three ways in which a search ends.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Outcome<St, A, C> {
    /// A path to a goal was found.
    Solved(Solution<St, A, C>),
    /// There is no path: all that can be reached was searched.
    NoSolution,
    /// The search was stopped. There may be a path.
    Stopped {
        /// What stopped it.
        why: Stop,
        /// A lower bound of all paths, if one is known.
        lower_bound: Option<Bound<C>>,
    },
}

/// A path to a goal, and what is known about its quality.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Solution<St, A, C> {
    /// The path itself.
    pub path: Path<St, A>,
    /// The sum of its steps' costs.
    pub cost: C,
    /// The algorithm's guarantee.
    pub guarantee: Guarantee,
    /// A lower bound of all paths, if one is known.
    pub lower_bound: Option<Bound<C>>,
}

/// A lower bound of all paths: a cost for algorithms that look for the cheapest path, a number of steps for those that look
/// for the fewest steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Bound<C> {
    /// No path is cheaper.
    Cost(C),
    /// No path has fewer steps.
    Steps(u64),
}

impl<C: Copy> Bound<C> {
    /// The bound on costs, if it is one.
    pub fn cost(self) -> Option<C> {
        match self {
            Self::Cost(cost) => Some(cost),
            Self::Steps(_) => None,
        }
    }

    /// The bound on steps, if it is one.
    pub fn steps(self) -> Option<u64> {
        match self {
            Self::Cost(_) => None,
            Self::Steps(steps) => Some(steps),
        }
    }
}

/// An algorithm's guarantee of the paths that it returns.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Guarantee {
    /// No path is cheaper.
    Cheapest,
    /// No path has fewer steps.
    Shortest,
    /// It costs at most `weight` times as much as a cheapest path.
    Within {
        /// The factor.
        weight: f64,
    },
    /// No guarantee of its cost.
    None,
}

/// A start and the actions that lead from it to a goal.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Path<St, A> {
    /// The first state of the path.
    pub start: St,
    /// The actions, in order.
    pub actions: Vec<A>,
}

impl<St: Clone, A> Path<St, A> {
    /// The number of steps.
    pub fn len(&self) -> usize {
        self.actions.len()
    }

    /// Whether the start is a goal already.
    pub fn is_empty(&self) -> bool {
        self.actions.is_empty()
    }

    /// The sum of the steps' costs, if it fits.
    pub fn cost<S: Space<State = St, Action = A>>(&self, space: &S) -> Option<S::Cost> {
        let mut state = self.start.clone();
        self.actions.iter().try_fold(S::Cost::ZERO, |sum, action| sum.checked_add(space.apply(&mut state, action)))
    }

    /// The last state of the path.
    pub fn end<S: Space<State = St, Action = A>>(&self, space: &S) -> St {
        let mut state = self.start.clone();
        for action in &self.actions {
            space.apply(&mut state, action);
        }
        state
    }

    /// The states along the path, both ends included.
    pub fn into_states<S: Space<State = St, Action = A>>(self, space: &S) -> Vec<St> {
        let mut states = Vec::with_capacity(self.actions.len() + 1);
        states.push(self.start);
        for action in self.actions {
            let (next, _) = space.follow(&states[states.len() - 1], action);
            states.push(next);
        }
        states
    }

    /// The states along the path, both ends included, one after the other.
    pub fn states<'a, S: Space<State = St, Action = A>>(&'a self, space: &'a S) -> impl Iterator<Item = St> + 'a {
        let mut state = self.start.clone();
        std::iter::once(state.clone()).chain(self.actions.iter().map(move |action| {
            space.apply(&mut state, action);
            state.clone()
        }))
    }
}

/// Why a search ended without an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Stop {
    /// The node limit was reached.
    Nodes,
    /// The time limit was reached.
    Time,
    /// The search needed more memory than is allowed.
    Memory,
    /// Everything within the depth bound was searched, and the bound cut something off.
    Depth,
    /// The search was cancelled.
    Cancelled,
    /// No goal was found, and paths were dropped because their cost does not fit.
    Overflow,
}

impl Stop {
    /// The stop in one word, for JSON and tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Nodes => "nodes",
            Self::Time => "time",
            Self::Memory => "memory",
            Self::Depth => "depth",
            Self::Cancelled => "cancelled",
            Self::Overflow => "cost",
        }
    }
}

impl std::error::Error for Stop {}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Nodes => "the node limit was reached",
            Self::Time => "the time limit was reached",
            Self::Memory => "the memory limit was reached",
            Self::Depth => "nothing was found within the depth bound",
            Self::Cancelled => "the search was cancelled",
            Self::Overflow => "a path's cost does not fit its number type",
        })
    }
}

/// The counts of a search. Every algorithm counts the same way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Counters {
    /// Expanded states, the goal included: the goal test is made when a state is expanded.
    pub expanded: u64,
    /// Generated states, those pruned at once included, and the start once. Iterative algorithms
    /// sum over their iterations and still count the start once.
    pub generated: u64,
    /// The most states held at once.
    pub peak_states: u64,
    /// The most bytes that the algorithm's tables, queues and stacks held at once. Memory that
    /// states own on the heap is not seen.
    pub peak_bytes: u64,
}

impl Counters {
    /// Counts of states, with nothing held.
    pub const fn new(expanded: u64, generated: u64) -> Self {
        Self { expanded, generated, peak_states: 0, peak_bytes: 0 }
    }
}

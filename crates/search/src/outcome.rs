use std::fmt;

use crate::{Cost, Space};

/// How a search of a space `S` ended: what every algorithm returns.
pub type ReportOf<S> = Report<<S as Space>::State, <S as Space>::Action, <S as Space>::Cost>;

/// How a search ended, and what it took.
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub struct Report<St, A, C> {
    /// Solved, proved impossible, or stopped.
    pub outcome: Outcome<St, A, C>,
    /// What the search did until then.
    pub counters: Counters,
}

impl<St, A, C> Report<St, A, C> {
    /// The solution, if there is one.
    pub fn solution(&self) -> Option<&Solution<St, A, C>> {
        match &self.outcome {
            Outcome::Solved(solution) => Some(solution),
            _ => None,
        }
    }

    /// The solution itself, if there is one.
    ///
    /// ```
    /// use pintu_search::{dijkstra, from_fn};
    ///
    /// let line = from_fn(|&n: &u32| [(n + 1, 2_u32)], |&n| n == 4);
    /// let path = dijkstra(&line, &0, ()).into_solution().unwrap().path;
    /// assert_eq!(path.into_states(&line), [0, 1, 2, 3, 4]);
    /// ```
    pub fn into_solution(self) -> Option<Solution<St, A, C>> {
        match self.outcome {
            Outcome::Solved(solution) => Some(solution),
            _ => None,
        }
    }
}

/// The three ways in which a search ends.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome<St, A, C> {
    /// A path to a goal was found.
    Solved(Solution<St, A, C>),
    /// The search has seen all that can be reached: there is no path.
    NoSolution,
    /// The search gave up. There may be a path.
    Stopped {
        /// What ended it.
        why: Stop,
        /// What every path takes at least, where the algorithm knows.
        lower_bound: Option<Bound<C>>,
    },
}

/// A path to a goal, and what is known about its quality.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution<St, A, C> {
    /// The path itself.
    pub path: Path<St, A>,
    /// The sum of its steps' costs.
    pub cost: C,
    /// What the algorithm guarantees.
    pub guarantee: Guarantee,
    /// What every path takes at least, where the algorithm knows.
    pub lower_bound: Option<Bound<C>>,
}

/// What every path takes at least. Algorithms that look for the cheapest path know a cost; those that look for the
/// fewest steps, BFS and its kin, know a number of steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound<C> {
    /// No path is cheaper.
    Cost(C),
    /// No path has fewer steps.
    Steps(u64),
}

impl<C: Copy> Bound<C> {
    /// The cost, if that is what is known.
    pub fn cost(self) -> Option<C> {
        match self {
            Self::Cost(cost) => Some(cost),
            Self::Steps(_) => None,
        }
    }

    /// The number of steps, if that is what is known.
    pub fn steps(self) -> Option<u64> {
        match self {
            Self::Cost(_) => None,
            Self::Steps(steps) => Some(steps),
        }
    }
}

/// What an algorithm guarantees about the paths it returns.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path<St, A> {
    /// Where the path begins.
    pub start: St,
    /// What to do, one after the other.
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

    /// Where the path ends: which of the goals it is.
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
pub enum Stop {
    /// As many states as allowed were expanded.
    Nodes,
    /// Time ran out.
    Time,
    /// What was to grow would not have fitted into the memory allowed.
    Memory,
    /// Everything within the depth bound was searched, and the bound cut something off.
    Depth,
    /// Somebody asked it to.
    Cancelled,
    /// Nothing was left but paths whose costs do not fit.
    Overflow,
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
            Self::Overflow => "every path that it came to is dearer than a cost can say",
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

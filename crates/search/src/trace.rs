use std::ops::ControlFlow::{self, Continue};

use crate::{Counters, Node, Observer, Stop};

/// The observer that records which states were expanded, in order, up to a number that is set
/// beforehand.
///
/// ```
/// use pintu_search::{bfs, from_fn, Trace};
///
/// let space = from_fn(|&n: &u32| [(n + 1, 1_u32), (n + 10, 1)], |&n| n == 11);
/// let mut trace = Trace::new(4);
/// bfs(&space, &0, &mut trace);
/// let states: Vec<u32> = trace.visits().iter().map(|visit| visit.state).collect();
/// assert_eq!(states, [0, 1, 10, 2]);
/// assert!(trace.is_full());
/// ```
#[derive(Clone, Debug)]
pub struct Trace<St, C = u32> {
    visits: Vec<Visit<St, C>>,
    most: usize,
}

/// One state that was taken up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Visit<St, C = u32> {
    /// The state.
    pub state: St,
    /// What had been paid to get there.
    pub cost: C,
    /// What the heuristic said was left.
    pub estimate: Option<C>,
}

impl<St, C> Trace<St, C> {
    /// A trace that keeps the first `most` visits.
    pub fn new(most: usize) -> Self {
        Self { visits: Vec::new(), most }
    }

    /// What was recorded.
    pub fn visits(&self) -> &[Visit<St, C>] {
        &self.visits
    }

    /// Whether visits beyond the last one recorded may be missing.
    pub fn is_full(&self) -> bool {
        self.visits.len() == self.most
    }
}

impl<St: Clone, C: Copy> Observer<St, C> for Trace<St, C> {
    fn expand(&mut self, node: &Node<'_, St, C>, _: &Counters) -> ControlFlow<Stop> {
        if !self.is_full() {
            self.visits.push(Visit { state: node.state.clone(), cost: node.cost, estimate: node.estimate });
        }
        Continue(())
    }
}

use crate::{
    Blend, Counters, Guarantee, Heuristic, Node, Observer, Report, ReportOf, Run, Space, Starts,
    best_first::outcome,
    driver::{Id, Rank},
    reach::Walk,
};

/// A best-first search that is advanced from outside, one expansion at a time: to draw it, interleave it with
/// other work, or look at each state.
///
/// It expands the same states in the same order as [`best_first`](crate::best_first()), and ends with the same report. There
/// is an example on the [front page](crate).
#[must_use]
pub struct Stepper<'a, S: Space, H: Heuristic<S>, O = ()> {
    walk: Walk<'a, 'a, S, H, O>,
    rank: Blend,
    goal: Option<Id>,
}

impl<'a, S: Space, H: Heuristic<S>, O: Observer<S::State, S::Cost>> Stepper<'a, S, H, O> {
    /// A search that has not expanded anything yet. [`Blend`] says which: A*, greedy search or weighted A*.
    pub fn new(
        space: &'a S,
        start: &(impl Starts<S::State> + ?Sized),
        heuristic: H,
        rank: Blend,
        run: impl Run<'a, S::State, S::Cost, Observer = O>,
    ) -> Self {
        let (control, observer) = run.parts();
        let walk = Walk::new(space, heuristic, rank, start.all(), control, observer).ending_at_first_goal();
        Self { walk, rank, goal: None }
    }

    /// Expands the next state and returns it; `None` once the search has ended. A goal is the last state.
    pub fn step(&mut self) -> Option<Node<'_, S::State, S::Cost>> {
        let (id, cost) = self.advance()?;
        self.walk.pause();
        Some(self.walk.nodes().node(id, cost))
    }

    fn advance(&mut self) -> Option<(Id, S::Cost)> {
        let (id, cost, is_goal) = self.walk.next()?;
        if is_goal {
            self.goal = Some(id);
            self.walk.end();
        }
        Some((id, cost))
    }

    /// The counts of the search so far.
    pub fn counters(&self) -> Counters {
        self.walk.counters()
    }

    /// A lower bound of all paths' costs, if one is known.
    pub fn lower_bound(&mut self) -> Option<S::Cost> {
        self.walk.lower_bound()
    }

    /// Searches to the end, if that is not reached yet, and reports.
    pub fn finish(mut self) -> ReportOf<S> {
        while self.advance().is_some() {}
        let (lower_bound, counters) = (self.walk.lower_bound(), self.walk.counters());
        let (nodes, found) = (self.walk.nodes(), self.walk.stopped().map_or(Ok(self.goal), Err));
        let is_admissible = nodes.heuristic.is_admissible();
        let guarantee = if is_admissible { Rank::<S::Cost>::guarantee(&self.rank) } else { Guarantee::None };
        Report { outcome: outcome(nodes, found, guarantee, lower_bound), counters }
    }
}

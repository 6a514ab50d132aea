use std::ops::ControlFlow::{self, Break, Continue};

use crate::{
    Control, Counters, Hold, Meter, Observer, Stop,
    driver::{Id, Nodes, Progress, Queue, Rank, Search},
};

/// A best-first search that goes on when it is asked for the next state, and takes no notice of goals.
///
/// A state is expanded when the one after it is asked for: who has seen enough pays for no more.
pub(crate) struct Walk<'c, N: Nodes, Q, R: Rank<N::Cost>, O> {
    nodes: N,
    queue: Q,
    rank: R,
    hold: Hold,
    meter: Meter<'c>,
    observer: O,
    progress: Progress<R::Value>,
    /// What was returned last and is yet to be expanded.
    last: Option<(Id, N::Cost)>,
    ended: Option<ControlFlow<Stop>>,
}

/// The driver's search, as a walk puts it together.
pub(crate) type Step<'a, 'c, N, Q, R, O> = Search<'a, 'c, Q, R, O, <R as Rank<<N as Nodes>::Cost>>::Value>;

impl<'c, N, Q, R, O> Walk<'c, N, Q, R, O>
where
    N: Nodes,
    Q: Queue<R::Value, N::Cost>,
    R: Rank<N::Cost>,
    O: Observer<N::State, N::Cost>,
{
    pub(crate) fn new(nodes: N, queue: Q, rank: R, control: &'c Control, observer: O) -> Self {
        let (hold, meter) = (control.hold(), control.meter());
        Self { nodes, queue, rank, hold, meter, observer, progress: Progress::new(&rank), last: None, ended: None }
    }

    /// Meets the starts.
    pub(crate) fn begin(&mut self, meet: impl FnOnce(&mut N, &mut Step<'_, 'c, N, Q, R, O>) -> ControlFlow<Stop>) {
        if let Break(why) = self.step(meet) {
            self.ended = Some(Break(why));
        }
    }

    /// The next node, what was paid to get there, and whether it is a goal.
    pub(crate) fn next(&mut self) -> Option<(Id, N::Cost, bool)> {
        if self.ended.is_some() {
            return None;
        }
        let last = self.last.take();
        let next = self.step(|nodes, search| {
            if let Some((id, paid)) = last {
                nodes.expand(id, paid, search)?;
            }
            search.next(nodes, None)
        });
        match next {
            Continue(Some((id, paid, is_goal))) => {
                self.last = Some((id, paid));
                return Some((id, paid, is_goal));
            }
            Continue(None) => self.ended = Some(self.step(|nodes, search| search.settle(nodes))),
            Break(why) => self.ended = Some(Break(why)),
        }
        None
    }

    /// Does not go on from the node that was returned last.
    pub(crate) fn leave(&mut self) {
        self.last = None;
    }

    fn step<T>(&mut self, work: impl FnOnce(&mut N, &mut Step<'_, 'c, N, Q, R, O>) -> T) -> T {
        let mut search = Search {
            queue: &mut self.queue,
            rank: self.rank,
            hold: &mut self.hold,
            meter: &mut self.meter,
            observer: &mut self.observer,
            progress: &mut self.progress,
            // It goes on past goals, so that it knows nothing about what a solution costs at least.
            is_admissible: false,
        };
        let done = work(&mut self.nodes, &mut search);
        self.meter.counters.peak_states = self.nodes.count();
        done
    }

    pub(crate) fn nodes(&self) -> &N {
        &self.nodes
    }

    pub(crate) fn hold(&mut self) -> &mut Hold {
        &mut self.hold
    }

    /// The nodes, and the hold on all that was held.
    pub(crate) fn into_parts(self) -> (N, Hold) {
        (self.nodes, self.hold)
    }

    pub(crate) fn stopped(&self) -> Option<Stop> {
        self.ended.and_then(ControlFlow::break_value)
    }

    pub(crate) fn counters(&self) -> Counters {
        Counters { peak_bytes: self.hold.peak(), ..self.meter.counters }
    }
}

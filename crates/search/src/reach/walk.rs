use crate::{
    Blend, Control, Cost, Counters, Heuristic, Hold, Meter, Observer, Space, Stop, Tree,
    driver::{Buckets, Id, Nodes, Progress, Search},
    hashed::Hashed,
    table::Table,
};

/// A best-first search that goes on when it is asked for the next state. Whether that is a goal makes no difference.
///
/// A state is expanded when the one after it is asked for: a caller that stops early pays for no more.
pub(crate) struct Walk<'a, 'c, S: Space, H: Heuristic<S>, O> {
    nodes: Hashed<'a, S, H>,
    queue: Buckets<S::Cost>,
    rank: Blend,
    hold: Hold,
    meter: Meter<'c>,
    observer: O,
    progress: Progress<<S::Cost as Cost>::Rank>,
    /// Whether the search ends at the first goal and the heuristic is admissible, so that it knows a lower bound.
    is_admissible: bool,
    /// The node that was returned last, which is yet to be expanded.
    last: Option<(Id, S::Cost)>,
    ended: Option<Result<(), Stop>>,
}

/// The driver's search, as a walk puts it together.
type SearchOf<'a, 'c, C, O> = Search<'a, 'c, Buckets<C>, Blend, O, <C as Cost>::Rank>;

impl<'a, 'c, S: Space, H: Heuristic<S>, O: Observer<S::State, S::Cost>> Walk<'a, 'c, S, H, O> {
    pub(crate) fn new(
        space: &'a S,
        heuristic: H,
        rank: Blend,
        starts: &[S::State],
        control: &'c Control,
        observer: O,
    ) -> Self {
        let mut walk = Self {
            nodes: Hashed { space, heuristic, starts: &[], tree: Tree::Forward, table: Table::new() },
            queue: Buckets::new(),
            rank,
            hold: control.hold(),
            meter: control.meter(),
            observer,
            progress: Progress::new::<S::Cost>(&rank),
            is_admissible: false,
            last: None,
            ended: None,
        };
        walk.ended = walk.search(|nodes, search| nodes.begin_at(starts, search)).err().map(Err);
        walk
    }

    /// The same search, which ends at the first goal: it knows a lower bound if its heuristic is admissible.
    pub(crate) fn ending_at_first_goal(self) -> Self {
        Self { is_admissible: self.nodes.is_admissible(), ..self }
    }

    /// The next node, the cost of the path to it, and whether it is a goal.
    pub(crate) fn next(&mut self) -> Option<(Id, S::Cost, bool)> {
        if self.ended.is_some() {
            return None;
        }
        let last = self.last.take();
        let next = self.search(|nodes, search| {
            if let Some((id, paid)) = last {
                nodes.expand(id, paid, search)?;
            }
            search.next(nodes, None)
        });
        match next {
            Ok(Some((id, paid, is_goal))) => {
                self.last = Some((id, paid));
                return Some((id, paid, is_goal));
            }
            Ok(None) => self.ended = Some(self.progress.check_overflow()),
            Err(why) => self.ended = Some(Err(why)),
        }
        None
    }

    /// Does not expand the node that was returned last.
    pub(crate) fn skip_last(&mut self) {
        self.last = None;
    }

    pub(crate) fn end(&mut self) {
        self.ended.get_or_insert(Ok(()));
    }

    /// Gives the expansions that were granted and not used back to other searches: the caller may not go on for long.
    pub(crate) fn pause(&mut self) {
        self.meter.pause();
    }

    fn search<T>(&mut self, work: impl FnOnce(&mut Hashed<'a, S, H>, &mut SearchOf<'_, 'c, S::Cost, O>) -> T) -> T {
        let mut search = Search {
            queue: &mut self.queue,
            rank: self.rank,
            hold: &mut self.hold,
            meter: &mut self.meter,
            observer: &mut self.observer,
            progress: &mut self.progress,
            is_admissible: self.is_admissible,
        };
        let done = work(&mut self.nodes, &mut search);
        self.meter.note_states(self.nodes.count());
        done
    }

    pub(crate) fn lower_bound(&mut self) -> Option<S::Cost> {
        self.search(|nodes, search| search.lower_bound(nodes))
    }

    pub(crate) fn nodes(&self) -> &Hashed<'a, S, H> {
        &self.nodes
    }

    pub(crate) fn hold(&mut self) -> &mut Hold {
        &mut self.hold
    }

    /// The nodes, and the hold on their memory.
    pub(crate) fn into_parts(self) -> (Hashed<'a, S, H>, Hold) {
        (self.nodes, self.hold)
    }

    pub(crate) fn stopped(&self) -> Option<Stop> {
        self.ended.and_then(Result::err)
    }

    pub(crate) fn counters(&self) -> Counters {
        Counters { peak_bytes: self.hold.peak(), ..*self.meter.counters() }
    }
}

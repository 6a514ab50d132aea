//! Dijkstra's algorithm and A* from both ends.

mod meeting;

use self::meeting::{Meet, Meeting, Side, Watching};
use crate::{
    Backward, Bound, Control, Cost, Counters, Guarantee, Heuristic, Hold, Meter, Observer, Outcome, Report, ReportOf,
    Reversed, Run, Solution, Space, Starts, Stop, Tree, Zero,
    driver::{Nodes, Search},
    hashed::Hashed,
    path::{OutcomeOf, joined, through},
};

/// Dijkstra's algorithm from the start and from the goals at once: a cheapest path.
///
/// A path that is not known yet leaves the forward half at an open state and enters the backward half at another, so it
/// costs at least what the two cheapest open states cost together: when the best path found costs no more, it is a
/// cheapest one.
///
/// ```
/// use pintu_search::{bidirectional_dijkstra, from_fn};
///
/// let step = |&n: &u64| [(n + 1, 1_u32), (n * 2, 3)];
/// let back = |&n: &u64| [(n - 1, 1_u32), (n / 2, 3)].into_iter().filter(move |p| p.0 + 1 == n || p.0 * 2 == n);
/// let space = from_fn(step, |&n| n == 1000).backward(vec![1000], back);
/// assert_eq!(bidirectional_dijkstra(&space, &1, ()).solution().unwrap().cost, 30);
/// ```
pub fn bidirectional_dijkstra<'c, S: Backward>(
    space: &S,
    start: &(impl Starts<S::State> + ?Sized),
    run: impl Run<'c, S::State, S::Cost>,
) -> ReportOf<S> {
    run.run(|control, observer| search(space, start.all(), Zero, Zero, Meet { is_blind: true }, control, observer))
}

/// A* from both ends that meets in the middle: a cheapest path, if both heuristics are admissible; neither needs to be
/// consistent. `to_goal` estimates what is left from a state to a goal, `from_start` what it costs to get to a state from
/// the start.
///
/// Both halves rank a state by the greater of `g + h` and `2 g`, and the half with the smaller rank goes on. A path that is
/// not known yet, of cost `c`, has an open state in either half to which the half knows a cheapest path; in one of them
/// `g ≤ c / 2`, and `g + h ≤ c` in both. So the smallest rank of all is at most `c`: when the best path found costs no more
/// than that, it is a cheapest one. (This is the algorithm MM.)
///
/// ```
/// use pintu_search::{bidirectional_astar, from_fn};
///
/// let around = |&(x, y): &(i32, i32)| [((x + 1, y), 1_u32), ((x - 1, y), 1), ((x, y + 1), 1), ((x, y - 1), 1)];
/// let plane = from_fn(around, |&at| at == (9, 5)).backward(vec![(9, 5)], around);
/// let to_goal = |&(x, y): &(i32, i32)| x.abs_diff(9) + y.abs_diff(5);
/// let from_start = |&(x, y): &(i32, i32)| x.unsigned_abs() + y.unsigned_abs();
/// let report = bidirectional_astar(&plane, &(0, 0), to_goal, from_start, ());
/// assert_eq!(report.solution().unwrap().cost, 14);
/// ```
pub fn bidirectional_astar<'a, 'c, S, F, B>(
    space: &'a S,
    start: &(impl Starts<S::State> + ?Sized),
    to_goal: F,
    from_start: B,
    run: impl Run<'c, S::State, S::Cost>,
) -> ReportOf<S>
where
    S: Backward,
    F: Heuristic<S>,
    B: Heuristic<Reversed<'a, S>>,
{
    run.run(|control, observer| {
        search(space, start.all(), to_goal, from_start, Meet { is_blind: false }, control, observer)
    })
}

fn search<'a, S, F, B, O>(
    space: &'a S,
    starts: &[S::State],
    to_goal: F,
    from_start: B,
    rule: Meet,
    control: &Control,
    observer: &mut O,
) -> ReportOf<S>
where
    S: Backward,
    F: Heuristic<S>,
    B: Heuristic<Reversed<'a, S>>,
    O: Observer<S::State, S::Cost>,
{
    let is_admissible = to_goal.is_admissible() && from_start.is_admissible();
    let reversed = Reversed(space);
    let goals: Vec<S::State> = space.goals().collect();
    let mut halves = Halves {
        forward: Side::new(space, to_goal, starts, Tree::Forward),
        backward: Side::new(&reversed, from_start, &goals, Tree::Backward),
        shared: Shared { rule, hold: control.hold(), meter: control.meter(), observer, best: None },
        bound: S::Cost::ZERO.total(S::Cost::ZERO),
    };
    let met = halves.run();
    let counters = halves.counters();
    let bound = Some(S::Cost::at_least(halves.bound, 1)).filter(|_| is_admissible);
    let outcome = match met {
        Ok(None) => Outcome::NoSolution,
        Ok(Some(meeting)) => halves.solved(space, &meeting, is_admissible),
        Err(why) => Outcome::Stopped { why, lower_bound: bound.map(Bound::Cost) },
    };
    Report { outcome, counters }
}

/// Both halves, and what they share.
struct Halves<'x, 'a, 'c, S: Backward, F: Heuristic<S>, B: Heuristic<Reversed<'a, S>>, O> {
    forward: Side<'x, S, F>,
    backward: Side<'x, Reversed<'a, S>, B>,
    shared: Shared<'x, 'c, S::Cost, O>,
    /// Lower bound of all paths' costs.
    bound: <S::Cost as Cost>::Rank,
}

struct Shared<'x, 'c, C: Cost, O> {
    rule: Meet,
    hold: Hold,
    meter: Meter<'c>,
    observer: &'x mut O,
    best: Option<Meeting<C>>,
}

impl<'a, S, F, B, O> Halves<'_, 'a, '_, S, F, B, O>
where
    S: Backward,
    F: Heuristic<S>,
    B: Heuristic<Reversed<'a, S>>,
    O: Observer<S::State, S::Cost>,
{
    fn run(&mut self) -> Result<Option<Meeting<S::Cost>>, Stop> {
        let Self { forward, backward, shared, .. } = self;
        shared.advance(forward, &backward.nodes)?;
        shared.advance(backward, &forward.nodes)?;
        while let (Some(first), Some(last)) = (self.forward.first(), self.backward.first()) {
            let joint = self.shared.rule.joint::<S::Cost>([first, last]);
            if self.shared.best.as_ref().is_some_and(|best| best.total <= joint) {
                break;
            }
            self.raise(joint)?;
            if first <= last {
                self.shared.advance(&mut self.forward, &self.backward.nodes)?;
            } else {
                self.shared.advance(&mut self.backward, &self.forward.nodes)?;
            }
        }
        // A half that has no open state and dropped no path has seen every state that it can reach.
        if self.shared.best.is_none() && !self.forward.is_exhausted() && !self.backward.is_exhausted() {
            return Err(Stop::Overflow);
        }
        Ok(self.shared.best.take())
    }

    fn raise(&mut self, joint: <S::Cost as Cost>::Rank) -> Result<(), Stop> {
        if joint > self.bound {
            self.bound = joint;
            if self.forward.nodes.is_admissible() && self.backward.nodes.is_admissible() {
                let bound = S::Cost::at_least(joint, 1);
                self.shared.meter.control().note_bound(bound.whole());
                self.shared.observer.iteration(Bound::Cost(bound), self.shared.meter.counters())?;
            }
        }
        Ok(())
    }

    fn counters(&mut self) -> Counters {
        let states = self.forward.nodes.count() + self.backward.nodes.count();
        self.shared.meter.finish(states, self.shared.hold.peak())
    }

    fn solved(&self, space: &S, meeting: &Meeting<S::Cost>, is_admissible: bool) -> OutcomeOf<S> {
        let [forward, backward] =
            [self.forward.nodes.states_to(meeting.forward), self.backward.nodes.states_to(meeting.backward)];
        let path = through(space, &joined(forward, backward));
        let Some(cost) = path.cost(space) else {
            let lower_bound = is_admissible.then(|| Bound::Cost(S::Cost::at_least(self.bound, 1)));
            return Outcome::Stopped { why: Stop::Overflow, lower_bound };
        };
        let (guarantee, lower_bound) =
            if is_admissible { (Guarantee::Cheapest, Some(Bound::Cost(cost))) } else { (Guarantee::None, None) };
        Outcome::Solved(Solution { path, cost, guarantee, lower_bound })
    }
}

impl<C: Cost, O> Shared<'_, '_, C, O> {
    /// Expands the first open state of one half; the first time, generates its starts.
    fn advance<S, H, T, G>(&mut self, side: &mut Side<'_, S, H>, other: &Hashed<'_, T, G>) -> Result<(), Stop>
    where
        S: Space<Cost = C>,
        H: Heuristic<S>,
        T: Space<State = S::State, Cost = C>,
        G: Heuristic<T>,
        O: Observer<S::State, C>,
    {
        let entry = side.first_entry.take();
        let has_begun = std::mem::replace(&mut side.has_begun, true);
        let Self { rule, hold, meter, observer, best } = self;
        let Side { nodes, queue, progress, .. } = side;
        let (tree, is_admissible) = (nodes.tree, nodes.is_admissible());
        let search = Search { queue, rank: *rule, hold, meter, observer: &mut **observer, progress, is_admissible };
        let mut watching = Watching { search, other, best, tree };
        if !has_begun {
            return nodes.begin(&mut watching);
        }
        let Some((_, id)) = entry else { return Ok(()) };
        let Some(paid) = watching.search.close(nodes, id)? else { return Ok(()) };
        nodes.expand(id, paid, &mut watching)
    }
}

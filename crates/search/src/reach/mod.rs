//! Everything that can be reached, one state after the other.

mod run;
mod unweighted;
mod walk;

pub use self::run::LazyRun;
use self::unweighted::{InTurn, Line, Stack, Unweighted};
pub(crate) use self::walk::Walk;
use crate::{
    Control, Counters, Heuristic, Observer, Solution, Space, Starts, Stop, Tree, Zero,
    driver::{Blend, Buckets},
    hashed::Hashed,
    path::{PathOf, proven, through},
    table::Table,
};

/// All states that can be reached, each with the fewest steps that lead there, in the order in which breadth-first search
/// takes them up. Goals are states like any other.
///
/// Nothing is searched before it is asked for.
///
/// ```
/// use pintu_search::{breadth_first, from_fn};
///
/// let numbers = from_fn(|&n: &u32| [(n + 1, 1_u32), (n * 3, 1)], |_| false);
/// let near: Vec<_> = breadth_first(&numbers, &1, ()).take_while(|&(_, steps)| steps <= 2).collect();
/// assert_eq!(near, [(1, 0), (2, 1), (3, 1), (6, 2), (4, 2), (9, 2)]);
/// ```
#[doc(alias = "bfs_reach")]
pub fn breadth_first<'a, S: Space, R: LazyRun<'a, S::State, S::Cost>>(
    space: &'a S,
    start: &(impl Starts<S::State> + ?Sized),
    run: R,
) -> BreadthFirst<'a, S, R::Observer> {
    let (control, observer) = run.parts();
    let mut walk = Walk::new(Unweighted::breadth_first(space), Line::new(), InTurn, control, observer);
    walk.begin(|nodes, search| nodes.begin_at(start.all(), search));
    BreadthFirst(walk)
}

/// All states that can be reached, each with its depth, in the order in which a recursive depth-first search enters them:
/// a state comes before all that is first found through it, and its successors are tried in the order of their actions.
///
/// ```
/// use pintu_search::{depth_first, from_fn};
///
/// let tree = from_fn(|&n: &u32| [(2 * n, 1_u32), (2 * n + 1, 1)].into_iter().filter(|to| to.0 < 8), |_| false);
/// let order: Vec<u32> = depth_first(&tree, &1, ()).map(|(n, _)| n).collect();
/// assert_eq!(order, [1, 2, 4, 5, 3, 6, 7]);
/// ```
#[doc(alias = "dfs_reach")]
pub fn depth_first<'a, S: Space, R: LazyRun<'a, S::State, S::Cost>>(
    space: &'a S,
    start: &(impl Starts<S::State> + ?Sized),
    run: R,
) -> DepthFirst<'a, S, R::Observer> {
    let (control, observer) = run.parts();
    let mut walk = Walk::new(Unweighted::depth_first(space), Stack::new(), InTurn, control, observer);
    walk.begin(|nodes, search| nodes.begin_at(start.all(), search));
    DepthFirst(walk)
}

/// All states that can be reached, each with the cost of the cheapest way there, in the order of that cost.
///
/// ```
/// use pintu_search::{cheapest_first, from_fn, Control, Limits, Stop};
///
/// let numbers = from_fn(|&n: &u32| [(n + 1, 2_u32), (n * 3, 1)], |_| false);
/// let cheap: Vec<_> = cheapest_first(&numbers, &1, ()).take_while(|&(_, cost)| cost < 3).collect();
/// assert_eq!(cheap, [(1, 0), (3, 1), (9, 2), (2, 2)]);
///
/// let control = Control::new(Limits { nodes: Some(50), ..Limits::default() });
/// let mut all = cheapest_first(&numbers, &1, &control);
/// assert_eq!(all.by_ref().count(), 50);
/// assert_eq!(all.stopped(), Some(Stop::Nodes));
/// ```
#[doc(alias = "dijkstra_reach")]
pub fn cheapest_first<'a, S: Space, R: LazyRun<'a, S::State, S::Cost>>(
    space: &'a S,
    start: &(impl Starts<S::State> + ?Sized),
    run: R,
) -> CheapestFirst<'a, S, R::Observer> {
    let (control, observer) = run.parts();
    CheapestFirst(by_cost(space, start.all(), control, observer))
}

/// A cheapest path to every goal that can be reached, the nearest goal first: `take(k)` for the nearest `k`.
///
/// ```
/// use pintu_search::{from_fn, nearest_goals};
///
/// let numbers = from_fn(|&n: &u32| [(n + 1, 1_u32), (n + 10, 5)], |&n| n % 7 == 0);
/// let costs: Vec<_> = nearest_goals(&numbers, &8, ()).take(3).map(|goal| goal.cost).collect();
/// assert_eq!(costs, [6, 8, 10]);
/// let goals: Vec<_> = nearest_goals(&numbers, &8, ()).take(3).map(|goal| goal.path.end(&numbers)).collect();
/// assert_eq!(goals, [14, 21, 28]);
/// ```
pub fn nearest_goals<'a, S: Space, R: LazyRun<'a, S::State, S::Cost>>(
    space: &'a S,
    start: &(impl Starts<S::State> + ?Sized),
    run: R,
) -> NearestGoals<'a, S, R::Observer> {
    let (control, observer) = run.parts();
    NearestGoals(by_cost(space, start.all(), control, observer))
}

/// Dijkstra's algorithm, a step at a time.
pub(crate) type ByCost<'a, S, O> = ByEstimate<'a, 'a, S, Zero, O>;

/// A*, a step at a time.
pub(crate) type ByEstimate<'a, 'c, S, H, O> = Walk<'c, Hashed<'a, S, H>, Buckets<<S as Space>::Cost>, Blend, O>;

pub(crate) fn by_cost<'a, S: Space, O: Observer<S::State, S::Cost>>(
    space: &'a S,
    starts: &[S::State],
    control: &'a Control,
    observer: O,
) -> ByCost<'a, S, O> {
    by_estimate(space, &Zero, starts, control, observer)
}

pub(crate) fn by_estimate<'a, 'c, S: Space, H: Heuristic<S>, O: Observer<S::State, S::Cost>>(
    space: &'a S,
    heuristic: &'a H,
    starts: &[S::State],
    control: &'c Control,
    observer: O,
) -> ByEstimate<'a, 'c, S, H, O> {
    let nodes = Hashed { space, heuristic, starts: &[], tree: Tree::Forward, table: Table::new() };
    let mut walk = Walk::new(nodes, Buckets::new(), Blend::astar(), control, observer);
    walk.begin(|nodes, search| nodes.begin_at(starts, search));
    walk
}

/// What [`breadth_first`] returns.
#[must_use]
pub struct BreadthFirst<'a, S: Space, O = ()>(Walk<'a, Unweighted<'a, S>, Line, InTurn, O>);

/// What [`depth_first`] returns.
#[must_use]
pub struct DepthFirst<'a, S: Space, O = ()>(Walk<'a, Unweighted<'a, S>, Stack, InTurn, O>);

/// What [`cheapest_first`] returns.
#[must_use]
pub struct CheapestFirst<'a, S: Space, O = ()>(ByCost<'a, S, O>);

/// What [`nearest_goals`] returns.
#[must_use]
pub struct NearestGoals<'a, S: Space, O = ()>(ByCost<'a, S, O>);

macro_rules! iterator {
    ($name:ident, $item:ty, |$walk:ident| $next:expr) => {
        impl<S: Space, O: Observer<S::State, S::Cost>> $name<'_, S, O> {
            /// What ended it before all was seen, if something did.
            pub fn stopped(&self) -> Option<Stop> {
                self.0.stopped()
            }

            /// What was done so far.
            pub fn counters(&self) -> Counters {
                self.0.counters()
            }
        }

        impl<S: Space, O: Observer<S::State, S::Cost>> Iterator for $name<'_, S, O> {
            type Item = $item;

            fn next(&mut self) -> Option<$item> {
                let $walk = &mut self.0;
                $next
            }
        }

        impl<S: Space, O: Observer<S::State, S::Cost>> std::iter::FusedIterator for $name<'_, S, O> {}
    };
}

iterator!(BreadthFirst, (S::State, u64), |walk| {
    let (id, ..) = walk.next()?;
    Some(walk.nodes().seen(id))
});

iterator!(DepthFirst, (S::State, u64), |walk| {
    let (id, ..) = walk.next()?;
    Some(walk.nodes().seen(id))
});

iterator!(CheapestFirst, (S::State, S::Cost), |walk| {
    let (id, cost, _) = walk.next()?;
    Some((walk.nodes().table.state(id).clone(), cost))
});

iterator!(NearestGoals, Solution<S::State, S::Action, S::Cost>, |walk| {
    loop {
        let (id, cost, is_goal) = walk.next()?;
        if is_goal {
            let nodes = walk.nodes();
            let path: PathOf<S> = through(nodes.space, &nodes.states_to(id));
            return Some(proven(path, cost));
        }
    }
});

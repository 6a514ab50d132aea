//! Every algorithm's limits, cancellation, counts, and events for observers.

mod common;

use pintu_search::{
    Backward, Bound, Control, Counters, Fate, Limits, Node, Observer, Outcome, ReportOf, Space, Stop, Tree, Weight,
    Zero, astar, bfs, bfs_tree, bidirectional, bidirectional_astar, bidirectional_dijkstra, dfs, dfs_tree, dijkstra,
    from_fn, greedy, ida, ida_with_table, iddfs, weighted_astar,
};

use crate::common::limited;

/// All algorithms as one type, on one space.
type Search = fn(&Binary, &Control, &mut dyn Observer<u64, u32>) -> ReportOf<Binary>;

macro_rules! algorithm {
    ($search:ident $(, $more:expr)*) => {
        (stringify!($search), |space, control, mut observer| $search(space, &1 $(, $more)*, (control, &mut observer)))
    };
}

const ALL: [(&str, Search); 14] = [
    algorithm!(bfs),
    algorithm!(bfs_tree),
    algorithm!(bidirectional),
    algorithm!(dfs, DEPTH),
    algorithm!(dfs_tree, DEPTH),
    algorithm!(iddfs),
    algorithm!(dijkstra),
    algorithm!(greedy, Zero),
    algorithm!(astar, Zero),
    algorithm!(weighted_astar, Zero, Weight::new(2.5).unwrap()),
    algorithm!(ida, Zero),
    algorithm!(ida_with_table, Zero),
    algorithm!(bidirectional_dijkstra),
    algorithm!(bidirectional_astar, Zero, Zero),
];

/// The binary tree of the numbers below 2¹⁶ under 1, in which the goals are out of reach.
struct Binary;

const DEPTH: u32 = 16;

impl Space for Binary {
    type State = u64;
    type Action = u64;
    type Cost = u32;

    fn actions(&self, state: &u64) -> impl Iterator<Item = u64> {
        let child = *state * 2;
        (child..child + 2).filter(|child| *child < 1 << DEPTH)
    }

    fn apply(&self, state: &mut u64, action: &u64) -> u32 {
        *state = *action;
        1
    }

    fn is_goal(&self, _: &u64) -> bool {
        false
    }
}

impl Backward for Binary {
    fn goals(&self) -> impl Iterator<Item = u64> {
        std::iter::once((1 << 40) + 1)
    }

    fn origins(&self, state: &u64) -> impl Iterator<Item = (u64, u32)> {
        // The backward space is a tree of the same size.
        let child = (*state - (1 << 40)) * 2;
        (child..child + 2).filter(|child| *child < 1 << DEPTH).map(|child| (child + (1 << 40), 1))
    }
}

#[test]
fn every_algorithm_proves_that_there_is_nothing() {
    for (name, search) in ALL {
        let control = Control::unlimited();
        let report = search(&Binary, &control, &mut ());
        assert!(matches!(report.outcome, Outcome::NoSolution), "{name}");
        assert_eq!(control.counters(), report.counters, "{name}");
        assert!(report.counters.expanded >= (1 << DEPTH) - 1 || name == "bidirectional", "{name}");
        assert!(report.counters.peak_states > 0 && report.counters.peak_bytes > 0, "{name}");
    }
}

#[test]
fn every_algorithm_honours_the_node_limit_exactly() {
    for (name, search) in ALL {
        let control = limited(777);
        let report = search(&Binary, &control, &mut ());
        assert!(matches!(report.outcome, Outcome::Stopped { why: Stop::Nodes, .. }), "{name}");
        assert_eq!(report.counters.expanded, 777, "{name}");
        assert_eq!(control.counters().expanded, 777, "{name}");
        assert_eq!(control.counters().generated, report.counters.generated, "{name}");
    }
}

/// Throws a switch in the middle of a search.
struct Canceller<'a> {
    control: &'a Control,
    expanded: u64,
}

impl Observer<u64, u32> for Canceller<'_> {
    fn expand(&mut self, _: &Node<'_, u64, u32>, so_far: &Counters) -> Result<(), Stop> {
        self.expanded = so_far.expanded;
        if so_far.expanded == 5000 {
            self.control.cancel_switch().cancel();
        }
        Ok(())
    }
}

#[test]
fn every_algorithm_honours_time_and_cancellation() {
    for (name, search) in ALL {
        let limits = Limits::none().time(std::time::Duration::ZERO);
        let report = search(&Binary, &Control::new(limits), &mut ());
        assert!(matches!(report.outcome, Outcome::Stopped { why: Stop::Time, .. }), "{name}");
        let control = Control::unlimited();
        let mut canceller = Canceller { control: &control, expanded: 0 };
        let report = search(&Binary, &control, &mut canceller);
        assert!(matches!(report.outcome, Outcome::Stopped { why: Stop::Cancelled, .. }), "{name}");
        assert!(canceller.expanded >= 5000 && canceller.expanded < (1 << DEPTH) - 1, "{name}: {}", canceller.expanded);
    }
}

#[test]
fn every_algorithm_stays_within_its_memory() {
    let within = |most| Control::new(Limits::none().memory(most));
    for (name, search) in ALL {
        let control = within(100_000);
        let report = search(&Binary, &control, &mut ());
        // Some need no more than their stack.
        let frugal = matches!(name, "dfs_tree" | "iddfs" | "ida");
        if frugal {
            assert!(matches!(report.outcome, Outcome::NoSolution), "{name}");
        } else {
            assert!(matches!(report.outcome, Outcome::Stopped { why: Stop::Memory, .. }), "{name}");
        }
        assert!(report.counters.peak_bytes <= 100_000, "{name}: {}", report.counters.peak_bytes);
        assert_eq!(control.held(), 0, "{name}: all of it is given back");
        let report = search(&Binary, &within(0), &mut ());
        assert!(matches!(report.outcome, Outcome::Stopped { why: Stop::Memory, .. }), "{name}");
    }
}

/// Counts what it is told.
#[derive(Default)]
struct Tally {
    /// States that are counted as generated and not told.
    roots: u64,
    expanded: u64,
    backward: u64,
    generated: u64,
    followed: u64,
    bound: Option<u64>,
}

impl Observer<u64, u32> for Tally {
    fn expand(&mut self, node: &Node<'_, u64, u32>, so_far: &Counters) -> Result<(), Stop> {
        self.expanded += 1;
        assert_eq!(so_far.expanded, self.expanded);
        self.backward += u64::from(node.tree == Tree::Backward);
        assert_eq!(node.parent.is_none(), node.cost == 0);
        Ok(())
    }

    fn generate(&mut self, node: &Node<'_, u64, u32>, fate: Fate, so_far: &Counters) -> Result<(), Stop> {
        self.generated += 1;
        self.followed += u64::from(fate.is_followed());
        assert!(node.parent.is_some_and(|parent| parent < node.id), "{node:?}");
        assert_eq!(so_far.generated, self.generated + self.roots);
        Ok(())
    }

    fn iteration(&mut self, bound: Bound<u32>, _: &Counters) -> Result<(), Stop> {
        let bound = bound.steps().or(bound.cost().map(u64::from));
        assert!(bound >= self.bound);
        self.bound = bound;
        Ok(())
    }
}

#[test]
fn every_algorithm_tells_its_observer_what_it_counts() {
    for (name, search) in ALL {
        let is_bidirectional = name.starts_with("bidirectional");
        // The start is generated without an event, and in two algorithms the goal, too.
        let roots = if name.starts_with("bidirectional_") { 2 } else { 1 };
        let mut tally = Tally { roots, ..Tally::default() };
        let report = search(&Binary, &Control::unlimited(), &mut tally);
        let unwatched = search(&Binary, &Control::unlimited(), &mut ());
        assert_eq!(report, unwatched, "{name}: watching changes nothing");
        assert_eq!(report.counters.expanded, tally.expanded, "{name}");
        assert_eq!(report.counters.generated, tally.generated + roots, "{name}");
        assert!(tally.followed > 0 && (tally.backward > 0) == is_bidirectional, "{name}");
        assert!(tally.bound.is_some() || name == "greedy", "{name}: it knows no bound");
    }
}

#[test]
fn what_takes_much_room_in_the_queue_is_limited_too() {
    // A star whose rays all differ in rank and estimate.
    let star = from_fn(
        |&n: &u32| (0..if n == 0 { 12_000 } else { 0 }).map(|ray| (ray + 1, ray + 1)).collect::<Vec<_>>(),
        |_| false,
    );
    let control = Control::new(Limits::none().memory(4_000_000));
    let report = astar(&star, &0, |&n: &u32| n * 7 % 4000, &control);
    assert_eq!(report.outcome, Outcome::NoSolution);
    assert!(report.counters.peak_bytes < 4_000_000);
}

/// Memory is asked for while successors are generated, not once per expanded state.
#[test]
fn a_state_with_ten_million_successors_stays_within_the_memory() {
    let star = from_fn(|&n: &u32| (1..if n == 0 { 10_000_000 } else { 1 }).map(|leaf| (leaf, 1_u32)), |_| false);
    let control = Control::new(Limits::none().memory(1 << 20));
    for report in [bfs(&star, &0, &control), bfs_tree(&star, &0, &control)] {
        assert!(matches!(report.outcome, Outcome::Stopped { why: Stop::Memory, .. }));
        assert!(report.counters.generated < 200_000, "{:?}", report.counters);
    }
}

#[test]
fn a_goal_that_is_found_is_not_lost_to_the_memory_limit() {
    // The goal comes last of its level, when the other states generated no longer fit.
    let wide = from_fn(|&n: &u64| (n * 64 + 1..n * 64 + 65).map(|child| (child, 1_u32)), |&n| n == 4160);
    let needed = bfs(&wide, &0, ()).counters.peak_bytes;
    let solved = |memory| {
        let control = Control::new(Limits::none().memory(memory));
        bfs(&wide, &0, &control).solution().map(|solution| solution.cost)
    };
    assert_eq!(solved(needed), Some(2));
    // Whatever the limit is, if the goal was expanded it is the answer.
    for memory in (0..needed).step_by(needed as usize / 97) {
        let control = Control::new(Limits::none().memory(memory));
        let report = bfs(&wide, &0, &control);
        assert!(report.solution().is_some() || report.counters.expanded < 4161, "{memory}: {report:?}");
    }
}

/// Wherever a limit ends them, searches count the same with and without an observer.
#[test]
fn counts_do_not_depend_on_being_watched() {
    struct Watching;
    impl Observer<u64, u32> for Watching {}
    // A square of cells with ways up, left, right and down, which lead back as well.
    let around = |&n: &u64| {
        let (x, y) = (n % 64, n / 64);
        let steps = [(x, y.wrapping_sub(1)), (x.wrapping_sub(1), y), (x + 1, y), (x, y + 1)];
        steps.into_iter().filter(|&(x, y)| x < 64 && y < 64).map(|(x, y)| (y * 64 + x, 1_u32))
    };
    let both = from_fn(around, |&n| n == 1300).backward(vec![1300], around);
    for nodes in 0..200 {
        macro_rules! both {
            ($search:ident $(, $more:expr)*) => {
                ($search(&both, &0 $(, $more)*, &limited(nodes)), $search(&both, &0 $(, $more)*, (&limited(nodes), &mut Watching)))
            };
        }
        let counted = [
            both!(bfs),
            both!(bfs_tree),
            both!(bidirectional),
            both!(dfs, 40),
            both!(iddfs),
            both!(dijkstra),
            both!(greedy, Zero),
            both!(ida, Zero),
        ];
        for (index, (alone, watched)) in counted.into_iter().enumerate() {
            assert_eq!(alone.counters, watched.counters, "algorithm {index}, {nodes} nodes");
        }
    }
}

//! What every algorithm keeps to, and counts: limits, cancellation, what observers are told.

mod common;

use std::ops::ControlFlow::{self, Continue};

use pintu_search::{
    Backward, Bound, Control, Counters, Fate, Limits, Node, Observer, Outcome, ReportOf, Space, Stop, Weight, Zero,
    astar, bfs, bfs_tree, bidirectional, dfs, dfs_tree, dijkstra, from_fn, greedy, ida, ida_with_table, iddfs,
    weighted_astar,
};

use crate::common::limited;

/// All algorithms as one type, on one space.
type Search = fn(&Binary, &Control, &mut dyn Observer<u64, u32>) -> ReportOf<Binary>;

const ALL: [(&str, Search); 12] = [
    ("bfs", |space, control, mut observer| bfs(space, &1, (control, &mut observer))),
    ("bfs_tree", |space, control, mut observer| bfs_tree(space, &1, (control, &mut observer))),
    ("bidirectional", |space, control, mut observer| bidirectional(space, &1, (control, &mut observer))),
    ("dfs", |space, control, mut observer| dfs(space, &1, 18, (control, &mut observer))),
    ("dfs_tree", |space, control, mut observer| dfs_tree(space, &1, 18, (control, &mut observer))),
    ("iddfs", |space, control, mut observer| iddfs(space, &1, (control, &mut observer))),
    ("dijkstra", |space, control, mut observer| dijkstra(space, &1, (control, &mut observer))),
    ("greedy", |space, control, mut observer| greedy(space, &1, &Zero, (control, &mut observer))),
    ("astar", |space, control, mut observer| astar(space, &1, &Zero, (control, &mut observer))),
    ("weighted_astar", |space, control, mut observer| {
        weighted_astar(space, &1, &Zero, Weight::new(2.5).unwrap(), (control, &mut observer))
    }),
    ("ida", |space, control, mut observer| ida(space, &1, &Zero, (control, &mut observer))),
    ("ida_with_table", |space, control, mut observer| ida_with_table(space, &1, &Zero, (control, &mut observer))),
];

/// The binary tree of the numbers below 2¹⁸ under 1, in which the goals are out of reach.
struct Binary;

impl Space for Binary {
    type State = u64;
    type Action = u64;
    type Cost = u32;

    fn actions(&self, state: &u64) -> impl Iterator<Item = u64> {
        let child = *state * 2;
        (child..child + 2).filter(|child| *child < 1 << 18)
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
        // Backwards it is a tree as well, and as large.
        let child = (*state - (1 << 40)) * 2;
        (child..child + 2).filter(|child| *child < 1 << 18).map(|child| (child + (1 << 40), 1))
    }
}

#[test]
fn every_algorithm_proves_that_there_is_nothing() {
    for (name, search) in ALL {
        let report = search(&Binary, &Control::unlimited(), &mut ());
        assert!(matches!(report.outcome, Outcome::NoSolution), "{name}");
        assert!(report.counters.expanded >= (1 << 18) - 1 || name == "bidirectional", "{name}");
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
    fn expand(&mut self, _: &Node<'_, u64, u32>, so_far: &Counters) -> ControlFlow<Stop> {
        self.expanded = so_far.expanded;
        if so_far.expanded == 5000 {
            self.control.cancel_switch().cancel();
        }
        Continue(())
    }
}

#[test]
fn every_algorithm_honours_time_and_cancellation() {
    for (name, search) in ALL {
        let limits = Limits { time: Some(std::time::Duration::ZERO), ..Limits::default() };
        let report = search(&Binary, &Control::new(limits), &mut ());
        assert!(matches!(report.outcome, Outcome::Stopped { why: Stop::Time, .. }), "{name}");
        let control = Control::unlimited();
        let mut canceller = Canceller { control: &control, expanded: 0 };
        let report = search(&Binary, &control, &mut canceller);
        assert!(matches!(report.outcome, Outcome::Stopped { why: Stop::Cancelled, .. }), "{name}");
        assert!(canceller.expanded >= 5000 && canceller.expanded < (1 << 18) - 1, "{name}: {}", canceller.expanded);
    }
}

#[test]
fn every_algorithm_stays_within_its_memory() {
    let within = |most| Control::new(Limits { memory: Some(most), ..Limits::default() });
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

/// Counts what it is told, and remembers the parents.
#[derive(Default)]
struct Tally {
    expanded: u64,
    generated: u64,
    followed: u64,
    iterations: u64,
}

impl Observer<u64, u32> for Tally {
    fn expand(&mut self, node: &Node<'_, u64, u32>, so_far: &Counters) -> ControlFlow<Stop> {
        self.expanded += 1;
        assert_eq!(so_far.expanded, self.expanded);
        assert_eq!(node.parent.is_none(), node.cost == 0);
        Continue(())
    }

    fn generate(&mut self, node: &Node<'_, u64, u32>, fate: Fate, so_far: &Counters) -> ControlFlow<Stop> {
        self.generated += 1;
        self.followed += u64::from(fate.is_followed());
        assert!(node.parent.is_some_and(|parent| parent < node.id), "{node:?}");
        assert_eq!(so_far.generated, self.generated + 1);
        Continue(())
    }

    fn iteration(&mut self, _: Bound<u32>, _: &Counters) -> ControlFlow<Stop> {
        self.iterations += 1;
        Continue(())
    }
}

#[test]
fn every_algorithm_tells_its_observer_what_it_counts() {
    for (name, search) in ALL {
        let mut tally = Tally::default();
        let report = search(&Binary, &Control::unlimited(), &mut tally);
        let unwatched = search(&Binary, &Control::unlimited(), &mut ());
        assert_eq!(report, unwatched, "{name}: watching changes nothing");
        assert_eq!(report.counters.expanded, tally.expanded, "{name}");
        assert_eq!(report.counters.generated, tally.generated + 1, "{name}: the start is counted and not told");
        assert!(tally.followed > 0, "{name}");
        assert!(tally.iterations > 0 || name == "greedy", "{name}: it knows no bound");
    }
}

#[test]
fn what_takes_much_room_in_the_queue_is_limited_too() {
    // A star whose rays all differ in rank and estimate.
    let star = from_fn(
        |&n: &u32| (0..if n == 0 { 12_000 } else { 0 }).map(|ray| (ray + 1, ray + 1)).collect::<Vec<_>>(),
        |_| false,
    );
    let control = Control::new(Limits { memory: Some(4_000_000), ..Limits::default() });
    let report = astar(&star, &0, &|&n: &u32| n * 7 % 4000, &control);
    assert_eq!(report.outcome, Outcome::NoSolution);
    assert!(report.counters.peak_bytes < 4_000_000);
}

#[test]
fn a_goal_that_is_found_is_not_lost_to_the_memory_limit() {
    // The goal comes last of its level, when what else was produced no longer fits.
    let wide = from_fn(|&n: &u64| (n * 64 + 1..n * 64 + 65).map(|child| (child, 1_u32)), |&n| n == 4160);
    let needed = bfs(&wide, &0, ()).counters.peak_bytes;
    let solved = |memory| {
        let control = Control::new(Limits { memory: Some(memory), ..Limits::default() });
        bfs(&wide, &0, &control).solution().map(|solution| solution.cost)
    };
    assert_eq!(solved(needed), Some(2));
    // Whatever the limit is, if the goal was taken up it is the answer.
    for memory in (0..needed).step_by(needed as usize / 97) {
        let control = Control::new(Limits { memory: Some(memory), ..Limits::default() });
        let report = bfs(&wide, &0, &control);
        assert!(report.solution().is_some() || report.counters.expanded < 4161, "{memory}: {report:?}");
    }
}

/// Wherever a limit ends them, searches count the same whether or not somebody watches.
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
        let counted = [
            (bfs(&both, &0, &limited(nodes)), bfs(&both, &0, (&limited(nodes), &mut Watching))),
            (bfs_tree(&both, &0, &limited(nodes)), bfs_tree(&both, &0, (&limited(nodes), &mut Watching))),
            (bidirectional(&both, &0, &limited(nodes)), bidirectional(&both, &0, (&limited(nodes), &mut Watching))),
            (dfs(&both, &0, 40, &limited(nodes)), dfs(&both, &0, 40, (&limited(nodes), &mut Watching))),
            (iddfs(&both, &0, &limited(nodes)), iddfs(&both, &0, (&limited(nodes), &mut Watching))),
            (dijkstra(&both, &0, &limited(nodes)), dijkstra(&both, &0, (&limited(nodes), &mut Watching))),
            (greedy(&both, &0, &Zero, &limited(nodes)), greedy(&both, &0, &Zero, (&limited(nodes), &mut Watching))),
            (ida(&both, &0, &Zero, &limited(nodes)), ida(&both, &0, &Zero, (&limited(nodes), &mut Watching))),
        ];
        for (index, (alone, watched)) in counted.into_iter().enumerate() {
            assert_eq!(alone.counters, watched.counters, "algorithm {index}, {nodes} nodes");
        }
    }
}

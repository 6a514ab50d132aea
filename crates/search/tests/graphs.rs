//! Every algorithm on random graphs, against answers found another way.

mod common;

use std::{
    cell::Cell,
    ops::ControlFlow::{self, Continue},
    time::{Duration, Instant},
};

use pintu_search::{
    Backward, Bound, Control, Counters, Fate, Guarantee, Limits, Node, Observer, Outcome, Overestimating, Real, Report,
    ReportOf, Space, Stop, Weight, Zero, astar, bfs, bfs_tree, bidirectional, dfs, dfs_tree, dijkstra, from_fn, greedy,
    ida, ida_with_table, iddfs, weighted_astar,
};
use proptest::prelude::*;

use crate::common::{Graph, graphs};

/// Limits for the algorithms that never end in a cyclic graph without a solution.
fn patience() -> Control {
    limited(20_000)
}

fn limited(nodes: u64) -> Control {
    Control::new(Limits { nodes: Some(nodes), ..Limits::default() })
}

/// What is true of a graph: the cost of the cheapest path from node 0, and the fewest steps.
#[derive(Clone, Copy)]
struct Truth {
    cost: Option<u32>,
    steps: Option<u32>,
}

impl Truth {
    fn of(graph: &Graph) -> Self {
        Self { cost: graph.costs_to_goal(|cost| cost)[0], steps: graph.costs_to_goal(|_| 1)[0] }
    }

    fn allows(self, bound: Option<Bound<u32>>) -> bool {
        match bound {
            None => true,
            Some(Bound::Cost(bound)) => self.cost.is_none_or(|cost| bound <= cost),
            Some(Bound::Steps(bound)) => self.steps.is_none_or(|steps| bound <= u64::from(steps)),
        }
    }
}

/// Checks a report against what is true.
fn check(graph: &Graph, report: &ReportOf<Graph>, truth: Truth) -> Result<(), TestCaseError> {
    match &report.outcome {
        Outcome::Solved(solution) => {
            let states: Vec<usize> = solution.path.states(graph).collect();
            prop_assert_eq!(states[0], 0);
            prop_assert_eq!(states.last(), Some(&graph.goal));
            prop_assert_eq!(solution.path.cost(graph), Some(solution.cost));
            prop_assert!(truth.allows(solution.lower_bound), "{:?}", solution.lower_bound);
            let (best, fewest) = (truth.cost.expect("there is a path"), truth.steps.expect("there is a path"));
            match solution.guarantee {
                Guarantee::Cheapest => prop_assert_eq!(solution.cost, best),
                Guarantee::Shortest => prop_assert_eq!(solution.path.len() as u32, fewest),
                Guarantee::Within { weight } => prop_assert!(f64::from(solution.cost) <= f64::from(best) * weight),
                _ => prop_assert!(solution.cost >= best),
            }
        }
        Outcome::NoSolution => prop_assert_eq!(truth.cost, None),
        Outcome::Stopped { lower_bound, .. } => prop_assert!(truth.allows(*lower_bound), "{:?}", lower_bound),
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn all_algorithms_agree_with_relaxation(graph in graphs(0_u32..9), weight in 1.0_f64..4.0) {
        let costs = graph.costs_to_goal(|cost| cost);
        let truth = Truth::of(&graph);
        let exact = |state: &usize| costs[*state].unwrap_or(0);
        let half = |state: &usize| costs[*state].unwrap_or(1000) / 2;
        let asked = weight;
        let weight = Weight::new(weight).unwrap();
        prop_assert!(weight.value() <= asked);
        let must_end = [
            bfs(&graph, &0, ()),
            bidirectional(&graph, &0, ()),
            dfs(&graph, &0, 50, ()),
            dijkstra(&graph, &0, ()),
            astar(&graph, &0, &exact, ()),
            astar(&graph, &0, &half, ()),
            greedy(&graph, &0, &half, ()),
            weighted_astar(&graph, &0, &half, weight, ()),
        ];
        for report in &must_end {
            check(&graph, report, truth)?;
            prop_assert_eq!(report.solution().is_some(), truth.cost.is_some());
        }
        let may_stop = [
            iddfs(&graph, &0, &patience()),
            bfs_tree(&graph, &0, &patience()),
            dfs_tree(&graph, &0, 12, &patience()),
            ida(&graph, &0, &half, &patience()),
        ];
        for report in &may_stop {
            check(&graph, report, truth)?;
        }
    }

    #[test]
    fn an_inconsistent_heuristic_does_no_harm(
        graph in graphs(1_u32..20),
        shares in prop::collection::vec(0_u32..=100, 14),
    ) {
        let costs = graph.costs_to_goal(|cost| cost);
        // Any share of the true cost is admissible; shares that jump from node to node are inconsistent.
        let erratic = |state: &usize| costs[*state].unwrap_or(0) * shares[*state] / 100;
        let weight = Weight::new(2.0).unwrap();
        let truth = Truth::of(&graph);
        check(&graph, &astar(&graph, &0, &erratic, ()), truth)?;
        check(&graph, &weighted_astar(&graph, &0, &erratic, weight, ()), truth)?;
        check(&graph, &ida(&graph, &0, &erratic, &patience()), truth)?;
        check(&graph, &ida_with_table(&graph, &0, &erratic, ()), truth)?;
    }

    #[test]
    fn bounds_hold_wherever_a_search_is_stopped(
        graph in graphs(0_u32..20),
        shares in prop::collection::vec(0_u32..=100, 14),
        nodes in 0_u64..20,
        weight in 1.0_f64..9.0,
    ) {
        let costs = graph.costs_to_goal(|cost| cost);
        let erratic = |state: &usize| costs[*state].map(|cost| cost * shares[*state] / 100);
        let weight = Weight::new(weight).unwrap();
        let truth = Truth::of(&graph);
        let control = || limited(nodes);
        for report in [
            bfs(&graph, &0, &control()),
            bfs_tree(&graph, &0, &control()),
            bidirectional(&graph, &0, &control()),
            dfs(&graph, &0, 6, &control()),
            dfs_tree(&graph, &0, 6, &control()),
            iddfs(&graph, &0, &control()),
            dijkstra(&graph, &0, &control()),
            greedy(&graph, &0, &erratic, &control()),
            astar(&graph, &0, &erratic, &control()),
            weighted_astar(&graph, &0, &erratic, weight, &control()),
            ida(&graph, &0, &erratic, &control()),
            ida_with_table(&graph, &0, &erratic, &control()),
        ] {
            check(&graph, &report, truth)?;
            prop_assert!(report.counters.expanded <= nodes);
        }
    }

    #[test]
    fn nothing_is_promised_with_a_heuristic_that_overestimates(
        graph in graphs(0_u32..20),
        wild in prop::collection::vec(0_u32..100, 14),
        nodes in 0_u64..30,
    ) {
        let wild = Overestimating(|state: &usize| wild[*state]);
        let truth = Truth::of(&graph);
        for report in [
            astar(&graph, &0, &wild, &limited(nodes)),
            weighted_astar(&graph, &0, &wild, Weight::new(1.5).unwrap(), &limited(nodes)),
            greedy(&graph, &0, &wild, &limited(nodes)),
            ida(&graph, &0, &wild, &limited(nodes)),
        ] {
            check(&graph, &report, truth)?;
            match &report.outcome {
                Outcome::Solved(solution) => {
                    prop_assert_eq!((solution.guarantee, solution.lower_bound), (Guarantee::None, None));
                }
                Outcome::NoSolution => {}
                Outcome::Stopped { lower_bound, .. } => prop_assert_eq!(*lower_bound, None),
            }
        }
    }

    #[test]
    fn several_starts_are_as_good_as_the_best(graph in graphs(0_u32..20), others in prop::collection::vec(0_usize..14, 1..4)) {
        let starts: Vec<usize> = others.iter().map(|&other| other % graph.edges.len()).collect();
        let costs = graph.costs_to_goal(|cost| cost);
        let steps = graph.costs_to_goal(|_| 1);
        let best = |of: &[Option<u32>]| starts.iter().filter_map(|&start| of[start]).min();
        let half = |state: &usize| costs[*state].unwrap_or(1000) / 2;
        for report in [dijkstra(&graph, &starts, ()), astar(&graph, &starts, &half, ()), ida_with_table(&graph, &starts, &half, ())] {
            prop_assert_eq!(report.solution().map(|solution| solution.cost), best(&costs));
            prop_assert!(report.solution().is_none_or(|solution| solution.path.cost(&graph) == Some(solution.cost)));
        }
        for report in [bfs(&graph, &starts, ()), bidirectional(&graph, &starts, ())] {
            prop_assert_eq!(report.solution().map(|solution| solution.path.len() as u32), best(&steps));
        }
    }

    #[test]
    fn a_sufficient_depth_hides_no_solution(graph in graphs(Just(1_u32))) {
        // The bound is exactly the distance: whatever was met too deep first must be searched again.
        if let Some(steps) = graph.costs_to_goal(|_| 1)[0] {
            let report = dfs(&graph, &0, steps, ());
            prop_assert_eq!(report.solution().map(|solution| solution.cost), Some(steps));
            if steps > 0 {
                let report = dfs(&graph, &0, steps - 1, ());
                let cut = matches!(report.outcome, Outcome::Stopped { why: Stop::Depth, lower_bound: Some(Bound::Steps(bound)) } if bound == u64::from(steps));
                prop_assert!(cut);
            }
        }
    }
}

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

fn overflows<St, A, C>(report: &Report<St, A, C>) -> bool {
    matches!(report.outcome, Outcome::Stopped { why: Stop::Overflow, .. })
}

#[test]
fn costs_do_not_wrap_around() {
    let dear = from_fn(|&n: &u32| [(n + 1, u32::MAX / 2)], |&n| n == 3);
    assert!(overflows(&bfs(&dear, &0, ())));
    assert!(overflows(&dfs(&dear, &0, 5, ())));
    assert!(overflows(&iddfs(&dear, &0, ())));
    assert!(overflows(&dijkstra(&dear, &0, ())));
    assert!(overflows(&astar(&dear, &0, &Zero, ())));
    assert!(overflows(&ida(&dear, &0, &Zero, ())));
    assert!(overflows(&ida_with_table(&dear, &0, &Zero, ())));
    let wide = from_fn(|&n: &u32| [(n + 1, u64::from(u32::MAX / 2))], |&n| n == 3);
    assert_eq!(dijkstra(&wide, &0, ()).solution().unwrap().cost, 3 * u64::from(u32::MAX / 2));
    let endless = from_fn(|&n: &u32| [(n + 1, Real::new(f64::MAX).unwrap())], |&n| n == 3);
    assert!(overflows(&dijkstra(&endless, &0, ())));
    assert!(overflows(&ida(&endless, &0, &Zero, ())));
}

#[test]
fn a_cost_that_does_not_fit_is_set_aside() {
    // The dear way leads nowhere that the cheap one does not.
    let graph = |dear: u32| {
        let edges = vec![vec![(1, 1)], vec![(2, dear), (3, 1)], vec![(3, 1)], vec![]];
        Graph { edges, goal: 3 }
    };
    let fork = graph(u32::MAX);
    for report in [
        dijkstra(&fork, &0, ()),
        astar(&fork, &0, &Zero, ()),
        weighted_astar(&fork, &0, &Zero, Weight::new(3.0).unwrap(), ()),
        ida(&fork, &0, &Zero, ()),
        ida_with_table(&fork, &0, &Zero, ()),
    ] {
        assert_eq!(report.solution().map(|solution| (solution.cost, solution.guarantee)).unwrap().0, 2);
    }
}

#[test]
fn an_estimate_too_high_to_be_a_cost_hides_no_path() {
    // All that lies between is thought to be as far as can be said.
    let edges = vec![vec![(1, 1)], vec![(2, 2)], vec![(3, 2)], vec![]];
    let graph = Graph { edges, goal: 3 };
    let far = |&state: &usize| if state == 3 { 0 } else { u32::MAX };
    for report in [ida(&graph, &0, &Overestimating(far), ()), ida_with_table(&graph, &0, &Overestimating(far), ())] {
        let solution = report.solution().unwrap_or_else(|| panic!("{:?}", report.outcome));
        assert_eq!((solution.cost, solution.guarantee), (5, Guarantee::None));
    }
    // One that is never too high is believed.
    assert!(overflows(&ida_with_table(&graph, &0, &far, ())));
    // And where nothing leads to the goal, that is what is said.
    let nowhere = Graph { edges: vec![vec![(1, 1)], vec![(2, 2)], vec![(0, 2)], vec![]], goal: 3 };
    assert_eq!(ida_with_table(&nowhere, &0, &Overestimating(far), ()).outcome, Outcome::NoSolution);
}

#[test]
fn a_weight_between_two_thousandths_keeps_its_promise() {
    // The direct way costs a thousandth more than the cheapest one.
    let graph = Graph { edges: vec![vec![(1, 0), (2, 1001)], vec![(2, 1000)], vec![]], goal: 2 };
    let left = |&state: &usize| if state == 2 { 0 } else { 1000 };
    let cost = |weight: &str| {
        let weight = weight.parse().unwrap();
        weighted_astar(&graph, &0, &left, weight, ()).solution().unwrap().cost
    };
    assert_eq!(cost("1.001"), 1001, "as much as it may");
    assert_eq!(cost("1.0005"), 1000);
}

#[test]
fn a_dear_way_to_what_is_reached_more_cheaply_is_no_limit() {
    // The dear steps lead back, and to where a cheap way leads only later; the goal cannot be reached.
    let edges = vec![vec![(1, 1), (3, 9)], vec![(1, u32::MAX), (2, u32::MAX)], vec![], vec![(2, 1)], vec![]];
    let graph = Graph { edges, goal: 4 };
    let weight = Weight::new(3.0).unwrap();
    for report in [
        dijkstra(&graph, &0, ()),
        greedy(&graph, &0, &Zero, ()),
        astar(&graph, &0, &Zero, ()),
        weighted_astar(&graph, &0, &Zero, weight, ()),
        ida_with_table(&graph, &0, &Zero, ()),
    ] {
        assert_eq!(report.outcome, Outcome::NoSolution);
    }
    // Once that way is gone, the dear step is all there is.
    let edges = vec![vec![(1, 1), (3, 9)], vec![(1, u32::MAX), (2, u32::MAX)], vec![], vec![], vec![]];
    let graph = Graph { edges, goal: 4 };
    assert!(overflows(&dijkstra(&graph, &0, ())));
    assert!(overflows(&ida_with_table(&graph, &0, &Zero, ())));
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

#[test]
fn free_cycles_end() {
    let ring =
        from_fn(|&n: &u32| [((n + 1) % 5, 0_u32), (n + 10, 1)].into_iter().filter(|(n, _)| *n < 45), |&n| n == 41);
    assert_eq!(ida(&ring, &0, &Zero, ()).solution().unwrap().cost, 4);
    let stuck = from_fn(|&n: &u32| [((n + 1) % 5, 0_u32), (n, 0)], |&n| n == 41);
    assert_eq!(ida(&stuck, &0, &Zero, ()).outcome, Outcome::NoSolution);
    // So many that the path is moved to the heap on the way round.
    let long = from_fn(|&n: &u32| [((n + 1) % 5000, 0_u32)], |&n| n == 5001);
    assert_eq!(ida(&long, &0, &Zero, ()).outcome, Outcome::NoSolution);
}

/// A path of free steps that leads nowhere.
const LONG: u32 = 100_000;

#[test]
fn a_long_way_back_takes_no_longer_than_the_way_there() {
    let chain = from_fn(|&n: &u32| (n < LONG).then_some((n + 1, 0_u32)), |_| false);
    pintu_testing::takes_at_most(Duration::from_secs(2), || {
        let begun = Instant::now();
        let report = ida(&chain, &0, &Zero, ());
        assert_eq!((report.outcome, report.counters.expanded), (Outcome::NoSolution, u64::from(LONG) + 1));
        begun.elapsed()
    });
}

#[test]
fn a_search_can_be_cancelled_on_a_long_way_back() {
    let control = Control::unlimited();
    let is_way_back = Cell::new(false);
    let chain = from_fn(
        |&n: &u32| {
            if n == LONG {
                is_way_back.set(true);
            } else if n == LONG / 2 && is_way_back.get() {
                control.cancel_switch().cancel();
            }
            // The second of them leads nowhere.
            [(n + 1, 0_u32), (n, 0)].into_iter().filter(|(n, _)| *n <= LONG)
        },
        |_| false,
    );
    let report = ida(&chain, &0, &Zero, &control);
    assert_eq!(report.counters.expanded, u64::from(LONG) + 1, "all had been taken up when it was cancelled");
    assert!(matches!(report.outcome, Outcome::Stopped { why: Stop::Cancelled, .. }), "{:?}", report.outcome);
}

#[test]
fn successors_in_large_arrays_do_not_overflow_the_stack() {
    let wide = from_fn(|&n: &u64| std::array::from_fn::<_, 1000, _>(|k| (n + 1 + k as u64, 1_u32)), |&n| n == 2000);
    assert_eq!(dfs(&wide, &0, 3000, ()).solution().unwrap().path.len(), 2000);
    assert_eq!(
        ida(&wide, &0, &|&n: &u64| (2000_u64.saturating_sub(n)).div_ceil(1000) as u32, ()).solution().unwrap().cost,
        2
    );
    // Half a megabyte of successors to a state.
    let wider = from_fn(|&n: &u64| std::array::from_fn::<_, 32_768, _>(|_| (n + 1, 1_u32)), |&n| n == 300);
    assert_eq!(dfs(&wider, &0, 3000, ()).solution().unwrap().path.len(), 300);
    assert_eq!(ida(&wider, &0, &|&n: &u64| 300_u64.saturating_sub(n) as u32, ()).solution().unwrap().cost, 300);
}

#[test]
fn reports_can_be_kept() {
    struct Kept {
        reports: Vec<ReportOf<Graph>>,
    }
    let graph = Graph { edges: vec![vec![(1, 5)], vec![]], goal: 1 };
    let kept = Kept { reports: vec![dijkstra(&graph, &0, ()), bfs(&graph, &0, ())] };
    assert_eq!(kept.reports[0].solution().unwrap().path, kept.reports[1].solution().unwrap().path);
    assert!(format!("{:?}", kept.reports.clone()).contains("Cheapest"));
}

#[test]
fn large_and_fractional_ranks_are_ordered() {
    // Costs beyond the queue's buckets, and a weight of many digits.
    let graph = Graph { edges: vec![vec![(1, 90_000), (2, 40_000)], vec![(3, 1)], vec![(3, 50_002)], vec![]], goal: 3 };
    assert_eq!(dijkstra(&graph, &0, ()).solution().map(|solution| solution.cost), Some(90_001));
    let report = weighted_astar(&graph, &0, &Zero, Weight::new(1.337).unwrap(), ());
    assert_eq!(report.solution().map(|solution| solution.cost), Some(90_001));
}

#[test]
fn the_deepest_path_does_not_overflow_the_stack() {
    const DEEP: u32 = 3_000_000;
    let corridor = from_fn(|&n: &u32| (n < DEEP).then_some((n + 1, 1_u32)), |&n| n == DEEP);
    assert_eq!(ida(&corridor, &0, &|n: &u32| DEEP - n, ()).solution().unwrap().cost, DEEP);
    assert_eq!(dfs(&corridor, &0, DEEP, ()).solution().unwrap().path.len(), DEEP as usize);
}

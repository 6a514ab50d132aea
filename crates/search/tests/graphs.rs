//! Every algorithm on random graphs, against answers found another way.

use std::ops::ControlFlow::{self, Continue};

use pintu_search::{
    Backward, Budget, Cancel, Cost, Counters, Guarantee, Limits, Node, Observer, Outcome, Report, Space, Stop, Weight,
    Zero, astar, bfs, bfs_tree, bidirectional, dfs, dfs_tree, dijkstra, from_fn, greedy, ida, iddfs, weighted_astar,
};
use proptest::prelude::*;

/// A directed graph with costs; an action is an index into a node's edges.
#[derive(Clone, Debug)]
struct Graph {
    edges: Vec<Vec<(usize, Cost)>>,
    goal: usize,
}

impl Space for Graph {
    type State = usize;
    type Action = usize;

    fn actions(&self, state: &usize) -> impl Iterator<Item = usize> {
        0..self.edges[*state].len()
    }

    fn apply(&self, state: &mut usize, action: &usize) -> Cost {
        let (to, cost) = self.edges[*state][*action];
        *state = to;
        cost
    }

    fn is_goal(&self, state: &usize) -> bool {
        *state == self.goal
    }
}

impl Backward for Graph {
    fn goals(&self) -> impl Iterator<Item = usize> {
        std::iter::once(self.goal)
    }

    fn origins(&self, state: &usize) -> impl Iterator<Item = usize> {
        (0..self.edges.len()).filter(move |&from| self.edges[from].iter().any(|(to, _)| to == state))
    }
}

impl Graph {
    /// The cheapest way from every node to the goal, by relaxing every edge until nothing changes.
    fn costs_to_goal(&self, step: impl Fn(Cost) -> Cost) -> Vec<Option<Cost>> {
        let mut costs = vec![None; self.edges.len()];
        costs[self.goal] = Some(0);
        for _ in 0..self.edges.len() {
            for (from, edges) in self.edges.iter().enumerate() {
                for &(to, cost) in edges {
                    let Some(rest) = costs[to] else { continue };
                    let total = rest + step(cost);
                    if costs[from].is_none_or(|known| total < known) {
                        costs[from] = Some(total);
                    }
                }
            }
        }
        costs
    }
}

fn graphs(cost: impl Strategy<Value = Cost> + Clone) -> impl Strategy<Value = Graph> {
    (2_usize..14).prop_flat_map(move |nodes| {
        let edges = prop::collection::vec(prop::collection::vec((0..nodes, cost.clone()), 0..4), nodes);
        (edges, 0..nodes).prop_map(|(edges, goal)| Graph { edges, goal })
    })
}

/// A budget for the algorithms that never end in a cyclic graph without a solution.
fn patience() -> Budget {
    Budget::new(Limits { nodes: Some(20_000), ..Limits::default() })
}

/// Checks a report against what is true; gives the solution's number of steps.
fn check(graph: &Graph, report: &Report<Graph>, cost: Option<Cost>, steps: Option<Cost>) -> Result<(), TestCaseError> {
    match &report.outcome {
        Outcome::Solved(solution) => {
            let states: Vec<usize> = solution.path.states(graph).collect();
            prop_assert_eq!(states[0], 0);
            prop_assert_eq!(states.last(), Some(&graph.goal));
            prop_assert_eq!(solution.path.cost(graph), Some(solution.cost));
            let (best, fewest) = (cost.expect("there is a path"), steps.expect("there is a path"));
            match solution.guarantee {
                Guarantee::Cheapest => prop_assert_eq!(solution.cost, best),
                Guarantee::Shortest => prop_assert_eq!(solution.path.len() as Cost, fewest),
                Guarantee::Within { weight } => {
                    prop_assert!(f64::from(solution.cost) <= f64::from(best) * weight);
                    prop_assert!(solution.lower_bound.unwrap() <= best);
                }
                Guarantee::None => prop_assert!(solution.cost >= best),
            }
        }
        Outcome::NoSolution => prop_assert_eq!(cost, None),
        Outcome::Stopped { lower_bound, .. } => {
            let truth = cost.into_iter().chain(steps).min();
            prop_assert!(truth.is_none_or(|truth| lower_bound.unwrap_or(0) <= truth.max(cost.unwrap_or(0))));
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn all_algorithms_agree_with_relaxation(graph in graphs(0_u32..9), weight in 1.0_f64..4.0) {
        let costs = graph.costs_to_goal(|cost| cost);
        let (cost, steps) = (costs[0], graph.costs_to_goal(|_| 1)[0]);
        let exact = |state: &usize| costs[*state].unwrap_or(0);
        let half = |state: &usize| costs[*state].unwrap_or(1000) / 2;
        let weight = Weight::new(weight).unwrap();
        let must_end = [
            bfs(&graph, &0, &mut ()),
            bidirectional(&graph, &0, &mut ()),
            dfs(&graph, &0, 50, &mut ()),
            dijkstra(&graph, &0, &mut ()),
            astar(&graph, &0, &exact, &mut ()),
            astar(&graph, &0, &half, &mut ()),
            greedy(&graph, &0, &half, &mut ()),
            weighted_astar(&graph, &0, &half, weight, &mut ()),
        ];
        for report in &must_end {
            check(&graph, report, cost, steps)?;
            prop_assert_eq!(report.solution().is_some(), cost.is_some());
        }
        let may_stop = [
            iddfs(&graph, &0, &mut patience()),
            bfs_tree(&graph, &0, &mut patience()),
            dfs_tree(&graph, &0, 12, &mut patience()),
            ida(&graph, &0, &half, &mut patience()),
        ];
        for report in &may_stop {
            check(&graph, report, cost, steps)?;
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
        check(&graph, &astar(&graph, &0, &erratic, &mut ()), costs[0], graph.costs_to_goal(|_| 1)[0])?;
        check(&graph, &weighted_astar(&graph, &0, &erratic, weight, &mut ()), costs[0], graph.costs_to_goal(|_| 1)[0])?;
        check(&graph, &ida(&graph, &0, &erratic, &mut patience()), costs[0], graph.costs_to_goal(|_| 1)[0])?;
    }

    #[test]
    fn a_sufficient_depth_hides_no_solution(graph in graphs(Just(1_u32))) {
        // The bound is exactly the distance: whatever was met too deep first must be searched again.
        if let Some(steps) = graph.costs_to_goal(|_| 1)[0] {
            let report = dfs(&graph, &0, steps, &mut ());
            prop_assert_eq!(report.solution().map(|solution| solution.cost), Some(steps));
            if steps > 0 {
                let report = dfs(&graph, &0, steps - 1, &mut ());
                let cut = matches!(report.outcome, Outcome::Stopped { why: Stop::Depth, lower_bound: Some(bound) } if bound == steps);
                prop_assert!(cut);
            }
        }
    }
}

/// All algorithms as one type, on one space.
type Run = fn(&Binary, &mut dyn Observer<u64>) -> Report<Binary>;

const ALL: [(&str, Run); 11] = [
    ("bfs", |space, mut observer| bfs(space, &1, &mut observer)),
    ("bfs_tree", |space, mut observer| bfs_tree(space, &1, &mut observer)),
    ("bidirectional", |space, mut observer| bidirectional(space, &1, &mut observer)),
    ("dfs", |space, mut observer| dfs(space, &1, 18, &mut observer)),
    ("dfs_tree", |space, mut observer| dfs_tree(space, &1, 18, &mut observer)),
    ("iddfs", |space, mut observer| iddfs(space, &1, &mut observer)),
    ("dijkstra", |space, mut observer| dijkstra(space, &1, &mut observer)),
    ("greedy", |space, mut observer| greedy(space, &1, &Zero, &mut observer)),
    ("astar", |space, mut observer| astar(space, &1, &Zero, &mut observer)),
    ("weighted_astar", |space, mut observer| {
        weighted_astar(space, &1, &Zero, Weight::new(2.5).unwrap(), &mut observer)
    }),
    ("ida", |space, mut observer| ida(space, &1, &Zero, &mut observer)),
];

/// The binary tree of the numbers below 2¹⁸ under 1, in which the goals are out of reach.
struct Binary;

impl Space for Binary {
    type State = u64;
    type Action = u64;

    fn actions(&self, state: &u64) -> impl Iterator<Item = u64> {
        let child = *state * 2;
        (child..child + 2).filter(|child| *child < 1 << 18)
    }

    fn apply(&self, state: &mut u64, action: &u64) -> Cost {
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

    fn origins(&self, state: &u64) -> impl Iterator<Item = u64> {
        // Backwards it is a tree as well, and as large.
        let child = (*state - (1 << 40)) * 2;
        (child..child + 2).filter(|child| *child < 1 << 18).map(|child| child + (1 << 40))
    }
}

#[test]
fn every_algorithm_proves_that_there_is_nothing() {
    for (name, run) in ALL {
        let report = run(&Binary, &mut ());
        assert!(matches!(report.outcome, Outcome::NoSolution), "{name}");
        assert!(report.counters.expanded >= (1 << 18) - 1 || name == "bidirectional", "{name}");
        assert!(report.counters.peak_states > 0 && report.counters.peak_bytes > 0, "{name}");
    }
}

#[test]
fn every_algorithm_honours_the_node_limit_exactly() {
    for (name, run) in ALL {
        let mut budget = Budget::new(Limits { nodes: Some(777), ..Limits::default() });
        let report = run(&Binary, &mut budget);
        assert!(matches!(report.outcome, Outcome::Stopped { why: Stop::Nodes, .. }), "{name}");
        assert_eq!(report.counters.expanded, 777, "{name}");
    }
}

#[test]
fn every_algorithm_honours_time_and_cancellation() {
    for (name, run) in ALL {
        let limits = Limits { time: Some(std::time::Duration::ZERO), ..Limits::default() };
        let report = run(&Binary, &mut Budget::new(limits));
        assert!(matches!(report.outcome, Outcome::Stopped { why: Stop::Time, .. }), "{name}");
        let cancel = Cancel::new();
        cancel.cancel();
        let report = run(&Binary, &mut Budget::with_cancel(Limits::default(), cancel));
        assert!(matches!(report.outcome, Outcome::Stopped { why: Stop::Cancelled, .. }), "{name}");
    }
}

#[test]
fn every_algorithm_stays_within_its_memory() {
    for (name, run) in ALL {
        let report = run(&Binary, &mut Budget::new(Limits { memory: Some(100_000), ..Limits::default() }));
        // Some need no more than their stack.
        let frugal = matches!(name, "dfs_tree" | "iddfs" | "ida");
        if frugal {
            assert!(matches!(report.outcome, Outcome::NoSolution), "{name}");
        } else {
            assert!(matches!(report.outcome, Outcome::Stopped { why: Stop::Memory, .. }), "{name}");
        }
        assert!(report.counters.peak_bytes <= 100_000, "{name}: {}", report.counters.peak_bytes);
        let report = run(&Binary, &mut Budget::new(Limits { memory: Some(0), ..Limits::default() }));
        assert!(matches!(report.outcome, Outcome::Stopped { why: Stop::Memory, .. }), "{name}");
    }
}

/// Counts what it is told.
#[derive(Default)]
struct Tally {
    expanded: u64,
    generated: u64,
    iterations: u64,
    most_bytes: u64,
}

impl Observer<u64> for Tally {
    fn expand(&mut self, _: &Node<'_, u64>, so_far: &Counters) -> ControlFlow<Stop> {
        assert_eq!(so_far.expanded, self.expanded);
        self.expanded += 1;
        Continue(())
    }

    fn generate(&mut self, from: &u64, node: &Node<'_, u64>, so_far: &Counters) -> ControlFlow<Stop> {
        assert_ne!(from, node.state);
        self.generated += 1;
        assert_eq!(so_far.generated, self.generated + 1);
        Continue(())
    }

    fn iteration(&mut self, _: Cost, _: &Counters) -> ControlFlow<Stop> {
        self.iterations += 1;
        Continue(())
    }

    fn grow(&mut self, bytes: u64, _: &Counters) -> ControlFlow<Stop> {
        self.most_bytes = self.most_bytes.max(bytes);
        Continue(())
    }
}

#[test]
fn every_algorithm_tells_its_observer_what_it_counts() {
    for (name, run) in ALL {
        let mut tally = Tally::default();
        let report = run(&Binary, &mut tally);
        assert_eq!(report.counters.expanded, tally.expanded, "{name}");
        assert_eq!(report.counters.generated, tally.generated + 1, "{name}: the start is counted and not told");
        assert!(tally.iterations > 0, "{name}");
        assert!(report.counters.peak_bytes >= tally.most_bytes, "{name}");
    }
}

#[test]
fn costs_do_not_wrap_around() {
    let dear = from_fn(|&n: &u32| [(n + 1, Cost::MAX / 2)], |&n| n == 3);
    let overflows = |outcome: &Outcome<_>| matches!(outcome, Outcome::Stopped { why: Stop::Overflow, .. });
    assert!(overflows(&bfs(&dear, &0, &mut ()).outcome));
    assert!(overflows(&dfs(&dear, &0, 5, &mut ()).outcome));
    assert!(overflows(&iddfs(&dear, &0, &mut ()).outcome));
    assert!(overflows(&dijkstra(&dear, &0, &mut ()).outcome));
    assert!(overflows(&astar(&dear, &0, &Zero, &mut ()).outcome));
    assert!(overflows(&ida(&dear, &0, &Zero, &mut ()).outcome));
}

#[test]
fn large_and_fractional_ranks_are_ordered() {
    // Costs beyond the queue's buckets, and a weight of many digits.
    let graph = Graph { edges: vec![vec![(1, 90_000), (2, 40_000)], vec![(3, 1)], vec![(3, 50_002)], vec![]], goal: 3 };
    assert_eq!(dijkstra(&graph, &0, &mut ()).solution().map(|solution| solution.cost), Some(90_001));
    let report = weighted_astar(&graph, &0, &Zero, Weight::new(1.337).unwrap(), &mut ());
    assert_eq!(report.solution().map(|solution| solution.cost), Some(90_001));
}

#[test]
fn the_deepest_path_does_not_overflow_the_stack() {
    const DEEP: u32 = 3_000_000;
    let corridor = from_fn(|&n: &u32| (n < DEEP).then_some((n + 1, 1)), |&n| n == DEEP);
    assert_eq!(ida(&corridor, &0, &|n: &u32| DEEP - n, &mut ()).solution().unwrap().cost, DEEP);
    assert_eq!(dfs(&corridor, &0, DEEP, &mut ()).solution().unwrap().path.len(), DEEP as usize);
}

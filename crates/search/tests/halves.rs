//! Searches from both ends on random graphs, against relaxation.

mod common;

use std::ops::ControlFlow::{self, Continue};

use common::{Graph, graphs};
use pintu_search::{
    Backward, Bound, Control, Counters, Guarantee, Limits, Node, Observer, Outcome, Overestimating, Real, ReportOf,
    Space, Stop, Tree, astar, bidirectional_astar, bidirectional_dijkstra, dijkstra, from_fn,
};
use proptest::prelude::*;

/// The graph with several goals.
#[derive(Debug)]
struct Many {
    graph: Graph,
    goals: Vec<usize>,
}

impl Space for Many {
    type State = usize;
    type Action = usize;
    type Cost = u32;

    fn actions(&self, state: &usize) -> impl Iterator<Item = usize> {
        self.graph.actions(state)
    }

    fn apply(&self, state: &mut usize, action: &usize) -> u32 {
        self.graph.apply(state, action)
    }

    fn is_goal(&self, state: &usize) -> bool {
        self.goals.contains(state)
    }
}

impl Backward for Many {
    fn goals(&self) -> impl Iterator<Item = usize> {
        self.goals.iter().copied()
    }

    fn origins(&self, state: &usize) -> impl Iterator<Item = (usize, u32)> {
        self.graph.origins(state)
    }
}

impl Many {
    /// What is left from every node to the nearest goal.
    fn left(&self) -> Vec<Option<u32>> {
        let each = self.goals.iter().map(|&goal| Graph { goal, ..self.graph.clone() }.costs_to_goal(|cost| cost));
        each.reduce(|best, other| best.iter().zip(&other).map(|(a, b)| a.iter().chain(b).min().copied()).collect())
            .unwrap_or_else(|| vec![None; self.graph.edges.len()])
    }

    /// What was paid from the nearest start to every node.
    fn paid(&self, starts: &[usize]) -> Vec<Option<u32>> {
        let nodes = 0..self.graph.edges.len();
        let to = |goal| Graph { goal, ..self.graph.clone() }.costs_to_goal(|cost| cost);
        nodes
            .map(|node| {
                let costs = to(node);
                starts.iter().filter_map(|&start| costs[start]).min()
            })
            .collect()
    }
}

fn many() -> impl Strategy<Value = (Many, Vec<usize>)> {
    (graphs(0_u32..9), prop::collection::vec(0_usize..14, 0..3), 0_usize..14).prop_map(|(graph, goals, second)| {
        let nodes = graph.edges.len();
        let starts = vec![0, second % nodes];
        (Many { goals: goals.iter().map(|goal| goal % nodes).collect(), graph }, starts)
    })
}

fn check(space: &Many, report: &ReportOf<Many>, starts: &[usize], best: Option<u32>) -> Result<(), TestCaseError> {
    match &report.outcome {
        Outcome::Solved(solution) => {
            prop_assert_eq!(Some(solution.cost), best);
            prop_assert_eq!(solution.guarantee, Guarantee::Cheapest);
            prop_assert_eq!(solution.path.cost(space), best);
            let states: Vec<usize> = solution.path.states(space).collect();
            prop_assert!(starts.contains(&states[0]) && space.is_goal(&states[states.len() - 1]));
        }
        Outcome::NoSolution => prop_assert_eq!(best, None),
        Outcome::Stopped { why, lower_bound } => {
            prop_assert_eq!(*why, Stop::Nodes);
            let Some(Bound::Cost(bound)) = *lower_bound else { panic!("a bound is known") };
            prop_assert!(best.is_none_or(|best| bound <= best), "{bound} where {best:?} is the best");
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(800))]

    #[test]
    fn both_find_the_cheapest_path(
        (space, starts) in many(),
        shares in prop::collection::vec(0_u32..=100, 28),
        nodes in 0_u64..20,
    ) {
        let (left, paid) = (space.left(), space.paid(&starts));
        let best = starts.iter().filter_map(|&start| left[start]).min();
        // Any share of the truth is admissible; shares that jump from node to node are not consistent.
        let to_goal = |&n: &usize| left[n].map(|cost| cost * shares[n] / 100);
        let from_start = |&n: &usize| paid[n].map(|cost| cost * shares[14 + n] / 100);
        let exact = (|&n: &usize| left[n], |&n: &usize| paid[n]);
        for report in [
            bidirectional_dijkstra(&space, &starts, ()),
            bidirectional_astar(&space, &starts, &to_goal, &from_start, ()),
            bidirectional_astar(&space, &starts, &exact.0, &exact.1, ()),
        ] {
            prop_assert!(matches!(report.outcome, Outcome::Solved(_) | Outcome::NoSolution));
            check(&space, &report, &starts, best)?;
        }
        let limit = || Control::new(Limits { nodes: Some(nodes), ..Limits::default() });
        for report in [
            bidirectional_dijkstra(&space, &starts, &limit()),
            bidirectional_astar(&space, &starts, &to_goal, &from_start, &limit()),
        ] {
            check(&space, &report, &starts, best)?;
            prop_assert!(report.counters.expanded <= nodes);
        }
        let wrong = Overestimating(from_start);
        let report = bidirectional_astar(&space, &starts, &to_goal, &wrong, &limit());
        match &report.outcome {
            Outcome::Solved(solution) => prop_assert_eq!(solution.guarantee, Guarantee::None),
            Outcome::Stopped { lower_bound, .. } => prop_assert_eq!(*lower_bound, None),
            Outcome::NoSolution => prop_assert_eq!(best, None),
        }
    }
}

/// Four ways in a plane without end; steps up cost more.
fn plane(goal: (i32, i32)) -> impl Backward<State = (i32, i32), Cost = u32> {
    let step = |&(x, y): &(i32, i32)| [((x + 1, y), 1_u32), ((x - 1, y), 1), ((x, y + 1), 2), ((x, y - 1), 1)];
    let back = |&(x, y): &(i32, i32)| [((x - 1, y), 1_u32), ((x + 1, y), 1), ((x, y - 1), 2), ((x, y + 1), 1)];
    from_fn(step, move |&at| at == goal).backward(vec![goal], back)
}

#[test]
fn both_ends_see_less_than_one() {
    let goal = (40, 25);
    let space = plane(goal);
    let up = |from: (i32, i32), to: (i32, i32)| from.0.abs_diff(to.0) + from.1.abs_diff(to.1);
    let (one, two) = (dijkstra(&space, &(0, 0), ()), bidirectional_dijkstra(&space, &(0, 0), ()));
    assert_eq!(one.solution().unwrap().cost, 90);
    assert_eq!(two.solution().unwrap().cost, 90);
    assert!(two.counters.expanded * 3 < one.counters.expanded * 2, "{:?}", two.counters);
    let guided =
        bidirectional_astar(&space, &(0, 0), &|at: &(i32, i32)| up(*at, goal), &|at: &(i32, i32)| up((0, 0), *at), ());
    assert_eq!(guided.solution().unwrap().cost, 90);
    assert!(guided.counters.expanded < two.counters.expanded, "{:?}", guided.counters);
    assert_eq!(astar(&space, &(0, 0), &|at: &(i32, i32)| up(*at, goal), ()).solution().unwrap().cost, 90);
}

/// Counts what it is shown of each tree, and notes the highest bound.
#[derive(Default)]
struct Both {
    forward: u64,
    backward: u64,
    generated: u64,
    bound: Option<u32>,
}

impl<St> Observer<St, u32> for Both {
    fn expand(&mut self, node: &Node<'_, St, u32>, _: &Counters) -> ControlFlow<Stop> {
        *if node.tree == Tree::Forward { &mut self.forward } else { &mut self.backward } += 1;
        Continue(())
    }

    fn generate(&mut self, _: &Node<'_, St, u32>, _: pintu_search::Fate, _: &Counters) -> ControlFlow<Stop> {
        self.generated += 1;
        Continue(())
    }

    fn iteration(&mut self, bound: Bound<u32>, _: &Counters) -> ControlFlow<Stop> {
        assert!(bound.cost() > self.bound);
        self.bound = bound.cost();
        Continue(())
    }
}

#[test]
fn both_trees_are_shown_and_counted_once() {
    let mut seen = Both::default();
    let control = Control::unlimited();
    let report = bidirectional_dijkstra(&plane((9, 9)), &(0, 0), (&control, &mut seen));
    assert_eq!(seen.forward + seen.backward, report.counters.expanded);
    assert!(seen.forward > 0 && seen.backward > 0);
    // The start and the goal are counted, but nothing produced them.
    assert_eq!(seen.generated + 2, report.counters.generated);
    assert!(seen.bound.unwrap() <= report.solution().unwrap().cost);
    assert_eq!(control.counters(), report.counters);
    assert_eq!(control.held(), 0);
    let unwatched = bidirectional_dijkstra(&plane((9, 9)), &(0, 0), ());
    assert!(unwatched == report);
}

#[test]
fn limits_hold_and_cancelling_ends_it() {
    let memory = Control::new(Limits { memory: Some(200 << 10), ..Limits::default() });
    let report = bidirectional_dijkstra(&plane((500, 500)), &(0, 0), &memory);
    assert!(matches!(report.outcome, Outcome::Stopped { why: Stop::Memory, .. }));
    assert!(report.counters.peak_bytes <= 200 << 10);
    assert_eq!(memory.held(), 0);
    let control = Control::unlimited();
    let cancel = control.cancel_switch().clone();
    let endless = from_fn(
        move |&n: &i64| {
            if n == 1000 {
                cancel.cancel();
            }
            [(n + 1, 1_u32)]
        },
        |&n| n == -1,
    )
    .backward(vec![-1], |&n: &i64| [(n - 1, 1_u32)]);
    let report = bidirectional_dijkstra(&endless, &0, &control);
    assert!(matches!(report.outcome, Outcome::Stopped { why: Stop::Cancelled, .. }));
}

#[test]
fn costs_of_all_kinds() {
    let real = |cost| Real::new(cost).unwrap();
    let step = move |&n: &i32| [(n + 1, real(0.5)), (n + 3, real(1.25))];
    let back = move |&n: &i32| [(n - 1, real(0.5)), (n - 3, real(1.25))];
    let line = from_fn(step, |&n| n == 7).backward(vec![7], back);
    let report = bidirectional_dijkstra(&line, &0, ());
    assert!((report.solution().unwrap().cost.get() - 3.0).abs() < 1e-9);

    // Each half fits, the whole does not.
    let half = u32::MAX / 4 * 3;
    let dear = from_fn(move |&n: &u32| (n < 2).then_some((n + 1, half)), |&n| n == 2)
        .backward(vec![2], move |&n: &u32| n.checked_sub(1).map(|before| (before, half)));
    assert!(matches!(
        bidirectional_dijkstra(&dear, &0, ()).outcome,
        Outcome::Stopped { why: Stop::Overflow, lower_bound: Some(Bound::Cost(_)) }
    ));
    assert!(matches!(dijkstra(&dear, &0, ()).outcome, Outcome::Stopped { why: Stop::Overflow, .. }));
}

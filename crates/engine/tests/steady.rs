//! `auto` on one thread: without a time limit, the same board takes the same states and has the same answer, however fast or
//! busy the machine is.

use std::time::Duration;

use pintu_engine::{Algorithm, Answer, HeuristicName, Request, solve, tables::Store};
use pintu_search::{Control, Limits};
use pintu_testing::slowed;
use pintu_tiles::{NamedGoal, Puzzle, Scrambler, Size, Topology, read_board};

fn check(request: &Request) -> Answer {
    // The first time, tables are made, which takes memory of its own.
    assert!(solve(request, &Control::unlimited()).is_ok());
    let [once, again] =
        [Control::unlimited(), slowed(Limits::default())].map(|control| solve(request, &control).unwrap());
    let told = |answer: &Answer| (answer.status(), answer.moves().cloned(), answer.algorithm, answer.counters);
    assert_eq!(told(&once), told(&again));
    once
}

#[test]
fn a_board_takes_the_same_states_by_any_heuristic_and_under_a_node_limit() {
    let fifteen = read_board("13 5 4 10 9 12 8 14 2 3 7 1 0 15 11 6", None).unwrap();
    let goal = NamedGoal::BlankFirst.on(fifteen.size());
    let fifteen = Puzzle::new(Topology::plain(fifteen.size()), fifteen, goal).unwrap();
    let random = |side| {
        let topology = Topology::plain(Size::new(side, side).unwrap());
        let goal = NamedGoal::Standard.on(topology.size());
        Puzzle::new(topology, Scrambler::new(topology, goal.clone(), 9).uniform(), goal).unwrap()
    };
    let limited = [(5, 600_000), (6, 300_000), (8, 100_000)].map(|(side, most)| (random(side), Some(most)));
    for (puzzle, nodes) in limited.into_iter().chain([(fifteen, None)]) {
        for heuristic in [None, Some(HeuristicName::Manhattan)] {
            let limits = Limits::none().nodes(nodes);
            let answer = check(&Request { limits, heuristic, ..Request::new(puzzle.clone(), Algorithm::Auto) });
            let length = answer.moves().expect("there is always a solution").len();
            assert!(nodes.is_none_or(|most| answer.counters.expanded <= most), "{puzzle:?}");
            assert!(nodes.is_some() || answer.is_optimal() && length == 55, "{heuristic:?}");
        }
    }
}

#[test]
fn a_limit_on_the_time_that_is_not_reached_changes_nothing_on_small_boards() {
    let topology = Topology::plain(Size::new(4, 4).unwrap());
    let goal = NamedGoal::Standard.on(topology.size());
    let tables = Store::in_memory();
    for seed in 0..12 {
        let start = match seed {
            0 => goal.clone(),
            1 => read_board("1 2 3 4 5 6 7 8 9 10 11 12 13 14 0 15", None).unwrap(),
            _ => Scrambler::new(topology, goal.clone(), seed).uniform(),
        };
        let puzzle = Puzzle::new(topology, start, goal.clone()).unwrap();
        let answer = |time| {
            let limits = Limits::none().time(time);
            let request = Request { limits, tables: tables.clone(), ..Request::new(puzzle.clone(), Algorithm::Auto) };
            solve(&request, &Control::unlimited()).unwrap()
        };
        // In this order, both building tables and using cached ones run under a limit.
        let [limited, unlimited, again] =
            [Some(Duration::from_mins(2)), None, Some(Duration::from_mins(2))].map(answer);
        for answer in [limited, again] {
            let counts = |answer: &Answer| (answer.counters.expanded, answer.counters.generated);
            assert_eq!(counts(&answer), counts(&unlimited), "{seed}");
            assert!(answer.is_optimal() && answer.counters.expanded > 0, "{seed}");
            assert!(answer.counters.generated >= answer.counters.expanded, "{seed}");
        }
    }
}

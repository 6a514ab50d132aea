//! Every algorithm, recorded on boards: as many expansions as the answer counts, parents that are there, and steps that the
//! board allows.

use pintu_engine::{
    Algorithm, HeuristicName, Request, RequestError, solve, solve_traced,
    trace::{DEFAULT_EVENTS, EventBudget, EventKind, Form, NO_NODE, Recording, Traced},
};
use pintu_search::{Control, Limits, Weight};
use pintu_tiles::{NamedGoal, Puzzle, Topology, read_board};
use serde_json::Value;

fn puzzle(board: &str, goal: &str) -> Puzzle {
    let start = read_board(board, None).unwrap();
    let goal = NamedGoal::from_name(goal).map_or_else(|| read_board(goal, None).unwrap(), |goal| goal.on(start.size()));
    Puzzle::new(Topology::plain(start.size()), start, goal).unwrap()
}

fn request(algorithm: Algorithm) -> Request {
    Request { max_depth: Some(16), ..Request::new(puzzle("1 2 3 7 4 6 5 0 8", "1 2 3 4 5 6 7 8 0"), algorithm) }
}

/// Solves and records up to `events` events.
fn traced(request: &Request, events: usize) -> Traced<pintu_engine::Answer> {
    solve_traced(request, &Control::unlimited(), &EventBudget::new(events, Form::Compact)).unwrap()
}

/// The cells in which two boards differ, and whether one of the tiles there is the blank.
fn is_a_move(recording: &Recording, from: u32, to: u32) -> bool {
    let (from, to) = (recording.state(from), recording.state(to));
    let moved: Vec<usize> = (0..from.len()).filter(|&cell| from[cell] != to[cell]).collect();
    let &[a, b] = moved.as_slice() else { return false };
    (from[a], from[b]) == (to[b], to[a]) && from[a] * from[b] == 0
}

#[test]
fn every_algorithm_is_recorded_as_it_counts() {
    for algorithm in Algorithm::ALL {
        let request = request(algorithm);
        let plain = solve(&request, &Control::unlimited()).unwrap();
        let Traced { answer, recording, caption, .. } = traced(&request, DEFAULT_EVENTS);
        assert_eq!(answer.counters, plain.counters, "{algorithm}: watching changes nothing");
        assert!(!recording.cut, "{algorithm}");
        let expanded = |&code: &u8| EventKind::ALL[usize::from(code)] == EventKind::Expanded;
        let expansions = recording.events.what.iter().copied().filter(expanded).count() as u64;
        assert_eq!((expansions, recording.counts.expanded), (answer.counters.expanded, expansions), "{algorithm}");
        let generated = recording.events.what.iter().filter(|&&what| (1..8).contains(&what)).count() as u64;
        let counted = (answer.counters.generated, answer.counters.generated - 1);
        assert_eq!((recording.counts.generated, generated), counted, "{algorithm}: no event generates the start");
        for (index, &node) in recording.events.node.iter().enumerate().filter(|(_, node)| **node != NO_NODE) {
            let parent = recording.events.parent[index];
            let backward = recording.nodes.backward[node as usize];
            assert!(parent == NO_NODE || is_a_move(&recording, parent, node), "{algorithm}: event {index}");
            if parent == NO_NODE && !backward {
                assert_eq!(recording.state(node), [1, 2, 3, 7, 4, 6, 5, 0, 8], "{algorithm}: event {index}");
            }
        }
        let path = caption.path.unwrap();
        assert_eq!(path.len(), 9 * (answer.moves().unwrap().len() + 1), "{algorithm}");
        assert_eq!(path[path.len() - 9..], [1, 2, 3, 4, 5, 6, 7, 8, 0], "{algorithm}");
    }
}

/// Wherever a limit ends it, a search counts the same whether or not it is recorded.
#[test]
fn counts_under_a_limit_do_not_depend_on_being_recorded() {
    for algorithm in Algorithm::ALL {
        for nodes in [0, 1, 2, 5, 17, 60, 61, 62, 63, 64, 65, 150] {
            let limits = Limits::none().nodes(nodes);
            let request = Request { limits, ..request(algorithm) };
            let alone = solve(&request, &Control::unlimited()).unwrap();
            assert_eq!(traced(&request, DEFAULT_EVENTS).answer.counters, alone.counters, "{algorithm}, {nodes} nodes");
        }
    }
}

#[test]
fn tiles_have_the_names_that_the_user_gave_them() {
    let odd = Request::new(puzzle("1 2 3 8 0 4 7 6 5", "1 2 3 8 6 4 7 5 0"), Algorithm::Bfs);
    let recording = traced(&odd, 100).recording;
    assert_eq!(recording.state(0), [1, 2, 3, 8, 0, 4, 7, 6, 5]);
}

#[test]
fn f_is_what_the_search_goes_by() {
    type Rank = fn(f64, f64) -> f64;
    let weighted = Request { weight: Weight::new(3.0).ok(), ..request(Algorithm::Wastar) };
    let searches: [(Request, Rank); 3] = [
        (weighted, |g, h| g + 3.0 * h),
        (request(Algorithm::Greedy), |_, h| h),
        (request(Algorithm::Astar), |g, h| g + h),
    ];
    for (request, rank) in searches {
        let mut bytes = Vec::new();
        traced(&request, DEFAULT_EVENTS).write(Form::Posthoc, &mut bytes).unwrap();
        let document: Value = serde_json::from_slice(&bytes).unwrap();
        let expanding = document["events"].as_array().unwrap().iter().filter(|event| event["type"] == "expanding");
        let mut guided = 0;
        for event in expanding {
            let [f, g, h] = ["f", "g", "h"].map(|key| event[key].as_f64().unwrap());
            assert!((f - rank(g, h)).abs() < 1e-9, "{event}");
            guided += usize::from(g > 0.0 && h > 0.0);
        }
        assert!(guided > 0);
    }
}

#[test]
fn ida_begins_iterations_that_look_further_and_further() {
    let ida = Request { heuristic: Some(HeuristicName::Misplaced), ..request(Algorithm::Ida) };
    let recording = traced(&ida, DEFAULT_EVENTS).recording;
    let events = recording.events.what.iter().zip(&recording.events.paid);
    let begun = events.filter(|(what, _)| **what == EventKind::Iteration as u8);
    let bounds: Vec<f64> = begun.map(|(_, bound)| bound.value()).collect();
    assert!(bounds.len() > 1 && bounds.is_sorted_by(|a, b| a < b), "{bounds:?}");
}

#[test]
fn what_runs_on_several_threads_is_not_recorded() {
    let large = Request::new(puzzle("1 2 3 4 5 6 7 8 9 10 11 12 13 14 0 15", "standard"), Algorithm::Auto);
    let refused = solve_traced(&large, &Control::unlimited(), &EventBudget::new(10, Form::Compact)).unwrap_err();
    assert_eq!(refused, RequestError::Untraceable);
}

//! Every algorithm, recorded on boards: as many expansions as the answer counts, parents that are there, and steps that the
//! board allows.

use pintu_engine::{
    Algorithm, HeuristicName, Request, RequestError, solve, solve_traced,
    trace::{Form, NOBODY, Recording, USUAL_EVENTS, What},
};
use pintu_search::Control;
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
        let (answer, recording, caption) = solve_traced(&request, &Control::unlimited(), USUAL_EVENTS).unwrap();
        assert_eq!(answer.counters, plain.counters, "{algorithm}: watching changes nothing");
        assert!(!recording.cut, "{algorithm}");
        let expanded = |&code: &u8| What::ALL[usize::from(code)] == What::Expanded;
        let expansions = recording.events.what.iter().copied().filter(expanded).count() as u64;
        assert_eq!((expansions, recording.counts.expanded), (answer.counters.expanded, expansions), "{algorithm}");
        assert_eq!(recording.counts.generated + 1, answer.counters.generated, "{algorithm}: all but the start");
        for (index, &node) in recording.events.node.iter().enumerate().filter(|(_, node)| **node != NOBODY) {
            let parent = recording.events.parent[index];
            let backward = recording.nodes.backward[node as usize];
            assert!(parent == NOBODY || is_a_move(&recording, parent, node), "{algorithm}: event {index}");
            if parent == NOBODY && !backward {
                assert_eq!(recording.state(node), [1, 2, 3, 7, 4, 6, 5, 0, 8], "{algorithm}: event {index}");
            }
        }
        let path = caption.path.unwrap();
        assert_eq!(path.len(), 9 * (answer.moves().unwrap().len() + 1), "{algorithm}");
        assert_eq!(path[path.len() - 9..], [1, 2, 3, 4, 5, 6, 7, 8, 0], "{algorithm}");
    }
}

#[test]
fn tiles_have_the_names_that_the_user_gave_them() {
    let odd = Request::new(puzzle("1 2 3 8 0 4 7 6 5", "1 2 3 8 6 4 7 5 0"), Algorithm::Bfs);
    let (_, recording, _) = solve_traced(&odd, &Control::unlimited(), 100).unwrap();
    assert_eq!(recording.state(0), [1, 2, 3, 8, 0, 4, 7, 6, 5]);
}

#[test]
fn a_trace_that_is_cut_counts_on() {
    let whole = solve_traced(&request(Algorithm::Bfs), &Control::unlimited(), USUAL_EVENTS).unwrap().1;
    let (answer, recording, caption) = solve_traced(&request(Algorithm::Bfs), &Control::unlimited(), 10).unwrap();
    assert_eq!((recording.len(), recording.cut, recording.counts), (10, true, whole.counts));
    assert_eq!(recording.counts.expanded, answer.counters.expanded);
    for form in [Form::Compact, Form::Posthoc] {
        let mut bytes = Vec::new();
        recording.write(&caption, form, &mut bytes).unwrap();
        let document: Value = serde_json::from_slice(&bytes).unwrap();
        let end =
            if form == Form::Compact { &document } else { document["events"].as_array().unwrap().last().unwrap() };
        assert_eq!(end["cut"], true);
    }
}

#[test]
fn ida_begins_iterations_that_look_further_and_further() {
    let ida = Request { heuristic: Some(HeuristicName::Misplaced), ..request(Algorithm::Ida) };
    let (_, recording, _) = solve_traced(&ida, &Control::unlimited(), USUAL_EVENTS).unwrap();
    let begun =
        recording.events.what.iter().zip(&recording.events.paid).filter(|(what, _)| **what == What::Iteration as u8);
    let bounds: Vec<f64> = begun.map(|(_, bound)| *bound).collect();
    assert!(bounds.len() > 1 && bounds.is_sorted_by(|a, b| a < b), "{bounds:?}");
}

#[test]
fn what_runs_on_several_threads_is_not_recorded() {
    let large = Request::new(puzzle("1 2 3 4 5 6 7 8 9 10 11 12 13 14 0 15", "standard"), Algorithm::Auto);
    assert_eq!(solve_traced(&large, &Control::unlimited(), 10).unwrap_err(), RequestError::Untraceable);
}

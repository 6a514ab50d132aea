//! Moves left and hints, asked after every move.

use pintu_engine::{Algorithm, Guide, Request};
use pintu_search::Control;
use pintu_tiles::{Moves, NamedGoal, Puzzle, Size, Topology, read_board};

fn request(board: &str) -> Request {
    let start = read_board(board, None).unwrap();
    let size = start.size();
    Request::new(Puzzle::new(Topology::plain(size), start, NamedGoal::BlankFirst.on(size)).unwrap(), Algorithm::Auto)
}

/// The request after a move.
fn after(request: &Request, moves: &str) -> Request {
    let mut start = request.puzzle.start().clone();
    start.play(request.puzzle.topology(), &moves.parse::<Moves>().unwrap()).unwrap();
    let puzzle = Puzzle::new(request.puzzle.topology(), start, request.puzzle.goal().clone()).unwrap();
    Request { puzzle, ..request.clone() }
}

#[test]
fn following_the_hints_solves_the_board() {
    let mut guide = Guide::new();
    let mut request = request("13 5 4 10 9 12 8 14 2 3 7 1 0 15 11 6");
    for left in (0..=55).rev() {
        let hint = guide.ask(&request, &Control::unlimited()).unwrap().expect("it can be solved");
        assert_eq!((hint.left, hint.optimal), (left, true));
        match hint.next {
            Some(next) => request = after(&request, &next.letter().to_string()),
            None => assert_eq!(left, 0),
        }
    }
    assert!(request.puzzle.is_solved());
}

#[test]
fn a_wrong_move_is_one_more_to_make_good() {
    let mut guide = Guide::new();
    let request = request("13 5 4 10 9 12 8 14 2 3 7 1 0 15 11 6");
    let hint = guide.ask(&request, &Control::unlimited()).unwrap().unwrap();
    let wrong = if hint.next.unwrap().letter() == 'U' { "R" } else { "U" };
    let off = after(&request, wrong);
    let left = guide.ask(&off, &Control::unlimited()).unwrap().unwrap().left;
    assert!(left == 54 || left == 56, "{left}");
}

#[test]
fn other_goals_and_boards_that_cannot_be_solved() {
    let mut guide = Guide::new();
    let first = request("1 0 2 3 4 5 6 7 8");
    assert_eq!(guide.ask(&first, &Control::unlimited()).unwrap().unwrap().left, 1);
    let size = Size::new(3, 3).unwrap();
    let start = first.puzzle.start().clone();
    let other = Puzzle::new(Topology::plain(size), start, NamedGoal::Snail.on(size)).unwrap();
    let solvable = other.solvable().is_ok();
    let hint = guide.ask(&Request { puzzle: other, ..first.clone() }, &Control::unlimited()).unwrap();
    assert_eq!(hint.is_some(), solvable);
    assert!(hint.is_none_or(|hint| hint.left > 1), "the way to another goal is not taken for this one's");
    assert!(guide.ask(&request("0 2 1 3 4 5 6 7 8"), &Control::unlimited()).unwrap().is_none());
}

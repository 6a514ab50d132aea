//! Lines and rings: the blank has one way to go, or two.

use pintu_tiles::{Direction, Kind};

use super::ground::{Ground, blank_of};

/// The shortest solution of a puzzle on a line or a ring that has one.
pub(super) fn slide(ground: &Ground, start: &[u8], goal: &[u8]) -> Vec<Direction> {
    if ground.topology.kind() == Kind::Line {
        return straight(ground, blank_of(start), blank_of(goal));
    }
    let ways = ground.steps(blank_of(start)).map(|(first, _)| round(ground, start, goal, first));
    ways.min_by_key(Vec::len).unwrap_or_default()
}

fn straight(ground: &Ground, from: usize, to: usize) -> Vec<Direction> {
    let mut at = from;
    let mut moves = Vec::new();
    while at != to {
        let (next, direction) =
            ground.steps(at).min_by_key(|&(next, _)| ground.distance(next, to)).expect("a line has two cells");
        moves.push(Direction::ALL[usize::from(direction)]);
        at = next;
    }
    moves
}

/// Goes round without turning back. The states form one circle, so the goal comes.
fn round(ground: &Ground, start: &[u8], goal: &[u8], first: usize) -> Vec<Direction> {
    let mut tiles = start.to_vec();
    let mut blank = blank_of(start);
    let mut next = first;
    let mut moves = Vec::new();
    while tiles != goal {
        tiles.swap(blank, next);
        moves.push(ground.topology.direction(blank, next).expect("cells of a ring are neighbours"));
        let after = ground.steps(next).map(|(to, _)| to).find(|&to| to != blank).expect("a ring goes on");
        (blank, next) = (next, after);
    }
    moves
}

//! Shorter ways between two states of a solution.
//!
//! A window of the moves is searched again, from the state where it begins to the state where it
//! ends, for a way that is at least one move shorter. As long as the beam leaves nothing out, that is
//! an exact search bounded by distance.

use pintu_search::Control;
use pintu_tiles::Direction;

use super::{
    beam::{BeamEnd, Quest, beam},
    ground::Ground,
    stage::{Cuts, Taste, stages},
};

/// How windows are searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Glass {
    /// The moves of a window.
    pub(super) span: usize,
    pub(super) width: usize,
}

const TASTE: Taste = Taste { power: 1.0, rest: 1.0, conflict: 2.0, border: 0.0, loose: 0.0, errand: 0.0 };

/// The same way with windows of it shortened, one after the other, half a window further each time.
pub(super) fn shorten(
    ground: &Ground,
    start: &[u8],
    moves: &[Direction],
    glass: Glass,
    control: &Control,
) -> Vec<Direction> {
    let mut moves = moves.to_vec();
    let mut tiles = start.to_vec();
    let mut from = 0;
    while from + SHORTEST <= moves.len() && control.check().is_continue() {
        let to = (from + glass.span).min(moves.len());
        if let Some(shorter) = replace(ground, &tiles, &moves[from..to], glass, control) {
            moves.splice(from..to, shorter);
            continue;
        }
        let step = (glass.span / 2).clamp(1, moves.len() - from);
        ground.play(&mut tiles, &moves[from..from + step]);
        from += step;
    }
    moves
}

/// No way of fewer moves without a step back can be made shorter on a board without odd wraps.
const SHORTEST: usize = 4;

fn replace(
    ground: &Ground,
    start: &[u8],
    moves: &[Direction],
    glass: Glass,
    control: &Control,
) -> Option<Vec<Direction>> {
    let mut goal = start.to_vec();
    ground.play(&mut goal, moves);
    let mut hold = control.hold();
    let stages = stages(ground, &goal, Cuts::None, &TASTE, &mut hold).continue_value()?;
    let quest = Quest {
        ground,
        start,
        goal: &goal,
        stages: &stages,
        width: glass.width,
        most: moves.len().checked_sub(if ground.keeps_parity() { 2 } else { 1 })?,
        pace: None,
        // What it proves is about the window.
        proves: true,
    };
    match beam(&quest, control) {
        BeamEnd::Found(shorter) => Some(shorter),
        BeamEnd::Proved | BeamEnd::Lost => None,
    }
}

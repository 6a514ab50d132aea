//! Shorter ways between two states of a solution.
//!
//! A window of the moves is searched again, from the state where it begins to the state where it
//! ends, for a way that is at least one move shorter. As long as the beam leaves nothing out, that is
//! an exact search bounded by distance.

use super::{
    beam::{End, Quest, beam},
    ground::Ground,
    stage::{Cuts, Taste, stages},
    watch::Watch,
};
use crate::Direction;

/// How windows are searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Glass {
    /// The moves of a window.
    pub(super) span: usize,
    pub(super) width: usize,
    pub(super) memory: u64,
}

const TASTE: Taste = Taste { power: 1.0, rest: 1.0, conflict: 2.0, border: 0.0, loose: 0.0, errand: 0.0 };

/// Tries windows along the whole way, half a window further each time, and returns whether any of them
/// became shorter.
pub(super) fn shorten(
    ground: &Ground,
    start: &[u8],
    moves: &mut Vec<Direction>,
    glass: Glass,
    watch: &Watch<'_>,
) -> bool {
    let before = moves.len();
    let mut from = 0;
    let mut tiles = start.to_vec();
    while from + 4 < moves.len() && watch.stop().is_none() {
        let to = (from + glass.span).min(moves.len());
        if let Some(shorter) = replace(ground, &tiles, &moves[from..to], glass, watch) {
            moves.splice(from..to, shorter);
            continue;
        }
        let step = (glass.span / 2).max(1).min(moves.len() - from);
        ground.play(&mut tiles, &moves[from..from + step]);
        from += step;
    }
    moves.len() < before
}

fn replace(
    ground: &Ground,
    start: &[u8],
    moves: &[Direction],
    glass: Glass,
    watch: &Watch<'_>,
) -> Option<Vec<Direction>> {
    let mut goal = start.to_vec();
    ground.play(&mut goal, moves);
    let quest = Quest {
        ground,
        start,
        goal: &goal,
        stages: &stages(ground, &goal, Cuts::None, &TASTE),
        width: glass.width,
        most: moves.len().checked_sub(if ground.keeps_parity() { 2 } else { 1 })?,
        pace: None,
        memory: glass.memory,
    };
    match beam(&quest, watch) {
        End::Found(shorter) => Some(shorter),
        End::Proved | End::Lost => None,
    }
}

//! Beams on pattern tables: short solutions within any budget, by beams of growing width, and bounds for none.

mod layer;
mod table_beam;

pub(crate) use layer::spread_numbers;
pub(crate) use table_beam::TableBeam;

use std::cell::RefCell;

use pintu_search::Control;
use pintu_tiles::{Moves, Puzzle};

use crate::{
    budget::{Spent, width_within},
    solved::{BestKnown, FoundBy, Solved},
    tables::Tables,
    views::{Mask, Options, SizedSearch, Task, search},
};

/// Solves a puzzle, which must be solvable, with few moves, by beams on tables that [serve](Tables::serve) it, each
/// wider than the one before it, until the limits are reached, nothing wider fits into memory, or the solution found
/// or known is as short as the lower bound.
///
/// # Panics
/// If the tables serve another board or blank cell.
pub fn improve(puzzle: &Puzzle, tables: &Tables, control: &Control, options: &Options) -> Solved {
    improve_telling(puzzle, tables, control, options, BEAM_BYTES, &mut |_| {})
}

/// The same, by beams of at most `max_bytes` bytes; `on_better` is called with each solution that is shorter than those
/// before it, as soon as a beam has found it.
pub fn improve_telling(
    puzzle: &Puzzle,
    tables: &Tables,
    control: &Control,
    options: &Options,
    max_bytes: u64,
    on_better: &mut dyn FnMut(&Moves),
) -> Solved {
    search(puzzle, tables, control, options, |task| task.run(Widen { max_bytes, on_better: &RefCell::new(on_better) }))
}

/// Beams, each wider than the one before.
#[derive(Clone, Copy)]
struct Widen<'a> {
    max_bytes: u64,
    on_better: &'a RefCell<&'a mut dyn FnMut(&Moves)>,
}

/// The width of the first beam, which takes a few milliseconds. It is narrower where the node limit is too small for a
/// solution of [`LONG`] times the least.
const FIRST_WIDTH: usize = 256;
const LONG: usize = 2;
/// The factor by which beams grow while there is plenty of time.
const GROWTH: f64 = 4.0;
/// The share of the remaining budget for the last and widest beam.
const SHARE: f64 = 0.8;
/// The least growth that is worth another beam.
const LEAST_GROWTH: f64 = 1.2;
/// The default limit of a beam's bytes.
pub(crate) const BEAM_BYTES: u64 = 1 << 30;
/// Where no solution is known, moves by which the first one may be longer than twice the least.
const FIRST_SLACK: u32 = 32;

impl SizedSearch for Widen<'_> {
    type End = Solved;

    fn run<M: Mask, const CELLS: usize, const GROUPS: usize>(self, task: Task<'_>) -> Solved {
        let least = task.least();
        task.control.note_bound(least.into());
        let mut best: Option<Moves> = None;
        let mut width = width_within(task.control, LONG * least as usize, FIRST_WIDTH);
        while width >= TableBeam::<M, CELLS, GROUPS>::NARROWEST {
            let known = best.as_ref().map(|moves| moves.len() as u32).or(task.options.known);
            if known.is_some_and(|known| known <= least) {
                break;
            }
            let longest = known.map_or(LONG as u32 * least + FIRST_SLACK, |known| known - 1);
            let bytes = TableBeam::<M, CELLS, GROUPS>::bytes_a_state(longest, task.options.threads) * width as u64;
            // No beam takes more than half of the memory.
            if 2 * bytes > self.max_bytes || !task.control.has_room(2 * bytes) {
                break;
            }
            let began = Spent::so_far(task.control);
            match TableBeam::<M, CELLS, GROUPS>::search(task, width, longest) {
                Ok(Some(path)) => {
                    let moves = task.moves(&path);
                    (self.on_better.borrow_mut())(&moves);
                    best = Some(moves);
                }
                Ok(None) => {}
                Err(_) => break,
            }
            let repeats = began.repeats_left(task.control);
            let growth = if repeats > GROWTH * GROWTH { GROWTH } else { SHARE * repeats };
            if growth < LEAST_GROWTH {
                break;
            }
            width = (width as f64 * growth) as usize;
        }
        Solved { known: BestKnown::new(best, least), stopped: None, by: FoundBy::TableBeams }
    }
}

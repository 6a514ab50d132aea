//! Short solutions within any budget: beams of growing width.

use std::{
    cell::RefCell,
    ops::ControlFlow::{Break, Continue},
};

use pintu_search::Control;
use pintu_tiles::{Moves, Puzzle};

use super::sweep::Sweep;
use crate::{
    budget::width_within,
    pace::Spent,
    tables::Tables,
    views::{Deepened, Errand, Harvest, Mask, Options, Task, search},
};

/// Solves a puzzle, which must be solvable, with few moves, by beams on tables that [serve](Tables::serve) it, each
/// wider than the one before it, until the limits are reached, nothing wider fits into memory, or the solution found
/// or known is as short as the lower bound.
///
/// # Panics
/// If the tables serve another board or blank cell.
pub fn improve(puzzle: &Puzzle, tables: &Tables, control: &Control, options: &Options) -> Deepened {
    improve_telling(puzzle, tables, control, options, BEAM_BYTES, &mut |_| {})
}

/// The same, by beams that take no more than so many bytes ([usually](BEAM_BYTES)); `on_better` is called with each
/// solution that is shorter than those before it, as soon as a beam has found it.
///
/// # Panics
/// If the tables serve another board or blank cell.
pub fn improve_telling(
    puzzle: &Puzzle,
    tables: &Tables,
    control: &Control,
    options: &Options,
    most_bytes: u64,
    on_better: &mut dyn FnMut(&Moves),
) -> Deepened {
    search(puzzle, tables, control, options, |task, through| {
        let tell = RefCell::new(|cells: &[u8]| on_better(&through(cells)));
        task.run(Widen { most_bytes, tell: &tell })
    })
}

/// Who is told of the cells of each solution.
type Told<'a> = RefCell<dyn FnMut(&[u8]) + 'a>;

/// Beams, wider and wider.
#[derive(Clone, Copy)]
struct Widen<'a> {
    most_bytes: u64,
    tell: &'a Told<'a>,
}

impl Errand for Widen<'_> {
    type End = Harvest;

    fn run<M: Mask, const CELLS: usize, const LANES: usize>(self, task: Task<'_>) -> Option<Harvest> {
        widen::<M, CELLS, LANES>(task, self.most_bytes, &mut *self.tell.borrow_mut())
    }
}

/// The first beam is done within a few milliseconds. It is narrower where fewer states may be expanded than it takes to a
/// solution of [`LONG`] times the least.
const FIRST_WIDTH: usize = 256;
const LONG: usize = 2;
/// By how much beams grow while there is plenty of time.
const GROWTH: f64 = 4.0;
/// The share of what is left that the last and widest beam is meant to take.
const SHARE: f64 = 0.8;
/// Less growth than this is not worth a beam.
const LEAST_GROWTH: f64 = 1.2;
/// What beams usually take at most.
pub const BEAM_BYTES: u64 = 1 << 30;

/// Sweeps wider and wider. Nothing if the tables are not laid out for such states.
fn widen<M: Mask, const CELLS: usize, const LANES: usize>(
    task: Task<'_>,
    most_bytes: u64,
    tell: &mut dyn FnMut(&[u8]),
) -> Option<Harvest> {
    let least = task.least();
    task.control.note_bound(least.into());
    let mut best: Option<Vec<u8>> = None;
    let mut width = width_within(task.control, LONG * least as usize, FIRST_WIDTH);
    while width >= Sweep::<M, CELLS, LANES>::NARROWEST {
        let known = best.as_ref().map(|cells| cells.len() as u32).or(task.options.known);
        if known.is_some_and(|known| known <= least) {
            break;
        }
        let longest = known.map_or(LONG as u32 * least + FIRST_SLACK, |known| known - 1);
        let bytes = Sweep::<M, CELLS, LANES>::bytes_a_state(longest, task.options.threads) * width as u64;
        // No beam takes more than half of what there is.
        if 2 * bytes > most_bytes || !task.control.has_room(2 * bytes) {
            break;
        }
        let began = Spent::so_far(task.control);
        match Sweep::<M, CELLS, LANES>::sweep(task, width, longest)? {
            Continue(Some(found)) => {
                tell(&found);
                best = Some(found);
            }
            Continue(None) => {}
            Break(_) => break,
        }
        let turns = began.turns_left(task.control);
        let growth = if turns > GROWTH * GROWTH { GROWTH } else { SHARE * turns };
        if growth < LEAST_GROWTH {
            break;
        }
        width = (width as f64 * growth) as usize;
    }
    Some(Harvest { cells: best, bound: least, refused: None })
}

/// Where no solution is known, moves by which the first one may be longer than twice the least.
const FIRST_SLACK: u32 = 32;

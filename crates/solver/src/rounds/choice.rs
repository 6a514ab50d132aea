//! Which views serve a board best.
//!
//! A round asks two views of every state, for more cost more than they save. But where there are tables of several
//! partitions, which two are best depends on the board: some pairs need a tenth of the states that others need. What
//! a pair needs in a short round tells well what it needs in the long ones.

use pintu_search::{Control, Limits};
use pintu_tiles::Puzzle;

use super::deepening::{Go, Reached, Rounded};
use crate::{
    tables::Tables,
    views::{Deepened, Layout, Options, Task, search},
};

/// Solves a puzzle, which must be solvable, with the fewest moves, by IDA* on tables that
/// [serve](Tables::serve) it. Unless it is stopped, the solution found or known is as short as the lower bound.
///
/// # Panics
/// If the tables serve another board or blank cell.
pub fn deepen(puzzle: &Puzzle, tables: &Tables, control: &Control, options: &Options) -> Deepened {
    search(puzzle, tables, control, options, |task, _| prove(task).harvest)
}

/// Views are tried on the first round that expands so many states: fewer would say less about long rounds, which take
/// hundreds of times as many.
#[cfg(not(test))]
const TRIED_ON: u64 = 50_000;
/// In tests few, so that short searches try them too.
#[cfg(test)]
const TRIED_ON: u64 = 100;

/// Solves a task by rounds: with the views it has as long as they are short, then with the two best.
fn prove(task: Task<'_>) -> Rounded {
    let tables = task.tables;
    let is_choice = tables.aspects().len() > tables.first_aspects().len();
    let start = Reached { bound: task.least(), ..Reached::default() };
    let begun = task.run(Go::On { from: start, most: if is_choice { TRIED_ON } else { u64::MAX } });
    let is_known = task.options.known.is_some_and(|known| known <= begun.reached.bound);
    if begun.harvest.cells.is_some() || begun.harvest.refused.is_some() || is_known || task.control.is_over() {
        return begun;
    }
    let [_, mut least] = begun.reached.sizes;
    let mut best = None;
    for layout in pairs(tables) {
        let control = task.control.part(Limits { nodes: Some(least), ..Limits::default() });
        let tried = Task { rounds: &layout, control: &control, ..task }.run(Go::Once { bound: begun.reached.last });
        if control.stopped().or(tried.harvest.refused).is_none() {
            least = tried.reached.sizes[1];
            best = Some(layout);
        }
    }
    let rounds = best.as_ref().unwrap_or(task.rounds);
    // Of the best views' growth nothing is known.
    let go_on = Reached { sizes: [0, least], ..begun.reached };
    Task { rounds, ..task }.run(Go::On { from: go_on, most: u64::MAX })
}

/// All pairs of views but those of the first partition.
fn pairs(tables: &Tables) -> impl Iterator<Item = Layout<'_>> {
    let (aspects, first) = (tables.aspects(), tables.first_aspects().len());
    let pairs = (0..aspects.len()).flat_map(move |a| (first.max(a + 1)..aspects.len()).map(move |b| [a, b]));
    pairs.map(move |pair| Layout::new(tables, pair.map(|aspect| &aspects[aspect])))
}

//! IDA* on pattern tables: the shortest solutions, and bounds that are proved; and which views serve a board best.
//!
//! A round looks a state up in two views; more would cost more than they save. With tables of several partitions, the
//! best pair depends on the board: some pairs need a tenth of the states that others need. A pair's expansions in a
//! short round predict those in long rounds well.

mod deepening;
mod descent;
mod frontier;
pub mod shards;
#[cfg(test)]
mod tests;

pub use frontier::{FrontierStates, grow_frontier};

use pintu_search::{Control, Limits};
use pintu_tiles::Puzzle;

use self::deepening::{Go, Reached};
use crate::{
    solved::Solved,
    tables::Tables,
    views::{Layout, Options, Task, search},
};

/// Solves a puzzle, which must be solvable, with the fewest moves, by IDA* on tables that
/// [serve](Tables::serve) it. Unless it is stopped, the solution found or known is as short as the lower bound.
///
/// # Panics
/// If the tables serve another board or blank cell.
pub fn deepen(puzzle: &Puzzle, tables: &Tables, control: &Control, options: &Options) -> Solved {
    search(puzzle, tables, control, options, |task| prove(task).0)
}

/// Views are compared on the first round that expands this many states: fewer would say less about long rounds, which
/// expand hundreds of times as many. In tests few, so that short searches try them too.
const COMPARED_AT_NODES: u64 = if cfg!(test) { 100 } else { 50_000 };

/// Solves a task by rounds: with the first partition's views as long as they are short, then with the two best.
fn prove(task: Task<'_>) -> (Solved, Reached) {
    let tables = task.tables;
    let is_choice = tables.views().len() > tables.first_views().len();
    let start = Reached { bound: task.least(), ..Reached::default() };
    let (begun, reached) = task.run(Go::On { from: start, most: if is_choice { COMPARED_AT_NODES } else { u64::MAX } });
    let is_known = task.is_known(reached.bound);
    if begun.known.moves().is_some() || begun.stopped.is_some() || is_known || task.control.is_over() {
        return (begun, reached);
    }
    let mut from = reached;
    let best = best_pair(task, &mut from).map(|pair| Layout::new(tables, pair.map(|view| &tables.views()[view])));
    Task { rounds: best.as_ref().unwrap_or(task.rounds), ..task }.run(Go::On { from, most: u64::MAX })
}

/// The pair of views that expands the fewest states in the last round over again, if it is not the first partition's; sets
/// the size of that round.
fn best_pair(task: Task<'_>, reached: &mut Reached) -> Option<[usize; 2]> {
    let tables = task.tables;
    let [_, mut least] = reached.sizes;
    let mut best = None;
    for pair in pairs(tables) {
        let layout = Layout::new(tables, pair.map(|view| &tables.views()[view]));
        let control = task.control.part(Limits::none().nodes(least));
        let (tried, round) = Task { rounds: &layout, control: &control, ..task }.run(Go::Once { bound: reached.last });
        if control.stopped().or(tried.stopped).is_none() {
            least = round.sizes[1];
            best = Some(pair);
        }
    }
    // The growth of rounds with the best views is not known.
    reached.sizes = [0, least];
    best
}

/// All pairs of views but those of the first partition.
fn pairs(tables: &Tables) -> impl Iterator<Item = [usize; 2]> {
    let (views, first) = (tables.views().len(), tables.first_views().len());
    (0..views).flat_map(move |a| (first.max(a + 1)..views).map(move |b| [a, b]))
}

//! IDA*: rounds of depth-first search, each as far as a bound, and the bound rises from round to round.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use pintu_search::{Control, Stop};

use super::{descent::Descent, frontier::Frontier};
use crate::{
    beam::TableBeam,
    pruning::Automaton,
    solved::{BestKnown, FoundBy, Solved},
    tables::Residue,
    threads::{Alarm, together},
    views::{Mask, SizedSearch, Task},
};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Reached {
    /// The lower bound of all solutions, and the next round's bound.
    pub(super) bound: u32,
    /// The bound of the last round.
    pub(super) last: u32,
    /// The states that the last two rounds have expanded.
    pub(super) sizes: [u64; 2],
}

#[derive(Clone, Copy)]
pub(super) enum Go {
    /// Rounds from here on, to the end, or until one expands `most` states.
    On { from: Reached, most: u64 },
    /// One round as far as this bound.
    Once { bound: u32 },
}

impl SizedSearch for Go {
    type End = (Solved, Reached);

    fn run<M: Mask, const CELLS: usize, const GROUPS: usize>(self, task: Task<'_>) -> Self::End {
        let frontier = Frontier::new(task.rounds, task.board, task.blank, task.control.hold());
        let mut rounds = Rounds::<M, CELLS, GROUPS> { task, frontier, reached: Reached::default() };
        match self {
            Self::On { from, most } => {
                rounds.reached = from;
                rounds.run(most)
            }
            Self::Once { bound } => {
                rounds.reached.bound = bound;
                rounds.run_one()
            }
        }
    }
}

struct Rounds<'a, M: Mask, const CELLS: usize, const GROUPS: usize> {
    task: Task<'a>,
    frontier: Frontier<'a, M, CELLS, GROUPS>,
    reached: Reached,
}

impl<M: Mask, const CELLS: usize, const GROUPS: usize> Rounds<'_, M, CELLS, GROUPS> {
    fn run(mut self, most: u64) -> (Solved, Reached) {
        let ended = self.rounds(most);
        self.end(ended)
    }

    fn run_one(mut self) -> (Solved, Reached) {
        let ended = self.round(self.reached.bound).map(|round| round.found);
        self.end(ended)
    }

    fn end(self, ended: Result<Option<Vec<u8>>, Stop>) -> (Solved, Reached) {
        let stopped = ended.as_ref().err().copied();
        let moves = ended.ok().flatten().map(|path| self.task.moves(&path));
        let known = BestKnown::new(moves, self.reached.bound);
        (Solved { known, stopped, by: FoundBy::Rounds }, self.reached)
    }

    /// The blank's path to the goal, unless it is known, or a round has expanded `most` states before.
    fn rounds(&mut self, most: u64) -> Result<Option<Vec<u8>>, Stop> {
        loop {
            let bound = self.reached.bound;
            self.task.control.note_bound(bound.into());
            if self.task.is_known(bound) || self.reached.sizes[1] >= most {
                return Ok(None);
            }
            if let Some(cells) = self.try_beams(bound) {
                return Ok(Some(cells));
            }
            if let Some(id) = self.grow()? {
                let cells = self.frontier.path(id);
                self.reached.bound = cells.len() as u32;
                return Ok(Some(cells));
            }
            let round = self.round(bound)?;
            if round.found.is_some() || self.task.control.is_over() {
                return Ok(round.found);
            }
            self.reached.bound += round.shortfall.min(self.frontier.shortfall(bound));
        }
    }

    /// Looks for a solution as short as the bound, in a small part of the time that the round would take.
    fn try_beams(&mut self, bound: u32) -> Option<Vec<u8>> {
        // Where bounds rise by one, the last round is no longer than all before it, and beams do not pay.
        if self.task.expanded() < NODES_TO_SHARE || self.task.layout.residue != Residue::Parity {
            return None;
        }
        let bytes = TableBeam::<M, CELLS, GROUPS>::bytes_a_state(bound, self.task.options.threads);
        let wanted = (self.ahead() / (ROUND_NODES_A_BEAM_NODE * u64::from(bound))).min(MAX_BEAM_BYTES / bytes);
        if wanted < TableBeam::<M, CELLS, GROUPS>::NARROWEST as u64 {
            return None;
        }
        let widest = self.task.control.room(2 * wanted * bytes) / (2 * bytes);
        let widths = [4, 1].map(|part| widest as usize / part).into_iter();
        for width in widths.filter(|&width| width >= TableBeam::<M, CELLS, GROUPS>::NARROWEST) {
            match TableBeam::<M, CELLS, GROUPS>::search(self.task, width, bound) {
                Ok(None) => {}
                Ok(found) => return found,
                Err(_) => return None,
            }
        }
        None
    }

    /// The expansions expected of the next round, if rounds go on growing as they did.
    fn ahead(&self) -> u64 {
        let [before, last] = self.reached.sizes;
        (last as f64 * (last as f64 / before.max(1) as f64).clamp(1.0, MAX_GROWTH)) as u64
    }

    /// Grows the frontier to the size that suits the expansions so far.
    fn grow(&mut self) -> Result<Option<u32>, Stop> {
        let wanted = frontier_states(self.task.expanded(), self.task.options.threads);
        let most = frontier_within::<M, CELLS, GROUPS>(wanted, self.frontier.bytes(), self.task.control);
        let grown = self.frontier.grow(most, self.task.automaton, &mut self.task.control.meter());
        self.task.control.note_states(self.frontier.len() as u64);
        grown
    }

    /// Searches from every root as far as `bound`, unless there is no room for that.
    fn round(&mut self, bound: u32) -> Result<Round, Stop> {
        let before = self.task.expanded();
        let mut hold = self.task.control.hold();
        hold.more((self.frontier.len() * BYTES_A_ROOT) as u64 + Descent::<M, CELLS, GROUPS>::BYTES)?;
        let others =
            (1..self.task.options.threads).take_while(|_| hold.more(Descent::<M, CELLS, GROUPS>::BYTES).is_ok());
        let round = self.search(bound, others.count());
        self.reached.last = bound;
        self.reached.sizes = [self.reached.sizes[1], self.task.expanded() - before];
        Ok(round)
    }

    /// Searches on this thread and `others` more.
    fn search(&self, bound: u32, others: usize) -> Round {
        let roots = self.frontier.roots(bound);
        let mut hold = self.task.control.hold();
        let automaton = self.task.tables.deep_automaton(self.task.expanded(), &mut hold).unwrap_or(self.task.automaton);
        let (next, threads) = (AtomicUsize::new(0), (1 + others).min(roots.len()));
        let rounds = together(threads, || self.descend(&roots, automaton, bound, &next));
        rounds.into_iter().fold(Round { shortfall: u32::MAX, found: None }, |all, one| Round {
            shortfall: all.shortfall.min(one.shortfall),
            found: all.found.or(one.found),
        })
    }

    /// Searches from roots, of which each thread takes the next, as long as there are some.
    fn descend(&self, roots: &[u32], automaton: &Automaton, bound: u32, next: &AtomicUsize) -> Round {
        let _alarm = Alarm(self.task.control);
        let mut descent = Descent::<M, CELLS, GROUPS>::new(self.task.rounds, automaton, self.task.control);
        let next = || {
            let id = *roots.get(next.fetch_add(1, Relaxed))?;
            Some((id, self.frontier.root(id, bound, automaton)))
        };
        let _ = descent.search(next);
        let found = descent.found.map(|(root, path_back)| {
            self.task.control.finish();
            let mut cells = self.frontier.path(root);
            cells.extend(path_back.iter().rev());
            cells
        });
        Round { shortfall: descent.shortfall, found }
    }
}

/// The number of states that the next round's frontier is to have, after `expanded` expansions.
pub(super) fn frontier_states(expanded: u64, threads: usize) -> usize {
    match expanded {
        0..NODES_TO_SHARE => 1,
        NODES_TO_SHARE..NODES_FOR_LARGE if threads == 1 => 1,
        NODES_TO_SHARE..NODES_FOR_LARGE => ROOTS_A_THREAD * threads,
        NODES_FOR_LARGE..NODES_FOR_LARGER => 1 << 17,
        NODES_FOR_LARGER..NODES_FOR_LARGEST => 1 << 20,
        _ => 1 << 22,
    }
}

/// How many of the `wanted` states fit into memory, where a frontier holds `held` bytes already.
pub(super) fn frontier_within<M: Mask, const CELLS: usize, const GROUPS: usize>(
    wanted: usize,
    held: u64,
    control: &Control,
) -> usize {
    // While a table is rehashed or a vector grows, it takes twice as much, and the old memory is not given back at
    // once.
    let each = 3 * Frontier::<M, CELLS, GROUPS>::BYTES_A_STATE as u64;
    let bytes = (wanted as u64 * each).min(MAX_FRONTIER_BYTES);
    let fits = (held + control.room(bytes.saturating_sub(held))) / each;
    wanted.min(fits as usize)
}

struct Round {
    /// The least rise of the bound that lets another state be searched.
    shortfall: u32,
    found: Option<Vec<u8>>,
}

/// Expansions from which on the next round, about eight times as large, is shared among threads, and is worth a large
/// frontier, a larger one and the largest. A state of the frontier takes as long as eight of a round.
const NODES_TO_SHARE: u64 = 20_000;
pub(super) const NODES_FOR_LARGE: u64 = 2_000_000;
const NODES_FOR_LARGER: u64 = 16_000_000;
const NODES_FOR_LARGEST: u64 = 100_000_000;
const ROOTS_A_THREAD: usize = 4096;
/// The bytes of listing and sorting the roots.
const BYTES_A_ROOT: usize = 4 * size_of::<u32>();
const MAX_FRONTIER_BYTES: u64 = 1 << 30;
/// The widest beam before a round expands a tenth of what the round will. The beams together take about a sixth of the
/// round's time if they find nothing; mostly they find a solution.
const ROUND_NODES_A_BEAM_NODE: u64 = 10;
/// Rounds do not grow by more than this, but after a short one it may look so.
const MAX_GROWTH: f64 = 8.0;
const MAX_BEAM_BYTES: u64 = 1 << 28;

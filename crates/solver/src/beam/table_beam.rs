//! A beam on the tables, which finds a short solution in a small part of the time that a round takes.
//!
//! A round must be searched to its end before the bound may rise, except for the last one, which ends as soon as it
//! meets the goal: early or late, as luck has it, and it takes longer than all rounds before it together. A solution
//! that is known beforehand to be no longer than the bound makes that round needless. A beam on the same tables
//! finds one more often than not, for it compares states by what all views say together, where a round can only ask
//! each view whether a state is too far.

use pintu_search::{Meter, Stop};

use super::layer::{RecentStates, StateRef, WorkerLayer, Zobrist, nearest};
use crate::{
    pruning::Automaton,
    threads::{Alarm, share_out},
    views::{Batch, MOST, Mask, State, Task, WIDTH},
};

/// A beam search: of each layer, only the states that seem nearest to the goal are expanded.
pub(crate) struct TableBeam<'a, M: Mask, const CELLS: usize, const GROUPS: usize> {
    width: usize,
    numbers: Zobrist<CELLS>,
    workers: Vec<Worker<'a, M, CELLS, GROUPS>>,
    seen: Vec<RecentStates>,
    /// For each expanded state of each layer, the index of its parent, and the blank's cell.
    links: Vec<Vec<u32>>,
}

const CELL_BITS: u32 = 6;
/// Threads are not worth starting for fewer states.
const LEAST_SHARE: usize = 1024;

impl<'a, M: Mask, const CELLS: usize, const GROUPS: usize> TableBeam<'a, M, CELLS, GROUPS> {
    /// Narrower beams find nothing.
    pub(crate) const NARROWEST: usize = 32;

    /// The bytes for each state of the width, in a search of `moves` layers on `threads` threads.
    pub(crate) fn bytes_a_state(moves: u32, threads: usize) -> u64 {
        let layers = share(2 * WorkerLayer::<M, CELLS, GROUPS>::BYTES_A_STATE, threads) * threads;
        (layers + size_of::<StateRef>() + RecentStates::BYTES_A_STATE + size_of::<u32>() * moves as usize) as u64
    }

    /// The bytes that do not depend on the width.
    fn bytes_besides(threads: usize) -> u64 {
        let layers = 2 * WorkerLayer::<M, CELLS, GROUPS>::BYTES_BESIDES;
        let worker = layers + size_of::<Worker<'a, M, CELLS, GROUPS>>();
        (threads * worker + Zobrist::<CELLS>::BYTES) as u64
    }

    /// Searches with this width for a solution of at most `longest` moves.
    pub(crate) fn search(task: Task<'a>, width: usize, longest: u32) -> Result<Option<Vec<u8>>, Stop> {
        let threads = task.options.threads;
        let mut hold = task.control.hold();
        hold.more(Self::bytes_a_state(longest, threads) * width as u64 + Self::bytes_besides(threads))?;
        task.control.note_states(2 * width as u64);
        Self::new(task, width).run(task.start(longest))
    }

    fn new(task: Task<'a>, width: usize) -> Self {
        let automaton = task.automaton;
        let threads = task.options.threads.min(width / LEAST_SHARE).max(1);
        let worker = |_| {
            let (batch, next) = (Batch::new(task.layout), WorkerLayer::new(share(width, threads)));
            Worker { automaton, meter: task.control.meter(), batch, lefts: [0; WIDTH], hashes: [0; WIDTH], next }
        };
        let workers = (0..threads).map(worker).collect();
        let seen = (0..threads).map(|_| RecentStates::new(width.div_ceil(threads))).collect();
        Self { width, numbers: Zobrist::new(), workers, seen, links: Vec::new() }
    }

    /// The cells that the blank goes to from `start` to the goal, if the beam gets there within the slack.
    fn run(mut self, start: State<M, CELLS, GROUPS>) -> Result<Option<Vec<u8>>, Stop> {
        if start.is_goal() {
            self.count_goal();
            return Ok(Some(Vec::new()));
        }
        let mut layers: Vec<_> =
            self.workers.iter().map(|_| WorkerLayer::new(share(self.width, self.workers.len()))).collect();
        layers[0].push(&start, start.moves.iter().map(|&moves| u16::from(moves)).sum(), 0);
        let mut refs = Vec::with_capacity(self.width);
        loop {
            nearest(&layers, self.width, &mut refs);
            if refs.is_empty() {
                return Ok(None);
            }
            if let Some((last, before)) = self.make_next(&layers, &refs)? {
                self.count_goal();
                return Ok(Some(self.path(last, before)));
            }
            for (layer, worker) in layers.iter_mut().zip(&mut self.workers) {
                std::mem::swap(layer, &mut worker.next);
                worker.next.clear();
            }
            self.drop_seen(&mut layers);
        }
    }

    /// Counts the goal as expanded, if the limit allows it.
    fn count_goal(&mut self) {
        let _ = self.workers[0].meter.expand();
    }

    /// Makes the next layer's states; if the goal is among them, returns the blank's last cell, and the state before.
    ///
    /// Each worker makes the successors of the next states in order. So which of equally near states remain
    /// hardly depends on the number of workers, and it stems from few states of each layer rather than from a random
    /// choice that would leave gaps in every path.
    fn make_next(
        &mut self,
        layers: &[WorkerLayer<M, CELLS, GROUPS>],
        refs: &[StateRef],
    ) -> Result<Option<(u8, u32)>, Stop> {
        let share = refs.len().div_ceil(self.workers.len()).max(LEAST_SHARE);
        let mut links = vec![0; refs.len()];
        let numbers = &self.numbers;
        let shares = (0..).zip(refs.chunks(share)).zip(links.chunks_mut(share));
        let jobs: Vec<_> = shares.zip(self.workers.iter_mut().zip(&mut self.seen)).collect();
        let ends = share_out(jobs.len(), jobs, |(((index, refs), links), (worker, seen))| {
            let end = worker.make_next(layers, refs, index * share, links, numbers, seen);
            // Other workers may still need the unused expansions.
            worker.meter.rest();
            end
        });
        self.links.push(links);
        let goal = ends.iter().find(|end| matches!(end, Ok(Some(_))));
        goal.or(ends.iter().find(|end| end.is_err())).copied().unwrap_or(Ok(None))
    }

    /// Drops states that several workers have made: the first worker keeps its copy.
    fn drop_seen(&self, layers: &mut [WorkerLayer<M, CELLS, GROUPS>]) {
        let others = layers.iter_mut().enumerate().skip(1).filter(|(_, layer)| !layer.states.is_empty());
        let others: Vec<_> = others.collect();
        share_out(others.len(), others, |(index, layer)| layer.drop_seen(&self.seen[..index]));
    }

    fn path(&self, last: u8, mut at: u32) -> Vec<u8> {
        let mut cells = vec![last];
        for links in self.links[1..].iter().rev() {
            let link = links[at as usize];
            cells.push(link as u8 & ((1 << CELL_BITS) - 1));
            at = link >> CELL_BITS;
        }
        cells.reverse();
        cells
    }
}

/// The width of one worker, with a quarter to spare: the nearest states may be in one part of a layer more often than
/// in the others.
fn share(whole: usize, workers: usize) -> usize {
    if workers == 1 { whole } else { whole.div_ceil(workers) * 5 / 4 }
}

struct Worker<'a, M: Mask, const CELLS: usize, const GROUPS: usize> {
    automaton: &'a Automaton,
    meter: Meter<'a>,
    batch: Batch<'a, M, CELLS, GROUPS>,
    /// The estimates and hashes of the batch's states.
    lefts: [u16; WIDTH],
    hashes: [u64; WIDTH],
    next: WorkerLayer<M, CELLS, GROUPS>,
}

impl<M: Mask, const CELLS: usize, const GROUPS: usize> Worker<'_, M, CELLS, GROUPS> {
    /// Makes the successors of states, the first of which has this index, and links those to the states before them.
    /// Returns where the blank goes last, and from which state, if that leads to the goal.
    fn make_next(
        &mut self,
        layers: &[WorkerLayer<M, CELLS, GROUPS>],
        refs: &[StateRef],
        mut first: usize,
        mut links: &mut [u32],
        numbers: &Zobrist<CELLS>,
        seen: &mut RecentStates,
    ) -> Result<Option<(u8, u32)>, Stop> {
        let _alarm = Alarm(self.meter.control());
        let mut refs = refs;
        while !refs.is_empty() {
            let count = self.meter.expand_some(WIDTH.min(refs.len()))?;
            for spot in refs.iter().skip(count).take(WIDTH) {
                layers[spot.worker as usize].fetch(spot.at as usize);
            }
            for (index, (&spot, link)) in refs[..count].iter().zip(&mut *links).enumerate() {
                let (layer, at) = (&layers[spot.worker as usize], spot.at as usize);
                let here = &mut self.batch.states[index % WIDTH];
                *here = layer.states[at];
                *link = here.before << CELL_BITS | u32::from(self.automaton.transitions(here.automaton).blank);
                self.lefts[index % WIDTH] = layer.lefts[at];
                self.hashes[index % WIDTH] = layer.hashes[at];
            }
            let goal = self.expand(count, first as u32, numbers, seen);
            if goal.is_some() {
                return Ok(goal);
            }
            first += count;
            refs = &refs[count..];
            links = &mut links[count..];
        }
        Ok(None)
    }

    /// Expands the batch's states, the first of which has this index, unless it meets the goal.
    #[inline]
    fn expand(
        &mut self,
        count: usize,
        first: u32,
        numbers: &Zobrist<CELLS>,
        seen: &mut RecentStates,
    ) -> Option<(u8, u32)> {
        self.meter.generate(self.batch.generate(count, self.automaton) as u64);
        self.batch.look_up_any();
        let mut near = [(0, 0, 0); MOST];
        let mut made = 0;
        for (at, child) in self.batch.children() {
            let of = usize::from(child.of) % WIDTH;
            let left = self.lefts[of].wrapping_add_signed(self.batch.change(at));
            if left == 0 {
                return Some((child.step.to, first + u32::from(child.of)));
            }
            let hash = self.hashes[of] ^ numbers.change(child.tile, child.step.to, child.step.slide / 4);
            seen.fetch(hash);
            near[made % MOST] = (at, left, hash);
            made += usize::from(self.next.is_near(left));
        }
        for &(at, left, hash) in &near[..made] {
            if seen.is_new(hash) {
                let child = self.batch.children[at % MOST];
                let state = self.next.push(&self.batch.states[usize::from(child.of) % WIDTH], left, hash);
                self.batch.step((at, child), state);
                state.before = first + u32::from(child.of);
            }
        }
        self.next.update_cutoff();
        None
    }
}

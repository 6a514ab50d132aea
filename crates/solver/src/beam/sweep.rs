//! A beam on the tables, which finds a short solution in a small part of the time that a round takes.
//!
//! A round must be searched to its end before the bound may rise, except for the last one, which ends as soon as it
//! meets the goal: early or late, as luck has it, and it takes longer than all rounds before it together. A solution
//! that is known beforehand to be no longer than the bound makes that round needless. A beam on the same tables
//! finds one more often than not, for it compares states by what all views say together, where a round can only ask
//! each view whether a state is too far.

use std::ops::ControlFlow::{self, Break, Continue};

use pintu_search::{Meter, Stop};

use super::{
    layer::{Portion, Spot, nearest},
    met::{Met, Numbers},
};
use crate::{
    machine::Machine,
    threads::{Alarm, share_out},
    views::{Batch, MOST, Mask, State, Task, WIDTH},
};

/// A beam: of the states that are so many moves away from the start, those that seem nearest to the goal.
pub(crate) struct Sweep<'a, M: Mask, const CELLS: usize, const LANES: usize> {
    width: usize,
    numbers: Numbers<CELLS>,
    workers: Vec<Worker<'a, M, CELLS, LANES>>,
    /// What each worker has seen.
    seen: Vec<Met>,
    /// For each state of each layer that was taken up, the index of the one before it, and the blank's cell.
    links: Vec<Vec<u32>>,
}

/// Bits of a link that hold a cell.
const CELL_BITS: u32 = 6;
/// Threads are not worth starting for fewer states.
const LEAST_SHARE: usize = 1024;

impl<'a, M: Mask, const CELLS: usize, const LANES: usize> Sweep<'a, M, CELLS, LANES> {
    /// Narrower beams find nothing.
    pub(crate) const NARROWEST: usize = 32;

    /// The bytes that each state of the width takes in a sweep of so many moves on so many threads.
    pub(crate) fn bytes_a_state(moves: u32, threads: usize) -> u64 {
        let portions = share(2 * Portion::<M, CELLS, LANES>::BYTES_A_STATE, threads) * threads;
        (portions + size_of::<Spot>() + Met::BYTES_A_STATE + size_of::<u32>() * moves as usize) as u64
    }

    /// What it takes besides, whatever its width.
    fn bytes_besides(threads: usize) -> u64 {
        let portions = 2 * Portion::<M, CELLS, LANES>::BYTES_BESIDES;
        let worker = portions + size_of::<Worker<'a, M, CELLS, LANES>>();
        (threads * worker + Numbers::<CELLS>::BYTES) as u64
    }

    /// Sweeps with this width for a solution of at most so many moves. Nothing if the tables are not laid out for it.
    pub(crate) fn sweep(task: Task<'a>, width: usize, longest: u32) -> Option<ControlFlow<Stop, Option<Vec<u8>>>> {
        let threads = task.options.threads;
        let mut hold = task.control.hold();
        let bytes = Self::bytes_a_state(longest, threads) * width as u64 + Self::bytes_besides(threads);
        if let Break(why) = hold.more(bytes) {
            return Some(Break(why));
        }
        task.control.note_states(2 * width as u64);
        Some(Self::new(task, width)?.run(task.start(longest)?))
    }

    /// Nothing if the tables are not laid out for it.
    fn new(task: Task<'a>, width: usize) -> Option<Self> {
        let machine = task.machine;
        let threads = task.options.threads.min(width / LEAST_SHARE).max(1);
        let worker = |_| {
            let batch = Batch::new(task.layout)?;
            let hand = Hand { lefts: [0; WIDTH], hashes: [0; WIDTH] };
            let next = Portion::new(share(width, threads));
            Some(Worker { machine, meter: task.control.meter(), batch, hand, next })
        };
        let workers = (0..threads).map(worker).collect::<Option<_>>()?;
        let seen = (0..threads).map(|_| Met::new(width.div_ceil(threads))).collect();
        Some(Self { width, numbers: Numbers::new(), workers, seen, links: Vec::new() })
    }

    /// The cells that the blank goes to from `start` to the goal, if the beam gets there within the slack.
    fn run(mut self, start: State<M, CELLS, LANES>) -> ControlFlow<Stop, Option<Vec<u8>>> {
        if start.is_goal() {
            self.count_goal();
            return Continue(Some(Vec::new()));
        }
        let mut portions: Vec<_> =
            self.workers.iter().map(|_| Portion::new(share(self.width, self.workers.len()))).collect();
        portions[0].push(&start, start.moves.iter().map(|&moves| u16::from(moves)).sum(), 0);
        let mut spots = Vec::with_capacity(self.width);
        loop {
            nearest(&portions, self.width, &mut spots);
            if spots.is_empty() {
                return Continue(None);
            }
            if let Some((last, before)) = self.make_next(&portions, &spots)? {
                self.count_goal();
                return Continue(Some(self.way(last, before)));
            }
            for (portion, worker) in portions.iter_mut().zip(&mut self.workers) {
                std::mem::swap(portion, &mut worker.next);
                worker.next.clear();
            }
            self.drop_seen(&mut portions);
        }
    }

    /// The goal counts as taken up, if there is still one to count.
    fn count_goal(&mut self) {
        let _ = self.workers[0].meter.expand();
    }

    /// Makes the next layer's states; if the goal is among them, says where the blank goes last, and from which state.
    ///
    /// Each worker makes the successors of the next states in order. So what is kept of states that seem equally near
    /// hardly depends on the number of workers, and it stems from few states of each layer rather than from a random
    /// choice that would leave gaps in every way.
    fn make_next(
        &mut self,
        portions: &[Portion<M, CELLS, LANES>],
        spots: &[Spot],
    ) -> ControlFlow<Stop, Option<(u8, u32)>> {
        let share = spots.len().div_ceil(self.workers.len()).max(LEAST_SHARE);
        let mut links = vec![0; spots.len()];
        let numbers = &self.numbers;
        let shares = (0..).zip(spots.chunks(share)).zip(links.chunks_mut(share));
        let turns: Vec<_> = shares.zip(self.workers.iter_mut().zip(&mut self.seen)).collect();
        let ends = share_out(turns.len(), turns, |(((index, spots), links), (worker, seen))| {
            let end = worker.make_next(portions, spots, index * share, links, numbers, seen);
            // Others may still have much to do.
            worker.meter.rest();
            end
        });
        self.links.push(links);
        for end in &ends {
            if let Break(TurnEnd::Goal(last, before)) = *end {
                return Continue(Some((last, before)));
            }
        }
        let stopped =
            ends.into_iter().find_map(|end| if let Break(TurnEnd::Stopped(why)) = end { Some(why) } else { None });
        stopped.map_or(Continue(None), Break)
    }

    /// Sorts out what several workers have made: the first one keeps it.
    fn drop_seen(&self, portions: &mut [Portion<M, CELLS, LANES>]) {
        let others = portions.iter_mut().enumerate().skip(1).filter(|(_, portion)| !portion.states.is_empty());
        let others: Vec<_> = others.collect();
        share_out(others.len(), others, |(index, portion)| portion.drop_seen(&self.seen[..index]));
    }

    fn way(&self, last: u8, mut at: u32) -> Vec<u8> {
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

/// One worker's share of something that they need not share out evenly: the nearest states may be in one part of a layer
/// more often than in the others.
fn share(whole: usize, workers: usize) -> usize {
    if workers == 1 { whole } else { whole.div_ceil(workers) * 5 / 4 }
}

/// What ends a worker's turn early.
#[derive(Clone, Copy)]
enum TurnEnd {
    /// The goal: where the blank goes last, and from which state.
    Goal(u8, u32),
    /// A limit, or somebody, stopped it.
    Stopped(Stop),
}

/// One thread's part of a sweep.
struct Worker<'a, M: Mask, const CELLS: usize, const LANES: usize> {
    machine: &'a Machine,
    meter: Meter<'a>,
    batch: Batch<'a, M, CELLS, LANES>,
    hand: Hand,
    next: Portion<M, CELLS, LANES>,
}

/// What is known of the states in hand.
struct Hand {
    lefts: [u16; WIDTH],
    hashes: [u64; WIDTH],
}

impl<M: Mask, const CELLS: usize, const LANES: usize> Worker<'_, M, CELLS, LANES> {
    /// Makes the successors of states, the first of which has this index, and links those to the states before them.
    fn make_next(
        &mut self,
        portions: &[Portion<M, CELLS, LANES>],
        spots: &[Spot],
        mut first: usize,
        mut links: &mut [u32],
        numbers: &Numbers<CELLS>,
        seen: &mut Met,
    ) -> ControlFlow<TurnEnd> {
        let _alarm = Alarm(self.meter.control());
        let mut spots = spots;
        while !spots.is_empty() {
            let count = self.meter.expand_some(WIDTH.min(spots.len())).map_break(TurnEnd::Stopped)?;
            for spot in spots.iter().skip(count).take(WIDTH) {
                portions[spot.portion as usize].fetch(spot.at as usize);
            }
            for (index, (&spot, link)) in spots[..count].iter().zip(&mut *links).enumerate() {
                let (portion, at) = (&portions[spot.portion as usize], spot.at as usize);
                let here = &mut self.batch.hand[index % WIDTH];
                *here = portion.states[at];
                *link = here.before << CELL_BITS | u32::from(self.machine.fan(here.machine).blank);
                self.hand.lefts[index % WIDTH] = portion.lefts[at];
                self.hand.hashes[index % WIDTH] = portion.hashes[at];
            }
            self.take_up(count, first as u32, numbers, seen)?;
            first += count;
            spots = &spots[count..];
            links = &mut links[count..];
        }
        Continue(())
    }

    /// Makes the successors of the states in hand, the first of which has this index.
    #[inline]
    fn take_up(&mut self, count: usize, first: u32, numbers: &Numbers<CELLS>, seen: &mut Met) -> ControlFlow<TurnEnd> {
        self.meter.counters.generated += self.batch.make_children(count, self.machine) as u64;
        self.batch.look_up_any();
        let mut near = [(0, 0, 0); MOST];
        let mut made = 0;
        for (at, child) in self.batch.children() {
            let of = usize::from(child.of) % WIDTH;
            let left = self.hand.lefts[of].wrapping_add_signed(self.batch.change(at));
            if left == 0 {
                return Break(TurnEnd::Goal(child.step.to, first + u32::from(child.of)));
            }
            let hash = self.hand.hashes[of] ^ numbers.change(child.tile, child.step.to, child.step.slide / 4);
            seen.fetch(hash);
            near[made % MOST] = (at, left, hash);
            made += usize::from(self.next.is_near(left));
        }
        for &(at, left, hash) in &near[..made] {
            if seen.is_new(hash) {
                let child = self.batch.child(at);
                let state = self.next.push(&self.batch.hand[usize::from(child.of) % WIDTH], left, hash);
                self.batch.step((at, child), state);
                state.before = first + u32::from(child.of);
            }
        }
        self.next.settle();
        Continue(())
    }
}

//! A beam on the tables, which finds a short solution in a small part of the time that a round takes.
//!
//! A round must be searched to its end before the bound may rise, except for the last one, which ends as soon as it
//! meets the goal: early or late, as luck has it, and it takes longer than all rounds before it together. A solution
//! that is known beforehand to be no longer than the bound makes that round needless. A beam on the same tables
//! finds one more often than not, for it compares states by what all views say together, where a round can only ask
//! each view whether a state is too far.

use std::{
    ops::{
        ControlFlow::{self, Break, Continue},
        Range,
    },
    thread,
};

use super::{
    Task,
    batch::{Batch, MOST, WIDTH},
    control::Allowance,
    dive::Halt,
    lookup::{Mask, fetch},
    machine::Machine,
    state::State,
};

/// A beam: of the states that are so many moves away from the start, those that seem nearest to the goal.
pub(crate) struct Sweep<'a, M: Mask, const CELLS: usize, const LANES: usize> {
    machine: &'a Machine,
    width: usize,
    workers: Vec<Worker<'a, M, CELLS, LANES>>,
    /// What each worker has seen.
    seen: Vec<Seen>,
    /// For each state of each layer but the first, the index of the one before it, and the blank's cell.
    links: Vec<Vec<u32>>,
}

/// Bits of a link that hold a cell.
const CELL_BITS: u32 = 6;
/// Threads are not worth starting for fewer states.
const LEAST_SHARE: usize = 1024;

impl<'a, M: Mask, const CELLS: usize, const LANES: usize> Sweep<'a, M, CELLS, LANES> {
    /// Narrower beams find nothing.
    pub(crate) const NARROWEST: usize = 32;

    /// The bytes that each state of the width takes in a sweep of so many moves.
    pub(crate) fn bytes_a_state(moves: u32) -> u64 {
        let state = size_of::<State<M, CELLS, LANES>>();
        (4 * state + size_of::<Bucket>() + size_of::<u32>() * moves as usize) as u64
    }

    /// Nothing if the tables are not laid out for it.
    pub(crate) fn new(task: Task<'a>, width: usize) -> Option<Self> {
        let machine = task.tables.machine(0);
        let threads = task.options.threads.min(width / LEAST_SHARE).max(1);
        let worker = |_| {
            let batch = Batch::new(task.layout)?;
            Some(Worker { machine, allowance: Allowance::new(task.control), batch, next: Next::new(width) })
        };
        let workers = (0..threads).map(worker).collect::<Option<_>>()?;
        let seen = (0..threads).map(|_| Seen::new(width.div_ceil(threads))).collect();
        Some(Self { machine, width, workers, seen, links: Vec::new() })
    }

    /// The cells that the blank goes to from `start` to the goal, if the beam gets there within the slack.
    pub(crate) fn run(mut self, start: State<M, CELLS, LANES>) -> ControlFlow<Halt, Option<Vec<u8>>> {
        if start.is_goal() {
            return Continue(Some(Vec::new()));
        }
        let mut layer = vec![Vec::new(); self.workers.len()];
        layer[0].push(start);
        while layer.iter().any(|part| !part.is_empty()) {
            if let Some((last, before)) = self.make_next(&layer)? {
                return Continue(Some(self.way(last, before)));
            }
            let links = self.narrow();
            self.links.push(links);
            for (part, worker) in layer.iter_mut().zip(&mut self.workers) {
                std::mem::swap(part, &mut worker.next.states);
                worker.next.clear();
            }
        }
        Continue(None)
    }

    /// Makes the next layer's states; if the goal is among them, says where the blank goes last, and from which state.
    ///
    /// Each worker makes the successors of the next states in order. So what is kept of states that seem equally near
    /// hardly depends on the number of workers, and it stems from few states of each layer rather than from a random
    /// choice that would leave gaps in every way.
    fn make_next(&mut self, layer: &[Vec<State<M, CELLS, LANES>>]) -> ControlFlow<Halt, Option<(u8, u32)>> {
        let share = layer.iter().map(Vec::len).sum::<usize>().div_ceil(self.workers.len()).max(LEAST_SHARE);
        let ends: Vec<_> = thread::scope(|scope| {
            let run = |(index, (worker, seen)): (usize, (&mut Worker<'a, M, CELLS, LANES>, &mut Seen))| {
                worker.make_next(layer, index * share..(index + 1) * share, seen)
            };
            let workers = self.workers.iter_mut().zip(&mut self.seen).enumerate();
            let mut workers = workers.filter(|&(index, _)| slices(layer, index * share..usize::MAX).next().is_some());
            let first = workers.next();
            let others: Vec<_> = workers.map(|worker| scope.spawn(move || run(worker))).collect();
            let first = first.map(run);
            let stopped = |_| Break(End::Stopped);
            first.into_iter().chain(others.into_iter().map(|other| other.join().unwrap_or_else(stopped))).collect()
        });
        for end in &ends {
            if let Break(End::Goal(last, before)) = *end {
                return Continue(Some((last, before)));
            }
        }
        if ends.iter().any(ControlFlow::is_break) { Break(Halt::Stopped) } else { Continue(None) }
    }

    /// Keeps the nearest states of the next layer, as many as the beam is wide; returns their links.
    fn narrow(&mut self) -> Vec<u32> {
        let mut room = self.width;
        let most = self.workers[0].next.counts.len();
        let count = |left: usize| self.workers.iter().map(|worker| worker.next.counts[left]).sum::<usize>();
        let mut too_far = 0;
        while too_far + 1 < most && count(too_far) <= room {
            room -= count(too_far);
            too_far += 1;
        }
        let (seen, machine) = (&self.seen, self.machine);
        let narrow = |(index, room, worker): (usize, usize, &mut Worker<'a, M, CELLS, LANES>)| {
            worker.next.narrow(&seen[..index], too_far as u16, room);
            worker.next.links(machine)
        };
        thread::scope(|scope| {
            let mut parts = self.workers.iter_mut().enumerate().map(|(index, worker)| {
                let part = room;
                room = room.saturating_sub(worker.next.counts[too_far]);
                (index, part, worker)
            });
            let first = parts.next();
            let others: Vec<_> = parts
                .filter(|(_, _, worker)| !worker.next.states.is_empty())
                .map(|part| scope.spawn(move || narrow(part)))
                .collect();
            let mut links = first.map(narrow).unwrap_or_default();
            for other in others {
                links.extend(other.join().unwrap_or_default());
            }
            links
        })
    }

    fn way(&self, last: u8, mut at: u32) -> Vec<u8> {
        let mut cells = vec![last];
        for links in self.links.iter().rev() {
            let link = links[at as usize];
            cells.push(link as u8 & ((1 << CELL_BITS) - 1));
            at = link >> CELL_BITS;
        }
        cells.reverse();
        cells
    }
}

/// What ends a worker's turn early.
#[derive(Clone, Copy)]
enum End {
    /// The goal: where the blank goes last, and from which state.
    Goal(u8, u32),
    Stopped,
}

/// The states of a layer, which comes in parts, from one index to another, in slices; with the index of the first one
/// of each.
fn slices<T>(layer: &[Vec<T>], wanted: Range<usize>) -> impl Iterator<Item = (usize, &[T])> {
    let mut first = 0;
    layer.iter().filter_map(move |part| {
        let start = first;
        first += part.len();
        let from = wanted.start.clamp(start, first);
        let to = wanted.end.clamp(start, first);
        (from < to).then(|| (from, &part[from - start..to - start]))
    })
}

/// One thread's part of a sweep.
struct Worker<'a, M: Mask, const CELLS: usize, const LANES: usize> {
    machine: &'a Machine,
    allowance: Allowance<'a>,
    batch: Batch<'a, M, CELLS, LANES>,
    next: Next<M, CELLS, LANES>,
}

impl<M: Mask, const CELLS: usize, const LANES: usize> Worker<'_, M, CELLS, LANES> {
    /// Makes the successors of the states of a layer from one index to another.
    fn make_next(
        &mut self,
        layer: &[Vec<State<M, CELLS, LANES>>],
        wanted: Range<usize>,
        seen: &mut Seen,
    ) -> ControlFlow<End> {
        for (first, slice) in slices(layer, wanted) {
            let mut done = 0;
            while done < slice.len() {
                let Continue(count) = self.allowance.expand(WIDTH.min(slice.len() - done)) else {
                    return Break(End::Stopped);
                };
                self.batch.hand[..count].copy_from_slice(&slice[done..done + count]);
                self.take_up(count, (first + done) as u32, seen)?;
                done += count;
            }
        }
        Continue(())
    }

    /// Makes the successors of the states in hand, the first of which has this index.
    #[inline]
    fn take_up(&mut self, count: usize, first: u32, seen: &mut Seen) -> ControlFlow<End> {
        self.allowance.generated += self.batch.make_children(count, self.machine) as u64;
        self.batch.look_up_spread();
        let mut lefts = [0; WIDTH];
        for (left, here) in lefts.iter_mut().zip(&self.batch.hand[..count]) {
            *left = here.moves.iter().map(|&moves| u16::from(moves)).sum();
        }
        let known = self.next.states.len();
        for (at, child) in self.batch.children() {
            let left = lefts[usize::from(child.of) % WIDTH].wrapping_add_signed(self.batch.change((at, child)));
            let before = first + u32::from(child.of);
            if left == 0 {
                return Break(End::Goal(child.step.to, before));
            }
            if left < self.next.too_far {
                // Copied first and changed in place: to change the copy before it is stored would make it wait.
                self.next.states.push(self.batch.hand[usize::from(child.of) % WIDTH]);
                let state = self.next.states.last_mut().expect("it has just been pushed");
                self.batch.step((at, child), state);
                state.before = before;
                self.next.lefts.push(left);
            }
        }
        self.next.keep_new(known, seen);
        Continue(())
    }
}

/// A worker's part of the next layer in the making: the nearest states, and of those equally near the first. It may be
/// as wide as the beam, for all of the nearest states may be in one part.
struct Next<M, const CELLS: usize, const LANES: usize> {
    width: usize,
    states: Vec<State<M, CELLS, LANES>>,
    /// For each state, the moves that all views together say are left.
    lefts: Vec<u16>,
    /// For each number of moves left, how many states have it.
    counts: Vec<usize>,
    /// From so many moves on, states are too far: enough others have no more.
    too_far: u16,
    /// How many have no more.
    near: usize,
}

impl<M: Mask, const CELLS: usize, const LANES: usize> Next<M, CELLS, LANES> {
    fn new(width: usize) -> Self {
        let room = 2 * width + MOST;
        let (states, lefts) = (Vec::with_capacity(room), Vec::with_capacity(room));
        let mut next = Self { width, states, lefts, counts: vec![0; LANES * 256], too_far: 0, near: 0 };
        next.clear();
        next
    }

    fn clear(&mut self) {
        self.states.clear();
        self.lefts.clear();
        self.counts.fill(0);
        self.too_far = (self.counts.len() - 1) as u16;
        self.near = 0;
    }

    /// Keeps those of the states after the first so many that have not been seen.
    #[inline]
    fn keep_new(&mut self, known: usize, seen: &mut Seen) {
        // Not until all states are made, for it would wait for what has just been stored.
        let mut hashes = [0; MOST];
        for (hash, state) in hashes.iter_mut().zip(&self.states[known..]) {
            *hash = state.hash();
            seen.fetch(*hash);
        }
        let mut kept = known;
        for (at, &hash) in (known..self.states.len()).zip(&hashes) {
            if seen.is_new(hash) {
                self.counts[usize::from(self.lefts[at])] += 1;
                self.move_to(kept, at);
                kept += 1;
            }
        }
        self.truncate(kept);
        self.near += kept - known;
        while self.near - self.counts[usize::from(self.too_far)] >= self.width {
            self.near -= self.counts[usize::from(self.too_far)];
            self.too_far -= 1;
        }
        if self.states.len() >= 2 * self.width {
            let nearer = self.near - self.counts[usize::from(self.too_far)];
            let room = self.width - nearer;
            self.narrow(&[], self.too_far, room);
            self.counts[usize::from(self.too_far)] = room;
            self.counts[usize::from(self.too_far) + 1..].fill(0);
            self.near = self.width;
        }
    }

    /// Drops the states that others have seen, those that need more moves, and of those that need just so many all that
    /// there is no room for.
    fn narrow(&mut self, others: &[Seen], too_far: u16, mut room: usize) {
        let mut kept = 0;
        for at in 0..self.states.len() {
            let is_tie = self.lefts[at] == too_far;
            let is_near = self.lefts[at] < too_far || is_tie && room > 0;
            if is_near && !others.iter().any(|seen| seen.has(self.states[at].hash())) {
                room -= usize::from(is_tie);
                self.move_to(kept, at);
                kept += 1;
            }
        }
        self.truncate(kept);
    }

    /// For each state, the index of the one before it, and the blank's cell.
    fn links(&self, machine: &Machine) -> Vec<u32> {
        let blank = |state: &State<M, CELLS, LANES>| u32::from(machine.fan(state.machine).blank);
        self.states.iter().map(|state| state.before << CELL_BITS | blank(state)).collect()
    }

    #[inline]
    fn move_to(&mut self, to: usize, from: usize) {
        self.states[to] = self.states[from];
        self.lefts[to] = self.lefts[from];
    }

    fn truncate(&mut self, len: usize) {
        self.states.truncate(len);
        self.lefts.truncate(len);
    }
}

/// States seen last, so that few are in a beam twice. What is forgotten or taken for another harms only the beam.
struct Seen(Vec<Bucket>);

type Bucket = [u32; 4];

impl Seen {
    fn new(width: usize) -> Self {
        Self(vec![Bucket::default(); width.next_power_of_two()])
    }

    #[inline]
    fn index(&self, hash: u64) -> usize {
        hash as usize & (self.0.len() - 1)
    }

    #[inline]
    fn fetch(&self, hash: u64) {
        fetch(&self.0, self.index(hash));
    }

    #[inline]
    fn has(&self, hash: u64) -> bool {
        self.0[self.index(hash)].contains(&tag(hash))
    }

    #[inline]
    fn is_new(&mut self, hash: u64) -> bool {
        let index = self.index(hash);
        let is_new = !self.has(hash);
        if is_new {
            let [a, b, c, _] = self.0[index];
            self.0[index] = [tag(hash), a, b, c];
        }
        is_new
    }
}

/// What is kept of a hash.
fn tag(hash: u64) -> u32 {
    (hash >> 32) as u32
}

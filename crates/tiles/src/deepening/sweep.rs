//! A beam on the tables, which finds a short solution in a small part of the time that a round takes.
//!
//! A round must be searched to its end before the bound may rise, except for the last one, which ends as soon as it
//! meets the goal: early or late, as luck has it, and it takes longer than all rounds before it together. A solution
//! that is known beforehand to be no longer than the bound makes that round needless. A beam on the same tables
//! finds one more often than not, for it compares states by what all views say together, where a round can only ask
//! each view whether a state is too far.

use std::{
    ops::ControlFlow::{self, Break, Continue},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU32, AtomicUsize, Ordering::Relaxed},
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
    seen: Seen,
    /// For each state of each layer but the first, the index of the one before it, and the blank's cell.
    links: Vec<Vec<u32>>,
}

/// Bits of a link that hold a cell.
const CELL_BITS: u32 = 6;
/// States that a worker takes from the layer at a time.
const SHARE: usize = 16 * WIDTH;

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
        // Threads are not worth starting for few states.
        let threads = task.options.threads.min(width / (4 * SHARE)).max(1);
        // What one worker keeps may be a little more than its part.
        let part = if threads == 1 { width } else { width / threads + width / threads / 4 };
        let worker = |_| {
            let batch = Batch::new(task.layout)?;
            Some(Worker { machine, allowance: Allowance::new(task.control), batch, next: Next::new(part) })
        };
        let workers = (0..threads).map(worker).collect::<Option<_>>()?;
        Some(Self { machine, width, workers, seen: Seen::new(width), links: Vec::new() })
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
            self.narrow();
            let link = |state: &State<M, CELLS, LANES>| {
                state.before << CELL_BITS | u32::from(self.machine.fan(state.machine).blank)
            };
            self.links.push(self.workers.iter().flat_map(|worker| worker.next.states.iter().map(link)).collect());
            for (part, worker) in layer.iter_mut().zip(&mut self.workers) {
                std::mem::swap(part, &mut worker.next.states);
                worker.next.clear();
            }
        }
        Continue(None)
    }

    /// Makes the next layer's states; if the goal is among them, says where the blank goes last, and from which state.
    fn make_next(&mut self, layer: &[Vec<State<M, CELLS, LANES>>]) -> ControlFlow<Halt, Option<(u8, u32)>> {
        let mut shares = Vec::new();
        let mut first = 0;
        for share in layer.iter().flat_map(|part| part.chunks(SHARE)) {
            shares.push((first, share));
            first += share.len() as u32;
        }
        let turn = Turn { shares, next: AtomicUsize::new(0), seen: &self.seen, goal: Mutex::new(None) };
        let (one, others) = self.workers.split_first_mut().expect("there is one");
        let ended = thread::scope(|scope| {
            let others: Vec<_> = others
                .iter_mut()
                .filter(|_| turn.shares.len() > 1)
                .map(|worker| scope.spawn(|| worker.make_next(&turn)))
                .collect();
            let ended = one.make_next(&turn);
            others.into_iter().fold(ended, |ended, other| match other.join() {
                Ok(other) if ended.is_continue() => other,
                _ => ended,
            })
        });
        match turn.goal.into_inner().unwrap_or_else(PoisonError::into_inner) {
            None => ended.map_continue(|()| None),
            goal => Continue(goal),
        }
    }

    /// Keeps the nearest states of the next layer, as many as the beam is wide.
    fn narrow(&mut self) {
        let mut room = self.width;
        let most = self.workers[0].next.counts.len();
        let count = |left: usize| self.workers.iter().map(|worker| worker.next.counts[left]).sum::<usize>();
        let mut too_far = 0;
        while too_far + 1 < most && count(too_far) <= room {
            room -= count(too_far);
            too_far += 1;
        }
        for worker in &mut self.workers {
            worker.next.narrow(too_far as u16, &mut room);
        }
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

/// What the workers share while they make a layer.
struct Turn<'a, M, const CELLS: usize, const LANES: usize> {
    /// Parts of the layer before it, with the index of their first state.
    shares: Vec<(u32, &'a [State<M, CELLS, LANES>])>,
    /// The next part to be taken.
    next: AtomicUsize,
    seen: &'a Seen,
    /// Where the blank goes last, and from which state.
    goal: Mutex<Option<(u8, u32)>>,
}

/// One thread's part of a sweep.
struct Worker<'a, M: Mask, const CELLS: usize, const LANES: usize> {
    machine: &'a Machine,
    allowance: Allowance<'a>,
    batch: Batch<'a, M, CELLS, LANES>,
    next: Next<M, CELLS, LANES>,
}

impl<M: Mask, const CELLS: usize, const LANES: usize> Worker<'_, M, CELLS, LANES> {
    /// Takes up states as long as there are some.
    fn make_next(&mut self, turn: &Turn<'_, M, CELLS, LANES>) -> ControlFlow<Halt> {
        while let Some(&(first, share)) = turn.shares.get(turn.next.fetch_add(1, Relaxed)) {
            let mut done = 0;
            while done < share.len() {
                let count = self.allowance.expand(WIDTH.min(share.len() - done))?;
                self.batch.hand[..count].copy_from_slice(&share[done..done + count]);
                if let Break(goal) = self.take_up(count, first + done as u32, turn.seen) {
                    *turn.goal.lock().unwrap_or_else(PoisonError::into_inner) = Some(goal);
                    turn.next.store(turn.shares.len(), Relaxed);
                    return Continue(());
                }
                done += count;
            }
        }
        Continue(())
    }

    /// Makes the successors of the states in hand, the first of which has this index.
    #[inline]
    fn take_up(&mut self, count: usize, first: u32, seen: &Seen) -> ControlFlow<(u8, u32)> {
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
                return Break((child.step.to, before));
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

/// The next layer in the making: the nearest states, and of those equally near the first.
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
    fn keep_new(&mut self, known: usize, seen: &Seen) {
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
            self.narrow(self.too_far, &mut { room });
            self.counts[usize::from(self.too_far)] = room;
            self.counts[usize::from(self.too_far) + 1..].fill(0);
            self.near = self.width;
        }
    }

    /// Drops the states that need more moves, and of those that need just so many all that there is no room for.
    fn narrow(&mut self, too_far: u16, room: &mut usize) {
        let mut kept = 0;
        for at in 0..self.states.len() {
            let is_tie = self.lefts[at] == too_far;
            if self.lefts[at] < too_far || is_tie && *room > 0 {
                *room -= usize::from(is_tie);
                self.move_to(kept, at);
                kept += 1;
            }
        }
        self.truncate(kept);
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

/// States seen last, so that few are in a beam twice. What is forgotten or taken for another, or what two threads write
/// at once, harms only the beam.
struct Seen(Vec<Bucket>);

type Bucket = [AtomicU32; 4];

impl Seen {
    fn new(width: usize) -> Self {
        Self((0..width.next_power_of_two()).map(|_| Bucket::default()).collect())
    }

    #[inline]
    fn fetch(&self, hash: u64) {
        fetch(&self.0, hash as usize & (self.0.len() - 1));
    }

    #[inline]
    fn is_new(&self, hash: u64) -> bool {
        let [a, b, c, d] = &self.0[hash as usize & (self.0.len() - 1)];
        let tags = [a.load(Relaxed), b.load(Relaxed), c.load(Relaxed)];
        let tag = (hash >> 32) as u32;
        let is_new = !tags.contains(&tag) && d.load(Relaxed) != tag;
        if is_new {
            a.store(tag, Relaxed);
            b.store(tags[0], Relaxed);
            c.store(tags[1], Relaxed);
            d.store(tags[2], Relaxed);
        }
        is_new
    }
}

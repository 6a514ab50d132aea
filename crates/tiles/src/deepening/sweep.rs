//! A beam on the tables, which finds a short solution in a small part of the time that a round takes.
//!
//! A round must be searched to its end before the bound may rise, except for the last one, which ends as soon as it
//! meets the goal: early or late, as luck has it, and it takes longer than all rounds before it together. A solution
//! that is known beforehand to be no longer than the bound makes that round needless. A beam on the same tables
//! finds one more often than not, for it compares states by what all views say together, where a round can only ask
//! each view whether a state is too far.

use std::{
    ops::ControlFlow::{self, Continue},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    thread,
};

use super::{
    Task,
    batch::{Batch, MOST, WIDTH},
    control::{Allowance, Control},
    dive::Halt,
    layout::Layout,
    lookup::{Mask, fetch},
    machine::Machine,
    state::State,
};

/// A beam: of the states that are so many moves away from the start, those that seem nearest to the goal.
pub(crate) struct Sweep<'a, M: Mask, const CELLS: usize, const LANES: usize> {
    machine: &'a Machine,
    allowance: Allowance<'a>,
    batch: Batch<'a, M, CELLS, LANES>,
    layer: Vec<State<M, CELLS, LANES>>,
    next: Next<M, CELLS, LANES>,
    seen: Seen,
    /// For each state of each layer but the first, the index of the one before it, and the blank's cell.
    links: Vec<Vec<u32>>,
}

/// Narrower ones find nothing.
const NARROWEST: usize = 32;
/// Bits of a link that hold a cell.
const CELL_BITS: u32 = 6;

impl<'a, M: Mask, const CELLS: usize, const LANES: usize> Sweep<'a, M, CELLS, LANES> {
    /// The bytes that each state of the width takes in a sweep of so many moves.
    pub(crate) fn bytes_a_state(moves: u32) -> u64 {
        (3 * size_of::<State<M, CELLS, LANES>>() + size_of::<Bucket>() + size_of::<u32>() * moves as usize) as u64
    }

    /// Nothing if the tables are not laid out for it.
    pub(crate) fn new(
        layout: &'a Layout<'a>,
        machine: &'a Machine,
        control: &'a Control<'a>,
        width: usize,
    ) -> Option<Self> {
        Some(Self {
            machine,
            allowance: Allowance::new(control),
            batch: Batch::new(layout)?,
            layer: Vec::with_capacity(width),
            next: Next::new(width),
            seen: Seen::new(width),
            links: Vec::new(),
        })
    }

    /// The cells that the blank goes to from `start` to the goal, if the beam gets there within the slack.
    pub(crate) fn run(mut self, start: State<M, CELLS, LANES>) -> ControlFlow<Halt, Option<Vec<u8>>> {
        if start.is_goal() {
            return Continue(Some(Vec::new()));
        }
        self.layer.push(start);
        while !self.layer.is_empty() {
            if let Some((last, before)) = self.make_next()? {
                return Continue(Some(self.way(last, before)));
            }
            self.next.narrow();
            std::mem::swap(&mut self.layer, &mut self.next.states);
            self.next.clear();
            let link = |state: &State<M, CELLS, LANES>| {
                state.before << CELL_BITS | u32::from(self.machine.fan(state.machine).blank)
            };
            self.links.push(self.layer.iter().map(link).collect());
        }
        Continue(None)
    }

    /// Makes the next layer's states; if the goal is among them, says where the blank goes last, and from which state.
    fn make_next(&mut self) -> ControlFlow<Halt, Option<(u8, u32)>> {
        let mut done = 0;
        while done < self.layer.len() {
            let count = self.allowance.expand(WIDTH.min(self.layer.len() - done))?;
            self.batch.hand[..count].copy_from_slice(&self.layer[done..done + count]);
            self.allowance.generated += self.batch.make_children(count, self.machine) as u64;
            self.batch.look_up_spread();
            let mut lefts = [0; WIDTH];
            for (left, here) in lefts.iter_mut().zip(&self.batch.hand[..count]) {
                *left = here.moves.iter().map(|&moves| u16::from(moves)).sum();
            }
            let known = self.next.states.len();
            for (at, child) in self.batch.children() {
                let left = lefts[usize::from(child.of) % WIDTH].wrapping_add_signed(self.batch.change((at, child)));
                let before = done as u32 + u32::from(child.of);
                if left == 0 {
                    return Continue(Some((child.step.to, before)));
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
            self.next.keep_new(known, &mut self.seen);
            done += count;
        }
        Continue(None)
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
            self.narrow();
        }
    }

    /// Drops what is too far.
    fn narrow(&mut self) {
        let ties = &mut self.counts[usize::from(self.too_far)];
        let mut room = self.width.saturating_sub(self.near - *ties).min(*ties);
        self.near -= *ties - room;
        *ties = room;
        let mut kept = 0;
        for at in 0..self.states.len() {
            let is_tie = self.lefts[at] == self.too_far;
            if self.lefts[at] < self.too_far || is_tie && room > 0 {
                room -= usize::from(is_tie);
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

/// States seen last, so that few are in a beam twice. What is forgotten or taken for another harms only the beam.
struct Seen(Vec<Bucket>);

type Bucket = [u32; 4];

impl Seen {
    fn new(width: usize) -> Self {
        Self(vec![Bucket::default(); width.next_power_of_two()])
    }

    #[inline]
    fn fetch(&self, hash: u64) {
        fetch(&self.0, hash as usize & (self.0.len() - 1));
    }

    #[inline]
    fn is_new(&mut self, hash: u64) -> bool {
        let index = hash as usize & (self.0.len() - 1);
        let bucket = &mut self.0[index];
        let tag = (hash >> 32) as u32;
        let is_new = !bucket.contains(&tag);
        if is_new {
            *bucket = [tag, bucket[0], bucket[1], bucket[2]];
        }
        is_new
    }
}

/// Sweeps of several widths from one start, on the task's threads, each of which takes the next width as soon as it is
/// free: the cells that the blank goes to on the shortest way found. All end with one that is no longer than `enough`,
/// and so does the task.
pub(crate) fn sweep_all<M: Mask, const CELLS: usize, const LANES: usize>(
    task: Task<'_>,
    start: &State<M, CELLS, LANES>,
    widths: &[usize],
    enough: u32,
) -> Option<Vec<u8>> {
    let next = AtomicUsize::new(0);
    let shortest: Mutex<Option<Vec<u8>>> = Mutex::new(None);
    let run = || {
        while let Some(&width) = widths.get(next.fetch_add(1, Relaxed)) {
            if width < NARROWEST {
                continue;
            }
            let sweep = Sweep::new(task.layout, task.tables.machine(0), task.control, width);
            let sweep = sweep.expect("there is a start of such states");
            let Continue(found) = sweep.run(*start) else { break };
            let Some(cells) = found else { continue };
            if cells.len() <= enough as usize {
                task.control.solved();
            }
            let mut shortest = shortest.lock().unwrap_or_else(PoisonError::into_inner);
            if shortest.as_ref().is_none_or(|shortest| cells.len() < shortest.len()) {
                *shortest = Some(cells);
            }
        }
    };
    thread::scope(|scope| {
        for _ in 1..task.options.threads.min(widths.len()) {
            scope.spawn(run);
        }
        run();
    });
    shortest.into_inner().unwrap_or_else(PoisonError::into_inner)
}

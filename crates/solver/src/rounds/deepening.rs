//! IDA*: rounds of depth-first search, each as far as a bound, and the bound rises from round to round.

use std::{
    ops::ControlFlow::{self, Break, Continue},
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
};

use pintu_search::Stop;

use super::{
    descent::Descent,
    frontier::{Frontier, Grown},
};
use crate::{
    beam::Sweep,
    machine::Machine,
    tables::Residue,
    threads::{Alarm, together},
    views::{Errand, Harvest, Mask, Task},
};

/// How far rounds have come.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Reached {
    /// No solution is shorter than this, which is the next round's bound.
    pub(super) bound: u32,
    /// The last round's.
    pub(super) last: u32,
    /// The states that the last two rounds have expanded.
    pub(super) sizes: [u64; 2],
}

/// What rounds end with.
pub(super) struct Rounded {
    pub(super) harvest: Harvest,
    pub(super) reached: Reached,
}

/// Which rounds are to be made.
#[derive(Clone, Copy)]
pub(super) enum Go {
    /// Rounds from here on, to the end, or until one expands so many states.
    On { from: Reached, most: u64 },
    /// One round as far as this bound.
    Once { bound: u32 },
}

impl Errand for Go {
    type End = Rounded;

    fn run<M: Mask, const CELLS: usize, const LANES: usize>(self, task: Task<'_>) -> Option<Rounded> {
        Some(match self {
            Self::On { from, most } => Rounds::<M, CELLS, LANES>::new(task, from)?.run(most),
            Self::Once { bound } => {
                let from = Reached { bound, ..Reached::default() };
                Rounds::<M, CELLS, LANES>::new(task, from)?.run_one()
            }
        })
    }
}

struct Rounds<'a, M: Mask, const CELLS: usize, const LANES: usize> {
    task: Task<'a>,
    frontier: Frontier<'a, M, CELLS, LANES>,
    reached: Reached,
}

impl<'a, M: Mask, const CELLS: usize, const LANES: usize> Rounds<'a, M, CELLS, LANES> {
    /// Nothing if the tables are not laid out for it.
    fn new(task: Task<'a>, from: Reached) -> Option<Self> {
        let frontier = Frontier::new(task.rounds, task.board, task.blank, task.control.hold())?;
        Some(Self { task, frontier, reached: from })
    }

    /// Goes on to the end, or until a round has expanded so many states.
    fn run(mut self, most: u64) -> Rounded {
        let mut refused = None;
        let cells = loop {
            let bound = self.reached.bound;
            self.task.control.note_bound(bound.into());
            let is_known = self.task.options.known.is_some_and(|known| known <= bound);
            if is_known || self.reached.sizes[1] >= most {
                break None;
            }
            if let Some(cells) = self.try_sweeps(bound) {
                break Some(cells);
            }
            match self.grow() {
                Continue(Grown::Full) => {}
                Continue(Grown::Solved(id)) => {
                    let cells = self.frontier.path(id);
                    self.reached.bound = cells.len() as u32;
                    break Some(cells);
                }
                Break(_) => break None,
            }
            let round = match self.round(bound) {
                Continue(round) => round,
                Break(why) => {
                    refused = Some(why);
                    break None;
                }
            };
            if round.found.is_some() || self.task.control.is_over() {
                break round.found;
            }
            self.reached.bound += round.shortfall.min(self.frontier.shortfall(bound));
        };
        self.end(cells, refused)
    }

    /// Makes one round.
    fn run_one(mut self) -> Rounded {
        match self.round(self.reached.bound) {
            Continue(round) => self.end(round.found, None),
            Break(why) => self.end(None, Some(why)),
        }
    }

    fn end(self, cells: Option<Vec<u8>>, refused: Option<Stop>) -> Rounded {
        let harvest = Harvest { cells, bound: self.reached.bound, refused };
        Rounded { harvest, reached: self.reached }
    }

    /// Looks for a solution as short as the bound, in a small part of the time that the round would take.
    fn try_sweeps(&mut self, bound: u32) -> Option<Vec<u8>> {
        // Where bounds rise by one, the last round is no longer than all before it, and sweeps do not pay.
        if self.task.expanded() < SHORT || self.task.layout.residue != Residue::Parity {
            return None;
        }
        let bytes = Sweep::<M, CELLS, LANES>::bytes_a_state(bound, self.task.options.threads);
        let wanted = (self.ahead() / (SWEPT * u64::from(bound))).min(MOST_SWEEP_BYTES / bytes);
        if wanted < Sweep::<M, CELLS, LANES>::NARROWEST as u64 {
            return None;
        }
        let widest = self.task.control.room(2 * wanted * bytes) / (2 * bytes);
        let widths = [4, 1].map(|part| widest as usize / part).into_iter();
        for width in widths.filter(|&width| width >= Sweep::<M, CELLS, LANES>::NARROWEST) {
            match Sweep::<M, CELLS, LANES>::sweep(self.task, width, bound)? {
                Continue(None) => {}
                Continue(found) => return found,
                Break(_) => return None,
            }
        }
        None
    }

    /// How many states the next round will expand, if rounds go on growing as they did.
    fn ahead(&self) -> u64 {
        let [before, last] = self.reached.sizes;
        (last as f64 * (last as f64 / before.max(1) as f64).clamp(1.0, MOST_GROWTH)) as u64
    }

    /// Makes the frontier as large as the search so far has been hard.
    fn grow(&mut self) -> ControlFlow<Stop, Grown> {
        let expanded = self.task.expanded();
        let wanted = match expanded {
            0..SHORT => 1,
            SHORT..LONG if self.task.options.threads == 1 => 1,
            SHORT..LONG => ROOTS_A_THREAD * self.task.options.threads,
            LONG..VERY_LONG => 1 << 17,
            VERY_LONG..ENDLESS => 1 << 20,
            _ => 1 << 22,
        };
        // A rehash and a vector that grows hold twice as much for a moment, and what they leave is not given back
        // at once.
        let each = 3 * Frontier::<M, CELLS, LANES>::BYTES_A_STATE as u64;
        let (bytes, held) = ((wanted as u64 * each).min(MOST_BYTES), self.frontier.bytes());
        let fits = (held + self.task.control.room(bytes.saturating_sub(held))) / each;
        let most = wanted.min(fits as usize);
        let grown = self.frontier.grow(most, self.task.machine, &mut self.task.control.meter());
        self.task.control.note_states(self.frontier.len() as u64);
        grown
    }

    /// Searches from every root as far as `bound`, unless there is no room for that.
    fn round(&mut self, bound: u32) -> ControlFlow<Stop, Round> {
        let before = self.task.expanded();
        let mut hold = self.task.control.hold();
        hold.more((self.frontier.len() * BYTES_A_ROOT) as u64 + Descent::<M, CELLS, LANES>::BYTES)?;
        let others =
            (1..self.task.options.threads).take_while(|_| hold.more(Descent::<M, CELLS, LANES>::BYTES).is_continue());
        let round = self.search(bound, others.count());
        self.reached.last = bound;
        self.reached.sizes = [self.reached.sizes[1], self.task.expanded() - before];
        Continue(round)
    }

    /// Searches on this thread and so many others.
    fn search(&self, bound: u32, others: usize) -> Round {
        let roots = self.frontier.roots(bound);
        let mut hold = self.task.control.hold();
        let machine = self.task.tables.better_machine(self.task.expanded(), &mut hold).unwrap_or(self.task.machine);
        let shared =
            Common { next: AtomicUsize::new(0), round: Mutex::new(Round { shortfall: u32::MAX, found: None }) };
        let threads = (1 + others).min(roots.len());
        together(threads, || self.descend(&roots, machine, bound, &shared));
        shared.round.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Searches from roots as long as there are some.
    fn descend(&self, roots: &[u32], machine: &Machine, bound: u32, shared: &Common) {
        let _alarm = Alarm(self.task.control);
        let descent = Descent::<M, CELLS, LANES>::new(self.task.rounds, machine, self.task.control);
        let mut descent = descent.expect("there is a frontier of such states");
        let next = || {
            let id = *roots.get(shared.next.fetch_add(1, Relaxed))?;
            Some((id, self.frontier.root(id, bound, machine)))
        };
        let ended = descent.search(next);
        let mut round = shared.lock();
        round.shortfall = round.shortfall.min(descent.shortfall);
        if let (Break(_), Some((root, trail))) = (ended, descent.found.take()) {
            self.task.control.finish();
            let mut cells = self.frontier.path(root);
            cells.extend(trail.iter().rev());
            round.found = Some(cells);
        }
    }
}

/// What the threads of a round share.
struct Common {
    /// The next root.
    next: AtomicUsize,
    round: Mutex<Round>,
}

impl Common {
    fn lock(&self) -> MutexGuard<'_, Round> {
        self.round.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What came of searching from every root.
struct Round {
    /// By how much at least the bound must rise.
    shortfall: u32,
    /// The cells that the blank goes to on a way to the goal.
    found: Option<Vec<u8>>,
}

/// Expansions after which the next round, which takes about eight times as many, is worth sharing out among
/// threads, a small frontier, a large one and the largest. A state of the frontier takes as long as eight of a
/// round.
const SHORT: u64 = 20_000;
const LONG: u64 = 2_000_000;
const VERY_LONG: u64 = 16_000_000;
const ENDLESS: u64 = 100_000_000;
const ROOTS_A_THREAD: usize = 4096;
/// What listing and sorting the roots takes.
const BYTES_A_ROOT: usize = 4 * size_of::<u32>();
/// What a frontier may take where nothing is said.
const MOST_BYTES: u64 = 1 << 30;
/// Of so many states that a round will expand, the widest sweep before it takes up one. The sweeps together take about
/// a sixth of the round's time if they find nothing, and mostly they do.
const SWEPT: u64 = 10;
/// Rounds do not grow more, but after a short one it may look so.
const MOST_GROWTH: f64 = 8.0;
/// What a sweep may take where nothing is said.
const MOST_SWEEP_BYTES: u64 = 1 << 28;

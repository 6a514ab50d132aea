//! How much memory there is, and how much this process holds.

mod allocator;
#[cfg(target_os = "linux")]
mod linux;
#[cfg(any(target_os = "macos", windows))]
mod other;

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use pintu_search::{Cancel, Control, Limits};
use pintu_solver::STACK;

#[cfg(target_os = "linux")]
use linux as system;
#[cfg(any(target_os = "macos", windows))]
use other as system;

/// The control of all that a process does: its memory is what is left of `limit` beside what the program and its threads
/// take, or half of what is available if nobody limits it. In either case no more than half of what the process may still map,
/// where that is limited (`ulimit -v`): stacks and what the allocator keeps need their addresses, too.
///
/// However many threads there are, and whatever is resident at the moment, it is the same: so are the answers.
pub fn control(limit: Option<u64>, cancel: Cancel) -> Control {
    let mappable = system::mappable();
    if mappable.is_some() {
        allocator::keep_in_one_place();
    }
    let wanted = match limit {
        Some(most) => {
            give_back_at_once();
            IS_LIMITED.store(true, Relaxed);
            // Heaps of their own would keep for each thread what is free.
            allocator::keep_in_one_place();
            Some(Allowances::of(most, resident()).left)
        }
        None => available().map(|bytes| bytes / 2),
    };
    let memory = wanted.into_iter().chain(mappable.map(|bytes| bytes / 2)).min();
    Control::with_cancel(Limits { memory, ..Limits::default() }, cancel)
}

/// How many threads there may be, of those that somebody wants: as many as a limit's allowance for them is enough for, and
/// as their stacks have addresses where those are limited; at least one.
pub fn threads(limit: Option<u64>, wanted: usize) -> usize {
    let beside = limit.map(|most| Allowances::of(most, 0).threads / THREAD);
    let stacks = system::mappable().map(|bytes| bytes / 4 / (STACK as u64 + THREAD));
    let others = beside.into_iter().chain(stacks).min().unwrap_or(u64::MAX);
    wanted.min(usize::try_from(others).unwrap_or(usize::MAX).saturating_add(1))
}

/// Has memory that is given back leave the process at once, from now on: for whoever bounds what it holds.
pub fn give_back_at_once() {
    allocator::give_back_at_once();
}

/// After work that has held so many bytes: has the allocator give back what it keeps of them, where somebody limits the process.
pub(crate) fn tidy_up(held: u64) {
    if held >= STEP && IS_LIMITED.load(Relaxed) {
        allocator::tidy();
    }
}

/// Whether somebody limits what the process holds.
static IS_LIMITED: AtomicBool = AtomicBool::new(false);

/// What is taken off a limit before anybody shares in it.
#[derive(Debug, PartialEq, Eq)]
struct Allowances {
    /// For what threads take beside what they ask for.
    threads: u64,
    /// What may be asked for.
    left: u64,
}

impl Allowances {
    /// Those of a limit, in a process that has so much resident. That does not matter as long as it is no more than
    /// [`PROGRAM`]: it differs from run to run, by what the system happens to have read of the program's file.
    fn of(limit: u64, resident: u64) -> Self {
        let program = if resident <= PROGRAM - STEP { PROGRAM } else { resident.next_multiple_of(STEP) + STEP };
        let threads = (limit / 16).min(MOST_FOR_THREADS).max(limit / 64);
        Self { threads, left: limit.saturating_sub(program + threads) }
    }
}

/// What the program itself has resident when it has run: most of it code, and what is read of it with that.
const PROGRAM: u64 = 12 << 20;
/// In such steps it is counted what is resident at the beginning if it is more; one more is for code that has not run yet.
const STEP: u64 = 1 << 20;
/// What a thread takes beside what it asks for: of its stack, of the allocator, and for the answers that it has waiting.
const THREAD: u64 = 128 << 10;
/// What is set aside for threads, where it is a large part of a limit.
const MOST_FOR_THREADS: u64 = 16 << 20;

/// Bytes that the process has resident; zero where that is not known.
pub fn resident() -> u64 {
    system::resident().unwrap_or(0)
}

/// Bytes that programs can still take on this machine, or in this container; `None` where that is not
/// known.
pub fn available() -> Option<u64> {
    system::available()
}

/// Elsewhere nothing is known.
#[cfg(not(any(target_os = "linux", target_os = "macos", windows)))]
mod system {
    pub(super) fn resident() -> Option<u64> {
        None
    }

    pub(super) fn available() -> Option<u64> {
        None
    }

    pub(super) fn mappable() -> Option<u64> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: u64 = 1 << 20;

    #[test]
    fn what_may_be_asked_for_does_not_depend_on_what_is_resident() {
        for limit in [1, 13, 20, 64, 1 << 10, 1 << 20].map(|size: u64| size * MIB) {
            let usual = Allowances::of(limit, 0);
            for resident in [MIB, 7 * MIB + 5, 10 * MIB + 4096, 11 * MIB] {
                assert_eq!(Allowances::of(limit, resident), usual, "{limit}");
            }
            assert!(usual.left + usual.threads + PROGRAM <= limit.max(usual.threads + PROGRAM));
            let large = Allowances::of(limit, 40 * MIB + 1);
            assert_eq!(large.left, limit.saturating_sub(42 * MIB + usual.threads));
        }
        assert_eq!(Allowances::of(20 * MIB, 9 * MIB).left, 20 * MIB - 12 * MIB - 5 * MIB / 4);
    }

    #[test]
    fn there_are_as_many_threads_as_are_allowed_for() {
        let few = [(1, 16), (20, 16), (20, 4), (256, 1000)];
        assert_eq!(few.map(|(size, wanted)| threads(Some(size * MIB), wanted)), [1, 11, 4, 129]);
        assert_eq!(threads(Some(1 << 40), 1024), 1024);
        assert_eq!((threads(Some(0), 0), threads(None, 1024)), (0, 1024));
        let allowed = Allowances::of(20 * MIB, 0);
        assert!(10 * THREAD <= allowed.threads && allowed.left < 20 * MIB - PROGRAM - 10 * THREAD + 1);
    }
}

//! The memory that is available, and the memory that this process holds.

#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod allocator;
#[cfg_attr(target_os = "linux", path = "memory/linux.rs")]
#[cfg_attr(target_family = "wasm", path = "memory/unknown.rs")]
#[cfg_attr(not(any(target_os = "linux", target_family = "wasm")), path = "memory/other.rs")]
mod system;

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use pintu_search::{Cancel, Control, Limits};

/// The least memory of a search that shares a limit with others: enough for every search of an 8-puzzle. If less is
/// left for each, there are fewer threads.
pub const MIN_SHARE_BYTES: u64 = 8 << 20;

/// The control of all work of a process. Its memory is `limit` less that of the program and its threads, or half of
/// what is available without a limit.
///
/// It does not depend on the number of threads or on what is resident at the moment, so answers do not either.
pub fn control(limit: Option<u64>, cancel: Cancel) -> Control {
    let memory = match limit {
        Some(most) => {
            give_back_at_once();
            IS_LIMITED.store(true, Relaxed);
            // With a heap for each thread, each would keep its free memory.
            allocator::use_one_heap();
            // A limit on address space (`ulimit -v`) binds as well: allocations fail beyond it.
            let left = left_of(most, resident());
            Some(system::address_room().map_or(left, |bytes| left.min(bytes / 2)))
        }
        None => available().map(|bytes| bytes / 2),
    };
    Control::with_cancel(Limits::none().memory(memory), cancel)
}

/// How many of the wanted threads there may be: each has at least [`MIN_SHARE_BYTES`], unless it is the only one.
pub fn threads(limit: Option<u64>, wanted: usize) -> usize {
    limit.map_or(wanted, |most| fitting(left_of(most, 0), wanted))
}

/// Divides the memory that a control has left equally among `threads` searches: how many may run at once, and the limit
/// of each.
pub(crate) fn share(control: &Control, threads: usize) -> (usize, Limits) {
    let left = control.room(u64::MAX);
    if left == u64::MAX {
        return (threads, Limits::none());
    }
    let threads = fitting(left, threads);
    (threads, Limits::none().memory(left / threads as u64))
}

fn fitting(left: u64, threads: usize) -> usize {
    threads.min(usize::try_from(left / MIN_SHARE_BYTES).unwrap_or(usize::MAX)).max(1)
}

/// From now on, freed memory leaves the process at once, so that its resident memory can be bounded.
pub fn give_back_at_once() {
    allocator::give_back_at_once();
}

/// After work that held `held` bytes: returns them from the allocator to the system, if the process has a limit.
pub(crate) fn tidy_up(held: u64) {
    if held >= STEP_BYTES && IS_LIMITED.load(Relaxed) {
        allocator::tidy();
    }
}

static IS_LIMITED: AtomicBool = AtomicBool::new(false);

/// The bytes that searches may take within a limit. Resident memory up to [`PROGRAM_BYTES`] counts as that much,
/// because it varies from run to run with the pages of the program's file that the system has read.
fn left_of(limit: u64, resident: u64) -> u64 {
    let rounded = resident.next_multiple_of(STEP_BYTES) + STEP_BYTES;
    let program = if resident <= PROGRAM_BYTES - STEP_BYTES { PROGRAM_BYTES } else { rounded };
    limit.saturating_sub(program + for_threads(limit))
}

/// The part of a limit that is set aside for stacks and allocators of threads.
fn for_threads(limit: u64) -> u64 {
    (limit / 16).min(MAX_BYTES_FOR_THREADS).max(limit / 64)
}

/// Resident memory of the program itself, most of it code.
const PROGRAM_BYTES: u64 = 12 << 20;
/// Beyond that, it is rounded up to a multiple of this, and one more is added for code that has not run yet.
const STEP_BYTES: u64 = 1 << 20;
/// The most that is set aside for threads, where that is a large part of a limit. A thread takes 128 KiB: for its
/// stack, the allocator, and answers that wait.
const MAX_BYTES_FOR_THREADS: u64 = 16 << 20;

/// Bytes that the process has resident; zero where that is not known.
pub fn resident() -> u64 {
    system::resident().unwrap_or(0)
}

/// Bytes that programs can still take on this machine, or in this container; `None` where that is not
/// known.
pub fn available() -> Option<u64> {
    system::available()
}

/// Other allocators are left as they are.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
mod allocator {
    pub(super) fn give_back_at_once() {}

    pub(super) fn use_one_heap() {}

    pub(super) fn tidy() {}
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: u64 = 1 << 20;

    #[test]
    fn what_may_be_asked_for_does_not_depend_on_what_is_resident() {
        for limit in [1, 13, 20, 64, 1 << 10, 1 << 20].map(|size: u64| size * MIB) {
            for resident in [0, MIB, 7 * MIB + 5, 10 * MIB + 4096, 11 * MIB] {
                let left = limit.saturating_sub(PROGRAM_BYTES + for_threads(limit));
                assert_eq!(left_of(limit, resident), left, "{limit}");
            }
            assert_eq!(left_of(limit, 40 * MIB + 1), limit.saturating_sub(42 * MIB + for_threads(limit)));
        }
        assert_eq!(left_of(20 * MIB, 9 * MIB), 20 * MIB - 12 * MIB - 5 * MIB / 4);
    }

    #[test]
    fn no_share_is_too_small() {
        let few = [(1, 16), (20, 16), (64, 4), (64, 16), (256, 1000)];
        assert_eq!(few.map(|(size, wanted)| threads(Some(size * MIB), wanted)), [1, 1, 4, 6, 28]);
        assert_eq!((threads(Some(1 << 40), 1024), threads(Some(0), 1), threads(None, 1024)), (1024, 1, 1024));
        // The bytes that threads take beside their shares are set aside.
        for size in [1, 20, 64, 1 << 10, 1 << 20] {
            let threads = fitting(left_of(size * MIB, 0), usize::MAX) as u64;
            assert!((threads - 1) * (128 << 10) <= for_threads(size * MIB));
        }
        let share = |memory: Option<u64>| share(&Control::new(Limits::none().memory(memory)), 4);
        assert_eq!(share(Some(100 * MIB)), (4, Limits::none().memory(25 * MIB)));
        assert_eq!(share(Some(20 * MIB)), (2, Limits::none().memory(10 * MIB)));
        assert_eq!(share(Some(5)), (1, Limits::none().memory(5)));
        assert_eq!(share(None), (4, Limits::none()));
    }
}

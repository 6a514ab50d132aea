//! How much memory there is, and how much this process holds.

mod allocator;
#[cfg(target_os = "linux")]
mod linux;
#[cfg(any(target_os = "macos", windows))]
mod other;

use pintu_search::{Cancel, Control, Limits};

#[cfg(target_os = "linux")]
use linux as system;
#[cfg(any(target_os = "macos", windows))]
use other as system;

/// The control of all that a process does: its memory is what is left of `limit` once what is resident already is taken
/// off, and a little for what becomes resident without anybody's asking (code that has not run yet, stacks of threads); or
/// half of what is available if nobody limits it. In either case no more than half of what the process may still map,
/// where that is limited (`ulimit -v`): stacks and what the allocator keeps need their addresses, too.
pub fn control(limit: Option<u64>, cancel: Cancel) -> Control {
    let mappable = system::mappable();
    if mappable.is_some() {
        allocator::keep_in_one_place();
    }
    let wanted = match limit {
        Some(most) => {
            give_back_at_once();
            // Heaps of their own would keep for each thread what is free.
            allocator::keep_in_one_place();
            let unasked = UNASKED.min(most / 16);
            // What is resident differs by some pages from run to run; what may be held should not.
            Some(most.saturating_sub(resident().next_multiple_of(STEP) + unasked))
        }
        None => available().map(|bytes| bytes / 2),
    };
    let memory = wanted.into_iter().chain(mappable.map(|bytes| bytes / 2)).min();
    Control::with_cancel(Limits { memory, ..Limits::default() }, cancel)
}

/// Has memory that is given back leave the process at once, from now on: for whoever bounds what it holds.
pub fn give_back_at_once() {
    allocator::give_back_at_once();
}

/// In such steps it is counted what is resident at the beginning.
const STEP: u64 = 1 << 20;
/// What the code of a search and the stacks of a few threads take.
const UNASKED: u64 = 1 << 20;

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

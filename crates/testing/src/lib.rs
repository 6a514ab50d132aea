//! What the tests of several crates share: an allocator that counts, so that no test has to believe what a program says
//! about its memory; boards whose shortest solutions are on record; searches that take long; and what must not.
#![expect(unsafe_code, reason = "an allocator that counts is an allocator, and that trait is unsafe")]

#[cfg(feature = "boards")]
pub mod boards;
mod clock;
#[cfg(feature = "slowed")]
mod slowed;

pub use clock::takes_at_most;
#[cfg(feature = "slowed")]
pub use slowed::slowed;

use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
};

/// The system's allocator, counting.
///
/// ```
/// # // A test program has one of them:
/// #[global_allocator]
/// static MEMORY: pintu_testing::Counting = pintu_testing::Counting::new();
///
/// MEMORY.forget_peak();
/// let before = MEMORY.held();
/// let numbers = vec![0_u64; 1000];
/// assert!(MEMORY.held() >= before + 8000);
/// drop(numbers);
/// assert!(MEMORY.peak() >= before + 8000 && MEMORY.held() < before + 8000);
/// ```
#[derive(Debug)]
pub struct Counting {
    held: AtomicU64,
    peak: AtomicU64,
}

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

/// How often this thread has asked for memory.
pub fn allocations() -> u64 {
    ALLOCATIONS.get()
}

impl Counting {
    /// One that has counted nothing yet.
    #[expect(clippy::new_without_default, reason = "it is made once, as a constant")]
    pub const fn new() -> Self {
        Self { held: AtomicU64::new(0), peak: AtomicU64::new(0) }
    }

    /// The bytes that the process holds.
    pub fn held(&self) -> u64 {
        self.held.load(Relaxed)
    }

    /// The most that it has held at once since it [forgot](Self::forget_peak).
    pub fn peak(&self) -> u64 {
        self.peak.load(Relaxed)
    }

    /// Counts the peak anew.
    pub fn forget_peak(&self) {
        self.peak.store(self.held(), Relaxed);
    }

    fn grow(&self, bytes: usize) {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        let held = self.held.fetch_add(bytes as u64, Relaxed) + bytes as u64;
        self.peak.fetch_max(held, Relaxed);
    }

    fn shrink(&self, bytes: usize) {
        self.held.fetch_sub(bytes as u64, Relaxed);
    }
}

// SAFETY: everything is handed on to the system's allocator as it came; counting allocates nothing, for the counters are
// made before the program runs and need no clearing up.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        self.grow(layout.size());
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        self.grow(layout.size());
        // SAFETY: the caller's promise.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        self.shrink(layout.size());
        self.grow(size);
        // SAFETY: the caller's promise.
        unsafe { System.realloc(block, layout, size) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        self.shrink(layout.size());
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(block, layout) }
    }
}

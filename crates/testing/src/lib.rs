//! Helpers of the tests of several crates: an allocator that counts, so that no test has to believe what a program says
//! about its memory; boards whose shortest solutions are on record; an oracle for paths on maps; searches that take long,
//! and a check that others do not; and notes of tests that were skipped.
#![expect(unsafe_code, reason = "an allocator that counts is an allocator, and that trait is unsafe")]

#[cfg(feature = "boards")]
pub mod boards;
#[cfg(feature = "maps")]
pub mod maps;

use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell,
    env,
    fs::File,
    io::Write,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
    time::Duration,
};

/// Says that a test does not run here, and why. Test runners hide what a passing test prints, so `cargo xtask test` names a
/// file in `PINTU_SKIPPED` and prints at its end what was written there.
///
/// # Panics
///
/// If that file cannot be written.
pub fn skip(reason: &str) {
    eprintln!("not tested here: {reason}");
    if let Some(path) = env::var_os("PINTU_SKIPPED") {
        let file = File::options().append(true).create(true).open(path);
        file.and_then(|mut file| file.write_all(format!("{reason}\n").as_bytes()))
            .expect("PINTU_SKIPPED can be written");
    }
}

/// Asserts that something takes no longer than `most` by the clock. `act` does it and says how long it took. A machine that
/// is busy with other things may keep it waiting: then it is done again, and what is too slow in itself is so each time.
///
/// # Panics
///
/// If it took longer each time.
#[track_caller]
pub fn takes_at_most(most: Duration, mut act: impl FnMut() -> Duration) {
    const TIMES: usize = 20;
    let fastest = (0..TIMES)
        .map(|_| act())
        .try_fold(Duration::MAX, |fastest, took| if took < most { Err(took) } else { Ok(fastest.min(took)) });
    if let Ok(fastest) = fastest {
        panic!("the fastest of {TIMES} took {fastest:?}, expected at most {most:?}");
    }
}

/// A control whose work takes long by the clock, though it does the same: it waits before each block of expansions. What
/// depends on the clock has another result under it.
#[cfg(feature = "slowed")]
pub fn slowed(limits: pintu_search::Limits) -> pintu_search::Control {
    #[derive(Debug)]
    struct Waits;

    impl pintu_search::Gate for Waits {
        fn pass(&self, wanted: u64) -> Option<u64> {
            std::thread::sleep(Duration::from_millis(2));
            Some(wanted)
        }

        fn give_back(&self, _: u64) {}
    }

    pintu_search::Control::unlimited().gated(limits, std::sync::Arc::new(Waits))
}

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

//! Beams on the processor beside a device's rounds.
//!
//! The last round takes longer than all before it, and it meets the goal early or late as luck has it. The processor has
//! nothing to do meanwhile but to wait: so it looks for a solution that is as short as the bound. One that is found makes
//! the round needless.

use std::sync::{
    Arc, Mutex, PoisonError,
    atomic::{AtomicU32, Ordering::Relaxed},
};

use pintu_search::Control;
use pintu_solver::{Alarm, Options, improve_telling, tables::Tables};
use pintu_tiles::{Moves, Puzzle};

/// How the processor looks for solutions while a device proves that there are no shorter ones.
#[derive(Clone)]
pub struct Beams {
    /// After a round that expands so many states; the next takes about eight times as many.
    pub after: u64,
    /// The bytes that it may take.
    pub most_bytes: u64,
    /// The tables that it looks at, if not those by which frontiers grow.
    pub tables: Option<Arc<Tables>>,
}

impl Default for Beams {
    fn default() -> Self {
        Self { after: 30_000_000, most_bytes: 16 << 30, tables: None }
    }
}

/// The shortest solution that beams have found.
pub(crate) struct Finds {
    /// Its length.
    length: AtomicU32,
    moves: Mutex<Option<Moves>>,
}

impl Finds {
    pub(crate) fn new() -> Self {
        Self { length: AtomicU32::new(u32::MAX), moves: Mutex::default() }
    }

    /// The length of the shortest one, or more than any has.
    pub(crate) fn length(&self) -> u32 {
        self.length.load(Relaxed)
    }

    /// The shortest one.
    pub(crate) fn moves(&self) -> Option<Moves> {
        self.moves.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Looks for shorter and shorter ones until the control ends it. Should it go wrong, `whole` ends, too.
    pub(crate) fn look(
        &self,
        puzzle: &Puzzle,
        (tables, most_bytes): (&Tables, u64),
        (control, whole): (&Control, &Control),
        options: &Options,
    ) {
        let _alarm = Alarm(whole);
        let mut take = |moves: &Moves| {
            let mut best = self.moves.lock().unwrap_or_else(PoisonError::into_inner);
            self.length.store(moves.len() as u32, Relaxed);
            *best = Some(moves.clone());
        };
        improve_telling(puzzle, tables, control, options, most_bytes, &mut take);
    }
}

/// Ends some work when it goes out of scope.
pub(crate) struct AtEnd<'a>(pub(crate) &'a Control);

impl Drop for AtEnd<'_> {
    fn drop(&mut self) {
        self.0.finish();
    }
}

use std::{sync::Arc, thread, time::Duration};

use pintu_search::{Control, Gate, Limits};

/// A control whose work takes long by the clock, though it does the same: it waits before each block of expansions. What the
/// clock has a say in comes out otherwise under it.
pub fn slowed(limits: Limits) -> Control {
    Control::unlimited().gated(limits, Arc::new(Waits))
}

#[derive(Debug)]
struct Waits;

impl Gate for Waits {
    fn pass(&self, wanted: u64) -> Option<u64> {
        thread::sleep(Duration::from_millis(2));
        Some(wanted)
    }

    fn give_back(&self, _: u64) {}
}

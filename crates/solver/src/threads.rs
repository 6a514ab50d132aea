//! Threads whose panics are heard: a search that goes wrong on one of them fails, and soon.

use std::{
    panic::resume_unwind,
    thread::{ScopedJoinHandle, panicking},
};

use pintu_search::Control;

/// What a thread has come to. Its panic is this one's.
pub fn joined<T>(thread: ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| resume_unwind(panic))
}

/// Ends a search when its holder panics, so that the other threads do not go on in vain.
pub struct Alarm<'a>(pub &'a Control);

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        if panicking() {
            self.0.finish();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    #[test]
    #[should_panic(expected = "found something odd")]
    fn a_threads_panic_is_heard_and_ends_the_others() {
        let control = Control::unlimited();
        thread::scope(|scope| {
            let wrong = scope.spawn(|| {
                let _alarm = Alarm(&control);
                panic!("found something odd");
            });
            // Without the alarm this would go on for ever.
            let other = scope.spawn(|| {
                let mut meter = control.meter();
                while meter.expand().is_continue() {}
            });
            joined(other);
            joined(wrong);
        });
    }
}

use std::{
    hint::spin_loop,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
    thread,
};

/// Runs something while other threads keep the processor busy: what the clock has a say in then comes out otherwise.
pub fn hindered<T>(work: impl FnOnce() -> T) -> T {
    const OTHERS: usize = 4;
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        for _ in 0..OTHERS {
            scope.spawn(|| {
                while !is_over.load(Relaxed) {
                    spin_loop();
                }
            });
        }
        let done = work();
        is_over.store(true, Relaxed);
        done
    })
}

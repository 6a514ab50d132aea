//! Threads: as many as can be had, and their panics are heard: a search that goes wrong on one of them fails, and soon.

use std::{
    io, iter,
    panic::resume_unwind,
    sync::{Mutex, PoisonError},
    thread::{self, Builder, Scope, ScopedJoinHandle, panicking},
};

use pintu_search::Control;

/// The addresses that a thread's stack takes. No search needs more, and little of it becomes memory.
pub const STACK: usize = 2 << 20;

/// Does the same on so many threads, of which this one is the first, and says what came of it on each. Where the system has
/// no thread left, those that could be started do it, or this one alone.
pub fn together<T: Send>(threads: usize, work: impl Fn() -> T + Sync) -> Vec<T> {
    together_on(STACK, threads, work)
}

/// Does pieces of work, each once, on so many threads or as many as can be had, of which this one is the first; says what came
/// of each, in their order.
pub fn share_out<J: Send, T: Send>(threads: usize, jobs: Vec<J>, work: impl Fn(J) -> T + Sync) -> Vec<T> {
    let threads = threads.min(jobs.len());
    let jobs = Mutex::new(jobs.into_iter().enumerate());
    let next = || jobs.lock().unwrap_or_else(PoisonError::into_inner).next();
    let parts = together(threads, || iter::from_fn(next).map(|(at, job)| (at, work(job))).collect::<Vec<_>>());
    let mut ends: Vec<(usize, T)> = parts.into_iter().flatten().collect();
    ends.sort_by_key(|&(at, _)| at);
    ends.into_iter().map(|(_, end)| end).collect()
}

/// Begins something on a thread of its own, unless there is none to be had.
pub fn begin<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> io::Result<ScopedJoinHandle<'scope, T>> {
    begin_on(STACK, scope, work)
}

fn together_on<T: Send>(stack: usize, threads: usize, work: impl Fn() -> T + Sync) -> Vec<T> {
    let work = &work;
    thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map_while(|_| begin_on(stack, scope, work).ok()).collect();
        let own = work();
        iter::once(own).chain(others.into_iter().map(joined)).collect()
    })
}

fn begin_on<'scope, T: Send + 'scope>(
    stack: usize,
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> io::Result<ScopedJoinHandle<'scope, T>> {
    Builder::new().stack_size(stack).spawn_scoped(scope, work)
}

/// What a thread has come to. Its panic is this one's.
fn joined<T>(thread: ScopedJoinHandle<'_, T>) -> T {
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
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    use super::*;

    #[test]
    fn a_thread_that_cannot_be_had_is_done_without() {
        let here = thread::current().id();
        // No system has so many addresses.
        let alone = together_on(1 << 60, 4, || thread::current().id());
        assert_eq!(alone, [here]);
        let all = together(4, || thread::current().id());
        assert_eq!((all.len(), all[0]), (4, here));
        assert!(all[1..].iter().all(|&other| other != here));
    }

    #[test]
    fn pieces_are_done_once_and_come_back_in_order() {
        for threads in [0, 1, 3, 40] {
            let done = AtomicUsize::new(0);
            let ends = share_out(threads, (0..20).collect(), |job: usize| {
                done.fetch_add(1, Relaxed);
                job * job
            });
            assert_eq!(ends, (0..20).map(|job| job * job).collect::<Vec<_>>());
            assert_eq!(done.into_inner(), 20);
        }
        assert!(share_out(4, Vec::new(), |(): ()| ()).is_empty());
    }

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

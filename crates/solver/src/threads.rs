//! Threads that all start or none does, and whose panics reach the caller.

use std::{
    io, iter,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::{Mutex, OnceLock, PoisonError},
    thread::{self, Builder, Scope, ScopedJoinHandle, panicking},
};

use pintu_search::Control;

/// Bytes of address space for a thread's stack. No search needs more, and little of it becomes memory.
const STACK_BYTES: usize = 2 << 20;

/// The system has no thread left. It ends the whole work, so it is the payload of an unwinding: front ends catch it and show it.
#[derive(Debug, thiserror::Error)]
#[error("cannot start thread {number} of {threads}: {why}; use fewer threads, or raise the system's limit")]
pub struct SpawnError {
    number: usize,
    threads: usize,
    why: io::Error,
}

/// Runs `work`; returns the [`SpawnError`] that ended it, if one did.
pub fn catch_spawn_error<T>(work: impl FnOnce() -> T) -> Result<T, SpawnError> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| match panic.downcast() {
        Ok(error) => *error,
        Err(panic) => resume_unwind(panic),
    })
}

/// Runs `work` on `threads` threads, of which the caller's is the first; returns what each returned.
///
/// # Panics
/// If `work` panics; with a [`SpawnError`], before any work is done, if a thread cannot be started.
pub fn together<T: Send>(threads: usize, work: impl Fn() -> T + Sync) -> Vec<T> {
    together_on(STACK_BYTES, threads, work)
}

/// Runs `work` on each of the jobs, on at most `threads` threads; returns the results in the order of the jobs.
///
/// # Panics
/// As [`together`].
pub fn share_out<J: Send, T: Send>(threads: usize, jobs: Vec<J>, work: impl Fn(J) -> T + Sync) -> Vec<T> {
    let threads = threads.min(jobs.len());
    if is_alone(threads) {
        return jobs.into_iter().map(work).collect();
    }
    let jobs = Mutex::new(jobs.into_iter().enumerate());
    let next = || jobs.lock().unwrap_or_else(PoisonError::into_inner).next();
    let parts = together(threads, || iter::from_fn(next).map(|(at, job)| (at, work(job))).collect::<Vec<_>>());
    let mut ends: Vec<(usize, T)> = parts.into_iter().flatten().collect();
    ends.sort_by_key(|&(at, _)| at);
    ends.into_iter().map(|(_, end)| end).collect()
}

/// Starts a thread in a scope, if the system has one left.
pub fn spawn<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> io::Result<ScopedJoinHandle<'scope, T>> {
    Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work)
}

/// Whether the caller's thread does all the work; a browser's worker has no other.
fn is_alone(threads: usize) -> bool {
    threads <= 1 || cfg!(target_family = "wasm")
}

fn together_on<T: Send>(stack_bytes: usize, threads: usize, work: impl Fn() -> T + Sync) -> Vec<T> {
    if is_alone(threads) {
        return vec![work()];
    }
    let have_all_started = OnceLock::<bool>::new();
    thread::scope(|scope| {
        let start = |number: usize| {
            let run = || have_all_started.wait().then(&work);
            let started = Builder::new().stack_size(stack_bytes).spawn_scoped(scope, run);
            started.map_err(|why| SpawnError { number: number + 1, threads, why })
        };
        let others: Result<Vec<_>, SpawnError> = (1..threads).map(start).collect();
        have_all_started.get_or_init(|| others.is_ok());
        let others = others.unwrap_or_else(|error| resume_unwind(Box::new(error)));
        let own = work();
        let join = |thread: ScopedJoinHandle<'_, Option<T>>| thread.join().unwrap_or_else(|panic| resume_unwind(panic));
        iter::once(own).chain(others.into_iter().filter_map(join)).collect()
    })
}

/// Ends a search when its holder panics, so that other threads do not go on in vain.
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
    fn a_thread_that_cannot_be_started_is_an_error_before_any_work() {
        let worked = AtomicUsize::new(0);
        // More than the addresses of any system.
        let failed = catch_spawn_error(|| together_on(1 << 60, 4, || worked.fetch_add(1, Relaxed)));
        let error = failed.unwrap_err();
        assert!(error.to_string().starts_with("cannot start thread 2 of 4: "), "{error}");
        assert_eq!(worked.into_inner(), 0);
        let all = together(4, || thread::current().id());
        assert_eq!((all.len(), all[0]), (4, thread::current().id()));
        assert!(all[1..].iter().all(|&other| other != all[0]));
    }

    #[test]
    fn jobs_are_done_once_and_results_are_in_their_order() {
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
    fn a_panic_reaches_the_caller_and_ends_the_other_threads() {
        let control = Control::unlimited();
        let number = AtomicUsize::new(0);
        together(2, || {
            let _alarm = Alarm(&control);
            assert!(number.fetch_add(1, Relaxed) != 0, "found something odd");
            // Without the alarm this would go on for ever.
            let mut meter = control.meter();
            while meter.expand().is_ok() {}
        });
    }
}

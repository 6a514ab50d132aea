//! Long work beside Python: its lock is released, signals are heard, progress is told.

use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        OnceLock,
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::Duration,
};

use pintu_engine::memory;
use pintu_search::{Cancel, Control, Limits};
use pintu_solver::internals::spawn;
use pyo3::{exceptions::PyKeyboardInterrupt, prelude::*};

use crate::errors::{own_error, panic_error, value_error};

/// How often signals are looked at and progress is told.
pub(crate) const TICK: Duration = Duration::from_millis(50);

/// The limits that every search has.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Bounds {
    pub(crate) seconds: Option<f64>,
    pub(crate) nodes: Option<u64>,
    pub(crate) bytes: Option<u64>,
}

impl Bounds {
    pub(crate) fn limits(self) -> PyResult<Limits> {
        let is_limit = |seconds: &f64| *seconds != f64::INFINITY;
        let time = self.seconds.filter(is_limit).map(|seconds| {
            let wrong = |_| value_error(format_args!("found a time limit of {seconds} seconds, expected 0 or more"));
            Duration::try_from_secs_f64(seconds).map_err(wrong)
        });
        Ok(Limits::none().nodes(self.nodes).time(time.transpose()?))
    }

    /// A control with the memory limit, which is half of what was available when the first search began unless told
    /// otherwise.
    pub(crate) fn control(self) -> Control {
        static USUAL: OnceLock<Option<u64>> = OnceLock::new();
        let usual = || {
            *USUAL.get_or_init(|| {
                let room = memory::control(None, Cancel::new()).room(u64::MAX);
                (room != u64::MAX).then_some(room)
            })
        };
        Control::new(Limits::none().memory(self.bytes.or_else(usual)))
    }
}

/// Runs work on another thread while this one tells progress and listens to signals. If either raises, the work is cancelled
/// and ends with what it has: that comes back with the exception.
pub(crate) fn watched<T: Send>(
    py: Python<'_>,
    control: &Control,
    progress: Option<Py<PyAny>>,
    work: impl FnOnce() -> T + Send,
) -> PyResult<(T, Option<PyErr>)> {
    let ended = py.detach(|| {
        thread::scope(|scope| {
            let (sender, receiver) = mpsc::channel();
            let run = move || {
                let _ = sender.send(catch_unwind(AssertUnwindSafe(work)));
            };
            if let Err(why) = spawn(scope, run) {
                return Err(Box::new(why) as Box<dyn Any + Send>);
            }
            let (mut raised, mut progress) = (None, progress);
            loop {
                match receiver.recv_timeout(TICK) {
                    Ok(done) => return done.map(|done| (done, raised)),
                    Err(RecvTimeoutError::Timeout) if raised.is_none() => {
                        if let Err(error) = Python::attach(|py| look(py, control, &mut progress)) {
                            control.cancel();
                            raised = Some(error);
                        }
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => return Err(Box::new("the search ended without a result")),
                }
            }
        })
    });
    ended.map_err(|panic| panic_error(py, &*panic))
}

/// Listens to signals and tells progress. A callback that returns `False` ends the search and is not called again, however long
/// the search takes to end.
pub(crate) fn look(py: Python<'_>, control: &Control, progress: &mut Option<Py<PyAny>>) -> PyResult<()> {
    py.check_signals()?;
    if let Some(callback) = progress {
        let counters = control.counters();
        let row = (counters.expanded, counters.generated, control.bound(), control.elapsed().as_secs_f64());
        if callback.bind(py).call1(row)?.extract::<bool>().is_ok_and(|goes_on| !goes_on) {
            control.cancel();
            *progress = None;
        }
    }
    Ok(())
}

/// The result of a search, or the exception that ended it.
pub(crate) fn finish(found: Bound<'_, PyAny>, raised: Option<PyErr>) -> PyResult<Bound<'_, PyAny>> {
    match raised {
        None => Ok(found),
        Some(error) => Err(interrupted(found, error)),
    }
}

/// An interrupt carries what was found; any other exception stays as it is.
pub(crate) fn interrupted(found: Bound<'_, PyAny>, error: PyErr) -> PyErr {
    let py = found.py();
    if error.is_instance_of::<PyKeyboardInterrupt>(py) {
        own_error(py, "Interrupted", (found.unbind(),))
    } else {
        error
    }
}

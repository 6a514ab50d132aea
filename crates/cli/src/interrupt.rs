//! Ctrl-C: one switch for the process, and what heeds it while nothing is searched.

use std::{
    fmt,
    io::{self, Write},
    sync::{
        Arc, Mutex, OnceLock, PoisonError,
        mpsc::{RecvTimeoutError, channel},
    },
    thread,
    time::Duration,
};

use pintu_search::Cancel;

static SWITCH: OnceLock<Cancel> = OnceLock::new();

/// Between two looks at the switch.
pub(crate) const GLANCE: Duration = Duration::from_millis(50);

/// A switch that Ctrl-C throws. A second Ctrl-C ends the process at once.
pub(crate) fn cancel_on_interrupt() -> anyhow::Result<Cancel> {
    const INTERRUPTED: i32 = 130;
    let cancel = SWITCH.get_or_init(Cancel::new).clone();
    let switch = cancel.clone();
    let heeded = ctrlc::set_handler(move || {
        if switch.is_cancelled() {
            std::process::exit(INTERRUPTED);
        }
        switch.cancel();
    });
    match heeded {
        // That takes a thread, and there may be none to be had. Ctrl-C then ends the process as it would anyway.
        Ok(()) | Err(ctrlc::Error::System(_)) => Ok(cancel),
        Err(error) => Err(error.into()),
    }
}

/// Whether Ctrl-C was pressed.
pub(crate) fn is_interrupted() -> bool {
    SWITCH.get().is_some_and(Cancel::is_cancelled)
}

/// Has something done on a thread of its own that cannot be called off, such as taking a large file apart, and waits for it
/// no longer than until Ctrl-C: the process is to end then, and what the thread does with it.
pub(crate) fn unless_interrupted<T: Send + 'static>(
    work: impl FnOnce() -> anyhow::Result<T> + Send + 'static,
) -> anyhow::Result<T> {
    let (sender, done) = channel();
    let work = Arc::new(Mutex::new(Some(work)));
    let taken = Arc::clone(&work);
    let take = |work: &Mutex<Option<_>>| work.lock().unwrap_or_else(PoisonError::into_inner).take();
    let begun = thread::Builder::new().spawn(move || take(&taken).map(|work| sender.send(work())));
    if begun.is_err()
        && let Some(work) = take(&work)
    {
        // There is no thread to be had: it is done here, and cannot be waited for less.
        return work();
    }
    loop {
        match done.recv_timeout(GLANCE) {
            Ok(done) => return done,
            Err(RecvTimeoutError::Timeout) if is_interrupted() => return Err(Interruption.into()),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => panic!("the thread has panicked that was waited for"),
        }
    }
}

/// A writer that fails when Ctrl-C comes. What came before it was made does not count: it may be what is written about.
pub(crate) struct Breakable<W> {
    inner: W,
    was_interrupted: bool,
}

impl<W> Breakable<W> {
    pub(crate) fn new(inner: W) -> Self {
        Self { inner, was_interrupted: is_interrupted() }
    }

    pub(crate) fn into_inner(self) -> W {
        self.inner
    }
}

impl<W: Write> Write for Breakable<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if is_interrupted() && !self.was_interrupted {
            return Err(io::Error::other(Interruption));
        }
        self.inner.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// Ctrl-C came before something had ended that cannot be left half done.
#[derive(Debug)]
pub(crate) struct Interruption;

impl fmt::Display for Interruption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("interrupted before it ended")
    }
}

impl std::error::Error for Interruption {}

/// Whether an error is that Ctrl-C came.
pub(crate) fn is_interruption(error: &anyhow::Error) -> bool {
    let within = |cause: &io::Error| matches!(cause.get_ref(), Some(inner) if inner.is::<Interruption>());
    error.chain().any(|cause| cause.is::<Interruption>() || cause.downcast_ref::<io::Error>().is_some_and(within))
}

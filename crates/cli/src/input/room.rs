//! Memory for what must be there before anything is searched.

use std::{fmt, fs, ops::ControlFlow};

use pintu_engine::memory;
use pintu_search::{Cancel, Control, Hold, Stop};

use super::{name, open, read_all};
use crate::units::show_bytes;

/// The memory that a process may take, while it reads what it works on: asked for before it is taken, and refused with a
/// line that says for what.
pub(crate) struct Room {
    control: Control,
    hold: Hold,
}

impl Room {
    pub(crate) fn new(limit: Option<u64>, cancel: Cancel) -> Self {
        let control = memory::control(limit, cancel);
        Self { hold: control.hold(), control }
    }

    /// The whole text of a file, or of standard input for `-`.
    pub(crate) fn read(&mut self, path: &str) -> anyhow::Result<String> {
        let what = || format!("{}: found a file", name(path));
        let size = fs::metadata(path).map_or(0, |found| found.len()) as usize;
        read_all(path, open, |bytes, needed| {
            if needed <= bytes.capacity() {
                return Ok(());
            }
            let roomy = needed.max(bytes.len() / 2 * 3).max(size);
            self.fit(what, |hold| hold.reserve(bytes, roomy))
        })
    }

    /// Takes so many bytes.
    pub(crate) fn take(&mut self, bytes: u64, what: impl FnOnce() -> String) -> anyhow::Result<()> {
        self.fit(what, |hold| hold.more(bytes))
    }

    /// Has something made that asks for its memory.
    pub(crate) fn fit<T>(
        &mut self,
        what: impl FnOnce() -> String,
        make: impl FnOnce(&mut Hold) -> ControlFlow<Stop, T>,
    ) -> anyhow::Result<T> {
        let left = self.control.room(u64::MAX);
        match make(&mut self.hold) {
            ControlFlow::Continue(ready) => Ok(ready),
            ControlFlow::Break(_) => Err(TooLarge { what: what(), left }.into()),
        }
    }

    /// The control of all that the process does, of which this room is a part.
    pub(crate) fn control(&self) -> &Control {
        &self.control
    }

    /// Gives back a text that was read.
    pub(crate) fn give_text(&mut self, text: String) {
        let bytes = text.capacity();
        drop(text);
        self.give(bytes as u64);
    }

    /// Gives so many bytes back.
    pub(crate) fn give(&mut self, bytes: u64) {
        self.hold.less(bytes);
    }
}

/// Something takes more memory than there is, before anything is searched.
#[derive(Debug)]
pub(crate) struct TooLarge {
    pub(crate) what: String,
    pub(crate) left: u64,
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let left = show_bytes(self.left as f64);
        write!(f, "{} that takes more memory by itself than the limit leaves: {left}", self.what)
    }
}

impl std::error::Error for TooLarge {}

/// Whether an error is that something takes more memory than there is.
pub(crate) fn is_too_large(error: &anyhow::Error) -> bool {
    error.chain().any(<dyn std::error::Error>::is::<TooLarge>)
}

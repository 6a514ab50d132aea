//! The exit status, and Ctrl-C.

use std::{
    process::ExitCode,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};

use anyhow::Context;
use pintu_engine::{Verdict, answer_file::Status, path::PathError, tables::StoreError};
use pintu_search::Cancel;

use crate::input::TooLarge;

/// The exit status. Of several that apply, the highest counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
    #[default]
    Solved = 0,
    NoSolution = 1,
    BadInput = 2,
    /// A limit was reached without a solution.
    Limit = 3,
    Interrupted = 130,
}

impl Exit {
    pub(crate) fn of(verdict: &Verdict) -> Self {
        match verdict {
            Verdict::Solved { .. } => Self::Solved,
            Verdict::Unsolvable(_) => Self::NoSolution,
            Verdict::Limit { .. } => Self::Limit,
        }
    }

    /// The status of an answer that was written before.
    pub(crate) fn of_status(status: Status) -> Self {
        match status {
            Status::Solved => Self::Solved,
            Status::Unsolvable => Self::NoSolution,
            Status::Invalid => Self::BadInput,
            Status::Limit => Self::Limit,
        }
    }

    pub(crate) fn of_error(error: &anyhow::Error) -> Self {
        let is_limit = error.is::<TooLarge>()
            || matches!(error.downcast_ref(), Some(PathError::Stopped(_)))
            || matches!(error.downcast_ref(), Some(StoreError::BrokenOff(_)));
        if is_limit { Self::Limit } else { Self::BadInput }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// From now on Ctrl-C cancels the search instead of ending the process; a second one ends the process at once.
pub(crate) fn cancel_on_interrupt(cancel: &Cancel) -> anyhow::Result<()> {
    let cancel = cancel.clone();
    let handler = move || {
        if INTERRUPTED.swap(true, Relaxed) {
            std::process::exit(Exit::Interrupted as i32);
        }
        cancel.cancel();
    };
    ctrlc::set_handler(handler).context("cannot listen to Ctrl-C")
}

/// Whether Ctrl-C was pressed since [`cancel_on_interrupt`].
pub(crate) fn is_interrupted() -> bool {
    INTERRUPTED.load(Relaxed)
}

//! Ctrl-C: one switch for the process.

use std::sync::OnceLock;

use pintu_search::Cancel;

static SWITCH: OnceLock<Cancel> = OnceLock::new();

/// A switch that Ctrl-C throws. A second Ctrl-C ends the process at once.
pub(crate) fn cancel_on_interrupt() -> anyhow::Result<Cancel> {
    const INTERRUPTED: i32 = 130;
    let cancel = SWITCH.get_or_init(Cancel::new).clone();
    let switch = cancel.clone();
    ctrlc::set_handler(move || {
        if switch.is_cancelled() {
            std::process::exit(INTERRUPTED);
        }
        switch.cancel();
    })?;
    Ok(cancel)
}

/// Whether Ctrl-C was pressed.
pub(crate) fn is_interrupted() -> bool {
    SWITCH.get().is_some_and(Cancel::is_cancelled)
}

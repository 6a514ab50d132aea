use pintu_search::Cancel;

/// A switch that Ctrl-C throws. A second Ctrl-C ends the process at once.
pub(crate) fn cancel_on_interrupt() -> anyhow::Result<Cancel> {
    const INTERRUPTED: i32 = 130;
    let cancel = Cancel::new();
    let switch = cancel.clone();
    ctrlc::set_handler(move || {
        if switch.is_cancelled() {
            std::process::exit(INTERRUPTED);
        }
        switch.cancel();
    })?;
    Ok(cancel)
}

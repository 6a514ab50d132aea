//! Progress on the terminal while a search runs.

use std::{
    io::{IsTerminal, stderr},
    sync::mpsc::{RecvTimeoutError, channel},
    thread,
    time::Duration,
};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use pintu_search::Control;

use crate::units::{show_count, show_seconds};

/// Runs `work`; if standard error is a terminal and it takes a while, shows a search's progress there.
pub(crate) fn watched<T: Send>(title: &str, control: &Control, work: impl FnOnce() -> T + Send) -> T {
    shown(|| line(title, control), work)
}

/// Runs `work`; if standard error is a terminal and it takes a while, shows there what `status` returns.
pub(crate) fn shown<T: Send>(status: impl Fn() -> String + Send, work: impl FnOnce() -> T + Send) -> T {
    const SHOW_AFTER: Duration = Duration::from_millis(400);
    const REFRESH_INTERVAL: Duration = Duration::from_millis(100);
    if !stderr().is_terminal() {
        return work();
    }
    let (done, ended) = channel::<()>();
    thread::scope(|scope| {
        scope.spawn(move || {
            let mut bar = None;
            let mut wait = SHOW_AFTER;
            while ended.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
                wait = REFRESH_INTERVAL;
                let bar = bar.get_or_insert_with(|| self::bar("{spinner} {wide_msg}"));
                bar.set_message(status());
                bar.tick();
            }
            if let Some(bar) = bar {
                bar.finish_and_clear();
            }
        });
        let result = work();
        drop(done);
        result
    })
}

pub(crate) fn bar(template: &str) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}

/// The progress of a search of a board.
pub(crate) fn line(title: &str, control: &Control) -> String {
    format!("{} · bound {}", counts(title, control), control.bound())
}

/// The counts of a search. (On maps and graphs the control's bound is no path cost, so it is not shown.)
pub(crate) fn counts(title: &str, control: &Control) -> String {
    let counters = control.counters();
    format!(
        "{title}: {} · {} expanded · {} generated",
        show_seconds(control.elapsed().as_secs_f64()),
        show_count(counters.expanded),
        show_count(counters.generated),
    )
}

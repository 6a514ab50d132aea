//! How much of what may be spent has been spent, and how often that can be repeated.

use std::time::Duration;

use pintu_search::Control;

/// What had been spent at a moment.
#[derive(Clone, Copy)]
pub(crate) struct Spent {
    time: Duration,
    nodes: u64,
}

impl Spent {
    /// What has been spent so far.
    pub(crate) fn so_far(control: &Control) -> Self {
        Self { time: control.elapsed(), nodes: control.counters().expanded }
    }

    /// How often what has been spent since then can be spent again.
    pub(crate) fn turns_left(self, control: &Control) -> f64 {
        let now = Self::so_far(control);
        let time = now.time.saturating_sub(self.time).as_secs_f64().max(1e-6);
        let nodes = (now.nodes - self.nodes).max(1) as f64;
        let by_time = control.time_left().map_or(f64::INFINITY, |left| left.as_secs_f64() / time);
        let by_nodes = control.nodes_left().map_or(f64::INFINITY, |left| left as f64 / nodes);
        by_time.min(by_nodes)
    }
}

/// Counts the start as produced, unless a search that came before has.
pub(crate) fn count_start(control: &Control) {
    if control.counters().generated == 0 {
        control.meter().counters.generated += 1;
    }
}

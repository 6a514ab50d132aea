//! Divides a puzzle's budget of time and nodes among the searches that follow each other.
//!
//! Without a time limit nothing here reads the clock: on one thread the same puzzle then always expands the same states.

use std::time::Duration;

use pintu_search::{Control, Limits};

/// Boards of up to this many cells are always solved optimally with tables, given the time.
pub const SURE_CELLS: usize = 16;
/// The nodes of a quick attempt, before anything that takes longer is tried.
pub const QUICK_NODES: u64 = 300_000;

const QUICK_SHARE: f64 = 0.1;
/// The share of the budget for a first solution, where the time is limited, and its maximum.
const FIRST_SHARE: f64 = 0.05;
const MAX_FIRST_TIME: Duration = Duration::from_millis(50);
/// The share of the budget for a good solution before the optimal one, where that is sure to be found, and its maximum for
/// each thread: about what beams expand in [`MAX_FIRST_TIME`].
const BEFORE_PROOF_SHARE: f64 = 0.1;
const MAX_NODES_BEFORE_PROOF: u64 = 250_000;
/// About what one thread expands in a second of beams.
const NODES_A_SECOND: f64 = 6e6;
/// The states that guided beams expand in a second at least: 1.3 million by a network on a processor without vector
/// instructions, 3.3 million with AVX2, 4.6 million with AVX-512, 5 million without a network. A greater number here makes
/// tables coarser where few nodes are allowed, and solutions longer.
const GUIDED_NODES_A_SECOND: f64 = 2e6;

/// A share of the nodes and of the time that are left, where they are limited.
pub fn share(control: &Control, part: f64) -> Limits {
    let nodes = control.nodes_left().map(|nodes| (nodes as f64 * part) as u64);
    Limits::none().nodes(nodes).time(control.time_left().map(|time| time.mul_f64(part)))
}

/// The same, with at most `most` nodes.
pub fn share_up_to(control: &Control, part: f64, most: u64) -> Limits {
    let share = share(control, part);
    share.nodes(share.nodes.map_or(most, |nodes| nodes.min(most)))
}

/// The limits of a quick attempt of at most `most` nodes ([usually](QUICK_NODES)): enough for an easy board of any size.
pub fn quick(control: &Control, most: u64) -> Limits {
    share_up_to(control, QUICK_SHARE, most)
}

/// The limits of a first solution where the time is limited, so that there is one when it ends early.
pub fn first(control: &Control) -> Limits {
    let share = share(control, FIRST_SHARE);
    share.time(share.time.map(|time| time.min(MAX_FIRST_TIME)))
}

/// The limits of a good solution on `threads` threads before the optimal one, which is sure to be found.
pub fn before_proof(control: &Control, threads: usize) -> Limits {
    share_up_to(control, BEFORE_PROOF_SHARE, MAX_NODES_BEFORE_PROOF.saturating_mul(threads as u64))
}

/// About how long the nodes that are left take on one thread, where they are limited.
pub(crate) fn time_for_nodes(control: &Control) -> Option<Duration> {
    control.nodes_left().map(|nodes| Duration::from_secs_f64(nodes as f64 / NODES_A_SECOND))
}

/// The time that is left, or about what guided beams take for the nodes that are left, if either is limited.
pub(crate) fn guided_time(control: &Control) -> Option<Duration> {
    let for_nodes = || Some(Duration::from_secs_f64(control.nodes_left()? as f64 / GUIDED_NODES_A_SECOND));
    control.time_left().or_else(for_nodes)
}

/// The greatest width, up to `most`, at which a beam of `levels` levels expands no more nodes than are left.
pub(crate) fn width_within(control: &Control, levels: usize, most: usize) -> usize {
    let widest = control.nodes_left().map_or(u64::MAX, |nodes| nodes / levels.max(1) as u64);
    usize::try_from(widest).unwrap_or(usize::MAX).min(most)
}

/// The time and nodes that had been spent at a moment.
#[derive(Clone, Copy)]
pub(crate) struct Spent {
    time: Duration,
    nodes: u64,
}

impl Spent {
    pub(crate) fn so_far(control: &Control) -> Self {
        Self { time: control.elapsed(), nodes: control.counters().expanded }
    }

    /// How many times the limits still allow what has been spent since this moment.
    pub(crate) fn repeats_left(self, control: &Control) -> f64 {
        let now = Self::so_far(control);
        let time = now.time.saturating_sub(self.time).as_secs_f64().max(1e-6);
        let nodes = (now.nodes - self.nodes).max(1) as f64;
        let by_time = control.time_left().map_or(f64::INFINITY, |left| left.as_secs_f64() / time);
        let by_nodes = control.nodes_left().map_or(f64::INFINITY, |left| left as f64 / nodes);
        by_time.min(by_nodes)
    }
}

/// Counts the start as generated, unless an earlier search has.
pub(crate) fn count_start(control: &Control) {
    if control.counters().generated == 0 {
        control.meter().generate(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(nodes: Option<u64>, time: Option<u64>) -> Control {
        Control::new(Limits::none().nodes(nodes).time(time.map(Duration::from_secs)))
    }

    #[test]
    fn only_where_the_time_is_limited_is_a_share_of_it_given() {
        for nodes in [None, Some(0), Some(1000), Some(u64::MAX - 1)] {
            let control = of(nodes, None);
            for limits in [share(&control, 0.5), quick(&control, 10), first(&control), before_proof(&control, 2)] {
                assert_eq!(limits.time, None);
            }
        }
        let timed = of(None, Some(100));
        assert!(share(&timed, 0.5).time.is_some_and(|time| time <= Duration::from_secs(50)));
        assert_eq!(first(&timed).time, Some(MAX_FIRST_TIME));
        assert!(
            before_proof(&timed, 1).time.is_some() && before_proof(&timed, 1).nodes == Some(MAX_NODES_BEFORE_PROOF)
        );
    }

    #[test]
    fn no_share_takes_all_of_the_nodes() {
        let control = of(Some(100_000), None);
        assert_eq!(quick(&control, QUICK_NODES).nodes, Some(10_000));
        assert_eq!(before_proof(&control, 1).nodes, Some(10_000));
        assert_eq!(quick(&of(Some(100_000_000), None), QUICK_NODES).nodes, Some(QUICK_NODES));
        assert_eq!(before_proof(&of(None, None), 3).nodes, Some(3 * MAX_NODES_BEFORE_PROOF));
    }

    #[test]
    fn a_beam_is_as_wide_as_the_nodes_allow() {
        assert_eq!(width_within(&of(Some(1000), None), 10, 256), 100);
        assert_eq!(width_within(&of(Some(100_000), None), 10, 256), 256);
        assert_eq!(width_within(&of(None, Some(1)), 10, 256), 256);
        assert_eq!(width_within(&of(Some(7), None), 0, 256), 7);
    }
}

//! How what may be spent on a puzzle is shared out among the searches that follow each other.
//!
//! Where the time is limited, the clock has its say. Where it is not, nothing here looks at it: on one thread the same
//! puzzle then takes the same states, whenever and wherever it is solved.

use std::time::Duration;

use pintu_search::{Control, Limits};

/// Boards of so many cells are always solved optimally with tables, if they are given the time.
pub const SURE_CELLS: usize = 16;
/// What may be expanded in a moment, before anything that takes longer is tried.
pub const MOMENT_NODES: u64 = 300_000;

/// The share of the budget for a moment.
const MOMENT: f64 = 0.1;
/// The share of the budget for a first solution, where the time is limited, and no more than this.
const FIRST: f64 = 0.05;
const QUICK: Duration = Duration::from_millis(50);
/// The share of the budget that goes into a good solution where the optimal one is sure to be found, and no more than what
/// beams on one thread expand in [`QUICK`], about.
const SURE: f64 = 0.1;
const QUICK_NODES: u64 = 250_000;
/// What one thread expands in a second of beams, about.
const NODES_A_SECOND: f64 = 6e6;

/// A share of the nodes and of the time that are left, where they are limited.
pub fn share(control: &Control, part: f64) -> Limits {
    let nodes = control.nodes_left().map(|nodes| (nodes as f64 * part) as u64);
    Limits { nodes, time: control.time_left().map(|time| time.mul_f64(part)), ..Limits::default() }
}

/// The same, and no more nodes than so many.
pub fn share_up_to(control: &Control, part: f64, most: u64) -> Limits {
    let share = share(control, part);
    Limits { nodes: Some(share.nodes.map_or(most, |nodes| nodes.min(most))), ..share }
}

/// What may be tried before anything that takes longer, up to so many nodes ([usually](MOMENT_NODES)): it is enough for an
/// easy board of any size.
pub fn moment(control: &Control, most: u64) -> Limits {
    share_up_to(control, MOMENT, most)
}

/// What a first solution may take where the time is limited, so that there is one when that ends early.
pub fn first(control: &Control) -> Limits {
    let share = share(control, FIRST);
    Limits { time: share.time.map(|time| time.min(QUICK)), ..share }
}

/// What a good solution may take on so many threads before the optimal one is looked for, which is sure to be found.
pub fn before_proof(control: &Control, threads: usize) -> Limits {
    share_up_to(control, SURE, QUICK_NODES.saturating_mul(threads as u64))
}

/// How long the nodes that are left take on one thread, about, where they are limited.
pub(crate) fn time_for_nodes(control: &Control) -> Option<Duration> {
    control.nodes_left().map(|nodes| Duration::from_secs_f64(nodes as f64 / NODES_A_SECOND))
}

/// The greatest width, up to `most`, at which a beam of so many levels does not take more states than are left.
pub(crate) fn width_within(control: &Control, levels: usize, most: usize) -> usize {
    let widest = control.nodes_left().map_or(u64::MAX, |nodes| nodes / levels.max(1) as u64);
    usize::try_from(widest).unwrap_or(usize::MAX).min(most)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(nodes: Option<u64>, time: Option<u64>) -> Control {
        Control::new(Limits { nodes, time: time.map(Duration::from_secs), ..Limits::default() })
    }

    #[test]
    fn only_where_the_time_is_limited_is_a_share_of_it_given() {
        for nodes in [None, Some(0), Some(1000), Some(u64::MAX - 1)] {
            let control = of(nodes, None);
            for limits in [share(&control, 0.5), moment(&control, 10), first(&control), before_proof(&control, 2)] {
                assert_eq!(limits.time, None);
            }
        }
        let timed = of(None, Some(100));
        assert!(share(&timed, 0.5).time.is_some_and(|time| time <= Duration::from_secs(50)));
        assert_eq!(first(&timed).time, Some(QUICK));
        assert!(before_proof(&timed, 1).time.is_some() && before_proof(&timed, 1).nodes == Some(QUICK_NODES));
    }

    #[test]
    fn no_stage_takes_all_of_the_nodes() {
        let control = of(Some(100_000), None);
        assert_eq!(moment(&control, MOMENT_NODES).nodes, Some(10_000));
        assert_eq!(before_proof(&control, 1).nodes, Some(10_000));
        assert_eq!(moment(&of(Some(100_000_000), None), MOMENT_NODES).nodes, Some(MOMENT_NODES));
        assert_eq!(before_proof(&of(None, None), 3).nodes, Some(3 * QUICK_NODES));
    }

    #[test]
    fn a_beam_is_as_wide_as_its_states_allow() {
        assert_eq!(width_within(&of(Some(1000), None), 10, 256), 100);
        assert_eq!(width_within(&of(Some(100_000), None), 10, 256), 256);
        assert_eq!(width_within(&of(None, Some(1)), 10, 256), 256);
        assert_eq!(width_within(&of(Some(7), None), 0, 256), 7);
    }
}

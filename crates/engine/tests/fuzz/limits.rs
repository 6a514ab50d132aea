//! Random limits, and whether they were held.

use std::time::Duration;

use pintu_engine::path::{PathAlgorithm, PathRequest};
use pintu_grid::Heuristic;
use pintu_search::{Control, Counters, Limits, Stop, Weight};

use crate::{MEMORY, dice::Dice};

/// The bytes that a search holds apart from growing structures: the request, the answer, tables of the size of a board.
const BESIDES: u64 = 256 << 10;

/// Mostly none, sometimes one, now and then several.
pub(crate) fn roll(dice: &mut Dice) -> Limits {
    let nodes = dice.once_in(4).then(|| dice.next() % (1 << dice.below(14)));
    let time = dice.once_in(12).then(|| Duration::from_micros(dice.next() % 20_000));
    let memory = dice.once_in(4).then(|| dice.next() % (1 << (10 + dice.below(14))));
    Limits::none().nodes(nodes).time(time).memory(memory)
}

/// A request for a path by one of some algorithms, with random limits.
pub(crate) fn path_request(dice: &mut Dice, algorithms: &[PathAlgorithm], has_heuristics: bool) -> PathRequest {
    let mut request = PathRequest::new(dice.choose(algorithms));
    request.limits = roll(dice);
    request.inadmissible = dice.once_in(2);
    if request.algorithm.uses_heuristic() && has_heuristics && dice.once_in(2) {
        request.heuristic = Some(dice.choose(&Heuristic::ALL));
    }
    if request.algorithm == PathAlgorithm::Wastar {
        request.weight = dice.once_in(2).then(|| Weight::new(1.0 + dice.below(9000) as f64 / 1000.0).unwrap());
    }
    request
}

/// Runs a search under a control, and compares with the allocator's count. The answer's own memory does not count
/// against the limit: it is small.
pub(crate) fn watched<T>(limits: Limits, search: impl FnOnce(&Control) -> T) -> T {
    let control = Control::new(Limits::none().memory(limits.memory));
    let before = MEMORY.held();
    MEMORY.forget_peak();
    let answer = search(&control);
    let held = MEMORY.peak() - before;
    if let Some(most) = limits.memory {
        assert!(held <= most + BESIDES, "held {held} bytes under a limit of {most}");
    }
    assert_eq!(control.held(), 0, "what was held is given back");
    answer
}

/// Whether a search may have ended for this reason under these limits.
pub(crate) fn may_stop(why: Stop, limits: &Limits, bounds_depth: bool) -> bool {
    match why {
        Stop::Nodes => limits.nodes.is_some(),
        Stop::Time => limits.time.is_some(),
        Stop::Memory => limits.memory.is_some(),
        Stop::Depth => bounds_depth,
        _ => false,
    }
}

/// Whether a search stayed within the nodes that it may expand.
pub(crate) fn check_nodes(limits: &Limits, counters: &Counters) {
    if let Some(most) = limits.nodes {
        assert!(counters.expanded <= most, "expanded {} of {most}", counters.expanded);
    }
}

//! Scratch is kept between searches, and changes nothing but what is allocated.

use pintu_search::{Control, Limits, Scratch, astar, dijkstra, from_fn};
use pintu_testing::{Counting, allocations};

#[global_allocator]
static MEMORY: Counting = Counting::new();

/// A plane of cells with walls in a pattern, and costs that come in buckets and beyond them.
fn cells(goal: (u32, u32)) -> impl pintu_search::Space<State = (u32, u32), Cost = u32> {
    let step = |&(x, y): &(u32, u32)| {
        [(x + 1, y), (x, y + 1), (x.wrapping_sub(1), y), (x, y.wrapping_sub(1))]
            .into_iter()
            .filter(|&(x, y)| x < 64 && y < 64 && (x * 5 + y * 11) % 17 != 0)
            .map(|to| (to, if (to.0 ^ to.1) % 31 == 0 { 20_000 } else { 1 + (to.0 * 7 + to.1 * 3) % 5 }))
    };
    from_fn(step, move |&at| at == goal)
}

#[test]
fn a_search_in_grown_scratch_allocates_nothing_but_its_path() {
    let control = Control::unlimited();
    let goals = [(60, 61), (9, 3), (0, 50), (63, 2), (200, 200)];
    let mut scratch = Scratch::new();
    for goal in goals {
        let far = |&(x, y): &(u32, u32)| x.abs_diff(goal.0) + y.abs_diff(goal.1);
        let space = cells(goal);
        let mut fresh = astar(&space, &(1, 1), far, &control);
        let mut kept = scratch.astar(&space, &(1, 1), far, &control);
        // Only what is held differs.
        assert!(fresh.counters.peak_bytes <= kept.counters.peak_bytes);
        (fresh.counters.peak_bytes, kept.counters.peak_bytes) = (0, 0);
        assert!(fresh == kept);
    }
    let grown = scratch.bytes();
    for goal in goals {
        let far = |&(x, y): &(u32, u32)| x.abs_diff(goal.0) + y.abs_diff(goal.1);
        let space = cells(goal);
        let before = allocations();
        let report = scratch.astar(&space, &(1, 1), far, &control);
        let made = allocations() - before;
        // One allocation for the path's states, and one for its actions.
        let path = report.solution().map_or(0, |_| 2);
        assert!(made <= path, "{made} allocations for {goal:?}, {path} of them for the path");
    }
    assert_eq!(scratch.bytes(), grown);

    // A scratch above the limit is freed; the bytes of one that is kept count.
    let tight = Control::new(Limits::none().memory(grown - 1));
    let mut blind = Scratch::new();
    assert!(blind.dijkstra(&cells((9, 3)), &(1, 1), &tight).solution().is_some());
    assert_eq!(tight.held(), 0);
    let report = scratch.astar(&cells((9, 3)), &(1, 1), |_: &(u32, u32)| 0_u32, &tight);
    assert!(report.counters.peak_bytes < grown);
    assert!(scratch.bytes() < grown);
    assert!(report.solution() == dijkstra(&cells((9, 3)), &(1, 1), ()).solution());
}

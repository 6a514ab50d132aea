//! A solve takes no more memory than it may, by the allocator's own count.

use pintu_search::{Control, Limits};
use pintu_solver::{SolveOptions, TableCache, solve};
use pintu_testing::Counting;
use pintu_tiles::{NamedGoal, Puzzle, Scrambler, Size, Topology};

#[global_allocator]
static MEMORY: Counting = Counting::new();

/// Bytes that are not counted because they do not grow with a search: layouts and names.
const BESIDES: u64 = 1 << 20;

/// Solves a scramble within limits on nodes and memory, and checks the bytes that it took.
fn check(topology: Topology, nodes: u64, limit: u64) {
    let goal = NamedGoal::Standard.on(topology.size());
    let puzzle = Puzzle::new(topology, Scrambler::new(topology, goal.clone(), 77).uniform(), goal).unwrap();
    let control = Control::new(Limits::none().memory(limit).nodes(nodes));
    let before = MEMORY.held();
    MEMORY.forget_peak();
    let solved = solve(&puzzle, &control, SolveOptions::new().tables(&TableCache::new())).unwrap();
    let took = MEMORY.peak() - before;
    assert!(solved.known.moves().is_some());
    assert!(took <= limit + BESIDES, "{topology:?} took {took} bytes of {limit}");
    assert_eq!(control.held(), 0, "all is given back");
}

// One test alone: others beside it would be counted too.
#[test]
fn a_search_on_tables_takes_no_more_than_it_may() {
    let plain = Topology::plain(Size::new(4, 5).unwrap());
    // Enough states for the deep automaton to be asked for, for which there is no memory.
    check(plain, 8_000_000, 10 << 20);
    for (rows, cols) in [(4, 4), (4, 5), (5, 5)] {
        let size = Size::new(rows, cols).unwrap();
        let wrapped = Topology::wrapped(size, 0..rows, 0..cols).unwrap();
        for topology in [Topology::plain(size), wrapped] {
            for limit in [8 << 20, 16 << 20, 32 << 20] {
                check(topology, 100_000, limit);
            }
        }
    }
}

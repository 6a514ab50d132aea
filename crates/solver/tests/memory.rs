//! A solve takes no more memory than it may, by the allocator's own count.

use pintu_search::{Control, Limits};
use pintu_solver::{Brief, KeptTables, Known, solve};
use pintu_testing::Counting;
use pintu_tiles::{NamedGoal, Puzzle, Scrambler, Size, Topology};

#[global_allocator]
static MEMORY: Counting = Counting::new();

/// What is not counted because it does not grow with a search: layouts, names, the small machine.
const BESIDES: u64 = 3 << 20;

// One test alone: others beside it would be counted too.
#[test]
fn a_long_search_on_tables_takes_no_more_than_it_may() {
    // So many states that the better machine is asked for, which takes more to make than there is.
    const NODES: u64 = 20_000_000;
    const LIMIT: u64 = 10 << 20;
    let size = Size::new(4, 5).unwrap();
    let (topology, goal) = (Topology::plain(size), NamedGoal::Standard.on(size));
    let puzzle = Puzzle::new(topology, Scrambler::new(topology, goal.clone(), 77).uniform(), goal).unwrap();
    let control = Control::new(Limits { memory: Some(LIMIT), nodes: Some(NODES), ..Limits::default() });
    let before = MEMORY.held();
    MEMORY.forget_peak();
    let brief = Brief { threads: 1, known: Known::default(), on_better: &mut |_, _| {} };
    let solved = solve(&puzzle, &KeptTables::new(), &control, brief).unwrap();
    let took = MEMORY.peak() - before;
    assert!(solved.known.moves().is_some());
    assert!(took <= LIMIT + BESIDES, "took {took} bytes of {LIMIT}");
    assert_eq!(control.held(), 0, "all is given back");
}

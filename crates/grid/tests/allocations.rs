//! A query allocates nothing once the memory it is given has met its like.
#![expect(unsafe_code, reason = "an allocator that counts is an allocator, and that trait is unsafe")]

use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell as Shared,
};

use pintu_grid::{Cell, Diagonal, Heuristic, Map, QueryError, Report, Scratch, Terrain};
use pintu_search::Control;

struct Counting;

thread_local! {
    static ALLOCATIONS: Shared<u64> = const { Shared::new(0) };
}

fn count() {
    ALLOCATIONS.set(ALLOCATIONS.get() + 1);
}

// SAFETY: everything is handed on to the system's allocator as it came; counting allocates nothing, for the
// counter is made before the program runs and needs no clearing up.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        // SAFETY: the caller's promise.
        unsafe { System.realloc(block, layout, size) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

type Query = fn(&Map, Cell, &[Cell], &mut Scratch, &Control) -> Result<Report, QueryError>;

const QUERIES: [(&str, Query); 8] = [
    ("shortest", |map, from, to, scratch, control| map.shortest(from, to, scratch, control)),
    ("astar", |map, from, to, scratch, control| {
        map.astar(from, to, Heuristic::for_movement(map.diagonal()), scratch, control)
    }),
    ("dijkstra", |map, from, to, scratch, control| map.dijkstra(from, to, scratch, control)),
    ("greedy", |map, from, to, scratch, control| map.greedy(from, to, Heuristic::Euclidean, scratch, control)),
    ("bfs", |map, from, to, scratch, control| map.bfs(from, to, scratch, control)),
    ("pruned", |map, from, to, scratch, control| map.pruned_astar(from, to, scratch, control)),
    ("levels", |map, from, to, scratch, control| map.level_astar(from, to, scratch, control)),
    ("jps", |map, from, to, scratch, control| map.jps(from, to, scratch, control)),
];

/// Open ground with something else wherever the numbers say.
fn map(other: char, diagonal: Diagonal) -> Map {
    let side = 90;
    let mut terrain = Terrain::open(side, side).unwrap();
    for at in (0..side * side).filter(|at| at % 7 == 3 || at * at % 61 == 9) {
        terrain.set(Cell::new(at / side, at % side), other);
    }
    Map::new(&terrain, diagonal)
}

/// What the same queries allocate the second time.
fn allocations_when_warm(map: &Map, query: Query) -> u64 {
    let (mut scratch, control) = (Scratch::new(), Control::unlimited());
    let mut run = || {
        for k in 0..30 {
            let (from, to) = (Cell::new(k, 2 * k), Cell::new(89 - k, 80 - k));
            query(map, from, &[to], &mut scratch, &control).unwrap();
        }
    };
    run();
    let before = ALLOCATIONS.get();
    run();
    ALLOCATIONS.get() - before
}

#[test]
fn a_warm_query_allocates_nothing() {
    let cold = ALLOCATIONS.get();
    for diagonal in [Diagonal::Never, Diagonal::NoCorners] {
        for (ground, other) in [("uniform", '#'), ("terrain", '5')] {
            let map = map(other, diagonal);
            for (name, query) in QUERIES.into_iter().filter(|(name, _)| *name != "jps" || map.is_uniform()) {
                assert_eq!(allocations_when_warm(&map, query), 0, "{name}, {ground}, {diagonal}");
            }
        }
    }
    assert!(ALLOCATIONS.get() > cold, "the allocator does count");
}

//! What searches allocate, by the allocator's own count: nothing once the memory they are given has met its like, and
//! never more than they are allowed.
#![expect(unsafe_code, reason = "an allocator that counts is an allocator, and that trait is unsafe")]

use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell as Shared,
    ops::ControlFlow,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicI64, Ordering::Relaxed},
    },
    thread,
};

use pintu_grid::{Cell, Diagonal, Graph, Heuristic, Map, Outcome, QueryError, Report, Scratch, Terrain, Toward};
use pintu_search::{Control, Limits, Stop};

struct Counting;

thread_local! {
    static ALLOCATIONS: Shared<u64> = const { Shared::new(0) };
    /// The bytes that this thread holds, less those that it has given back for others.
    static HELD: Shared<i64> = const { Shared::new(0) };
    static PEAK: Shared<i64> = const { Shared::new(0) };
}

/// The bytes that all threads hold.
static ALL_HELD: AtomicI64 = AtomicI64::new(0);
static ALL_PEAK: AtomicI64 = AtomicI64::new(0);

fn count(bytes: i64) {
    ALLOCATIONS.set(ALLOCATIONS.get() + u64::from(bytes > 0));
    HELD.set(HELD.get() + bytes);
    PEAK.set(PEAK.get().max(HELD.get()));
    let all = ALL_HELD.fetch_add(bytes, Relaxed) + bytes;
    ALL_PEAK.fetch_max(all, Relaxed);
}

/// The most bytes that this thread holds at once while it works, beyond those that it holds already.
fn peak_of(work: impl FnOnce()) -> u64 {
    PEAK.set(HELD.get());
    let before = HELD.get();
    work();
    u64::try_from(PEAK.get() - before).unwrap()
}

// SAFETY: everything is handed on to the system's allocator as it came; counting allocates nothing, for the
// counter is made before the program runs and needs no clearing up.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as i64);
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        count(size as i64 - layout.size() as i64);
        // SAFETY: the caller's promise.
        unsafe { System.realloc(block, layout, size) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        count(-(layout.size() as i64));
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
    Map::new(&terrain(other, |at| at % 7 == 3 || at * at % 61 == 9), diagonal)
}

fn terrain(other: char, is_other: impl Fn(u32) -> bool) -> Terrain {
    let side = 90;
    let mut terrain = Terrain::open(side, side).unwrap();
    for at in (0..side * side).filter(|&at| is_other(at)) {
        terrain.set(Cell::new(at / side, at % side), other).unwrap();
    }
    terrain
}

/// What the same queries allocate the second time.
fn allocations_when_warm(map: &Map, query: Query) -> u64 {
    let (mut scratch, control) = (Scratch::new(), Control::unlimited());
    let mut run = || {
        for k in 0..30 {
            let (from, to) = (Cell::new(k, 2 * k), Cell::new(89 - k, 80 - k));
            let _ = query(map, from, &[to], &mut scratch, &control).unwrap();
        }
    };
    run();
    let before = ALLOCATIONS.get();
    run();
    ALLOCATIONS.get() - before
}

#[test]
fn a_warm_query_allocates_nothing() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
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

/// What a control and its parts take themselves.
const SLACK: u64 = 4096;

fn with_memory(memory: u64) -> Control {
    Control::new(Limits { memory: Some(memory), ..Limits::default() })
}

#[test]
fn a_map_is_prepared_within_its_memory() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let scattered = |at: u32| at % 7 == 3 || at * at % 61 == 9;
    // Every free cell is a piece by itself, if one does not go diagonally.
    let alternating = |at: u32| (at / 90 + at % 90).is_multiple_of(2);
    for terrain in [terrain('#', scattered), terrain('5', scattered), terrain('#', alternating)] {
        for diagonal in [Diagonal::Never, Diagonal::Always] {
            let (mut refused, mut prepared) = (0, 0);
            for memory in (0..60).map(|k| k * 2500) {
                let control = with_memory(memory);
                let peak = peak_of(|| {
                    let mut hold = control.hold();
                    match Map::within(&terrain, diagonal, &mut hold) {
                        ControlFlow::Continue(map) => {
                            assert_eq!(hold.bytes(), map.bytes() as u64);
                            prepared += 1;
                        }
                        ControlFlow::Break(why) => {
                            assert_eq!((why, hold.bytes()), (Stop::Memory, 0));
                            refused += 1;
                        }
                    }
                });
                // The rules of movement are the same for maps of all sizes.
                assert!(peak <= memory + 2 * SLACK, "{diagonal}: {peak} bytes under a limit of {memory}");
            }
            assert!(refused > 0 && prepared > 0, "{diagonal}: {refused} {prepared}");
        }
    }
}

#[test]
fn a_graph_is_read_within_its_memory() {
    use std::fmt::Write as _;

    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let text = |line: fn(&mut String, u32)| {
        let mut text = String::new();
        (0..2000).for_each(|k| line(&mut text, k));
        text
    };
    let texts = [
        ("places", text(|text, k| writeln!(text, "@ n{k} {k} 1.5").unwrap())),
        ("names", text(|text, k| writeln!(text, "from{k} to{k} 1").unwrap())),
        ("long names", text(|text, k| writeln!(text, "{k:085} {:085} 1", k + 1).unwrap())),
        ("edges", text(|text, k| writeln!(text, "{} {} 2.5", k % 60, k * k % 59).unwrap())),
        ("words", text(|text, k| write!(text, "w{k} ").unwrap())),
    ];
    for (name, text) in &texts {
        for directed in [false, true] {
            let (mut refused, mut read) = (0, 0);
            for memory in (0..40).map(|k| k * 25_000) {
                let control = with_memory(memory);
                let peak = peak_of(|| {
                    let mut hold = control.hold();
                    match Graph::within(text, directed, &mut hold) {
                        ControlFlow::Continue(graph) => {
                            assert_eq!(hold.bytes(), graph.as_ref().map_or(0, Graph::bytes));
                            assert_eq!(graph.is_err(), *name == "words");
                            read += 1;
                        }
                        ControlFlow::Break(why) => {
                            assert_eq!((why, hold.bytes()), (Stop::Memory, 0));
                            refused += 1;
                        }
                    }
                });
                // An error says what it has found.
                let found = if *name == "words" { 2 * text.len() as u64 } else { 0 };
                assert!(peak <= memory + found + 2 * SLACK, "{name}: {peak} bytes under a limit of {memory}");
            }
            assert!((refused > 0 || *name == "words") && read > 0, "{name}: {refused} {read}");
        }
    }
}

/// A list that grows counts once: allocators extend large ones, or move their pages.
#[test]
fn a_search_stays_within_its_memory() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let (from, to) = (Cell::new(0, 0), [Cell::new(89, 89)]);
    for diagonal in [Diagonal::Never, Diagonal::NoCorners] {
        for other in ['#', '5'] {
            let map = map(other, diagonal);
            for (name, query) in QUERIES.into_iter().filter(|(name, _)| *name != "jps" || map.is_uniform()) {
                let (mut stopped, mut found) = (0, 0);
                for memory in (1..60).map(|k| k * 6000) {
                    let control = with_memory(memory);
                    let peak = peak_of(|| {
                        let report = query(&map, from, &to, &mut Scratch::new(), &control).unwrap();
                        match report.outcome {
                            Outcome::Found { .. } => found += 1,
                            Outcome::Stopped { why: Stop::Memory, .. } => stopped += 1,
                            other => panic!("{name}: {other:?}"),
                        }
                    });
                    assert!(peak <= memory + SLACK, "{name}, {diagonal}: {peak} bytes under a limit of {memory}");
                }
                assert!(stopped > 0 && found > 0, "{name}, {diagonal}: {stopped} {found}");
            }
            for memory in (1..40).map(|k| k * 10_000) {
                let control = with_memory(memory);
                let peak = peak_of(|| {
                    let _ = map.distances(from, Toward::Cell, &mut Scratch::new(), &control);
                });
                assert!(peak <= memory + SLACK, "distances: {peak} bytes under a limit of {memory}");
            }
        }
    }
}

/// Tests that count what all threads hold must not run beside others.
static ALONE: Mutex<()> = Mutex::new(());

#[test]
fn threads_share_a_limit() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let map = map('#', Diagonal::NoCorners);
    let memory = 300_000;
    let control = with_memory(memory);
    ALL_PEAK.store(ALL_HELD.load(Relaxed), Relaxed);
    let before = ALL_HELD.load(Relaxed);
    thread::scope(|scope| {
        for k in 0..4 {
            let (map, control) = (&map, &control);
            scope.spawn(move || {
                let mut scratch = Scratch::within(control);
                for n in 0..20 {
                    let to = [Cell::new(89 - n, 89 - k)];
                    let _ = map.astar(Cell::new(k, n), &to, Heuristic::Octile, &mut scratch, control).unwrap();
                    let _ = map.jps(Cell::new(k, n), &to, &mut scratch, control).unwrap();
                }
            });
        }
    });
    let peak = u64::try_from(ALL_PEAK.load(Relaxed) - before).unwrap();
    // Each thread takes something for itself.
    assert!(peak <= memory + 4 * 16 * SLACK, "{peak} bytes under a limit of {memory}");
    assert!(peak > memory / 2, "{peak} bytes: the limit was not put to the test");
    assert_eq!(control.held(), 0, "all is given back");
}

//! The allocations of searches, by the allocator's own count: none once their memory has served such a search, and
//! never more than the limit.

use std::{
    sync::{Mutex, PoisonError},
    thread,
};

use pintu_grid::{
    Algorithm, Cell, Diagonal, Format, Graph, Heuristic, Map, Outcome, Scratch, Terrain, TerrainKind, Toward,
};
use pintu_search::{Control, Limits, Stop};
use pintu_testing::{Counting, allocations};

#[global_allocator]
static MEMORY: Counting = Counting::new();

/// The most bytes that the process holds at once while it works, beyond those that it holds already.
fn peak_of(work: impl FnOnce()) -> u64 {
    MEMORY.forget_peak();
    let before = MEMORY.held();
    work();
    MEMORY.peak() - before
}

/// Every algorithm that searches in the scratch memory alone.
fn algorithms(map: &Map) -> impl Iterator<Item = Algorithm> {
    let all = [
        Algorithm::Fastest,
        Algorithm::Astar(Heuristic::for_movement(map.diagonal())),
        Algorithm::Dijkstra,
        Algorithm::Greedy(Heuristic::Euclidean),
        Algorithm::Bfs,
        Algorithm::PrunedAstar,
        Algorithm::LevelAstar,
        Algorithm::Jps,
    ];
    let is_uniform = map.is_uniform();
    all.into_iter().filter(move |&algorithm| is_uniform || algorithm != Algorithm::Jps)
}

/// Open land with other cells wherever the numbers say.
fn map(other: TerrainKind, diagonal: Diagonal) -> Map {
    Map::new(&terrain(other, |at| at % 7 == 3 || at * at % 61 == 9), diagonal)
}

fn terrain(other: TerrainKind, is_other: impl Fn(u32) -> bool) -> Terrain {
    let side = 90;
    let kind = |cell: Cell| if is_other(cell.row * side + cell.col) { other } else { TerrainKind::OPEN };
    Terrain::from_fn(side, side, kind).unwrap()
}

const OTHERS: [TerrainKind; 2] = [TerrainKind::Blocked, TerrainKind::land(5)];

/// The allocations of the same queries the second time.
fn allocations_when_warm(map: &Map, algorithm: Algorithm) -> u64 {
    let (mut scratch, control) = (Scratch::new(), Control::unlimited());
    let mut run = || {
        for k in 0..30 {
            let (from, to) = (Cell::new(k, 2 * k), Cell::new(89 - k, 80 - k));
            let _ = map.search(algorithm, from, &[to], &mut scratch, &control).unwrap();
        }
    };
    run();
    let before = allocations();
    run();
    allocations() - before
}

#[test]
fn a_warm_query_allocates_nothing() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let cold = allocations();
    for diagonal in [Diagonal::Never, Diagonal::NoCorners] {
        for other in OTHERS {
            let map = map(other, diagonal);
            for algorithm in algorithms(&map) {
                assert_eq!(allocations_when_warm(&map, algorithm), 0, "{algorithm:?}, {other:?}, {diagonal}");
            }
        }
    }
    assert!(allocations() > cold, "the allocator does count");
}

/// The bytes of a control and its parts.
const SLACK: u64 = 4096;

fn with_memory(memory: u64) -> Control {
    Control::new(Limits::none().memory(memory))
}

#[test]
fn a_map_is_prepared_within_its_memory() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let scattered = |at: u32| at % 7 == 3 || at * at % 61 == 9;
    // Every free cell is a piece by itself, if one does not go diagonally.
    let alternating = |at: u32| (at / 90 + at % 90).is_multiple_of(2);
    let [blocked, dear] = OTHERS;
    for terrain in [terrain(blocked, scattered), terrain(dear, scattered), terrain(blocked, alternating)] {
        for diagonal in [Diagonal::Never, Diagonal::Always] {
            let (mut refused, mut prepared) = (0, 0);
            for memory in (0..60).map(|k| k * 2500) {
                let control = with_memory(memory);
                let peak = peak_of(|| {
                    let mut hold = control.hold();
                    match Map::within(&terrain, diagonal, &mut hold) {
                        Ok(map) => {
                            assert_eq!(hold.bytes(), map.bytes() as u64);
                            prepared += 1;
                        }
                        Err(why) => {
                            assert_eq!((why, hold.bytes()), (Stop::Memory, 0));
                            refused += 1;
                        }
                    }
                });
                // The rules of movement are the same for maps of all sizes, and the test's harness allocates beside it.
                assert!(peak <= memory + 4 * SLACK, "{diagonal}: {peak} bytes under a limit of {memory}");
            }
            assert!(refused > 0 && prepared > 0, "{diagonal}: {refused} {prepared}");
        }
    }
}

#[test]
fn a_graph_is_read_within_the_bytes_that_its_text_tells() {
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
            let peak = peak_of(|| {
                let graph = Graph::read(text, directed);
                assert_eq!(graph.is_err(), *name == "words");
                let bytes = graph.map_or(0, |graph| graph.bytes());
                assert!(bytes < Graph::most_bytes(text), "{name}: {bytes}");
            });
            let most = Graph::most_bytes(text);
            assert!(peak <= most, "{name}: {peak} bytes, {most} expected");
        }
    }
}

#[test]
fn a_map_is_read_within_the_bytes_that_its_text_tells() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let long = ".".repeat(65_536);
    let texts = [
        (Format::Terrain, format!("{long}\n{}", ".\n".repeat(4095)), false),
        (Format::Terrain, ".#G9\n".repeat(3000), true),
        (Format::Sea, format!("4095 65536\n{long}\n"), false),
        (Format::Octile, format!("type octile\nheight 2\nwidth 65536\nmap\n{long}\n{long}\n"), true),
    ];
    for (format, text, is_map) in &texts {
        let most = format.most_bytes(text);
        let peak = peak_of(|| assert_eq!(format.read(text, &[]).is_ok(), *is_map, "{format:?}"));
        assert!(peak <= most, "{format:?}: {peak} bytes, {most} expected");
    }
}

/// A list that grows counts once: allocators extend large ones, or move their pages.
#[test]
fn a_search_stays_within_its_memory() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let (from, to) = (Cell::new(0, 0), [Cell::new(89, 89)]);
    for diagonal in [Diagonal::Never, Diagonal::NoCorners] {
        for other in OTHERS {
            let map = map(other, diagonal);
            for algorithm in algorithms(&map) {
                let (mut stopped, mut found) = (0, 0);
                for memory in (1..60).map(|k| k * 6000) {
                    let control = with_memory(memory);
                    let peak = peak_of(|| {
                        let report = map.search(algorithm, from, &to, &mut Scratch::new(), &control).unwrap();
                        match report.outcome {
                            Outcome::Found { .. } => found += 1,
                            Outcome::Stopped { why: Stop::Memory, .. } => stopped += 1,
                            other => panic!("{algorithm:?}: {other:?}"),
                        }
                    });
                    assert!(peak <= memory + SLACK, "{algorithm:?}, {diagonal}: {peak} bytes under {memory}");
                }
                assert!(stopped > 0 && found > 0, "{algorithm:?}, {diagonal}: {stopped} {found}");
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

/// The counts are of the whole process, so the tests must not run beside each other.
static ALONE: Mutex<()> = Mutex::new(());

#[test]
fn threads_share_a_limit() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let map = map(TerrainKind::Blocked, Diagonal::NoCorners);
    let memory = 300_000;
    let control = with_memory(memory);
    let peak = peak_of(|| {
        thread::scope(|scope| {
            for k in 0..4 {
                let (map, control) = (&map, &control);
                scope.spawn(move || {
                    let mut scratch = Scratch::within(control);
                    for n in 0..20 {
                        let to = [Cell::new(89 - n, 89 - k)];
                        for algorithm in [Algorithm::Astar(Heuristic::Octile), Algorithm::Jps] {
                            let _ = map.search(algorithm, Cell::new(k, n), &to, &mut scratch, control).unwrap();
                        }
                    }
                });
            }
        });
    });
    // Each thread takes something for itself.
    assert!(peak <= memory + 4 * 16 * SLACK, "{peak} bytes under a limit of {memory}");
    assert!(peak > memory / 2, "{peak} bytes: the limit was not put to the test");
    assert_eq!(control.held(), 0, "all is given back");
}

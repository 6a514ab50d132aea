//! Our generic algorithms beside those of the `pathfinding` crate, in one process, on one state type.
//!
//! The peer runs twice: with successors collected into a `Vec`, as its documentation shows it, and with an
//! array of them. `cargo bench -p pintu-tiles --bench peers` prints the tables of docs/benchmarks.md; with `-- bfs`,
//! `-- a*`, `-- ida*` or `-- memory` only that part.

use std::{hint::black_box, time::Instant};

use pathfinding::prelude as peer;
use pintu_search::{ByRef, Control, Heuristic, Limits, Space, astar, bfs, ida};
use pintu_tiles::{NamedGoal, Nibbles, PerTile, Puzzle, TileSpace, Topology, manhattan, read_board};

/// The two 8-puzzles that need 31 moves.
const HARDEST: [&str; 2] = ["8 6 7 2 5 4 3 0 1", "6 4 7 8 5 0 3 2 1"];
/// Korf's 15-puzzles number 12 and 2: 1 and 15 million nodes.
const KORF: [(&str, usize); 2] =
    [("14 1 9 6 4 8 12 5 7 2 3 0 10 11 13 15", 45), ("13 5 4 10 9 12 8 14 2 3 7 1 0 15 11 6", 55)];

fn main() {
    let parts: Vec<String> = std::env::args().skip(1).filter(|part| !part.starts_with('-')).collect();
    let wanted = |part: &str| parts.is_empty() || parts.iter().any(|wanted| wanted == part);
    println!("| work | pintu | pathfinding, `Vec` | ratio | pathfinding, array | ratio |");
    println!("| --- | ---: | ---: | ---: | ---: | ---: |");
    for board in HARDEST {
        let case = Case::new(board, NamedGoal::Standard);
        if wanted("bfs") {
            let runs: [&dyn Fn() -> usize; 3] =
                [&|| case.bfs(), &|| case.peer_bfs(|board| case.listed(*board)), &|| {
                    case.peer_bfs(|board| case.laid_out(*board))
                }];
            report(&format!("BFS, {board}"), 9, runs, 31);
        }
        if wanted("a*") {
            let runs: [&dyn Fn() -> usize; 3] =
                [&|| case.astar(), &|| case.peer_astar(|board| case.listed(*board)), &|| {
                    case.peer_astar(|board| case.laid_out(*board))
                }];
            report(&format!("A* Manhattan, {board}"), 101, runs, 31);
        }
    }
    for (board, length) in KORF.into_iter().filter(|_| wanted("ida*")) {
        let case = Case::new(board, NamedGoal::BlankFirst);
        let runs: [&dyn Fn() -> usize; 3] = [&|| case.ida(), &|| case.peer_ida(|board| case.listed(*board)), &|| {
            case.peer_ida(|board| case.laid_out(*board))
        }];
        report(&format!("IDA* Manhattan, {board}"), 2, runs, length);
    }
    if wanted("memory") {
        memory();
    }
}

struct Case {
    space: TileSpace<Nibbles>,
    start: Nibbles,
    manhattan: PerTile<u8>,
}

impl Case {
    fn new(board: &str, goal: NamedGoal) -> Self {
        let start = read_board(board, None).expect("a board");
        let goal = goal.on(start.size());
        let puzzle = Puzzle::new(Topology::plain(start.size()), start, goal).expect("of one size");
        let (space, start) = TileSpace::new(&puzzle);
        Self { space, start, manhattan: manhattan(&puzzle) }
    }

    fn bfs(&self) -> usize {
        bfs(&self.space, &self.start, ()).solution().expect("it can be solved").path.len()
    }

    fn astar(&self) -> usize {
        astar(&self.space, &self.start, ByRef(&self.manhattan), ()).solution().expect("it can be solved").path.len()
    }

    fn ida(&self) -> usize {
        ida(&self.space, &self.start, ByRef(&self.manhattan), ()).solution().expect("it can be solved").path.len()
    }

    fn successors(&self, board: &Nibbles) -> impl Iterator<Item = Nibbles> {
        self.space.actions(board).map(|action| {
            let mut after = *board;
            self.space.apply(&mut after, &action);
            after
        })
    }

    /// The successors as the peer's documentation hands them over.
    fn listed(&self, board: Nibbles) -> Vec<(Nibbles, u32)> {
        self.successors(&board).map(|after| (after, 1)).collect()
    }

    /// The successors without an allocation. The peer's must not borrow the board.
    fn laid_out(&self, board: Nibbles) -> impl Iterator<Item = (Nibbles, u32)> + use<> {
        let mut successors = self.successors(&board);
        let places: [Option<Nibbles>; 4] = std::array::from_fn(|_| successors.next());
        places.into_iter().flatten().map(|after| (after, 1))
    }

    fn estimate(&self, board: Nibbles) -> u32 {
        Heuristic::<TileSpace<Nibbles>>::start(&self.manhattan, &board)
    }

    fn peer_bfs<I: IntoIterator<Item = (Nibbles, u32)>>(&self, successors: impl Fn(&Nibbles) -> I) -> usize {
        let successors = |board: &Nibbles| successors(board).into_iter().map(|(after, _)| after);
        peer::bfs(&self.start, successors, |board| self.space.is_goal(board)).expect("it can be solved").len() - 1
    }

    fn peer_astar<I: IntoIterator<Item = (Nibbles, u32)>>(&self, successors: impl Fn(&Nibbles) -> I) -> usize {
        let goal = |board: &Nibbles| self.space.is_goal(board);
        peer::astar(&self.start, successors, |board| self.estimate(*board), goal).expect("it can be solved").0.len() - 1
    }

    fn peer_ida<I: IntoIterator<Item = (Nibbles, u32)>>(&self, successors: impl Fn(&Nibbles) -> I) -> usize {
        let goal = |board: &Nibbles| self.space.is_goal(board);
        peer::idastar(&self.start, successors, |board| self.estimate(*board), goal).expect("it can be solved").0.len()
            - 1
    }
}

/// Runs the three in turns and prints the medians; all must find a path of the known length.
fn report(work: &str, rounds: usize, runs: [&dyn Fn() -> usize; 3], length: usize) {
    let mut times = [const { Vec::new() }; 3];
    for _ in 0..rounds {
        for (times, run) in times.iter_mut().zip(runs) {
            // The first run of each is not timed: it warms up the heap and the caches.
            for warm in [false, true, true] {
                let started = Instant::now();
                assert_eq!(black_box(run()), length, "{work}");
                if warm {
                    times.push(started.elapsed().as_secs_f64());
                }
            }
        }
    }
    let [ours, listed, laid_out] = times.map(median);
    println!(
        "| {work} | {:.2} ms | {:.2} ms | {:.1} | {:.2} ms | {:.1} |",
        ours * 1e3,
        listed * 1e3,
        listed / ours,
        laid_out * 1e3,
        laid_out / ours,
    );
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Prints the bytes per state at the end of a large breadth-first search, by the algorithm's count and by the kernel's.
fn memory() {
    const NODES: u64 = 20_000_000;
    let case = Case::new("15 14 8 12 10 11 9 13 2 6 5 1 3 7 4 0", NamedGoal::Standard);
    let before = resident("VmRSS:");
    let control = Control::new(Limits::none().nodes(NODES));
    let report = bfs(&case.space, &case.start, &control);
    let peak = resident("VmHWM:");
    let states = report.counters.peak_states as f64;
    let packed = size_of::<Nibbles>() + size_of::<u32>();
    let accounted = report.counters.peak_bytes as f64 / states;
    let seen = (peak - before) as f64 / states;
    println!(
        "\nBFS over {states} states: {accounted:.1} bytes a state accounted, {seen:.1} resident; state and parent are {packed}"
    );
}

/// Bytes resident, now or at most, where the kernel tells.
fn resident(which: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(which));
    line.and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0) * 1024
}

//! How fast boards are solved on a GPU. Every solution is replayed, and its length compared with the recorded one.
//!
//!     cargo xtask bench gpu [large] [huge] [korf24=FROM-TO] [only=1,2,3] [tiling=6,6,6,6x8] [wrap] [many=COUNT] [seconds=N]

use std::{
    ops::ControlFlow,
    time::{Duration, Instant},
};

use pintu_gpu::{DeviceTables, Gpu, Report, Searcher, Tiling, first_gpu};
use pintu_search::{Control, Limits};
use pintu_solver::{
    Options,
    tables::{Extent, Key, SharedRows, Table, Tables, normal_form},
};
use pintu_testing::boards::{Instance, korf24, wrap24};
use pintu_tiles::{Arrangement, NamedGoal, Puzzle, Size, Topology};

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let wants = |name: &str| wanted.is_empty() || wanted.iter().any(|other| other == name);
    let value = |name: &str| wanted.iter().find_map(|arg| arg.strip_prefix(name)?.strip_prefix('='));
    let gpu = match first_gpu() {
        Ok(gpu) => gpu,
        Err(error) => {
            println!("nothing to measure: {error}");
            return;
        }
    };
    let info = gpu.info().expect("it is there");
    println!(
        "{}: {} processors, {:.1} of {:.1} GB free",
        info.name,
        info.processors,
        info.free_bytes as f64 / 1e9,
        info.total_bytes as f64 / 1e9
    );
    let most = Duration::from_secs(value("seconds").and_then(|text| text.parse().ok()).unwrap_or(300));
    let (from, to) = value("korf24")
        .and_then(|text| text.split_once('-'))
        .map_or((1, 50), |(from, to)| (from.parse().unwrap_or(1), to.parse().unwrap_or(50)));
    if wants("large") || wants("huge") {
        let mut boards = korf24();
        let only: Vec<&str> = value("only").map(|text| text.split(',').collect()).unwrap_or_default();
        boards.retain(|board| only.is_empty() || only.contains(&&*board.name));
        let boards = if only.is_empty() { &boards[from - 1..to] } else { &boards[..] };
        let topology = boards[0].puzzle.topology();
        let custom = value("tiling").map(|text| Tiling { more: text.split('+').map(recipe).collect() });
        for (name, tiling) in
            [("large", Tiling::usual(topology)), ("huge", Tiling::largest(topology, info.total_bytes))]
        {
            if wants(name) {
                let tiling = custom.as_ref().filter(|_| name == "large").unwrap_or(&tiling);
                let (mut searcher, cpu) = prepare(&gpu, &boards[0].puzzle, tiling);
                group(&format!("24-puzzle, {name} tables"), boards, &mut searcher, &cpu, most);
            }
        }
    }
    if wants("wrap") {
        let boards = wrap24();
        let (mut searcher, cpu) = prepare(&gpu, &boards[0].puzzle, &Tiling::usual(boards[0].puzzle.topology()));
        group("24-puzzle whose middle row and column wrap", &boards, &mut searcher, &cpu, most);
    }
    if let Some(count) = value("many").or(wanted.is_empty().then_some("10000")) {
        many(&gpu, count.parse().unwrap_or(10_000));
    }
}

/// Partitions of some sizes and how many, as in 7,7,7,3x4.
fn recipe(text: &str) -> (Vec<usize>, usize) {
    let (sizes, count) = text.split_once('x').unwrap_or((text, "1"));
    (sizes.split(',').filter_map(|size| size.parse().ok()).collect(), count.parse().unwrap_or(1))
}

/// The tables on the device, and small ones here, by which frontiers grow.
fn prepare(gpu: &Gpu, puzzle: &Puzzle, tiling: &Tiling) -> (Searcher, Tables) {
    let (topology, blank) = normal_form(puzzle);
    let began = Instant::now();
    let built = DeviceTables::build(gpu, topology, blank, tiling, &Control::unlimited());
    let ControlFlow::Continue(tables) = built.expect("the device builds") else { unreachable!("nothing ends it") };
    let took = began.elapsed().as_secs_f64();
    println!("tables of {topology}: {:.2} GB built in {took:.2} s", tables.bytes() as f64 / 1e9);
    let rows = SharedRows::new();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let began = Instant::now();
    let table = |pattern| {
        Table::build(&pattern, &rows, threads, &Control::unlimited(), &mut |_| ()).continue_value().expect("no limits")
    };
    let patterns = Key::of(puzzle, Extent::Small).patterns().expect("a small board");
    let cpu = Tables::new(patterns.into_iter().map(table).collect()).expect("a partition");
    println!("small tables on the CPU in {:.2} s", began.elapsed().as_secs_f64());
    let searcher = Searcher::new(tables).expect("there is room");
    (searcher, cpu)
}

fn group(title: &str, boards: &[Instance], searcher: &mut Searcher, cpu: &Tables, most: Duration) {
    println!("\n{title}\n| board | moves | states | seconds | states a second | longest round | its states a second |");
    println!("| --- | ---: | ---: | ---: | ---: | ---: | ---: |");
    let (mut seconds, mut slowest, mut proved, mut states) = (0.0, 0.0_f64, 0, 0);
    for board in boards {
        let (name, puzzle, length) = (&board.name, &board.puzzle, board.recorded());
        let control = Control::new(Limits { time: Some(most), ..Limits::default() });
        let mut reports: Vec<Report> = Vec::new();
        let options = Options { threads: 1, known: None };
        let found = searcher.deepen(puzzle, cpu, &control, &options, &mut |report| reports.push(*report));
        let found = match found {
            Ok(found) => found,
            Err(error) => {
                println!("| {name} | {error} |");
                return;
            }
        };
        let took = control.elapsed().as_secs_f64();
        let moves = found.moves.as_ref().map(|moves| {
            assert!(puzzle.is_solved_by(moves), "{name}: the solution does not solve it");
            assert_eq!((moves.len(), found.lower_bound as usize), (length, length), "{name}: the length is wrong");
            moves.len()
        });
        let long = reports.iter().filter(|report| !report.is_trial).max_by_key(|report| report.expanded);
        let (longest, rate) = long.map_or((0, 0.0), |long| (long.expanded, long.expanded as f64 / long.seconds));
        let expanded = control.counters().expanded;
        let said = moves.map_or_else(|| format!("≥ {}", found.lower_bound), |moves| moves.to_string());
        println!(
            "| {name} | {said} | {expanded} | {took:.2} | {:.2e} | {longest} | {rate:.2e} |",
            expanded as f64 / took
        );
        if std::env::var_os("ROUNDS").is_some() {
            for report in &reports {
                println!("    {report:?}");
            }
        }
        (seconds, slowest, states) = (seconds + took, slowest.max(took), states + expanded);
        proved += usize::from(moves.is_some());
    }
    println!(
        "{proved} of {} proved, mean {:.2} s, slowest {slowest:.2} s, {:.2e} states a second",
        boards.len(),
        seconds / boards.len() as f64,
        states as f64 / seconds
    );
}

fn many(gpu: &Gpu, count: usize) {
    let size = Size::new(4, 4).expect("a small board");
    let puzzles: Vec<Puzzle> = (0..count as u64).map(|seed| random15(size, seed)).collect();
    let (mut searcher, cpu) = prepare(gpu, &puzzles[0], &Tiling::LARGE);
    for _ in 0..2 {
        let control = Control::unlimited();
        let (solved, _) = searcher.solve_many(&puzzles, &control).expect("the device goes on");
        let took = control.elapsed().as_secs_f64();
        let moves: usize = solved.iter().map(|solved| solved.moves.as_ref().expect("no limits").len()).sum();
        println!(
            "{count} random 15-puzzles: {took:.2} s, {} states, {:.2} moves in the mean",
            control.counters().expanded,
            moves as f64 / count as f64
        );
        // Some of them again, on the CPU.
        for (puzzle, solved) in puzzles.iter().zip(&solved).step_by(count.div_ceil(50)) {
            let options = Options { threads: 1, known: None };
            let expected = pintu_solver::deepen(puzzle, &cpu, &Control::unlimited(), &options);
            assert_eq!(expected.lower_bound, solved.lower_bound, "the CPU says otherwise");
        }
    }
}

/// A random solvable board.
fn random15(size: Size, seed: u64) -> Puzzle {
    let goal = NamedGoal::BlankFirst.on(size);
    let mut random = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut next = move |below: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) as usize % below
    };
    let mut tiles: Vec<u32> = (0..16).collect();
    for at in (1..16).rev() {
        tiles.swap(at, next(at + 1));
    }
    let puzzle = |tiles: &[u32]| {
        let start = Arrangement::new(size, tiles).expect("each number once");
        Puzzle::new(Topology::plain(size), start, goal.clone()).expect("of one size")
    };
    let made = puzzle(&tiles);
    if made.solvable().is_ok() {
        return made;
    }
    // Two tiles exchanged make the other half of the boards.
    let two: Vec<usize> = (0..16).filter(|&cell| tiles[cell] != 0).take(2).collect();
    tiles.swap(two[0], two[1]);
    puzzle(&tiles)
}

//! How fast boards are solved on a GPU, and whether it keeps its word there: every solution is replayed, its length compared
//! with the recorded one or the CPU's.
//!
//!     cargo xtask bench gpu [large] [huge] [random=COUNT] [wrap] [blanks] [many=COUNT] [faults]

mod faults;
mod large;

use std::{
    fmt::Display,
    time::{Duration, Instant},
};

use pintu_gpu::{Batched, DeviceTables, Event, Gpu, RoundReport, Searcher, Tiling, first_gpu};
use pintu_search::{Control, Limits};
use pintu_solver::{
    Solved, Tables,
    internals::{Options, deepen},
    store::{Extent, Key},
};
use pintu_testing::boards::{Instance, korf24, wrap24};
use pintu_tiles::{NamedGoal, Puzzle, Scrambler, Size, Topology, goal_with_blank};

/// The time limit of a board.
const MAX_TIME: Duration = Duration::from_mins(5);

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    // How many boards a group is to have, if it is asked for; without arguments all are.
    let count = |name: &str, usual: usize| {
        let named = args.iter().find_map(|arg| arg.strip_prefix(name));
        let given = named.map(|rest| rest.strip_prefix('=').and_then(|text| text.parse().ok()).unwrap_or(usual));
        given.or(args.is_empty().then_some(usual))
    };
    let wants = |name: &str| count(name, 0).is_some();
    let gpu = match first_gpu() {
        Ok(gpu) => gpu,
        Err(error) => {
            println!("nothing to measure: {error}");
            return;
        }
    };
    let info = gpu.info().expect("it is there");
    let gigabytes = |bytes: u64| bytes as f64 / 1e9;
    let (free, total) = (gigabytes(info.free_bytes), gigabytes(info.total_bytes));
    println!("{}: {} processors, {free:.1} of {total:.1} GB free", info.name, info.processors);
    if let Some(at) = args.iter().position(|arg| arg == "steps") {
        return large::run(&gpu, &args[at + 1], &args[at + 2..]);
    }
    let topology = Topology::plain(Size::new(5, 5).expect("a size"));
    let usual = Tiling::usual(topology);
    for (name, tiling) in [("large", usual), ("huge", Tiling::largest(topology, info.total_bytes))] {
        if wants(name) {
            measure(&gpu, format!("24-puzzle, {name} tables"), &korf24(), tiling);
        }
    }
    if let Some(count) = count("random", 20) {
        measure(&gpu, "random 24-puzzles", &random24(topology, count), usual);
    }
    if wants("wrap") {
        let boards = wrap24();
        let tiling = Tiling::usual(boards[0].puzzle.topology());
        measure(&gpu, "24-puzzle whose middle row and column wrap", &boards, tiling);
    }
    if wants("blanks") {
        blanks(&gpu);
    }
    if let Some(count) = count("many", 10_000) {
        many(&gpu, count);
    }
    if wants("faults") {
        faults::faults(&gpu);
    }
}

/// Boards that nothing was tuned on.
fn random24(topology: Topology, count: usize) -> Vec<Instance> {
    let goal = NamedGoal::BlankFirst.on(topology.size());
    let mut scrambler = Scrambler::new(topology, goal.clone(), 2026);
    let board = |name: usize| Instance {
        name: name.to_string(),
        puzzle: Puzzle::new(topology, scrambler.uniform(), goal.clone()).expect("of one size"),
        length: None,
    };
    (1..=count).map(board).collect()
}

/// Boards whose blank belongs elsewhere, some with wraps, near enough to the goal for the CPU, too.
fn blanks(gpu: &Gpu) {
    let size = Size::new(5, 5).expect("a size");
    let wrapped = Topology::wrapped(size, [1], [0, 3]).expect("a board");
    let plain = Topology::plain(size);
    for (topology, blank, steps) in [(plain, 7, 120), (plain, 12, 120), (plain, 24, 120), (wrapped, 8, 50)] {
        let goal = goal_with_blank(size, blank).unwrap();
        let board = |seed: u64| {
            let start = Scrambler::new(topology, goal.clone(), seed).walk(steps);
            Puzzle::new(topology, start, goal.clone()).expect("of one size")
        };
        let cpu = small_tables(&board(1));
        let options = Options { threads: threads(), known: None };
        let length = |puzzle: &Puzzle| deepen(puzzle, &cpu, &Control::unlimited(), &options).known.bound() as usize;
        let instance = |seed: u64| {
            let puzzle = board(seed);
            Instance { name: seed.to_string(), length: Some(length(&puzzle)), puzzle }
        };
        let boards: Vec<Instance> = (1..=5).map(instance).collect();
        let title = format!("{topology}, blank in cell {blank} of the goal, lengths by the CPU");
        measure(gpu, &title, &boards, Tiling::usual(topology));
    }
}

/// Solves boards of one kind and prints a row for each, and what they come to.
fn measure(gpu: &Gpu, title: impl Display, boards: &[Instance], tiling: Tiling) {
    let cpu = small_tables(&boards[0].puzzle);
    let mut searcher = searcher(gpu, &boards[0].puzzle, tiling);
    searcher.bring_tables_back(&Control::unlimited()).expect("the device gives them");
    let options = Options { threads: threads(), known: None };
    println!("\n{title}, {} threads", options.threads);
    println!("| board | moves | states | seconds | states a second | longest round | its states a second |");
    println!("| --- | ---: | ---: | ---: | ---: | ---: | ---: |");
    let mut all: Vec<(f64, u64)> = Vec::new();
    let mut proved = 0;
    for board in boards {
        let control = Control::new(Limits::none().time(MAX_TIME));
        let mut longest: Option<RoundReport> = None;
        let mut watch = |event: Event<'_>| {
            if let Event::Round(report) = event
                && !report.is_trial
                && longest.is_none_or(|longest| longest.expanded <= report.expanded)
            {
                longest = Some(report);
            }
        };
        let found = searcher.deepen(&board.puzzle, &cpu, &control, &options, &mut watch).expect("the device goes on");
        let took = control.elapsed().as_secs_f64();
        check(board, &found);
        let (is_proved, bound) = (found.known.is_proved(), found.known.bound());
        let expanded = control.counters().expanded;
        let said = if is_proved { bound.to_string() } else { format!("≥ {bound}") };
        let (longest, rate) = longest.map_or((0, 0.0), |long| (long.expanded, long.expanded as f64 / long.seconds));
        let each = expanded as f64 / took;
        println!("| {} | {said} | {expanded} | {took:.2} | {each:.2e} | {longest} | {rate:.2e} |", board.name);
        all.push((took, expanded));
        proved += usize::from(is_proved);
    }
    sum_up(all, proved);
}

fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Panics if what was found is not true.
fn check(board: &Instance, found: &Solved) {
    let name = &board.name;
    let length = found.known.moves().map(|moves| {
        assert!(board.puzzle.is_solved_by(moves), "{name}: the solution does not solve it");
        moves.len()
    });
    if let Some(recorded) = board.length {
        assert!(found.known.bound() as usize <= recorded, "{name}: the bound is wrong");
        assert!(found.stopped.is_some() || length == Some(recorded), "{name}: the length is wrong");
    }
}

fn sum_up(mut all: Vec<(f64, u64)>, proved: usize) {
    let count = all.len();
    let (seconds, states) = all.iter().fold((0.0, 0), |(time, states), one| (time + one.0, states + one.1));
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    println!(
        "{proved} of {count} proved, mean {:.2} s, median {:.2} s, slowest {:.2} s, {states:.2e} states, {:.2e} a second",
        seconds / count as f64,
        all[count / 2].0,
        all[count - 1].0,
        states as f64 / seconds
    );
}

/// The tables on the device.
fn searcher(gpu: &Gpu, puzzle: &Puzzle, tiling: Tiling) -> Searcher {
    let Key { topology, blank, .. } = Key::of(puzzle, Extent::Large);
    let began = Instant::now();
    let built = DeviceTables::build(gpu, topology, blank, tiling, &Control::unlimited());
    let tables = built.expect("the device builds");
    let took = began.elapsed().as_secs_f64();
    println!("tables of {topology}: {:.2} GB built in {took:.2} s", tables.bytes() as f64 / 1e9);
    Searcher::new(tables).expect("there is room")
}

/// Small tables here, by which frontiers grow.
fn small_tables(puzzle: &Puzzle) -> Tables {
    Tables::build(Key::of(puzzle, Extent::Small), threads(), &Control::unlimited()).expect("nothing stops it")
}

/// Many 15-puzzles at once.
fn many(gpu: &Gpu, count: usize) {
    let topology = Topology::plain(Size::new(4, 4).expect("a size"));
    let goal = NamedGoal::BlankFirst.on(topology.size());
    let mut scrambler = Scrambler::new(topology, goal.clone(), 2026);
    let board = |_| Puzzle::new(topology, scrambler.uniform(), goal.clone()).expect("of one size");
    let puzzles: Vec<Puzzle> = (0..count).map(board).collect();
    let cpu = small_tables(&puzzles[0]);
    let mut searcher = searcher(gpu, &puzzles[0], Tiling::LARGE);
    println!();
    for _ in 0..2 {
        let control = Control::unlimited();
        let (solved, _) = searcher.solve_many(&puzzles, &control, &mut |_, _| ()).expect("the device goes on");
        let took = control.elapsed().as_secs_f64();
        let moves: usize = solved.iter().map(|solved| solved.known.moves().expect("no limits").len()).sum();
        let counters = control.counters();
        println!(
            "{count} random 15-puzzles: {took:.2} s, {} states, {:.2} moves in the mean",
            counters.expanded,
            moves as f64 / count as f64
        );
        let sum = |of: fn(&Batched) -> u64| solved.iter().map(of).sum::<u64>();
        assert_eq!(sum(|solved| solved.expanded), counters.expanded, "boards count for themselves");
        assert_eq!(sum(|solved| solved.generated), counters.generated, "boards count for themselves");
        let wrong = solved.iter().zip(&puzzles).find(|(solved, puzzle)| {
            let moves = solved.known.moves().expect("no limits");
            !puzzle.is_solved_by(moves) || !solved.known.is_proved()
        });
        assert!(wrong.is_none(), "a solution does not hold");
        // Some of them again, on the CPU.
        for (puzzle, solved) in puzzles.iter().zip(&solved).step_by(count.div_ceil(200)) {
            let options = Options { threads: 1, known: None };
            let expected = deepen(puzzle, &cpu, &Control::unlimited(), &options);
            assert_eq!(expected.known.bound(), solved.known.bound(), "the CPU says otherwise");
        }
    }
}

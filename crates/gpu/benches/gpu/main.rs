//! How fast boards are solved on a GPU, and whether it keeps its word there: every solution is replayed, its length compared
//! with the recorded one or the CPU's.
//!
//!     cargo xtask bench gpu [large] [huge] [random=COUNT] [wrap] [blanks] [many=COUNT] [faults]
//!         [korf24=FROM-TO] [only=1,2,3] [tiling=6,6,6,6x8] [beams=off|small|large] [gigabytes=N] [threads=N] [seconds=N]

mod faults;
mod many;
mod rows;

use std::{
    fmt::Display,
    ops::ControlFlow,
    time::{Duration, Instant},
};

use pintu_gpu::{Beams, DeviceTables, Gpu, Searcher, Tiling, first_gpu};
use pintu_search::Control;
use pintu_solver::{
    Options, deepen,
    tables::{Extent, Key, SharedRows, Table, Tables, normal_form},
};
use pintu_testing::boards::{Instance, korf24, wrap24};
use pintu_tiles::{NamedGoal, Puzzle, Scrambler, Size, Topology, goal_with_blank};

/// What is asked for.
struct Wishes(Vec<String>);

impl Wishes {
    /// Whether a group is to be measured: all of them, if none is named.
    fn wants(&self, name: &str) -> bool {
        self.is_all() || self.0.iter().any(|other| other == name || self.value(name).is_some())
    }

    fn is_all(&self) -> bool {
        self.0.is_empty()
    }

    fn value(&self, name: &str) -> Option<&str> {
        self.0.iter().find_map(|arg| arg.strip_prefix(name)?.strip_prefix('='))
    }

    fn number(&self, name: &str, usual: usize) -> usize {
        self.value(name).and_then(|text| text.parse().ok()).unwrap_or(usual)
    }

    /// Those of some boards that are named, or all.
    fn those_named(&self, mut boards: Vec<Instance>) -> Vec<Instance> {
        if let Some(names) = self.value("only") {
            boards.retain(|board| names.split(',').any(|name| name == board.name));
        }
        boards
    }

    fn threads(&self) -> usize {
        self.number("threads", std::thread::available_parallelism().map_or(1, usize::from))
    }

    fn most(&self) -> Duration {
        Duration::from_secs(self.number("seconds", 300) as u64)
    }
}

fn main() {
    let wishes = Wishes(std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect());
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
    let topology = Topology::plain(Size::new(5, 5).expect("a size"));
    let usual = wishes.value("tiling").map(|text| Tiling { more: text.split('+').map(recipe).collect() });
    let usual = usual.unwrap_or_else(|| Tiling::usual(topology));
    let largest = Tiling::largest(topology, info.total_bytes);
    for (name, tiling) in [("large", &usual), ("huge", &largest)] {
        if wishes.wants(name) {
            measure(&gpu, &wishes, format!("24-puzzle, {name} tables"), &chosen(&wishes), tiling);
        }
    }
    if wishes.wants("random") {
        let boards = wishes.those_named(random24(topology, wishes.number("random", 20)));
        measure(&gpu, &wishes, "random 24-puzzles", &boards, &usual);
    }
    if wishes.wants("wrap") {
        let boards = wrap24();
        let tiling = Tiling::usual(boards[0].puzzle.topology());
        measure(&gpu, &wishes, "24-puzzle whose middle row and column wrap", &boards, &tiling);
    }
    if wishes.wants("blanks") {
        blanks(&gpu, &wishes);
    }
    if wishes.wants("many") {
        many::many(&gpu, wishes.number("many", 10_000));
    }
    if wishes.wants("faults") {
        faults::faults(&gpu);
    }
}

/// Partitions of some sizes and how many, as in 7,7,7,3x4.
fn recipe(text: &str) -> (Vec<usize>, usize) {
    let (sizes, count) = text.split_once('x').unwrap_or((text, "1"));
    (sizes.split(',').filter_map(|size| size.parse().ok()).collect(), count.parse().unwrap_or(1))
}

/// Those of Korf & Felner's fifty that are asked for.
fn chosen(wishes: &Wishes) -> Vec<Instance> {
    let range = wishes.value("korf24").and_then(|text| text.split_once('-'));
    let (from, to) = range.map_or((1, 50), |(from, to)| (from.parse().unwrap_or(1), to.parse::<usize>().unwrap_or(50)));
    let mut boards = korf24();
    boards.truncate(to);
    boards.drain(..from - 1);
    wishes.those_named(boards)
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
fn blanks(gpu: &Gpu, wishes: &Wishes) {
    let size = Size::new(5, 5).expect("a size");
    let wrapped = Topology::wrapped(size, [1], [0, 3]).expect("a board");
    let plain = Topology::plain(size);
    for (topology, blank, steps) in [(plain, 7, 120), (plain, 12, 120), (plain, 24, 120), (wrapped, 8, 50)] {
        let goal = goal_with_blank(size, blank);
        let board = |seed: u64| {
            let start = Scrambler::new(topology, goal.clone(), seed).walk(steps);
            Puzzle::new(topology, start, goal.clone()).expect("of one size")
        };
        let puzzles: Vec<Puzzle> = (1..=5).map(board).collect();
        let cpu = small_tables(&puzzles[0]);
        let options = Options { threads: wishes.threads(), known: None };
        let length = |puzzle: &Puzzle| deepen(puzzle, &cpu, &Control::unlimited(), &options).lower_bound as usize;
        let boards: Vec<Instance> = (1..)
            .zip(puzzles)
            .map(|(name, puzzle): (usize, Puzzle)| Instance {
                name: name.to_string(),
                length: Some(length(&puzzle)),
                puzzle,
            })
            .collect();
        let title = format!("{topology}, blank in cell {blank} of the goal, lengths by the CPU");
        measure(gpu, wishes, &title, &boards, &Tiling::usual(topology));
    }
}

/// Solves boards of one kind, and says how long that takes.
fn measure(gpu: &Gpu, wishes: &Wishes, title: impl Display, boards: &[Instance], tiling: &Tiling) {
    let Some(first) = boards.first() else { return };
    let cpu = small_tables(&first.puzzle);
    let searcher = searcher(gpu, &first.puzzle, tiling);
    let mut threads = wishes.threads();
    let beams = Beams { most_bytes: (wishes.number("gigabytes", 16) as u64) << 30, ..Beams::default() };
    let mut searcher = searcher.with_beams(beams);
    match wishes.value("beams") {
        Some("off") => threads = 1,
        Some("small") => {}
        _ => searcher.bring_tables_back(&Control::unlimited()).expect("the device gives them"),
    }
    rows::group(title, boards, &mut searcher, &cpu, wishes.most(), threads);
}

/// The tables on the device.
fn searcher(gpu: &Gpu, puzzle: &Puzzle, tiling: &Tiling) -> Searcher {
    let (topology, blank) = normal_form(puzzle);
    let began = Instant::now();
    let built = DeviceTables::build(gpu, topology, blank, tiling, &Control::unlimited());
    let ControlFlow::Continue(tables) = built.expect("the device builds") else { unreachable!("nothing ends it") };
    let took = began.elapsed().as_secs_f64();
    println!("tables of {topology}: {:.2} GB built in {took:.2} s", tables.bytes() as f64 / 1e9);
    Searcher::new(tables).expect("there is room")
}

/// Small tables here, by which frontiers grow.
fn small_tables(puzzle: &Puzzle) -> Tables {
    let rows = SharedRows::new();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let table = |pattern| {
        Table::build(&pattern, &rows, threads, &Control::unlimited(), &mut |_| ()).continue_value().expect("no limits")
    };
    let patterns = Key::of(puzzle, Extent::Small).patterns().expect("a small board");
    Tables::new(patterns.into_iter().map(table).collect()).expect("a partition")
}

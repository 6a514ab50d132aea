//! How good the solutions are that a second or two buys: Korf and Felner's fifty 24-puzzles against
//! their optimal lengths, and random larger boards against their Manhattan distance.
//!
//! `cargo bench -p pintu-solver --bench anytime -- [korf] [korf-small] [korf-large] [6] [8] [10] [16] [--threads N]
//! [--count N] [--seconds S]`

use std::time::{Duration, Instant};

use pintu_search::{Control, Limits};
use pintu_solver::{
    Anytime, Options as Search, anytime, improve,
    tables::{Extent, SharedRows, Table, Tables, normal_form, patterns},
};
use pintu_testing::boards::korf24;
use pintu_tiles::{NamedGoal, Puzzle, Scrambler, Size, Topology};

fn main() {
    let options = Options::read();
    println!(
        "| boards | seconds each | threads | mean length | measured against | ratio | to reach | beyond | latest answer |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    if options.wants("korf") {
        let seconds = options.seconds.unwrap_or(1.0);
        let runs = korf()
            .take(options.count.unwrap_or(50))
            .map(|(puzzle, optimal)| Run::of(&puzzle, optimal, seconds, &options));
        print("Korf & Felner's 50", "optimal", seconds, &options, &runs.collect::<Vec<_>>(), "1.10 | 1.03");
    }
    for (row, name, extent) in [
        ("korf-small", "Korf & Felner's 50, small tables at hand", Extent::Small),
        ("korf-large", "Korf & Felner's 50, large tables at hand", Extent::Large),
    ] {
        if options.wants(row) {
            let seconds = options.seconds.unwrap_or(1.0);
            let boards: Vec<_> = korf().take(options.count.unwrap_or(50)).collect();
            let tables = tables(&boards[0].0, extent);
            let run =
                |(puzzle, optimal): &(Puzzle, usize)| Run::on_tables(puzzle, &tables, *optimal, seconds, &options);
            let runs: Vec<Run> = boards.iter().map(run).collect();
            print(name, "optimal", seconds, &options, &runs, "1.10 | 1.03");
        }
    }
    for (side, targets) in [(6, "1.55 | 1.35"), (8, "1.75 | 1.45"), (10, "1.95 | 1.5"), (16, "– | –")] {
        if options.wants(&side.to_string()) {
            let seconds = options.seconds.unwrap_or(2.0);
            let runs = random(side).take(options.count.unwrap_or(20)).map(|puzzle| {
                let distance = manhattan(&puzzle);
                Run::of(&puzzle, distance, seconds, &options)
            });
            print(&format!("random {side}×{side}"), "Manhattan", seconds, &options, &runs.collect::<Vec<_>>(), targets);
        }
    }
}

struct Options {
    rows: Vec<String>,
    threads: usize,
    count: Option<usize>,
    seconds: Option<f64>,
    nodes: Option<u64>,
}

impl Options {
    fn read() -> Self {
        let mut options = Self { rows: Vec::new(), threads: 1, count: None, seconds: None, nodes: None };
        // Cargo passes `--bench` to every benchmark.
        let mut words = std::env::args().skip(1).filter(|word| word != "--bench");
        while let Some(word) = words.next() {
            let mut number = || words.next().and_then(|value| value.parse::<f64>().ok());
            match word.as_str() {
                "--threads" => options.threads = number().map_or(1, |value| value as usize),
                "--count" => options.count = number().map(|value| value as usize),
                "--nodes" => options.nodes = number().map(|value| value as u64),
                "--seconds" => options.seconds = number(),
                _ => options.rows.push(word),
            }
        }
        options
    }

    /// So many seconds, or so many states if that is what is asked for.
    fn limits(&self, seconds: f64) -> Limits {
        let time = self.nodes.is_none().then(|| Duration::from_secs_f64(seconds));
        Limits { time, nodes: self.nodes, ..Limits::default() }
    }

    fn wants(&self, row: &str) -> bool {
        self.rows.iter().any(|wanted| wanted == row) || (self.rows.is_empty() && row != "16")
    }
}

struct Run {
    length: usize,
    yardstick: usize,
    time: Duration,
}

impl Run {
    /// Beams on tables.
    fn on_tables(puzzle: &Puzzle, tables: &Tables, yardstick: usize, seconds: f64, options: &Options) -> Self {
        let started = Instant::now();
        let control = Control::new(options.limits(seconds));
        let improved = improve(puzzle, tables, &control, &Search { threads: options.threads, known: None });
        let time = started.elapsed();
        let moves = improved.moves.expect("a beam gets there");
        assert!(puzzle.is_solved_by(&moves), "an invalid solution");
        assert!(improved.lower_bound as usize <= yardstick && yardstick <= moves.len(), "shorter than optimal");
        Self { length: moves.len(), yardstick, time }
    }

    fn of(puzzle: &Puzzle, yardstick: usize, seconds: f64, options: &Options) -> Self {
        let began = Instant::now();
        let control = Control::new(options.limits(seconds));
        let Anytime { moves, lower_bound, .. } =
            anytime(puzzle, &control, options.threads, &mut |_, _| {}).expect("the boards are solvable");
        let time = began.elapsed();
        assert!(puzzle.is_solved_by(&moves), "an invalid solution");
        assert!(lower_bound as usize <= moves.len(), "a bound above a solution");
        Self { length: moves.len(), yardstick, time }
    }
}

fn print(name: &str, against: &str, seconds: f64, options: &Options, runs: &[Run], targets: &str) {
    let mean = |value: fn(&Run) -> usize| runs.iter().map(value).sum::<usize>() as f64 / runs.len() as f64;
    let (length, yardstick) = (mean(|run| run.length), mean(|run| run.yardstick));
    let latest = runs.iter().map(|run| run.time).max().unwrap_or_default();
    println!(
        "| {name} | {seconds} | {} | {length:.1} | {against} {yardstick:.1} | {:.3} | {targets} | {:.3} s |",
        options.threads,
        length / yardstick,
        latest.as_secs_f64()
    );
}

/// The fifty boards and their optimal lengths.
fn korf() -> impl Iterator<Item = (Puzzle, usize)> {
    korf24().into_iter().map(|board| (board.puzzle.clone(), board.recorded()))
}

fn tables(puzzle: &Puzzle, extent: Extent) -> Tables {
    let (topology, blank) = normal_form(puzzle);
    let rows = SharedRows::new();
    let patterns = patterns(topology, blank, extent).expect("the board has tables");
    let table = |pattern| {
        Table::build(pattern, &rows, 2, &Control::unlimited(), &mut |_| ()).continue_value().expect("nothing ends it")
    };
    Tables::new(patterns.iter().map(table).collect()).expect("partitions")
}

/// Random boards, the same for ever.
fn random(length: usize) -> impl Iterator<Item = Puzzle> {
    let size = Size::new(length, length).expect("a size");
    let goal = NamedGoal::Standard.on(size);
    let mut scrambler = Scrambler::new(Topology::plain(size), goal.clone(), 2024);
    std::iter::repeat_with(move || scrambler.uniform())
        .map(move |start| Puzzle::new(Topology::plain(size), start, goal.clone()).expect("one size"))
}

fn manhattan(puzzle: &Puzzle) -> usize {
    let distances = puzzle.topology().distances();
    let tiles = puzzle.start().tiles().iter().enumerate().filter(|(_, tile)| **tile != 0);
    tiles.map(|(cell, &tile)| distances.between(cell, puzzle.goal().cell_of(tile))).sum()
}

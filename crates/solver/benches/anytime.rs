//! Solution lengths after a second or two: Korf and Felner's fifty 24-puzzles against their optimal lengths, and random
//! larger boards against their Manhattan distance.
//!
//! `cargo bench -p pintu-solver --bench anytime -- [korf] [korf-small] [korf-large] [6] [8] [10] [16] [--threads N]
//! [--count N] [--seconds S]`

use std::time::Duration;

use pintu_search::{Control, Limits};
use pintu_solver::{
    SolveOptions, Tables,
    internals::{Options as Search, improve},
    solve,
    store::{Extent, Key},
};
use pintu_testing::boards::{Instance, korf24};
use pintu_tiles::{NamedGoal, Puzzle, Scrambler, Size, Topology};

fn main() {
    let options = Options::read();
    println!("| boards | seconds each | threads | mean length | measured against | ratio | latest answer |");
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    for (row, name, extent) in [
        ("korf", "Korf & Felner's 50", None),
        ("korf-small", "Korf & Felner's 50, small tables at hand", Some(Extent::Small)),
        ("korf-large", "Korf & Felner's 50, large tables at hand", Some(Extent::Large)),
    ] {
        if options.wants(row) {
            let boards: Vec<_> = korf24().into_iter().take(options.count.unwrap_or(50)).collect();
            let tables = extent.map(|extent| {
                let key = Key::of(&boards[0].puzzle, extent);
                Tables::build(key, 2, &Control::unlimited()).expect("nothing stops it")
            });
            let run = |board: &Instance| options.run(&board.puzzle, tables.as_ref(), board.recorded(), 1.0);
            print(name, "optimal", 1.0, &options, &boards.iter().map(run).collect::<Vec<_>>());
        }
    }
    for side in [6, 8, 10, 16] {
        if options.wants(&side.to_string()) {
            let boards = random(side).take(options.count.unwrap_or(20));
            let runs: Vec<Run> = boards.map(|puzzle| options.run(&puzzle, None, manhattan(&puzzle), 2.0)).collect();
            print(&format!("random {side}×{side}"), "Manhattan", 2.0, &options, &runs);
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

    fn wants(&self, row: &str) -> bool {
        self.rows.iter().any(|wanted| wanted == row) || (self.rows.is_empty() && row != "16")
    }

    /// Solves a board by beams, on tables if there are some, within `--seconds` or `--nodes`.
    fn run(&self, puzzle: &Puzzle, tables: Option<&Tables>, yardstick: usize, seconds: f64) -> Run {
        let seconds = self.seconds.unwrap_or(seconds);
        let time = self.nodes.is_none().then(|| Duration::from_secs_f64(seconds));
        let control = Control::new(Limits::none().time(time).nodes(self.nodes));
        let search = Search { threads: self.threads, known: None };
        let solved = match tables {
            Some(tables) => improve(puzzle, tables, &control, &search),
            None => solve(puzzle, &control, SolveOptions::new().threads(self.threads)).expect("it can be solved"),
        };
        let time = control.elapsed();
        let moves = solved.known.moves().expect("there is always a solution");
        assert!(puzzle.is_solved_by(moves), "an invalid solution");
        assert!(solved.known.bound() as usize <= moves.len(), "shorter than possible");
        Run { length: moves.len(), yardstick, time }
    }
}

struct Run {
    length: usize,
    yardstick: usize,
    time: Duration,
}

fn print(name: &str, against: &str, seconds: f64, options: &Options, runs: &[Run]) {
    let mean = |value: fn(&Run) -> usize| runs.iter().map(value).sum::<usize>() as f64 / runs.len() as f64;
    let (length, yardstick) = (mean(|run| run.length), mean(|run| run.yardstick));
    let latest = runs.iter().map(|run| run.time).max().unwrap_or_default();
    println!(
        "| {name} | {} | {} | {length:.1} | {against} {yardstick:.1} | {:.3} | {:.3} s |",
        options.seconds.unwrap_or(seconds),
        options.threads,
        length / yardstick,
        latest.as_secs_f64()
    );
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

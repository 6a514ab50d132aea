//! How fast boards are solved optimally with pattern tables, and how fast the tables are built.
//!
//! Every length is checked against the recorded one. Times are wall-clock seconds of one thread, and
//! each also stands as a ratio to a yardstick that runs beside it: plain IDA* with Manhattan distance
//! on the second of Korf's instances, 15,300,442 nodes, written by hand for nothing else.
//!
//!     cargo bench -p pintu-solver --bench optimal -- [korf] [korf-large] [hard] [stress] [twenty-four] [wrap] [threads] [shards]

use std::time::{Duration, Instant};

use pintu_search::{Control, Counters, Limits, Stop};
use pintu_solver::{
    BestKnown, Tables,
    internals::{
        Options, SharedRows, Table, deepen, for_each_once,
        shards::{Proof, search_shard},
    },
    store::{Extent, Key},
};
use pintu_testing::boards::{Instance, hard80, korf24, korf100, stress78, wrap24};
use pintu_tiles::{NamedGoal, Puzzle, Scrambler, Size, Topology};

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let wants = |name: &str| wanted.is_empty() || wanted.iter().any(|other| other == name);
    if wants("korf") {
        let tables = build(&korf100()[0].puzzle, Extent::Small);
        group("Korf's 100, small tables", &korf100(), &tables);
    }
    if wants("korf-large") || wants("hard") || wants("stress") {
        let tables = build(&korf100()[0].puzzle, Extent::Large);
        if wants("korf-large") {
            group("Korf's 100, large tables", &korf100(), &tables);
        }
        if wants("hard") {
            group("the 17 boards of 80 moves", &hard80(), &tables);
        }
        if wants("stress") {
            each("hard for 8-7 tables", &stress78(), &tables, 1, 1);
        }
    }
    if wants("twenty-four") || wants("threads") {
        let boards = [40, 38, 44, 25].map(|number| korf24().swap_remove(number - 1));
        let tables = build(&boards[0].puzzle, Extent::Large);
        if wants("twenty-four") {
            each("24-puzzle", &boards, &tables, 1, 5);
        }
        if wants("threads") {
            each("24-puzzle, two threads", &boards, &tables, 2, 5);
        }
    }
    if wants("shards") {
        let boards = [40, 38, 44].map(|number| korf24().swap_remove(number - 1));
        in_shards("Korf and Felner's, large tables", &boards, &build(&boards[0].puzzle, Extent::Large));
        let boards = walks();
        in_shards("24-puzzles after walks, small tables", &boards, &build(&boards[0].puzzle, Extent::Small));
        in_shards("Korf's 100, small tables", &korf100(), &build(&korf100()[0].puzzle, Extent::Small));
    }
    if wants("wrap") {
        let mut boards = wrap24();
        // Boards without a known solution come last.
        boards.sort_by_key(|board| board.length.is_none());
        let tables = build(&boards[0].puzzle, Extent::Large);
        each("24-puzzle whose middle row and column wrap", &boards, &tables, 1, 1);
    }
}

/// The time that the yardstick takes now, in seconds: the best of three.
fn yardstick() -> f64 {
    let puzzle = korf100().swap_remove(1).puzzle;
    let run = |_| {
        let started = Instant::now();
        let plain = PlainIda::solve(puzzle.start().tiles());
        assert_eq!((plain.length, plain.generated), (55, 15_300_442));
        started.elapsed().as_secs_f64()
    };
    (0..3).map(run).fold(f64::MAX, f64::min)
}

fn group(title: &str, instances: &[Instance], tables: &Tables) {
    let yard = yardstick();
    let mut sum = Counters::default();
    let (mut seconds, mut longest) = (0.0, 0.0_f64);
    for instance in instances {
        let (counters, time) = solve(instance, tables, 1);
        sum.expanded += counters.expanded;
        sum.generated += counters.generated;
        seconds += time;
        longest = longest.max(time);
    }
    let yard = f64::midpoint(yard, yardstick());
    let count = instances.len() as f64;
    println!("{title}: {} boards, every length right; yardstick {yard:.3} s", instances.len());
    println!("  mean generated {:>12.0}", sum.generated as f64 / count);
    println!("  mean expanded  {:>12.0}", sum.expanded as f64 / count);
    println!("  mean time      {:>9.3} ms, {:.4} yardsticks", seconds / count * 1e3, seconds / count / yard);
    println!("  longest time   {:>9.3} ms, {:.4} yardsticks", longest * 1e3, longest / yard);
}

/// Solves all and prints each: the median of some runs, each with a yardstick before and after it, as the
/// machine may change its speed.
fn each(title: &str, instances: &[Instance], tables: &Tables, threads: usize, runs: usize) {
    println!("{title}: number, moves, generated, seconds, yardsticks");
    for instance in instances {
        let mut times = Vec::new();
        let mut ratios = Vec::new();
        let mut generated = 0;
        for _ in 0..runs {
            let before = yardstick();
            let (counters, time) = solve(instance, tables, threads);
            times.push(time);
            ratios.push(time / f64::midpoint(before, yardstick()));
            generated = counters.generated;
        }
        let moves = instance.length.map_or_else(|| "?".to_owned(), |length| length.to_string());
        let (time, ratio) = (median(times), median(ratios));
        println!("  {:>3} {moves:>4} {generated:>14} {time:>9.3} {ratio:>9.2}", instance.name);
    }
}

/// 24-puzzles after random walks of 100 to 140 moves.
fn walks() -> Vec<Instance> {
    let size = Size::new(5, 5).expect("a size");
    let (topology, goal) = (Topology::plain(size), NamedGoal::Standard.on(size));
    let walk = |seed| {
        let start = Scrambler::new(topology, goal.clone(), seed).walk(100 + 2 * seed as usize);
        let puzzle = Puzzle::new(topology, start, goal.clone()).expect("walks can be walked back");
        Instance { name: seed.to_string(), puzzle, length: None }
    };
    (1..=20).map(walk).collect()
}

/// The states expanded to prove a solution that is known, by one search and in 16 shards, boards with few states first.
fn in_shards(title: &str, instances: &[Instance], tables: &Tables) {
    println!("{title}, solutions known: number, moves, expanded by one search, in 16 shards, ratio");
    let mut lines: Vec<_> = instances.iter().filter_map(|instance| divided(instance, tables)).collect();
    lines.sort_by_key(|line| line.2);
    for (name, moves, whole, divided) in &lines {
        println!("  {name:>3} {moves:>4} {whole:>12} {divided:>12} {:>6.3}", *divided as f64 / *whole as f64);
    }
}

/// A board's number, moves, and states expanded by one search and in shards, unless the first takes long.
fn divided(instance: &Instance, tables: &Tables) -> Option<(String, u32, u64, u64)> {
    let Instance { name, puzzle, .. } = instance;
    let free = Control::unlimited();
    let mut known = BestKnown::default();
    let first = Control::new(Limits::none().nodes(Some(MOST_UNDIVIDED)));
    known.offer(deepen(puzzle, tables, &first, &Options { threads: 1, known: None }).known.into_moves()?);
    let length = known.length()?;
    let control = Control::unlimited();
    deepen(puzzle, tables, &control, &Options { threads: 1, known: Some(length) });
    let mut proof = Proof::begin(puzzle, tables, known, &free).expect("the tables are the board's");
    while !proof.is_over() {
        let bound = proof.bound();
        let shards = proof.split(tables, 16, &free).expect("nothing stops it");
        let search = |shard| search_shard(shard, tables, bound, &free).expect("the tables are the shard's");
        let results: Vec<_> = shards.iter().map(search).collect();
        if !results.is_empty() {
            proof.merge(&results).expect("all shards were searched");
        }
    }
    Some((name.clone(), length, control.counters().expanded, proof.counters().expanded))
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// IDA* as a textbook has it: a board of 4×4, the goal with the blank first, Manhattan distance kept up to date,
/// no step back.
struct PlainIda {
    tiles: [u8; 16],
    /// The distance of each tile in each cell from its goal cell.
    distance: [[u8; 16]; 16],
    neighbours: [Vec<usize>; 16],
    generated: u64,
    length: usize,
}

impl PlainIda {
    fn solve(tiles: &[u8]) -> Self {
        let between = |a: usize, b: usize| (a / 4).abs_diff(b / 4) + (a % 4).abs_diff(b % 4);
        let mut search = Self {
            tiles: std::array::from_fn(|cell| tiles[cell]),
            distance: std::array::from_fn(|tile| std::array::from_fn(|cell| between(tile, cell) as u8)),
            neighbours: std::array::from_fn(|cell| (0..16).filter(|&other| between(cell, other) == 1).collect()),
            generated: 1,
            length: 0,
        };
        let blank = tiles.iter().position(|&tile| tile == 0).expect("a board has a blank");
        let far = |(cell, &tile): (usize, &u8)| if tile == 0 { 0 } else { search.distance[usize::from(tile)][cell] };
        let left = tiles.iter().enumerate().map(far).map(usize::from).sum();
        search.length = left;
        loop {
            if search.dive(blank, blank, search.length, left) {
                return search;
            }
            search.length += 2;
        }
    }

    /// Whether `left`, the estimate, leads to the goal in `room` moves.
    fn dive(&mut self, blank: usize, before: usize, room: usize, left: usize) -> bool {
        if left == 0 {
            return true;
        }
        for index in 0..self.neighbours[blank].len() {
            let to = self.neighbours[blank][index];
            if to == before {
                continue;
            }
            self.generated += 1;
            let tile = self.tiles[to];
            let distances = &self.distance[usize::from(tile)];
            let left = left + usize::from(distances[blank]) - usize::from(distances[to]);
            if left < room {
                self.tiles[blank] = tile;
                if self.dive(to, blank, room - 1, left) {
                    return true;
                }
                self.tiles[to] = tile;
            }
        }
        false
    }
}

/// Builds tables on two threads and prints what that took.
fn build(puzzle: &Puzzle, extent: Extent) -> Tables {
    let key = Key::of(puzzle, extent);
    let rows = SharedRows::new();
    let tables = for_each_once(&key.patterns().expect("the board has tables"), |pattern| {
        let before = yardstick();
        let started = Instant::now();
        let table = Table::build(pattern, &rows, 2, &Control::unlimited(), &mut |_| ())?;
        let time = started.elapsed().as_secs_f64();
        println!(
            "built {:?} of {}: {:.1} MB in {time:.3} s, {:.2} yardsticks",
            pattern.tiles(),
            key.topology,
            table.entries().len() as f64 / 1e6,
            time / before
        );
        Ok::<_, Stop>(table)
    });
    Tables::new(tables.expect("nothing stops it"))
}

/// Boards that expand more states than this in one search are not divided.
const MOST_UNDIVIDED: u64 = 30_000_000;

/// The time limit of boards without a known solution.
const UNSOLVED_TIME: Duration = Duration::from_secs(600);

fn solve(instance: &Instance, tables: &Tables, threads: usize) -> (Counters, f64) {
    let started = Instant::now();
    let limits = Limits::none().time(instance.length.is_none().then_some(UNSOLVED_TIME));
    let control = Control::new(limits);
    let known = deepen(&instance.puzzle, tables, &control, &Options { threads, known: None }).known;
    let time = started.elapsed().as_secs_f64();
    match known.moves() {
        Some(moves) => {
            assert!(instance.puzzle.is_solved_by(moves), "{}: the moves do not solve it", instance.name);
            match instance.length {
                Some(length) => assert_eq!(moves.len(), length, "{}", instance.name),
                None => println!("  {:>3} {:>4} moves, not recorded before", instance.name, moves.len()),
            }
        }
        None => println!("  {:>3} given up at bound {}", instance.name, known.bound()),
    }
    (control.counters(), time)
}

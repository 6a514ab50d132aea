//! Mean time a query against the `pathfinding` crate's `astar` and `bfs` in the same run, path cells
//! included. Reads the `MovingAI` maps from the folder in `PINTU_MAPS`; the other maps are made here.
//!
//! `cargo bench -p pintu-grid --bench peers [-- FILTER]`

use std::{env, fs, hint::black_box, path::Path, time::Instant};

use pathfinding::prelude as peer;
use pintu_grid::{Cell, Diagonal, Heuristic, Length, Map, QueryError, Report, Scenario, Scratch, Terrain};
use pintu_search::Control;

fn main() {
    let filter = env::args().skip(1).find(|word| !word.starts_with('-')).unwrap_or_default();
    println!("{HEADER}");
    for case in cases().into_iter().filter(|case| case.name.contains(&filter)) {
        measure(&case);
    }
    if CUT_OFF.contains(&filter) {
        measure_cut_off();
    }
}

const HEADER: &str = "| map | queries | pathfinding µs | shortest µs | ratio | astar | ratio | jps | ratio | pruned | ratio | levels | ratio |\n\
                      | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |";

struct Case {
    name: String,
    terrain: Terrain,
    rule: Diagonal,
    queries: Vec<(Cell, Cell)>,
}

/// The peers are given at most so many queries: they would take minutes otherwise.
const PEER_QUERIES: usize = 60;

fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    match env::var_os("PINTU_MAPS").filter(|folder| !folder.is_empty()) {
        Some(folder) => cases.extend(recorded(Path::new(&folder))),
        None => eprintln!("PINTU_MAPS is not set: without the MovingAI maps"),
    }
    for percent in [20, 30, 40] {
        cases.push(made(&format!("random {percent} %"), 512, Diagonal::NoCorners, |random, _| {
            if random.below(100) < percent { '#' } else { '.' }
        }));
    }
    cases.push(made("terrain 1-9, cell by cell", 512, Diagonal::NoCorners, |random, _| {
        char::from(b'1' + random.below(9) as u8)
    }));
    let patches = patches(512);
    cases.push(made("terrain 1-9, patches", 512, Diagonal::NoCorners, move |_, cell| {
        patches[cell.row as usize * 512 + cell.col as usize]
    }));
    let four_way: Vec<Case> = cases
        .iter()
        .filter(|case| !case.name.contains("40") && !case.name.contains("arena"))
        .map(|case| Case {
            name: format!("{}, 4-way", case.name),
            terrain: case.terrain.clone(),
            rule: Diagonal::Never,
            queries: case.queries.clone(),
        })
        .collect();
    cases.extend(four_way);
    cases
}

fn recorded(folder: &Path) -> Vec<Case> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .expect("PINTU_MAPS is a folder")
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.extension().is_some_and(|suffix| suffix == "map"))
        .filter_map(|path| path.file_name()?.to_str().map(str::to_owned))
        .collect();
    names.sort();
    names.into_iter().map(|name| recorded_case(folder, &name)).collect()
}

fn recorded_case(folder: &Path, name: &str) -> Case {
    let read = |name: String| fs::read_to_string(folder.join(name)).expect("a readable file");
    let terrain: Terrain = read(name.to_owned()).parse().expect("a map");
    let scenarios = Scenario::read_all(&read(format!("{name}.scen"))).expect("scenarios");
    let queries = scenarios.iter().map(|query| (query.from, query.to)).collect();
    Case { name: name.to_owned(), terrain, rule: Diagonal::NoCorners, queries }
}

fn made(name: &str, side: u32, rule: Diagonal, mut symbol: impl FnMut(&mut Random, Cell) -> char) -> Case {
    let mut random = Random(7);
    let mut terrain = Terrain::open(side, side).expect("a size that is allowed");
    for cell in (0..side).flat_map(|row| (0..side).map(move |col| Cell::new(row, col))) {
        terrain.set(cell, symbol(&mut random, cell)).unwrap();
    }
    let map = Map::new(&terrain, Diagonal::Never);
    let mut queries = Vec::new();
    while queries.len() < 200 {
        let mut cell = || Cell::new(random.below(side), random.below(side));
        let (from, to) = (cell(), cell());
        if map.connected(from, to) {
            queries.push((from, to));
        }
    }
    Case { name: name.to_owned(), terrain, rule, queries }
}

/// Terrain that lies in patches: each cell is as its nearest of 300 centres.
fn patches(side: u32) -> Vec<char> {
    let mut random = Random(11);
    let centres: Vec<(i64, i64, char)> = (0..300)
        .map(|_| {
            (i64::from(random.below(side)), i64::from(random.below(side)), char::from(b'1' + random.below(9) as u8))
        })
        .collect();
    let nearest = |row: i64, col: i64| {
        centres.iter().min_by_key(|(r, c, _)| (r - row).pow(2) + (c - col).pow(2)).expect("centres").2
    };
    (0..i64::from(side))
        .flat_map(|row| (0..i64::from(side)).map(move |col| (row, col)))
        .map(|(r, c)| nearest(r, c))
        .collect()
}

fn measure(case: &Case) {
    let map = Map::new(&case.terrain, case.rule);
    // The peer gets every n-th query, and so do we.
    let every = case.queries.len().div_ceil(PEER_QUERIES);
    let queries: Vec<(Cell, Cell)> = case.queries.iter().step_by(every).copied().collect();
    let peer_map = PeerMap::new(&case.terrain, &map);
    check(case, &map, &peer_map, &queries);
    let heuristic = Heuristic::for_movement(case.rule);
    let is_four_way = map.is_uniform() && case.rule == Diagonal::Never;
    let mut runs = [
        Some(peer_run(|from, to| peer_map.astar(from, to))),
        Some(own_run(|from, to, scratch, control| map.shortest(from, to, scratch, control))),
        Some(own_run(|from, to, scratch, control| map.astar(from, to, heuristic, scratch, control))),
        map.is_uniform().then(|| own_run(|from, to, scratch, control| map.jps(from, to, scratch, control))),
        Some(own_run(|from, to, scratch, control| map.pruned_astar(from, to, scratch, control))),
        is_four_way.then(|| own_run(|from, to, scratch, control| map.level_astar(from, to, scratch, control))),
        is_four_way.then(|| peer_run(|from, to| peer_map.bfs(from, to) as f64)),
        is_four_way.then(|| own_run(|from, to, scratch, control| map.bfs(from, to, scratch, control))),
    ];
    let times = in_turns(&queries, &mut runs);
    let [peer_astar, .., peer_bfs, bfs] = times;
    print!("| {} | {} | {:.0} |", case.name, queries.len(), peer_astar * 1e6);
    times[1..6].iter().for_each(|&own| print_column(own, peer_astar));
    println!();
    if is_four_way {
        print!("| {}, bfs | {} | {:.0} |", case.name, queries.len(), peer_bfs * 1e6);
        print_column(bfs, peer_bfs);
        println!();
    }
}

const CUT_OFF: &str = "goal cut off, 1024×1024";

/// A goal behind walls on a large open map: what it takes to prepare the map (which numbers its pieces) and
/// answer, and what each answer takes from then on.
fn measure_cut_off() {
    let (from, to) = (Cell::new(0, 0), Cell::new(700, 700));
    let mut terrain = Terrain::open(1024, 1024).expect("a size that is allowed");
    for k in 0..=20 {
        for cell in [(690, 690 + k), (710, 690 + k), (690 + k, 690), (690 + k, 710)] {
            terrain.set(Cell::new(cell.0, cell.1), '#').unwrap();
        }
    }
    let map = Map::new(&terrain, Diagonal::NoCorners);
    let peer_map = PeerMap::new(&terrain, &map);
    let first = || {
        let map = Map::new(black_box(&terrain), Diagonal::NoCorners);
        map.shortest(from, &[to], &mut Scratch::new(), ()).expect("cells on the map")
    };
    assert!(peer_map.search(from, to).is_none() && first().length().is_none());
    let [peer, first, later] = in_turns(
        &[(from, to)],
        &mut [
            Some(peer_run(|from, to| f64::from(u8::from(peer_map.search(from, to).is_some())))),
            Some(peer_run(|_, _| f64::from(u8::from(first().length().is_some())))),
            Some(own_run(|from, to, scratch, control| map.shortest(from, to, scratch, control))),
        ],
    );
    println!(
        "\n| {CUT_OFF} | pathfinding µs | first query, map prepared for it µs | ratio | later queries µs | ratio |"
    );
    println!("| --- | --- | --- | --- | --- | --- |");
    print!("| | {:.0} |", peer * 1e6);
    print_column(first, peer);
    println!(" {:.3} | {:.0}× |", later * 1e6, peer / later);
}

fn print_column(own: f64, peer: f64) {
    if own > 0.0 {
        print!(" {:.1} | {:.1}× |", own * 1e6, peer / own);
    } else {
        print!(" - | - |");
    }
}

/// Answers one query.
type Run<'a> = Box<dyn FnMut(Cell, Cell) + 'a>;

fn peer_run<'a>(answer: impl Fn(Cell, Cell) -> f64 + 'a) -> Run<'a> {
    Box::new(move |from, to| {
        black_box(answer(from, to));
    })
}

fn own_run<'a>(answer: impl Fn(Cell, &[Cell], &mut Scratch, &Control) -> Result<Report, QueryError> + 'a) -> Run<'a> {
    let (mut scratch, control) = (Scratch::new(), Control::unlimited());
    Box::new(move |from, to| {
        let _ = black_box(answer(from, &[to], &mut scratch, &control)).expect("cells on the map");
        black_box(scratch.path());
    })
}

/// The mean time a query of each; 0 for what is left out. They take turns after every few queries, so that
/// a machine that is now fast and now slow is so for all.
fn in_turns<const RUNS: usize>(queries: &[(Cell, Cell)], runs: &mut [Option<Run<'_>>; RUNS]) -> [f64; RUNS] {
    const TURNS: usize = 6;
    let mut sums = [0.0; RUNS];
    for part in queries.chunks(queries.len().div_ceil(TURNS)) {
        for (sum, run) in sums.iter_mut().zip(runs.iter_mut()) {
            *sum += run.as_mut().map_or(0.0, |run| time(part, run) * part.len() as f64);
        }
    }
    sums.map(|sum| sum / queries.len() as f64)
}

/// The mean time a query, over as many rounds as it takes to measure something. Looking at the clock takes
/// longer than many a query, so it is looked at ever more rarely.
fn time(queries: &[(Cell, Cell)], run: &mut Run<'_>) -> f64 {
    const ENOUGH: f64 = 0.05;
    let start = Clock::now();
    let (mut rounds, mut next) = (0, 1);
    while rounds == 0 || start.elapsed() < ENOUGH {
        for _ in 0..next {
            for &(from, to) in queries {
                run(from, to);
            }
        }
        rounds += next;
        next *= 2;
    }
    start.elapsed() / queries.len() as f64 / f64::from(rounds)
}

/// The peer and we find the same lengths.
fn check(case: &Case, map: &Map, peer_map: &PeerMap, queries: &[(Cell, Cell)]) {
    let scratch = &mut Scratch::new();
    for &(from, to) in queries.iter().step_by(10) {
        let report = map.shortest(from, &[to], scratch, ()).expect("cells on the map");
        let (own, peer) = (report.length().map_or(0.0, Length::value), peer_map.astar(from, to));
        assert!((own - peer).abs() < 1e-6, "{}: {own} and {peer} from {from} to {to}", case.name);
        let _ = map.bfs(from, &[to], scratch, ()).expect("cells on the map");
        assert_eq!(scratch.path().len(), peer_map.bfs(from, to));
    }
}

/// The time that this thread has had a processor, where the system tells: on a busy machine that varies
/// less than the time that passes.
enum Clock {
    Thread(u64),
    Wall(Instant),
}

impl Clock {
    fn now() -> Self {
        on_processor().map_or_else(|| Self::Wall(Instant::now()), Self::Thread)
    }

    fn elapsed(&self) -> f64 {
        match self {
            Self::Thread(start) => on_processor().unwrap_or(*start).saturating_sub(*start) as f64 * 1e-9,
            Self::Wall(start) => start.elapsed().as_secs_f64(),
        }
    }
}

/// In nanoseconds.
fn on_processor() -> Option<u64> {
    fs::read_to_string("/proc/thread-self/schedstat").ok()?.split_whitespace().next()?.parse().ok()
}

/// The map as it suits the peer best: cells are `u32`, the neighbours a byte of bits, nothing is
/// allocated an expansion, costs are integers.
struct PeerMap {
    cols: u32,
    masks: Vec<u8>,
    costs: Vec<u32>,
    least: u32,
    rule: Diagonal,
}

/// Close enough to √2 that no two of the lengths here are exchanged.
const STRAIGHT: u32 = 13_860;
const DIAGONAL: u32 = 19_601;

impl PeerMap {
    fn new(terrain: &Terrain, map: &Map) -> Self {
        let cells = || (0..terrain.rows()).flat_map(|row| (0..terrain.cols()).map(move |col| Cell::new(row, col)));
        let masks = cells().map(|cell| map.steps(cell).fold(0, |mask, (step, _)| mask | 1 << step as u8)).collect();
        let costs: Vec<u32> = cells().map(|cell| map.cost(cell).unwrap_or(0) as u32).collect();
        let least = costs.iter().copied().filter(|&cost| cost > 0).min().unwrap_or(1);
        Self { cols: terrain.cols(), masks, costs, least, rule: map.diagonal() }
    }

    fn astar(&self, from: Cell, to: Cell) -> f64 {
        self.length(&self.search(from, to).expect("a path"))
    }

    fn search(&self, from: Cell, to: Cell) -> Option<Vec<u32>> {
        let (start, goal) = (from.row * self.cols + from.col, to.row * self.cols + to.col);
        let turn = if self.rule == Diagonal::Never { STRAIGHT } else { DIAGONAL - STRAIGHT };
        let estimate = |&cell: &u32| {
            let (rows, cols) = ((cell / self.cols).abs_diff(to.row), (cell % self.cols).abs_diff(to.col));
            (rows.max(cols) * STRAIGHT + rows.min(cols) * turn) * self.least
        };
        let steps = |&cell: &u32| self.successors(cell);
        peer::astar(&start, steps, estimate, |&cell| cell == goal).map(|(path, _)| path)
    }

    fn bfs(&self, from: Cell, to: Cell) -> usize {
        let (start, goal) = (from.row * self.cols + from.col, to.row * self.cols + to.col);
        let steps = |&cell: &u32| self.successors(cell).map(|(cell, _)| cell);
        peer::bfs(&start, steps, |&cell| cell == goal).expect("a path").len()
    }

    fn successors(&self, cell: u32) -> impl Iterator<Item = (u32, u32)> + '_ {
        let mut mask = self.masks[cell as usize];
        let cols = self.cols as i32;
        let offsets = [-cols, -1, 1, cols, -cols - 1, -cols + 1, cols - 1, cols + 1];
        std::iter::from_fn(move || {
            if mask == 0 {
                return None;
            }
            let step = mask.trailing_zeros() as usize;
            mask &= mask - 1;
            let to = cell.wrapping_add_signed(offsets[step]);
            Some((to, if step < 4 { STRAIGHT } else { DIAGONAL } * self.costs[to as usize]))
        })
    }

    fn length(&self, path: &[u32]) -> f64 {
        let mut sum = Length::default();
        for pair in path.windows(2) {
            let cost = u64::from(self.costs[pair[1] as usize]);
            let straight = pair[0] / self.cols == pair[1] / self.cols || pair[0] % self.cols == pair[1] % self.cols;
            let step = if straight { Length::new(cost, 0) } else { Length::new(0, cost) };
            sum = sum.checked_add(step).expect("small costs");
        }
        sum.value()
    }
}

/// A small generator: the maps are the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as u32 % bound
    }
}

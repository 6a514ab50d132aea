//! Mean time a query against the `pathfinding` crate's `astar` and `bfs` in the same run, path cells
//! included. Reads the `MovingAI` maps from the folder in `PINTU_MAPS`; the other maps are made here.
//!
//! `cargo bench -p pintu-grid --bench peers [-- FILTER]`

use std::{env, fs, hint::black_box, path::Path, sync::LazyLock, time::Instant};

use pathfinding::prelude as peer;
use pintu_grid::{Algorithm, Cell, Diagonal, Heuristic, Length, Map, Scenario, Scratch, Terrain, TerrainKind};
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

const HEADER: &str = "| map | queries | pathfinding µs | auto µs | ratio | astar | ratio | jps | ratio | pruned | ratio | levels | ratio |\n\
                      | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |";

#[derive(Clone)]
struct Case {
    name: String,
    terrain: Terrain,
    rule: Diagonal,
    queries: Vec<(Cell, Cell)>,
}

/// The most queries that the peers are given: all of them would take minutes.
const PEER_QUERIES: usize = 60;

fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    match env::var_os("PINTU_MAPS").filter(|folder| !folder.is_empty()) {
        Some(folder) => cases.extend(recorded(Path::new(&folder))),
        None => eprintln!("PINTU_MAPS is not set: without the MovingAI maps"),
    }
    for percent in [20, 30, 40] {
        cases.push(made(&format!("random {percent} %"), 512, Diagonal::NoCorners, |random, _| {
            if random.below(100) < percent { TerrainKind::Blocked } else { TerrainKind::OPEN }
        }));
    }
    cases.push(made("terrain 1-9, cell by cell", 512, Diagonal::NoCorners, |random, _| random.land()));
    let patches = patches(512);
    cases.push(made("terrain 1-9, patches", 512, Diagonal::NoCorners, move |_, cell| patches(cell)));
    let four_way: Vec<Case> = cases
        .iter()
        .filter(|case| !case.name.contains("40") && !case.name.contains("arena"))
        .map(|case| Case { name: format!("{}, 4-way", case.name), rule: Diagonal::Never, ..case.clone() })
        .collect();
    cases.extend(four_way);
    cases
}

fn recorded(folder: &Path) -> Vec<Case> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .expect("PINTU_MAPS is a folder")
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| Path::new(name).extension().is_some_and(|suffix| suffix == "map"))
        .collect();
    names.sort();
    let read = |name: &str| fs::read_to_string(folder.join(name)).expect("a readable file");
    let case = |name: String| {
        let scenarios = Scenario::read_all(&read(&format!("{name}.scen"))).expect("scenarios");
        let queries = scenarios.iter().map(|query| (query.from, query.to)).collect();
        Case { terrain: read(&name).parse().expect("a map"), rule: Diagonal::NoCorners, queries, name }
    };
    names.into_iter().map(case).collect()
}

fn made(name: &str, side: u32, rule: Diagonal, mut kind: impl FnMut(&mut Random, Cell) -> TerrainKind) -> Case {
    let mut random = Random(7);
    let terrain = Terrain::from_fn(side, side, |cell| kind(&mut random, cell)).expect("a size that is allowed");
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
fn patches(side: u32) -> impl Fn(Cell) -> TerrainKind {
    let mut random = Random(11);
    let centres: Vec<(u32, u32, TerrainKind)> =
        (0..300).map(|_| (random.below(side), random.below(side), random.land())).collect();
    move |Cell { row, col }| {
        centres.iter().min_by_key(|at| at.0.abs_diff(row).pow(2) + at.1.abs_diff(col).pow(2)).expect("centres").2
    }
}

fn measure(case: &Case) {
    let map = Map::new(&case.terrain, case.rule);
    // Both get every n-th query.
    let every = case.queries.len().div_ceil(PEER_QUERIES);
    let queries: Vec<(Cell, Cell)> = case.queries.iter().step_by(every).copied().collect();
    let peer_map = PeerMap::new(&case.terrain, &map);
    check(case, &map, &peer_map, &queries);
    let heuristic = Heuristic::for_movement(case.rule);
    let is_four_way = map.is_uniform() && case.rule == Diagonal::Never;
    let mut runs = [
        Some(peer_run(|from, to| peer_map.astar(from, to))),
        Some(own_run(&map, Algorithm::Fastest)),
        Some(own_run(&map, Algorithm::Astar(heuristic))),
        map.is_uniform().then(|| own_run(&map, Algorithm::Jps)),
        Some(own_run(&map, Algorithm::PrunedAstar)),
        is_four_way.then(|| own_run(&map, Algorithm::LevelAstar)),
        is_four_way.then(|| peer_run(|from, to| peer_map.bfs(from, to))),
        is_four_way.then(|| own_run(&map, Algorithm::Bfs)),
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

/// A goal behind walls on a large open map: the time to prepare the map (which numbers its pieces) and answer, and the
/// time of each answer after that.
fn measure_cut_off() {
    let (from, to) = (Cell::new(0, 0), Cell::new(700, 700));
    let is_wall = |Cell { row, col }: Cell| row.abs_diff(700).max(col.abs_diff(700)) == 10;
    let kind = |cell| if is_wall(cell) { TerrainKind::Blocked } else { TerrainKind::OPEN };
    let terrain = Terrain::from_fn(1024, 1024, kind).expect("a size that is allowed");
    let map = Map::new(&terrain, Diagonal::NoCorners);
    let peer_map = PeerMap::new(&terrain, &map);
    let first = || {
        let map = Map::new(black_box(&terrain), Diagonal::NoCorners);
        map.search(Algorithm::Fastest, from, &[to], &mut Scratch::new(), ()).expect("cells on the map")
    };
    assert!(peer_map.astar(from, to).is_none() && first().length().is_none());
    let [peer, first, later] = in_turns(
        &[(from, to)],
        &mut [
            Some(peer_run(|from, to| peer_map.astar(from, to))),
            Some(peer_run(|_, _| first().length())),
            Some(own_run(&map, Algorithm::Fastest)),
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

type Run<'a> = Box<dyn FnMut(Cell, Cell) + 'a>;

fn peer_run<'a, T>(answer: impl Fn(Cell, Cell) -> T + 'a) -> Run<'a> {
    Box::new(move |from, to| {
        black_box(answer(from, to));
    })
}

fn own_run(map: &Map, algorithm: Algorithm) -> Run<'_> {
    let (mut scratch, control) = (Scratch::new(), Control::unlimited());
    Box::new(move |from, to| {
        let report = map.search(algorithm, from, &[to], &mut scratch, &control);
        let _ = black_box(report).expect("cells on the map");
        black_box(scratch.path());
    })
}

/// The mean time per query of each run; 0 for a run that is left out. They take turns after every few queries, so that
/// changes of the machine's speed affect all alike.
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

/// The mean time per query, over as many rounds as a measurement takes. The clock is read ever more rarely, because
/// reading it takes longer than many a query.
fn time(queries: &[(Cell, Cell)], run: &mut Run<'_>) -> f64 {
    const ENOUGH: f64 = 0.05;
    let start = seconds();
    let (mut rounds, mut next) = (0, 1);
    while rounds == 0 || seconds() - start < ENOUGH {
        for _ in 0..next {
            for &(from, to) in queries {
                run(from, to);
            }
        }
        rounds += next;
        next *= 2;
    }
    (seconds() - start) / queries.len() as f64 / f64::from(rounds)
}

fn check(case: &Case, map: &Map, peer_map: &PeerMap, queries: &[(Cell, Cell)]) {
    let scratch = &mut Scratch::new();
    for &(from, to) in queries.iter().step_by(10) {
        let report = map.search(Algorithm::Fastest, from, &[to], scratch, ()).expect("cells on the map");
        let (own, peer) = (report.length().map_or(0.0, Length::value), peer_map.astar(from, to).expect("a path"));
        assert!((own - peer).abs() < 1e-4, "{}: {own} and {peer} from {from} to {to}", case.name);
        let _ = map.search(Algorithm::Bfs, from, &[to], scratch, ()).expect("cells on the map");
        assert_eq!(scratch.path().len(), peer_map.bfs(from, to));
    }
}

/// The processor time of this thread in seconds, where the system tells: on a busy machine it varies less than
/// wall-clock time.
fn seconds() -> f64 {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let told = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = told.split_whitespace().next().and_then(|word| word.parse::<u64>().ok());
    nanoseconds.map_or_else(|| START.elapsed().as_secs_f64(), |told| told as f64 * 1e-9)
}

/// The map in the form that suits the peer best: cells are `u32`, the neighbours bits of a byte, an expansion allocates
/// nothing, and costs are integers.
struct PeerMap {
    cols: u32,
    masks: Vec<u8>,
    costs: Vec<u32>,
    least: u32,
    rule: Diagonal,
}

/// Close enough to √2 that the lengths here compare in the right order.
const STRAIGHT: u32 = 13_860;
const DIAGONAL: u32 = 19_601;

impl PeerMap {
    fn new(terrain: &Terrain, map: &Map) -> Self {
        let cells = || (0..terrain.rows()).flat_map(|row| (0..terrain.cols()).map(move |col| Cell::new(row, col)));
        let masks = cells().map(|cell| map.steps(cell).fold(0, |mask, (step, _)| mask | 1 << step as u8)).collect();
        let costs: Vec<u32> =
            cells().map(|cell| terrain.kind(cell).cost().map_or(0, |cost| cost.get() as u32)).collect();
        let least = costs.iter().copied().filter(|&cost| cost > 0).min().unwrap_or(1);
        Self { cols: terrain.cols(), masks, costs, least, rule: map.diagonal() }
    }

    /// The length of a shortest path, nearly.
    fn astar(&self, from: Cell, to: Cell) -> Option<f64> {
        let (start, goal) = (from.row * self.cols + from.col, to.row * self.cols + to.col);
        let turn = if self.rule == Diagonal::Never { STRAIGHT } else { DIAGONAL - STRAIGHT };
        let estimate = |&cell: &u32| {
            let (rows, cols) = ((cell / self.cols).abs_diff(to.row), (cell % self.cols).abs_diff(to.col));
            (rows.max(cols) * STRAIGHT + rows.min(cols) * turn) * self.least
        };
        let steps = |&cell: &u32| self.successors(cell);
        let (path, cost) = peer::astar(&start, steps, estimate, |&cell| cell == goal)?;
        black_box(path);
        Some(f64::from(cost) / f64::from(STRAIGHT))
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
}

/// A small generator: the maps are the same in every run.
struct Random(u64);

impl Random {
    /// Land that costs 1 to 9.
    fn land(&mut self) -> TerrainKind {
        TerrainKind::land(1 + u64::from(self.below(9)))
    }

    fn below(&mut self, bound: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as u32 % bound
    }
}

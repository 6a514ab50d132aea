//! Proofs by looking at every arrangement of small boards.

use pintu_search::Heuristic;
use pintu_tiles::{
    Arrangement, Board, Kind, LinearConflict, Nibbles, Puzzle, Scrambler, Size, TileSpace, Topology, WalkingDistance,
    euclidean, goal_with_blank, manhattan, misplaced,
};

/// The distance of every arrangement from a goal, found by flooding from it.
struct Flood {
    cells: usize,
    distances: Vec<u8>,
    /// The boards in the order in which they were reached, with their distances.
    reached: Vec<(Nibbles, u8)>,
}

const FAR: u8 = u8::MAX;

impl Flood {
    fn new(topology: Topology, blank: usize) -> Self {
        let cells = topology.cells();
        let neighbours: Vec<Vec<usize>> = (0..cells).map(|cell| topology.neighbours(cell).collect()).collect();
        let mut flood = Self { cells, distances: vec![FAR; (1..=cells).product()], reached: Vec::new() };
        let goal = Nibbles::pack(goal_with_blank(topology.size(), blank).unwrap().tiles());
        flood.reach(goal, 0);
        let mut next = 0;
        while next < flood.reached.len() {
            let (board, distance) = flood.reached[next];
            next += 1;
            let blank = board.blank();
            for &to in &neighbours[blank] {
                let mut after = board;
                after.slide(blank, to);
                flood.reach(after, distance + 1);
            }
        }
        flood
    }

    fn reach(&mut self, board: Nibbles, distance: u8) {
        let rank = self.rank(board);
        if self.distances[rank] == FAR {
            self.distances[rank] = distance;
            self.reached.push((board, distance));
        }
    }

    /// The board's place among all arrangements of its cells.
    fn rank(&self, board: Nibbles) -> usize {
        let mut unused = (1_u32 << self.cells) - 1;
        let mut rank = 0;
        for cell in 0..self.cells {
            let tile = board.tile(cell);
            let smaller = unused & ((1 << tile) - 1);
            rank = rank * (self.cells - cell) + smaller.count_ones() as usize;
            unused ^= 1 << tile;
        }
        rank
    }
}

/// Every set of wraps that a size allows.
fn topologies(rows: usize, cols: usize) -> Vec<Topology> {
    let size = Size::new(rows, cols).unwrap();
    let sets = |count: usize, length: usize| if length < 3 { 0..1 } else { 0..1_usize << count };
    let lines = |set: usize| (0..16).filter(move |line| set >> line & 1 == 1);
    sets(rows, cols)
        .flat_map(|row_set| sets(cols, rows).map(move |col_set| (row_set, col_set)))
        .map(|(row_set, col_set)| Topology::wrapped(size, lines(row_set), lines(col_set)).unwrap())
        .collect()
}

fn puzzle(topology: Topology, start: &[u32], blank: usize) -> Puzzle {
    let start = Arrangement::new(topology.size(), start).unwrap();
    Puzzle::new(topology, start, goal_with_blank(topology.size(), blank).unwrap()).unwrap()
}

/// Every arrangement of the numbers below `cells`.
fn arrangements(cells: usize) -> Vec<Vec<u32>> {
    fn extend(prefix: &mut Vec<u32>, cells: usize, all: &mut Vec<Vec<u32>>) {
        if prefix.len() == cells {
            all.push(prefix.clone());
        }
        for tile in 0..cells as u32 {
            if !prefix.contains(&tile) {
                prefix.push(tile);
                extend(prefix, cells, all);
                prefix.pop();
            }
        }
    }
    let mut all = Vec::new();
    extend(&mut Vec::new(), cells, &mut all);
    all
}

#[test]
fn solvable_is_what_can_be_reached() {
    let sizes = [(1, 2), (1, 3), (1, 4), (1, 5), (2, 1), (5, 1), (2, 2), (2, 3), (3, 2), (2, 4), (4, 2), (1, 7)];
    for (rows, cols) in sizes {
        let all = arrangements(rows * cols);
        for topology in topologies(rows, cols) {
            for blank in 0..topology.cells() {
                let flood = Flood::new(topology, blank);
                for start in &all {
                    let tiles: Vec<u8> = start.iter().map(|&tile| tile as u8).collect();
                    let reached = flood.distances[flood.rank(Nibbles::pack(&tiles))] != FAR;
                    let claimed = puzzle(topology, start, blank).solvable().is_ok();
                    assert_eq!(claimed, reached, "{topology}, blank {blank}: {start:?}");
                }
            }
        }
    }
}

#[test]
fn solvable_is_what_can_be_reached_on_every_wrapped_three_by_three() {
    for (index, topology) in topologies(3, 3).into_iter().enumerate() {
        let blank = index % 9;
        let flood = Flood::new(topology, blank);
        let expected = if topology.kind() == Kind::Mixed { 362_880 } else { 181_440 };
        assert_eq!(flood.reached.len(), expected, "{topology}");
        let mut state = index as u64 + 1;
        for _ in 0..500 {
            // A shuffle by a linear congruential generator.
            let mut start: Vec<u32> = (0..9).collect();
            for last in (1..9).rev() {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                start.swap(last, (state >> 33) as usize % (last + 1));
            }
            let tiles: Vec<u8> = start.iter().map(|&tile| tile as u8).collect();
            let reached = flood.distances[flood.rank(Nibbles::pack(&tiles))] != FAR;
            assert_eq!(puzzle(topology, &start, blank).solvable().is_ok(), reached, "{topology}: {start:?}");
        }
    }
}

/// Checks `h ≤ h*` for every state that a flood reached.
fn assert_admissible<H: Heuristic<TileSpace<Nibbles>>>(name: &str, heuristic: &H, flood: &Flood, topology: Topology) {
    for (board, distance) in &flood.reached {
        let estimate = heuristic.estimate(heuristic.start(board)).expect("no board is a dead end");
        assert!(estimate <= u32::from(*distance), "{name} on {topology}: {estimate} > {distance} for {board:?}");
    }
}

/// Checks every heuristic on a board with each of these cells as the goal's blank.
fn check_heuristics(topology: Topology, blanks: impl IntoIterator<Item = usize>) {
    let start: Vec<u32> = (0..topology.cells() as u32).collect();
    for blank in blanks {
        let flood = Flood::new(topology, blank);
        let puzzle = puzzle(topology, &start, blank);
        assert_admissible("misplaced", &misplaced(&puzzle), &flood, topology);
        assert_admissible("manhattan", &manhattan(&puzzle), &flood, topology);
        if topology.is_plain() {
            assert_admissible("euclidean", &euclidean(&puzzle).unwrap(), &flood, topology);
            assert_admissible("linear-conflict", &LinearConflict::new(&puzzle).unwrap(), &flood, topology);
            assert_admissible("walking-distance", &WalkingDistance::new(&puzzle).unwrap(), &flood, topology);
        } else {
            assert!(euclidean(&puzzle).is_err());
            assert!(LinearConflict::new(&puzzle).is_err());
            assert!(WalkingDistance::new(&puzzle).is_err());
        }
    }
}

#[test]
fn no_heuristic_overestimates_on_three_by_three() {
    for (index, topology) in topologies(3, 3).into_iter().enumerate() {
        // A plain board is checked with every blank. Each board with wraps is checked with three, one in each row and column.
        let turn = (0..9).filter(|blank| topology.is_plain() || (blank + blank / 3) % 3 == index % 3);
        check_heuristics(topology, turn);
    }
}

#[test]
fn no_heuristic_overestimates_on_other_small_boards() {
    for (rows, cols) in [(1, 2), (1, 6), (6, 1), (2, 2), (2, 3), (3, 2), (2, 4), (4, 2)] {
        check_heuristics(Topology::plain(Size::new(rows, cols).unwrap()), 0..rows * cols);
    }
}

#[test]
fn every_solvable_board_is_as_likely_as_any_other() {
    for (rows, cols, wraps, solvable) in
        [(2, 2, false, 12), (1, 4, false, 4), (1, 4, true, 12), (2, 3, false, 360), (3, 2, true, 720)]
    {
        let size = Size::new(rows, cols).unwrap();
        let wrap_rows = (wraps && cols > 2).then_some(0);
        let wrap_cols = (wraps && rows > 2).then_some(0);
        let topology = Topology::wrapped(size, wrap_rows, wrap_cols).unwrap();
        let goal = goal_with_blank(size, 0).unwrap();
        let mut scrambler = Scrambler::new(topology, goal.clone(), 2026);
        let each = 100;
        let mut counts = std::collections::HashMap::new();
        for _ in 0..each * (solvable - 1) {
            *counts.entry(scrambler.uniform()).or_insert(0_u32) += 1;
        }
        assert_eq!(counts.len(), solvable - 1, "{topology}: all but the goal");
        assert!(!counts.contains_key(&goal));
        // A count of 100 expected has a standard deviation of 10: nothing fair strays this far.
        assert!(counts.values().all(|&count| (45..170).contains(&count)), "{topology}: {counts:?}");
    }
}

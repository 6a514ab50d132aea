use std::{
    collections::{HashMap, VecDeque},
    time::Duration,
};

use super::*;
use crate::{
    Arrangement, Direction, NamedGoal, Size, Topology,
    pattern::{Extent, Pattern, SharedRows, Table, normal_form, partition},
};
use machine::LEFT_OUT;

fn build(patterns: &[Pattern]) -> Tables {
    let rows = SharedRows::new();
    let table = |pattern| Table::build(pattern, &rows, 2, &mut |_| Continue(())).unwrap();
    Tables::new(patterns.iter().map(table).collect()).unwrap()
}

fn small_tables(puzzle: &Puzzle) -> Tables {
    let (topology, blank) = normal_form(puzzle);
    build(&partition(topology, blank, Extent::Small).unwrap())
}

/// Tables of patterns of `size` neighbouring tiles, in reading order.
fn tables_in_reading_order(topology: Topology, blank: usize, size: usize) -> Tables {
    let tiles: Vec<u8> = (0..topology.cells() as u8).filter(|&tile| usize::from(tile) != blank).collect();
    let patterns: Vec<Pattern> =
        tiles.chunks(size).map(|tiles| Pattern::new(topology, blank, tiles).unwrap()).collect();
    build(&patterns)
}

fn options(threads: usize) -> Options {
    Options { limits: Limits::default(), started: Instant::now(), threads }
}

fn solve(puzzle: &Puzzle, tables: &Tables, threads: usize) -> (Moves, Counters) {
    let deepened = deepen(puzzle, tables, &options(threads), &Cancel::new(), &|_| ());
    let Ending::Solved(moves) = deepened.ending else { panic!("nothing limits it") };
    assert!(puzzle.is_solved_by(&moves));
    (moves, deepened.counters)
}

fn topologies(rows: usize, cols: usize, wraps: &[(&[usize], &[usize])]) -> Vec<Topology> {
    let size = Size::new(rows, cols).unwrap();
    wraps.iter().map(|(r, c)| Topology::wrapped(size, r.iter().copied(), c.iter().copied()).unwrap()).collect()
}

/// Walks through all states from the goal, breadth first, stepping the lanes along, and checks on each
/// that no view's estimate exceeds the depth. Returns how many states there are.
fn check_every_state(tables: &Tables) -> usize {
    let layout = Layout::new(tables);
    let topology = tables.topology();
    let goal = layout.board(&(0..topology.cells() as u8).collect::<Vec<_>>());
    let mut depth_of = HashMap::from([(goal, 0_u32)]);
    let mut queue = VecDeque::from([(goal, tables.blank(), layout.lanes(&goal))]);
    while let Some((board, blank, lanes)) = queue.pop_front() {
        let depth = depth_of[&board];
        assert!(layout.sums(&lanes).all(|sum| sum <= depth), "{topology}: {board:?} is {depth} moves away");
        if depth_of.len().is_multiple_of(251) {
            assert_eq!(lanes, layout.lanes(&board), "{topology}: {board:?}");
        }
        for (index, direction) in Direction::ALL.into_iter().enumerate() {
            let Some(to) = topology.neighbour(blank, direction) else { continue };
            let mut after = board;
            after.swap(blank, to);
            if depth_of.contains_key(&after) {
                continue;
            }
            depth_of.insert(after, depth + 1);
            queue.push_back((after, to, layout.stepped(&lanes, &board, blank, index)));
        }
    }
    depth_of.len()
}

#[test]
fn estimates_never_exceed_the_moves_left_on_3x3() {
    let wraps: [(&[usize], &[usize]); 4] = [(&[], &[]), (&[0], &[]), (&[1], &[1]), (&[0, 1, 2], &[0, 1, 2])];
    for topology in topologies(3, 3, &wraps) {
        let states = if topology.is_plain() { 181_440 } else { 362_880 };
        for blank in 0..9 {
            let normal = crate::pattern::normal_form_of(topology, blank);
            if normal == (topology, blank) {
                assert_eq!(check_every_state(&tables_in_reading_order(topology, blank, 4)), states);
            }
        }
    }
}

#[test]
fn estimates_never_exceed_the_moves_left_on_small_rectangles() {
    for (rows, cols, wraps) in [(2, 4, &[] as &[usize]), (2, 4, &[0]), (2, 3, &[]), (2, 3, &[0, 1])] {
        let topology = topologies(rows, cols, &[(wraps, &[])])[0];
        for blank in 0..topology.cells() {
            check_every_state(&tables_in_reading_order(topology, blank, 3));
        }
    }
}

/// The exact number of moves from every state that has at most `most`, by breadth-first search.
fn exact_lengths(goal: &Arrangement, topology: Topology, most: usize) -> HashMap<Vec<u8>, usize> {
    let mut lengths = HashMap::from([(goal.tiles().to_vec(), 0)]);
    let mut level = vec![goal.tiles().to_vec()];
    for depth in 1..=most {
        let mut next = Vec::new();
        for tiles in level {
            let blank = tiles.iter().position(|&tile| tile == 0).unwrap();
            for to in topology.neighbours(blank) {
                let mut after = tiles.clone();
                after.swap(blank, to);
                if !lengths.contains_key(&after) {
                    lengths.insert(after.clone(), depth);
                    next.push(after);
                }
            }
        }
        level = next;
    }
    lengths
}

fn check_lengths(goal: &Arrangement, topology: Topology, most: usize, every: usize) {
    let lengths = exact_lengths(goal, topology, most);
    let tiles = goal.tiles().iter().map(|&tile| u32::from(tile)).collect::<Vec<_>>();
    let solved = Puzzle::new(topology, Arrangement::new(goal.size(), &tiles).unwrap(), goal.clone()).unwrap();
    let tables = small_tables(&solved);
    let mut sorted: Vec<_> = lengths.iter().collect();
    sorted.sort();
    for (tiles, &length) in sorted.into_iter().step_by(every) {
        let tiles: Vec<u32> = tiles.iter().map(|&tile| u32::from(tile)).collect();
        let start = Arrangement::new(goal.size(), &tiles).unwrap();
        let puzzle = Puzzle::new(topology, start, goal.clone()).unwrap();
        assert_eq!(solve(&puzzle, &tables, 1).0.len(), length, "{topology}: {tiles:?}");
    }
}

#[test]
fn solutions_are_shortest_for_any_goal_and_wrap() {
    let wraps: [(&[usize], &[usize]); 4] = [(&[], &[]), (&[0], &[]), (&[1], &[1]), (&[0, 1, 2], &[0, 2])];
    for topology in topologies(3, 3, &wraps) {
        for goal in NamedGoal::ALL {
            check_lengths(&goal.on(topology.size()), topology, 40, 4999);
        }
    }
    for topology in topologies(2, 5, &[(&[], &[]), (&[1], &[])]) {
        check_lengths(&NamedGoal::Snail.on(topology.size()), topology, 24, 997);
    }
    for topology in topologies(3, 4, &[(&[], &[]), (&[0], &[]), (&[], &[1]), (&[2], &[0, 3])]) {
        check_lengths(&NamedGoal::Snail.on(topology.size()), topology, 15, 499);
    }
}

/// The machine may leave out sequences, but no state: each is still reached, and no later.
#[test]
fn the_machine_loses_no_state() {
    let wraps: [(&[usize], &[usize]); 3] = [(&[], &[]), (&[1], &[]), (&[0, 1, 2], &[0, 1, 2])];
    for topology in topologies(3, 3, &wraps).into_iter().chain(topologies(2, 4, &[(&[], &[]), (&[0], &[])])) {
        for start in 0..topology.cells() {
            let goal = crate::goal_with_blank(topology.size(), start);
            let most = if topology.is_plain() { 16 } else { 11 };
            let exact = exact_lengths(&goal, topology, most);
            let machine = Machine::with_depth(topology, 8);
            let mut reached = HashMap::new();
            let mut level = vec![(goal.tiles().to_vec(), start, machine.start(start))];
            for depth in 0..=most {
                let mut next = Vec::new();
                for (tiles, blank, state) in level {
                    for (index, &after) in machine.next(state).iter().enumerate().filter(|(_, next)| **next != LEFT_OUT)
                    {
                        let to = topology.neighbour(blank, Direction::ALL[index]).unwrap();
                        let mut tiles = tiles.clone();
                        tiles.swap(blank, to);
                        next.push((tiles, to, after));
                    }
                    reached.entry(tiles).or_insert(depth);
                }
                level = next;
            }
            assert!(exact.iter().all(|(tiles, length)| reached.get(tiles) == Some(length)), "{topology}, {start}");
        }
    }
}

#[test]
fn longer_sequences_leave_out_more() {
    let topology = Topology::plain(Size::new(4, 4).unwrap());
    let states: Vec<usize> = [2, 8, 10].map(|depth| Machine::with_depth(topology, depth).states()).to_vec();
    assert_eq!(states[0], 16 + 48);
    assert!(states.is_sorted() && states[1] > states[0], "{states:?}");
}

fn korf(numbers: std::ops::Range<usize>) -> Vec<(Puzzle, usize)> {
    let size = Size::new(4, 4).unwrap();
    let goal = NamedGoal::BlankFirst.on(size);
    let line = |line: &str| {
        let fields: Vec<u64> = line.split_whitespace().map(|field| field.parse().unwrap()).collect();
        let tiles: Vec<u32> = fields[1..17].iter().map(|&tile| tile as u32).collect();
        let start = Arrangement::new(size, &tiles).unwrap();
        (Puzzle::new(Topology::plain(size), start, goal.clone()).unwrap(), fields[18] as usize)
    };
    let lines = include_str!("../../../../data/korf100.txt").lines().filter(|line| !line.starts_with('#'));
    lines.map(line).skip(numbers.start).take(numbers.len()).collect()
}

#[test]
fn korfs_instances_are_solved_with_their_recorded_lengths() {
    let tables = small_tables(&korf(0..1)[0].0);
    for (puzzle, length) in korf(0..100) {
        assert_eq!(solve(&puzzle, &tables, 1).0.len(), length);
    }
}

#[test]
fn threads_find_the_same_length() {
    let tables = small_tables(&korf(0..1)[0].0);
    for (puzzle, length) in korf(0..12) {
        for threads in [2, 3] {
            assert_eq!(solve(&puzzle, &tables, threads).0.len(), length);
        }
    }
}

#[test]
fn counts_do_not_depend_on_the_run() {
    let tables = small_tables(&korf(0..1)[0].0);
    let (puzzle, _) = &korf(1..2)[0];
    let counters = solve(puzzle, &tables, 1).1;
    assert_eq!(counters, solve(puzzle, &tables, 1).1);
    assert!(counters.generated > counters.expanded);
}

#[test]
fn a_node_limit_is_exact() {
    let tables = small_tables(&korf(0..1)[0].0);
    let (puzzle, length) = &korf(1..2)[0];
    for nodes in [0, 1, 1000, 10_000] {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let options = Options { limits, ..options(1) };
        let deepened = deepen(puzzle, &tables, &options, &Cancel::new(), &|_| ());
        let Ending::Stopped { why: Stop::Nodes, lower_bound } = deepened.ending else {
            panic!("{nodes} nodes are too few: {:?}", deepened.ending)
        };
        assert_eq!(deepened.counters.expanded, nodes);
        assert!((lower_bound as usize) <= *length);
    }
}

#[test]
fn time_and_cancellation_stop_it_soon() {
    let size = Size::new(5, 5).unwrap();
    let line = include_str!("../../../../data/korf24.txt").lines().find(|line| line.starts_with("50 ")).unwrap();
    let tiles: Vec<u32> = line.split_whitespace().skip(1).take(25).map(|field| field.parse().unwrap()).collect();
    let start = Arrangement::new(size, &tiles).unwrap();
    let puzzle = Puzzle::new(Topology::plain(size), start, NamedGoal::BlankFirst.on(size)).unwrap();
    let tables = small_tables(&puzzle);
    for threads in [1, 2] {
        let most = Duration::from_millis(200);
        let limits = Limits { time: Some(most), ..Limits::default() };
        let options = Options { limits, started: Instant::now(), threads };
        let deepened = deepen(&puzzle, &tables, &options, &Cancel::new(), &|_| ());
        assert!(matches!(deepened.ending, Ending::Stopped { why: Stop::Time, .. }), "{:?}", deepened.ending);
        assert!(options.started.elapsed() < most + Duration::from_millis(100));
        let cancel = Cancel::new();
        cancel.cancel();
        let deepened = deepen(&puzzle, &tables, &self::options(threads), &cancel, &|_| ());
        assert!(matches!(deepened.ending, Ending::Stopped { why: Stop::Cancelled, lower_bound: 1.. }));
    }
}

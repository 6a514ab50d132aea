use std::{
    collections::{HashMap, HashSet},
    time::Duration,
};

use pintu_search::{Cancel, Control, Counters, Limits, Stop};
use pintu_tiles::{Arrangement, Direction, Kind, Moves, NamedGoal, Puzzle, Size, Topology, goal_with_blank};

use super::*;
use crate::{
    improve,
    machine::Machine,
    tables::{Extent, Pattern, Residue, SharedRows, Table, Tables, normal_form, normal_form_of, patterns},
    views::{Access, Cells, Deepened, Layout, Mask, Options, State},
};

fn build(patterns: &[Pattern]) -> Tables {
    let rows = SharedRows::new();
    let table = |pattern| Table::build(pattern, &rows, 2, &Control::unlimited(), &mut |_| ()).continue_value().unwrap();
    Tables::new(patterns.iter().map(table).collect()).unwrap()
}

fn small_tables(puzzle: &Puzzle) -> Tables {
    let (topology, blank) = normal_form(puzzle);
    build(&patterns(topology, blank, Extent::Small).unwrap())
}

/// Tables of patterns of `size` neighbouring tiles, in reading order.
fn tables_in_reading_order(topology: Topology, blank: usize, size: usize) -> Tables {
    let tiles: Vec<u8> = (0..topology.cells() as u8).filter(|&tile| usize::from(tile) != blank).collect();
    let patterns: Vec<Pattern> =
        tiles.chunks(size).map(|tiles| Pattern::new(topology, blank, tiles).unwrap()).collect();
    build(&patterns)
}

/// Tables of three partitions of the 15-puzzle's tiles, two of which share a pattern. None of them is among the best.
fn tables_of_three_partitions(puzzle: &Puzzle) -> Tables {
    let (topology, blank) = normal_form(puzzle);
    let groups: [&[u8]; 9] = [
        &[1, 2, 3, 4, 5],
        &[6, 7, 8, 9, 10],
        &[11, 12, 13, 14, 15],
        &[1, 2, 4, 5, 8],
        &[3, 6, 7, 9, 10],
        &[11, 12, 13, 14, 15],
        &[2, 3, 6, 7, 11],
        &[1, 4, 5, 8, 9],
        &[10, 12, 13, 14, 15],
    ];
    build(&groups.map(|tiles| Pattern::new(topology, blank, tiles).unwrap()))
}

fn options(threads: usize) -> Options {
    Options { threads, known: None }
}

fn solve(puzzle: &Puzzle, tables: &Tables, threads: usize) -> (Moves, Counters) {
    let control = Control::unlimited();
    let deepened = deepen(puzzle, tables, &control, &options(threads));
    assert_eq!(deepened.stopped, None);
    let moves = deepened.moves.expect("nothing limits it");
    assert!(puzzle.is_solved_by(&moves));
    assert_eq!(moves.len(), deepened.lower_bound as usize);
    (moves, control.counters())
}

fn topologies(rows: usize, cols: usize, wraps: &[(&[usize], &[usize])]) -> Vec<Topology> {
    let size = Size::new(rows, cols).unwrap();
    wraps.iter().map(|(r, c)| Topology::wrapped(size, r.iter().copied(), c.iter().copied()).unwrap()).collect()
}

/// Walks through all states from the goal, breadth first, stepping the lanes' moves along, and checks on each
/// that no view's estimate exceeds the depth. Returns how many states there are.
fn check_every_state(tables: &Tables) -> usize {
    const LANES: usize = 16;
    let layout = Layout::new(tables, tables.aspects());
    let topology = tables.topology();
    let key = |board: &Cells| board[..layout.cells].iter().fold(0_u64, |key, &tile| key << 4 | u64::from(tile));
    let lanes = layout.lanes.len();
    let all = |board: &Cells| {
        let mut all = [0; LANES];
        all[..lanes].copy_from_slice(&layout.moves(board));
        all
    };
    let goal = layout.board(&(0..topology.cells() as u8).collect::<Vec<_>>());
    let mut seen = HashSet::from([key(&goal)]);
    let mut level = vec![(goal, tables.blank(), all(&goal))];
    for depth in 0.. {
        let mut next = Vec::new();
        for (board, blank, moves) in &level {
            let most = layout.sums(&moves[..lanes]).max().unwrap();
            assert!(most <= depth, "{topology}: {board:?} is {depth} moves away, not {most}");
            if seen.len().is_multiple_of(251) {
                assert_eq!(*moves, all(board), "{topology}: {board:?}");
            }
            for to in topology.neighbours(*blank) {
                let mut after = *board;
                after.swap(*blank, to);
                if seen.insert(key(&after)) {
                    let mut moves = *moves;
                    layout.step(&mut moves[..lanes], board, *blank, to);
                    next.push((after, to, moves));
                }
            }
        }
        if next.is_empty() {
            break;
        }
        level = next;
    }
    seen.len()
}

/// Half of the 64 ways in which rows and columns of 3×3 wrap.
fn check_wraps_on_3x3(half: usize) {
    let picked = |bits: usize| (0..3).filter(move |line| bits >> line & 1 == 1);
    for wraps in (0..64).skip(half).step_by(2) {
        let topology = Topology::wrapped(Size::new(3, 3).unwrap(), picked(wraps & 7), picked(wraps >> 3)).unwrap();
        let states = if topology.kind() == Kind::TwoColoured { 181_440 } else { 362_880 };
        // Boards that are others, turned, have no tables of their own.
        for blank in (0..9).filter(|&blank| normal_form_of(topology, blank) == (topology, blank)) {
            assert_eq!(check_every_state(&tables_in_reading_order(topology, blank, 4)), states, "{topology}");
        }
    }
}

#[test]
fn estimates_never_exceed_the_moves_left_on_3x3() {
    check_wraps_on_3x3(0);
}

#[test]
fn estimates_never_exceed_the_moves_left_on_3x3_whose_first_row_wraps() {
    check_wraps_on_3x3(1);
}

#[test]
fn estimates_never_exceed_the_moves_left_on_2x5() {
    let boards = topologies(2, 5, &[(&[], &[]), (&[0], &[])]);
    for (topology, blank, states) in
        [(boards[0], 0, 1_814_400), (boards[0], 1, 1_814_400), (boards[0], 2, 1_814_400), (boards[1], 0, 3_628_800)]
    {
        assert_eq!(normal_form_of(topology, blank), (topology, blank));
        assert_eq!(check_every_state(&tables_in_reading_order(topology, blank, 5)), states);
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

/// Walks at random and compares what a search looks up, step by step, with what is found from scratch.
fn check_look_ups<M: Mask + std::fmt::Debug + PartialEq, const CELLS: usize, const LANES: usize>(tables: &Tables) {
    let layout = Layout::new(tables, tables.aspects());
    let topology = tables.topology();
    let access: Vec<Access<'_, M>> = layout.lanes.iter().map(|table| Access::new(table).unwrap()).collect();
    let access: [Access<'_, M>; LANES] = std::array::from_fn(|lane| access[lane.min(access.len() - 1)]);
    let mut board = layout.board(&(0..topology.cells() as u8).collect::<Vec<_>>());
    let (mut blank, mut random) = (tables.blank(), 1_u64);
    let mut moves = layout.moves(&board);
    for _ in 0..2000 {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let index = (random >> 61) as usize % 4;
        let Some(to) = topology.neighbour(blank, Direction::ALL[index]) else { continue };
        let here = State::<M, CELLS, LANES>::new(&layout, &board, &moves, 0);
        let tile = board[to];
        let slide = (4 * blank + index) as u8;
        let two = layout.residue == Residue::Parity;
        let asked: Vec<(usize, M, u16, u8)> = layout
            .views
            .iter()
            .map(|view| {
                let lane = usize::from(view.sight.lane(tile));
                let lookup = view.sight.aim(&here, slide, tile, &access);
                let change = if two {
                    access[lane].ask::<true>(&lookup).change::<true>()
                } else {
                    access[lane].ask::<false>(&lookup).change::<false>()
                };
                let moves = moves[lane].wrapping_add_signed(change);
                (lane, lookup.mask, lookup.order, moves)
            })
            .collect();
        layout.step(&mut moves, &board, blank, to);
        board.swap(blank, to);
        blank = to;
        let after = State::<M, CELLS, LANES>::new(&layout, &board, &moves, 0);
        assert_eq!(moves, layout.moves(&board), "{topology}: {board:?}");
        for (lane, mask, order, moves) in asked {
            assert_eq!((mask, order), (after.masks[lane], after.orders[lane]), "{topology}: {board:?}");
            assert_eq!(moves, after.moves[lane], "{topology}: {board:?}");
        }
    }
}

#[test]
fn look_ups_step_by_step_are_those_from_scratch() {
    let wraps: [(&[usize], &[usize]); 3] = [(&[], &[]), (&[1], &[0]), (&[0, 1, 2], &[1])];
    for topology in topologies(3, 4, &wraps) {
        let tables = tables_in_reading_order(topology, 5, 4);
        check_look_ups::<u16, 16, 16>(&tables);
        check_look_ups::<u64, 64, 128>(&tables);
    }
    for topology in topologies(5, 5, &[(&[], &[]), (&[2], &[2])]) {
        let tables = tables_in_reading_order(topology, 12, 3);
        check_look_ups::<u32, 32, 32>(&tables);
        check_look_ups::<u64, 64, 128>(&tables);
    }
    let tables = tables_in_reading_order(topologies(5, 6, &[(&[], &[])])[0], 0, 3);
    check_look_ups::<u64, 64, 128>(&tables);
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
        check_beams(&puzzle, &tables, length);
    }
}

/// Beams as wide as there are states meet every state: they find what is shorter than what is known, and only that.
fn check_beams(puzzle: &Puzzle, tables: &Tables, length: usize) {
    let limits = Limits { memory: Some(tables.bytes() + (64 << 20)), ..Limits::default() };
    for threads in [1, 2] {
        let longer = Options { known: Some(length as u32 + 1), threads };
        let Deepened { moves, lower_bound, stopped } = improve(puzzle, tables, &Control::new(limits), &longer);
        let moves = moves.expect("there is a shorter one");
        assert!(puzzle.is_solved_by(&moves));
        assert_eq!((moves.len(), stopped), (length, None));
        assert!(lower_bound as usize <= length);
    }
    let known = Options { known: Some(length as u32), threads: 1 };
    for search in [improve, deepen] {
        let Deepened { moves, lower_bound, stopped } = search(puzzle, tables, &Control::new(limits), &known);
        assert_eq!((moves, stopped), (None, None));
        assert!(lower_bound as usize <= length);
    }
    let proof = deepen(puzzle, tables, &Control::new(limits), &known);
    assert_eq!(proof.lower_bound as usize, length);
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
            let goal = goal_with_blank(topology.size(), start);
            let most = if topology.is_plain() { 16 } else { 11 };
            let exact = exact_lengths(&goal, topology, most);
            let machine = Machine::with_depth(topology, 8);
            let mut reached = HashMap::new();
            let mut level = vec![(goal.tiles().to_vec(), start, machine.start(start))];
            for depth in 0..=most {
                let mut next = Vec::new();
                for (tiles, blank, state) in level {
                    assert_eq!(usize::from(machine.fan(state).blank), blank);
                    for step in machine.fan(state).steps() {
                        let to = usize::from(step.to);
                        let direction = Direction::ALL[usize::from(step.slide % 4)];
                        assert_eq!(
                            (usize::from(step.slide / 4), Some(to)),
                            (blank, topology.neighbour(blank, direction))
                        );
                        let mut tiles = tiles.clone();
                        tiles.swap(blank, to);
                        next.push((tiles, to, step.next));
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
fn views_are_chosen_for_each_board() {
    let tables = tables_of_three_partitions(&korf(0..1)[0].0);
    assert_eq!((tables.tables().len(), tables.each_once().count()), (9, 8));
    assert!(tables.aspects().len() >= 5, "partitions and reflections");
    let first = build(&tables.tables()[..3].iter().map(|table| table.pattern().clone()).collect::<Vec<_>>());
    let mut expanded = [0, 0];
    for (puzzle, length) in korf(0..30) {
        for (tables, expanded) in [&first, &tables].into_iter().zip(&mut expanded) {
            let (moves, counters) = solve(&puzzle, tables, 1);
            assert_eq!(moves.len(), length);
            *expanded += counters.expanded;
        }
    }
    assert!(expanded[1] < expanded[0], "{expanded:?}: the choice costs more than it saves");
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
    let (puzzle, length) = &korf(1..2)[0];
    for tables in [small_tables(puzzle), tables_of_three_partitions(puzzle)] {
        for nodes in [0, 1, 1000, 1500, 2000, 10_000] {
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let control = Control::new(limits);
            let deepened = deepen(puzzle, &tables, &control, &options(1));
            assert_eq!((deepened.moves, deepened.stopped), (None, Some(Stop::Nodes)), "{nodes} nodes are too few");
            assert_eq!(control.counters().expanded, nodes);
            assert!((deepened.lower_bound as usize) <= *length);
        }
    }
}

/// A 24-puzzle that takes minutes, with tables for it, and its length.
fn hard_24_puzzle() -> (Puzzle, Tables, usize) {
    let size = Size::new(5, 5).unwrap();
    let line = include_str!("../../../../data/korf24.txt").lines().find(|line| line.starts_with("50 ")).unwrap();
    let numbers: Vec<u32> = line.split_whitespace().skip(1).map_while(|field| field.parse().ok()).collect();
    let start = Arrangement::new(size, &numbers[..25]).unwrap();
    let puzzle = Puzzle::new(Topology::plain(size), start, NamedGoal::BlankFirst.on(size)).unwrap();
    let tables = small_tables(&puzzle);
    (puzzle, tables, numbers[25] as usize)
}

#[test]
fn time_and_cancellation_stop_it_soon() {
    let (puzzle, tables, _) = hard_24_puzzle();
    let searches: [(fn(&_, &_, &_, &_) -> _, _); 2] = [(deepen, false), (improve, true)];
    for ((search, may_end), threads) in searches.into_iter().flat_map(|search| [(search, 1), (search, 2)]) {
        let most = Duration::from_millis(200);
        let timed = Control::new(Limits { time: Some(most), ..Limits::default() });
        let deepened: Deepened = search(&puzzle, &tables, &timed, &options(threads));
        assert!(deepened.stopped == Some(Stop::Time) || may_end, "{:?}", deepened.stopped);
        assert!(deepened.moves.is_none_or(|moves| may_end && puzzle.is_solved_by(&moves)));
        assert!(timed.elapsed() < most + Duration::from_millis(100));
        // In the middle.
        let cancel = Cancel::new();
        let control = Control::with_cancel(Limits::default(), cancel.clone());
        let deepened: Deepened = std::thread::scope(|scope| {
            scope.spawn(|| {
                while control.counters().expanded < 5000 {
                    std::thread::yield_now();
                }
                cancel.cancel();
            });
            search(&puzzle, &tables, &control, &options(threads))
        });
        assert_eq!(deepened.stopped, Some(Stop::Cancelled));
        assert!(control.counters().expanded >= 5000 && deepened.lower_bound > 0);
    }
}

#[test]
fn beams_find_short_solutions_within_their_limits() {
    let (puzzle, tables, length) = hard_24_puzzle();
    let improved = |nodes, room: u64, threads| {
        let memory = tables.bytes() + room;
        let control = Control::new(Limits { nodes: Some(nodes), memory: Some(memory), ..Limits::default() });
        (improve(&puzzle, &tables, &control, &options(threads)), control.counters())
    };
    let mut shortest = usize::MAX;
    // The last ones are wide enough for two threads to share their layers.
    for (nodes, threads) in [(50_000, 1), (400_000, 1), (2_000_000, 2)] {
        let (Deepened { moves, lower_bound, .. }, counters) = improved(nodes, 1 << 30, threads);
        let moves = moves.expect("the first beam gets there");
        assert!(puzzle.is_solved_by(&moves));
        assert!((lower_bound as usize) < length && length <= moves.len());
        assert!(counters.expanded <= nodes);
        assert!(moves.len() <= shortest, "more states, a longer solution");
        shortest = moves.len();
    }
    assert!(shortest * 100 <= length * 110, "{shortest} moves where {length} are enough");
    let (_, narrow) = improved(10_000_000, 1 << 20, 1);
    assert!(narrow.peak_bytes <= tables.bytes() + (1 << 20));
    assert!(narrow.expanded < 200_000, "the beam was wider than fits");
}

#[test]
fn nothing_is_to_be_done_for_a_solved_board() {
    let size = Size::new(4, 4).unwrap();
    let goal = NamedGoal::Standard.on(size);
    let puzzle = Puzzle::new(Topology::plain(size), goal.clone(), goal).unwrap();
    let tables = small_tables(&puzzle);
    for search in [deepen, improve] {
        let control = Control::unlimited();
        let Deepened { moves, lower_bound, .. } = search(&puzzle, &tables, &control, &options(1));
        assert_eq!((moves, lower_bound), (Some(Moves::default()), 0));
        assert_eq!((control.counters().expanded, control.counters().generated), (1, 1), "the goal counts");
    }
}

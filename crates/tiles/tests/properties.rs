//! Properties of every board, tried on random ones.

use pintu_search::{Heuristic, Space};
use pintu_tiles::{
    Arrangement, Board, Bytes, Direction, LinearConflict, Moves, NamedGoal, Nibbles, Notation, Puzzle, Scrambler, Size,
    TileSpace, Topology, WalkingDistance, euclidean, manhattan, misplaced, read_board, read_start_and_goal,
};
use proptest::prelude::*;

fn sizes(most: usize) -> impl Strategy<Value = Size> {
    (1..=most, 1..=most).prop_filter_map("a board has two cells", |(rows, cols)| Size::new(rows, cols).ok())
}

fn topologies(most: usize) -> impl Strategy<Value = Topology> {
    (sizes(most), any::<u16>(), any::<u16>(), any::<bool>()).prop_map(|(size, row_set, col_set, plain)| {
        let lines = |set: u16, count: usize, length: usize| {
            (0..count).filter(move |line| !plain && length >= 3 && set >> line & 1 == 1)
        };
        let rows = lines(row_set, size.rows(), size.cols());
        let cols = lines(col_set, size.cols(), size.rows());
        Topology::wrapped(size, rows, cols).unwrap()
    })
}

/// A puzzle with a random goal, and a start from which it can be reached.
fn puzzles(most: usize) -> impl Strategy<Value = Puzzle> {
    (topologies(most), any::<u64>()).prop_map(|(topology, seed)| {
        let standard = NamedGoal::Standard.on(topology.size());
        let goal = Scrambler::new(topology, standard, seed).walk(seed as usize % 300);
        let start = Scrambler::new(topology, goal.clone(), !seed).uniform();
        Puzzle::new(topology, start, goal).unwrap()
    })
}

/// Walks at random and compares the memo after each step with one computed from scratch.
fn incremental_equals_fresh<B: Board, H: Heuristic<TileSpace<B>>>(puzzle: &Puzzle, heuristic: &H, choices: &[usize])
where
    H::Memo: PartialEq + std::fmt::Debug,
{
    let (space, mut board) = TileSpace::<B>::new(puzzle);
    let mut memo = heuristic.start(&board);
    for choice in choices {
        let actions: Vec<u8> = space.actions(&board).collect();
        let action = actions[choice % actions.len()];
        let mut after = board.clone();
        space.apply(&mut after, &action);
        let before_estimate = heuristic.estimate(memo).unwrap();
        memo = heuristic.step(memo, &board, &action, &after);
        board = after;
        assert_eq!(memo, heuristic.start(&board));
        let drop: u32 = before_estimate.saturating_sub(heuristic.estimate(memo).unwrap());
        assert!(drop <= 1, "no heuristic falls by more than a move costs");
    }
}

fn all_heuristics<B: Board>(puzzle: &Puzzle, choices: &[usize], small: bool) {
    incremental_equals_fresh::<B, _>(puzzle, &misplaced(puzzle), choices);
    incremental_equals_fresh::<B, _>(puzzle, &manhattan(puzzle), choices);
    if puzzle.topology().is_plain() {
        incremental_equals_fresh::<B, _>(puzzle, &euclidean(puzzle).unwrap(), choices);
        incremental_equals_fresh::<B, _>(puzzle, &LinearConflict::new(puzzle).unwrap(), choices);
        if small {
            incremental_equals_fresh::<B, _>(puzzle, &WalkingDistance::new(puzzle).unwrap(), choices);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn heuristics_of_small_boards_update_as_they_compute(
        puzzle in puzzles(4),
        choices in prop::collection::vec(0_usize..12, 60),
    ) {
        all_heuristics::<Nibbles>(&puzzle, &choices, true);
        all_heuristics::<Bytes<64>>(&puzzle, &choices, false);
    }

    #[test]
    fn heuristics_of_large_boards_update_as_they_compute(
        puzzle in puzzles(16),
        choices in prop::collection::vec(0_usize..12, 60),
    ) {
        all_heuristics::<Bytes<256>>(&puzzle, &choices, false);
    }

    #[test]
    fn what_a_walk_reaches_can_be_solved(topology in topologies(16), seed: u64, steps in 0_usize..500) {
        let goal = NamedGoal::Snail.on(topology.size());
        let start = Scrambler::new(topology, goal.clone(), seed).walk(steps);
        prop_assert_ne!(&start, &goal);
        prop_assert!(Puzzle::new(topology, start, goal).unwrap().solvable().is_ok());
    }

    #[test]
    fn what_is_scrambled_can_be_solved_until_two_tiles_are_exchanged(puzzle in puzzles(16)) {
        prop_assert!(puzzle.solvable().is_ok());
        prop_assert!(!puzzle.is_solved());
        let size = puzzle.size();
        if puzzle.topology().is_plain() && size.rows() > 1 && size.cols() > 1 && size.cells() > 4 {
            let mut tiles: Vec<u32> = puzzle.start().tiles().iter().map(|&tile| tile.into()).collect();
            let cells: Vec<usize> = (0..tiles.len()).filter(|&cell| tiles[cell] != 0).collect();
            tiles.swap(cells[0], cells[cells.len() - 1]);
            let start = Arrangement::new(size, &tiles).unwrap();
            prop_assert!(Puzzle::new(puzzle.topology(), start, puzzle.goal().clone()).unwrap().solvable().is_err());
        }
    }

    #[test]
    fn neighbours_are_neighbours_of_each_other(topology in topologies(16)) {
        let distances = topology.distances();
        for cell in 0..topology.cells() {
            for direction in Direction::ALL {
                if let Some(to) = topology.neighbour(cell, direction) {
                    prop_assert_eq!(topology.neighbour(to, direction.opposite()), Some(cell));
                    prop_assert_eq!(topology.direction(cell, to), Some(direction));
                    prop_assert_eq!(distances.between(cell, to), 1);
                }
            }
        }
    }

    #[test]
    fn moves_are_read_as_they_are_written(runs in prop::collection::vec(("[UDLRudlr]", 1..256_usize), 0..6), tile: bool) {
        let notation = if tile { Notation::Tile } else { Notation::Blank };
        let short = runs.iter().map(|(letter, times)| format!("{letter}{times}")).collect::<Vec<_>>().join(" ");
        let long: String = runs.iter().map(|(letter, times)| letter.to_ascii_uppercase().repeat(*times)).collect();
        let moves = Moves::from_text(&long, notation).unwrap();
        prop_assert_eq!(moves.to_text(notation), long);
        prop_assert_eq!(&Moves::from_text(&short, notation).unwrap(), &moves);
        prop_assert_eq!(Moves::from_text(&moves.to_runs(notation), notation), Ok(moves));
    }

    #[test]
    fn a_board_is_read_in_every_shape_it_is_written_in(puzzle in puzzles(16)) {
        let board = puzzle.start();
        let size = board.size();
        let rows: Vec<String> = board.tiles().chunks(size.cols()).map(|row| {
            row.iter().map(u8::to_string).collect::<Vec<_>>().join(" ")
        }).collect();
        let sized = format!("{} {}\n{}\n", size.rows(), size.cols(), rows.join("\n"));
        prop_assert_eq!(&read_start_and_goal(&sized, None).unwrap().start, board);
        prop_assert_eq!(&read_board(&rows.join(" "), Some(size)).unwrap(), board);
        if size.rows() > 1 {
            let bare = read_start_and_goal(&rows.join(" # comment\n"), None).unwrap();
            prop_assert_eq!(&bare.start, board);
        }
        let goal = puzzle.goal();
        let both = read_start_and_goal(&format!("{sized}\n{goal}"), None).unwrap();
        prop_assert_eq!(both.goal.as_ref(), Some(goal));
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in ".{0,80}", size in prop::option::of(sizes(16))) {
        let _ = read_start_and_goal(&text, size);
    }

    #[test]
    fn no_numbers_are_taken_for_a_board_that_they_are_not(
        rows in prop::collection::vec(prop::collection::vec(0_u32..12, 0..5), 0..6),
        size in prop::option::of(sizes(4)),
    ) {
        let lines: Vec<String> = rows.iter().map(|row| {
            row.iter().map(u32::to_string).collect::<Vec<_>>().join(" ")
        }).collect();
        if let Ok(boards) = read_start_and_goal(&lines.join("\n"), size) {
            for board in std::iter::once(&boards.start).chain(&boards.goal) {
                let mut tiles = board.tiles().to_vec();
                tiles.sort_unstable();
                let expected: Vec<u8> = (0..board.size().cells() as u8).collect();
                prop_assert_eq!(tiles, expected);
                prop_assert!(size.is_none_or(|size| size == board.size()));
            }
            // Every number in the text is a tile of a board, or a size in front of one.
            let digits_together = rows.iter().filter(|row| !row.is_empty()).count() == 1;
            let numbers = rows.iter().map(Vec::len).sum::<usize>();
            let boards = boards.start.size().cells() * (1 + usize::from(boards.goal.is_some()));
            prop_assert!(digits_together || (boards..=boards + 4).contains(&numbers));
        }
    }
}

#[test]
fn a_seed_means_the_same_board_for_ever() {
    let size = Size::new(4, 4).unwrap();
    let goal = NamedGoal::Standard.on(size);
    let mut scrambler = Scrambler::new(Topology::plain(size), goal, 1);
    assert_eq!(scrambler.uniform().to_string(), UNIFORM);
    assert_eq!(scrambler.walk(160).to_string(), WALK);
}

const UNIFORM: &str = "6 4 7 8 13 10 5 14 12 15 1 3 2 11 9 0";
const WALK: &str = "5 4 12 3 2 14 7 9 15 10 0 6 1 13 11 8";

#[test]
fn walking_distance_refuses_what_would_not_fit() {
    let size = Size::new(5, 5).unwrap();
    let goal = NamedGoal::Standard.on(size);
    let puzzle = Puzzle::new(Topology::plain(size), goal.clone(), goal).unwrap();
    let error = WalkingDistance::new(&puzzle).unwrap_err();
    assert_eq!(
        error.to_string(),
        "walking-distance does not apply to a board of 5x5: its table would take more than 64 MiB"
    );
}

//! Saves: what is replayed, what is refused, what sets a record.

use pintu_game::{Game, RecordError, Save, score};
use pintu_tiles::{Direction, Moves, Scrambler, Size, Topology, goal_with_blank};
use proptest::{collection::vec, prelude::*};

/// The example of the format's description, but for a start from which its moves are legal.
const SAVE: &str = r#"{"version":1,"rows":3,"cols":3,"wrap_rows":[],"wrap_cols":[],"blank":8,
    "start":[1,2,3,4,5,6,7,8,0],"moves":"ULDR","redo":"","millis":1234,"helped":false,"picture":"builtin:hills"}"#;

fn save() -> Save {
    serde_json::from_str(SAVE).unwrap()
}

#[test]
fn the_format_is_as_it_is_described() {
    let written = serde_json::to_value(Game::load(&save()).unwrap().save()).unwrap();
    assert_eq!(written, serde_json::from_str::<serde_json::Value>(SAVE).unwrap());
}

/// Beside those of the golden files: what exactly is said, and runs that no page writes.
#[test]
fn saves_that_make_no_sense_are_refused() {
    type Case = (fn(&mut Save), &'static str);
    let cases: [Case; 8] = [
        (|save| save.moves = "ULX".to_owned(), "found `X` at position 3 of `moves`, expected U, D, L or R"),
        (|save| save.moves = "UDD".to_owned(), "move 3 of `moves` (D) leads off the board: the blank is at 2,2"),
        (|save| save.redo = "D".to_owned(), "move 1 of `redo` (D) leads off the board: the blank is at 2,2"),
        (|save| save.blank = 9, "found the blank cell 9, expected one from 0 to 8"),
        (
            |save| (save.rows, save.cols, save.start, save.moves) = (11, 2, (0..22).collect(), String::new()),
            "found a board of 11x2, expected sides from 2 to 10",
        ),
        (|save| save.rows = 0, "found a board of 0x3"),
        (|save| save.runs = vec![(2, 2), (0, 2)], "`runs` do not fit the moves"),
        (|save| save.runs = vec![(1, usize::MAX)], "`runs` do not fit the moves"),
    ];
    for (change, expected) in cases {
        let mut save = save();
        change(&mut save);
        let error = Game::load(&save).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
    }
    let half_redone = Save { redo: "UDU".to_owned(), runs: vec![(1, 2), (4, 2)], ..save() };
    assert_eq!(Game::load(&half_redone).unwrap().steps(), 3, "a run is one step");
}

#[test]
fn records_are_replayed() {
    let won = |millis| Save { start: vec![0, 1, 2, 4, 5, 3, 7, 8, 6], moves: "RRDD".to_owned(), millis, ..save() };
    let (board, found) = score(&won(1000)).unwrap();
    assert_eq!((board.rows, board.cols, found.moves, found.millis), (3, 3, 4, 1000));
    assert!(score(&Save { runs: vec![(0, 2), (2, 2)], ..won(5) }).is_ok(), "two runs are two steps");
    let refused = |save: Save| score(&save).unwrap_err();
    assert_eq!(refused(Save { helped: true, ..won(9) }), RecordError::Helped);
    assert_eq!(refused(Save { moves: "RRD".to_owned(), ..won(9) }), RecordError::NotSolved(1));
    assert_eq!(refused(Save { redo: "U".to_owned(), ..won(9) }), RecordError::Undone);
    assert_eq!(refused(Save { moves: String::new(), ..won(9) }), RecordError::NoMoves);
    assert_eq!(refused(won(5)), RecordError::TooQuick { steps: 4, millis: 5 });
    assert!(matches!(refused(Save { moves: "LL".to_owned(), ..won(9) }), RecordError::Save(_)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Any size and wraps, any legal moves, of which the last ones are undone.
    #[test]
    fn a_save_is_replayed_to_where_its_moves_lead(
        (rows, cols) in (2_usize..=10, 2_usize..=10),
        (row_set, col_set, seed) in any::<(u16, u16, u64)>(),
        choices in vec(0_usize..12, 0..60),
        undone in 0_usize..60,
    ) {
        let size = Size::new(rows, cols).unwrap();
        let lines = |set: u16, count: usize, length: usize| (0..count).filter(move |line| length > 2 && set >> line & 1 == 1);
        let topology = Topology::wrapped(size, lines(row_set, rows, cols), lines(col_set, cols, rows)).unwrap();
        let blank = seed as usize % size.cells();
        let start = Scrambler::new(topology, goal_with_blank(size, blank).unwrap(), seed).uniform();
        let mut cell = start.blank();
        let directions = choices.iter().map(|choice| {
            let legal: Vec<Direction> =
                Direction::ALL.into_iter().filter(|&direction| topology.neighbour(cell, direction).is_some()).collect();
            let direction = legal[choice % legal.len()];
            cell = topology.neighbour(cell, direction).unwrap();
            direction
        });
        let mut moves: Vec<Direction> = directions.collect();
        let redo = Moves(moves.split_off(moves.len().saturating_sub(undone)));
        let moves = Moves(moves);
        let save = Save {
            rows,
            cols,
            wrap_rows: topology.wrap_rows().collect(),
            wrap_cols: topology.wrap_cols().collect(),
            blank,
            start: start.tiles().iter().map(|&tile| u32::from(tile)).collect(),
            moves: moves.to_string(),
            redo: redo.to_string(),
            ..save()
        };
        let game = Game::load(&serde_json::from_str(&serde_json::to_string(&save).unwrap()).unwrap()).unwrap();
        let mut end = start;
        end.play(topology, &moves).unwrap();
        prop_assert_eq!(game.tiles(), end.tiles());
        prop_assert_eq!(game.steps(), moves.len());
        prop_assert_eq!(game.save(), &save);
    }

    #[test]
    fn no_text_of_moves_panics(moves in ".{0,40}", redo in "[ULDR]{0,40}", runs in vec((0_usize..50, 0_usize..50), 0..5)) {
        let _ = Game::load(&Save { moves, redo, runs, ..save() });
    }
}

//! Games, played at random and by hand, saved and loaded.

use std::time::{Duration, Instant};

use pintu_game::{Game, GameError, Origin, RecordError, Save, SaveError, Scramble, score};
use pintu_tiles::{Arrangement, Direction, Moves, Scrambler, Size, Topology, goal_with_blank};
use proptest::{collection::vec, prelude::*};

const SECOND: Duration = Duration::from_secs(1);

fn game(tiles: &[u32], blank: usize) -> Game {
    let size = Size::square(tiles.len()).unwrap();
    let start = Arrangement::new(size, tiles).unwrap();
    Game::new(Topology::plain(size), blank, start, "builtin:hills".parse().unwrap()).unwrap()
}

/// Two runs from the end.
fn nearly_done() -> Game {
    game(&[0, 1, 2, 4, 5, 3, 7, 8, 6], 8)
}

#[test]
fn the_clock_starts_with_the_first_move_and_stops_with_the_last() {
    let noon = Instant::now();
    let mut game = nearly_done();
    game.resume(noon);
    assert_eq!(game.played(noon + SECOND), Duration::ZERO);
    game.tap(2, noon + SECOND);
    game.pause(noon + 3 * SECOND);
    game.resume(noon + 10 * SECOND);
    game.tap(8, noon + 11 * SECOND);
    assert!(game.is_won());
    assert_eq!(game.played(noon + 99 * SECOND), 3 * SECOND);
    game.resume(noon + 99 * SECOND);
    assert_eq!(game.played(noon + 199 * SECOND), 3 * SECOND, "a game that is won stands still");
    game.undo(noon + 200 * SECOND);
    assert_eq!(game.played(noon + 201 * SECOND), 4 * SECOND, "taking the win back goes on playing");
}

#[test]
fn a_whole_picture_is_no_win_before_a_move() {
    let mut game = game(&[1, 2, 3, 4, 5, 6, 7, 8, 0], 8);
    assert!(game.is_solved() && !game.is_won());
    game.tap(7, Instant::now());
    game.tap(8, Instant::now());
    assert!(game.is_won());
}

#[test]
fn help_is_remembered_through_restarts_and_saves() {
    let now = Instant::now();
    let mut game = nearly_done();
    assert!(game.follow(&"RRDD".parse().unwrap(), now).is_some());
    assert!(game.is_won() && game.is_helped());
    let before = game.restart();
    assert!(before.is_won(), "what was restarted can be taken up again");
    assert!(game.is_helped() && game.moves().is_empty());
    assert!(Game::load(&game.save(now)).unwrap().is_helped());
}

#[test]
fn a_solver_gets_the_position_and_the_goal() {
    let mut game = nearly_done();
    game.tap(2, Instant::now());
    let puzzle = game.puzzle();
    assert!(puzzle.is_solved_by(&"DD".parse().unwrap()));
    assert_eq!(puzzle.goal(), &goal_with_blank(puzzle.size(), 8));
}

#[test]
fn boards_outside_the_bounds_are_refused() {
    let picture = || "builtin:hills".parse().unwrap();
    let large = Size::new(11, 3).unwrap();
    let made = Game::new(Topology::plain(large), 0, goal_with_blank(large, 0), picture());
    assert_eq!(made.unwrap_err(), GameError::Size(large));
    let size = Size::new(3, 3).unwrap();
    let made = Game::new(Topology::plain(size), 9, goal_with_blank(size, 0), picture());
    assert_eq!(made.unwrap_err(), GameError::Blank { found: 9, last: 8 });
}

/// The example of the format's description, but for a start from which its moves are legal.
const SAVE: &str = r#"{"version":1,"rows":3,"cols":3,"wrap_rows":[],"wrap_cols":[],"blank":8,
    "start":[1,2,3,4,5,6,7,8,0],"moves":"ULDR","redo":"","millis":1234,"helped":false,"picture":"builtin:hills"}"#;

fn save() -> Save {
    serde_json::from_str(SAVE).unwrap()
}

#[test]
fn the_format_is_as_it_is_described() {
    let written = serde_json::to_value(Game::load(&save()).unwrap().save(Instant::now())).unwrap();
    assert_eq!(written, serde_json::from_str::<serde_json::Value>(SAVE).unwrap());
}

#[test]
fn saves_that_make_no_sense_are_refused() {
    let refused = |change: fn(&mut Save)| {
        let mut save = save();
        change(&mut save);
        Game::load(&save).unwrap_err()
    };
    assert_eq!(refused(|save| save.version = 2), SaveError::Version { found: 2 });
    assert!(matches!(refused(|save| save.moves = "ULX".to_owned()), SaveError::Letter { position: 3, .. }));
    assert!(matches!(refused(|save| save.moves = "u".to_owned()), SaveError::Letter { .. }));
    assert!(matches!(
        refused(|save| save.moves = "UDD".to_owned()),
        SaveError::Illegal { field: "moves", number: 3, .. }
    ));
    assert!(matches!(refused(|save| save.redo = "D".to_owned()), SaveError::Illegal { field: "redo", number: 1, .. }));
    assert!(matches!(refused(|save| save.blank = 9), SaveError::Game(GameError::Blank { .. })));
    assert!(matches!(refused(|save| save.start[0] = 9), SaveError::Start(_)));
    assert!(matches!(refused(|save| save.rows = 0), SaveError::Sides(_)));
    assert!(matches!(refused(|save| save.wrap_rows = vec![3]), SaveError::Wrap(_)));
    assert!(matches!(refused(|save| save.millis = u64::MAX), SaveError::Millis { .. }));
    assert_eq!(refused(|save| save.runs = vec![(3, 2)]), SaveError::Runs);
    for text in [r#""picture":"http://a/b""#, r#""picture":"builtin:hills","score":1"#, r#""picture":7"#] {
        let text = SAVE.replace(r#""picture":"builtin:hills""#, text);
        assert!(serde_json::from_str::<Save>(&text).is_err(), "{text}");
    }
}

#[test]
fn where_a_start_comes_from_is_remembered_through_restarts_and_saves() {
    let now = Instant::now();
    let board = Topology::plain(Size::new(3, 3).unwrap());
    let scrambled = |how| Game::scrambled(board, 8, how, 7, "builtin:hills".parse().unwrap()).unwrap();
    assert_eq!(scrambled(Scramble::Uniform).origin(), Origin::Scramble);
    let mut walked = scrambled(Scramble::Walk);
    let _before = walked.restart();
    let loaded = Game::load(&walked.save(now)).unwrap();
    assert_eq!(loaded.origin(), Origin::Walk);
    assert!(Origin::Scramble.is_ranked() && !Origin::Walk.is_ranked());
}

#[test]
fn records_are_replayed() {
    let won = |millis| Save { start: vec![0, 1, 2, 4, 5, 3, 7, 8, 6], moves: "RRDD".to_owned(), millis, ..save() };
    let (board, found) = score(&won(1000)).unwrap();
    assert_eq!((board.rows, board.cols, found.moves, found.millis), (3, 3, 4, 1000));
    let refused = |save: Save| score(&save).unwrap_err();
    assert_eq!(refused(Save { helped: true, ..won(9) }), RecordError::Helped);
    assert!(matches!(refused(Save { moves: "RRD".to_owned(), ..won(9) }), RecordError::NotSolved { misplaced: 1 }));
    assert_eq!(refused(Save { redo: "U".to_owned(), ..won(9) }), RecordError::Undone);
    assert_eq!(refused(Save { start: won(9).start, moves: String::new(), ..save() }), RecordError::NoMoves);
    assert!(matches!(refused(won(5)), RecordError::TooQuick { steps: 4, millis: 5 }));
    assert!(score(&Save { runs: vec![(0, 2), (2, 2)], ..won(5) }).is_ok(), "two runs are two steps");
    assert!(matches!(refused(Save { moves: "LL".to_owned(), ..won(9) }), RecordError::Save(_)));
}

#[derive(Clone, Debug)]
enum Act {
    Tap(usize),
    Push(Direction),
    Undo,
    Redo,
    SaveAndLoad,
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        8 => (0_usize..100).prop_map(Act::Tap),
        4 => (0_usize..4).prop_map(|index| Act::Push(Direction::ALL[index])),
        4 => Just(Act::Undo),
        3 => Just(Act::Redo),
        1 => Just(Act::SaveAndLoad),
    ]
}

/// A scrambled game on a board of any size and any wraps it can have.
fn any_game() -> impl Strategy<Value = Game> {
    (2_usize..=10, 2_usize..=10, any::<u16>(), any::<u16>(), any::<u64>()).prop_map(|(rows, cols, wide, tall, seed)| {
        let lines =
            |count: usize, set: u16, length: usize| (0..count).filter(move |line| length > 2 && set >> line & 1 == 1);
        let size = Size::new(rows, cols).unwrap();
        let topology = Topology::wrapped(size, lines(rows, wide, cols), lines(cols, tall, rows)).unwrap();
        let blank = seed as usize % size.cells();
        let start = Scrambler::new(topology, goal_with_blank(size, blank), seed).uniform();
        Game::new(topology, blank, start, "builtin:any".parse().unwrap()).unwrap()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn playing_saving_and_loading_agree(mut game in any_game(), acts in vec(act(), 1..60)) {
        let now = Instant::now();
        let cells = game.tiles().len();
        for act in acts {
            match act {
                Act::Tap(cell) => _ = game.tap(cell % cells, now),
                Act::Push(tile) => _ = game.push(tile, now),
                Act::Undo => _ = game.undo(now),
                Act::Redo => _ = game.redo(now),
                Act::SaveAndLoad => game = Game::load(&game.save(now)).unwrap(),
            }
            let mut replayed = game.start().clone();
            replayed.play(game.topology(), &game.moves()).unwrap();
            prop_assert_eq!(replayed.tiles(), game.tiles());
            prop_assert_eq!(replayed.blank(), game.blank());
        }
        let save = game.save(now);
        let text = serde_json::to_string(&save).unwrap();
        let loaded = Game::load(&serde_json::from_str(&text).unwrap()).unwrap();
        prop_assert_eq!(loaded.save(now), save);
        prop_assert_eq!(loaded.steps(), game.steps());
        while game.undo(now).is_some() {}
        prop_assert_eq!(game.tiles(), game.start().tiles());
    }

    #[test]
    fn no_text_of_moves_panics(moves in ".{0,40}", redo in "[ULDR]{0,40}", runs in vec((0_usize..50, 0_usize..50), 0..5)) {
        let _ = Game::load(&Save { moves, redo, runs, ..save() });
    }
}

#[test]
fn a_followed_solution_is_checked_before_it_is_made() {
    let mut game = nearly_done();
    assert_eq!(game.follow(&Moves(vec![Direction::Up]), Instant::now()), None);
    assert!(!game.is_helped() && game.moves().is_empty());
}

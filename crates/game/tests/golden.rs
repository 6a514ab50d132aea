//! Replays the golden vectors that the page's own rules replay, too.

use std::time::Instant;

use pintu_game::Game;
use pintu_tiles::{Arrangement, Direction, Moves, Size, Topology};
use serde::Deserialize;

#[derive(Deserialize)]
struct Golden {
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    name: String,
    rows: usize,
    cols: usize,
    wrap_rows: Vec<usize>,
    wrap_cols: Vec<usize>,
    blank: usize,
    start: Vec<u32>,
    steps: Vec<Step>,
}

#[derive(Deserialize)]
struct Step {
    #[serde(flatten)]
    act: Act,
    then: After,
}

#[derive(Deserialize)]
#[serde(tag = "do", rename_all = "lowercase")]
enum Act {
    Tap { cell: usize },
    Push { tile: char },
    Follow { moves: String },
    Undo,
    Redo,
    Restart,
}

#[derive(Debug, Deserialize, PartialEq)]
struct After {
    played: String,
    tiles: Vec<u8>,
    moves: String,
    redo: String,
    runs: Vec<(usize, usize)>,
    misplaced: usize,
    solved: bool,
}

#[test]
fn rules_agree_with_the_golden_vectors() {
    let golden: Golden = serde_json::from_str(include_str!("../golden/moves.json")).unwrap();
    assert!(golden.cases.len() > 20);
    for case in golden.cases {
        let mut game = case.game();
        for (number, step) in case.steps.into_iter().enumerate() {
            let played = act(&mut game, step.act);
            assert_eq!(after(&game, &played), step.then, "step {} of `{}`", number + 1, case.name);
        }
    }
}

impl Case {
    fn game(&self) -> Game {
        let size = Size::new(self.rows, self.cols).unwrap();
        let wraps = (self.wrap_rows.iter().copied(), self.wrap_cols.iter().copied());
        let topology = Topology::wrapped(size, wraps.0, wraps.1).unwrap();
        let start = Arrangement::new(size, &self.start).unwrap();
        Game::new(topology, self.blank, start, "builtin:any".parse().unwrap()).unwrap()
    }
}

fn act(game: &mut Game, act: Act) -> Moves {
    let now = Instant::now();
    let played = match act {
        Act::Tap { cell } => game.tap(cell, now),
        Act::Push { tile } => game.push(Direction::from_letter(tile).unwrap(), now),
        Act::Follow { moves } => game.follow(&moves.parse().unwrap(), now),
        Act::Undo => game.undo(now),
        Act::Redo => game.redo(now),
        Act::Restart => {
            let _before = game.restart();
            None
        }
    };
    played.unwrap_or_default()
}

fn after(game: &Game, played: &Moves) -> After {
    let save = game.save(Instant::now());
    After {
        played: played.to_string(),
        tiles: game.tiles().to_vec(),
        moves: save.moves,
        redo: save.redo,
        runs: save.runs,
        misplaced: game.misplaced(),
        solved: game.is_solved(),
    }
}

//! The golden files that the page's own rules are tested with, too.

use pintu_game::{Day, Game, RecordError, Save, Score, Standing, score};
use pintu_tiles::{fragment_of, goal_with_blank, read_link};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

fn read<T: DeserializeOwned>(text: &str) -> T {
    serde_json::from_str(text).unwrap()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

/// What the page holds after each step of a game can be saved, and its replay leads to the same board.
#[test]
fn what_the_page_plays_is_replayed() {
    let played: Value = read(include_str!("../golden/moves.json"));
    assert!(list(&played["cases"]).len() > 20);
    for case in list(&played["cases"]) {
        for (number, step) in (1..).zip(list(&case["steps"])) {
            let then = &step["then"];
            let save: Save = serde_json::from_value(json!({
                "version": 1, "rows": case["rows"], "cols": case["cols"], "wrap_rows": case["wrap_rows"],
                "wrap_cols": case["wrap_cols"], "blank": case["blank"], "start": case["start"],
                "moves": then["moves"], "redo": then["redo"], "runs": then["runs"], "millis": 0,
                "picture": "builtin:any",
            }))
            .unwrap();
            let game = Game::load(&save).unwrap();
            let found = json!([game.tiles(), game.misplaced(), game.is_solved()]);
            let expected = json!([then["tiles"], then["misplaced"], then["solved"]]);
            assert_eq!(found, expected, "step {number} of {}", case["name"]);
        }
    }
}

fn scored() -> Value {
    read(include_str!("../golden/records.json"))
}

/// The base with some fields changed, or the code of a text that is no save.
fn save(golden: &Value, change: &Value) -> Result<Save, &'static str> {
    let mut fields = golden["base"].as_object().expect("fields").clone();
    fields.extend(change.as_object().expect("fields").clone());
    fields.retain(|_, value| !value.is_null());
    serde_json::from_value(Value::Object(fields)).map_err(|_| "bad-field")
}

#[test]
fn saves_are_refused_and_records_scored() {
    let golden = scored();
    assert!(list(&golden["saves"]).len() > 20 && list(&golden["records"]).len() > 15);
    for case in list(&golden["saves"]) {
        let loaded = save(&golden, &case["change"]).and_then(|save| Game::load(&save).map_err(|error| error.code()));
        assert_eq!(loaded.err(), case["refused"].as_str(), "{}", case["name"]);
    }
    for case in list(&golden["records"]) {
        let found = save(&golden, &case["change"]).and_then(|save| score(&save).map_err(|error| error.code()));
        assert_eq!(found.as_ref().err().copied(), case["refused"].as_str(), "{}", case["name"]);
        if let Ok((kind, score)) = found {
            let board = json!([kind.rows, kind.cols, kind.wrap_rows, kind.wrap_cols]);
            assert_eq!(json!([[score.millis, score.moves], board]), json!([case["score"], case["board"]]));
        }
    }
}

#[test]
fn the_same_games_are_recognised_and_standings_computed() {
    let golden = scored();
    for pair in list(&golden["same"]) {
        let [one, other] = ["one", "other"].map(|which| save(&golden, &pair[which]).unwrap().identity());
        assert_eq!(json!(one == other), pair["same"], "{}", pair["name"]);
    }
    for case in list(&golden["standings"]) {
        let scores: Vec<(u64, usize)> = serde_json::from_value(case["scores"].clone()).unwrap();
        let scores: Vec<Score> = scores.into_iter().map(|(millis, moves)| Score { millis, moves }).collect();
        assert_eq!(json!(Standing::of(&scores)), case["standing"], "{}", case["name"]);
    }
}

#[test]
fn links_hold_whole_positions() {
    let golden: Value = read(include_str!("../golden/links.json"));
    for link in list(&golden["links"]) {
        let fragment = link["fragment"].as_str().expect("text");
        let address = format!("http://127.0.0.1:7468/{fragment}");
        let puzzle = read_link(&address).expect(&address).unwrap();
        let (size, topology) = (puzzle.size(), puzzle.topology());
        let wraps: [Vec<usize>; 2] = [topology.wrap_rows().collect(), topology.wrap_cols().collect()];
        let found = json!([size.rows(), size.cols(), wraps, puzzle.start().tiles()]);
        let wraps = [&link["wrap_rows"], &link["wrap_cols"]];
        assert_eq!(found, json!([link["rows"], link["cols"], wraps, link["start"]]));
        let blank = link["blank"].as_u64().expect("a cell") as usize;
        assert_eq!(*puzzle.goal(), goal_with_blank(size, blank).unwrap());
        assert_eq!(fragment_of(&puzzle), fragment);
        // The page may add the name of a picture, which is no part of the puzzle.
        assert_eq!(read_link(&format!("{address}&pic=dawn")), Some(Ok(puzzle)));
    }
    for fragment in list(&golden["refused"]) {
        let fragment = fragment.as_str().expect("text");
        assert!(read_link(fragment).expect(fragment).is_err(), "{fragment}");
    }
}

#[test]
fn days_have_the_boards_of_the_page() {
    let days: Value = read(include_str!("../golden/days.json"));
    assert!(list(&days).len() > 10);
    for case in list(&days) {
        let day: Day = serde_json::from_value(case["date"].clone()).unwrap();
        let board = day.board();
        let (rows, cols) = (board.size.rows(), board.size.cols());
        let found = json!({
            "date": day, "rows": rows, "cols": cols, "blank": rows * cols - 1, "picture": board.picture,
            "start": board.start.tiles(),
        });
        assert_eq!(found, *case);
    }
}

#[test]
fn a_game_of_a_day_is_scored_for_that_day_alone() {
    let day: Day = "2026-11-16".parse().unwrap();
    let board = day.board();
    let mut save: Save = serde_json::from_value(json!({
        "version": 1, "rows": 3, "cols": 3, "blank": 8, "start": board.start.tiles(), "moves": "", "millis": 9000,
        "picture": board.picture, "origin": "daily",
    }))
    .unwrap();
    assert_eq!(day.claim(&save), Err(RecordError::NoMoves));
    let other = Day::new(day.number() + 1).unwrap();
    assert_eq!(other.claim(&save), Err(RecordError::OtherDay));
    save.helped = true;
    assert_eq!(day.claim(&save), Err(RecordError::Helped));
}

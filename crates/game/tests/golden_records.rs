//! Replays the golden vectors of saves, records and standings that the page's own rules replay, too.

use pintu_game::{Game, Save, Score, Standing, score};
use serde::Deserialize;
use serde_json::{Map, Value, json};

#[derive(Deserialize)]
struct Golden {
    base: Map<String, Value>,
    saves: Vec<Case>,
    records: Vec<Case>,
    same: Vec<Pair>,
    standings: Vec<Ranking>,
}

#[derive(Deserialize)]
struct Case {
    name: String,
    change: Map<String, Value>,
    refused: Option<String>,
    score: Option<(u64, usize)>,
    board: Option<Value>,
}

#[derive(Deserialize)]
struct Pair {
    name: String,
    one: Map<String, Value>,
    other: Map<String, Value>,
    same: bool,
}

#[derive(Deserialize)]
struct Ranking {
    name: String,
    scores: Vec<(u64, usize)>,
    standing: Value,
}

fn golden() -> Golden {
    serde_json::from_str(include_str!("../golden/records.json")).unwrap()
}

impl Golden {
    /// The base with some fields changed, or the code of a text that is no save.
    fn save(&self, change: &Map<String, Value>) -> Result<Save, &'static str> {
        let mut fields = self.base.clone();
        for (name, value) in change {
            if value.is_null() {
                fields.remove(name);
            } else {
                fields.insert(name.clone(), value.clone());
            }
        }
        serde_json::from_value(Value::Object(fields)).map_err(|_| "bad-field")
    }
}

#[test]
fn saves_are_refused_as_the_golden_vectors_say() {
    let golden = golden();
    assert!(golden.saves.len() > 20);
    for case in &golden.saves {
        let loaded = golden.save(&case.change).and_then(|save| Game::load(&save).map_err(|error| error.code()));
        assert_eq!(loaded.err(), case.refused.as_deref(), "{}", case.name);
    }
}

#[test]
fn records_are_scored_as_the_golden_vectors_say() {
    let golden = golden();
    assert!(golden.records.len() > 15);
    for case in &golden.records {
        let found = golden.save(&case.change).and_then(|save| score(&save).map_err(|error| error.code()));
        let scored = found.as_ref().ok().map(|(_, score)| (score.millis, score.moves));
        assert_eq!((found.as_ref().err().copied(), scored), (case.refused.as_deref(), case.score), "{}", case.name);
        let board = found.ok().map(|(kind, _)| json!([kind.rows, kind.cols, kind.wrap_rows, kind.wrap_cols]));
        assert_eq!(board, case.board, "{}", case.name);
    }
}

#[test]
fn games_are_the_same_as_the_golden_vectors_say() {
    let golden = golden();
    for pair in &golden.same {
        let (one, other) = (golden.save(&pair.one).unwrap(), golden.save(&pair.other).unwrap());
        assert_eq!((one.is_same_game(&other), other.is_same_game(&one)), (pair.same, pair.same), "{}", pair.name);
    }
}

#[test]
fn standings_are_as_the_golden_vectors_say() {
    for ranking in golden().standings {
        let scores: Vec<Score> = ranking.scores.iter().map(|&(millis, moves)| Score { millis, moves }).collect();
        assert_eq!(serde_json::to_value(Standing::of(&scores)).unwrap(), ranking.standing, "{}", ranking.name);
    }
}

//! Properties of a board that need no solution: whether it can be solved, and each heuristic's estimate.

use std::{borrow::Cow, collections::BTreeMap};

use pintu_search::{Control, Heuristic, Limits, Stop};
use pintu_solver::{
    PatternSum,
    internals::{Pattern, budget},
};
use pintu_tiles::{
    Board as _, BuildError, Bytes, Line, LinearConflict, NotApplicable, Puzzle, TileSpace, WalkingDistance, euclidean,
    manhattan, misplaced,
};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use crate::{
    Algorithm, HeuristicName, Request, RequestError,
    solve::{small_tables, solve},
    trace::names,
};

/// Whether a board can be solved, as it is written to JSON.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Check {
    /// `solvable` or `unsolvable`.
    pub status: &'static str,
    /// Why, or why not.
    pub reason: String,
    /// Two tiles that repair it if they change places.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub swap: Option<[u8; 2]>,
}

impl Check {
    pub fn is_solvable(&self) -> bool {
        self.status == SOLVABLE
    }
}

const SOLVABLE: &str = "solvable";

/// Whether a board can be solved, why, and what would repair it.
pub fn check(puzzle: &Puzzle) -> Check {
    match puzzle.solvable() {
        Ok(reason) => Check { status: SOLVABLE, reason: reason.to_string(), swap: None },
        Err(reason) => Check { status: "unsolvable", reason: reason.to_string(), swap: puzzle.repairing_swap() },
    }
}

/// Each heuristic's estimate of a board, as it is written to JSON.
#[derive(Clone, Debug, Serialize)]
pub struct Examination {
    /// The estimates, and the parts of which each is the sum.
    pub heuristics: BTreeMap<&'static str, Value>,
    /// Why the other heuristics have no estimate.
    pub refused: BTreeMap<&'static str, String>,
    /// The same reasons as codes for programs.
    pub refusals: BTreeMap<&'static str, Refusal>,
    /// The fewest moves that solve it, where they can be found.
    pub distance: Option<usize>,
    pub solvable: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// The packing used here, for boards of any size.
type Any = Bytes<256>;

/// Computes every heuristic's estimate for the board of a request, and searches for its distance from the goal, within
/// the limits of the request and the control. The request's algorithm is ignored.
pub fn examine(request: &Request, control: &Control) -> Examination {
    let puzzle = &request.puzzle;
    let part = control.part(request.limits);
    let reason = puzzle.solvable().err().map(|reason| reason.to_string());
    let mut found = Examination {
        heuristics: BTreeMap::new(),
        refused: BTreeMap::new(),
        refusals: BTreeMap::new(),
        distance: None,
        solvable: reason.is_none(),
        reason,
    };
    let start = Any::pack(&puzzle.canonical_start());
    // On a line, a board that cannot be solved is in no table.
    let is_line = puzzle.size().rows() == 1 || puzzle.size().cols() == 1;
    for heuristic in HeuristicName::ALL {
        let said = match heuristic {
            HeuristicName::None => continue,
            HeuristicName::Network | HeuristicName::Tables | HeuristicName::Disorder => {
                unreachable!("no request can name what guides beams")
            }
            HeuristicName::Misplaced => Ok(per_tile(misplaced(puzzle).parts(&start).map(f64::from))),
            HeuristicName::Euclidean => crow_flies(puzzle, &start).map_err(Refusal::from),
            HeuristicName::Manhattan => Ok(per_tile(manhattan(puzzle).parts(&start).map(f64::from))),
            HeuristicName::LinearConflict => conflicts(puzzle, &start).map_err(Refusal::from),
            HeuristicName::WalkingDistance if found.solvable || !is_line => walked(puzzle, &start, &part),
            HeuristicName::Pattern if found.solvable => {
                let time = part.time_left().map(|time| time / 2);
                groups(request, &start, &part.part(Limits::none().time(time)))
            }
            HeuristicName::WalkingDistance | HeuristicName::Pattern => Err(Refusal::unsolvable()),
        };
        found.note(heuristic, said);
    }
    found.distance = distance(request, &part).filter(|_| found.solvable);
    found
}

impl Examination {
    fn note(&mut self, heuristic: HeuristicName, said: Result<Value, Refusal>) {
        match said {
            Ok(value) => drop(self.heuristics.insert(heuristic.name(), value)),
            Err(refusal) => {
                self.refused.insert(heuristic.name(), refusal.reason.clone());
                self.refusals.insert(heuristic.name(), refusal);
            }
        }
    }
}

/// Why a heuristic has no estimate for a board: a code, so that programs can say it in any language, and a sentence.
#[derive(Clone, Debug, Serialize)]
pub struct Refusal {
    /// `wraps`, `unsolvable`, `too-large`, `limit-` with the limit's name, as in `limit-memory`, or `other` for reasons
    /// without a code.
    pub code: Cow<'static, str>,
    /// The most cells of a board for the heuristic, if that is the reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub most_cells: Option<usize>,
    #[serde(skip)]
    pub reason: String,
}

impl Refusal {
    fn new(code: impl Into<Cow<'static, str>>, reason: &impl ToString) -> Self {
        Self { code: code.into(), most_cells: None, reason: reason.to_string() }
    }

    fn unsolvable() -> Self {
        Self::new("unsolvable", &"it counts moves to the goal, and no moves lead there")
    }

    /// A limit was reached while its tables were made.
    fn limit(why: Stop) -> Self {
        let name = why.name();
        Self::new(format!("limit-{name}"), &format_args!("its tables could not be made within the limits: {name}"))
    }
}

impl From<NotApplicable> for Refusal {
    fn from(error: NotApplicable) -> Self {
        let code = match error {
            NotApplicable::Wraps { .. } => "wraps",
            NotApplicable::TableTooLarge { .. } => "too-large",
            _ => "other",
        };
        Self::new(code, &error)
    }
}

impl From<RequestError> for Refusal {
    fn from(error: RequestError) -> Self {
        match error {
            RequestError::NotApplicable(error) => error.into(),
            RequestError::Stopped(why) => Self::limit(why),
            RequestError::Pattern(_) => {
                Self { most_cells: Some(Pattern::MOST_CELLS), ..Self::new("too-large", &error) }
            }
            other => Self::new("other", &other),
        }
    }
}

/// A number for each cell, and their sum rounded down.
fn per_tile(parts: impl Iterator<Item = f64>) -> Value {
    let parts: Vec<f64> = parts.collect();
    // A sum of roots is rounded as the heuristic rounds it; sums of whole numbers are exact.
    let value = parts.iter().sum::<f64>() as u32;
    let tiles: Vec<Value> =
        parts.iter().map(|&part| if part.fract() == 0.0 { json!(part as u32) } else { json!(part) }).collect();
    json!({ "value": value, "tiles": tiles })
}

fn crow_flies(puzzle: &Puzzle, start: &Any) -> Result<Value, NotApplicable> {
    let heuristic = euclidean(puzzle)?;
    let mut said = per_tile(heuristic.parts(start).map(pintu_tiles::Fixed::value));
    said["value"] = json!(estimate(&heuristic, start));
    Ok(said)
}

fn conflicts(puzzle: &Puzzle, start: &Any) -> Result<Value, NotApplicable> {
    let (heuristic, names) = (LinearConflict::new(puzzle)?, names(puzzle));
    let conflicts: Vec<Value> = heuristic
        .conflicts(start)
        .iter()
        .map(|conflict| {
            let line = match conflict.line {
                Line::Row => "row",
                Line::Col => "col",
            };
            json!({ "line": line, "index": conflict.index, "tiles": conflict.tiles.map(|tile| names[tile]) })
        })
        .collect();
    Ok(json!({ "value": estimate(&heuristic, start), "conflicts": conflicts }))
}

fn walked(puzzle: &Puzzle, start: &Any, control: &Control) -> Result<Value, Refusal> {
    match WalkingDistance::under(puzzle, control) {
        Ok((heuristic, _hold)) => {
            let memo = Heuristic::<TileSpace<Any>>::start(&heuristic, start);
            let [rows, cols] = heuristic.parts(memo);
            Ok(json!({ "value": rows + cols, "rows": rows, "cols": cols }))
        }
        Err(BuildError::NotApplicable(error)) => Err(error.into()),
        Err(BuildError::Stopped(why)) => Err(Refusal::limit(why)),
    }
}

fn groups(request: &Request, start: &Any, control: &Control) -> Result<Value, Refusal> {
    let (tables, _hold) = small_tables(request, control)?;
    let (heuristic, names) = (PatternSum::new(&request.puzzle, &tables), names(&request.puzzle));
    let group = |(tiles, moves): (Vec<usize>, u8)| json!({ "tiles": tiles.iter().map(|&tile| names[tile]).collect::<Vec<_>>(), "value": moves });
    let groups: Vec<Value> = heuristic.groups(start).into_iter().map(group).collect();
    Ok(json!({ "value": estimate(&heuristic, start), "groups": groups }))
}

fn estimate(heuristic: &impl Heuristic<TileSpace<Any>>, start: &Any) -> Option<u32> {
    heuristic.estimate(heuristic.start(start))
}

/// The fewest moves, for boards so small that they can be found.
fn distance(request: &Request, control: &Control) -> Option<usize> {
    if request.puzzle.size().cells() > budget::SURE_CELLS {
        return None;
    }
    let asked = Request {
        algorithm: Algorithm::Auto,
        heuristic: None,
        weight: None,
        limits: Limits::default(),
        ..request.clone()
    };
    let answer = solve(&asked, control).ok()?;
    answer.is_optimal().then(|| answer.moves().map_or(0, pintu_tiles::Moves::len))
}

#[cfg(test)]
mod tests {
    use pintu_tiles::{Arrangement, NamedGoal, Size, Topology};

    use super::*;
    use crate::fixtures::puzzle;

    fn request(board: &str) -> Request {
        Request::new(puzzle(board), Algorithm::Auto)
    }

    fn examined(board: &str) -> Examination {
        examine(&request(board), &Control::unlimited())
    }

    #[test]
    fn every_heuristic_says_what_a_search_with_it_begins_with() {
        let found = examined("8 1 3 4 0 2 7 6 5");
        let value = |name: &str| found.heuristics[name]["value"].as_u64().unwrap();
        assert_eq!(value("manhattan"), 10);
        assert_eq!(found.heuristics["manhattan"]["tiles"], json!([3, 1, 0, 0, 0, 2, 0, 2, 2]));
        assert_eq!((value("misplaced"), &found.heuristics["misplaced"]["tiles"][0]), (5, &json!(1)));
        assert_eq!(found.distance, Some(14));
        for name in ["euclidean", "linear-conflict", "walking-distance", "pattern"] {
            assert!(value(name) <= 14, "{name}");
        }
        let walked = &found.heuristics["walking-distance"];
        assert_eq!(walked["rows"].as_u64().unwrap() + walked["cols"].as_u64().unwrap(), value("walking-distance"));
        let groups = found.heuristics["pattern"]["groups"].as_array().unwrap().clone();
        assert_eq!(groups.iter().map(|group| group["value"].as_u64().unwrap()).sum::<u64>(), value("pattern"));
        let mut tiles: Vec<u64> = groups
            .iter()
            .flat_map(|group| group["tiles"].as_array().unwrap())
            .map(|tile| tile.as_u64().unwrap())
            .collect();
        tiles.sort_unstable();
        assert_eq!(tiles, (1..9).collect::<Vec<u64>>(), "every tile is in one group");
        assert!(found.solvable && found.refused.is_empty(), "{:?}", found.refused);
    }

    #[test]
    fn conflicts_are_named_as_the_user_names_tiles() {
        let found = examined("2 1 3 4 5 6 8 7 0");
        let conflicts = &found.heuristics["linear-conflict"]["conflicts"];
        assert_eq!(conflicts[0], json!({ "line": "row", "index": 0, "tiles": [2, 1] }));
        assert_eq!(conflicts[1], json!({ "line": "row", "index": 2, "tiles": [8, 7] }));
        assert_eq!(found.heuristics["linear-conflict"]["value"], json!(8));
    }

    #[test]
    fn what_does_not_apply_is_refused_with_the_reason() {
        let plain = puzzle("1 2 3 4 5 6 0 7 8");
        let around = Topology::wrapped(plain.size(), [2], []).unwrap();
        let wrapped = Puzzle::new(around, plain.start().clone(), plain.goal().clone()).unwrap();
        let found = examine(&Request::new(wrapped, Algorithm::Auto), &Control::unlimited());
        for name in ["euclidean", "linear-conflict", "walking-distance"] {
            assert!(found.refused[name].contains("wraps"), "{name}");
            assert_eq!(found.refusals[name].code, "wraps", "{name}");
        }
        assert!(found.heuristics.contains_key("manhattan") && found.distance == Some(2));
    }

    #[test]
    fn an_impossible_board_is_explained_and_repaired() {
        let request = request("1 2 3 4 5 6 8 7 0");
        let said = check(&request.puzzle);
        assert_eq!((said.status, said.swap), ("unsolvable", Some([8, 7])));
        let found = examine(&request, &Control::unlimited());
        assert!(!found.solvable && found.distance.is_none() && found.reason.is_some());
        assert_eq!(found.refusals["pattern"].code, "unsolvable");
        assert!(found.refused.contains_key("pattern") && found.heuristics.contains_key("manhattan"));
    }

    #[test]
    fn a_refusal_has_a_code_and_the_bound_that_it_is_about() {
        let rest: Vec<String> = (4..64).map(|tile| tile.to_string()).collect();
        let found = examined(&format!("2 3 1 {} 0", rest.join(" ")));
        let refusal = &found.refusals["pattern"];
        assert_eq!((refusal.code.as_ref(), refusal.most_cells), ("too-large", Some(63)));
        assert_eq!(found.refused["pattern"], refusal.reason);
        let tight = Limits::none().memory(1 << 10);
        let tight = examine(&Request { limits: tight, ..request("8 1 3 4 0 2 7 6 5") }, &Control::unlimited());
        assert_eq!(tight.refusals["pattern"].code, "limit-memory");
        assert_eq!(json!(tight.refusals["pattern"]), json!({ "code": "limit-memory" }));
    }

    #[test]
    fn a_line_that_cannot_be_sorted_is_examined() {
        for tiles in [&[2_u32, 1, 3, 0][..], &[2, 1, 0]] {
            for (rows, cols) in [(1, tiles.len()), (tiles.len(), 1)] {
                let size = Size::new(rows, cols).unwrap();
                let start = Arrangement::new(size, tiles).unwrap();
                let puzzle = Puzzle::new(Topology::plain(size), start, NamedGoal::Standard.on(size)).unwrap();
                let found = examine(&Request::new(puzzle, Algorithm::Auto), &Control::unlimited());
                assert!(!found.solvable && found.refused.contains_key("walking-distance"));
            }
        }
    }
}

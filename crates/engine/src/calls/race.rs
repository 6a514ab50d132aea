use std::sync::OnceLock;

use pintu_search::Control;
use pintu_tiles::{Notation, Puzzle, Scrambler};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Board, CallBounds, CallError, NothingElse, SearchBody, field, parsed, weight};
use crate::{Averages, Contestant, Fair, Race, RaceRow, Request, RequestError, Series};

#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct RaceBody {
    #[serde(flatten)]
    board: Board,
    #[serde(flatten)]
    search: SearchBody,
    contestants: Vec<Entry>,
    fair: Option<Fair>,
    growth: Option<bool>,
    scrambles: Option<Scrambles>,
    #[serde(flatten)]
    #[schemars(skip)]
    _rest: NothingElse,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Entry {
    algorithm: String,
    heuristic: Option<String>,
    weight: Option<f64>,
    max_depth: Option<u32>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Scrambles {
    count: usize,
    seed: u64,
}

#[derive(Debug)]
pub struct RaceRequest {
    pub request: Request,
    pub entrants: Vec<Contestant>,
    pub fair: Fair,
    pub growth: bool,
    /// For averages: the boards, and the seed that they were made with.
    pub boards: Option<(Vec<Puzzle>, u64)>,
}

impl RaceRequest {
    /// The race, whose time begins now.
    pub fn race(&self, control: &Control) -> Result<Race, RequestError> {
        let race = Race::new(&self.request, &self.entrants, self.fair, control)?;
        Ok(if self.growth { race.with_growth() } else { race })
    }
}

impl RaceBody {
    pub fn request(self, bounds: &CallBounds) -> Result<RaceRequest, CallError> {
        let (entries, most) = (self.contestants.len(), bounds.contestants);
        if entries == 0 || entries > most {
            return Err(field("contestants", format!("found {entries}, expected 1 to {most}")));
        }
        if self.search.algorithm.is_some() {
            return Err(field("algorithm", "found it for a race, expected contestants"));
        }
        let growth = self.growth.unwrap_or(false);
        let (puzzle, boards) = match self.scrambles {
            None => (self.board.puzzle()?, None),
            Some(_) if growth => return Err(field("growth", "found it beside scrambles, expected one of them")),
            Some(scrambles) => {
                let seed = scrambles.seed;
                let boards = scrambles.boards(self.board, bounds.scrambles)?;
                (boards[0].clone(), Some((boards, seed)))
            }
        };
        let entrants =
            (0..).zip(self.contestants).map(|(index, entry)| entry.entrant(index)).collect::<Result<_, _>>()?;
        Ok(RaceRequest {
            request: self.search.request(puzzle, bounds)?,
            entrants,
            fair: self.fair.unwrap_or_default(),
            growth,
            boards,
        })
    }
}

impl Scrambles {
    fn boards(&self, board: Board, most: usize) -> Result<Vec<Puzzle>, CallError> {
        if self.count == 0 || self.count > most {
            return Err(field("scrambles.count", format!("found {}, expected 1 to {most}", self.count)));
        }
        let (topology, goal) = board.without_tiles()?;
        let mut scrambler = Scrambler::new(topology, goal.clone(), self.seed);
        let puzzle = |_| Puzzle::new(topology, scrambler.uniform(), goal.clone());
        (0..self.count).map(puzzle).collect::<Result<_, _>>().map_err(|error| field("goal", error))
    }
}

impl Entry {
    fn entrant(self, index: usize) -> Result<Contestant, CallError> {
        let name = |part: &str| format!("contestants[{index}].{part}");
        Ok(Contestant {
            algorithm: self.algorithm.parse().map_err(|error| field(&name("algorithm"), error))?,
            heuristic: parsed(self.heuristic, &name("heuristic"))?,
            weight: weight(self.weight, &name("weight"))?,
            max_depth: self.max_depth,
        })
    }
}

/// A running race, whose progress other threads can read.
#[derive(Default)]
pub struct RunningRace(OnceLock<RaceOrSeries>);

enum RaceOrSeries {
    Race(Race),
    Series(Series),
}

impl RunningRace {
    /// Each contestant's progress; `None` before it has begun.
    pub fn rows(&self) -> Option<Vec<RaceRow>> {
        Some(match self.0.get()? {
            RaceOrSeries::Race(race) => race.rows(),
            RaceOrSeries::Series(series) => series.rows(),
        })
    }

    /// Runs a race, whose time begins now, or a series of them; the answers are those of the command line.
    pub fn run(&self, request: &RaceRequest, control: &Control) -> Result<Value, CallError> {
        let made = match &request.boards {
            None => RaceOrSeries::Race(request.race(control)?),
            Some((boards, _)) => {
                RaceOrSeries::Series(Series::new(&request.request, boards.clone(), &request.entrants, request.fair)?)
            }
        };
        match self.0.get_or_init(|| made) {
            RaceOrSeries::Race(race) => {
                let finishes = race.run()?;
                Ok(values(finishes.iter().map(|finish| finish.record(Notation::Blank))))
            }
            RaceOrSeries::Series(series) => {
                let seed = request.boards.as_ref().map_or(0, |(_, seed)| *seed);
                let entries = series.run(control)?;
                Ok(values(entries.iter().map(|entry| Averages { summary: entry.summary(), seed })))
            }
        }
    }
}

/// Records as a JSON array.
pub fn values(records: impl Iterator<Item = impl Serialize>) -> Value {
    Value::Array(records.filter_map(|record| serde_json::to_value(record).ok()).collect())
}

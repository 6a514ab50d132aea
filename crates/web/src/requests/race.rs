use pintu_engine::{Contestant, Fair, Race, Request, RequestError};
use pintu_search::Control;
use pintu_tiles::{Puzzle, Scrambler};
use serde::Deserialize;

use super::{Board, NothingElse, SearchBody, field, parsed, weight};
use crate::{config::Config, error::ApiError};

#[derive(Debug, Deserialize)]
pub(crate) struct RaceBody {
    #[serde(flatten)]
    board: Board,
    #[serde(flatten)]
    search: SearchBody,
    contestants: Vec<Entry>,
    fair: Option<Fair>,
    growth: Option<bool>,
    scrambles: Option<Scrambles>,
    #[serde(flatten)]
    _rest: NothingElse,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    algorithm: String,
    heuristic: Option<String>,
    weight: Option<f64>,
    max_depth: Option<u32>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Scrambles {
    count: usize,
    seed: u64,
}

#[derive(Debug)]
pub(crate) struct RaceRequest {
    pub(crate) request: Request,
    pub(crate) entrants: Vec<Contestant>,
    pub(crate) fair: Fair,
    pub(crate) growth: bool,
    /// For averages: the boards, and the seed that they were made with.
    pub(crate) boards: Option<(Vec<Puzzle>, u64)>,
}

impl RaceRequest {
    /// The race, whose time begins now.
    pub(crate) fn race(&self, control: &Control) -> Result<Race, RequestError> {
        let race = Race::new(&self.request, &self.entrants, self.fair, control)?;
        Ok(if self.growth { race.with_growth() } else { race })
    }
}

impl RaceBody {
    pub(crate) fn request(self, config: &Config) -> Result<RaceRequest, ApiError> {
        let (entries, most) = (self.contestants.len(), config.bounds.contestants);
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
                let boards = scrambles.boards(self.board, config.bounds.scrambles)?;
                (boards[0].clone(), Some((boards, seed)))
            }
        };
        let entrants =
            (0..).zip(self.contestants).map(|(index, entry)| entry.entrant(index)).collect::<Result<_, _>>()?;
        Ok(RaceRequest {
            request: self.search.request(puzzle, config)?,
            entrants,
            fair: self.fair.unwrap_or_default(),
            growth,
            boards,
        })
    }
}

impl Scrambles {
    fn boards(&self, board: Board, most: usize) -> Result<Vec<Puzzle>, ApiError> {
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
    fn entrant(self, index: usize) -> Result<Contestant, ApiError> {
        let name = |part: &str| format!("contestants[{index}].{part}");
        Ok(Contestant {
            algorithm: self.algorithm.parse().map_err(|error| field(&name("algorithm"), error))?,
            heuristic: parsed(self.heuristic, &name("heuristic"))?,
            weight: weight(self.weight, &name("weight"))?,
            max_depth: self.max_depth,
        })
    }
}

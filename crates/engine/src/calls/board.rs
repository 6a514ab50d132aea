use pintu_tiles::{Arrangement, NamedGoal, Puzzle, Size, StartAndGoal, Topology, read_board, read_start_and_goal};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{CallError, field};

/// A board and its goal: as numbers, or as text in any form that the command line reads.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Board {
    rows: Option<usize>,
    cols: Option<usize>,
    tiles: Option<Vec<u32>>,
    text: Option<String>,
    goal: Option<Vec<u32>>,
    goal_text: Option<String>,
    wrap_rows: Option<Vec<usize>>,
    wrap_cols: Option<Vec<usize>>,
}

impl Board {
    pub fn puzzle(self) -> Result<Puzzle, CallError> {
        let size = self.size()?;
        let StartAndGoal { start, goal } = match (&self.tiles, &self.text) {
            (Some(tiles), None) => {
                let size = size.ok_or_else(|| field("rows and cols", "found no size, expected both beside tiles"))?;
                let start = Arrangement::new(size, tiles).map_err(|error| field("tiles", error))?;
                StartAndGoal { start, goal: None }
            }
            (None, Some(text)) => read_start_and_goal(text, size).map_err(|error| field("text", error))?,
            (Some(_), Some(_)) => return Err(field("tiles", "found text beside it, expected one of them")),
            (None, None) => return Err(field("tiles", "found neither tiles nor text, expected one of them")),
        };
        let size = start.size();
        let goal = match goal {
            Some(_) if self.goal.is_some() || self.goal_text.is_some() => {
                return Err(field("goal", "found a goal in the text, too, expected one of them"));
            }
            Some(goal) => goal,
            None => self.goal(size)?,
        };
        Puzzle::new(self.topology(size)?, start, goal).map_err(|error| field("goal", error))
    }

    /// A board without tiles and its goal, for scrambles.
    pub fn without_tiles(self) -> Result<(Topology, Arrangement), CallError> {
        if self.tiles.is_some() || self.text.is_some() {
            return Err(field("scrambles", "found a board beside them, expected its rows and cols alone"));
        }
        let size = self.size()?.ok_or_else(|| field("rows and cols", "found no size, expected both"))?;
        Ok((self.topology(size)?, self.goal(size)?))
    }

    fn size(&self) -> Result<Option<Size>, CallError> {
        match (self.rows, self.cols) {
            (Some(rows), Some(cols)) => Size::new(rows, cols).map(Some).map_err(|error| field("rows and cols", error)),
            (None, None) => Ok(None),
            _ => Err(field("rows and cols", "found one of them, expected both or neither")),
        }
    }

    fn topology(&self, size: Size) -> Result<Topology, CallError> {
        let lines = |lines: &Option<Vec<usize>>| lines.clone().unwrap_or_default();
        Topology::wrapped(size, lines(&self.wrap_rows), lines(&self.wrap_cols)).map_err(|error| field("wraps", error))
    }

    fn goal(&self, size: Size) -> Result<Arrangement, CallError> {
        match (&self.goal, &self.goal_text) {
            (None, None) => Ok(NamedGoal::Standard.on(size)),
            (Some(tiles), None) => Arrangement::new(size, tiles).map_err(|error| field("goal", error)),
            (None, Some(text)) => match NamedGoal::from_name(text.trim()) {
                Some(named) => Ok(named.on(size)),
                None => read_board(text, Some(size)).map_err(|error| field("goal_text", error)),
            },
            (Some(_), Some(_)) => Err(field("goal", "found goal_text beside it, expected one of them")),
        }
    }
}

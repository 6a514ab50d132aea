use std::{fmt, str::FromStr};

use crate::{Cell, Diagonal, Map, scale::Scale};

/// An estimate of the way that is left, from the distances in rows and columns alone, times the cost of
/// the cheapest ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Heuristic {
    /// Zero.
    None,
    /// Rows plus columns.
    Manhattan,
    /// The straight line.
    Euclidean,
    /// The larger of rows and columns.
    Chebyshev,
    /// As many diagonals as possible, then straight.
    Octile,
}

impl Heuristic {
    /// All heuristics.
    pub const ALL: [Self; 5] = [Self::Manhattan, Self::Euclidean, Self::Chebyshev, Self::Octile, Self::None];

    /// The best one for a way of moving.
    pub fn for_movement(diagonal: Diagonal) -> Self {
        if diagonal == Diagonal::Never { Self::Manhattan } else { Self::Octile }
    }

    /// Why the heuristic overestimates under a way of moving, if it does.
    pub fn overestimates(self, diagonal: Diagonal) -> Option<&'static str> {
        let too_much = self == Self::Manhattan && diagonal != Diagonal::Never;
        too_much.then_some(
            "the Manhattan distance counts a diagonal step as two, and it costs only √2: with diagonal movement it \
             overestimates, and the path found need not be the cheapest",
        )
    }

    const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Manhattan => "manhattan",
            Self::Euclidean => "euclidean",
            Self::Chebyshev => "chebyshev",
            Self::Octile => "octile",
        }
    }
}

impl fmt::Display for Heuristic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Heuristic {
    type Err = HeuristicError;

    fn from_str(text: &str) -> Result<Self, HeuristicError> {
        Self::ALL.into_iter().find(|heuristic| heuristic.name() == text).ok_or_else(|| HeuristicError(text.to_owned()))
    }
}

/// A text that names no heuristic for maps.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("found `{0}`, expected manhattan, euclidean, chebyshev, octile or none")]
pub struct HeuristicError(String);

/// What a search asks for: the estimate at a place, in the search's integers.
pub(crate) trait Estimate {
    fn at(&self, cell: Cell) -> u64;
}

/// The heuristic that knows nothing.
pub(crate) struct Blind;

impl Estimate for Blind {
    #[inline]
    fn at(&self, _: Cell) -> u64 {
        0
    }
}

/// The octile distance to one goal; with four-way movement, the Manhattan distance.
pub(crate) struct Reach {
    goal: Cell,
    straight: u64,
    /// What a step in the shorter direction adds: a diagonal less a straight one, or a straight one.
    turn: u64,
}

impl Reach {
    pub(crate) fn new(map: &Map, scale: Scale, goal: Cell) -> Self {
        let least = u64::from(map.least_cost);
        let straight = scale.straight * least;
        let turn = if map.diagonal == Diagonal::Never { straight } else { scale.diagonal * least - straight };
        Self { goal, straight, turn }
    }
}

impl Estimate for Reach {
    #[inline]
    fn at(&self, cell: Cell) -> u64 {
        let (rows, cols) = (cell.row.abs_diff(self.goal.row), cell.col.abs_diff(self.goal.col));
        u64::from(rows.max(cols)) * self.straight + u64::from(rows.min(cols)) * self.turn
    }
}

/// Any heuristic, to the nearest of any number of goals.
pub(crate) struct Nearest<'a> {
    heuristic: Heuristic,
    goals: &'a [Cell],
    straight: u64,
    diagonal: u64,
}

impl<'a> Nearest<'a> {
    pub(crate) fn new(map: &Map, scale: Scale, heuristic: Heuristic, goals: &'a [Cell]) -> Self {
        let least = u64::from(map.least_cost);
        // Four-way movement has no number for diagonals; the estimate may still count them, rounded down.
        let diagonal = if scale.diagonal == 0 { scale.straight } else { scale.diagonal };
        Self { heuristic, goals, straight: scale.straight * least, diagonal: diagonal * least }
    }

    fn to(&self, cell: Cell, goal: Cell) -> u64 {
        let (rows, cols) = (u64::from(cell.row.abs_diff(goal.row)), u64::from(cell.col.abs_diff(goal.col)));
        let (more, less) = (rows.max(cols), rows.min(cols));
        match self.heuristic {
            Heuristic::None => 0,
            Heuristic::Manhattan => (rows + cols) * self.straight,
            Heuristic::Chebyshev => more * self.straight,
            Heuristic::Octile if self.diagonal == self.straight => {
                round_down(((more - less) as f64 + less as f64 * std::f64::consts::SQRT_2) * self.straight as f64)
            }
            Heuristic::Octile => (more - less) * self.straight + less * self.diagonal,
            Heuristic::Euclidean => round_down(((rows * rows + cols * cols) as f64).sqrt() * self.straight as f64),
        }
    }
}

impl Estimate for Nearest<'_> {
    #[inline]
    fn at(&self, cell: Cell) -> u64 {
        match self.goals {
            [goal] => self.to(cell, *goal),
            goals => goals.iter().map(|&goal| self.to(cell, goal)).min().unwrap_or(0),
        }
    }
}

/// Down to a whole number, and past what rounding may have added before.
fn round_down(value: f64) -> u64 {
    (value * (1.0 - 4.0 * f64::EPSILON)) as u64
}

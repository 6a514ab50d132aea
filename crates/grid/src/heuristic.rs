use crate::{Cell, Diagonal, Map, scale::Number};

/// An estimate of the remaining length from the distances in rows and columns alone, times the cost of the cheapest
/// terrain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
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

    /// The best heuristic for a corner rule.
    pub fn for_movement(diagonal: Diagonal) -> Self {
        if diagonal == Diagonal::Never { Self::Manhattan } else { Self::Octile }
    }

    /// Why the heuristic overestimates under a corner rule, if it does.
    pub fn overestimates(self, diagonal: Diagonal) -> Option<&'static str> {
        let too_much = self == Self::Manhattan && diagonal != Diagonal::Never;
        too_much.then_some(
            "the Manhattan distance counts a diagonal step as two, and it costs only √2: with diagonal movement it \
             overestimates, and the path found need not be the cheapest",
        )
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Manhattan => "manhattan",
            Self::Euclidean => "euclidean",
            Self::Chebyshev => "chebyshev",
            Self::Octile => "octile",
        }
    }
}

named!(
    Heuristic,
    HeuristicError,
    "heuristic for maps",
    "found `{0}`, expected manhattan, euclidean, chebyshev, octile or none"
);

/// The estimate at a cell, in a search's integers.
pub(crate) trait CellEstimate<N> {
    fn at(&self, cell: Cell) -> N;
}

/// The zero heuristic.
pub(crate) struct Blind;

impl<N: Number> CellEstimate<N> for Blind {
    #[inline]
    fn at(&self, _: Cell) -> N {
        N::ZERO
    }
}

/// The octile distance to one goal; with four-way movement, the Manhattan distance.
pub(crate) struct Reach<N> {
    goal: Cell,
    straight: N,
    /// The number that a step in the shorter direction adds: a diagonal less a straight one, or a straight one.
    turn: N,
}

impl<N: Number> Reach<N> {
    pub(crate) fn new(map: &Map, goal: Cell) -> Self {
        let [straight, diagonal] = units::<N>(map);
        let turn = if map.diagonal == Diagonal::Never { straight } else { diagonal - straight };
        Self { goal, straight: N::new(straight), turn: N::new(turn) }
    }
}

impl<N: Number> CellEstimate<N> for Reach<N> {
    #[inline]
    fn at(&self, cell: Cell) -> N {
        let (rows, cols) = (cell.row.abs_diff(self.goal.row), cell.col.abs_diff(self.goal.col));
        self.straight.times(rows.max(cols)).plus(self.turn.times(rows.min(cols)))
    }
}

/// Any heuristic, to the nearest of any number of goals.
pub(crate) struct Nearest<'a, N> {
    heuristic: Heuristic,
    goals: &'a [Cell],
    straight: N,
    diagonal: N,
}

impl<'a, N: Number> Nearest<'a, N> {
    pub(crate) fn new(map: &Map, heuristic: Heuristic, goals: &'a [Cell]) -> Self {
        let [straight, diagonal] = units::<N>(map);
        // Four-way movement has no number for diagonals; the estimate may still count them, rounded down.
        let diagonal = if map.diagonal == Diagonal::Never { straight } else { diagonal };
        Self { heuristic, goals, straight: N::new(straight), diagonal: N::new(diagonal) }
    }

    fn to(&self, cell: Cell, goal: Cell) -> N {
        let (rows, cols) = (cell.row.abs_diff(goal.row), cell.col.abs_diff(goal.col));
        let (more, less) = (rows.max(cols), rows.min(cols));
        let straights = |count: f64| round_down(count * self.straight.get() as f64);
        match self.heuristic {
            Heuristic::None => N::ZERO,
            Heuristic::Manhattan => self.straight.times(rows + cols),
            Heuristic::Chebyshev => self.straight.times(more),
            Heuristic::Octile if self.diagonal == self.straight && less > 0 => {
                straights(f64::from(more - less) + f64::from(less) * std::f64::consts::SQRT_2)
            }
            Heuristic::Octile => self.straight.times(more - less).plus(self.diagonal.times(less)),
            Heuristic::Euclidean => {
                let (rows, cols) = (u64::from(rows), u64::from(cols));
                let distance = ((rows * rows + cols * cols) as f64).sqrt();
                // A whole distance is exact; any other is irrational.
                if distance.fract() == 0.0 { self.straight.times(distance as u32) } else { straights(distance) }
            }
        }
    }
}

impl<N: Number> CellEstimate<N> for Nearest<'_, N> {
    #[inline]
    fn at(&self, cell: Cell) -> N {
        match self.goals {
            [goal] => self.to(cell, *goal),
            goals => goals.iter().map(|&goal| self.to(cell, goal)).min().unwrap_or(N::ZERO),
        }
    }
}

/// To one goal, or to the nearest of several: one search for both, where an estimate is a small part of the work.
pub(crate) enum Either<'a, N> {
    One(Reach<N>),
    Several(Nearest<'a, N>),
}

impl<N: Number> CellEstimate<N> for Either<'_, N> {
    #[inline]
    fn at(&self, cell: Cell) -> N {
        match self {
            Self::One(goal) => goal.at(cell),
            Self::Several(goals) => goals.at(cell),
        }
    }
}

/// The numbers of a straight and of a diagonal step onto the cheapest terrain; less where an estimate across the map would
/// not fit.
fn units<N: Number>(map: &Map) -> [u64; 2] {
    let most = N::MAX / 2 / u64::from(map.rows + map.cols);
    map.scale::<N>().units(map.least_cost).map(|unit| unit.min(most))
}

/// Rounds down to a whole number, by more than rounding may have added before.
fn round_down<N: Number>(value: f64) -> N {
    N::new((value * (1.0 - 4.0 * f64::EPSILON)) as u64)
}

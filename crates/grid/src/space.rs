use std::borrow::Cow;

use pintu_search::{Backward, Cost, Space};

use crate::{
    Cell, Diagonal, Length, Map, QueryError, Step,
    query::{Query, check_cells},
};

/// A map with goals as a space of [`pintu-search`](pintu_search), for queries that a [`Map`] does not answer by itself:
/// the k cheapest paths, every cheapest path, the nearest goals in order, all cells within a distance, your own
/// algorithms.
///
/// States are [`Cell`]s, actions [`Step`]s, and costs exact [`Length`]s. For a single shortest path the map's own methods
/// are many times as fast: they know that it is a grid.
///
/// ```
/// use pintu_grid::{Cell, Diagonal, Length, Map, Terrain};
/// use pintu_search::{cheapest_first, nearest_goals, paths_by_cost};
///
/// let terrain: Terrain = "S..G\n.##.\n...G\n".parse()?;
/// let map = Map::new(&terrain, Diagonal::Never);
/// let space = map.space(&terrain.goals)?;
/// let start = terrain.start.expect("the map has one");
///
/// // All paths without a loop, each to the first goal that it meets, the cheapest first.
/// let left = |cell: &Cell| space.estimate(*cell);
/// let lengths: Vec<Length> = paths_by_cost(&space, &start, left, ()).map(|path| path.cost).collect();
/// assert_eq!(lengths, [3, 5].map(|straight| Length::new(straight, 0)));
///
/// // The goals in the order of their distance.
/// let goals: Vec<Cell> = nearest_goals(&space, &start, ()).map(|goal| goal.path.end(&space)).collect();
/// assert_eq!(goals, [(0, 3), (2, 3)].map(Cell::from));
///
/// // How many cells lie within a distance of 2.
/// let near = cheapest_first(&space, &start, ()).take_while(|&(_, far)| far <= Length::new(2, 0));
/// assert_eq!(near.count(), 5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct MapSpace<'a, C = Length> {
    map: &'a Map,
    /// The goals that are free.
    goals: Cow<'a, [Cell]>,
    /// The goals' numbers, sorted.
    numbers: Cow<'a, [u32]>,
    /// The cost of a step onto a cell that costs that many units.
    price: fn(&Map, Step, u64) -> C,
}

impl Map {
    /// The map with goals as a space to search; without goals, for searches that end otherwise. No step leads away from
    /// a cell that is blocked or not on the map.
    ///
    /// # Errors
    /// A goal that is not on the map. A blocked one is ignored.
    pub fn space(&self, goals: &[Cell]) -> Result<MapSpace<'_>, QueryError> {
        check_cells(self, goals)?;
        let goals: Vec<Cell> = goals.iter().copied().filter(|&cell| self.is_free(cell)).collect();
        let mut numbers: Vec<u32> = goals.iter().map(|&cell| self.index(cell) as u32).collect();
        numbers.sort_unstable();
        let price = |map: &Self, step: Step, cost: u64| map.length_of_step(step, cost);
        Ok(MapSpace { map: self, goals: goals.into(), numbers: numbers.into(), price })
    }
}

impl MapSpace<'_> {
    /// A lower bound of the length to the nearest goal: the Manhattan distance with four-way movement, the octile distance
    /// otherwise, times the cost of the cheapest terrain. It never overestimates.
    pub fn estimate(&self, cell: Cell) -> Length {
        let (map, cost) = (self.map, self.map.least_cost * self.map.unit);
        let left = |goal: &Cell| {
            let (rows, cols) = (cell.row.abs_diff(goal.row), cell.col.abs_diff(goal.col));
            let diagonal = if map.diagonal == Diagonal::Never { 0 } else { rows.min(cols) };
            let straight = u64::from(rows) + u64::from(cols) - 2 * u64::from(diagonal);
            // An estimate that is too large for a length is left out.
            Length::new(straight, diagonal.into()).times(cost).unwrap_or_default()
        };
        self.goals.iter().map(left).min().unwrap_or_default()
    }
}

impl<'a, C> MapSpace<'a, C> {
    /// A question as a space whose steps have the costs that `price` gives.
    pub(crate) fn of(query: Query<'a>, price: fn(&Map, Step, u64) -> C) -> Self {
        Self { map: query.map, goals: query.cells.into(), numbers: query.goals.into(), price }
    }
}

impl<C: Cost> Space for MapSpace<'_, C> {
    type State = Cell;
    type Action = Step;
    type Cost = C;

    fn actions(&self, state: &Cell) -> impl Iterator<Item = Step> {
        self.map.steps(*state).map(|(step, _)| step)
    }

    fn apply(&self, state: &mut Cell, step: &Step) -> C {
        let (row, col) = step.delta();
        *state = state.moved(row, col);
        (self.price)(self.map, *step, self.map.cost_of(self.map.index(*state)))
    }

    fn is_goal(&self, state: &Cell) -> bool {
        self.map.contains(*state) && self.numbers.binary_search(&(self.map.index(*state) as u32)).is_ok()
    }
}

impl<C: Cost> Backward for MapSpace<'_, C> {
    fn goals(&self) -> impl Iterator<Item = Cell> {
        self.goals.iter().copied()
    }

    fn origins(&self, state: &Cell) -> impl Iterator<Item = (Cell, C)> {
        // No step leads from beyond the map, so its cost is not used.
        let cost = if self.map.contains(*state) { self.map.cost_of(self.map.index(*state)) } else { 0 };
        self.map.steps(*state).map(move |(step, cell)| (cell, (self.price)(self.map, step, cost)))
    }
}

use std::borrow::Cow;

use pintu_search::{Backward, Cost, Space};

use crate::{
    Cell, Heuristic, Length, Map, QueryError, Step,
    heuristic::{Estimate, Nearest},
    number::{Huge, Number},
    query::check_cells,
    scale::Scale,
};

/// A map with goals as a space of [`pintu-search`](pintu_search), for what a [`Map`] does not do by itself: the k
/// cheapest paths, every cheapest path, the nearest goals in order, all that lies within a distance, algorithms of one's
/// own.
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
/// let lengths: Vec<Length> = paths_by_cost(&space, &start, &left, ()).map(|path| path.cost).collect();
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
    pub(crate) map: &'a Map,
    /// The goals that are free.
    pub(crate) goals: Cow<'a, [Cell]>,
    /// Their numbers, sorted.
    pub(crate) numbers: Cow<'a, [u32]>,
    /// What a step costs onto ground of so many units.
    pub(crate) price: fn(&Map, Step, u64) -> C,
}

impl Map {
    /// The map with goals as a space to search; without goals, for what ends otherwise. From a cell that is blocked or
    /// not on the map no step leads away.
    ///
    /// # Errors
    /// A goal that is not on the map. One that is blocked is none.
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
    /// What is left to the nearest goal at least: the Manhattan distance with four-way movement, the octile distance
    /// otherwise, times the cost of the cheapest ground. It never overestimates.
    ///
    /// ```
    /// use pintu_grid::{Cell, Diagonal, Map, Terrain};
    /// use pintu_search::astar;
    ///
    /// let map = Map::new(&Terrain::open(50, 50)?, Diagonal::Always);
    /// let space = map.space(&[Cell::new(30, 40)])?;
    /// let found = astar(&space, &Cell::new(0, 0), &|cell: &Cell| space.estimate(*cell), ());
    /// assert_eq!(found.solution().unwrap().cost, map.path((0, 0), (30, 40))?.unwrap().1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn estimate(&self, cell: Cell) -> Length {
        let (map, scale) = (self.map, self.map.scale(Scale::HUGE));
        let heuristic = Heuristic::for_movement(map.diagonal);
        let nearest = Nearest::<Huge>::new(map, scale, heuristic, &self.goals);
        // What is too far to tell is at least no distance at all.
        scale.length(nearest.at(cell).get(), map.unit).unwrap_or_default()
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
        // From what is not on the map no step leads, so that its cost is not asked for.
        let cost = if self.map.contains(*state) { self.map.cost_of(self.map.index(*state)) } else { 0 };
        self.map.steps(*state).map(move |(step, cell)| (cell, (self.price)(self.map, step, cost)))
    }
}

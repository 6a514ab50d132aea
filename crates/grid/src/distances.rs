use pintu_search::{Counters, Observer, Stop};

use crate::{
    Cell, Length, Map, QueryError, Scratch,
    best_first::{Course, End, Total, best_first},
    heuristic::Blind,
    movement::{NOWHERE, Step},
    scale::Scale,
    scratch::{Nodes, Number, is_stamped, step_of},
};

/// Which way the paths of a distance map lead. It matters on terrain, for a step costs what the cell
/// does that it enters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Toward {
    /// From the one cell to all others.
    Others,
    /// From all others to the one cell: a flow field, as tower-defence games use.
    Cell,
}

/// How far every cell of a map is from one of them, and which way the shortest paths lead.
///
/// ```
/// use pintu_grid::{Cell, Diagonal, Map, Scratch, Step, Terrain, Toward};
///
/// let terrain: Terrain = "..#\n.9.\n".parse().unwrap();
/// let map = Map::new(&terrain, Diagonal::Never);
/// let field = map.distances(Cell::new(0, 0), Toward::Cell, &mut Scratch::new(), &mut ()).unwrap().unwrap();
/// assert_eq!(field.length(Cell::new(1, 2)).unwrap().to_string(), "11");
/// assert_eq!(field.step(Cell::new(1, 2)), Some(Step::Left));
/// assert_eq!(field.length(Cell::new(0, 2)), None);
/// ```
#[derive(Clone, Debug)]
pub struct Distances {
    rows: u32,
    cols: u32,
    scale: Scale,
    numbers: Vec<u64>,
    steps: Vec<u8>,
    /// What the search did.
    pub counters: Counters,
}

const UNREACHED: u64 = u64::MAX;

impl Distances {
    /// The number of rows.
    pub fn rows(&self) -> u32 {
        self.rows
    }

    /// The number of columns.
    pub fn cols(&self) -> u32 {
        self.cols
    }

    /// How far the cell is; `None` if there is no path, or it is not on the map.
    pub fn length(&self, cell: Cell) -> Option<Length> {
        let number = self.numbers[self.index(cell)?];
        (number != UNREACHED).then(|| self.scale.decode(number))
    }

    /// With [`Toward::Cell`], the step to take here; with [`Toward::Others`], the step by which a shortest
    /// path arrives here. `None` at the one cell itself and where there is no path.
    pub fn step(&self, cell: Cell) -> Option<Step> {
        Step::ALL.get(usize::from(self.steps[self.index(cell)?])).copied()
    }

    fn index(&self, cell: Cell) -> Option<usize> {
        let inside = cell.row < self.rows && cell.col < self.cols;
        inside.then_some(cell.row as usize * self.cols as usize + cell.col as usize)
    }
}

impl Map {
    /// The distances of all cells from or to one. The inner result tells what stopped the search, if the
    /// observer did.
    pub fn distances(
        &self,
        cell: Cell,
        toward: Toward,
        scratch: &mut Scratch,
        observer: &mut impl Observer<Cell>,
    ) -> Result<Result<Distances, Stop>, QueryError> {
        if !self.contains(cell) {
            return Err(QueryError::Outside { cell, rows: self.rows, cols: self.cols });
        }
        let mut nodes = std::mem::take(&mut scratch.narrow);
        let found = self.spread(cell, toward, self.narrow(), &mut nodes, scratch, observer);
        scratch.narrow = nodes;
        if !matches!(found, Err(Stop::Overflow)) {
            return Ok(found);
        }
        let mut nodes = std::mem::take(&mut scratch.wide);
        let found = self.spread(cell, toward, self.wide(), &mut nodes, scratch, observer);
        scratch.wide = nodes;
        Ok(found)
    }

    fn spread<N: Number>(
        &self,
        cell: Cell,
        toward: Toward,
        scale: Scale,
        nodes: &mut Nodes<N>,
        scratch: &mut Scratch,
        observer: &mut impl Observer<Cell>,
    ) -> Result<Distances, Stop> {
        let mut found = Distances {
            rows: self.rows,
            cols: self.cols,
            scale,
            numbers: vec![UNREACHED; self.rows as usize * self.cols as usize],
            steps: vec![NOWHERE; self.rows as usize * self.cols as usize],
            counters: Counters::default(),
        };
        if !self.is_free(cell) {
            return Ok(found);
        }
        let against = toward == Toward::Cell;
        let course = Course { map: self, scale, from: self.index(cell) as u32, goals: &[], cells: &[], against };
        let queue = &mut scratch.stacks;
        let end =
            best_first::<N, _, _, _, _, false>(course, nodes, queue, &Blind, &Total, observer, &mut found.counters);
        if let End::Stopped { why, .. } = end {
            return Err(why);
        }
        let (nodes, stamp) = nodes.last();
        for row in 0..self.rows {
            for col in 0..self.cols {
                let node = nodes[self.index(Cell::new(row, col))];
                if is_stamped(node.tag, stamp) {
                    let at = row as usize * self.cols as usize + col as usize;
                    found.numbers[at] = node.paid.load();
                    let step = Step::ALL.get(usize::from(step_of(node.tag))).copied();
                    found.steps[at] = step.map_or(NOWHERE, |step| if against { step.back() } else { step } as u8);
                }
            }
        }
        Ok(found)
    }

    /// The cells that can be reached from `from` and are nearest to one of `to` as the crow flies, in
    /// reading order: where to go when the goal itself is cut off.
    pub fn nearest_reachable(&self, from: Cell, to: &[Cell]) -> Vec<Cell> {
        let mut best = u64::MAX;
        let mut nearest = Vec::new();
        if !self.is_free(from) {
            return nearest;
        }
        let piece = self.pieces.of(self.index(from));
        for cell in (0..self.rows).flat_map(|row| (0..self.cols).map(move |col| Cell::new(row, col))) {
            if self.pieces.of(self.index(cell)) != piece {
                continue;
            }
            let distance = to.iter().map(|&goal| apart(cell, goal)).min().unwrap_or(u64::MAX);
            if distance < best {
                best = distance;
                nearest.clear();
            }
            if distance == best {
                nearest.push(cell);
            }
        }
        nearest
    }
}

/// The square of the distance.
fn apart(a: Cell, b: Cell) -> u64 {
    u64::from(a.row.abs_diff(b.row)).pow(2) + u64::from(a.col.abs_diff(b.col)).pow(2)
}

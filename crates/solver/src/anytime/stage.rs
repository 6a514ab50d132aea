//! Stages of a solution: which tiles each brings home for good, and how the beam measures progress.
//!
//! Large boards are solved from the outer lines that are farthest from the goal's blank to the blank. A stage
//! brings some of these lines home and then they are locked, so that what is left over at the end
//! lies together instead of scattered over the whole board, which is what defeats a plain beam.

use pintu_search::{Hold, Stop};

use super::{
    construct::is_odd,
    geometry::{Geometry, Position, Rectangle, blank_of},
};

/// The weights of the kinds of disorder, in moves of one tile.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weights {
    /// A tile `d` steps from home counts `d` to this power. Above 1, so that the last tiles left are
    /// not the ones with the longest path through tiles that are at home already.
    pub(super) power: f64,
    /// The weight of the distances of tiles that are none of the stage's. If it is little, their conflicts
    /// count nothing, and states that differ only in them are the same: so a narrow beam is not filled
    /// by many like states.
    pub(super) rest: f64,
    /// Each pair of tiles in their goal line in the wrong order.
    pub(super) conflict: f64,
    /// Each pair of neighbouring cells of which one has its tile: such cells should hang together.
    pub(super) border: f64,
    /// Each tile of the stage that is not at home, in addition. Without it, a beam may put off bringing
    /// a tile home because the next tile is far from the blank.
    pub(super) loose: f64,
    /// Each step between the blank and the nearest tile of the stage that is not at home.
    pub(super) blank: f64,
}

/// Scores are whole numbers: this many to a move.
const SCALE: f64 = 16.0;

/// A weight below this counts as little.
const LITTLE: f64 = 0.4;
/// The goal position of a tile whose conflicts do not count.
const NOWHERE: Position = Position { row: u8::MAX, col: u8::MAX };
/// The weight, in moves, of a wrap that changes the parity and that the blank must still go through.
const TWIST: f64 = 6.0;

pub(super) struct Stage {
    cells: usize,
    homes: Box<[u8]>,
    positions: Box<[Position]>,
    /// For each tile, its distance from each cell, and what that counts.
    distances: Box<[u8]>,
    pull: Box<[i32]>,
    /// The tiles that this stage brings home.
    pub(super) own: Box<[bool]>,
    /// The tiles by which states are told apart.
    told_apart: Box<[bool]>,
    /// The cells that earlier stages have filled.
    pub(super) locked: Box<[bool]>,
    pub(super) twist: i32,
    conflict: i32,
    border: i32,
    pub(super) blank_weight: i32,
}

/// The longest side of the part that the last stage solves at once.
const LAST_SIDE: usize = 4;

/// The stages from any start to `goal`, whose bytes are asked for first. Each but the last fills `lines` outer lines;
/// with 0 the whole board is one stage.
pub(super) fn stages(
    geometry: &Geometry,
    goal: &[u8],
    lines: usize,
    weights: &Weights,
    hold: &mut Hold,
) -> Result<Vec<Stage>, Stop> {
    let mut stages = stages_before(geometry, goal, lines, LAST_SIDE, weights, hold)?;
    let mut locked = vec![false; geometry.cells];
    groups(geometry, blank_of(goal), lines, LAST_SIDE).into_iter().flatten().for_each(|cell| locked[cell] = true);
    hold.more(Stage::bytes(geometry))?;
    stages.push(Stage::new(geometry, goal, &locked, |_| true, weights));
    Ok(stages)
}

/// The same, but only those that come before a square of a `side` is left.
pub(super) fn stages_before(
    geometry: &Geometry,
    goal: &[u8],
    lines: usize,
    side: usize,
    weights: &Weights,
    hold: &mut Hold,
) -> Result<Vec<Stage>, Stop> {
    let mut locked = vec![false; geometry.cells];
    let mut stages = Vec::new();
    for group in groups(geometry, blank_of(goal), lines, side) {
        hold.more(Stage::bytes(geometry))?;
        stages.push(Stage::new(geometry, goal, &locked, |cell| group.contains(&cell), weights));
        for cell in group {
            locked[cell] = true;
        }
    }
    Ok(stages)
}

/// The cells that each stage fills until no more than a square of a `side` is left.
fn groups(geometry: &Geometry, blank: usize, lines: usize, side: usize) -> Vec<Vec<usize>> {
    let mut rectangle = Rectangle::new(geometry.size, blank);
    let mut groups = Vec::new();
    while lines > 0 && rectangle.side() > side {
        let peeled = (0..lines).map_while(|_| if rectangle.side() > side { rectangle.peel() } else { None });
        groups.push(peeled.flatten().collect());
    }
    groups
}

impl Stage {
    fn new(
        geometry: &Geometry,
        goal: &[u8],
        locked: &[bool],
        wanted: impl Fn(usize) -> bool,
        weights: &Weights,
    ) -> Self {
        let cells = geometry.cells;
        let scaled = |value: f64| (SCALE * value).round() as i32;
        let mut stage = Self {
            cells,
            homes: vec![0; cells].into(),
            positions: vec![NOWHERE; cells].into(),
            distances: vec![0; cells * cells].into(),
            pull: vec![0; cells * cells].into(),
            own: vec![false; cells].into(),
            told_apart: vec![true; cells].into(),
            locked: locked.into(),
            twist: if geometry.keeps_parity() { 0 } else { scaled(TWIST) },
            conflict: scaled(weights.conflict),
            border: scaled(weights.border),
            blank_weight: scaled(weights.blank),
        };
        let middle = (geometry.size.rows() + geometry.size.cols()) as f64 / 3.0;
        let counts: Vec<f64> =
            (0..=u8::MAX).map(|far| middle * (f64::from(far) / middle).powf(weights.power)).collect();
        for (home, &tile) in goal.iter().enumerate().filter(|(_, tile)| **tile != 0) {
            let tile = usize::from(tile);
            stage.homes[tile] = home as u8;
            stage.positions[tile] = geometry.positions[home];
            stage.own[tile] = wanted(home) && !locked[home];
            let weight = if stage.own[tile] { 1.0 } else { weights.rest };
            if weight < LITTLE {
                stage.positions[tile] = NOWHERE;
                stage.told_apart[tile] = false;
            }
            let far = distances_from(geometry, home, locked);
            for (cell, &distance) in far.iter().enumerate() {
                let distance = usize::from(distance);
                stage.distances[tile * cells + cell] = distance as u8;
                stage.pull[tile * cells + cell] = scaled(
                    weight * counts[distance] + if stage.own[tile] && distance > 0 { weights.loose } else { 0.0 },
                );
            }
        }
        stage.homes[0] = blank_of(goal) as u8;
        stage
    }

    /// The bytes that the stages of a board hold, at most.
    pub(super) fn most_bytes(geometry: &Geometry) -> u64 {
        let stages = 1 + geometry.size.rows() + geometry.size.cols();
        stages as u64 * Self::bytes(geometry)
    }

    fn bytes(geometry: &Geometry) -> u64 {
        (geometry.cells * (geometry.cells * (size_of::<i32>() + 1) + 6)) as u64
    }

    #[inline]
    pub(super) fn distance(&self, tile: usize, cell: usize) -> i32 {
        i32::from(self.distances[tile * self.cells + cell])
    }

    /// Whether this tile is one that the stage must bring home, and is not there.
    #[inline]
    pub(super) fn is_loose(&self, tile: usize, cell: usize) -> bool {
        self.own[tile] && usize::from(self.homes[tile]) != cell
    }

    /// By how much the disorder grows when `tile` goes from the cell `from` to the blank's, the
    /// blank's own weight aside.
    #[inline]
    pub(super) fn change(&self, geometry: &Geometry, tiles: &[u8], tile: usize, from: usize, blank: usize) -> i32 {
        let row = &self.pull[tile * self.cells..][..self.cells];
        row[blank] - row[from]
            + self.conflict * self.conflict_change(geometry, tiles, tile, from, blank)
            + self.border_change(geometry, tiles, tile, from, blank)
    }

    /// A move along a line passes no other tile in it. A move across lines matters only to the line that the tile
    /// belongs to.
    #[inline]
    fn conflict_change(&self, geometry: &Geometry, tiles: &[u8], tile: usize, from: usize, blank: usize) -> i32 {
        let (home, left, entered) = (self.positions[tile], geometry.positions[from], geometry.positions[blank]);
        if left.row == entered.row {
            if home.col == left.col {
                -self.col_conflicts(geometry, tiles, tile, left)
            } else if home.col == entered.col {
                self.col_conflicts(geometry, tiles, tile, entered)
            } else {
                0
            }
        } else if home.row == left.row {
            -self.row_conflicts(geometry, tiles, tile, left)
        } else if home.row == entered.row {
            self.row_conflicts(geometry, tiles, tile, entered)
        } else {
            0
        }
    }

    /// The tiles of its goal row with which a tile at this position is in the wrong order.
    #[inline]
    fn row_conflicts(&self, geometry: &Geometry, tiles: &[u8], tile: usize, at: Position) -> i32 {
        if !geometry.straight_rows[usize::from(at.row)] {
            return 0;
        }
        let home = self.positions[tile];
        let cols = geometry.size.cols();
        let line = &tiles[usize::from(at.row) * cols..][..cols];
        line.iter().zip(0_u8..).fold(0, |count, (&other, col)| {
            let goal = self.positions[usize::from(other)];
            let crossed = (col < at.col) != (goal.col < home.col);
            count + i32::from(crossed && goal.row == home.row && col != at.col)
        })
    }

    #[inline]
    fn col_conflicts(&self, geometry: &Geometry, tiles: &[u8], tile: usize, at: Position) -> i32 {
        if !geometry.straight_cols[usize::from(at.col)] {
            return 0;
        }
        let home = self.positions[tile];
        let line = tiles[usize::from(at.col)..].iter().step_by(geometry.size.cols());
        line.zip(0..geometry.size.rows() as u8).fold(0, |count, (&other, row)| {
            let goal = self.positions[usize::from(other)];
            let crossed = (row < at.row) != (goal.row < home.row);
            count + i32::from(crossed && goal.col == home.col && row != at.row)
        })
    }

    #[inline]
    fn border_change(&self, geometry: &Geometry, tiles: &[u8], tile: usize, from: usize, blank: usize) -> i32 {
        let home = usize::from(self.homes[tile]);
        if !self.own[tile] || (home != from && home != blank) {
            return 0;
        }
        let longer = geometry.neighbours(home).fold(0, |longer, (cell, _)| {
            let open = cell == from || cell == blank || !self.is_settled(tiles, cell);
            longer + if open { 1 } else { -1 }
        });
        self.border * if home == blank { longer } else { -longer }
    }

    /// Whether a cell holds its tile, which is the stage's own or locked.
    #[inline]
    fn is_settled(&self, tiles: &[u8], cell: usize) -> bool {
        let tile = usize::from(tiles[cell]);
        usize::from(self.homes[tile]) == cell && (self.own[tile] || self.locked[cell])
    }

    pub(super) fn hash(&self, geometry: &Geometry, tiles: &[u8]) -> u64 {
        let tiles = tiles[..self.cells].iter().map(|&tile| usize::from(tile)).enumerate();
        let told_apart = tiles.filter(|&(_, tile)| self.told_apart[tile]);
        told_apart.fold(0, |hash, (cell, tile)| hash ^ geometry.key(tile, cell))
    }

    /// The change of a board's hash when a tile goes to the blank's cell.
    #[inline]
    pub(super) fn hash_change(&self, geometry: &Geometry, tile: usize, from: usize, blank: usize) -> u64 {
        let moved = if self.told_apart[tile] { geometry.key(tile, from) ^ geometry.key(tile, blank) } else { 0 };
        moved ^ geometry.key(0, from) ^ geometry.key(0, blank)
    }

    /// The disorder of a whole board, the blank's own weight aside.
    pub(super) fn disorder(&self, geometry: &Geometry, tiles: &[u8]) -> i32 {
        let filled = || tiles[..self.cells].iter().map(|&tile| usize::from(tile)).enumerate().filter(|(_, t)| *t != 0);
        let pull: i32 = filled().map(|(cell, tile)| self.pull[tile * self.cells + cell]).sum();
        let crossed: i32 = filled()
            .map(|(cell, tile)| {
                let (at, home) = (geometry.positions[cell], self.positions[tile]);
                let row = if at.row == home.row { self.row_conflicts(geometry, tiles, tile, at) } else { 0 };
                row + if at.col == home.col { self.col_conflicts(geometry, tiles, tile, at) } else { 0 }
            })
            .sum();
        let border = (0..self.cells).flat_map(|cell| geometry.neighbours(cell).map(move |(to, _)| (cell, to)));
        let border = border.filter(|&(a, b)| a < b && self.is_settled(tiles, a) != self.is_settled(tiles, b)).count();
        pull + self.conflict * crossed / 2 + self.border * border as i32
    }

    /// The distances that the stage's tiles have left, and those of all tiles.
    pub(super) fn left(&self, tiles: &[u8]) -> (i32, i32) {
        let filled = tiles[..self.cells].iter().map(|&tile| usize::from(tile)).enumerate().filter(|(_, t)| *t != 0);
        filled.fold((0, 0), |(own, all), (cell, tile)| {
            let distance = self.distance(tile, cell);
            (own + if self.own[tile] { distance } else { 0 }, all + distance)
        })
    }
}

/// How far each cell is from a home if nothing passes through locked cells. On a plain board the cells that
/// are left are a rectangle, in which locks make no difference; elsewhere they may cut off a wrap.
fn distances_from(geometry: &Geometry, home: usize, locked: &[bool]) -> Vec<u8> {
    if geometry.topology.is_plain() || locked[home] {
        return (0..geometry.cells).map(|cell| geometry.distance(cell, home) as u8).collect();
    }
    let mut far = vec![0; geometry.cells];
    let mut reached = locked.to_vec();
    let mut queue = vec![home];
    reached[home] = true;
    let mut next = 0;
    while next < queue.len() {
        let cell = queue[next];
        next += 1;
        for (to, _) in geometry.neighbours(cell) {
            if !reached[to] {
                reached[to] = true;
                far[to] = far[cell] + 1;
                queue.push(to);
            }
        }
    }
    far
}

/// Whether the permutation and the blank's distance to its goal cell are not both even or both odd. Only a
/// step between two cells of the same colour changes that.
pub(super) fn is_twisted(geometry: &Geometry, tiles: &[u8], goal: &[u8]) -> bool {
    let (at, home) = (geometry.positions[blank_of(tiles)], geometry.positions[blank_of(goal)]);
    let steps = at.row.abs_diff(home.row) + at.col.abs_diff(home.col);
    is_odd(tiles, goal) != (steps % 2 == 1)
}

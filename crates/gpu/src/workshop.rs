//! Builds pattern tables on a device, level by level, in pieces between which somebody may end it.

use std::{
    collections::HashMap,
    ops::ControlFlow::{self, Break, Continue},
    sync::Arc,
    time::{Duration, Instant},
};

use pintu_search::{Control, Stop};
use pintu_solver::tables::{Built, MOST_PLANNED_CELLS, Pattern, Plan, PlannedRanks, is_told_by_one_bit};
use pintu_tiles::{Direction, Topology};

use crate::{
    backend::{Device, DeviceError, Kernel, Memory},
    words::{Build, CELLS, NO_CELL, Set, Shape},
};

/// A device that builds tables of one board, and what those share.
pub struct Workshop {
    pub(crate) device: Device,
    pub(crate) topology: Topology,
    /// What tables of patterns of so many tiles share.
    grounds: HashMap<usize, Ground>,
    /// The ranks of sets' lower cells, which do not depend on the tiles.
    pub(crate) low: Memory,
}

/// What tables of patterns of so many tiles share.
pub(crate) struct Ground {
    pub(crate) plan: Plan,
    pub(crate) sets: Memory,
    set_of_row: Memory,
    pub(crate) turns: Memory,
    pub(crate) high: Memory,
}

/// The ranks of lower cells do not depend on the tiles, as long as there are so many.
const MOST_LOW_TILES: usize = 8;
/// The boards whose tables a device builds.
const LEAST_CELLS: usize = 10;
/// Bytes that are brought back at once.
const COPY: usize = 1 << 26;

/// What a step of a build comes to: it may fail, or be ended.
type Step<T> = Result<ControlFlow<Stop, T>, DeviceError>;

/// The value of a step that was not ended; returns from the function otherwise.
macro_rules! go_on {
    ($step:expr) => {
        match $step {
            Continue(value) => value,
            Break(why) => return Ok(Break(why)),
        }
    };
}

pub(crate) use go_on;

impl Workshop {
    /// Whether tables of such a board can be built on a device.
    pub fn suits(topology: Topology) -> bool {
        (LEAST_CELLS..MOST_PLANNED_CELLS).contains(&topology.cells())
    }

    /// A workshop for tables of a board.
    pub fn new(gpu: &crate::Gpu, topology: Topology) -> Result<Self, DeviceError> {
        if !Self::suits(topology) {
            return Err(unsuitable(topology));
        }
        let device = Arc::clone(&gpu.device);
        let low = Memory::of(&device, &PlannedRanks::new(MOST_LOW_TILES).low)?;
        Ok(Self { device, topology, grounds: HashMap::new(), low })
    }

    /// Builds a pattern's table and brings its entries back: those that the solver's own build gives, to the bit, where
    /// its rows are [as planned](pintu_solver::tables::SharedRows::are_planned). `report` is called now and then; the
    /// control may end it.
    pub fn entries(&mut self, pattern: &Pattern, control: &Control, report: &mut dyn FnMut(Built)) -> Step<Vec<u8>> {
        let ground = go_on!(self.prepare(pattern.tiles().len(), control)?);
        let bytes = ground.plan.bytes();
        let (found, expected) = (self.device.info()?.free_bytes, bytes + self.ground(pattern).build_bytes());
        if expected > found {
            return Err(DeviceError::Memory { found, expected });
        }
        let mut hold = control.hold();
        go_on!(hold.more(bytes));
        let built = go_on!(self.build(pattern, control, report)?);
        let mut entries = vec![0_u8; bytes as usize];
        for (at, piece) in entries.chunks_mut(COPY).enumerate() {
            go_on!(control.check());
            built.get((at * COPY) as u64, piece)?;
        }
        Ok(Continue(entries))
    }

    /// What tables of so many tiles share, unless the control ends that.
    pub(crate) fn prepare(&mut self, tiles: usize, control: &Control) -> Step<&Ground> {
        if !self.grounds.contains_key(&tiles) {
            let ground = go_on!(Ground::new(&self.device, self.topology, tiles, control)?);
            self.grounds.insert(tiles, ground);
        }
        Ok(Continue(&self.grounds[&tiles]))
    }

    /// What tables of a pattern's size share, which has been prepared.
    pub(crate) fn ground(&self, pattern: &Pattern) -> &Ground {
        &self.grounds[&pattern.tiles().len()]
    }

    /// Any of what has been prepared.
    pub(crate) fn any_ground(&self) -> Option<&Ground> {
        self.grounds.values().next()
    }

    /// What the device's code is compiled for when it looks at so many views.
    pub(crate) fn shape(&self, views: usize) -> Shape {
        let cell_bits = self.any_ground().map_or(2, |ground| ground.plan.cell_bits) as u32;
        Shape { views: views as u32, one_bit: is_told_by_one_bit(self.topology.kind()), cell_bits }
    }

    /// Builds a pattern's table, whose ground has been prepared, unless the control ends that.
    pub(crate) fn build(&self, pattern: &Pattern, control: &Control, report: &mut dyn FnMut(Built)) -> Step<Memory> {
        let ground = self.ground(pattern);
        let plan = &ground.plan;
        let device = &self.device;
        let shape = self.shape(1);
        go_on!(device.ready(shape, control)?);
        let total = plan.rows as u64 * ground.words();
        let waves = [Memory::zeroed(device, 4 * total)?, Memory::zeroed(device, 4 * total)?];
        let active = [Memory::zeroed(device, plan.rows as u64)?, Memory::zeroed(device, plan.rows as u64)?];
        let seen = Memory::zeroed(device, 4 * total)?;
        let planes = Memory::zeroed(device, 4 * total * plan.bits as u64)?;
        let entries = Memory::new(device, plan.bytes())?;
        let beside = Memory::of(device, &beside(self.topology))?;
        let reached = Memory::zeroed(device, 8)?;
        let mut build = Build {
            beside: beside.address(),
            next: waves[0].address(),
            seen: seen.address(),
            planes: planes.address(),
            next_active: active[0].address(),
            reached: reached.address(),
            entries: entries.address(),
            goal_row: ground.goal_row(pattern),
            ..self.groundwork(ground)
        };
        device.launch(shape, Kernel::Plant(&build), 1)?;
        let states = Built { done: 1, total: (plan.rows * plan.orders) as u64 };
        let mut pieces = Pieces { reached: &reached, length: FIRST_PIECE };
        let mut done = 0;
        for level in 1.. {
            let (last, next) = ((level + 1) % 2, level % 2);
            active[next].clear()?;
            build.last = waves[last].address();
            build.next = waves[next].address();
            build.last_active = active[last].address();
            build.next_active = active[next].address();
            build.level = level as u32;
            let so_far = go_on!(pieces.run(total, control, |first, end| {
                device.launch(shape, Kernel::Pull(&Build { first, end, ..build }), end - first)
            })?);
            if so_far == done {
                break;
            }
            done = so_far;
            report(Built { done: states.done + done, ..states });
        }
        drop((waves, seen, active));
        let words = (plan.stride / plan.bits / 32) as u64 * ground.words();
        go_on!(pieces.run(words, control, |first, end| {
            device.launch(shape, Kernel::Pack(&Build { first, end, ..build }), end - first)
        })?);
        Ok(Continue(entries))
    }

    /// What every build of so many tiles begins with.
    fn groundwork(&self, ground: &Ground) -> Build {
        let plan = &ground.plan;
        Build {
            sets: ground.sets.address(),
            set_of_row: ground.set_of_row.address(),
            low: self.low.address(),
            high: ground.high.address(),
            turns: ground.turns.address(),
            stride: plan.stride as u64,
            rows: plan.rows as u32,
            words: ground.words() as u32,
            orders: plan.orders as u32,
            tiles: plan.tiles as u32,
            cells: self.topology.cells() as u32,
            bits: plan.bits as u32,
            cell_bits: plan.cell_bits as u32,
            ..Build::default()
        }
    }
}

impl Ground {
    fn new(device: &Device, topology: Topology, tiles: usize, control: &Control) -> Step<Self> {
        let plan = go_on!(Plan::under(topology, tiles, control)).ok_or_else(|| unsuitable(topology))?;
        let sets: Vec<Set> =
            plan.sets.iter().map(|set| Set { map: set.map, first_row: set.first_row, mask: set.mask as u32 }).collect();
        let set_of_row: Vec<u32> =
            (0..).zip(&plan.sets).flat_map(|(rank, set)| std::iter::repeat_n(rank, set.rows as usize)).collect();
        let ranks = PlannedRanks::new(tiles);
        Ok(Continue(Self {
            sets: Memory::of(device, &sets)?,
            set_of_row: Memory::of(device, &set_of_row)?,
            turns: Memory::of(device, &plan.turns())?,
            high: Memory::of(device, &ranks.high[..high_length(topology)])?,
            plan,
        }))
    }

    /// The row of a pattern's goal.
    pub(crate) fn goal_row(&self, pattern: &Pattern) -> u32 {
        let mask = pattern.tiles().iter().fold(0_u64, |mask, tile| mask | 1 << tile);
        let set = self.plan.sets.iter().find(|set| set.mask == mask).expect("a goal is a set of cells");
        let region = set.map >> (self.plan.cell_bits * pattern.blank()) & ((1 << self.plan.cell_bits) - 1);
        set.first_row + region as u32
    }

    /// The words of a row's bits while a table is built.
    fn words(&self) -> u64 {
        self.plan.orders.div_ceil(32) as u64
    }

    /// The bytes that a build takes besides the table.
    pub(crate) fn build_bytes(&self) -> u64 {
        4 * self.plan.rows as u64 * self.words() * (3 + self.plan.bits as u64)
    }
}

/// Carries work out in pieces, so that it can be ended soon: each as long as takes about [`PIECE`].
struct Pieces<'a> {
    /// What has been reached in all, as the kernels count it. To read it is to wait for them.
    reached: &'a Memory,
    /// The length of a piece.
    length: u64,
}

const PIECE: Duration = Duration::from_millis(10);
const FIRST_PIECE: u64 = 1 << 16;
const LEAST_PIECE: u64 = 1 << 10;

impl Pieces<'_> {
    /// Launches everything from nothing to `total`; says what has been reached by then.
    fn run(
        &mut self,
        total: u64,
        control: &Control,
        mut launch: impl FnMut(u64, u64) -> Result<(), DeviceError>,
    ) -> Step<u64> {
        let (mut first, mut reached) = (0, [0]);
        while first < total {
            go_on!(control.check());
            let began = Instant::now();
            let end = total.min(first + self.length);
            launch(first, end)?;
            self.reached.get(0, &mut reached)?;
            self.length = next_length(self.length, began.elapsed(), total);
            first = end;
        }
        Ok(Continue(reached[0]))
    }
}

/// How long the next piece of so much is to be. What one level does in no time may take the next one long, so pieces grow
/// slowly and shrink at once.
fn next_length(length: u64, took: Duration, total: u64) -> u64 {
    if took < PIECE / 2 {
        (2 * length).min(total.max(FIRST_PIECE))
    } else if took > PIECE {
        ((length as f64 * PIECE.div_duration_f64(took)) as u64).max(LEAST_PIECE)
    } else {
        length
    }
}

/// How many ranks of sets' upper cells there are.
pub(crate) fn high_length(topology: Topology) -> usize {
    1 << topology.cells().saturating_sub(PlannedRanks::LOW_CELLS)
}

pub(crate) fn unsuitable(topology: Topology) -> DeviceError {
    DeviceError::Board { found: format!("a board of {topology}"), expected: "10 to 25 cells and at most four patterns" }
}

/// For each cell and direction, the next cell.
pub(crate) fn beside(topology: Topology) -> [u8; 4 * CELLS] {
    let mut beside = [NO_CELL; 4 * CELLS];
    for cell in 0..topology.cells() {
        for (index, direction) in Direction::ALL.into_iter().enumerate() {
            if let Some(next) = topology.neighbour(cell, direction) {
                beside[4 * cell + index] = next as u8;
            }
        }
    }
    beside
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_get_no_longer_than_what_there_is_and_never_nothing() {
        for total in [1, 1000, 1 << 20, 1 << 40] {
            let mut length = FIRST_PIECE;
            for _ in 0..200 {
                length = next_length(length, Duration::ZERO, total);
                assert!(length > 0 && length <= total.max(FIRST_PIECE), "{length} of {total}");
            }
            for _ in 0..50 {
                length = next_length(length, Duration::from_secs(1), total);
            }
            assert_eq!(length, LEAST_PIECE);
        }
    }
}

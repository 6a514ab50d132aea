//! Builds pattern tables on a device, level by level, in pieces between which the control can end the build.

use std::{collections::HashMap, sync::Arc, time::Duration};

use pintu_search::{Control, clock::Instant};
use pintu_solver::internals::{Built, MAX_PLANNED_CELLS, Pattern, Plan, PlannedRanks, is_told_by_one_bit};
use pintu_tiles::{Direction, Topology};

use crate::{
    backend::{Device, DeviceError, Kernel, Memory},
    words::{Build, CELLS, NO_CELL, Set, Shape},
};

/// A device that builds tables of one board, and what those share.
pub struct TableBuilder {
    pub(crate) device: Device,
    pub(crate) topology: Topology,
    /// By the number of a pattern's tiles.
    layouts: HashMap<usize, SizeLayout>,
    /// The ranks of sets' lower cells, which do not depend on the tiles.
    pub(crate) low: Memory,
}

/// Data that tables of patterns with the same number of tiles share.
pub(crate) struct SizeLayout {
    pub(crate) plan: Plan,
    pub(crate) sets: Memory,
    set_of_row: Memory,
    pub(crate) reorderings: Memory,
    pub(crate) high: Memory,
}

/// The ranks of sets' lower cells do not depend on the tiles up to this many.
const MAX_LOW_TILES: usize = 8;
/// The fewest cells of a board whose tables a device builds.
const MIN_CELLS: usize = 10;
const COPY_BYTES: usize = 1 << 26;

impl TableBuilder {
    /// Whether tables of such a board can be built on a device.
    pub fn suits(topology: Topology) -> bool {
        (MIN_CELLS..MAX_PLANNED_CELLS).contains(&topology.cells())
    }

    /// A builder for the tables of a board.
    pub fn new(gpu: &crate::Gpu, topology: Topology) -> Result<Self, DeviceError> {
        if !Self::suits(topology) {
            return Err(unsuitable(topology));
        }
        let device = Arc::clone(&gpu.device);
        let low = Memory::of(&device, &*PlannedRanks::new(MAX_LOW_TILES).low)?;
        Ok(Self { device, topology, layouts: HashMap::new(), low })
    }

    /// Builds a pattern's table and brings its entries back: those that the solver's own build gives, to the bit, where
    /// its rows are [as planned](pintu_solver::internals::SharedRows::are_planned). `report` is called after every level.
    pub fn entries(
        &mut self,
        pattern: &Pattern,
        control: &Control,
        report: &mut dyn FnMut(Built),
    ) -> Result<Vec<u8>, DeviceError> {
        let layout = self.prepare(pattern.tiles().len(), control)?;
        let bytes = layout.plan.bytes();
        self.check_room(bytes + self.layout(pattern).build_bytes())?;
        let mut hold = control.hold();
        hold.more(bytes)?;
        let built = self.build(pattern, control, report)?;
        let mut entries = vec![0_u8; bytes as usize];
        for (at, piece) in entries.chunks_mut(COPY_BYTES).enumerate() {
            control.check()?;
            built.get((at * COPY_BYTES) as u64, piece)?;
        }
        Ok(entries)
    }

    /// Whether the `expected` bytes are free on the device.
    pub(crate) fn check_room(&self, expected: u64) -> Result<(), DeviceError> {
        let found = self.device.info()?.free_bytes;
        if expected > found { Err(DeviceError::Memory { found, expected }) } else { Ok(()) }
    }

    /// Prepares what tables of `tiles` tiles share, unless the control ends that.
    pub(crate) fn prepare(&mut self, tiles: usize, control: &Control) -> Result<&SizeLayout, DeviceError> {
        if !self.layouts.contains_key(&tiles) {
            let layout = SizeLayout::new(&self.device, self.topology, tiles, control)?;
            self.layouts.insert(tiles, layout);
        }
        Ok(&self.layouts[&tiles])
    }

    /// The data that tables of a pattern's size share, which must have been prepared.
    pub(crate) fn layout(&self, pattern: &Pattern) -> &SizeLayout {
        &self.layouts[&pattern.tiles().len()]
    }

    /// The shape that the device's code is compiled for when it looks at `views` views.
    pub(crate) fn shape(&self, views: usize) -> Shape {
        let cell_bits = self.layouts.values().next().map_or(2, |layout| layout.plan.cell_bits) as u32;
        Shape { views: views as u32, one_bit: is_told_by_one_bit(self.topology.kind()), cell_bits }
    }

    /// Builds a pattern's table, whose layout must have been prepared, unless the control ends that.
    pub(crate) fn build(
        &self,
        pattern: &Pattern,
        control: &Control,
        report: &mut dyn FnMut(Built),
    ) -> Result<Memory, DeviceError> {
        let layout = self.layout(pattern);
        let plan = &layout.plan;
        let device = &self.device;
        let shape = self.shape(1);
        device.ready(shape.into(), control)?;
        let total = plan.rows as u64 * layout.words();
        // The states of the last level and of the next.
        let levels = [Memory::zeroed(device, 4 * total)?, Memory::zeroed(device, 4 * total)?];
        let active = [Memory::zeroed(device, plan.rows as u64)?, Memory::zeroed(device, plan.rows as u64)?];
        let seen = Memory::zeroed(device, 4 * total)?;
        let planes = Memory::zeroed(device, 4 * total * plan.bits as u64)?;
        let entries = Memory::new(device, plan.bytes())?;
        let beside = Memory::of(device, beside(self.topology).as_flattened())?;
        let reached = Memory::zeroed(device, 8)?;
        let mut build = Build {
            beside: beside.address(),
            next: levels[0].address(),
            seen: seen.address(),
            planes: planes.address(),
            next_active: active[0].address(),
            reached: reached.address(),
            entries: entries.address(),
            goal_row: layout.goal_row(pattern),
            sets: layout.sets.address(),
            set_of_row: layout.set_of_row.address(),
            low: self.low.address(),
            high: layout.high.address(),
            reorderings: layout.reorderings.address(),
            stride: plan.stride as u64,
            rows: plan.rows as u32,
            words: layout.words() as u32,
            orders: plan.orders as u32,
            tiles: plan.tiles as u32,
            cells: self.topology.cells() as u32,
            bits: plan.bits as u32,
            cell_bits: plan.cell_bits as u32,
            ..Build::default()
        };
        device.launch(shape.into(), Kernel::Plant(&build), 1)?;
        let states = Built { done: 1, total: (plan.rows * plan.orders) as u64 };
        let mut pieces = Pieces { reached: &reached, length: FIRST_PIECE };
        let mut done = 0;
        for level in 1.. {
            let (last, next) = ((level + 1) % 2, level % 2);
            active[next].clear()?;
            build.last = levels[last].address();
            build.next = levels[next].address();
            build.last_active = active[last].address();
            build.next_active = active[next].address();
            build.level = level as u32;
            let so_far = pieces.run(total, control, |first, end| {
                device.launch(shape.into(), Kernel::Pull(&Build { first, end, ..build }), end - first)
            })?;
            if so_far == done {
                break;
            }
            done = so_far;
            report(Built { done: states.done + done, ..states });
        }
        drop((levels, seen, active));
        let words = (plan.stride / plan.bits / 32) as u64 * layout.words();
        pieces.run(words, control, |first, end| {
            device.launch(shape.into(), Kernel::Pack(&Build { first, end, ..build }), end - first)
        })?;
        Ok(entries)
    }
}

impl SizeLayout {
    fn new(device: &Device, topology: Topology, tiles: usize, control: &Control) -> Result<Self, DeviceError> {
        let plan = Plan::under(topology, tiles, control)?;
        let sets: Vec<Set> =
            plan.sets.iter().map(|set| Set { map: set.map, first_row: set.first_row, mask: set.mask as u32 }).collect();
        let set_of_row: Vec<u32> =
            (0..).zip(&plan.sets).flat_map(|(rank, set)| std::iter::repeat_n(rank, set.rows as usize)).collect();
        let ranks = PlannedRanks::new(tiles);
        Ok(Self {
            sets: Memory::of(device, &sets)?,
            set_of_row: Memory::of(device, &set_of_row)?,
            reorderings: Memory::of(device, &plan.reorderings())?,
            high: Memory::of(device, &ranks.high[..high_length(topology)])?,
            plan,
        })
    }

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

    pub(crate) fn build_bytes(&self) -> u64 {
        4 * self.plan.rows as u64 * self.words() * (3 + self.plan.bits as u64)
    }
}

/// Runs work in pieces of about [`PIECE_TIME`] each, so that it can be ended soon.
struct Pieces<'a> {
    /// The states reached so far, as the kernels count them. Reading it waits for them.
    reached: &'a Memory,
    length: u64,
}

const PIECE_TIME: Duration = Duration::from_millis(10);
const FIRST_PIECE: u64 = 1 << 16;
const MIN_PIECE: u64 = 1 << 10;

impl Pieces<'_> {
    /// Launches everything up to `total`; returns the states reached by then.
    fn run(
        &mut self,
        total: u64,
        control: &Control,
        mut launch: impl FnMut(u64, u64) -> Result<(), DeviceError>,
    ) -> Result<u64, DeviceError> {
        let (mut first, mut reached) = (0, [0]);
        while first < total {
            control.check()?;
            let began = Instant::now();
            let end = total.min(first + self.length);
            launch(first, end)?;
            self.reached.get(0, &mut reached)?;
            self.length = next_length(self.length, began.elapsed(), total);
            first = end;
        }
        Ok(reached[0])
    }
}

/// The length of the next piece. The next level may take much longer, so pieces grow slowly and shrink at once.
fn next_length(length: u64, took: Duration, total: u64) -> u64 {
    if took < PIECE_TIME / 2 {
        (2 * length).min(total.max(FIRST_PIECE))
    } else if took > PIECE_TIME {
        ((length as f64 * PIECE_TIME.div_duration_f64(took)) as u64).max(MIN_PIECE)
    } else {
        length
    }
}

/// The number of ranks of sets' upper cells.
pub(crate) fn high_length(topology: Topology) -> usize {
    1 << topology.cells().saturating_sub(PlannedRanks::CELLS / 2)
}

pub(crate) fn unsuitable(topology: Topology) -> DeviceError {
    DeviceError::Board { found: format!("a board of {topology}"), expected: "10 to 25 cells and at most four patterns" }
}

/// The cell next to each cell in each direction, or [`NO_CELL`].
pub(crate) fn beside(topology: Topology) -> [[u8; 4]; CELLS] {
    let next = |cell, direction| topology.neighbour(cell, direction).map_or(NO_CELL, |next| next as u8);
    let of = |cell| Direction::ALL.map(|direction| next(cell, direction));
    std::array::from_fn(|cell| if cell < topology.cells() { of(cell) } else { [NO_CELL; 4] })
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
            assert_eq!(length, MIN_PIECE);
        }
    }
}

//! Pattern tables on a device.

use std::sync::Arc;

use pintu_search::Control;
use pintu_solver::{
    Tables,
    internals::{
        Pattern, SharedRows, Table as HostTable, View, for_each_once, is_told_by_one_bit, partitions_of_sizes,
        transition_table, views,
    },
    store::{Extent, Key},
};
use pintu_tiles::Topology;

use crate::{
    backend::{DeviceError, Memory},
    builder::{SizeLayout, TableBuilder, beside, high_length, unsuitable},
    words::{CELLS, GROUPS, NO_CELL, Shape, Table, World},
};

/// The patterns of a device's tables: those of the solver's large tables, and more partitions of the tiles, because boards
/// differ in which partition serves them best.
///
/// The field lists the pattern sizes of more partitions, and the number of such partitions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tiling(&'static [(&'static [usize], usize)]);

impl Tiling {
    /// The patterns of the solver's large tables alone.
    pub const LARGE: Self = Self(&[]);

    /// Tables that suit most boards: on 5×5, many partitions into groups of six, of which each takes 80 MB and a
    /// twentieth of a second.
    pub fn usual(topology: Topology) -> Self {
        if topology.cells() == 25 { Self(&[(&[6; 4], 14)]) } else { Self::LARGE }
    }

    /// The best set of tables for a board that fits into `bytes`: on 5×5, two partitions into groups of eight besides.
    pub fn largest(topology: Topology, bytes: u64) -> Self {
        let is_huge = topology.cells() == 25 && is_told_by_one_bit(topology.kind()) && bytes >= HUGE_BYTES;
        if is_huge { Self(&[(&[6; 4], 14), (&[8; 3], 2)]) } else { Self::usual(topology) }
    }

    /// The patterns for a board and its goal's blank cell in normal form.
    pub fn patterns(self, topology: Topology, blank: usize) -> Result<Vec<Pattern>, DeviceError> {
        let large = Key { topology, blank, extent: Extent::Large };
        let mut all = large.patterns().map_err(|_| unsuitable(topology))?;
        for (sizes, count) in self.0 {
            all.extend(partitions_of_sizes(topology, blank, sizes, *count));
        }
        Ok(all)
    }
}

/// Bytes of the tables of five or six patterns of eight tiles, and of the build of the last of them.
const HUGE_BYTES: u64 = 120_000_000_000;

/// Whether a board can be searched on a device: few enough cells and patterns.
pub(crate) fn suits(key: Key) -> bool {
    let fit = |patterns: Vec<Pattern>| views(&patterns).iter().all(|view| view.patterns.len() <= GROUPS);
    TableBuilder::suits(key.topology) && key.patterns().is_ok_and(fit)
}

pub(crate) struct DeviceViews {
    pub(crate) world: Memory,
    /// The number of ranks of sets that a search holds in its multiprocessor's shared memory.
    pub(crate) ranks: u32,
}

/// The tables of a board on a device.
pub struct DeviceTables {
    pub(crate) builder: TableBuilder,
    pub(crate) blank: usize,
    patterns: Vec<Pattern>,
    pub(crate) views: Vec<View>,
    /// Each pattern's table; partitions may share some.
    entries: Vec<Arc<Memory>>,
    /// The automaton's transitions, on the device and here.
    transitions: Memory,
    pub(crate) automaton: Vec<[u16; 4]>,
}

impl DeviceTables {
    /// Builds tables for a board and its goal's blank cell in normal form on a device, unless the control ends that.
    pub fn build(
        gpu: &crate::Gpu,
        topology: Topology,
        blank: usize,
        tiling: Tiling,
        control: &Control,
    ) -> Result<Self, DeviceError> {
        let mut tables = Self::empty(gpu, topology, blank, tiling.patterns(topology, blank)?, control)?;
        // All tables, and the largest build beside them.
        let layouts = || tables.each_once().map(|at| tables.builder.layout(&tables.patterns[at]));
        let build = layouts().map(SizeLayout::build_bytes).max().unwrap_or(0);
        tables.builder.check_room(build + layouts().map(|layout| layout.plan.bytes()).sum::<u64>())?;
        // The code that searches is compiled while tables are built.
        tables.builder.device.begin(tables.builder.shape(1).into());
        tables.builder.device.begin(tables.shape().into());
        tables.entries = for_each_once(&tables.patterns, |pattern| {
            tables.builder.build(pattern, control, &mut |_| ()).map(Arc::new)
        })?;
        Ok(tables)
    }

    /// Copies the processor's tables to an emulated device, where building them takes long.
    #[cfg(feature = "emulator")]
    pub fn copy_of(gpu: &crate::Gpu, tables: &Tables) -> Result<Self, DeviceError> {
        let all = tables.tables();
        let patterns: Vec<Pattern> = all.iter().map(|table| table.pattern().clone()).collect();
        let mut copied = Self::empty(gpu, tables.topology(), tables.blank(), patterns, &Control::unlimited())?;
        copied.entries = for_each_once(&copied.patterns, |pattern| {
            let bytes = copied.builder.layout(pattern).plan.bytes();
            let is_planned = |table: &&HostTable| table.pattern() == pattern && table.entries().len() as u64 == bytes;
            let table = all.iter().find(is_planned).ok_or_else(|| unsuitable(tables.topology()))?;
            Memory::of(&gpu.device, table.entries()).map(Arc::new)
        })?;
        Ok(copied)
    }

    /// The solver's large tables, as they lie on the device, if there is room for them here and the control does not end that.
    pub(crate) fn bring_back(&self, control: &Control) -> Result<Option<Tables>, DeviceError> {
        let patterns = Tiling::LARGE.patterns(self.topology(), self.blank)?;
        if !control.has_room(patterns.iter().map(Pattern::estimated_bytes).sum()) {
            return Ok(None);
        }
        let rows = SharedRows::new();
        let tables = for_each_once(&patterns, |pattern| {
            // Laying them out takes a while.
            rows.are_planned(pattern, control)?;
            let index = self.patterns.iter().position(|other| other == pattern);
            let index = index.ok_or_else(|| unsuitable(self.topology()))?;
            let mut entries = vec![0_u8; self.builder.layout(pattern).plan.bytes() as usize];
            self.entries[index].get(0, &mut entries)?;
            HostTable::from_entries(pattern, &rows, Arc::new(entries))
                .ok_or_else(|| DeviceError::Wrong("a table of another size".to_owned()))
        })?;
        Ok(Some(Tables::new(tables)))
    }

    /// The bytes of the tables.
    pub fn bytes(&self) -> u64 {
        self.each_once().map(|at| self.entries[at].bytes()).sum()
    }

    /// The index of each pattern's first table.
    fn each_once(&self) -> impl Iterator<Item = usize> {
        (0..self.patterns.len()).filter(|&at| !self.patterns[..at].contains(&self.patterns[at]))
    }

    fn empty(
        gpu: &crate::Gpu,
        topology: Topology,
        blank: usize,
        patterns: Vec<Pattern>,
        control: &Control,
    ) -> Result<Self, DeviceError> {
        let mut builder = TableBuilder::new(gpu, topology)?;
        let views = views(&patterns);
        if views.iter().any(|view| view.patterns.len() > GROUPS) {
            return Err(unsuitable(topology));
        }
        for pattern in &patterns {
            builder.prepare(pattern.tiles().len(), control)?;
        }
        let automaton = transition_table(topology);
        let transitions = Memory::of(&builder.device, automaton.as_flattened())?;
        Ok(Self { builder, blank, patterns, views, entries: Vec::new(), transitions, automaton })
    }

    /// The shape for which the searching code is compiled.
    pub(crate) fn shape(&self) -> Shape {
        self.builder.shape(self.views.len().min(2))
    }

    pub(crate) fn topology(&self) -> Topology {
        self.builder.topology
    }

    pub(crate) fn blank_of(&self, board: &[u8]) -> usize {
        board.iter().position(|&tile| usize::from(tile) == self.blank).expect("a board has a blank")
    }

    pub(crate) fn load(&self, views: &[usize]) -> Result<DeviceViews, DeviceError> {
        let shape = self.builder.shape(views.len());
        let mut kinds: Vec<usize> = Vec::new();
        let mut world = World {
            low: self.builder.low.address(),
            transitions: self.transitions.address(),
            cells: self.topology().cells() as u32,
            views: shape.views,
            one_bit: shape.one_bit.into(),
            cell_bits: shape.cell_bits,
            high_length: high_length(self.topology()) as u32,
            beside: beside(self.topology()),
            colour: colours(self.topology()),
            group_of: [[NO_CELL; CELLS]; 2],
            ..World::default()
        };
        for (at, &view) in views.iter().enumerate() {
            let view = &self.views[view];
            world.image[at][..view.image.len()].copy_from_slice(&view.image);
            world.groups[at] = view.patterns.len() as u32;
            for (group, index) in view.patterns.clone().enumerate() {
                let tiles = self.patterns[index].tiles().len();
                let kind = kinds.iter().position(|&known| known == tiles).unwrap_or(kinds.len());
                if kind == kinds.len() {
                    kinds.push(tiles);
                    *world.high.get_mut(kind).ok_or_else(|| unsuitable(self.topology()))? =
                        self.builder.layout(&self.patterns[index]).high.address();
                }
                world.tables[GROUPS * at + group] = self.table(index, kind as u32);
                for (number, &home) in self.patterns[index].tiles().iter().enumerate() {
                    // The tile that the view sees as this one.
                    let seen = view.image.iter().position(|&image| image == home).expect("a symmetry loses no cell");
                    world.group_of[at][seen] = group as u8;
                    world.number_of[at][seen] = number as u8;
                }
            }
        }
        world.kinds = kinds.len() as u32;
        let ranks = world.kinds * world.high_length;
        Ok(DeviceViews { world: Memory::of(&self.builder.device, &[world])?, ranks })
    }

    fn table(&self, index: usize, kind: u32) -> Table {
        let pattern = &self.patterns[index];
        let layout = self.builder.layout(pattern);
        let mut homes = [0; 8];
        homes[..pattern.tiles().len()].copy_from_slice(pattern.tiles());
        Table {
            entries: self.entries[index].address(),
            sets: layout.sets.address(),
            reorderings: layout.reorderings.address(),
            stride: layout.plan.stride as u64,
            tiles: layout.plan.tiles as u32,
            orders: layout.plan.orders as u32,
            kind,
            goal_row: layout.goal_row(pattern),
            homes,
        }
    }
}

/// The colour of each cell of a two-coloured board: that of its distance from the first.
fn colours(topology: Topology) -> [u8; CELLS] {
    let distances = topology.distances();
    std::array::from_fn(|cell| if cell < topology.cells() { (distances.between(0, cell) % 2) as u8 } else { 0 })
}

//! Pattern tables on a device.

use std::{
    fmt::Display,
    ops::ControlFlow::{self, Break, Continue},
    sync::Arc,
};

use pintu_search::{Control, Stop};
use pintu_solver::{
    kept_moves,
    tables::{
        Extent, Outlook, Pattern, SharedRows, Table as HostTable, Tables, is_told_by_one_bit, outlooks,
        partitions_of_sizes, patterns,
    },
};
use pintu_tiles::Topology;

use crate::{
    backend::{DeviceError, Memory},
    words::{CELLS, LANES, NO_CELL, Shape, Table, World},
    workshop::{Workshop, beside, go_on, high_length, unsuitable},
};

/// Which patterns a device's tables are of: those of the solver's large tables, and more partitions of the tiles, for which
/// serves a board best depends on the board.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Tiling {
    /// The sizes of more partitions' patterns, and how many such partitions.
    pub more: Vec<(Vec<usize>, usize)>,
}

impl Tiling {
    /// The patterns of the solver's large tables alone.
    pub const LARGE: Self = Self { more: Vec::new() };

    /// What serves most boards well: on 5×5, many partitions into groups of six, of which each takes 80 MB and a
    /// twentieth of a second.
    pub fn usual(topology: Topology) -> Self {
        if topology.cells() == 25 { Self { more: vec![(vec![6; 4], 14)] } } else { Self::LARGE }
    }

    /// What serves a board best of what fits into so many bytes: on 5×5, two partitions into groups of eight besides.
    pub fn largest(topology: Topology, bytes: u64) -> Self {
        let mut tiling = Self::usual(topology);
        if topology.cells() == 25 && is_told_by_one_bit(topology.kind()) && bytes >= HUGE_BYTES {
            tiling.more.push((vec![8; 3], 2));
        }
        tiling
    }

    /// The patterns for a board and its goal's blank cell in normal form.
    pub fn patterns(&self, topology: Topology, blank: usize) -> Result<Vec<Pattern>, DeviceError> {
        let all = patterns(topology, blank, Extent::Large).and_then(|mut all| {
            for (sizes, count) in &self.more {
                all.extend(partitions_of_sizes(topology, blank, sizes, *count)?);
            }
            Ok(all)
        });
        all.map_err(|error| DeviceError::Board { found: error.to_string(), expected: "a board with pattern tables" })
    }
}

/// What the tables of five or six patterns of eight tiles take, and the build of the last of them.
const HUGE_BYTES: u64 = 120_000_000_000;

/// Whether a board can be searched on a device: few enough cells and patterns.
pub(crate) fn suits(topology: Topology, blank: usize) -> bool {
    Workshop::suits(topology)
        && patterns(topology, blank, Extent::Large)
            .ok()
            .and_then(|patterns| outlooks(&patterns).ok())
            .is_some_and(|outlooks| outlooks.iter().all(|outlook| outlook.patterns.len() <= LANES))
}

/// The tables of a board on a device.
pub struct DeviceTables {
    pub(crate) workshop: Workshop,
    pub(crate) blank: usize,
    patterns: Vec<Pattern>,
    pub(crate) outlooks: Vec<Outlook>,
    /// Each pattern's table; partitions may share some.
    entries: Vec<Arc<Memory>>,
    /// The machine's moves.
    fans: Memory,
    pub(crate) machine: Vec<[u16; 4]>,
    /// What has been built here, in bytes.
    pub(crate) bytes: u64,
}

impl DeviceTables {
    /// Builds tables on a device, unless the control ends that.
    pub fn build(
        gpu: &crate::Gpu,
        topology: Topology,
        blank: usize,
        tiling: &Tiling,
        control: &Control,
    ) -> Result<ControlFlow<Stop, Self>, DeviceError> {
        Self::build_of(gpu, tiling.patterns(topology, blank)?, control)
    }

    /// Builds the tables of some patterns, one partition's after the other's, unless the control ends that.
    pub fn build_of(
        gpu: &crate::Gpu,
        patterns: Vec<Pattern>,
        control: &Control,
    ) -> Result<ControlFlow<Stop, Self>, DeviceError> {
        let Some((topology, blank)) = patterns.first().map(|first| (first.topology(), first.blank())) else {
            return Err(DeviceError::Board { found: "no pattern".to_owned(), expected: "at least one" });
        };
        let mut tables = go_on!(Self::empty(gpu, topology, blank, patterns, control)?);
        tables.check_room()?;
        // The code that searches is compiled while tables are built.
        tables.workshop.device.begin(tables.shape(1));
        tables.workshop.device.begin(tables.shape(tables.outlooks.len().min(2)));
        for index in 0..tables.patterns.len() {
            let pattern = &tables.patterns[index];
            let known = tables.patterns[..index].iter().position(|other| other == pattern);
            let entries = match known {
                Some(known) => Arc::clone(&tables.entries[known]),
                None => Arc::new(go_on!(tables.workshop.build(pattern, control, &mut |_| ())?)),
            };
            tables.take(entries);
        }
        Ok(Continue(tables))
    }

    /// Brings the solver's own tables to a device.
    pub fn bring(gpu: &crate::Gpu, tables: &Tables) -> Result<Self, DeviceError> {
        let patterns: Vec<Pattern> = tables.tables().iter().map(|table| table.pattern().clone()).collect();
        let empty = Self::empty(gpu, tables.topology(), tables.blank(), patterns, &Control::unlimited())?;
        let Continue(mut brought) = empty else { unreachable!("nothing ends it") };
        for (index, table) in tables.tables().iter().enumerate() {
            let expected = brought.workshop.ground(table.pattern()).plan.bytes();
            if table.entries().len() as u64 != expected {
                return Err(unsuitable(tables.topology()));
            }
            let known = brought.patterns[..index].iter().position(|other| other == table.pattern());
            let entries = match known {
                Some(known) => Arc::clone(&brought.entries[known]),
                None => Arc::new(Memory::of(&gpu.device, table.entries())?),
            };
            brought.take(entries);
        }
        Ok(brought)
    }

    /// The bytes of the solver's own tables.
    pub(crate) fn large_bytes(&self) -> Result<u64, DeviceError> {
        let patterns = Tiling::LARGE.patterns(self.topology(), self.blank)?;
        Ok(patterns.iter().map(Pattern::estimated_bytes).sum())
    }

    /// The solver's own tables, as they lie on the device, unless the control ends that.
    pub(crate) fn bring_back(&self, control: &Control) -> Result<ControlFlow<Stop, Tables>, DeviceError> {
        let rows = SharedRows::new();
        let mut tables: Vec<HostTable> = Vec::new();
        for pattern in &Tiling::LARGE.patterns(self.topology(), self.blank)? {
            // Laying them out takes a while.
            go_on!(rows.are_planned(pattern, control));
            let known = tables.iter().find(|table| table.pattern() == pattern).cloned();
            let table = if let Some(table) = known {
                table
            } else {
                let entries = self.entries(pattern)?.ok_or_else(|| unsuitable(self.topology()))?;
                HostTable::from_entries(pattern, &rows, Arc::new(entries)).map_err(wrong)?
            };
            tables.push(table);
        }
        Tables::new(tables).map(Continue).map_err(wrong)
    }

    /// The bytes of each table, in the order of the patterns, each pattern once.
    pub fn entries(&self, pattern: &Pattern) -> Result<Option<Vec<u8>>, DeviceError> {
        let Some(index) = self.patterns.iter().position(|other| other == pattern) else { return Ok(None) };
        let bytes = self.workshop.ground(pattern).plan.bytes();
        let mut entries = vec![0_u8; bytes as usize];
        self.entries[index].get(0, &mut entries)?;
        Ok(Some(entries))
    }

    /// The patterns, one partition's after the other's.
    pub fn patterns(&self) -> &[Pattern] {
        &self.patterns
    }

    /// The bytes of the tables.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    fn empty(
        gpu: &crate::Gpu,
        topology: Topology,
        blank: usize,
        patterns: Vec<Pattern>,
        control: &Control,
    ) -> Result<ControlFlow<Stop, Self>, DeviceError> {
        let mut workshop = Workshop::new(gpu, topology)?;
        let outlooks = outlooks(&patterns).map_err(|_| unsuitable(topology))?;
        if outlooks.iter().any(|outlook| outlook.patterns.len() > LANES) {
            return Err(unsuitable(topology));
        }
        for pattern in &patterns {
            go_on!(workshop.prepare(pattern.tiles().len(), control)?);
        }
        let machine = kept_moves(topology);
        let fans: Vec<u64> = machine
            .iter()
            .map(|next| (0..4).fold(0, |fan, direction| fan | u64::from(next[direction]) << (16 * direction)))
            .collect();
        let fans = Memory::of(&workshop.device, &fans)?;
        Ok(Continue(Self { workshop, blank, patterns, outlooks, entries: Vec::new(), fans, machine, bytes: 0 }))
    }

    fn take(&mut self, entries: Arc<Memory>) {
        if !self.entries.iter().any(|known| Arc::ptr_eq(known, &entries)) {
            self.bytes += entries.bytes();
        }
        self.entries.push(entries);
    }

    /// Sees whether all tables fit, and the largest build beside them.
    fn check_room(&self) -> Result<(), DeviceError> {
        let is_first = |index: usize| !self.patterns[..index].contains(&self.patterns[index]);
        let ground = |index: usize| self.workshop.ground(&self.patterns[index]);
        let once = || (0..self.patterns.len()).filter(|&index| is_first(index));
        let tables: u64 = once().map(|index| ground(index).plan.bytes()).sum();
        let build = once().map(|index| ground(index).build_bytes()).max().unwrap_or(0);
        let (found, expected) = (self.workshop.device.info()?.free_bytes, tables + build);
        if expected > found { Err(DeviceError::Memory { found, expected }) } else { Ok(()) }
    }

    /// The board.
    pub(crate) fn topology(&self) -> Topology {
        self.workshop.topology
    }

    /// What the device's code is compiled for when it looks at so many views.
    pub(crate) fn shape(&self, views: usize) -> Shape {
        self.workshop.shape(views)
    }

    /// The world as one or two ways to look a board up see it, and how many ranks are to be held near.
    pub(crate) fn world(&self, views: &[usize]) -> Result<(Memory, u32), DeviceError> {
        let shape = self.shape(views.len());
        let mut kinds: Vec<usize> = Vec::new();
        let mut world = World {
            tables: [Table::default(); 2 * LANES],
            low: self.workshop.low.address(),
            fans: self.fans.address(),
            cells: self.topology().cells() as u32,
            views: shape.views,
            one_bit: shape.one_bit.into(),
            cell_bits: shape.cell_bits,
            lanes: [0; 2],
            high: [0; LANES],
            kinds: 0,
            high_length: high_length(self.topology()) as u32,
            beside: beside(self.topology()),
            image: [[0; CELLS]; 2],
            colour: colours(self.topology()),
            lane_of: [[NO_CELL; CELLS]; 2],
            number_of: [[0; CELLS]; 2],
        };
        for (at, &view) in views.iter().enumerate() {
            let outlook = &self.outlooks[view];
            world.image[at][..outlook.image.len()].copy_from_slice(&outlook.image);
            world.lanes[at] = outlook.patterns.len() as u32;
            for (lane, index) in outlook.patterns.clone().enumerate() {
                let tiles = self.patterns[index].tiles().len();
                let kind = kinds.iter().position(|&known| known == tiles).unwrap_or(kinds.len());
                if kind == kinds.len() {
                    kinds.push(tiles);
                    *world.high.get_mut(kind).ok_or_else(|| unsuitable(self.topology()))? =
                        self.workshop.ground(&self.patterns[index]).high.address();
                }
                world.tables[LANES * at + lane] = self.table(index, kind as u32);
                for (number, &home) in self.patterns[index].tiles().iter().enumerate() {
                    // The tile that the view sees as this one.
                    let seen = outlook.image.iter().position(|&image| image == home).expect("a symmetry loses no cell");
                    world.lane_of[at][seen] = lane as u8;
                    world.number_of[at][seen] = number as u8;
                }
            }
        }
        world.kinds = kinds.len() as u32;
        let ranks = world.kinds * world.high_length;
        Ok((Memory::of(&self.workshop.device, &[world])?, ranks))
    }

    fn table(&self, index: usize, kind: u32) -> Table {
        let pattern = &self.patterns[index];
        let ground = self.workshop.ground(pattern);
        let mut homes = [0; 8];
        homes[..pattern.tiles().len()].copy_from_slice(pattern.tiles());
        Table {
            entries: self.entries[index].address(),
            sets: ground.sets.address(),
            turns: ground.turns.address(),
            high: ground.high.address(),
            stride: ground.plan.stride as u64,
            tiles: ground.plan.tiles as u32,
            orders: ground.plan.orders as u32,
            kind,
            goal_row: ground.goal_row(pattern),
            homes,
        }
    }
}

fn wrong(error: impl Display) -> DeviceError {
    DeviceError::Wrong { why: error.to_string() }
}

/// The colour of each cell of a two-coloured board: that of its distance from the first.
fn colours(topology: Topology) -> [u8; CELLS] {
    let distances = topology.distances();
    std::array::from_fn(|cell| if cell < topology.cells() { (distances.between(0, cell) % 2) as u8 } else { 0 })
}

//! Pattern tables on a device.

use std::{collections::HashMap, ops::ControlFlow, sync::Arc};

use pintu_search::{Control, Stop};
use pintu_solver::{
    kept_moves,
    tables::{
        Extent, MOST_PLANNED_CELLS, Outlook, Pattern, Plan, PlannedRanks, Tables, is_told_by_one_bit, outlooks,
        partitions_of_sizes, patterns,
    },
};
use pintu_tiles::{Direction, Topology};

use crate::{
    backend::{Device, DeviceError, Kernel, Memory},
    words::{Build, CELLS, LANES, NO_CELL, Set, Shape, Table, World},
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
    (10..MOST_PLANNED_CELLS).contains(&topology.cells())
        && patterns(topology, blank, Extent::Large)
            .ok()
            .and_then(|patterns| outlooks(&patterns).ok())
            .is_some_and(|outlooks| outlooks.iter().all(|outlook| outlook.patterns.len() <= LANES))
}

/// The tables of a board on a device.
pub struct DeviceTables {
    pub(crate) device: Device,
    pub(crate) topology: Topology,
    pub(crate) blank: usize,
    patterns: Vec<Pattern>,
    pub(crate) outlooks: Vec<Outlook>,
    /// Each pattern's table; partitions may share some.
    entries: Vec<Arc<Memory>>,
    /// What tables of patterns of as many tiles share.
    grounds: HashMap<usize, Ground>,
    low: Memory,
    /// The machine's moves.
    fans: Memory,
    pub(crate) machine: Vec<[u16; 4]>,
    /// What has been built here, in bytes.
    pub(crate) bytes: u64,
}

/// What tables of patterns of so many tiles share.
struct Ground {
    plan: Plan,
    sets: Memory,
    set_of_row: Memory,
    turns: Memory,
    high: Memory,
}

impl Ground {
    fn new(device: &Device, topology: Topology, tiles: usize) -> Result<Self, DeviceError> {
        let plan = Plan::new(topology, tiles).ok_or_else(|| unsuitable(topology))?;
        let sets: Vec<Set> =
            plan.sets.iter().map(|set| Set { map: set.map, first_row: set.first_row, mask: set.mask as u32 }).collect();
        let set_of_row: Vec<u32> =
            (0..).zip(&plan.sets).flat_map(|(rank, set)| std::iter::repeat_n(rank, set.rows as usize)).collect();
        let ranks = PlannedRanks::new(tiles);
        Ok(Self {
            sets: Memory::of(device, &sets)?,
            set_of_row: Memory::of(device, &set_of_row)?,
            turns: Memory::of(device, &plan.turns())?,
            high: Memory::of(device, &ranks.high[..high_length(topology)])?,
            plan,
        })
    }

    /// The row of a pattern's goal.
    fn goal_row(&self, pattern: &Pattern) -> u32 {
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
    fn build_bytes(&self) -> u64 {
        4 * self.plan.rows as u64 * self.words() * (3 + self.plan.bits as u64)
    }
}

/// How many ranks of sets' upper cells there are.
fn high_length(topology: Topology) -> usize {
    1 << topology.cells().saturating_sub(PlannedRanks::LOW_CELLS)
}

fn unsuitable(topology: Topology) -> DeviceError {
    DeviceError::Board { found: format!("a board of {topology}"), expected: "10 to 25 cells and at most four patterns" }
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
        let mut tables = Self::empty(&gpu.device, topology, blank, patterns)?;
        tables.check_room()?;
        for index in 0..tables.patterns.len() {
            let known = tables.patterns[..index].iter().position(|other| *other == tables.patterns[index]);
            let entries = match known {
                Some(known) => Arc::clone(&tables.entries[known]),
                None => match tables.build_one(index, control)? {
                    ControlFlow::Continue(entries) => Arc::new(entries),
                    ControlFlow::Break(why) => return Ok(ControlFlow::Break(why)),
                },
            };
            tables.take(entries);
        }
        Ok(ControlFlow::Continue(tables))
    }

    /// Brings the solver's own tables to a device.
    pub fn bring(gpu: &crate::Gpu, tables: &Tables) -> Result<Self, DeviceError> {
        let patterns: Vec<Pattern> = tables.tables().iter().map(|table| table.pattern().clone()).collect();
        let mut brought = Self::empty(&gpu.device, tables.topology(), tables.blank(), patterns)?;
        for (index, table) in tables.tables().iter().enumerate() {
            let expected = brought.grounds[&table.pattern().tiles().len()].plan.bytes();
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

    /// The bytes of each table, in the order of the patterns, each pattern once.
    pub fn entries(&self, pattern: &Pattern) -> Result<Option<Vec<u8>>, DeviceError> {
        let Some(index) = self.patterns.iter().position(|other| other == pattern) else { return Ok(None) };
        let bytes = self.grounds[&pattern.tiles().len()].plan.bytes();
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

    fn empty(device: &Device, topology: Topology, blank: usize, patterns: Vec<Pattern>) -> Result<Self, DeviceError> {
        let cells = topology.cells();
        let outlooks = outlooks(&patterns).map_err(|_| unsuitable(topology))?;
        let fits = outlooks.iter().all(|outlook| outlook.patterns.len() <= LANES);
        if !(10..MOST_PLANNED_CELLS).contains(&cells) || !fits {
            return Err(unsuitable(topology));
        }
        let mut grounds = HashMap::new();
        for tiles in patterns.iter().map(|pattern| pattern.tiles().len()) {
            if let std::collections::hash_map::Entry::Vacant(vacant) = grounds.entry(tiles) {
                vacant.insert(Ground::new(device, topology, tiles)?);
            }
        }
        let machine = kept_moves(topology);
        let fans: Vec<u64> = machine
            .iter()
            .map(|next| (0..4).fold(0, |fan, direction| fan | u64::from(next[direction]) << (16 * direction)))
            .collect();
        Ok(Self {
            device: Arc::clone(device),
            topology,
            blank,
            patterns,
            outlooks,
            entries: Vec::new(),
            grounds,
            low: Memory::of(device, &PlannedRanks::new(1.max(MOST_LOW_TILES)).low)?,
            fans: Memory::of(device, &fans)?,
            machine,
            bytes: 0,
        })
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
        let ground = |index: usize| &self.grounds[&self.patterns[index].tiles().len()];
        let once = || (0..self.patterns.len()).filter(|&index| is_first(index));
        let tables: u64 = once().map(|index| ground(index).plan.bytes()).sum();
        let build = once().map(|index| ground(index).build_bytes()).max().unwrap_or(0);
        let (found, expected) = (self.device.info()?.free_bytes, tables + build);
        if expected > found { Err(DeviceError::Memory { found, expected }) } else { Ok(()) }
    }

    fn build_one(&self, index: usize, control: &Control) -> Result<ControlFlow<Stop, Memory>, DeviceError> {
        let pattern = &self.patterns[index];
        let ground = &self.grounds[&pattern.tiles().len()];
        let plan = &ground.plan;
        let device = &self.device;
        let plane = 4 * plan.rows as u64 * ground.words();
        let waves = [Memory::zeroed(device, plane)?, Memory::zeroed(device, plane)?];
        let active = [Memory::zeroed(device, plan.rows as u64)?, Memory::zeroed(device, plan.rows as u64)?];
        let seen = Memory::zeroed(device, plane)?;
        let planes = Memory::zeroed(device, plane * plan.bits as u64)?;
        let entries = Memory::new(device, plan.bytes())?;
        let beside = Memory::of(device, &beside(self.topology))?;
        let reached = Memory::zeroed(device, 8)?;
        let mut build = Build {
            sets: ground.sets.address(),
            set_of_row: ground.set_of_row.address(),
            low: self.low.address(),
            high: ground.high.address(),
            turns: ground.turns.address(),
            beside: beside.address(),
            next: waves[0].address(),
            seen: seen.address(),
            planes: planes.address(),
            next_active: active[0].address(),
            reached: reached.address(),
            entries: entries.address(),
            stride: plan.stride as u64,
            rows: plan.rows as u32,
            words: ground.words() as u32,
            orders: plan.orders as u32,
            tiles: plan.tiles as u32,
            cells: self.topology.cells() as u32,
            bits: plan.bits as u32,
            cell_bits: plan.cell_bits as u32,
            goal_row: ground.goal_row(pattern),
            ..Build::default()
        };
        let shape = self.shape(1);
        device.launch(shape, Kernel::Plant(&build), 1)?;
        let threads = plan.rows as u64 * ground.words();
        let mut total = [0_u64];
        for level in 1.. {
            let (last, next) = ((level + 1) % 2, level % 2);
            if let ControlFlow::Break(why) = control.check() {
                return Ok(ControlFlow::Break(why));
            }
            active[next].clear()?;
            build.last = waves[last].address();
            build.next = waves[next].address();
            build.last_active = active[last].address();
            build.next_active = active[next].address();
            build.level = level as u32;
            device.launch(shape, Kernel::Pull(&build), threads)?;
            let before = total[0];
            reached.get(0, &mut total)?;
            if total[0] == before {
                break;
            }
        }
        drop((waves, seen, active));
        device.launch(shape, Kernel::Pack(&build), (plan.stride / plan.bits / 32) as u64 * ground.words())?;
        reached.get(0, &mut total)?;
        Ok(ControlFlow::Continue(entries))
    }

    /// What the device's code is compiled for when it looks at so many views.
    pub(crate) fn shape(&self, views: usize) -> Shape {
        let cell_bits = self.grounds.values().next().map_or(2, |ground| ground.plan.cell_bits) as u32;
        Shape { views: views as u32, one_bit: is_told_by_one_bit(self.topology.kind()), cell_bits }
    }

    /// The world as one or two ways to look a board up see it, and how many ranks are to be held near.
    pub(crate) fn world(&self, views: &[usize]) -> Result<(Memory, u32), DeviceError> {
        let shape = self.shape(views.len());
        let mut kinds: Vec<usize> = Vec::new();
        let mut world = World {
            tables: [Table::default(); 2 * LANES],
            low: self.low.address(),
            fans: self.fans.address(),
            cells: self.topology.cells() as u32,
            views: shape.views,
            one_bit: shape.one_bit.into(),
            cell_bits: shape.cell_bits,
            lanes: [0; 2],
            high: [0; LANES],
            kinds: 0,
            high_length: high_length(self.topology) as u32,
            beside: beside(self.topology),
            image: [[0; CELLS]; 2],
            colour: colours(self.topology),
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
                    *world.high.get_mut(kind).ok_or_else(|| unsuitable(self.topology))? =
                        self.grounds[&tiles].high.address();
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
        Ok((Memory::of(&self.device, &[world])?, ranks))
    }

    fn table(&self, index: usize, kind: u32) -> Table {
        let pattern = &self.patterns[index];
        let ground = &self.grounds[&pattern.tiles().len()];
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

/// The ranks of lower cells do not depend on the tiles, as long as there are so many.
const MOST_LOW_TILES: usize = 8;

/// For each cell and direction, the next cell.
fn beside(topology: Topology) -> [u8; 4 * CELLS] {
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

/// The colour of each cell of a two-coloured board: that of its distance from the first.
fn colours(topology: Topology) -> [u8; CELLS] {
    let distances = topology.distances();
    std::array::from_fn(|cell| if cell < topology.cells() { (distances.between(0, cell) % 2) as u8 } else { 0 })
}

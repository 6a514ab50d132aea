//! Tables of large boards on a device: a bit for each placement of a pattern's tiles, with the blank in a corner that they shut
//! or elsewhere.

use std::sync::Arc;

use pintu_search::Control;
use pintu_solver::internals::{groups_of_sizes, images_keeping, is_told_by_one_bit, transition_table};
use pintu_tiles::{Direction, Topology};

use crate::{
    backend::{Device, DeviceError, Kernel, Memory},
    words::{Grow, LARGE_PARTS, LARGE_VIEWS, Large, LargeShape, NO_CELL, Part},
};

/// The most tiles of a pattern, and cells of a board.
const MAX_TILES: usize = 7;
const MAX_CELLS: usize = 64;
const MIN_CELLS: usize = 10;
/// Cells are numbered up to this where their tables lie on the device.
const STRIDE: usize = 64;
/// Rows that are done between two looks at the control.
const PIECE: u64 = 1 << 28;

/// The patterns of one partition: the goal cells of each one's tiles.
pub type Partition = Vec<Vec<u8>>;

/// A partition looked up under a symmetry of the board.
struct LargeView {
    partition: usize,
    /// The cell that stands for each cell.
    image: Box<[u8]>,
}

/// The tables of a large board on a device.
pub struct LargeTables {
    pub(crate) device: Device,
    pub(crate) topology: Topology,
    pub(crate) blank: usize,
    /// Whether the blank counts where it is shut into a corner.
    has_corners: bool,
    partitions: Vec<Partition>,
    views: Vec<LargeView>,
    /// Each pattern and its table, once.
    entries: Vec<(Vec<u8>, Arc<Memory>)>,
    beside: Memory,
    distances: Memory,
    corner: Memory,
    transitions: Memory,
}

/// Views on a device: the data by which it looks boards up.
pub(crate) struct LargeWorld {
    pub(crate) world: Memory,
    pub(crate) shape: LargeShape,
    _parts: Memory,
    _bytes: [Memory; 2],
}

/// How a table is laid out.
#[derive(Clone, Copy)]
struct Layout {
    rows: u64,
    row_words: u64,
    /// Rows with the blank in a corner, for each corner and the two tiles beside it; and those of all.
    span: u64,
    corner_rows: u64,
}

impl Layout {
    fn of(topology: Topology, tiles: usize, has_corners: bool) -> Self {
        let cells = topology.cells();
        let rows = (0..tiles - 1).map(|placed| (cells - placed) as u64).product();
        let corners = if tiles < 3 || !has_corners { 0 } else { corners(topology).len() };
        let span = if corners == 0 { 0 } else { (0..tiles - 3).map(|placed| (cells - 3 - placed) as u64).product() };
        let corner_rows = (corners * tiles * tiles) as u64 * span;
        Self { rows, row_words: row_words(cells, tiles), span, corner_rows }
    }

    fn bytes(self) -> u64 {
        4 * (self.rows + self.corner_rows) * self.row_words
    }
}

/// The words of a row: a bit for each cell that is left for the last tile.
fn row_words(cells: usize, tiles: usize) -> u64 {
    if cells - tiles < 32 { 1 } else { 2 }
}

impl LargeTables {
    /// Whether a device can have tables of such a board: every step changes a cell's colour, so that one bit tells.
    pub fn suits(topology: Topology) -> bool {
        (MIN_CELLS..=MAX_CELLS).contains(&topology.cells()) && is_told_by_one_bit(topology.kind())
    }

    /// Partitions of a board's tiles into groups of at most `tiles` that hang together: the best few.
    pub fn partitions(topology: Topology, blank: usize, tiles: usize, most: usize) -> Vec<Partition> {
        let all = topology.cells() - 1;
        let mut sizes = vec![tiles; all / tiles];
        sizes.extend((!all.is_multiple_of(tiles)).then_some(all % tiles));
        let cells = |group: u64| (0..topology.cells() as u8).filter(|cell| group >> cell & 1 == 1).collect();
        let partition = |groups: Vec<u64>| groups.into_iter().map(cells).collect();
        groups_of_sizes(topology, blank, &sizes, most).into_iter().map(partition).collect()
    }

    /// The bytes that the tables of partitions into groups of `tiles` tiles take, with what building them takes; and their rows.
    pub(crate) fn estimated(topology: Topology, tiles: usize, partitions: usize) -> (u64, u64) {
        let layout = Layout::of(topology, tiles, true);
        let tables = ((topology.cells() - 1).div_ceil(tiles) * partitions) as u64;
        (layout.bytes().saturating_mul(tables + 1), (layout.rows + layout.corner_rows).saturating_mul(tables))
    }

    /// Builds the tables of some partitions on a device, for a board and its goal's blank cell in normal form, unless the
    /// control ends that.
    pub fn build(
        gpu: &crate::Gpu,
        topology: Topology,
        blank: usize,
        partitions: Vec<Partition>,
        control: &Control,
    ) -> Result<Self, DeviceError> {
        Self::build_some(gpu, (topology, blank), partitions, true, control)
    }

    /// Builds tables that ignore the blank, as a network was trained on them: tiles slide into any free cell.
    pub(crate) fn build_without_blank(
        gpu: &crate::Gpu,
        (topology, blank): (Topology, usize),
        partitions: Vec<Partition>,
        control: &Control,
    ) -> Result<Self, DeviceError> {
        Self::build_some(gpu, (topology, blank), partitions, false, control)
    }

    fn build_some(
        gpu: &crate::Gpu,
        (topology, blank): (Topology, usize),
        partitions: Vec<Partition>,
        has_corners: bool,
        control: &Control,
    ) -> Result<Self, DeviceError> {
        let most = partitions.iter().map(Vec::len).max().unwrap_or(0);
        let largest = partitions.iter().flatten().map(Vec::len).max().unwrap_or(0);
        if !Self::suits(topology) || !(1..=LARGE_PARTS).contains(&most) || largest > MAX_TILES {
            return Err(unsuitable(topology));
        }
        let device = Arc::clone(&gpu.device);
        let mut tables = Self {
            views: views(topology, blank, &partitions),
            beside: Memory::of(&device, &beside(topology))?,
            distances: Memory::of(&device, &distances(topology))?,
            corner: Memory::of(&device, &corner_table(topology, has_corners))?,
            transitions: Memory::of(&device, transition_table(topology).as_flattened())?,
            entries: Vec::new(),
            device,
            topology,
            blank,
            has_corners,
            partitions,
        };
        // The code that searches by all views builds, too: it is compiled once.
        let code = tables.shape(tables.views.len().min(LARGE_VIEWS));
        tables.device.begin(code.into());
        let cells = topology.cells();
        let mut patterns: Vec<Vec<u8>> = tables.partitions.concat();
        patterns.sort_unstable_by_key(|tiles| (tiles.len(), tiles.clone()));
        patterns.dedup();
        let need: u64 = patterns.iter().map(|tiles| tables.layout(tiles.len()).bytes()).sum();
        let seen = tables.layout(largest).bytes();
        let found = tables.device.info()?.free_bytes;
        if need + seen > found {
            return Err(DeviceError::Memory { found, expected: need + seen });
        }
        let seen = Memory::new(&tables.device, seen)?;
        tables.device.ready(code.into(), control)?;
        for tiles in patterns {
            let entries = tables.build_one(&tiles, code, &seen, cells, control)?;
            tables.entries.push((tiles, Arc::new(entries)));
        }
        Ok(tables)
    }

    /// All rows of a board's tables have as many words.
    fn layout(&self, tiles: usize) -> Layout {
        Layout { row_words: self.row_words(), ..Layout::of(self.topology, tiles, self.has_corners) }
    }

    fn row_words(&self) -> u64 {
        let smallest = self.partitions.iter().flatten().map(Vec::len).min().unwrap_or(1);
        row_words(self.topology.cells(), smallest)
    }

    fn build_one(
        &self,
        tiles: &[u8],
        code: LargeShape,
        seen: &Memory,
        cells: usize,
        control: &Control,
    ) -> Result<Memory, DeviceError> {
        let layout = self.layout(tiles.len());
        let device = &self.device;
        let rows = Memory::zeroed(device, layout.bytes())?;
        seen.clear()?;
        let changed = Memory::zeroed(device, 4)?;
        let marks = |rows: u64| Memory::zeroed(device, rows.div_ceil(device.width().into()));
        let (marks, corner_marks) = (marks(layout.rows)?, marks(layout.corner_rows)?);
        let mut grow = Grow {
            seen: seen.address(),
            rows: rows.address(),
            changed: changed.address(),
            marks: marks.address(),
            beside: self.beside.address(),
            distance: self.distances.address(),
            corner: self.corner.address(),
            count: layout.rows,
            cells: cells as u32,
            tiles: tiles.len() as u32,
            row_words: layout.row_words as u32,
            span: layout.span as u32,
            ..shifts(self.topology)
        };
        grow.homes[..tiles.len()].copy_from_slice(tiles);
        // Each tile's rank among the cells that those before it leave, in mixed radix.
        let others = tiles.len() - 1;
        let (mut weight, mut goal) = (1_u32, 0_u64);
        for at in (0..others).rev() {
            grow.weights[at] = weight;
            goal += u64::from(weight) * rank(tiles, at) as u64;
            weight = weight.wrapping_mul((cells - at) as u32);
        }
        let mut weight = 1_u32;
        for at in (0..others.saturating_sub(2)).rev() {
            grow.corner_weights[at] = weight;
            weight = weight.wrapping_mul((cells - 3 - at) as u32);
        }
        if layout.span > 0 {
            for (at, (corner, _)) in corners(self.topology).into_iter().enumerate() {
                (grow.corners[at], grow.corner_count) = (corner as u32, at as u32 + 1);
            }
        }
        let (row, bit) = self.shut_home(tiles, &layout).unwrap_or((goal, rank(tiles, others)));
        let word = row * layout.row_words + (bit / 32) as u64;
        device.upload(seen.address() + 4 * word, &(1_u32 << (bit % 32)).to_ne_bytes())?;
        for level in 1.. {
            changed.clear()?;
            grow.level = level;
            for first in (0..layout.rows).step_by(PIECE as usize) {
                let end = (first + PIECE).min(layout.rows);
                device.launch(code.into(), Kernel::Grow(&Grow { first, end, ..grow }), end - first)?;
                control.check()?;
            }
            let (first, end) = (0, layout.corner_rows);
            if end > 0 {
                let marks = corner_marks.address();
                device.launch(code.into(), Kernel::GrowCorners(&Grow { marks, first, end, ..grow }), end)?;
            }
            if changed.values::<u32>(1)? == [0] {
                return Ok(rows);
            }
        }
        unreachable!("a table has as many levels as it has")
    }

    /// The row and bit of a pattern's tiles at home, if they shut the blank into its corner.
    fn shut_home(&self, tiles: &[u8], layout: &Layout) -> Option<(u64, usize)> {
        let corners = corners(self.topology);
        let index = corners.iter().position(|&(corner, _)| corner == self.blank).filter(|_| layout.span > 0)?;
        let (corner, doors) = corners[index];
        let place = |door: usize| tiles.iter().position(|&tile| usize::from(tile) == door);
        let (one, two) = (place(doors[0])?, place(doors[1])?);
        let rest: Vec<usize> = tiles.iter().map(|&tile| tile.into()).filter(|tile| !doors.contains(tile)).collect();
        let rank = |at: usize| {
            let shut = [corner, doors[0], doors[1]];
            let before = rest[..at].iter().chain(&shut).filter(|&&before| before < rest[at]).count();
            rest[at] - before
        };
        let (last, cells) = (rest.len() - 1, self.topology.cells());
        let row = (0..last).fold(0, |row, at| row * (cells - 3 - at) as u64 + rank(at) as u64);
        let pair = (index * tiles.len() + one) * tiles.len() + two;
        Some((layout.rows + pair as u64 * layout.span + row, rank(last)))
    }

    /// The bytes of the tables.
    pub fn bytes(&self) -> u64 {
        self.entries.iter().map(|(_, memory)| memory.bytes()).sum()
    }

    /// The number of views.
    pub fn view_count(&self) -> usize {
        self.views.len()
    }

    /// The views of some partitions.
    pub fn views_of(&self, partitions: &[usize]) -> Vec<usize> {
        (0..self.views.len()).filter(|&view| partitions.contains(&self.views[view].partition)).collect()
    }

    /// The number of partitions.
    pub fn partition_count(&self) -> usize {
        self.partitions.len()
    }

    pub(crate) fn shape(&self, views: usize) -> LargeShape {
        LargeShape {
            cells: self.topology.cells() as u32,
            views: views as u32,
            tiles: self.partitions.iter().flatten().map(Vec::len).max().unwrap_or(1) as u32,
            row_words: self.row_words() as u32,
        }
    }

    /// Lays out for the device by which views boards are looked up.
    pub(crate) fn world(&self, views: &[usize]) -> Result<LargeWorld, DeviceError> {
        assert!((1..=LARGE_VIEWS).contains(&views.len()), "a device looks at few views at once");
        let shape = self.shape(views.len());
        let mut parts = vec![Part::default(); views.len() * LARGE_PARTS];
        let mut images = vec![0_u8; views.len() * STRIDE];
        let mut part_of = vec![0_u8; views.len() * STRIDE];
        for (at, &view) in views.iter().enumerate() {
            let LargeView { partition, image } = &self.views[view];
            images[at * STRIDE..][..image.len()].copy_from_slice(image);
            for (group, pattern) in self.partitions[*partition].iter().enumerate() {
                let part = &mut parts[at * LARGE_PARTS + group];
                let known = self.entries.iter().find(|(tiles, _)| tiles == pattern);
                part.rows = known.expect("every pattern has a table").1.address();
                part.count = pattern.len() as u32;
                let layout = self.layout(pattern.len());
                (part.base, part.span) = (layout.rows as u32, layout.span as u32);
                for (number, home) in pattern.iter().enumerate() {
                    // The tile that the view sees as this one.
                    let seen = image.iter().position(|cell| cell == home).expect("a symmetry loses no cell");
                    part.tiles |= (seen as u64) << (8 * number);
                    part_of[at * STRIDE + seen] = group as u8;
                }
            }
        }
        let parts = Memory::of(&self.device, &parts)?;
        let bytes = [Memory::of(&self.device, &images)?, Memory::of(&self.device, &part_of)?];
        let world = Large {
            parts: parts.address(),
            transitions: self.transitions.address(),
            cells: shape.cells,
            views: shape.views,
            row_words: shape.row_words,
            blank: self.blank as u32,
            beside: self.beside.address(),
            image: bytes[0].address(),
            part_of: bytes[1].address(),
            distance: self.distances.address(),
            corner: self.corner.address(),
        };
        self.device.begin(shape.into());
        Ok(LargeWorld { world: Memory::of(&self.device, &[world])?, shape, _parts: parts, _bytes: bytes })
    }
}

/// The rank of a pattern's tile among the cells that those before it leave.
fn rank(tiles: &[u8], at: usize) -> usize {
    usize::from(tiles[at]) - tiles[..at].iter().filter(|&&before| before < tiles[at]).count()
}

/// The views that look up other entries than those before them.
fn views(topology: Topology, blank: usize, partitions: &[Partition]) -> Vec<LargeView> {
    let images = images_keeping(topology, blank);
    let mut known: Vec<Vec<u64>> = Vec::new();
    let mut views = Vec::new();
    for (index, partition) in partitions.iter().enumerate() {
        for image in &images {
            let mask = |tiles: &Vec<u8>| tiles.iter().fold(0_u64, |mask, &tile| mask | 1 << image[usize::from(tile)]);
            let mut masks: Vec<u64> = partition.iter().map(mask).collect();
            masks.sort_unstable();
            if !known.contains(&masks) {
                known.push(masks);
                views.push(LargeView { partition: index, image: image.clone() });
            }
        }
    }
    views
}

pub(crate) fn unsuitable(topology: Topology) -> DeviceError {
    let found = format!("a board of {topology}");
    DeviceError::Board { found, expected: "a board of 10 to 64 cells whose steps change the colour" }
}

/// The corners of a board and the two cells beside each: cells with two neighbours, where no two are beside each other.
fn corners(topology: Topology) -> Vec<(usize, [usize; 2])> {
    let size = topology.size();
    if size.rows().min(size.cols()) < 3 {
        return Vec::new();
    }
    let doors = |cell: usize| {
        let beside: Vec<usize> = topology.neighbours(cell).collect();
        <[usize; 2]>::try_from(beside).ok().map(|doors| (cell, doors))
    };
    (0..topology.cells()).filter_map(doors).collect()
}

/// For each cell its number among the corners, or [`NO_CELL`]; then each corner's two doors.
fn corner_table(topology: Topology, has_corners: bool) -> Vec<u8> {
    let mut table = vec![NO_CELL; STRIDE];
    let corners = if has_corners { corners(topology) } else { Vec::new() };
    for (at, (corner, doors)) in corners.into_iter().enumerate() {
        table[corner] = at as u8;
        table.extend(doors.map(|door| door as u8));
    }
    table
}

/// The cell next to each cell in each direction, or [`NO_CELL`].
fn beside(topology: Topology) -> Vec<u8> {
    let next = |cell, direction| topology.neighbour(cell, direction).map_or(NO_CELL, |next| next as u8);
    (0..topology.cells()).flat_map(|cell| Direction::ALL.map(|direction| next(cell, direction))).collect()
}

fn distances(topology: Topology) -> Vec<u8> {
    let distances = topology.distances();
    let cells = topology.cells();
    let between = |from: usize, to: usize| if from.max(to) < cells { distances.between(from, to) as u8 } else { 0 };
    (0..STRIDE).flat_map(|from| (0..STRIDE).map(move |to| (from, to))).map(|(from, to)| between(from, to)).collect()
}

/// The masks by which a set of cells is moved to all its neighbours.
fn shifts(topology: Topology) -> Grow {
    let size = topology.size();
    let (rows, cols) = (size.rows(), size.cols());
    let of = |keep: &dyn Fn(usize, usize) -> bool| {
        let cells = (0..size.cells()).filter(|&cell| keep(size.row(cell), size.col(cell)));
        cells.fold(0_u64, |mask, cell| mask | 1 << cell)
    };
    let wraps_row = |row: usize| topology.wrap_rows().any(|wrapped| wrapped == row);
    let wraps_col = |col: usize| topology.wrap_cols().any(|wrapped| wrapped == col);
    let distances = topology.distances();
    Grow {
        black: of(&|row, col| distances.between(0, size.cell(row, col)) % 2 == 1),
        right: of(&|_, col| col + 1 < cols),
        left: of(&|_, col| col > 0),
        down: of(&|row, _| row + 1 < rows),
        up: of(&|row, _| row > 0),
        right_wrap: of(&|row, col| col + 1 == cols && wraps_row(row)),
        left_wrap: of(&|row, col| col == 0 && wraps_row(row)),
        down_wrap: of(&|row, col| row + 1 == rows && wraps_col(col)),
        up_wrap: of(&|row, col| row == 0 && wraps_col(col)),
        cols: cols as u32,
        wrap_shift: ((rows - 1) * cols) as u32,
        ..Grow::default()
    }
}

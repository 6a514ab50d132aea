//! What host and device tell each other: the structures of `device/`, field for field.

/// The most lanes of a view, cells of a board and tiles of a pattern on a device.
pub(crate) const LANES: usize = 4;
pub(crate) const CELLS: usize = 32;
const TILES: usize = 8;
/// No cell.
pub(crate) const NO_CELL: u8 = 0xff;
/// Words of a path: moves that a search may make from a root are sixteen times as many.
pub(crate) const PATH_WORDS: usize = 8;

/// What can be sent to a device as it lies in memory.
pub(crate) trait Plain: Copy {}

macro_rules! plain {
    ($($kind:ty),*) => { $(impl Plain for $kind {})* };
}

plain!(u8, u16, u32, u64, Set, World, Counts, Record, Tally);

#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub(crate) struct Set {
    pub(crate) map: u64,
    pub(crate) first_row: u32,
    pub(crate) mask: u32,
}

#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub(crate) struct Table {
    pub(crate) entries: u64,
    pub(crate) sets: u64,
    pub(crate) turns: u64,
    pub(crate) high: u64,
    pub(crate) stride: u64,
    pub(crate) tiles: u32,
    pub(crate) orders: u32,
    pub(crate) kind: u32,
    pub(crate) goal_row: u32,
    pub(crate) homes: [u8; TILES],
}

#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct World {
    pub(crate) tables: [Table; 2 * LANES],
    pub(crate) low: u64,
    pub(crate) fans: u64,
    pub(crate) cells: u32,
    pub(crate) views: u32,
    pub(crate) one_bit: u32,
    pub(crate) cell_bits: u32,
    pub(crate) lanes: [u32; 2],
    pub(crate) high: [u64; LANES],
    pub(crate) kinds: u32,
    pub(crate) high_length: u32,
    pub(crate) beside: [u8; 4 * CELLS],
    pub(crate) image: [[u8; CELLS]; 2],
    pub(crate) colour: [u8; CELLS],
    pub(crate) lane_of: [[u8; CELLS]; 2],
    pub(crate) number_of: [[u8; CELLS]; 2],
}

#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub(crate) struct Counts {
    pub(crate) pool_next: u32,
    pub(crate) pool_count: u32,
    pub(crate) idle: u32,
    pub(crate) stop: u32,
    pub(crate) found: u32,
    pub(crate) shortfall: u32,
    pub(crate) broken: u32,
    pub(crate) spare: u32,
    pub(crate) expanded: u64,
    pub(crate) generated: u64,
    pub(crate) budget: u64,
    pub(crate) largest: u64,
}

#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub(crate) struct Record {
    pub(crate) root: u32,
    pub(crate) left: u32,
    pub(crate) path: [u32; PATH_WORDS],
}

#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub(crate) struct Tally {
    pub(crate) expanded: u64,
    pub(crate) generated: u64,
}

#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub(crate) struct Search {
    pub(crate) world: u64,
    pub(crate) stacks: u64,
    pub(crate) sizes: u64,
    pub(crate) pool: u64,
    pub(crate) counts: u64,
    pub(crate) records: u64,
    pub(crate) solved: u64,
    pub(crate) tallies: u64,
    pub(crate) nanoseconds: u64,
    pub(crate) steps: u32,
    pub(crate) warps: u32,
    pub(crate) capacity: u32,
    pub(crate) pool_capacity: u32,
    pub(crate) grab: u32,
    pub(crate) grant: u32,
    pub(crate) patience: u32,
    pub(crate) batch: u32,
}

#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub(crate) struct Roots {
    pub(crate) world: u64,
    pub(crate) boards: u64,
    pub(crate) machines: u64,
    pub(crate) planted: u64,
    pub(crate) made: u64,
    pub(crate) pool: u64,
    pub(crate) counts: u64,
    pub(crate) bounds: u64,
    pub(crate) solved: u64,
    pub(crate) records: u64,
    pub(crate) batch: u32,
    pub(crate) bound: u32,
    pub(crate) count: u32,
    pub(crate) room: u32,
    pub(crate) pool_capacity: u32,
    pub(crate) spare: u32,
}

#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub(crate) struct Build {
    pub(crate) sets: u64,
    pub(crate) set_of_row: u64,
    pub(crate) low: u64,
    pub(crate) high: u64,
    pub(crate) turns: u64,
    pub(crate) beside: u64,
    pub(crate) last: u64,
    pub(crate) next: u64,
    pub(crate) seen: u64,
    pub(crate) planes: u64,
    pub(crate) last_active: u64,
    pub(crate) next_active: u64,
    pub(crate) reached: u64,
    pub(crate) entries: u64,
    pub(crate) stride: u64,
    pub(crate) first: u64,
    pub(crate) end: u64,
    pub(crate) rows: u32,
    pub(crate) words: u32,
    pub(crate) orders: u32,
    pub(crate) tiles: u32,
    pub(crate) cells: u32,
    pub(crate) level: u32,
    pub(crate) bits: u32,
    pub(crate) cell_bits: u32,
    pub(crate) goal_row: u32,
    pub(crate) spare: u32,
}

/// What is known of boards and tables when the device's code is compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Shape {
    pub(crate) views: u32,
    pub(crate) one_bit: bool,
    pub(crate) cell_bits: u32,
}

impl Shape {
    /// The words of a state.
    pub(crate) fn state_words(self) -> usize {
        5 * self.views as usize + 2 + PATH_WORDS
    }
}

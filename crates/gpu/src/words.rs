//! What host and device tell each other: the structures of `device/`, field for field. Addresses of the device are `u64`.

/// The most groups of a view, cells of a board and tiles of a pattern on a device.
pub(crate) const GROUPS: usize = 4;
pub(crate) const CELLS: usize = 32;
const TILES: usize = 8;
pub(crate) const NO_CELL: u8 = 0xff;
/// Words of a path: a search may make sixteen times as many moves from a root.
pub(crate) const PATH_WORDS: usize = 8;

/// Integers, and structures of them without gaps: they can be sent to a device as they lie in memory.
pub(crate) trait Plain: Copy {}

impl Plain for u8 {}
impl Plain for u16 {}
impl Plain for u32 {}
impl Plain for u64 {}
impl Plain for Set {}
impl Plain for World {}
impl Plain for Counts {}
impl Plain for Record {}
impl Plain for Tally {}

/// Structures as C lays them out, whose fields are listed by their types.
macro_rules! structures {
    ($($(#[$about:meta])* $name:ident { $($kind:ty: $($field:ident)+;)+ })+) => {$(
        $(#[$about])*
        #[derive(Clone, Copy, Debug, Default)]
        #[repr(C)]
        pub(crate) struct $name {
            $($(pub(crate) $field: $kind,)+)+
        }
    )+};
}

structures! {
    /// A set of cells that a pattern's tiles lie in.
    Set {
        u64: map;
        u32: first_row mask;
    }
    Table {
        u64: entries sets reorderings stride;
        u32: tiles orders kind goal_row;
        [u8; TILES]: homes;
    }
    /// All that does not change from search to search.
    World {
        [Table; 2 * GROUPS]: tables;
        u64: low transitions;
        u32: cells views one_bit cell_bits;
        [u32; 2]: groups;
        [u64; GROUPS]: high;
        u32: kinds high_length;
        [[u8; 4]; CELLS]: beside;
        [[u8; CELLS]; 2]: image;
        [u8; CELLS]: colour;
        [[u8; CELLS]; 2]: group_of number_of;
    }
    /// What all warps have come to.
    Counts {
        u32: pool_next pool_count idle stop found shortfall broken spare;
        u64: expanded generated budget;
    }
    /// A path to the goal.
    Record {
        u32: root left;
        [u32; PATH_WORDS]: path;
    }
    /// What one board of many has taken.
    Tally {
        u64: expanded generated;
    }
    Search {
        u64: world stacks sizes pool counts records solved tallies nanoseconds;
        u32: steps warps capacity pool_capacity grab grant idle_limit batch;
    }
    Roots {
        u64: world boards automata states made pool counts bounds solved records;
        u32: batch bound count pool_capacity;
    }
    Build {
        u64: sets set_of_row low high reorderings beside last next seen planes last_active next_active reached entries;
        u64: stride first end;
        u32: rows words orders tiles cells level bits cell_bits goal_row;
    }
}

/// What is known of boards and tables when the device's code is compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Shape {
    pub(crate) views: u32,
    pub(crate) one_bit: bool,
    pub(crate) cell_bits: u32,
}

impl Shape {
    pub(crate) fn state_words(self) -> usize {
        5 * self.views as usize + 2 + PATH_WORDS
    }
}

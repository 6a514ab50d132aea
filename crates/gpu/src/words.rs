//! The structures that host and device exchange: those of `device/`, field for field. Addresses of the device are `u64`.

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
impl Plain for i32 {}
impl Plain for Set {}
impl Plain for World {}
impl Plain for Counts {}
impl Plain for Record {}
impl Plain for Tally {}
impl Plain for Part {}
impl Plain for Large {}
impl Plain for DiveCounts {}

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
    /// The results of all warps.
    Counts {
        u32: pool_next pool_count idle stop found shortfall broken spare;
        u64: expanded generated budget;
    }
    /// A path to the goal.
    Record {
        u32: root left;
        [u32; PATH_WORDS]: path;
    }
    /// The counts of one board of many.
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
    /// A pattern of a large board as a view sees it.
    Part {
        u64: rows tiles;
        u32: count base span spare;
    }
    /// All that does not change from search to search of a large board.
    Large {
        u64: parts transitions;
        u32: cells views row_words blank;
        u64: beside image part_of distance corner;
    }
    Grow {
        u64: seen rows changed marks beside distance corner count first end;
        u64: black right left down up right_wrap left_wrap down_wrap up_wrap;
        [u32; 8]: weights corner_weights;
        u32: cells cols wrap_shift tiles row_words level span;
        [u32; 4]: corners;
        u32: corner_count;
        [u8; 8]: homes;
    }
    Assess {
        u64: world boards states broken;
        u32: count spare;
    }
    Spread {
        u64: world here before claims before_slots claims_mask slots_mask scores ups histogram found;
        u32: count left;
        i32: sum_weight distance_weight;
        u32: shift most_score;
    }
    Carry {
        u64: world here parents before sums rows;
        u32: count spare;
    }
    Judge {
        u64: world here scores sums rows deep deep_bias last;
        u32: count;
        i32: last_bias share;
        u32: spare;
    }
    Take {
        u64: world here next slots slots_mask scores ups parents kept_scores taken ties;
        u32: count limit at_limit capacity;
    }
    Trace {
        u64: parents scores after merits;
        u32: count last last_merit spare;
    }
    Pick {
        u64: world states list copies;
        u32: count spare;
    }
    /// The results of all threads that search depth first from a frontier.
    DiveCounts {
        u32: root_next spilled_next spill_count idle stop found;
        [u32; 2]: spare;
        u64: expanded generated;
    }
    Dive {
        u64: world roots spilled spill counts record nanoseconds steps;
        u32: root_count spilled_count spill_capacity left idle_limit spare;
    }
}

/// The most views of a large board at once, and the most patterns of one; scores of a beam's states.
pub(crate) const LARGE_VIEWS: usize = 8;
pub(crate) const LARGE_PARTS: usize = 16;
pub(crate) const SCORES: usize = 8192;
/// The most moves that a search goes depth first.
pub(crate) const MOST_DEPTH: u32 = 128;

/// Constants of a large board and its tables that the device's code is compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct LargeShape {
    pub(crate) cells: u32,
    pub(crate) views: u32,
    /// The tiles of the largest pattern.
    pub(crate) tiles: u32,
    pub(crate) row_words: u32,
}

impl LargeShape {
    pub(crate) fn state_words(self) -> u64 {
        (self.cells.div_ceil(4) + self.views + self.views.div_ceil(2) + 3).into()
    }

    pub(crate) fn spill_words(self) -> u64 {
        self.state_words() + 3 + PATH_WORDS as u64
    }
}

/// Code of the device, and what it is compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Code {
    /// Boards and tables with regions of the blank.
    Small(Shape),
    /// Large boards.
    Large(LargeShape),
}

impl From<Shape> for Code {
    fn from(shape: Shape) -> Self {
        Self::Small(shape)
    }
}

impl From<LargeShape> for Code {
    fn from(shape: LargeShape) -> Self {
        Self::Large(shape)
    }
}

/// Constants of boards and tables that the device's code is compiled for.
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

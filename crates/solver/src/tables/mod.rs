//! Pattern tables: exact costs of subproblems that add up.

mod build;
mod packing;
mod partition;
mod plan;
mod rank;
mod rows;
mod set;
mod source;
mod symmetry;
mod table;

pub use build::Built;
pub use partition::{Extent, Key, groups_of_sizes, partitions_of_sizes};
pub use plan::{MAX_PLANNED_CELLS, Plan, PlannedRanks, PlannedSet, is_told_by_one_bit};
pub use set::{BuildError, Charged, NormalForm, Tables, View, for_each_once, normal_form_of, views};
pub use source::{TableCache, TableSource, has_room_for};
pub use symmetry::images_keeping;
pub use table::{Entries, Pattern, PatternError, SharedRows, Table};

pub(crate) use packing::Residue;
pub(crate) use partition::name_of;
pub(crate) use rank::{MAX_TILES, order_rank, passing};
pub(crate) use rows::{MappedSets, Rows, Sets};
pub(crate) use set::{MAX_GROUPS, MAX_PATTERNS, MAX_VIEWS};
pub(crate) use source::can_build;
pub(crate) use symmetry::{Symmetry, stabiliser, to_normal_form};
pub(crate) use table::mask_of;

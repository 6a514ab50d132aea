//! Pattern tables: exact costs of subproblems that add up.

mod build;
mod key;
mod packing;
mod partition;
mod plan;
mod rank;
mod residue;
mod rows;
mod set;
mod symmetry;
mod table;
mod walk;

pub use build::Built;
pub use key::Key;
pub use partition::{Extent, partitions_of_sizes, patterns};
pub use plan::{MOST_PLANNED_CELLS, Plan, PlannedRanks, PlannedSet, is_told_by_one_bit};
pub use set::{Outlook, Tables, TablesError, Turned, normal_form, normal_form_of, outlooks};
pub use table::{Entries, Pattern, PatternError, SharedRows, Table, TableError};

pub(crate) use rank::{MAX_TILES, order_rank, passing};
pub(crate) use residue::Residue;
pub(crate) use rows::{MappedSets, Rows, Sets};
pub(crate) use set::{Aspect, MAX_GROUPS, MAX_LANES, MAX_VIEWS};
pub(crate) use symmetry::{Symmetry, to_normal_form};

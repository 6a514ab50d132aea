//! Pattern tables: exact costs of subproblems that add up.

mod build;
mod packing;
mod partition;
mod rank;
mod residue;
mod rows;
mod symmetry;
mod table;
mod tables;
mod walk;

pub use build::Built;
pub use partition::{Extent, patterns};
pub use table::{Entries, Pattern, PatternError, SharedRows, Table, TableError};
pub use tables::{Tables, TablesError, normal_form, normal_form_of};

pub(crate) use rank::{MAX_TILES, order_rank, passing};
pub(crate) use residue::Residue;
pub(crate) use rows::{MappedSets, Rows, Sets};
pub(crate) use symmetry::{Symmetry, to_normal_form};
pub(crate) use tables::{Aspect, MAX_GROUPS, MAX_LANES, MAX_VIEWS, Turned};

//! Pattern tables: exact costs of subproblems that add up.

mod build;
mod key;
mod packing;
mod partition;
mod rank;
mod residue;
mod rows;
mod set;
mod symmetry;
mod table;
mod walk;

pub use build::Built;
pub use key::Key;
pub use partition::{Extent, patterns};
pub use set::{Tables, TablesError, normal_form, normal_form_of};
pub use table::{Entries, Pattern, PatternError, SharedRows, Table, TableError};

pub(crate) use rank::{MAX_TILES, order_rank, passing};
pub(crate) use residue::Residue;
pub(crate) use rows::{MappedSets, Rows, Sets};
pub(crate) use set::{Aspect, MAX_GROUPS, MAX_LANES, MAX_VIEWS, Turned};
pub(crate) use symmetry::{Symmetry, to_normal_form};

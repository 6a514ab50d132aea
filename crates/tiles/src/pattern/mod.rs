//! Pattern tables: exact costs of subproblems that add up.

mod build;
mod rank;
mod rows;
mod symmetry;
mod table;
mod tables;

pub use build::Built;
pub use table::{Entries, Pattern, PatternError, SharedRows, Table, TableError};
pub use tables::{Tables, TablesError, normal_form};

pub(crate) use build::row_bytes;
pub(crate) use rank::{MAX_PATTERN_CELLS, order_rank, passing};
pub(crate) use rows::Rows;
pub(crate) use symmetry::Symmetry;
pub(crate) use tables::Turned;

//! Answers and tables as text.

mod answer;
mod boards;
pub(crate) mod chart;
pub(crate) mod path;
mod table;

pub(crate) use answer::{fitted, folded, one_line, sentence, spent, whose};
pub(crate) use boards::boards;
pub(crate) use table::{Table, left, right};

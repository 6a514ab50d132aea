//! Answers and tables as text.

mod answer;
mod boards;
pub(crate) mod chart;
mod fold;
pub(crate) mod path;
mod table;

pub(crate) use answer::{at_least, one_line, sentence, spent, whose, written};
pub(crate) use boards::boards;
pub(crate) use fold::{evened, fitted, folded, wrapped};
pub(crate) use table::{Cell, Table, left, right};

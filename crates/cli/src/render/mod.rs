//! Answers and tables as text.

mod answer;
pub(crate) mod chart;
pub(crate) mod path;
mod table;

pub(crate) use answer::{at_least, boards, one_line, sentence, spent, whose, written};
pub(crate) use table::{Cell, Table, left, right};

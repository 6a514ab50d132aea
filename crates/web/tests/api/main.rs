//! The HTTP contract, line by line, and what hostile or unlucky clients may do to it.

mod bounds;
mod fuzz;
mod guard;
mod pictures;
mod records;
mod saves;
mod searches;
mod solve;
mod support;

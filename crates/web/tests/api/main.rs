//! The HTTP contract, line by line, and what hostile or unlucky clients may do to it.

mod bounds;
mod door;
mod ending;
mod examine;
mod fuzz;
mod guard;
mod identity;
mod path;
mod pictures;
mod race;
mod records;
mod revisions;
mod saves;
mod searches;
mod slow;
mod solve;
mod support;
mod trace;

//! The HTTP contract, line by line, and what hostile or unlucky clients may do to it.

mod auth;
mod bounds;
mod client;
mod examine;
mod fuzz;
mod guard;
mod hostile;
mod identity;
mod interface;
mod page;
mod path;
mod pictures;
mod players;
mod race;
mod records;
mod revisions;
mod saves;
mod searches;
mod socket;
mod solve;
mod stopping;
mod support;
mod trace;

//! The crate's behaviour, seen from outside.

mod agree;
mod edges;
mod faults;
mod graphs;
mod limits;
mod maps;
mod oracle;

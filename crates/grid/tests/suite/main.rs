//! The crate's behaviour, seen from outside.

mod agree;
mod edges;
mod graphs;
mod maps;

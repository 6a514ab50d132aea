//! The crate's behaviour, seen from outside.

mod agree;
mod edges;
mod maps;
mod oracle;

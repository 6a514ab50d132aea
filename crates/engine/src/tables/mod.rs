//! The table store: pattern tables are built once, kept, checked and found again.

mod checksum;
mod file;
mod hand;
mod mapping;
mod shelf;
mod store;
#[cfg(test)]
mod tests;
mod unfinished;

pub use file::Damage;
pub use pintu_solver::tables::Key;
pub use shelf::Listed;
pub use store::{Bounds, Building, Kept, Store, StoreError, Watch};

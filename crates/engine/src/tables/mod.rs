//! The table store: pattern tables are built once, kept, checked and found again.

mod checksum;
mod file;
mod mapping;
mod store;
#[cfg(test)]
mod tests;

pub use file::Damage;
pub use pintu_solver::tables::Key;
pub use store::{Building, Kept, Listed, Store, StoreError, Watch};

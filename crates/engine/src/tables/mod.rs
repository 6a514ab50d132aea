//! The table store: builds pattern tables once, and keeps, checks and finds them.

mod cache;
mod directory;
mod file;
mod store;
#[cfg(test)]
mod tests;

pub use directory::TableFile;
pub use file::Damage;
pub use pintu_solver::store::Key;
pub use store::{Bounds, Building, BuiltTables, Store, StoreError, Watch};

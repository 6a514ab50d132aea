//! The table store: pattern tables are built once, kept, checked and found again.

mod cache;
mod directory;
mod file;
mod store;
#[cfg(test)]
mod tests;

pub use directory::Listed;
pub use file::Damage;
pub use pintu_solver::Key;
pub use store::{Bounds, Building, Made, Store, StoreError, Watch};

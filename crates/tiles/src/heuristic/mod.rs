//! Estimates of the moves that are left.

mod manhattan;

pub use manhattan::Manhattan;

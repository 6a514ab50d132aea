//! Acknowledged data survives failing disks, power cuts and clocks that jump.

#[expect(unsafe_code, reason = "SQLite's interface to file systems is C's")]
#[allow(dead_code, reason = "the torture benchmark needs more of it")]
mod disk;
#[path = "../api/support.rs"]
#[allow(dead_code, reason = "the other tests need more of it")]
mod support;

mod clock;
mod failures;
mod power;

//! The native half of the Python package `pintu`: engine, grid and search, called from Python.
//!
//! Nothing is decided here. Answers leave as the JSON that the command line prints, arrays as bytes; `python/pintu` makes
//! typed objects of them.

#![expect(
    clippy::needless_pass_by_value,
    clippy::trivially_copy_pass_by_ref,
    reason = "PyO3 hands arguments over by value, and objects by reference"
)]

mod board;
mod errors;
mod map;
mod search;
mod shards;
mod solve;
mod watch;

#[pyo3::pymodule]
mod _pintu {
    #[pymodule_init]
    fn init(module: &pyo3::Bound<'_, pyo3::types::PyModule>) -> pyo3::PyResult<()> {
        crate::errors::tell_panics_once();
        pyo3::types::PyModuleMethods::add(module, "__version__", env!("CARGO_PKG_VERSION"))
    }

    #[pymodule_export]
    use crate::{
        board::{Board, Topology, goal, scrambles},
        map::Map,
        search::{matrix::search_matrix, search_calls},
        shards::{Proof, Shard, ShardRound, search_shard},
        solve::{build_tables, compare, solve, solve_many, time_solve},
    };
}

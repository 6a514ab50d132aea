#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

// Each module uses only those before it: `tables`, `views` (looking boards up in tables), `beam` and `rounds` (beams and
// IDA* on tables), `anytime` (any board without tables), `solve` (which search, with which share of the budget).

mod anytime;
mod beam;
mod budget;
mod guide;
mod pruning;
mod rounds;
mod solve;
mod solved;
mod tables;
#[cfg(test)]
mod testing;
mod threads;
mod views;

pub use solve::{SolveError, SolveOptions, solve};
pub use solved::{BestKnown, FoundBy, Solved};
pub use tables::{TableCache, Tables};
pub use views::PatternSum;

/// For your own source of tables: the key of a table set, and the errors.
pub mod store {
    pub use crate::tables::{BuildError, Extent, Key, PatternError, TableSource};
}

/// Training of networks. Anything here may change with any version.
#[cfg(any(feature = "training", test))]
#[doc(hidden)]
pub use guide::training;

/// For the solver on a GPU, the engine's table store and proofs on many machines. Anything here may change with any version.
#[doc(hidden)]
pub mod internals {
    #[cfg(target_family = "wasm")]
    pub use crate::guide::give_weights;
    #[cfg(not(target_family = "wasm"))]
    pub use crate::guide::weights_of;
    pub use crate::{
        beam::{improve, improve_telling},
        guide::{DeviceGuide, Network, has_guide},
        pruning::{PRUNED, transition_table},
        rounds::{FrontierStates, deepen, grow_frontier, shards},
        solve::{tables_pay, uses_tables},
        tables::{
            Built, Charged, Entries, MAX_PLANNED_CELLS, NormalForm, Pattern, Plan, PlannedRanks, PlannedSet,
            SharedRows, Table, View, for_each_once, groups_of_sizes, has_room_for, images_keeping, is_told_by_one_bit,
            normal_form_of, partitions_of_sizes, views,
        },
        threads::{Alarm, SpawnError, catch_spawn_error, share_out, spawn, together},
        views::{Options, PatternMoves},
    };

    /// The division of a puzzle's budget.
    pub mod budget {
        pub use crate::budget::{QUICK_NODES, SURE_CELLS, before_proof, first, quick, share, share_up_to};
    }
}

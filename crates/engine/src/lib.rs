//! The engine: takes requests, returns answers, and alone turns an algorithm's name into code.

#[cfg(not(target_family = "wasm"))]
mod all;
mod answer;
pub mod answer_file;
mod auto;
mod batch;
pub mod calls;
mod compare;
pub mod device;
mod dispatch;
mod examine;
#[cfg(test)]
mod fixtures;
mod lock;
pub mod memory;
mod names;
#[cfg_attr(target_family = "wasm", path = "no_file.rs")]
mod new_file;
pub mod path;
mod race;
mod request;
pub mod shards;
mod solve;
mod system;
pub mod tables;
pub mod trace;

#[cfg(not(target_family = "wasm"))]
pub use all::{AllSolutions, solve_all};
pub use answer::{Answer, Record, Verdict};
pub use batch::{Answered, Progress, run_batch};
pub use compare::{
    Attempt, Averages, Contestant, ContestantError, DEFAULT_TIME_LIMIT, Entry, EntryRecord, Numbers, Spread, Spreads,
    Summary, compare,
};
pub use examine::{Check, Examination, Refusal, check, examine};
pub use names::{Algorithm, HeuristicName, UnknownName, nearest_name};
#[cfg(not(target_family = "wasm"))]
pub use new_file::{folder_of, new_file_beside, new_private_file_beside, remove_abandoned_beside};
#[cfg(not(target_family = "wasm"))]
pub use pintu_solver::internals::weights_of as network_weights;
pub use race::{Fair, Finish, QUANTUM, Race, RaceRow, Series};
pub use request::{Request, RequestError, USUAL_DEPTH, USUAL_WEIGHT};
pub use solve::solve;
pub use system::in_words;
pub use trace::solve_traced;

//! The engine: the one place where an algorithm's name becomes code. Problems in, answers out.

mod answer;
mod auto;
mod batch;
mod compare;
mod desk;
pub mod device;
mod dispatch;
mod examine;
mod guide;
mod lock;
pub mod memory;
mod names;
mod new_file;
pub mod path;
mod race;
mod refusal;
mod request;
mod solve;
mod system;
pub mod tables;
pub mod trace;

pub use answer::{Answer, Record, Verdict, stop_name};
pub use batch::{Answered, Done, run_batch};
pub use compare::{
    Averages, Contestant, ContestantError, Entry, EntryRecord, Numbers, Spread, Spreads, Summary, Turn, USUAL_PATIENCE,
    compare,
};
pub use examine::{Check, Examination, check, examine};
pub use guide::{Guide, Hint};
pub use names::{Algorithm, HeuristicName, UnknownName};
pub use new_file::{folder_of, new_file, new_file_beside, new_private_file_beside, remove_abandoned_beside};
pub use race::{Entrant, Fair, Finish, FinishRecord, QUANTUM, Race, RaceRow, Series};
pub use refusal::Refusal;
pub use request::{Request, RequestError, USUAL_DEPTH, USUAL_WEIGHT};
pub use solve::{solve, solve_telling};
pub use system::in_words;
pub use trace::solve_traced;

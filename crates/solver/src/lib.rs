#![doc = include_str!("../README.md")]

// The folders:
//
// | folder | what it holds |
// | --- | --- |
// | `solve` | the one entrance: which search, on which tables, with which share of the budget |
// | `tables` | pattern tables: which tiles go together, how entries are ranked and packed, how they are built |
// | `views` | looking boards up in tables, as every search on tables does |
// | `beam` | beams on tables: short solutions |
// | `rounds` | IDA* on tables: shortest solutions |
// | `anytime` | any board without tables: a solution at once, then better ones |

mod anytime;
mod beam;
pub mod budget;
mod machine;
mod pace;
mod rounds;
mod solve;
pub mod tables;
#[cfg(test)]
mod testing;
mod threads;
mod views;

pub use anytime::{Anytime, anytime};
pub use beam::{BEAM_BYTES, improve, improve_telling};
pub use machine::{LEFT_OUT, kept_moves};
pub use rounds::{Front, Grow, deepen, grow_front};
pub use solve::{
    BestKnown, FoundBy, KeptTables, NoTables, SolveOptions, Solved, Supply, is_room_for, solve, tables_pay,
};
pub use threads::{Alarm, STACK, begin, share_out, together};
pub use views::{Deepened, Options, PatternMoves, PatternSum};

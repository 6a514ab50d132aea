#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod arrangement;
mod board;
mod direction;
mod goal;
mod heuristic;
mod link;
mod puzzle;
mod scramble;
mod size;
mod space;
mod text;
mod topology;

pub use arrangement::{Arrangement, ArrangementError, IllegalMove};
pub use board::{Board, Bytes, Nibbles};
pub use direction::{Direction, Moves, MovesError, Notation};
pub use goal::{NamedGoal, NoSuchCell, goal_with_blank};
pub use heuristic::{
    BuildError, Conflict, Fixed, Line, LinearConflict, NotApplicable, PerTile, Term, Walked, WalkingDistance,
    euclidean, least_moves, manhattan, misplaced,
};
pub use link::{LinkError, fragment_of, read_link};
pub use puzzle::{Puzzle, PuzzleError, Solvable, Unsolvable};
pub use scramble::Scrambler;
pub use size::{MAX_CELLS, MAX_SIDE, Size, SizeError, SizeParseError};
pub use space::{Cell, TileSpace};
pub use text::{MOST_DIGITS, StartAndGoal, TextError, TextProblem, looks_like_board, read_board, read_start_and_goal};
pub use topology::{Distances, Kind, Topology, TopologyError};

//! One game of sliding pictures in progress, whatever screen it is shown on: the picture's name, the
//! scramble, moves and runs of moves, undo and redo, the clock, the win, the save format, records.
//!
//! ```
//! use std::time::Instant;
//! use pintu_game::Game;
//! use pintu_tiles::{Arrangement, Size, Topology};
//!
//! let size = Size::new(3, 3).unwrap();
//! let start = Arrangement::new(size, &[0, 1, 2, 4, 5, 3, 7, 8, 6]).unwrap();
//! let mut game = Game::new(Topology::plain(size), 8, start, "builtin:hills".parse().unwrap()).unwrap();
//!
//! game.tap(2, Instant::now()); // The last tile of the blank's row: both tiles before the blank slide.
//! game.tap(8, Instant::now());
//! assert_eq!(game.moves().to_string(), "RRDD");
//! assert!(game.is_won());
//! ```

mod board;
mod clock;
mod game;
mod history;
mod origin;
mod picture;
mod record;
mod save;
mod scramble;
mod standing;

pub use clock::Clock;
pub use game::{Game, GameError, MAX_SIDE, MIN_SIDE};
pub use origin::Origin;
pub use picture::{Picture, PictureError};
pub use record::{BoardKind, RecordError, Score, score};
pub use save::{Save, SaveError, VERSION};
pub use scramble::Scramble;
pub use standing::{Standing, trimmed_average};

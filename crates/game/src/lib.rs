//! Saved games of sliding pictures: the format in which they are stored, the replay that shows that a save can have been
//! played, and the scores and standings of finished games. The page plays; the server checks what the page sends.
//!
//! ```
//! use pintu_game::{Game, Save, score};
//!
//! let save: Save = serde_json::from_str(
//!     r#"{"version": 1, "rows": 3, "cols": 3, "blank": 8, "start": [0, 1, 2, 4, 5, 3, 7, 8, 6], "moves": "RRDD",
//!         "millis": 1200, "picture": "builtin:hills"}"#,
//! )?;
//! let game = Game::load(&save)?;
//! assert_eq!(game.tiles(), [1, 2, 3, 4, 5, 6, 7, 8, 0]);
//! assert!(game.is_solved());
//! let (_, score) = score(&save)?;
//! assert_eq!((score.millis, score.moves), (1200, 4));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod daily;
mod picture;
mod record;
mod save;
mod standing;

pub use daily::{DailyBoard, Day, DayError};
pub use picture::{Picture, PictureError};
pub use record::{BoardKind, Claim, Origin, RecordError, Score, score};
pub use save::{Game, MAX_SIDE, MIN_SIDE, Save, SaveError, VERSION};
pub use standing::Standing;

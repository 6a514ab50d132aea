use std::time::{Duration, Instant};

use pintu_tiles::{Arrangement, Direction, Moves, Puzzle, Size, Topology, goal_with_blank};

use crate::{Clock, Origin, Picture, board::Board, history::History};

/// The shortest side of a board that is played.
pub const MIN_SIDE: usize = 2;
/// The longest side of a board that is played.
pub const MAX_SIDE: usize = 10;

/// A game: where it started, what was done since, and how long it took.
///
/// Tiles are numbered in reading order of the whole picture, without the cell that is blank in the
/// end; 0 is the blank. Everything that moves returns the blank's moves, or `None` (and nothing
/// changes) where there is nothing to move.
#[derive(Clone, Debug)]
pub struct Game {
    topology: Topology,
    goal: Arrangement,
    start: Arrangement,
    board: Board,
    history: History,
    clock: Clock,
    helped: bool,
    picture: Picture,
    origin: Origin,
}

impl Game {
    /// A game that begins at `start` and ends with the blank in the cell `blank`.
    pub fn new(topology: Topology, blank: usize, start: Arrangement, picture: Picture) -> Result<Self, GameError> {
        let size = topology.size();
        let fits = |side| (MIN_SIDE..=MAX_SIDE).contains(&side);
        if !fits(size.rows()) || !fits(size.cols()) {
            return Err(GameError::Size(size));
        }
        if blank >= size.cells() {
            return Err(GameError::Blank { found: blank, last: size.cells() - 1 });
        }
        if start.size() != size {
            return Err(GameError::Start { found: start.size(), expected: size });
        }
        let (goal, board) = (goal_with_blank(size, blank), Board::new(topology, &start));
        let (history, clock) = (History::default(), Clock::default());
        Ok(Self { topology, goal, start, board, history, clock, helped: false, picture, origin: Origin::default() })
    }

    /// The board.
    pub fn topology(&self) -> Topology {
        self.topology
    }

    /// The whole picture, but for the blank.
    pub fn goal(&self) -> &Arrangement {
        &self.goal
    }

    /// Where the game started.
    pub fn start(&self) -> &Arrangement {
        &self.start
    }

    /// Where the tiles lie now, in reading order.
    pub fn tiles(&self) -> &[u8] {
        self.board.tiles()
    }

    /// The blank's cell now.
    pub fn blank(&self) -> usize {
        self.board.blank()
    }

    /// Which picture is played.
    pub fn picture(&self) -> &Picture {
        &self.picture
    }

    /// Where the start comes from.
    pub fn origin(&self) -> Origin {
        self.origin
    }

    /// Notes where the start comes from.
    pub fn set_origin(&mut self, origin: Origin) {
        self.origin = origin;
    }

    /// The moves made so far. Each tile of a run counts.
    pub fn moves(&self) -> Moves {
        Moves(self.history.done().to_vec())
    }

    /// The moves that can be redone, the next one first.
    pub fn undone(&self) -> Moves {
        Moves(self.history.undone().to_vec())
    }

    /// The number of steps made so far: moves, a run of them counting once.
    pub fn steps(&self) -> usize {
        self.history.steps_done()
    }

    /// Whether the picture is whole. (Before the first move it is no win.)
    pub fn is_solved(&self) -> bool {
        self.tiles() == self.goal.tiles()
    }

    /// Whether the player has made the picture whole.
    pub fn is_won(&self) -> bool {
        self.is_solved() && !self.history.done().is_empty()
    }

    /// The number of tiles that are not in their cells.
    pub fn misplaced(&self) -> usize {
        let pairs = self.tiles().iter().zip(self.goal.tiles());
        pairs.filter(|&(&tile, &wanted)| tile != 0 && tile != wanted).count()
    }

    /// The position as a puzzle, for a solver.
    ///
    /// # Panics
    /// Never: the tiles of a game are an arrangement.
    pub fn puzzle(&self) -> Puzzle {
        let tiles: Vec<u32> = self.tiles().iter().map(|&tile| u32::from(tile)).collect();
        let now = Arrangement::new(self.topology.size(), &tiles).expect("the tiles are a permutation");
        Puzzle::new(self.topology, now, self.goal.clone()).expect("all three are of one size")
    }

    /// Whether auto-solve or a hint took part. Such a game sets no record.
    pub fn is_helped(&self) -> bool {
        self.helped
    }

    /// Notes that the player was helped.
    pub fn note_help(&mut self) {
        self.helped = true;
    }

    /// The time played.
    pub fn played(&self, now: Instant) -> Duration {
        self.clock.read(now)
    }

    /// Halts the clock until the next move or [`resume`](Self::resume).
    pub fn pause(&mut self, now: Instant) {
        self.clock.stop(now);
    }

    /// Lets the clock go on, if the game has begun and is not won.
    pub fn resume(&mut self, now: Instant) {
        if !self.history.done().is_empty() && !self.is_solved() {
            self.clock.start(now);
        }
    }

    /// Slides the tile in a cell towards the blank, with the tiles between them.
    pub fn tap(&mut self, cell: usize, now: Instant) -> Option<Moves> {
        let (direction, steps) = self.board.run_to(cell)?;
        self.make(vec![direction; steps], now)
    }

    /// Slides one tile in a direction of its own: up moves the tile below the blank.
    pub fn push(&mut self, tile: Direction, now: Instant) -> Option<Moves> {
        self.make(vec![tile.opposite()], now)
    }

    /// Makes a solver's moves, as one step that is undone as one, and notes the help.
    pub fn follow(&mut self, moves: &Moves, now: Instant) -> Option<Moves> {
        let made = self.make(moves.0.clone(), now)?;
        self.helped = true;
        Some(made)
    }

    /// Takes the last step back.
    pub fn undo(&mut self, now: Instant) -> Option<Moves> {
        let back: Vec<Direction> = self.history.back()?.iter().rev().map(|direction| direction.opposite()).collect();
        self.board.steps(&back);
        self.tick(now);
        Some(Moves(back))
    }

    /// Makes the step that was taken back last.
    pub fn redo(&mut self, now: Instant) -> Option<Moves> {
        let again = self.history.on()?.to_vec();
        self.board.steps(&again);
        self.tick(now);
        Some(Moves(again))
    }

    /// Goes back to the scramble, with a new clock and an empty history; what was helped stays so,
    /// for the solution has been seen. Returns the game as it was, to offer a way back.
    #[must_use = "a restart that cannot be undone discards a game"]
    pub fn restart(&mut self) -> Self {
        let fresh = Self {
            board: Board::new(self.topology, &self.start),
            history: History::default(),
            clock: Clock::default(),
            ..self.clone()
        };
        std::mem::replace(self, fresh)
    }

    fn make(&mut self, moves: Vec<Direction>, now: Instant) -> Option<Moves> {
        let mut board = self.board.clone();
        if moves.is_empty() || !board.steps(&moves) {
            return None;
        }
        self.board = board;
        self.history.push(&moves);
        self.tick(now);
        Some(Moves(moves))
    }

    fn tick(&mut self, now: Instant) {
        if self.is_solved() {
            self.clock.stop(now);
        } else {
            self.clock.start(now);
        }
    }

    pub(crate) fn history(&self) -> &History {
        &self.history
    }

    /// Puts back what a save holds beyond the start. The history's moves must be legal.
    pub(crate) fn restore(&mut self, history: History, played: Duration, helped: bool) {
        self.board.steps(history.done());
        self.history = history;
        self.clock = Clock::at(played);
        self.helped = helped;
    }
}

/// Why there is no such game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GameError {
    /// The board is too small or too large to play.
    #[error("found a board of {0}, expected sides from {MIN_SIDE} to {MAX_SIDE}")]
    Size(Size),
    /// There is no such cell.
    #[error("found the blank cell {found}, expected one from 0 to {last}")]
    Blank {
        /// The cell's index.
        found: usize,
        /// The last cell's index.
        last: usize,
    },
    /// The start is of another size.
    #[error("found a start of {found}, expected {expected}")]
    Start {
        /// The start's size.
        found: Size,
        /// The board's size.
        expected: Size,
    },
}

//! Large boards on a device: beams of millions of states, and rounds that go depth first from a frontier of millions.

mod levels;
mod network;
mod rounds;
mod solve;
mod tables;

pub use levels::{Scoring, TableWeights};
pub use network::DeviceNetwork;
pub use rounds::LargeRound;
pub(crate) use solve::{LargeSolver, Told, is_large};
pub use tables::{LargeTables, Partition};

use pintu_search::Control;
use pintu_solver::internals::NormalForm;
use pintu_tiles::{Direction, Moves, Puzzle};

use crate::{backend::DeviceError, searcher::solution};
use levels::{LevelEnd, Levels, assess};
use rounds::Aside;
use tables::LargeWorld;

/// Searches large boards with the tables on a device.
pub struct LargeSearcher {
    tables: LargeTables,
    worlds: Vec<(Vec<usize>, LargeWorld)>,
    levels: Option<Levels>,
    aside: Option<Aside>,
}

/// A level of a beam, for training a network on it.
#[cfg(feature = "training")]
pub struct BeamLevel<'a> {
    levels: &'a Levels,
    /// The number of a successor that is the goal.
    pub goal: Option<u32>,
    cells: usize,
}

#[cfg(feature = "training")]
impl BeamLevel<'_> {
    /// For each state of this level, the number of the successor that it was (four for each state before), and its score.
    ///
    /// # Errors
    /// If the device fails.
    pub fn kept(&self) -> Result<(Vec<u32>, Vec<u16>), DeviceError> {
        self.levels.kept()
    }

    /// The states of this level.
    ///
    /// # Errors
    /// If the device fails.
    pub fn states(&self) -> Result<BeamStates, DeviceError> {
        Ok(BeamStates { all: self.levels.state_words()?, words: self.levels.words as usize, cells: self.cells })
    }
}

/// The states of a level of a beam.
#[cfg(feature = "training")]
pub struct BeamStates {
    all: Vec<u32>,
    words: usize,
    cells: usize,
}

#[cfg(feature = "training")]
impl BeamStates {
    /// A state's board, in normal form.
    pub fn board(&self, at: usize) -> Vec<u8> {
        let state = &self.all[at * self.words..][..self.words];
        state.iter().flat_map(|word| word.to_le_bytes()).take(self.cells).collect()
    }
}

/// Bytes that each state of a level takes for its parent's number.
const PARENT_BYTES: u64 = 4;

impl LargeSearcher {
    /// Takes tables into use.
    pub fn new(tables: LargeTables) -> Self {
        Self { tables, worlds: Vec::new(), levels: None, aside: None }
    }

    /// The tables.
    pub fn tables(&self) -> &LargeTables {
        &self.tables
    }

    /// The estimate of each of some views for puzzles of the board that the tables serve.
    pub fn estimates(&mut self, puzzles: &[Puzzle], views: &[usize]) -> Result<Vec<Vec<u32>>, DeviceError> {
        let world = self.world(views)?;
        let boards: Vec<u8> = puzzles.iter().flat_map(|puzzle| NormalForm::new(puzzle).board).collect();
        let shape = self.worlds[world].1.shape;
        let words = shape.state_words() as usize;
        let device = &self.tables.device;
        device.ready(shape.into(), &Control::unlimited())?;
        let states = crate::backend::Memory::new(device, 4 * (words * puzzles.len()) as u64)?;
        assess(&self.tables, &self.worlds[world].1, &boards, &states)?;
        let states: Vec<u32> = states.values(words * puzzles.len())?;
        let sums = (shape.cells.div_ceil(4) + shape.views) as usize;
        let sum = |state: &[u32], view: usize| state[sums + view / 2] >> (16 * (view % 2)) & 0xffff;
        Ok(states.chunks(words).map(|state| (0..views.len()).map(|view| sum(state, view)).collect()).collect())
    }

    /// The widest beam that there is room for, if solutions have about `length` moves.
    pub fn widest(&self, views: usize, length: u32) -> Result<u32, DeviceError> {
        let free = self.tables.device.info()?.free_bytes + self.levels.as_ref().map_or(0, Levels::held);
        let words = self.tables.shape(views).state_words();
        // A tenth stays free, and hash tables are powers of two.
        let mut width = 1_u64 << 10;
        let takes = |width: u64| Levels::bytes(words, width) + PARENT_BYTES * u64::from(length) * width;
        while width < 1 << 28 && takes(2 * width) < free - free / 10 {
            width *= 2;
        }
        Ok(width as u32)
    }

    /// Looks for a solution of at most `most` moves by a beam of `width` states. `None` if it finds none, or was stopped.
    ///
    /// # Panics
    /// If there are no views, or more than a device looks at.
    pub fn beam(
        &mut self,
        puzzle: &Puzzle,
        views: &[usize],
        (width, scoring): (u32, Scoring<'_>),
        most: u32,
        control: &Control,
    ) -> Result<Option<Moves>, DeviceError> {
        let board = NormalForm::new(puzzle).board;
        let world = self.begin(&board, views, width, control)?;
        while let Some(ended) = self.advance(world, (width, scoring), most, control)? {
            if let LevelEnd::Found(successor) = ended {
                let path = self.levels().path(0, Some(successor))?;
                return self.moves(puzzle, &board, &path, most).map(Some);
            }
        }
        Ok(None)
    }

    /// The same beam, with each level given to `watch` to learn from; returns whether a solution was found.
    ///
    /// # Errors
    /// If the device fails.
    ///
    /// # Panics
    /// If there are more views than a device looks at.
    #[cfg(feature = "training")]
    pub fn beam_to_learn_from(
        &mut self,
        puzzle: &Puzzle,
        (width, scoring): (u32, Scoring<'_>),
        most: u32,
        watch: &mut dyn FnMut(&BeamLevel<'_>),
    ) -> Result<bool, DeviceError> {
        let views: Vec<usize> = (0..self.tables.view_count()).collect();
        let control = Control::unlimited();
        let world = self.begin(&NormalForm::new(puzzle).board, &views, width, &control)?;
        self.levels.as_mut().expect("it has begun").keep_scores(&self.tables)?;
        while let Some(ended) = self.advance(world, (width, scoring), most, &control)? {
            let levels = self.levels();
            if let LevelEnd::Found(successor) = ended {
                watch(&BeamLevel { levels, goal: Some(successor), cells: self.tables.topology.cells() });
                return Ok(true);
            }
            watch(&BeamLevel { levels, goal: None, cells: self.tables.topology.cells() });
        }
        Ok(false)
    }

    /// One level more of a beam, unless it has ended.
    fn advance(
        &mut self,
        world: usize,
        (width, scoring): (u32, Scoring<'_>),
        most: u32,
        control: &Control,
    ) -> Result<Option<LevelEnd>, DeviceError> {
        let levels = self.levels.as_mut().expect("it has begun");
        if levels.level() >= most || levels.count() == 0 || control.check().is_err() {
            return Ok(None);
        }
        let (left, states) = (most - levels.level() - 1, u64::from(levels.count()));
        let ended = levels.advance(&self.tables, &self.worlds[world].1, left, scoring, Some(width))?;
        control.count_done(states, 2 * states);
        Ok(Some(ended))
    }

    fn levels(&self) -> &Levels {
        self.levels.as_ref().expect("it has begun")
    }

    /// Begins with a board's levels, which have room for `room` states.
    fn begin(&mut self, board: &[u8], views: &[usize], room: u32, control: &Control) -> Result<usize, DeviceError> {
        let at = self.world(views)?;
        let world = &self.worlds[at].1;
        self.tables.device.ready(world.shape.into(), control)?;
        let words = world.shape.state_words();
        if self.levels.as_ref().is_none_or(|levels| !levels.serves(words, room.into())) {
            // The old levels' memory is free before new ones are made.
            self.levels = None;
            self.levels = Some(Levels::new(&self.tables, words, room.into())?);
        }
        let levels = self.levels.as_mut().expect("it has just been made");
        levels.start(&self.tables, world, board)?;
        Ok(at)
    }

    fn world(&mut self, views: &[usize]) -> Result<usize, DeviceError> {
        if let Some(known) = self.worlds.iter().position(|(other, _)| other == views) {
            return Ok(known);
        }
        self.worlds.push((views.to_vec(), self.tables.world(views)?));
        Ok(self.worlds.len() - 1)
    }

    /// The moves in these directions of the normal form, if they solve the puzzle.
    fn moves(&self, puzzle: &Puzzle, board: &[u8], path: &[u8], most: u32) -> Result<Moves, DeviceError> {
        let blank = self.tables.blank;
        let mut at = board.iter().position(|&tile| usize::from(tile) == blank).expect("a board has a blank");
        let cells = path.iter().map(|&direction| {
            // A direction that leads off the board is found when the moves are made.
            at = self.tables.topology.neighbour(at, Direction::ALL[usize::from(direction)]).unwrap_or(at);
            at as u8
        });
        solution(puzzle, &cells.collect::<Vec<u8>>(), most)
    }
}

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

use std::time::Duration;

use pintu_search::{Control, clock::Instant};
use pintu_solver::internals::NormalForm;
use pintu_tiles::{Direction, Moves, Puzzle};

use crate::{backend::DeviceError, searcher::solution};
#[cfg(feature = "training")]
use crate::{
    backend::{Device, Memory},
    words::Code,
};
#[cfg(feature = "training")]
use levels::DEAD;
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
    world: &'a LargeWorld,
    device: &'a Device,
    /// The number of the state of this level that is one move before the goal.
    pub before_goal: Option<u32>,
}

/// The states of a level of a beam, on the device.
#[cfg(feature = "training")]
pub struct BeamStates {
    states: Memory,
    /// The moves made to them.
    pub level: u32,
    /// Their scores.
    pub scores: Vec<u16>,
}

/// A state's board in normal form, and what tables say of it.
#[cfg(feature = "training")]
pub struct BeamState {
    /// The board.
    pub board: Vec<u8>,
    /// The sum of all views' moves and that of the tiles' distances, each times its weight.
    pub tables: i32,
}

#[cfg(feature = "training")]
impl BeamLevel<'_> {
    fn code(&self) -> (&Device, Code) {
        (self.device, self.world.shape.into())
    }

    /// The moves made.
    pub fn level(&self) -> u32 {
        self.levels.level()
    }

    /// The score of each state of this level.
    ///
    /// # Errors
    /// If the device fails.
    pub fn scores(&self) -> Result<Vec<u16>, DeviceError> {
        self.levels.scores()
    }

    /// Copies of this level's states.
    ///
    /// # Errors
    /// If the device fails.
    pub fn states(&self) -> Result<BeamStates, DeviceError> {
        let states = self.levels.copies(self.code(), self.world, None)?;
        Ok(BeamStates { states, level: self.level(), scores: self.scores()? })
    }

    /// For each state of an earlier level the score of its best descendant of this level, if there is one. A state that is
    /// one move before the goal counts as having the score that is given.
    ///
    /// # Errors
    /// If the device fails.
    pub fn descendants(&self, of: &BeamStates, before_goal: u16) -> Result<Vec<Option<u16>>, DeviceError> {
        let count = of.scores.len() as u32;
        let merits =
            self.levels.merits(self.code(), (of.level, count), self.before_goal.map(|state| (state, before_goal)))?;
        Ok(merits.into_iter().map(|merit| (merit > 0).then(|| (DEAD - merit) as u16)).collect())
    }

    /// Some of an earlier level's states.
    ///
    /// # Errors
    /// If the device fails.
    pub fn pick(&self, from: &BeamStates, list: &[u32], weights: TableWeights) -> Result<Vec<BeamState>, DeviceError> {
        let words = self.levels.words as usize;
        let copies = self.levels.copies(self.code(), self.world, Some((&from.states, list)))?;
        let shape = self.world.shape;
        let (cells, views) = (shape.cells as usize, shape.views as usize);
        let state = |state: &[u32]| {
            let sums = &state[cells.div_ceil(4) + views..][..views.div_ceil(2)];
            let sum: u32 = sums.iter().map(|pair| (pair & 0xffff) + (pair >> 16)).sum();
            let tables = weights.sum * sum as i32 + weights.distance * (state[words - 3] >> 16) as i32;
            BeamState { board: state.iter().flat_map(|word| word.to_le_bytes()).take(cells).collect(), tables }
        };
        Ok(copies.values(words * list.len())?.chunks(words).map(state).collect())
    }
}

/// Bytes that each state of a level takes for its parent's number.
const PARENT_BYTES: u64 = 4;
/// The widths of the narrowest beam for which memory is sought, and of the widest.
const LEAST_WIDTH: u64 = 1 << 10;
const MOST_WIDTH: u64 = 1 << 28;
/// A beam that is late gets no narrower than this.
const NARROWEST: u32 = 1 << 12;

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
    pub fn widest(&self, views: usize, scoring: Scoring<'_>, length: u32) -> Result<u32, DeviceError> {
        let free = self.tables.device.info()?.free_bytes + self.levels.as_ref().map_or(0, Levels::held);
        let words = self.tables.shape(views).state_words() + scoring.sum_words();
        // A tenth stays free.
        let takes = |width: u64| Levels::bytes(words, width) + PARENT_BYTES * u64::from(length) * width;
        let mut width = LEAST_WIDTH;
        for step in (0..MOST_WIDTH.ilog2()).rev() {
            let wider = width + (1 << step);
            if wider <= MOST_WIDTH && takes(wider) < free - free / 10 {
                width = wider;
            }
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
        self.beam_at_pace(puzzle, views, (width, scoring), (most, None), control)
    }

    /// The same beam, which gets narrower where it would take longer than `pace` for `most` moves.
    pub(crate) fn beam_at_pace(
        &mut self,
        puzzle: &Puzzle,
        views: &[usize],
        (width, scoring): (u32, Scoring<'_>),
        (most, pace): (u32, Option<Duration>),
        control: &Control,
    ) -> Result<Option<Moves>, DeviceError> {
        let board = NormalForm::new(puzzle).board;
        let world = self.begin(&board, views, (width, scoring), control)?;
        let (began, mut expanded) = (Instant::now(), 0);
        let mut width_now = width;
        while let Some(ended) = self.advance(world, (width_now, scoring), most, control)? {
            expanded += u64::from(self.levels().count());
            // Narrow levels at the beginning say little of how long wide ones take.
            if let Some(pace) = pace.filter(|_| expanded > 4 * u64::from(width)) {
                let spent = began.elapsed();
                let levels_left = most.saturating_sub(self.levels().level()).max(most / 20 + 1);
                let each = spent.as_secs_f64() / expanded as f64;
                let affordable = pace.saturating_sub(spent).as_secs_f64() / (each * f64::from(levels_left));
                width_now = (affordable as u32).clamp(width.min(NARROWEST), width);
            }
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
        let world = self.begin(&NormalForm::new(puzzle).board, &views, (width, scoring), &control)?;
        self.levels.as_mut().expect("it has begun").keep_scores(&self.tables.device)?;
        while let Some(ended) = self.advance(world, (width, scoring), most, &control)? {
            let before_goal = if let LevelEnd::Found(successor) = ended { Some(successor / 4) } else { None };
            let (world, device) = (&self.worlds[world].1, &self.tables.device);
            watch(&BeamLevel { levels: self.levels(), world, device, before_goal });
            if before_goal.is_some() {
                return Ok(true);
            }
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
    fn begin(
        &mut self,
        board: &[u8],
        views: &[usize],
        (room, scoring): (u32, Scoring<'_>),
        control: &Control,
    ) -> Result<usize, DeviceError> {
        let at = self.world(views)?;
        let world = &self.worlds[at].1;
        self.tables.device.ready(world.shape.into(), control)?;
        let words = (world.shape.state_words(), scoring.sum_words());
        if self.levels.as_ref().is_none_or(|levels| !levels.serves(words, room.into())) {
            // The old levels' memory is free before new ones are made.
            self.levels = None;
            self.levels = Some(Levels::new(&self.tables, words, room.into())?);
        }
        let levels = self.levels.as_mut().expect("it has just been made");
        levels.start(&self.tables, world, board, scoring)?;
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

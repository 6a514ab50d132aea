//! Large boards on a device: beams of millions of states, and rounds that go depth first from a frontier of millions.

mod levels;
mod rounds;
mod solve;
mod tables;

pub use levels::Weights;
pub use rounds::LargeRound;
pub(crate) use solve::{Told, is_large, load};
pub use tables::{LargeTables, Partition};

use pintu_search::Control;
use pintu_solver::internals::NormalForm;
use pintu_tiles::{Direction, Moves, Puzzle};

use crate::{backend::DeviceError, searcher::solution};
use levels::{Ended, Levels, assess};
use rounds::Aside;
use tables::LargeWorld;

/// Searches large boards with the tables on a device.
pub struct LargeSearcher {
    tables: LargeTables,
    worlds: Vec<(Vec<usize>, LargeWorld)>,
    levels: Option<Levels>,
    aside: Option<Aside>,
}

/// What the parents of a beam take for each state and level.
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

    /// What each of some views says of puzzles of the board that the tables serve.
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

    /// The widest beam that there is room for, when solutions are about so long.
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
        (width, weights): (u32, Weights),
        most: u32,
        control: &Control,
    ) -> Result<Option<Moves>, DeviceError> {
        let board = NormalForm::new(puzzle).board;
        let world = self.begin(&board, views, width, control)?;
        let (tables, world) = (&self.tables, &self.worlds[world].1);
        let levels = self.levels.as_mut().expect("it has begun");
        while levels.level() < most && levels.count() > 0 && control.check().is_ok() {
            let (left, count) = (most - levels.level() - 1, levels.count());
            let ended = levels.advance(tables, world, left, weights, Some(width))?;
            let states = u64::from(count);
            control.count_done(states, 2 * states);
            if let Ended::Found(successor) = ended {
                let path = levels.path(0, Some(successor))?;
                return self.moves(puzzle, &board, &path, most).map(Some);
            }
        }
        Ok(None)
    }

    /// Begins with a board's levels, which have room for `room` states.
    fn begin(&mut self, board: &[u8], views: &[usize], room: u32, control: &Control) -> Result<usize, DeviceError> {
        let at = self.world(views)?;
        let world = &self.worlds[at].1;
        self.tables.device.ready(world.shape.into(), control)?;
        let words = world.shape.state_words();
        if self.levels.as_ref().is_none_or(|levels| !levels.serves(words, room.into())) {
            // The old ones' memory is free before new ones are made.
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
            // One that leads off the board makes no solution, which is seen when it is made.
            at = self.tables.topology.neighbour(at, Direction::ALL[usize::from(direction)]).unwrap_or(at);
            at as u8
        });
        solution(puzzle, &cells.collect::<Vec<u8>>(), most)
    }
}

//! A frontier that another engine searches from.

use std::ops::ControlFlow::{Break, Continue};

use pintu_search::Control;
use pintu_tiles::Puzzle;

use super::frontier::{Frontier, Grown};
use crate::{
    tables::Tables,
    views::{Deepened, Errand, Harvest, Mask, Options, Task, search},
};

/// The open states of an A*, each reached by a shortest way that goes through closed ones: every solution of the puzzle
/// that is not longer than a shortest one passes through one of them.
///
/// Boards are in [normal form](crate::tables::normal_form), and tiles are named by their goal cells.
#[derive(Clone, Debug, Default)]
pub struct Front {
    /// The cells of a board.
    pub cells: usize,
    /// What lies in the cells of each state, one state's after the other's.
    pub boards: Vec<u8>,
    /// The moves made to each state, and the blank's cell before the last of them.
    pub made: Vec<(u32, Option<u8>)>,
    /// The number of each state among the links.
    ids: Vec<u32>,
    /// For every state that was met, the one before it and the blank's cell.
    links: Vec<(u32, u8)>,
}

impl Front {
    /// How many states there are.
    pub fn len(&self) -> usize {
        self.made.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.made.is_empty()
    }

    /// What lies in the cells of a state.
    pub fn board(&self, index: usize) -> &[u8] {
        &self.boards[index * self.cells..][..self.cells]
    }

    /// The cells, in normal form, that the blank goes to on the way to a state.
    pub fn path(&self, index: usize) -> Vec<u8> {
        let mut id = self.ids[index] as usize;
        let mut cells = Vec::new();
        while let (before, blank) = self.links[id]
            && before != u32::MAX
        {
            cells.push(blank);
            id = before as usize;
        }
        cells.reverse();
        cells
    }
}

/// What came of growing a frontier.
#[derive(Clone, Debug)]
pub enum Grow {
    /// It is as large as it was to be.
    Grown(Front),
    /// The puzzle was solved, with the fewest moves, or the control ended it.
    Ended(Deepened),
}

/// Grows a frontier of so many states on tables that serve the puzzle.
///
/// # Panics
/// If the tables serve another board or blank cell.
pub fn grow_front(puzzle: &Puzzle, tables: &Tables, control: &Control, most: usize) -> Grow {
    let mut front = None;
    let options = Options { threads: 1, known: None };
    let ended = search(puzzle, tables, control, &options, |task, _| {
        let (harvest, grown) = task.run(Growing { most });
        front = grown;
        harvest
    });
    match front {
        Some(front) if ended.stopped.is_none() => Grow::Grown(front),
        _ => Grow::Ended(ended),
    }
}

#[derive(Clone, Copy)]
struct Growing {
    most: usize,
}

impl Errand for Growing {
    type End = (Harvest, Option<Front>);

    fn run<M: Mask, const CELLS: usize, const LANES: usize>(self, task: Task<'_>) -> Option<Self::End> {
        let frontier = Frontier::<M, CELLS, LANES>::new(task.rounds, task.board, task.blank, task.control.hold());
        let mut frontier = frontier?;
        let grown = frontier.grow(self.most, task.machine, &mut task.control.meter());
        let bound = task.least();
        Some(match grown {
            Continue(Grown::Full) => (Harvest { cells: None, bound, refused: None }, Some(front(&frontier))),
            Continue(Grown::Solved(id)) => {
                let cells = frontier.path(id);
                (Harvest { bound: cells.len() as u32, cells: Some(cells), refused: None }, None)
            }
            Break(why) => (Harvest { cells: None, bound, refused: Some(why) }, None),
        })
    }
}

fn front<M: Mask, const CELLS: usize, const LANES: usize>(frontier: &Frontier<'_, M, CELLS, LANES>) -> Front {
    let mut front = Front { links: frontier.links().collect(), ..Front::default() };
    for (id, board, made, before) in frontier.open() {
        front.cells = board.len();
        front.boards.extend(board);
        front.made.push((made, before));
        front.ids.push(id);
    }
    front
}

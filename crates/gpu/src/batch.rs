//! Many boards at once: each is a root with a bound of its own.

use pintu_search::{Control, Stop};
use pintu_solver::{
    BestKnown,
    internals::{NormalForm, is_told_by_one_bit},
};
use pintu_tiles::Puzzle;

use crate::{
    backend::DeviceError,
    rounds::{MAX_BOUND, MAX_MOVES, Root, Until},
    searcher::{Searcher, follow, solution},
    words::Tally,
};

/// The result of one board of many.
#[derive(Clone, Debug, Default)]
pub struct Batched {
    /// The shortest solution, if it was found, and the bound.
    pub known: BestKnown,
    /// The states that the device expanded for this board.
    pub expanded: u64,
    /// The states that it generated for this board, the board itself included.
    pub generated: u64,
}

impl Searcher {
    /// Solves puzzles, which must be solvable and of the board and blank cell that the tables serve, with the fewest
    /// moves: all of them together, round by round; also returns what stopped it. `on_round` is called with the highest bound of each
    /// whole round and the nodes that it expanded.
    ///
    /// # Panics
    /// If they are more than the device has room for, which is tens of thousands wherever there is room for tables.
    pub fn solve_many(
        &mut self,
        puzzles: &[Puzzle],
        control: &Control,
        on_round: &mut dyn FnMut(u32, u64),
    ) -> Result<(Vec<Batched>, Option<Stop>), DeviceError> {
        self.ready(control)?;
        let views: Vec<usize> = (0..self.tables.views.len().min(2)).collect();
        let at = self.load_views(&views)?;
        let device_views = &self.loaded[at].1;
        let boards: Vec<Vec<u8>> = puzzles.iter().map(|puzzle| NormalForm::new(puzzle).board).collect();
        let blanks: Vec<usize> = boards.iter().map(|board| self.tables.blank_of(board)).collect();
        let roots = boards.iter().zip(&blanks).map(|(board, &blank)| Root { board, automaton: blank as u16, made: 0 });
        let roots = self.memory.upload_roots(device_views, roots, true)?;
        let mut bounds = roots.least(self.tables.shape())?;
        let step = if is_told_by_one_bit(self.tables.topology().kind()) { 2 } else { 1 };
        let mut solved = vec![0; puzzles.len()];
        control.meter().generate(puzzles.len() as u64);
        let mut records = Vec::new();
        let mut why = None;
        while solved.contains(&0) && why.is_none() {
            let mut open = bounds.iter().zip(&solved).filter(|(_, solved)| **solved == 0);
            if open.any(|(&bound, _)| u32::from(bound) > MAX_MOVES.min(MAX_BOUND)) {
                return Err(DeviceError::Board {
                    found: format!("a board that takes more than {MAX_MOVES} moves"),
                    expected: "shorter solutions",
                });
            }
            roots.set_bounds(&bounds)?;
            let until = Until { control, most: u64::MAX, is_needless: &mut || false };
            let round = self.memory.round(device_views, &roots, 0, until)?;
            (records, solved) = roots.records()?;
            if round.is_whole {
                on_round(u32::from(bounds.iter().copied().max().unwrap_or(0)), round.expanded);
                let open = bounds.iter_mut().zip(&solved).filter(|(_, solved)| **solved == 0);
                open.for_each(|(bound, _)| *bound += step);
            } else {
                why = control.check().err();
            }
        }
        // The goals are expanded, too.
        control.count_done(solved.iter().filter(|&&solved| solved != 0).count() as u64, 0);
        let tallies = roots.tallies()?;
        let batched = |index: usize| -> Result<Batched, DeviceError> {
            let bound = u32::from(bounds[index]);
            let Tally { expanded, generated } = tallies[index];
            let mut batched = Batched { known: BestKnown::at_least(bound), expanded, generated: generated + 1 };
            if solved[index] == 0 {
                return Ok(batched);
            }
            let mut cells = Vec::new();
            follow(&self.tables, &records[index], bound, blanks[index], &mut cells);
            let moves = solution(&puzzles[index], &cells, bound)?;
            batched.known = BestKnown::at_least(moves.len() as u32);
            batched.known.offer(moves);
            batched.expanded += 1;
            Ok(batched)
        };
        let all = (0..puzzles.len()).map(batched).collect::<Result<_, _>>()?;
        Ok((all, why))
    }
}

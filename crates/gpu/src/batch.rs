//! Many boards at once: each is a root with a bound of its own.

use std::ops::ControlFlow;

use pintu_search::{Control, Stop};
use pintu_solver::tables::{Turned, is_told_by_one_bit};
use pintu_tiles::{Moves, Puzzle};

use crate::{
    backend::DeviceError,
    rounds::{MOST_BOUND, MOST_MOVES, Root, Until, count_goals, stopped},
    solve::{Searcher, follow, solution},
    words::Tally,
};

/// What came of one board of many.
#[derive(Clone, Debug)]
pub struct Batched {
    /// The shortest solution, if it was found.
    pub moves: Option<Moves>,
    /// No solution is shorter than this.
    pub lower_bound: u32,
    /// The states that the device expanded for this board.
    pub expanded: u64,
    /// The states that it generated for this board, the board itself included.
    pub generated: u64,
}

impl Batched {
    /// Of which nothing was asked.
    pub(crate) const UNKNOWN: Self = Self { moves: None, lower_bound: 0, expanded: 0, generated: 0 };
}

impl Searcher {
    /// Solves puzzles, which must be solvable and of the board and blank cell that the tables serve, with the fewest
    /// moves: all of them together, round by round. Says also what stopped it, if something did.
    pub fn solve_many(
        &mut self,
        puzzles: &[Puzzle],
        control: &Control,
    ) -> Result<(Vec<Batched>, Option<Stop>), DeviceError> {
        if let ControlFlow::Break(why) = self.ready(control)? {
            return Ok((vec![Batched::UNKNOWN; puzzles.len()], Some(why)));
        }
        let mut all = Vec::with_capacity(puzzles.len());
        let mut why = None;
        for some in puzzles.chunks(self.field.most_roots()) {
            let (solved, stopped) = self.solve_some(some, control)?;
            all.extend(solved);
            why = why.or(stopped);
        }
        Ok((all, why))
    }

    fn solve_some(
        &mut self,
        puzzles: &[Puzzle],
        control: &Control,
    ) -> Result<(Vec<Batched>, Option<Stop>), DeviceError> {
        let views: Vec<usize> = (0..self.tables.outlooks.len().min(2)).collect();
        let sight = self.sight(&views)?;
        let sighted = &self.sights[sight].1;
        let boards: Vec<Vec<u8>> = puzzles.iter().map(|puzzle| Turned::new(puzzle).board).collect();
        let blanks: Vec<usize> = boards.iter().map(|board| blank_of(board, self.tables.blank)).collect();
        let roots: Vec<Root<'_>> =
            boards.iter().zip(&blanks).map(|(board, &blank)| Root { board, machine: blank as u16, made: 0 }).collect();
        let planted = self.field.plant(sighted, roots.into_iter(), true)?;
        let mut bounds = planted.least(self.tables.shape(views.len()))?;
        let step = if is_told_by_one_bit(self.tables.topology().kind()) { 2 } else { 1 };
        let mut solved = vec![0; puzzles.len()];
        control.meter().counters.generated += puzzles.len() as u64;
        let mut records = Vec::new();
        let mut why = None;
        while solved.contains(&0) && why.is_none() {
            if bounds
                .iter()
                .zip(&solved)
                .any(|(&bound, &solved)| solved == 0 && u32::from(bound) > MOST_MOVES.min(MOST_BOUND))
            {
                return Err(DeviceError::Board {
                    found: format!("a board that takes more than {MOST_MOVES} moves"),
                    expected: "shorter solutions",
                });
            }
            planted.set_bounds(&bounds)?;
            let round = self.field.round(
                sighted,
                &planted,
                0,
                Until { control, most: u64::MAX, is_needless: &mut || false },
            )?;
            (records, solved) = planted.records()?;
            if round.is_whole {
                bounds
                    .iter_mut()
                    .zip(&solved)
                    .filter(|(_, solved)| **solved == 0)
                    .for_each(|(bound, _)| *bound += step);
            } else {
                why = stopped(control);
            }
        }
        count_goals(control, solved.iter().filter(|&&solved| solved != 0).count());
        let tallies = planted.tallies()?;
        let batched = |index: usize| -> Result<Batched, DeviceError> {
            let bound = u32::from(bounds[index]);
            let Tally { expanded, generated } = tallies[index];
            let unsolved = Batched { moves: None, lower_bound: bound, expanded, generated: generated + 1 };
            if solved[index] == 0 {
                return Ok(unsolved);
            }
            let mut cells = Vec::new();
            follow(&self.tables, &records[index], bound, blanks[index], &mut cells);
            let moves = solution(&puzzles[index], &cells, bound)?;
            // The goal is taken up, too.
            Ok(Batched { lower_bound: moves.len() as u32, moves: Some(moves), expanded: expanded + 1, ..unsolved })
        };
        let all = (0..puzzles.len()).map(batched).collect::<Result<_, _>>()?;
        Ok((all, why))
    }
}

fn blank_of(board: &[u8], blank: usize) -> usize {
    board.iter().position(|&tile| usize::from(tile) == blank).expect("a board has a blank")
}

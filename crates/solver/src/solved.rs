//! The result of every search of this crate.

use pintu_search::Stop;
use pintu_tiles::Moves;

/// The result of a search: the best solution and bound it knows, and why it ended.
#[derive(Clone, Debug)]
pub struct Solved {
    /// The shortest solution and the highest lower bound.
    pub known: BestKnown,
    /// The limit or cancellation that ended the search. `None` if the solution is proved to be optimal
    /// ([`BestKnown::is_proved`]) or nothing was left to try.
    pub stopped: Option<Stop>,
    /// The search that found the solution, or proved it to be optimal, last.
    pub by: FoundBy,
}

/// The method that found a solution or its proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoundBy {
    /// The solution was known before.
    Nothing,
    /// Row by row, as people do it, or along a line or ring: no search.
    Construction,
    /// Beam search without tables.
    Beams,
    /// Beam search on tables.
    TableBeams,
    /// Beam search on the mean of many small tables without the blank.
    GuidedBeams,
    /// The same, and on a network.
    NetworkBeams,
    /// IDA* on tables.
    Rounds,
}

/// The best that is known of a puzzle's solutions: the shortest one found, and a lower bound of all their lengths.
///
/// A bound above the length of a known solution would be a mistake of the solver: setting one panics.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BestKnown {
    moves: Option<Moves>,
    bound: u32,
}

impl BestKnown {
    /// No solution is known, and none is shorter than `bound`.
    ///
    /// The bound is believed: with one above the fewest moves, [`solve`](crate::solve) panics when it finds a shorter
    /// solution, or calls one proved that is not the shortest.
    pub fn at_least(bound: u32) -> Self {
        Self { moves: None, bound }
    }

    /// A search's result: `moves`, if it found a solution, and its lower bound.
    pub(crate) fn new(moves: Option<Moves>, bound: u32) -> Self {
        let known = Self { moves, bound };
        known.check();
        known
    }

    /// The shortest solution that is known.
    pub fn moves(&self) -> Option<&Moves> {
        self.moves.as_ref()
    }

    /// The shortest solution that is known, by value.
    pub fn into_moves(self) -> Option<Moves> {
        self.moves
    }

    /// The length of the shortest solution that is known.
    pub fn length(&self) -> Option<u32> {
        self.moves().map(|moves| moves.len() as u32)
    }

    /// No solution is shorter than this bound.
    pub fn bound(&self) -> u32 {
        self.bound
    }

    /// Whether the solution that is known is proved to be optimal.
    pub fn is_proved(&self) -> bool {
        self.length() == Some(self.bound)
    }

    /// Takes a solution if it is shorter than the one known; returns whether it was taken.
    ///
    /// # Panics
    /// If the solution is shorter than the bound.
    pub fn offer(&mut self, moves: Moves) -> bool {
        let is_shorter = self.length().is_none_or(|length| (moves.len() as u32) < length);
        if is_shorter {
            self.moves = Some(moves);
            self.check();
        }
        is_shorter
    }

    /// Takes a bound if it is higher than the one known.
    ///
    /// # Panics
    /// If the bound is above the length of the solution that is known.
    pub fn raise(&mut self, bound: u32) {
        self.bound = self.bound.max(bound);
        self.check();
    }

    fn check(&self) {
        let Some(length) = self.length() else { return };
        assert!(self.bound <= length, "found the bound {}, expected at most {length}, a solution's length", self.bound);
    }
}

#[cfg(test)]
mod tests {
    use pintu_tiles::Direction;

    use super::*;

    fn of(length: usize) -> Moves {
        Moves(vec![Direction::ALL[0]; length])
    }

    #[test]
    fn the_shorter_solution_and_the_higher_bound_stay() {
        let mut known = BestKnown::at_least(3);
        assert!(known.offer(of(7)) && !known.offer(of(7)) && known.offer(of(5)) && !known.offer(of(6)));
        known.raise(4);
        known.raise(2);
        assert_eq!((known.length(), known.bound(), known.is_proved()), (Some(5), 4, false));
        known.raise(5);
        assert!(known.is_proved());
    }

    #[test]
    #[should_panic(expected = "found the bound 6, expected at most 5, a solution's length")]
    fn a_bound_above_a_solution_panics() {
        BestKnown::new(Some(of(5)), 5).raise(6);
    }

    #[test]
    #[should_panic(expected = "found the bound 6, expected at most 5, a solution's length")]
    fn a_solution_below_the_bound_panics() {
        BestKnown::at_least(6).offer(of(5));
    }
}

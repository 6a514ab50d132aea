use pintu_tiles::Moves;

/// What is known of a puzzle's solutions: the shortest that was found, and a bound below all of them.
///
/// A bound above a length that is known would be a mistake of the solver, and nobody is told either: it panics.
#[derive(Clone, Debug, Default)]
pub struct BestKnown {
    moves: Option<Moves>,
    bound: u32,
}

impl BestKnown {
    /// No solution is known, and none is shorter than this.
    pub fn at_least(bound: u32) -> Self {
        Self { moves: None, bound }
    }

    /// The shortest solution that is known.
    pub fn moves(&self) -> Option<&Moves> {
        self.moves.as_ref()
    }

    /// Its length.
    pub fn length(&self) -> Option<u32> {
        self.moves().map(|moves| moves.len() as u32)
    }

    /// No solution is shorter than this.
    pub fn bound(&self) -> u32 {
        self.bound
    }

    /// Whether it is proved that no solution is shorter.
    pub fn is_proved(&self) -> bool {
        self.length() == Some(self.bound)
    }

    /// Takes a solution if it is shorter; says whether it is.
    ///
    /// # Panics
    /// If it is shorter than the bound.
    pub fn offer(&mut self, moves: Moves) -> bool {
        let is_shorter = self.length().is_none_or(|length| (moves.len() as u32) < length);
        if is_shorter {
            self.moves = Some(moves);
            self.check();
        }
        is_shorter
    }

    /// Takes a bound if it is higher.
    ///
    /// # Panics
    /// If it is above the length of the solution that is known.
    pub fn raise(&mut self, bound: u32) {
        self.bound = self.bound.max(bound);
        self.check();
    }

    fn check(&self) {
        let Some(length) = self.length() else { return };
        assert!(self.bound <= length, "{length} moves solve it, and {} are said to be needed", self.bound);
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
    #[should_panic(expected = "5 moves solve it, and 6 are said to be needed")]
    fn a_bound_above_a_solution_is_loud() {
        let mut known = BestKnown::default();
        known.offer(of(5));
        known.raise(6);
    }

    #[test]
    #[should_panic(expected = "5 moves solve it, and 6 are said to be needed")]
    fn a_solution_below_the_bound_is_loud() {
        BestKnown::at_least(6).offer(of(5));
    }
}

use pintu_tiles::Direction;

/// Every move of a game, those that were undone included, and which of them are undone as one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct History {
    moves: Vec<Direction>,
    /// Where each step ends in `moves`. A step is what one undo takes back: a move, or a run of them.
    ends: Vec<usize>,
    /// How many steps are done; the others can be redone.
    done: usize,
}

impl History {
    /// A history from its moves and the runs among them, each as its first move and its length. The
    /// first `done` moves are done. `None` where runs are empty, overlap, leave the moves, or where
    /// one is done in part.
    pub(crate) fn restore(moves: Vec<Direction>, done: usize, runs: &[(usize, usize)]) -> Option<Self> {
        let mut ends = Vec::with_capacity(moves.len());
        let mut at = 0;
        for &(first, length) in runs {
            let end = first.checked_add(length)?;
            if first < at || length < 2 || end > moves.len() {
                return None;
            }
            ends.extend(at + 1..=first);
            ends.push(end);
            at = end;
        }
        ends.extend(at + 1..=moves.len());
        let steps = if done == 0 { 0 } else { ends.binary_search(&done).ok()? + 1 };
        Some(Self { moves, ends, done: steps })
    }

    /// The moves that are done.
    pub(crate) fn done(&self) -> &[Direction] {
        &self.moves[..self.done_moves()]
    }

    /// The moves that can be redone, the next one first.
    pub(crate) fn undone(&self) -> &[Direction] {
        &self.moves[self.done_moves()..]
    }

    /// The steps of more than one move: the first move's index and the number of moves.
    pub(crate) fn runs(&self) -> Vec<(usize, usize)> {
        let firsts = std::iter::once(0).chain(self.ends.iter().copied());
        let steps = firsts.zip(&self.ends).map(|(first, end)| (first, end - first));
        steps.filter(|&(_, length)| length > 1).collect()
    }

    /// Adds a step, and forgets what could have been redone.
    pub(crate) fn push(&mut self, step: &[Direction]) {
        self.moves.truncate(self.done_moves());
        self.ends.truncate(self.done);
        self.moves.extend_from_slice(step);
        self.ends.push(self.moves.len());
        self.done += 1;
    }

    /// Steps back; the moves taken back, in the order in which they were made.
    pub(crate) fn back(&mut self) -> Option<&[Direction]> {
        let end = self.done_moves();
        self.done = self.done.checked_sub(1)?;
        Some(&self.moves[self.done_moves()..end])
    }

    /// Steps on; the moves to make again.
    pub(crate) fn on(&mut self) -> Option<&[Direction]> {
        let first = self.done_moves();
        let end = *self.ends.get(self.done)?;
        self.done += 1;
        Some(&self.moves[first..end])
    }

    /// The number of steps that are done.
    pub(crate) fn steps_done(&self) -> usize {
        self.done
    }

    fn done_moves(&self) -> usize {
        self.done.checked_sub(1).map_or(0, |last| self.ends[last])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Direction::{Down, Left, Right, Up};

    #[test]
    fn a_run_is_one_step() {
        let mut history = History::default();
        history.push(&[Up]);
        history.push(&[Left, Left]);
        assert_eq!(history.runs(), [(1, 2)]);
        assert_eq!(history.back(), Some([Left, Left].as_slice()));
        assert_eq!((history.done(), history.undone()), ([Up].as_slice(), [Left, Left].as_slice()));
        assert_eq!(history.on(), Some([Left, Left].as_slice()));
        assert_eq!(history.on(), None);
    }

    #[test]
    fn a_new_step_forgets_what_was_undone() {
        let mut history = History::default();
        history.push(&[Up]);
        history.push(&[Left, Left]);
        history.back();
        history.push(&[Right]);
        assert_eq!((history.done(), history.undone()), ([Up, Right].as_slice(), [].as_slice()));
        assert!(history.runs().is_empty());
    }

    #[test]
    fn restoring_gives_the_same_history() {
        let moves = vec![Up, Left, Left, Down, Right, Right];
        let history = History::restore(moves, 4, &[(1, 2), (4, 2)]).unwrap();
        assert_eq!(history.steps_done(), 3);
        assert_eq!(history.runs(), [(1, 2), (4, 2)]);
        assert_eq!(history.undone(), [Right, Right]);
    }

    #[test]
    fn runs_that_make_no_sense_are_refused() {
        let moves = || vec![Up, Left, Left, Down];
        for runs in [&[(0, 1)][..], &[(0, 0)], &[(3, 2)], &[(0, 3), (2, 2)], &[(2, 2), (0, 2)], &[(1, usize::MAX)]] {
            assert_eq!(History::restore(moves(), 0, runs), None, "{runs:?}");
        }
        assert_eq!(History::restore(moves(), 2, &[(1, 2)]), None, "a run done in part");
        assert_eq!(History::restore(moves(), 5, &[]), None, "more done than there is");
    }
}

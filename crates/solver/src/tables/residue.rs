//! What a table holds of a number of moves: just enough to tell it from its neighbours'.

use pintu_tiles::Kind;

/// One move of a pattern's tile changes the moves that are left by one at most, so a search that knows
/// them before a move needs only a remainder to know them after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Residue {
    /// Every move changes the number by exactly one. Its second bit tells one more from one less.
    Parity,
    /// A move may also leave the number as it is: two bits, the remainder by three.
    Three,
}

impl Residue {
    /// On a two-coloured board, every move of a tile changes the colour of its cell, and so the parity
    /// of the moves that are left.
    pub(crate) fn of(kind: Kind) -> Self {
        if kind == Kind::TwoColoured { Self::Parity } else { Self::Three }
    }

    /// How many bits are held.
    pub(crate) fn planes(self) -> usize {
        match self {
            Self::Parity => 1,
            Self::Three => 2,
        }
    }

    /// What is held of a number.
    #[inline]
    pub(crate) fn hold(self, moves: u32) -> u8 {
        match self {
            Self::Parity => (moves >> 1 & 1) as u8,
            Self::Three => (moves % 3) as u8,
        }
    }

    /// One bit of what is held of a number.
    pub(crate) fn bit(self, moves: u32, plane: usize) -> bool {
        self.hold(moves) >> plane & 1 == 1
    }

    /// The number after a move, from the number before it and what is held of the one after.
    #[inline]
    pub(crate) fn after(self, before: u8, held: u8) -> u8 {
        before.wrapping_add_signed(self.change(before, held))
    }

    /// By how much a move changes the number, from the number before it and what is held of the one after.
    #[inline]
    pub(crate) fn change(self, before: u8, held: u8) -> i8 {
        match self {
            Self::Parity => {
                let more = before.wrapping_add(1);
                1 - ((((more >> 1) ^ held) & 1) << 1) as i8
            }
            Self::Three => match (held + 3 - before % 3) % 3 {
                0 => 0,
                1 => 1,
                _ => -1,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_after_a_move_is_recovered() {
        for before in 1..100_u8 {
            for after in [before - 1, before + 1] {
                assert_eq!(Residue::Parity.after(before, Residue::Parity.hold(after.into())), after);
            }
            for after in before - 1..=before + 1 {
                assert_eq!(Residue::Three.after(before, Residue::Three.hold(after.into())), after);
            }
        }
    }
}

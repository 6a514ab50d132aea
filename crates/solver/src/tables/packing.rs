//! The entries of a table: remainders of numbers of moves, enough to tell a state's from its neighbours'.

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

    pub(crate) fn planes(self) -> usize {
        match self {
            Self::Parity => 1,
            Self::Three => 2,
        }
    }

    #[inline]
    pub(crate) fn hold(self, moves: u32) -> u8 {
        match self {
            Self::Parity => (moves >> 1 & 1) as u8,
            Self::Three => (moves % 3) as u8,
        }
    }

    /// The number after a move, from the number before it and the stored remainder of the one after.
    #[inline]
    pub(crate) fn after(self, before: u8, held: u8) -> u8 {
        before.wrapping_add_signed(self.change(before, held))
    }

    /// The change of the number by a move, from the number before it and the stored remainder of the one after.
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

/// The layout of a table's entries, each of which belongs to an order of the tiles and a row.
///
/// Entries of the same order lie side by side, row after row. A tile that moves sideways passes no other, so it leaves
/// the order as it is, and it changes the row by little when few tiles of its pattern lie below. So successive look-ups
/// are mostly close together: compared with rows of orders, a sixth of them miss a cache of a megabyte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Packing {
    pub(crate) bits: usize,
    /// Bits of the entries of one order, in whole words.
    pub(crate) stride: usize,
}

pub(crate) const WORD: usize = u64::BITS as usize;

impl Packing {
    pub(crate) fn new(rows: usize, residue: Residue) -> Self {
        let bits = residue.planes();
        Self { bits, stride: rows.next_multiple_of(WORD) * bits }
    }

    pub(crate) fn first_bit(self, row: usize, order: usize) -> usize {
        order * self.stride + row * self.bits
    }

    pub(crate) fn bytes(self, orders: usize) -> usize {
        orders * self.stride / 8
    }

    /// Packs planes of bits: for each row and each plane a bit for each order, in whole words.
    pub(crate) fn pack(self, planes: &[u64], orders: usize) -> Vec<u8> {
        let words = orders.div_ceil(WORD);
        let mut packed = vec![0; self.bytes(orders)];
        for (block, rows) in planes.chunks(WORD * self.bits * words).enumerate() {
            for word in 0..words {
                let turned: [[u64; WORD]; 2] = std::array::from_fn(|plane| {
                    let of_row = |row: usize| rows.get((row * self.bits + plane) * words + word);
                    transpose(std::array::from_fn(|row| of_row(row).copied().unwrap_or(0)))
                });
                for order in word * WORD..orders.min((word + 1) * WORD) {
                    let at = (order * self.stride + block * WORD * self.bits) / 8;
                    let (low, high) = (turned[0][order % WORD], turned[1][order % WORD]);
                    if self.bits == 1 {
                        packed[at..at + 8].copy_from_slice(&low.to_le_bytes());
                    } else {
                        packed[at..at + 16].copy_from_slice(&(spread(low) | spread(high) << 1).to_le_bytes());
                    }
                }
            }
        }
        packed
    }
}

/// Turns rows of bits into columns.
fn transpose(mut rows: [u64; WORD]) -> [u64; WORD] {
    let mut width = WORD / 2;
    let mut mask = u64::MAX >> width;
    while width > 0 {
        let mut row = 0;
        while row < WORD {
            let swapped = (rows[row] >> width ^ rows[row + width]) & mask;
            rows[row] ^= swapped << width;
            rows[row + width] ^= swapped;
            row = (row + width + 1) & !width;
        }
        width /= 2;
        mask ^= mask << width;
    }
    rows
}

/// The bits of a word, each followed by a zero.
fn spread(word: u64) -> u128 {
    (0..WORD).fold(0, |spread, bit| spread | u128::from(word >> bit & 1) << (2 * bit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bit_is_where_it_belongs() {
        let mut random = 1_u64;
        let mut next = || {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            random ^ random >> 29
        };
        for (rows, orders, residue) in
            [(1, 1_usize, Residue::Parity), (130, 120, Residue::Parity), (70, 24, Residue::Three)]
        {
            let words = orders.div_ceil(WORD);
            let packing = Packing::new(rows, residue);
            let planes: Vec<u64> = (0..rows * packing.bits * words).map(|_| next()).collect();
            let packed = packing.pack(&planes, orders);
            assert_eq!(packed.len(), packing.bytes(orders));
            for (row, order) in (0..rows).flat_map(|row| (0..orders).map(move |order| (row, order))) {
                for plane in 0..packing.bits {
                    let at = packing.first_bit(row, order) + plane;
                    let expected = planes[(row * packing.bits + plane) * words + order / WORD] >> (order % WORD) & 1;
                    assert_eq!(u64::from(packed[at / 8] >> (at % 8) & 1), expected);
                }
            }
        }
    }

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

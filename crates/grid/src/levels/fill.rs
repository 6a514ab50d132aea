//! Spreading sideways, 64 cells at a time.

/// What can be reached from some of the open cells by going on to the next column. `carry` tells whether
/// the last of the block before was, and then whether the last of this one is.
#[inline]
pub(super) fn fill_up(from: u64, open: u64, carry: &mut bool) -> u64 {
    let from = from | (open & u64::from(*carry));
    // In an addition, a one that meets ones goes on past the last of them.
    let (sum, over) = open.overflowing_add(from);
    *carry = over;
    ((sum ^ open) & open) | from
}

/// The same to the column before.
#[inline]
pub(super) fn fill_down(from: u64, open: u64, carry: &mut bool) -> u64 {
    let mut filled = from | (open & u64::from(*carry) << 63);
    if (filled >> 1) & open & !filled != 0 {
        let mut through = open;
        for shift in [1, 2, 4, 8, 16, 32] {
            filled |= through & (filled >> shift);
            through &= through >> shift;
        }
    }
    *carry = filled & 1 == 1;
    filled
}

//! Looking along a row or a column for the next jump point, many cells at a time.

use crate::bits::{Bits, WINDOW};

/// What makes a cell on a straight line a jump point, and how one turns off it.
pub(crate) trait Corners {
    /// Whether movement is four-way.
    const FOUR_WAY: bool;
    /// Whether an obstacle can force a turn on a diagonal, too.
    const TURNS_ASIDE: bool;

    /// The cells at which the cells beside, `one` and `other` line, force a turn. `after` shows at each
    /// cell what lies before it, `ahead` what follows.
    fn forced(here: u64, one: u64, other: u64, after: impl Fn(u64) -> u64, ahead: impl Fn(u64) -> u64) -> u64;
}

/// Corners are walked round: beside a jump point, a free cell follows a blocked one.
pub(crate) struct Round<const FOUR_WAY: bool>;

impl<const FOUR_WAY: bool> Corners for Round<FOUR_WAY> {
    const FOUR_WAY: bool = FOUR_WAY;
    const TURNS_ASIDE: bool = false;

    #[inline]
    fn forced(_: u64, one: u64, other: u64, after: impl Fn(u64) -> u64, _: impl Fn(u64) -> u64) -> u64 {
        (one & !after(one)) | (other & !after(other))
    }
}

/// Corners are cut: beside a jump point lies a blocked cell, and a free one follows. With `OPEN`, the
/// line must go on, too.
pub(crate) struct Cut<const OPEN: bool>;

impl<const OPEN: bool> Corners for Cut<OPEN> {
    const FOUR_WAY: bool = false;
    const TURNS_ASIDE: bool = true;

    #[inline]
    fn forced(here: u64, one: u64, other: u64, _: impl Fn(u64) -> u64, ahead: impl Fn(u64) -> u64) -> u64 {
        let forced = (!one & ahead(one)) | (!other & ahead(other));
        if OPEN { forced & ahead(here) } else { forced }
    }
}

/// One direction of lines of cells.
#[derive(Clone, Copy)]
pub(crate) struct Line<'a> {
    pub(crate) bits: &'a Bits,
    /// The distance to the lines beside.
    pub(crate) stride: usize,
}

/// The cells of a window that are looked at: not the first, which is where one stands, and not the
/// last, whose successor is not seen.
const LOOK: u32 = WINDOW - 2;

impl Line<'_> {
    /// The distance to the first jump point after `at`, or to the goal if that is `goal` ahead and comes
    /// first; 0 if there is neither before the line is blocked.
    #[inline]
    pub(crate) fn onward<C: Corners>(&self, at: usize, goal: u32) -> u32 {
        const SEEN: u64 = ((1 << (LOOK + 1)) - 1) & !1;
        let (mut at, mut gone) = (at, 0);
        loop {
            let here = self.bits.onward(at);
            let stops = (!here | self.forced::<C>(at, here, Bits::onward, |bits| bits << 1, |bits| bits >> 1)) & SEEN;
            if stops != 0 {
                let ahead = stops.trailing_zeros();
                return decide(gone + ahead, here >> ahead & 1 == 1, goal);
            }
            (at, gone) = (at + LOOK as usize, gone + LOOK);
            if goal <= gone {
                return goal;
            }
        }
    }

    /// The same the other way.
    #[inline]
    pub(crate) fn backward<C: Corners>(&self, at: usize, goal: u32) -> u32 {
        const SEEN: u64 = (((1 << (LOOK + 1)) - 1) & !1_u64).reverse_bits();
        let (mut at, mut gone) = (at, 0);
        loop {
            let here = self.bits.backward(at);
            let stops = (!here | self.forced::<C>(at, here, Bits::backward, |bits| bits >> 1, |bits| bits << 1)) & SEEN;
            if stops != 0 {
                let ahead = stops.leading_zeros();
                return decide(gone + ahead, here << ahead >> 63 == 1, goal);
            }
            (at, gone) = (at - LOOK as usize, gone + LOOK);
            if goal <= gone {
                return goal;
            }
        }
    }

    #[inline]
    fn forced<C: Corners>(
        &self,
        at: usize,
        here: u64,
        window: impl Fn(&Bits, usize) -> u64,
        after: impl Fn(u64) -> u64,
        ahead: impl Fn(u64) -> u64,
    ) -> u64 {
        let one = window(self.bits, at - self.stride);
        let other = window(self.bits, at + self.stride);
        C::forced(here, one, other, after, ahead)
    }
}

/// What to make of the first cell that is blocked or a jump point.
#[inline]
fn decide(distance: u32, is_free: bool, goal: u32) -> u32 {
    if goal < distance {
        goal
    } else if is_free {
        distance
    } else {
        0
    }
}

//! Looking along a row or a column for the next jump point, many cells at a time.

use crate::bits::{Bits, WINDOW};

/// What makes a cell on a straight line a jump point.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Corners are walked round: beside it, a free cell follows a blocked one.
    Round,
    /// Corners are cut: beside it lies a blocked cell, and a free one follows.
    Cut,
    /// The same, but only if the line goes on.
    CutOpen,
}

/// One line of cells, with the lines beside it.
#[derive(Clone, Copy)]
pub(crate) struct Line<'a> {
    pub(crate) bits: &'a Bits,
    /// The distance to the lines beside.
    pub(crate) stride: usize,
    pub(crate) kind: Kind,
}

/// The cells of a window that are looked at: not the first, which is where one stands, and not the
/// last, whose successor is not seen.
const LOOK: u32 = WINDOW - 2;

impl Line<'_> {
    /// The distance to the first jump point after `at`, or to the goal if that is `goal` ahead and comes
    /// first; 0 if there is neither before the line is blocked.
    #[inline]
    pub(crate) fn onward(&self, at: usize, goal: u32) -> u32 {
        const SEEN: u64 = ((1 << (LOOK + 1)) - 1) & !1;
        let (mut at, mut gone) = (at, 0);
        loop {
            let here = self.bits.onward(at);
            let stops = (!here | self.forced(at, here, Bits::onward, |bits| bits << 1, |bits| bits >> 1)) & SEEN;
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
    pub(crate) fn backward(&self, at: usize, goal: u32) -> u32 {
        const SEEN: u64 = (((1 << (LOOK + 1)) - 1) & !1_u64).reverse_bits();
        let (mut at, mut gone) = (at, 0);
        loop {
            let here = self.bits.backward(at);
            let stops = (!here | self.forced(at, here, Bits::backward, |bits| bits >> 1, |bits| bits << 1)) & SEEN;
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

    /// The cells at which an obstacle beside the line forces a turn. `after` shows at each cell what lies
    /// before it, `ahead` what follows.
    #[inline]
    fn forced(
        &self,
        at: usize,
        here: u64,
        window: impl Fn(&Bits, usize) -> u64,
        after: impl Fn(u64) -> u64,
        ahead: impl Fn(u64) -> u64,
    ) -> u64 {
        let one = window(self.bits, at - self.stride);
        let other = window(self.bits, at + self.stride);
        match self.kind {
            Kind::Round => (one & !after(one)) | (other & !after(other)),
            Kind::Cut => (!one & ahead(one)) | (!other & ahead(other)),
            Kind::CutOpen => ((!one & ahead(one)) | (!other & ahead(other))) & ahead(here),
        }
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

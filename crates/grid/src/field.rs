//! The record of best-first search for each cell of a map.

use pintu_search::{Hold, Stop};

use crate::{scale::Number, scratch::make_room};

/// A record for each cell. A stamp tells whether it belongs to the present search, so that
/// nothing is cleared between two.
#[derive(Default)]
pub(crate) struct Field<N> {
    spots: Vec<Spot<N>>,
    stamp: u32,
}

/// The least cost of reaching a cell, and packed into one number: a stamp, whether the cell was expanded, last step.
#[derive(Clone, Copy, Default)]
#[repr(C, packed(4))]
pub(crate) struct Spot<N> {
    pub(crate) paid: N,
    pub(crate) packed: u32,
}

pub(crate) const STEP_BITS: u32 = 4;
/// The bit of `packed` for a cell that was expanded.
pub(crate) const CLOSED: u32 = 1 << STEP_BITS;
const STAMP_SHIFT: u32 = STEP_BITS + 1;

#[inline]
pub(crate) fn step_of(packed: u32) -> u8 {
    (packed & ((1 << STEP_BITS) - 1)) as u8
}

#[inline]
pub(crate) fn is_stamped(packed: u32, stamp: u32) -> bool {
    (packed ^ stamp) >> STAMP_SHIFT == 0
}

impl<N: Number> Field<N> {
    pub(crate) fn bytes(&self) -> u64 {
        (self.spots.capacity() * size_of::<Spot<N>>()) as u64
    }

    /// The spots of the last search, and their stamp.
    pub(crate) fn last(&self) -> (&[Spot<N>], u32) {
        (&self.spots, self.stamp << STAMP_SHIFT)
    }

    /// Empty spots, and the stamp for those that the next search writes.
    pub(crate) fn fresh(&mut self, numbers: usize, hold: &mut Hold) -> Result<(&mut [Spot<N>], u32), Stop> {
        make_room(&mut self.spots, numbers, hold)?;
        self.stamp += 1;
        if self.stamp == 1 << (u32::BITS - STAMP_SHIFT) {
            self.spots.fill(Spot::default());
            self.stamp = 1;
        }
        Ok((&mut self.spots[..numbers], self.stamp << STAMP_SHIFT))
    }
}

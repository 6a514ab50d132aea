/// A range of blocks in a row, or of rows.
#[derive(Clone, Copy)]
pub(super) struct Span {
    pub(super) first: u32,
    pub(super) end: u32,
}

impl Default for Span {
    fn default() -> Self {
        Self { first: u32::MAX, end: 0 }
    }
}

impl Span {
    #[inline]
    pub(super) fn is_empty(self) -> bool {
        self.first >= self.end
    }

    #[inline]
    pub(super) fn blocks(self) -> std::ops::Range<usize> {
        self.first.min(self.end) as usize..self.end as usize
    }

    // One of these for each block that is reached.
    #[inline]
    pub(super) fn add(&mut self, at: usize) {
        self.first = self.first.min(at as u32);
        self.end = self.end.max(at as u32 + 1);
    }

    #[inline]
    pub(super) fn join(self, other: Self) -> Self {
        Self { first: self.first.min(other.first), end: self.end.max(other.end) }
    }
}

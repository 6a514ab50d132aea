//! Which states a beam has seen lately.

use crate::views::fetch;

/// A state's hash is remembered in one of these, for as long as there is room: the latest come first.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Line([u64; 8]);

/// The states seen in this level and in some before it. One that is forgotten may come twice, which costs time alone; two
/// different states of one hash are taken for one, which is rare and loses one of them.
pub(super) struct Seen {
    lines: Vec<Line>,
}

impl Seen {
    /// The bytes for each state of a beam's width.
    pub(super) const BYTES: usize = size_of::<Line>();

    pub(super) fn new(width: usize) -> Self {
        Self { lines: vec![Line([0; 8]); width.max(64)] }
    }

    #[inline]
    fn line(&self, hash: u64) -> usize {
        ((u128::from(hash) * self.lines.len() as u128) >> 64) as usize
    }

    /// Asks for the memory that a look at this hash needs.
    #[inline]
    pub(super) fn fetch(&self, hash: u64) {
        fetch(&self.lines, self.line(hash));
    }

    /// Remembers a state; returns whether it is new.
    #[inline]
    pub(super) fn is_new(&mut self, hash: u64) -> bool {
        let at = self.line(hash);
        let line = &mut self.lines[at].0;
        if line.contains(&hash) {
            return false;
        }
        line.copy_within(0..7, 1);
        line[0] = hash;
        true
    }
}

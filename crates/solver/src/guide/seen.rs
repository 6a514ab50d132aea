//! A lossy set of the states that a beam has seen lately.

use crate::views::fetch;

/// The lower bits of the hashes of up to eight states, the latest first.
#[derive(Clone, Copy)]
#[repr(align(32))]
struct Line([u32; 8]);

/// The states seen in this level and in some before it. A state that is forgotten may come twice, which costs only
/// time; a collision is rare and loses one state.
pub(super) struct Seen {
    lines: Vec<Line>,
}

impl Seen {
    /// The bytes for each state of a beam's width.
    pub(super) const BYTES: usize = size_of::<Line>();

    pub(super) fn new(width: usize) -> Self {
        Self { lines: vec![Line([0; 8]); width.max(64)] }
    }

    /// The index of a hash's line, from its upper bits.
    #[inline]
    fn line(&self, hash: u64) -> usize {
        ((u128::from(hash) * self.lines.len() as u128) >> 64) as usize
    }

    /// Prefetches the line of a hash.
    #[inline]
    pub(super) fn fetch(&self, hash: u64) {
        fetch(&self.lines, self.line(hash));
    }

    /// Remembers a state; returns whether it is new.
    #[inline]
    pub(super) fn is_new(&mut self, hash: u64) -> bool {
        let at = self.line(hash);
        let line = &mut self.lines[at].0;
        let part = hash as u32;
        if line.contains(&part) {
            return false;
        }
        let mut latest = [part; 8];
        latest[1..].copy_from_slice(&line[..7]);
        *line = latest;
        true
    }
}

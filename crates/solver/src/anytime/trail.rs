//! How each state of a beam was reached: four bytes a state.

use pintu_tiles::Direction;

/// Nodes refer to their parents. Chunks of a fixed size, so that growth never copies.
pub(super) struct Trail {
    chunks: Vec<Vec<u32>>,
}

const CHUNK: usize = 1 << 12;

impl Trail {
    pub(super) const BYTES: u64 = 4;
    pub(super) const CHUNK_BYTES: usize = CHUNK * 4;
    /// The parent takes 30 bits, the direction two.
    const MOST: usize = 1 << 30;

    /// A trail whose node 0 is the start.
    pub(super) fn new() -> Self {
        Self { chunks: vec![vec![0]] }
    }

    /// A new node, one step from its parent.
    #[inline]
    pub(super) fn step(&mut self, parent: u32, direction: u8) -> u32 {
        if self.chunks.last().is_none_or(|chunk| chunk.len() == CHUNK) {
            self.chunks.push(Vec::with_capacity(CHUNK));
        }
        let full = self.chunks.len() - 1;
        let chunk = &mut self.chunks[full];
        chunk.push(parent << 2 | u32::from(direction));
        (full * CHUNK + chunk.len() - 1) as u32
    }

    /// The directions from the start to a node.
    pub(super) fn way_to(&self, node: u32) -> Vec<Direction> {
        let mut way = Vec::new();
        let mut at = node as usize;
        while at != 0 {
            let entry = self.chunks[at / CHUNK][at % CHUNK];
            way.push(Direction::ALL[(entry & 3) as usize]);
            at = (entry >> 2) as usize;
        }
        way.reverse();
        way
    }

    pub(super) fn bytes(&self) -> usize {
        self.chunks.len() * Self::CHUNK_BYTES
    }

    /// Whether another level might not fit.
    pub(super) fn is_full(&self) -> bool {
        self.chunks.len() * CHUNK > Self::MOST / 2
    }
}

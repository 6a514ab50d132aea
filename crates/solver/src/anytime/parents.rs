//! How each state of a beam was reached: four bytes a state.

use pintu_search::{Hold, Stop};
use pintu_tiles::Direction;

/// Nodes refer to their parents. Chunks of a fixed size, so that growth never copies.
pub(super) struct Parents {
    chunks: Vec<Vec<u32>>,
    len: usize,
}

const CHUNK: usize = 1 << 12;

impl Parents {
    pub(super) const BYTES: u64 = 4;
    pub(super) const CHUNK_BYTES: usize = CHUNK * 4;
    /// The parent takes 30 bits, the direction two.
    const MOST: usize = 1 << 30;

    /// The start alone, as node 0.
    pub(super) fn new() -> Self {
        Self { chunks: vec![vec![0]], len: 1 }
    }

    /// Makes room for `steps` more steps, asking for the bytes first.
    pub(super) fn make_room(&mut self, steps: usize, hold: &mut Hold) -> Result<(), Stop> {
        let nodes = self.len + steps;
        if nodes > Self::MOST {
            return Err(Stop::Memory);
        }
        while self.chunks.len() * CHUNK < nodes {
            hold.more(Self::CHUNK_BYTES as u64)?;
            self.chunks.push(Vec::with_capacity(CHUNK));
        }
        Ok(())
    }

    #[inline]
    pub(super) fn step(&mut self, parent: u32, direction: u8) -> u32 {
        let node = self.len;
        self.chunks[node / CHUNK].push(parent << 2 | u32::from(direction));
        self.len += 1;
        node as u32
    }

    pub(super) fn path_to(&self, node: u32) -> Vec<Direction> {
        let mut path = Vec::new();
        let mut at = node as usize;
        while at != 0 {
            let entry = self.chunks[at / CHUNK][at % CHUNK];
            path.push(Direction::ALL[(entry & 3) as usize]);
            at = (entry >> 2) as usize;
        }
        path.reverse();
        path
    }
}

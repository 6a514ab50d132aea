//! Which states a sweep has met.

use crate::views::fetch;

/// States seen last, so that few are in a beam twice. What is forgotten or taken for another harms only the beam.
pub(crate) struct Met(Vec<Bucket>);

type Bucket = [u16; 4];

impl Met {
    /// The bytes that it takes for each state of the width.
    pub(crate) const BYTES_A_STATE: usize = size_of::<Bucket>();

    pub(crate) fn new(width: usize) -> Self {
        Self(vec![Bucket::default(); (width / 2).next_power_of_two()])
    }

    /// Has what is known of a state brought near.
    #[inline]
    pub(crate) fn fetch(&self, hash: u64) {
        fetch(&self.0, self.index(hash));
    }

    #[inline]
    pub(crate) fn has(&self, hash: u64) -> bool {
        self.0[self.index(hash)].contains(&tag(hash))
    }

    /// Whether a state has not been seen. Now it has.
    #[inline]
    pub(crate) fn is_new(&mut self, hash: u64) -> bool {
        let index = self.index(hash);
        let is_new = !self.has(hash);
        if is_new {
            let [a, b, c, _] = self.0[index];
            self.0[index] = [tag(hash), a, b, c];
        }
        is_new
    }

    #[inline]
    fn index(&self, hash: u64) -> usize {
        hash as usize & (self.0.len() - 1)
    }
}

/// What is kept of a hash.
fn tag(hash: u64) -> u16 {
    (hash >> 48) as u16
}

/// A random number for each tile in each cell. Those of a state's tiles together are its hash, which a move changes
/// by two of them.
pub(crate) struct Numbers<const CELLS: usize>(Box<[[u64; CELLS]; CELLS]>);

impl<const CELLS: usize> Numbers<CELLS> {
    /// The bytes that they take.
    pub(crate) const BYTES: usize = CELLS * CELLS * size_of::<u64>();

    pub(crate) fn new() -> Self {
        let mut numbers = Box::new([[0; CELLS]; CELLS]);
        let mut random = 0_u64;
        for number in numbers.as_flattened_mut() {
            random = random.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let mixed = (random ^ random >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
            *number = mixed ^ mixed >> 31;
        }
        Self(numbers)
    }

    /// By what a tile's move from one cell to another changes a hash.
    #[inline]
    pub(crate) fn change(&self, tile: u8, from: u8, to: u8) -> u64 {
        let of_tile = &self.0[usize::from(tile) % CELLS];
        of_tile[usize::from(from) % CELLS] ^ of_tile[usize::from(to) % CELLS]
    }
}

//! Which cells are free, a bit each, to be looked at many at a time.

/// How many bits of a window are sure to be right, wherever it begins.
pub(crate) const WINDOW: u32 = 57;

/// A row of bits that can be read from any bit on.
#[derive(Clone)]
pub(crate) struct Bits {
    bytes: Vec<u8>,
}

/// Bytes before the first and after the last bit, so that no window reaches beyond the array.
const MARGIN: usize = 8;

impl Bits {
    pub(crate) fn new(len: usize) -> Self {
        Self { bytes: vec![0; Self::bytes_of(len) as usize] }
    }

    /// The bytes that so many bits take.
    pub(crate) fn bytes_of(len: usize) -> u64 {
        (len.div_ceil(8) + 2 * MARGIN) as u64
    }

    pub(crate) fn set(&mut self, index: usize) {
        self.bytes[MARGIN + index / 8] |= 1 << (index % 8);
    }

    /// The bits from `index` on: `index` is the lowest.
    #[inline]
    pub(crate) fn onward(&self, index: usize) -> u64 {
        self.word(MARGIN + index / 8) >> (index % 8)
    }

    /// The bits up to `index`: `index` is the highest.
    #[inline]
    pub(crate) fn backward(&self, index: usize) -> u64 {
        self.word(MARGIN + index / 8 - 7) << (7 - index % 8)
    }

    #[inline]
    fn word(&self, at: usize) -> u64 {
        let mut word = [0; 8];
        word.copy_from_slice(&self.bytes[at..at + 8]);
        u64::from_le_bytes(word)
    }

    pub(crate) fn size(&self) -> usize {
        self.bytes.capacity()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_show_the_bits() {
        let mut bits = Bits::new(300);
        let is_set = |index: usize| index < 300 && (index * index + index / 3).is_multiple_of(5);
        (0..300).filter(|&index| is_set(index)).for_each(|index| bits.set(index));
        for index in 0..300 {
            for k in 0..WINDOW as usize {
                assert_eq!(bits.onward(index) >> k & 1 == 1, is_set(index + k));
                assert_eq!(bits.backward(index) >> (63 - k) & 1 == 1, index >= k && is_set(index - k));
            }
        }
    }
}

//! Files as memory.

use std::{fs::File, io};

use memmap2::Mmap;

/// The bytes of a mapped file from `start` on.
pub(super) struct Mapped {
    map: Mmap,
    start: usize,
}

impl Mapped {
    /// Maps a file of which the first `start` bytes are not wanted.
    pub(super) fn new(file: &File, start: usize) -> io::Result<Self> {
        // SAFETY: a table's file is written under another name and renamed when it is complete, and is
        // never written to or shortened after that; it is only replaced or unlinked as a whole, which
        // leaves this mapping as it is. Bytes are valid whatever they are.
        #[expect(unsafe_code, reason = "mapping a file is unsafe: others might change it")]
        let map = unsafe { Mmap::map(file)? };
        if map.len() < start {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(Self { map, start })
    }
}

impl AsRef<[u8]> for Mapped {
    fn as_ref(&self) -> &[u8] {
        &self.map[self.start..]
    }
}

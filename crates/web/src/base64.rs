//! Bytes as text, for events.

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The standard encoding, padded.
pub(crate) fn encode(bytes: &[u8]) -> String {
    let mut text = Vec::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |index: usize| u32::from(chunk.get(index).copied().unwrap_or(0));
        let group = byte(0) << 16 | byte(1) << 8 | byte(2);
        let letter = |index: usize| ALPHABET[(group >> (18 - 6 * index)) as usize & 63];
        text.extend((0..4).map(|index| if index <= chunk.len() { letter(index) } else { b'=' }));
    }
    // The alphabet is ASCII.
    String::from_utf8(text).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_standards_examples() {
        let examples = [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")];
        for (plain, encoded) in examples {
            assert_eq!(super::encode(plain.as_bytes()), encoded);
        }
        assert_eq!(super::encode(&[0xfb, 0xff, 0xfe]), "+//+");
    }
}

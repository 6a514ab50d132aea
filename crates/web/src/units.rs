//! Sizes and times as people write and read them: one rule for the command line and for settings.

use std::time::Duration;

use bytesize::ByteSize;

/// Reads `10s`, `1.5s`, `250ms`, `2m`, `1h 30m`; a bare number is seconds.
pub fn read_duration(text: &str) -> Result<Duration, String> {
    let text = text.trim().to_ascii_lowercase();
    let unit = if text.ends_with(|last: char| last.is_ascii_digit()) { "s" } else { "" };
    humantime::parse_duration(&format!("{text}{unit}"))
        .map_err(|_| "expected a time such as 10s, 250ms or 1h 30m".to_owned())
}

/// Reads `2GiB`, `64MiB`, `1.5G`, `500MB`; a bare number is bytes, and a bare `K`, `M`, `G` or `T` is a power of 1024.
pub fn read_bytes(text: &str) -> Result<u64, String> {
    let text = text.trim().to_ascii_lowercase();
    let binary = if text.ends_with(['k', 'm', 'g', 't']) { "ib" } else { "" };
    let size: Result<ByteSize, _> = format!("{text}{binary}").parse();
    size.map(|size| size.as_u64()).map_err(|_| "expected a size such as 2GiB or 64MiB".to_owned())
}

/// Bytes as people read them, rounded: `1.5 KiB`.
pub fn show_bytes(bytes: u64) -> String {
    ByteSize::b(bytes).display().iec().to_string()
}

/// Bytes as people write them, exactly: a whole number in the largest unit that allows it, as in `64MiB`.
pub(crate) fn write_bytes(bytes: u64) -> String {
    let units = [(40, "TiB"), (30, "GiB"), (20, "MiB"), (10, "KiB")];
    let unit = units.iter().find(|(shift, _)| bytes > 0 && bytes.is_multiple_of(1 << shift));
    unit.map_or_else(|| format!("{bytes}B"), |(shift, name)| format!("{}{name}", bytes >> shift))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_sizes_are_read_and_shown() {
        for (text, millis) in [("10s", 10_000), ("1.5", 1500), ("0", 0), (" 250 MS", 250), ("1h 30m", 5_400_000)] {
            assert_eq!(read_duration(text), Ok(Duration::from_millis(millis)), "{text}");
        }
        for (text, size) in
            [("64 mib", 64 << 20), ("1.5G", 3 << 29), ("16k", 16 << 10), ("500MB", 500_000_000), ("1000", 1000)]
        {
            assert_eq!(read_bytes(text), Ok(size), "{text}");
        }
        for bad in ["", "s", "-1s", "10 parsecs", "1e99h", "1.2.3s"] {
            assert!(read_duration(bad).is_err(), "{bad:?}");
        }
        for bad in ["", "GiB", "-1", "1e3", "much"] {
            assert!(read_bytes(bad).is_err(), "{bad:?}");
        }
        assert_eq!([show_bytes(0), show_bytes(1536)], ["0 B", "1.5 KiB"]);
    }
}

//! Times, sizes and counts as people write and read them.

use std::time::Duration;

use bytesize::ByteSize;
use indicatif::HumanCount;

/// Reads `10s`, `1.5s`, `250ms`, `2m`, `1h 30m`; a bare number is seconds.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let text = text.trim().to_ascii_lowercase();
    let unit = if text.ends_with(|last: char| last.is_ascii_digit()) { "s" } else { "" };
    humantime::parse_duration(&format!("{text}{unit}"))
        .map_err(|_| "expected a time such as 10s, 250ms or 1h 30m".to_owned())
}

/// Reads `2GiB`, `64MiB`, `1.5G`, `500MB`; a bare number is bytes, and a bare `K`, `M`, `G` or `T` is a power of 1024.
pub(crate) fn bytes(text: &str) -> Result<u64, String> {
    let text = text.trim().to_ascii_lowercase();
    let binary = if text.ends_with(['k', 'm', 'g', 't']) { "ib" } else { "" };
    let size: Result<ByteSize, _> = format!("{text}{binary}").parse();
    size.map(|size| size.as_u64()).map_err(|_| "expected a size such as 2GiB or 64MiB".to_owned())
}

/// Bytes as people read them: `1.5 KiB`.
pub(crate) fn show_bytes(bytes: u64) -> String {
    ByteSize::b(bytes).display().iec().to_string()
}

/// Seconds as people read them, with three digits: `120 µs`, `2.50 s`.
pub(crate) fn show_seconds(seconds: f64) -> String {
    let duration = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
    let whole_digits = format!("{duration:.0?}").bytes().take_while(u8::is_ascii_digit).count();
    let shown = format!("{duration:.*?}", 3_usize.saturating_sub(whole_digits));
    let unit = shown.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
    format!("{} {unit}", shown.trim_end_matches(unit))
}

/// A whole number with its thousands apart: `15,300,442`.
pub(crate) fn show_count(count: u64) -> String {
    HumanCount(count).to_string()
}

/// A number of things, whose name takes an s unless there is one: `1 state`, `2,000 states`.
pub(crate) fn counted(count: u64, name: &str) -> String {
    format!("{} {name}{}", show_count(count), if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_sizes_are_read() {
        for (text, millis) in [("10s", 10_000), ("1.5", 1500), ("0", 0), (" 250 MS", 250), ("1h 30m", 5_400_000)] {
            assert_eq!(duration(text), Ok(Duration::from_millis(millis)), "{text}");
        }
        for (text, size) in
            [("64 mib", 64 << 20), ("1.5G", 3 << 29), ("16k", 16 << 10), ("500MB", 500_000_000), ("1000", 1000)]
        {
            assert_eq!(bytes(text), Ok(size), "{text}");
        }
        for bad in ["", "s", "-1s", "10 parsecs", "1e99h", "1.2.3s"] {
            assert!(duration(bad).is_err(), "{bad:?}");
        }
        for bad in ["", "GiB", "-1", "1e3", "much"] {
            assert!(bytes(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn numbers_are_shown() {
        assert_eq!([0, 1, 2000].map(|count| counted(count, "state")), ["0 states", "1 state", "2,000 states"]);
        assert_eq!([show_bytes(0), show_bytes(1536)], ["0 B", "1.5 KiB"]);
        let times = [0.000_12, 0.0288, 2.5, 1234.5].map(show_seconds);
        assert_eq!(times, ["120 µs", "28.8 ms", "2.50 s", "1234 s"]);
    }
}

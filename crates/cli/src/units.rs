//! Times and sizes as people write them.

use std::time::Duration;

/// Reads `10s`, `1.5s`, `250ms`, `2m`, `1h`; a bare number is seconds.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    const UNITS: [(&str, f64); 6] = [("ms", 1e-3), ("s", 1.0), ("min", 60.0), ("m", 60.0), ("h", 3600.0), ("", 1.0)];
    let seconds =
        scaled(text, &UNITS).ok_or_else(|| format!("found `{text}`, expected a time such as 10s or 250ms"))?;
    Duration::try_from_secs_f64(seconds).map_err(|_| format!("found `{text}`, which is too long a time"))
}

/// Reads `2GiB`, `64MiB`, `1.5G`, `500MB`; a bare number is bytes.
pub(crate) fn bytes(text: &str) -> Result<u64, String> {
    const UNITS: [(&str, f64); 15] = [
        ("kib", 1024.0),
        ("mib", 1_048_576.0),
        ("gib", 1_073_741_824.0),
        ("tib", 1_099_511_627_776.0),
        ("kb", 1e3),
        ("mb", 1e6),
        ("gb", 1e9),
        ("tb", 1e12),
        ("k", 1024.0),
        ("m", 1_048_576.0),
        ("g", 1_073_741_824.0),
        ("t", 1_099_511_627_776.0),
        ("bytes", 1.0),
        ("b", 1.0),
        ("", 1.0),
    ];
    let bytes = scaled(text, &UNITS).filter(|bytes| *bytes < 9e18);
    bytes.map(|bytes| bytes as u64).ok_or_else(|| format!("found `{text}`, expected a size such as 2GiB or 64MiB"))
}

fn scaled(text: &str, units: &[(&str, f64)]) -> Option<f64> {
    let text = text.trim().to_ascii_lowercase();
    let end = text.find(|letter: char| !letter.is_ascii_digit() && letter != '.').unwrap_or(text.len());
    let number: f64 = text[..end].parse().ok()?;
    let unit = text[end..].trim();
    units.iter().find(|(name, _)| *name == unit).map(|(_, factor)| number * factor)
}

/// Bytes as people read them.
pub(crate) fn show_bytes(bytes: f64) -> String {
    const UNITS: [&str; 5] = ["B", "KiB", "MiB", "GiB", "TiB"];
    let mut value = bytes;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    if unit == 0 { format!("{value:.0} B") } else { format!("{value:.1} {}", UNITS[unit]) }
}

/// Seconds as people read them.
pub(crate) fn show_seconds(seconds: f64) -> String {
    match seconds {
        ..0.001 => format!("{:.0} µs", seconds * 1e6),
        ..0.1 => format!("{:.2} ms", seconds * 1e3),
        ..1.0 => format!("{:.0} ms", seconds * 1e3),
        ..100.0 => format!("{seconds:.2} s"),
        _ => format!("{seconds:.0} s"),
    }
}

/// A whole number with its thousands apart: `15,300,442`.
pub(crate) fn show_count(count: u64) -> String {
    let digits = count.to_string();
    let mut shown = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            shown.push(',');
        }
        shown.push(digit);
    }
    shown
}

/// So many of something, whose name takes an s where it is not one: `1 state`, `2,000 states`.
pub(crate) fn counted(count: u64, name: &str) -> String {
    format!("{} {name}{}", show_count(count), if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_sizes_are_read() {
        assert_eq!(duration("10s"), Ok(Duration::from_secs(10)));
        assert_eq!(duration("1.5"), Ok(Duration::from_millis(1500)));
        assert_eq!(duration("250ms"), Ok(Duration::from_millis(250)));
        assert_eq!(duration("2m"), Ok(Duration::from_mins(2)));
        assert_eq!(bytes("2GiB"), Ok(2 << 30));
        assert_eq!(bytes("64 mib"), Ok(64 << 20));
        assert_eq!(bytes("1000"), Ok(1000));
        for bad in ["", "s", "-1s", "10 parsecs", "1e99h", "1.2.3s"] {
            assert!(duration(bad).is_err(), "{bad:?}");
        }
        for bad in ["", "GiB", "-1", "1e3", "9999999999999999999999TiB"] {
            assert!(bytes(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn numbers_are_shown() {
        assert_eq!(show_count(0), "0");
        assert_eq!(show_count(999), "999");
        assert_eq!(show_count(15_300_442), "15,300,442");
        assert_eq!([0, 1, 2000].map(|count| counted(count, "state")), ["0 states", "1 state", "2,000 states"]);
        assert_eq!(show_bytes(1536.0), "1.5 KiB");
        assert_eq!(show_seconds(0.000_12), "120 µs");
        assert_eq!(show_seconds(2.5), "2.50 s");
    }
}

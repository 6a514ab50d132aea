//! Times, sizes and counts as people write and read them.

use std::{str::FromStr, time::Duration};

use indicatif::HumanCount;
pub(crate) use pintu_web::units::{read_bytes, read_duration, show_bytes};

pub(crate) fn read_count<T: FromStr>(text: &str) -> Result<T, &'static str> {
    text.parse().map_err(|_| "expected a whole number, as in 1000000")
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
    fn numbers_are_shown() {
        assert_eq!([0, 1, 2000].map(|count| counted(count, "state")), ["0 states", "1 state", "2,000 states"]);
        let times = [0.000_12, 0.0288, 2.5, 1234.5].map(show_seconds);
        assert_eq!(times, ["120 µs", "28.8 ms", "2.50 s", "1234 s"]);
    }
}

//! The puzzle of a day: the same board for everybody, by the date alone. What is written here never changes, or people
//! would not play the same board. The page has the same rules, and both read the same golden dates.

use std::{fmt, str::FromStr};

use pintu_tiles::{Arrangement, NamedGoal, Scrambler, Size, Topology};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Claim, Game, Picture, RecordError, Save};

/// A calendar date, by the number of days since 1 January 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(into = "String", try_from = "String")]
#[schemars(with = "String")]
pub struct Day(i32);

/// The sizes from Sunday to Saturday.
const SIZES: [(usize, usize); 7] = [(5, 5), (3, 3), (3, 4), (4, 4), (3, 5), (4, 4), (4, 5)];
const PICTURES: [&str; 7] = ["dawn", "mist", "night", "spring", "pond", "panda", "glaze"];
/// 1 January 1970 was a Thursday.
const FIRST_WEEKDAY: i32 = 4;

/// The board of a day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DailyBoard {
    pub size: Size,
    pub picture: Picture,
    pub start: Arrangement,
}

impl Day {
    pub const EPOCH: Self = Self(0);

    /// The day of a number, within the years that have four digits.
    pub fn new(number: i32) -> Option<Self> {
        const FIRST: i32 = -719_162;
        const LAST: i32 = 2_932_896;
        (FIRST..=LAST).contains(&number).then_some(Self(number))
    }

    pub fn number(self) -> i32 {
        self.0
    }

    /// The board and the picture of this day.
    pub fn board(self) -> DailyBoard {
        let (rows, cols) = in_turn(SIZES, self.0 + FIRST_WEEKDAY);
        let picture = Picture::Builtin(in_turn(PICTURES, self.0 + self.0.div_euclid(7)).to_owned());
        let size = size(rows, cols);
        let (year, month, date) = self.calendar();
        let seed = u64::from(year.unsigned_abs()) * 10_000 + u64::from(month) * 100 + u64::from(date);
        let start = Scrambler::new(Topology::plain(size), NamedGoal::Standard.on(size), seed).uniform();
        DailyBoard { size, picture, start }
    }

    /// Replays a game of this day: what it claims, or why it is not ranked.
    pub fn claim(self, save: &Save) -> Result<Claim, RecordError> {
        let game = Game::load(save)?;
        let (save, board) = (game.save(), self.board());
        let size = board.size;
        let is_plain = save.wrap_rows.is_empty() && save.wrap_cols.is_empty();
        let is_board = (save.rows, save.cols, save.blank) == (size.rows(), size.cols(), size.cells() - 1);
        let start: Vec<u32> = board.start.tiles().iter().map(|&tile| u32::from(tile)).collect();
        if !is_plain || !is_board || save.start != start {
            return Err(RecordError::OtherDay);
        }
        game.finished()
    }

    /// Year, month and day of the month. The algorithm is that of Howard Hinnant's `civil_from_days`.
    fn calendar(self) -> (i32, u8, u8) {
        let from_march = self.0 + 719_468;
        let era = from_march.div_euclid(146_097);
        let day_of_era = from_march.rem_euclid(146_097);
        let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let month_from_march = (5 * day_of_year + 2) / 153;
        let date = day_of_year - (153 * month_from_march + 2) / 5 + 1;
        let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
        let year = year_of_era + era * 400 + i32::from(month <= 2);
        (year, month as u8, date as u8)
    }
}

/// The size of a board of the list.
fn size(rows: usize, cols: usize) -> Size {
    #[expect(clippy::expect_used, reason = "the sizes are written above")]
    Size::new(rows, cols).expect("a size of the list")
}

/// The item of a list whose turn it is on a day, also before 1970.
fn in_turn<T: Copy>(list: [T; 7], number: i32) -> T {
    list[number.rem_euclid(7) as usize]
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, date) = self.calendar();
        write!(f, "{year:04}-{month:02}-{date:02}")
    }
}

impl FromStr for Day {
    type Err = DayError;

    fn from_str(text: &str) -> Result<Self, DayError> {
        let error = || DayError(text.chars().take(20).collect());
        let number = |range: std::ops::Range<usize>| -> Option<i32> {
            let digits = text.get(range)?;
            digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())?
        };
        let is_shaped = text.len() == 10 && text.as_bytes()[4] == b'-' && text.as_bytes()[7] == b'-';
        let parts = || Some((number(0..4)?, number(5..7)?, number(8..10)?));
        let (year, month, date) = parts().filter(|_| is_shaped).ok_or_else(error)?;
        let day = Self::new(days_from_civil(year, month, date)).ok_or_else(error)?;
        // A date that is not in the calendar is another one there.
        if day.to_string() == text { Ok(day) } else { Err(error()) }
    }
}

/// Howard Hinnant's algorithm of this name.
fn days_from_civil(year: i32, month: i32, date: i32) -> i32 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + date - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

impl TryFrom<String> for Day {
    type Error = DayError;

    fn try_from(text: String) -> Result<Self, DayError> {
        text.parse()
    }
}

impl From<Day> for String {
    fn from(day: Day) -> Self {
        day.to_string()
    }
}

/// A text that is no date.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("found `{0}`, expected a date such as 2026-11-16")]
pub struct DayError(String);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_read_as_they_are_written() {
        for (text, number) in [("1970-01-01", 0), ("2026-11-16", 20_773), ("2000-02-29", 11_016), ("1969-12-31", -1)] {
            assert_eq!(text.parse(), Ok(Day(number)));
            assert_eq!(Day(number).to_string(), text);
        }
        for number in (-719_162..2_932_896).step_by(997) {
            assert_eq!(Day(number).to_string().parse(), Ok(Day(number)));
        }
        for text in ["", "2026-02-29", "2026-13-01", "2026-00-10", "26-11-16", "2026-11-1", "2026/11/16", "+026-11-16"]
        {
            assert!(text.parse::<Day>().is_err(), "{text}");
        }
    }
}

//! Splits a text into rows of numbers.

use super::{TextError, TextProblem};

pub(super) struct Row {
    /// The row's line in the text, from 1 on; a line may hold several rows.
    pub(super) line: usize,
    pub(super) values: Vec<u32>,
    /// The row's text, if it is nothing but digits without spaces.
    pub(super) digits: Option<String>,
    /// Whether a blank line, or nothing between two `/`, comes before it.
    pub(super) after_gap: bool,
}

impl Row {
    /// An error in this row's line.
    pub(super) fn error(&self, problem: impl Into<TextProblem>) -> TextError {
        TextError { line: self.line, problem: problem.into() }
    }
}

const ROW_ENDS: [char; 3] = ['/', ';', '；'];
const COMMAS: [char; 2] = [',', '，'];
const BLANK: &str = "_";

/// Splits a text into rows, without checking that they form a board.
pub(super) fn lex(text: &str) -> Result<Vec<Row>, TextError> {
    let mut rows = Vec::new();
    let mut after_gap = false;
    for (line, raw) in (1..).zip(text.lines()) {
        let (content, comment) = raw.split_once('#').map_or((raw, false), |(content, _)| (content, true));
        // A `/` at the end of a line ends one row, not two.
        let content = content.trim_end();
        for part in content.strip_suffix(ROW_ENDS).unwrap_or(content).split(ROW_ENDS) {
            let is_between = |letter: char| letter.is_whitespace() || COMMAS.contains(&letter);
            let words: Vec<&str> = part.split(is_between).filter(|word| !word.is_empty()).collect();
            if words.is_empty() {
                // A line with only a comment is not a blank line.
                after_gap |= !comment;
                continue;
            }
            let value = |word: &&str| {
                // The digits of a whole board may be too large for a number.
                let is_alone = text.trim() == *word;
                number(word, is_alone).map_err(|problem| TextError { line, problem })
            };
            let values = words.iter().map(value).collect::<Result<_, _>>()?;
            let digits = if let [word] = words.as_slice() { is_digits(word).then(|| (*word).to_owned()) } else { None };
            rows.push(Row { line, values, digits, after_gap });
            after_gap = false;
        }
    }
    if rows.is_empty() {
        return Err(TextError { line: 1, problem: TextProblem::Empty });
    }
    Ok(rows)
}

fn number(word: &str, is_alone: bool) -> Result<u32, TextProblem> {
    if word == BLANK {
        return Ok(0);
    }
    if !is_digits(word) {
        return Err(TextProblem::NotANumber(shorten(word)));
    }
    match word.parse() {
        Ok(number) => Ok(number),
        Err(_) if is_alone => Ok(u32::MAX),
        Err(_) => Err(TextProblem::TooLarge(shorten(word))),
    }
}

/// A word as an error message can show it.
fn shorten(word: &str) -> String {
    let mut shown: String = word.chars().take(24).flat_map(char::escape_debug).collect();
    if word.chars().count() > 24 {
        shown.push('…');
    }
    shown
}

fn is_digits(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit())
}

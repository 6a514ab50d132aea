//! Splits a text into rows of numbers.

use super::{TextError, TextProblem};

pub(super) struct Row {
    /// The line it stands in, from 1 on; several may stand in one.
    pub(super) line: usize,
    pub(super) values: Vec<u32>,
    /// All that it is, if that is digits together.
    pub(super) digits: Option<String>,
    /// Whether a blank line, or nothing between two `/`, comes before it.
    pub(super) after_gap: bool,
}

impl Row {
    /// What is wrong, and that it is in this row's line.
    pub(super) fn error(&self, problem: impl Into<TextProblem>) -> TextError {
        TextError { line: self.line, problem: problem.into() }
    }
}

const ROW_ENDS: [char; 3] = ['/', ';', '；'];
const COMMAS: [char; 2] = [',', '，'];
const BLANK: &str = "_";

/// The rows of a text, whatever they make.
pub(super) fn lex(text: &str) -> Result<Vec<Row>, TextError> {
    let mut rows = Vec::new();
    let mut after_gap = false;
    for (line, raw) in (1..).zip(text.lines()) {
        let (content, comment) = raw.split_once('#').map_or((raw, false), |(content, _)| (content, true));
        // The end of a line ends no other row than a `/` before it.
        let content = content.trim_end();
        for part in content.strip_suffix(ROW_ENDS).unwrap_or(content).split(ROW_ENDS) {
            let is_between = |letter: char| letter.is_whitespace() || COMMAS.contains(&letter);
            let words: Vec<&str> = part.split(is_between).filter(|word| !word.is_empty()).collect();
            if words.is_empty() {
                // A line with nothing but a comment separates nothing.
                after_gap |= !comment;
                continue;
            }
            let value = |word: &&str| {
                // All of a board together may be more than a number can be.
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

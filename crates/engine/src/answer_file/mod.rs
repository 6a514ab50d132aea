//! A batch in shards: the lines of a shard, the file of its answers, and all answers merged in order.
//!
//! A file is JSON lines: a header that names the job, then an answer a line, each with the number of its line in the input.
//! Every line has a checksum, which `merge` leaves out. A line is written whole by one call, so that a process that is
//! killed leaves at most one torn line, the last.

mod file;
mod merge;
#[cfg(test)]
mod tests;

pub use file::AnswerFile;
pub use merge::{Merged, merge};

use std::{collections::BTreeMap, fmt, io, path::PathBuf, str::FromStr};

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use crate::in_words;

/// A shard of a batch, `K/N`: the lines K, K + N, K + 2N and so on of the input, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
pub struct Shard {
    number: usize,
    of: usize,
}

impl Shard {
    /// The only shard of a batch that is not divided.
    pub const WHOLE: Self = Self { number: 1, of: 1 };

    /// Whether a line, by its number from 1 on, belongs to this shard.
    pub fn has(self, line: usize) -> bool {
        line % self.of == self.number % self.of
    }
}

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Self, ShardError> {
        let read = |(number, of): (&str, &str)| Some(Self { number: number.parse().ok()?, of: of.parse().ok()? });
        let shard = text.split_once('/').and_then(read);
        shard.filter(|shard| (1..=shard.of).contains(&shard.number)).ok_or_else(|| ShardError(text.to_owned()))
    }
}

impl TryFrom<String> for Shard {
    type Error = ShardError;

    fn try_from(text: String) -> Result<Self, ShardError> {
        text.parse()
    }
}

impl From<Shard> for String {
    fn from(shard: Shard) -> Self {
        shard.to_string()
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("found `{0}`, expected K/N with K from 1 to N, as in 2/8")]
pub struct ShardError(String);

/// The job that all shards of a batch share. Answers belong together only if this is the same.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Job {
    /// The lines of the input.
    lines: usize,
    /// The lines without a puzzle, empty or with a comment alone, as first and last lines of their runs.
    empty: Vec<(usize, usize)>,
    /// A hash of the input.
    input: String,
    /// The options on which the answers depend, by their names.
    options: BTreeMap<String, String>,
}

impl Job {
    /// The job of an input under some options. Each line comes with whether it holds a puzzle.
    pub fn new<'a>(
        lines: impl IntoIterator<Item = (&'a str, bool)>,
        options: impl IntoIterator<Item = (&'static str, String)>,
    ) -> Self {
        let (mut hash, mut count) = (Xxh3::new(), 0);
        let mut empty: Vec<(usize, usize)> = Vec::new();
        for (line, has_puzzle) in lines {
            count += 1;
            hash.update(&(line.len() as u64).to_le_bytes());
            hash.update(line.as_bytes());
            match empty.last_mut().filter(|(_, last)| last + 1 == count) {
                _ if has_puzzle => {}
                Some((_, last)) => *last = count,
                None => empty.push((count, count)),
            }
        }
        let options = options.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        Self { lines: count, empty, input: format!("{:032x}", hash.digest128()), options }
    }

    /// The numbers of the lines that hold a puzzle.
    fn puzzles(&self) -> impl Iterator<Item = usize> {
        let mut empty = self.empty.iter().peekable();
        (1..=self.lines).filter(move |&line| {
            while empty.next_if(|(_, last)| *last < line).is_some() {}
            empty.peek().is_none_or(|(first, _)| line < *first)
        })
    }

    /// The differences between the job of a file and the one that is expected, in words; `None` if they are the same.
    fn difference(&self, expected: &Self) -> Option<String> {
        let names = self.options.keys().chain(expected.options.keys());
        let value = |job: &Self, name: &str| match job.options.get(name) {
            Some(value) => format!("{name} {value}"),
            None => format!("no {name}"),
        };
        let mut differing = names.filter(|&name| self.options.get(name) != expected.options.get(name));
        match differing.next() {
            Some(name) => Some(format!("found answers with {}, expected {}", value(self, name), value(expected, name))),
            None => (self != expected).then(|| "found answers to another input".to_owned()),
        }
    }
}

/// The first line of a file of answers.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
struct Header {
    /// The version of the form of the file.
    pintu_batch: u32,
    shard: Shard,
    #[serde(flatten)]
    job: Job,
}

const VERSION: u32 = 2;

/// A JSON object with a checksum as its last field.
fn sealed(object: &str) -> String {
    let fields = object.strip_suffix('}').unwrap_or(object);
    format!("{fields},\"check\":\"{:016x}\"}}", xxh3_64(fields.as_bytes()))
}

/// The object without its checksum; `None` if it is not the one that was sealed.
fn unsealed(line: &str) -> Option<String> {
    let (fields, _) = line.rsplit_once(",\"check\":")?;
    let object = format!("{fields}}}");
    (sealed(&object) == line).then_some(object)
}

/// The status of a puzzle's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    Solved,
    Unsolvable,
    /// The line is no puzzle.
    Invalid,
    Limit,
}

/// The fields of an answer that are read; the text is passed on as it is.
#[derive(Clone, Copy, Debug, Deserialize)]
struct Answered {
    line: usize,
    status: Status,
}

/// Why a file of answers cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum AnswerFileError {
    #[error("{}: {}", path.display(), in_words(why))]
    Io { path: PathBuf, why: io::Error },
    #[error("{}: found a file that another process is writing, expected one of its own for each shard", .0.display())]
    Busy(PathBuf),
    #[error("{}: found no file of answers made by --resume, expected one", .0.display())]
    Foreign(PathBuf),
    #[error("{}: {difference}", path.display())]
    Other { path: PathBuf, difference: String },
    #[error("{}: line {line}: found {found}, expected an answer (without this line, --resume answers it again)", path.display())]
    Line { path: PathBuf, line: usize, found: String },
}

//! The file of a part, read and gone on with.

use std::{
    collections::BTreeMap,
    fs::{File, TryLockError},
    io::{Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use super::{Answered, Header, Job, PartError, Shard, Status, VERSION};

/// The file of a part, to which answers are appended. It is locked: no other process goes on with it at the same time.
#[derive(Debug)]
pub struct PartFile {
    path: PathBuf,
    file: File,
    answered: BTreeMap<usize, Status>,
}

impl PartFile {
    /// Begins a part's file, or goes on with one of the same job and shard. A torn last line is cut off.
    pub fn open(path: &Path, shard: Shard, job: Job) -> Result<Self, PartError> {
        let failed = |why| PartError::Io { path: path.to_owned(), why };
        // To open a pipe, say, would keep us waiting.
        if path.exists() && !path.is_file() {
            return Err(PartError::Foreign(path.to_owned()));
        }
        let mut file =
            File::options().read(true).write(true).create(true).truncate(false).open(path).map_err(failed)?;
        // Where a file system has no locks, nothing can be said.
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            return Err(PartError::Busy(path.to_owned()));
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(failed)?;
        let header = Header { pintu_batch: VERSION, shard, job };
        let first = format!("{}\n", serde_json::to_string(&header).map_err(|why| failed(why.into()))?);
        let mut part = Self { path: path.to_owned(), file, answered: BTreeMap::new() };
        // A process that was killed at once left a piece of the header.
        if first.as_bytes().starts_with(&bytes) && bytes.len() < first.len() {
            part.cut(0).and_then(|()| part.file.write_all(first.as_bytes())).map_err(failed)?;
            return Ok(part);
        }
        let read = Part::read(path, &bytes)?;
        if let Some(difference) = read.header.difference(&header) {
            return Err(PartError::Other { path: path.to_owned(), difference });
        }
        part.answered = read.answers.iter().map(|(answered, _)| (answered.line, answered.status)).collect();
        part.cut(read.bytes as u64).map_err(failed)?;
        Ok(part)
    }

    /// The lines of the input that have an answer, and what came of them.
    pub fn answered(&self) -> &BTreeMap<usize, Status> {
        &self.answered
    }

    /// Appends an answer: a JSON object with its `line` and `status`, without a line's end.
    pub fn append(&mut self, answer: &str) -> Result<(), PartError> {
        let written = self.file.write_all(format!("{answer}\n").as_bytes());
        written.map_err(|why| PartError::Io { path: self.path.clone(), why })
    }

    fn cut(&mut self, bytes: u64) -> std::io::Result<()> {
        self.file.set_len(bytes)?;
        self.file.seek(SeekFrom::Start(bytes)).map(drop)
    }
}

/// What a part's file says, as far as its lines are complete.
pub(super) struct Part<'a> {
    pub(super) header: Header,
    pub(super) answers: Vec<(Answered, &'a str)>,
    /// The bytes of the complete lines.
    bytes: usize,
}

impl<'a> Part<'a> {
    /// Reads the complete lines of a file. Each must be an answer to another line of the shard that holds a puzzle.
    pub(super) fn read(path: &Path, bytes: &'a [u8]) -> Result<Self, PartError> {
        let bytes = &bytes[..bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1)];
        let mut lines = bytes.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::trim_ascii_end);
        let header: Option<Header> = lines.next().and_then(|line| serde_json::from_slice(line).ok());
        let Some(header) = header.filter(|header| header.pintu_batch == VERSION) else {
            return Err(PartError::Foreign(path.to_owned()));
        };
        let mut expected: BTreeMap<usize, bool> =
            header.job.puzzles().filter(|&line| header.shard.has(line)).map(|line| (line, true)).collect();
        let mut answers = Vec::new();
        for (number, line) in (2..).zip(lines) {
            let wrong = |found: String| PartError::Line { path: path.to_owned(), line: number, found };
            let text = str::from_utf8(line).map_err(|_| wrong("bytes that are not UTF-8".to_owned()))?;
            let answer: Answered = serde_json::from_str(text).map_err(|_| wrong("something else".to_owned()))?;
            match expected.insert(answer.line, false) {
                Some(true) => answers.push((answer, text)),
                Some(false) => return Err(wrong(format!("a second answer to line {}", answer.line))),
                None => return Err(wrong(format!("an answer to line {} of another shard", answer.line))),
            }
        }
        Ok(Self { header, answers, bytes: bytes.len() })
    }
}

impl Header {
    /// What differs between the header of a file and the one that is expected, in words.
    fn difference(&self, expected: &Self) -> Option<String> {
        let shards = || format!("found answers of the shard {}, expected {}", self.shard, expected.shard);
        self.job.difference(&expected.job).or_else(|| (self.shard != expected.shard).then(shards))
    }
}

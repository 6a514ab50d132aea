//! A file of answers: reads it and appends to it.

use std::{
    collections::BTreeMap,
    fs::{File, TryLockError},
    io::{Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use super::{AnswerFileError, Answered, Header, Job, Shard, Status, VERSION, sealed, unsealed};

/// A file to which the answers of a shard are appended. It is locked: no other process appends to it at the same time.
#[derive(Debug)]
pub struct AnswerFile {
    path: PathBuf,
    file: File,
    answered: BTreeMap<usize, Status>,
}

impl AnswerFile {
    /// Begins a file, or goes on with one of the same job and shard. A torn last line is cut off.
    pub fn open(path: &Path, shard: Shard, job: Job) -> Result<Self, AnswerFileError> {
        let failed = |why| AnswerFileError::Io { path: path.to_owned(), why };
        // Opening a pipe, for example, would block.
        if path.exists() && !path.is_file() {
            return Err(AnswerFileError::Foreign(path.to_owned()));
        }
        let mut file =
            File::options().read(true).write(true).create(true).truncate(false).open(path).map_err(failed)?;
        // A file system without locks reports nothing.
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            return Err(AnswerFileError::Busy(path.to_owned()));
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(failed)?;
        let header = Header { pintu_batch: VERSION, shard, job };
        let first = format!("{}\n", sealed(&serde_json::to_string(&header).map_err(|why| failed(why.into()))?));
        let mut answers = Self { path: path.to_owned(), file, answered: BTreeMap::new() };
        // A process that was killed early has written a part of the header.
        if first.as_bytes().starts_with(&bytes) && bytes.len() < first.len() {
            answers.cut(0).and_then(|()| answers.file.write_all(first.as_bytes())).map_err(failed)?;
            return Ok(answers);
        }
        let read = Answers::read(path, &bytes)?;
        if let Some(difference) = read.header.difference(&header) {
            return Err(AnswerFileError::Other { path: path.to_owned(), difference });
        }
        answers.answered = read.lines.iter().map(|(answered, _)| (answered.line, answered.status)).collect();
        answers.cut(read.bytes as u64).map_err(failed)?;
        Ok(answers)
    }

    /// The lines of the input that have an answer, and the answers' statuses.
    pub fn answered(&self) -> &BTreeMap<usize, Status> {
        &self.answered
    }

    /// Appends an answer: a JSON object with its `line` and `status`, without a line's end.
    pub fn append(&mut self, answer: &str) -> Result<(), AnswerFileError> {
        let written = self.file.write_all(format!("{}\n", sealed(answer)).as_bytes());
        written.map_err(|why| AnswerFileError::Io { path: self.path.clone(), why })
    }

    fn cut(&mut self, bytes: u64) -> std::io::Result<()> {
        self.file.set_len(bytes)?;
        self.file.seek(SeekFrom::Start(bytes)).map(drop)
    }
}

/// Whether a file is empty or ends within its header.
pub(super) fn ends_in_header(bytes: &[u8]) -> bool {
    let beginning = format!("{{\"pintu_batch\":{VERSION},");
    !bytes.contains(&b'\n') && bytes.iter().zip(beginning.as_bytes()).all(|(found, expected)| found == expected)
}

/// The contents of a file, as far as its lines are complete.
pub(super) struct Answers {
    pub(super) header: Header,
    pub(super) lines: Vec<(Answered, String)>,
    /// The bytes of the complete lines.
    bytes: usize,
}

impl Answers {
    /// Reads the complete lines of a file. Each must be an answer to another line of the shard that holds a puzzle.
    pub(super) fn read(path: &Path, bytes: &[u8]) -> Result<Self, AnswerFileError> {
        let bytes = &bytes[..bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1)];
        let mut lines = bytes.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::trim_ascii_end);
        let first = lines.next().and_then(|line| unsealed(str::from_utf8(line).ok()?));
        let header: Option<Header> = first.and_then(|line| serde_json::from_str(&line).ok());
        let Some(header) = header.filter(|header| header.pintu_batch == VERSION) else {
            return Err(AnswerFileError::Foreign(path.to_owned()));
        };
        let mut expected: BTreeMap<usize, bool> =
            header.job.puzzles().filter(|&line| header.shard.has(line)).map(|line| (line, true)).collect();
        let mut answers = Vec::new();
        for (number, line) in (2..).zip(lines) {
            let wrong = |found: String| AnswerFileError::Line { path: path.to_owned(), line: number, found };
            let text =
                str::from_utf8(line).ok().and_then(unsealed).ok_or_else(|| wrong("a damaged line".to_owned()))?;
            let answer: Answered = serde_json::from_str(&text).map_err(|_| wrong("something else".to_owned()))?;
            match expected.insert(answer.line, false) {
                Some(true) => answers.push((answer, text)),
                Some(false) => return Err(wrong(format!("a second answer to line {}", answer.line))),
                None => return Err(wrong(format!("an answer to line {} of another shard", answer.line))),
            }
        }
        Ok(Self { header, lines: answers, bytes: bytes.len() })
    }
}

impl Header {
    /// The differences between the header of a file and the one that is expected, in words.
    fn difference(&self, expected: &Self) -> Option<String> {
        let shards = || format!("found answers of the shard {}, expected {}", self.shard, expected.shard);
        self.job.difference(&expected.job).or_else(|| (self.shard != expected.shard).then(shards))
    }
}

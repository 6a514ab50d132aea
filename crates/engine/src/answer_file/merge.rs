//! The answers of all shards in the order of the input.

use std::{
    collections::{BTreeMap, BTreeSet, btree_map::Entry},
    fs,
    path::PathBuf,
};

use super::{
    AnswerFileError, Job, Status,
    file::{Answers, ends_in_header},
};

#[derive(Clone, Debug, Default)]
pub struct Merged {
    /// For each answered line of the input, the status and the answer as its file has it. Of several answers, that of
    /// the file named first.
    pub answers: BTreeMap<usize, (Status, String)>,
    /// Lines that hold a puzzle and have no answer.
    pub missing: Vec<usize>,
    /// Lines that have more than one answer.
    pub doubled: BTreeSet<usize>,
    /// Files that end before the first answer could be written: their processes were killed at once.
    pub unbegun: Vec<PathBuf>,
}

/// Reads the files of shards, which must be of one job. A torn last line is no answer.
pub fn merge(paths: &[PathBuf]) -> Result<Merged, AnswerFileError> {
    let mut merged = Merged::default();
    let mut job: Option<Job> = None;
    for path in paths {
        let bytes = fs::read(path).map_err(|why| AnswerFileError::Io { path: path.clone(), why })?;
        if ends_in_header(&bytes) {
            merged.unbegun.push(path.clone());
            continue;
        }
        let read = Answers::read(path, &bytes)?;
        if let Some(difference) = job.as_ref().and_then(|job| read.header.job.difference(job)) {
            return Err(AnswerFileError::Other { path: path.clone(), difference });
        }
        job.get_or_insert(read.header.job);
        for (answered, text) in read.lines {
            match merged.answers.entry(answered.line) {
                Entry::Vacant(entry) => drop(entry.insert((answered.status, text))),
                Entry::Occupied(_) => drop(merged.doubled.insert(answered.line)),
            }
        }
    }
    let puzzles = job.iter().flat_map(Job::puzzles);
    merged.missing = puzzles.filter(|line| !merged.answers.contains_key(line)).collect();
    Ok(merged)
}

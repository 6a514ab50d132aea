//! The answers of all parts in the order of the input.

use std::{
    collections::{BTreeMap, BTreeSet, btree_map::Entry},
    fs,
    path::PathBuf,
};

use super::{Job, PartError, Status, file::Part};

#[derive(Clone, Debug, Default)]
pub struct Merged {
    /// For each line of the input that is answered, what came of it and the answer as its file has it. Of several answers,
    /// that of the file named first.
    pub answers: BTreeMap<usize, (Status, String)>,
    /// Lines that hold a puzzle and have no answer.
    pub missing: Vec<usize>,
    /// Lines that have more than one answer.
    pub doubled: BTreeSet<usize>,
}

/// Reads the files of parts, which must be of one job. A torn last line is no answer.
pub fn merge(paths: &[PathBuf]) -> Result<Merged, PartError> {
    let mut merged = Merged::default();
    let mut job: Option<Job> = None;
    for path in paths {
        let bytes = fs::read(path).map_err(|why| PartError::Io { path: path.clone(), why })?;
        let part = Part::read(path, &bytes)?;
        if let Some(difference) = job.as_ref().and_then(|job| part.header.job.difference(job)) {
            return Err(PartError::Other { path: path.clone(), difference });
        }
        job.get_or_insert(part.header.job);
        for (answered, text) in part.answers {
            match merged.answers.entry(answered.line) {
                Entry::Vacant(entry) => drop(entry.insert((answered.status, text.to_owned()))),
                Entry::Occupied(_) => drop(merged.doubled.insert(answered.line)),
            }
        }
    }
    let puzzles = job.iter().flat_map(Job::puzzles);
    merged.missing = puzzles.filter(|line| !merged.answers.contains_key(line)).collect();
    Ok(merged)
}

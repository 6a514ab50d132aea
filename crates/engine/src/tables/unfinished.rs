//! Files that are being written: under a name of their own, and locked for as long as somebody writes them.

use std::{fs, io, path::Path};

use tempfile::NamedTempFile;

use super::file;
use crate::new_file::{lock, new_file, remove_unlocked};

const SUFFIX: &str = ".unfinished";

/// A new file for a table of this name. It is removed unless it is persisted; the lock, which the system gives
/// back even if the process is killed, tells other processes that it is in use.
pub(super) fn create(dir: &Path, name: &str) -> io::Result<NamedTempFile> {
    let prefix = format!("{}.", name.trim_end_matches(file::SUFFIX).trim_end_matches('.'));
    let made = new_file(dir, &prefix, SUFFIX)?;
    lock(made.as_file());
    Ok(made)
}

/// Removes what killed processes left behind; says how many files those were.
pub(super) fn remove_abandoned(dir: &Path) -> usize {
    let entries = fs::read_dir(dir).into_iter().flatten().flatten().map(|entry| entry.path());
    entries.filter(|path| is_ours(path) && remove(path).is_ok()).count()
}

/// Whether this is the name of an unfinished table.
fn is_ours(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).and_then(|name| name.strip_suffix(SUFFIX));
    let stem = name.and_then(|name| name.rsplit_once('.')).map(|(stem, _)| stem);
    stem.is_some_and(|stem| file::parse_name(&format!("{stem}.{}", file::SUFFIX)).is_some())
}

fn remove(path: &Path) -> io::Result<()> {
    remove_unlocked(&file::open(path)?, path)
}

//! Files that are written whole or not at all.

use std::{
    ffi::OsString,
    fs::{self, File},
    io,
    path::{Path, PathBuf},
};

use tempfile::NamedTempFile;

/// A new file in a folder, under a name of its own between a prefix and a suffix: to be written and then persisted under
/// the name that it is for. Until then it is removed when it is dropped. Whoever may read other files of this user may
/// read it.
pub fn new_file(dir: &Path, prefix: &str, suffix: &str) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(prefix).suffix(suffix);
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    make(&mut builder, dir)
}

/// The same in the folder of the file that it will become.
pub fn new_file_beside(path: &Path) -> io::Result<NamedTempFile> {
    new_file(folder_of(path), PREFIX, "")
}

/// The same, which only this user may read. Its name says what it will become, and as long as it is open it is locked, so
/// that [`remove_abandoned_beside`] knows what killed processes left behind.
pub fn new_private_file_beside(path: &Path) -> io::Result<NamedTempFile> {
    let made = make(tempfile::Builder::new().prefix(&prefix_for(path)).suffix(UNFINISHED), folder_of(path))?;
    lock(made.as_file());
    Ok(made)
}

/// Removes what killed processes left of a file that was to become this one; says how many those were.
pub fn remove_abandoned_beside(path: &Path) -> usize {
    let prefix = prefix_for(path);
    let is_left = |found: &PathBuf| {
        let name = found.file_name().unwrap_or_default().as_encoded_bytes();
        name.starts_with(prefix.as_encoded_bytes()) && name.ends_with(UNFINISHED.as_bytes()) && found.is_file()
    };
    let entries = fs::read_dir(folder_of(path)).into_iter().flatten().flatten().map(|entry| entry.path());
    entries
        .filter(is_left)
        .filter(|found| File::open(found).is_ok_and(|file| remove_unlocked(&file, found).is_ok()))
        .count()
}

/// Tells other processes that a file is being written: the system gives the lock back even if this process is killed.
/// Where a file system has no locks, nobody takes the file for abandoned either.
pub(crate) fn lock(file: &File) {
    let _ = file.lock();
}

/// Removes a file that nobody has locked.
pub(crate) fn remove_unlocked(file: &File, path: &Path) -> io::Result<()> {
    file.try_lock()?;
    fs::remove_file(path)
}

fn prefix_for(path: &Path) -> OsString {
    let mut prefix = OsString::from(".");
    prefix.push(path.file_name().unwrap_or_default());
    prefix.push(".");
    prefix
}

const UNFINISHED: &str = ".unfinished";
const PREFIX: &str = ".tmp";

/// The folder in which a file is, or will be.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn make(builder: &mut tempfile::Builder<'_, '_>, dir: &Path) -> io::Result<NamedTempFile> {
    // The name of a file that could not be made is nobody's business.
    builder.rand_bytes(12).tempfile_in(dir).map_err(|error| error.kind().into())
}

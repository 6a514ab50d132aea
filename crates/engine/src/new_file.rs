//! Files that are written completely or not at all.

use std::{
    ffi::{OsStr, OsString},
    fs::{self, File},
    io,
    path::Path,
};

use tempfile::NamedTempFile;

/// A new file under a temporary name, in the folder of `path`: to be written and then persisted under that name. Until
/// then it is removed when it is dropped. It has the permissions of this user's other files.
pub fn new_file_beside(path: &Path) -> io::Result<NamedTempFile> {
    create(folder_of(path), OsStr::new(".tmp"), "", true)
}

/// The same, readable by this user only. Its name contains that of `path`, and while it is open it is locked, so that
/// [`remove_abandoned_beside`] recognises files of killed processes.
pub fn new_private_file_beside(path: &Path) -> io::Result<NamedTempFile> {
    create_locked(folder_of(path), &prefix_for(path), false)
}

/// Removes files that killed processes were writing to become this one; returns their number.
pub fn remove_abandoned_beside(path: &Path) -> usize {
    let prefix = prefix_for(path);
    remove_abandoned(folder_of(path), |name| name.as_encoded_bytes().starts_with(prefix.as_encoded_bytes()))
}

/// The folder of a file that need not exist.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A new file that is locked for as long as it is open, which protects it from [`remove_abandoned`] in other processes:
/// the system releases the lock even if this process is killed.
pub(crate) fn create_locked(dir: &Path, prefix: &OsStr, is_public: bool) -> io::Result<NamedTempFile> {
    loop {
        let made = create(dir, prefix, UNFINISHED, is_public)?;
        // On a file system without locks, no process takes the file for abandoned either.
        let _ = made.as_file().lock();
        // Another process may have taken it for abandoned before it was locked.
        if made.path().exists() {
            return Ok(made);
        }
    }
}

/// Removes the files made by [`create_locked`] in a folder that no process has locked, if `is_ours` accepts their names
/// without the suffix; returns their number.
pub(crate) fn remove_abandoned(dir: &Path, is_ours: impl Fn(&OsStr) -> bool) -> usize {
    let remove = |path: &Path| {
        // Opening a pipe, for example, would block.
        let is_ours = path.extension().is_some_and(|suffix| suffix == &UNFINISHED[1..])
            && path.file_stem().is_some_and(&is_ours)
            && path.is_file();
        is_ours && File::open(path).is_ok_and(|file| file.try_lock().is_ok() && fs::remove_file(path).is_ok())
    };
    fs::read_dir(dir).into_iter().flatten().flatten().filter(|entry| remove(&entry.path())).count()
}

const UNFINISHED: &str = ".unfinished";

fn prefix_for(path: &Path) -> OsString {
    let mut prefix = OsString::from(".");
    prefix.push(path.file_name().unwrap_or_default());
    prefix.push(".");
    prefix
}

fn create(dir: &Path, prefix: &OsStr, suffix: &str, is_public: bool) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(prefix).suffix(suffix).rand_bytes(12);
    if is_public {
        make_public(&mut builder);
    }
    // The error would name the temporary file, which means nothing to a user.
    builder.tempfile_in(dir).map_err(|error| error.kind().into())
}

/// Makes the file as readable as the user's mask allows; on other systems a file has the rights of its directory.
fn make_public(builder: &mut tempfile::Builder<'_, '_>) {
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    #[cfg(not(unix))]
    let _ = builder;
}

#[cfg(test)]
mod tests {
    use std::{
        sync::atomic::{AtomicBool, Ordering::Relaxed},
        thread,
    };

    use super::*;

    #[test]
    fn a_file_is_not_taken_for_abandoned_before_it_is_locked() {
        let dir = tempfile::tempdir().unwrap();
        let is_over = AtomicBool::new(false);
        thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    while !is_over.load(Relaxed) {
                        remove_abandoned(dir.path(), |_| true);
                    }
                });
            }
            let persisted = (0..3000).all(|_| {
                let made = create_locked(dir.path(), OsStr::new("a."), true).unwrap();
                made.persist(dir.path().join("whole")).is_ok()
            });
            is_over.store(true, Relaxed);
            assert!(persisted, "another has removed it");
        });
    }
}

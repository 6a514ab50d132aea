//! The directory of the database, and who may read what is in it.

use std::{fs, io, path::Path};

/// Makes the directory and an empty file in it, unless they are there, and closes both to others.
pub(super) fn prepare(directory: &Path, file: &str) -> io::Result<()> {
    make_directory(directory)?;
    make_file(&directory.join(file))?;
    close_to_others(directory, file)
}

/// Makes sure that only their user can read the directory, the database and the files beside it, whatever
/// was allowed before: whoever reads them can read everybody's games.
#[cfg(unix)]
pub(super) fn close_to_others(directory: &Path, file: &str) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    const STICKY: u32 = 0o1000;
    let allow = |path: &Path, wanted: u32| {
        let mode = match fs::metadata(path) {
            Ok(found) => found.permissions().mode(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(error),
        };
        // A directory such as /tmp is everybody's, and stays so: the files in it are closed.
        if mode & 0o777 == wanted || mode & STICKY != 0 {
            return Ok(());
        }
        fs::set_permissions(path, fs::Permissions::from_mode(wanted))
    };
    allow(directory, 0o700)?;
    ["", "-wal", "-shm"].iter().try_for_each(|end| allow(&directory.join(format!("{file}{end}")), 0o600))
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "elsewhere there is something that can fail")]
pub(super) fn close_to_others(_: &Path, _: &str) -> io::Result<()> {
    Ok(())
}

/// Makes a directory that only its user can read, and makes sure that a power cut does not unmake it.
#[cfg(unix)]
fn make_directory(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    if path.is_dir() {
        return Ok(());
    }
    fs::DirBuilder::new().recursive(true).mode(0o700).create(path)?;
    for part in path.canonicalize()?.ancestors() {
        // Above what was made here, others may not allow it; and there it changes nothing.
        let _ = fs::File::open(part).and_then(|part| part.sync_all());
    }
    Ok(())
}

#[cfg(not(unix))]
fn make_directory(path: &Path) -> io::Result<()> {
    fs::create_dir_all(path)
}

/// Makes an empty file that only its user can read, and makes sure that a power cut does not unmake it.
fn make_file(path: &Path) -> io::Result<()> {
    if path.exists() {
        return Ok(());
    }
    create_new(path)?.sync_all()?;
    if let Some(directory) = path.parent().filter(|_| cfg!(unix)) {
        fs::File::open(directory)?.sync_all()?;
    }
    Ok(())
}

/// Makes a file that only its user can read.
#[cfg(unix)]
pub(super) fn create_new(path: &Path) -> io::Result<fs::File> {
    use std::os::unix::fs::OpenOptionsExt;
    fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)
}

#[cfg(not(unix))]
pub(super) fn create_new(path: &Path) -> io::Result<fs::File> {
    fs::OpenOptions::new().write(true).create_new(true).open(path)
}

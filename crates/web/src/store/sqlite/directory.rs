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
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    let look = |path: &Path| match fs::metadata(path) {
        Ok(found) => Ok(Some(found)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    };
    let allow = |path: &Path, found: &fs::Metadata, wanted: u32| {
        if found.mode() & 0o777 == wanted {
            return Ok(());
        }
        fs::set_permissions(path, fs::Permissions::from_mode(wanted))
    };
    for end in ["", "-wal", "-shm"] {
        let path = directory.join(format!("{file}{end}"));
        if let Some(found) = look(&path)? {
            allow(&path, &found, 0o600)?;
        }
    }
    let (Some(found), Some(own)) = (look(directory)?, look(&directory.join(file))?) else { return Ok(()) };
    if is_everybodys(found.mode(), found.uid(), own.uid()) {
        return Ok(());
    }
    allow(directory, &found, 0o700)
}

/// Whether a directory is one such as /tmp, which everybody may use and which stays so: the files in it are closed. One of
/// the user's own is not, unless that is the system itself.
#[cfg(unix)]
fn is_everybodys(mode: u32, owner: u32, user: u32) -> bool {
    const STICKY_AND_WRITTEN_BY_ALL: u32 = 0o1002;
    const SYSTEM: u32 = 0;
    mode & STICKY_AND_WRITTEN_BY_ALL == STICKY_AND_WRITTEN_BY_ALL && (owner == SYSTEM || owner != user)
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
fn create_new(path: &Path) -> io::Result<fs::File> {
    use std::os::unix::fs::OpenOptionsExt;
    fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)
}

#[cfg(not(unix))]
fn create_new(path: &Path) -> io::Result<fs::File> {
    fs::OpenOptions::new().write(true).create_new(true).open(path)
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};

    use super::*;

    #[test]
    fn whatever_was_allowed_before_is_closed() {
        let parent = tempfile::tempdir().unwrap();
        let directory = parent.path().join("data");
        let file = directory.join("a");
        for (of_directory, of_file) in [(0o755, 0o644), (0o1755, 0o1666), (0o1770, 0o666), (0o2770, 0o4660)] {
            prepare(&directory, "a").unwrap();
            for (path, mode) in [(&directory, of_directory), (&file, of_file)] {
                fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
            }
            prepare(&directory, "a").unwrap();
            let mode = |path| fs::metadata(path).unwrap().mode() & 0o777;
            assert_eq!((mode(&directory), mode(&file)), (0o700, 0o600), "{of_directory:o} {of_file:o}");
        }
    }

    #[test]
    fn only_a_directory_that_all_share_stays_open() {
        let (system, user, other) = (0, 1000, 1001);
        for (mode, owner, whose, expected) in [
            (0o041_777, system, user, true),
            (0o041_777, system, system, true),
            (0o041_777, other, user, true),
            (0o041_777, user, user, false),
            (0o041_755, system, user, false),
            (0o040_777, system, system, false),
        ] {
            assert_eq!(is_everybodys(mode, owner, whose), expected, "{mode:o} {owner} {whose}");
        }
    }
}

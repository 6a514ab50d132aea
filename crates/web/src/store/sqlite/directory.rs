//! The directory of the database and its permissions.

use std::{
    fs::{DirBuilder, File, OpenOptions},
    io,
    path::Path,
};

/// Creates the directory and an empty file, unless they exist. Both are private; of a directory that exists, only the
/// database and the files beside it are made so.
pub(super) fn prepare(directory: &Path, file: &str) -> io::Result<()> {
    if !directory.is_dir() {
        make_directory(directory)?;
    }
    let path = directory.join(file);
    if !path.exists() {
        make_file(&path, directory)?;
    }
    make_private(directory, file)
}

/// Makes a name that was just given to a file survive a power cut.
pub(super) fn sync_parent(file: &Path) -> io::Result<()> {
    let parent = file.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if cfg!(unix) { File::open(parent)?.sync_all() } else { Ok(()) }
}

/// Makes the database and the files beside it readable by their user only, whatever was allowed before.
#[cfg(unix)]
fn make_private(directory: &Path, file: &str) -> io::Result<()> {
    use std::{fs, os::unix::fs::PermissionsExt};
    for end in ["", "-wal", "-shm"] {
        let private = fs::Permissions::from_mode(0o600);
        match fs::set_permissions(directory.join(format!("{file}{end}")), private) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => (),
        }
    }
    Ok(())
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "elsewhere there is something that can fail")]
fn make_private(_: &Path, _: &str) -> io::Result<()> {
    Ok(())
}

fn make_directory(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(path)?;
    for part in path.canonicalize()?.ancestors() {
        // Fails without permission for directories above, where it is not needed.
        let _ = File::open(part).and_then(|part| part.sync_all());
    }
    Ok(())
}

fn make_file(path: &Path, directory: &Path) -> io::Result<()> {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.write(true).create_new(true).open(path)?.sync_all()?;
    if cfg!(unix) { File::open(directory)?.sync_all() } else { Ok(()) }
}

//! Files that are written whole or not at all.

use std::{io, path::Path};

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

/// The same, which only this user may read.
pub fn new_private_file_beside(path: &Path) -> io::Result<NamedTempFile> {
    make(tempfile::Builder::new().prefix(PREFIX), folder_of(path))
}

const PREFIX: &str = ".tmp";

/// The folder in which a file is, or will be.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn make(builder: &mut tempfile::Builder<'_, '_>, dir: &Path) -> io::Result<NamedTempFile> {
    // The name of a file that could not be made is nobody's business.
    builder.rand_bytes(12).tempfile_in(dir).map_err(|error| error.kind().into())
}

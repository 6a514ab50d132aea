//! Files that are written whole or not at all.

use std::{io, path::Path};

use tempfile::NamedTempFile;

/// A new file in a folder, under a name of its own between a prefix and a suffix: to be written and then persisted under
/// the name that it is for. Until then it is removed when it is dropped. Whoever may read other files of this user may
/// read it.
pub fn new_file(dir: &Path, prefix: &str, suffix: &str) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(prefix).suffix(suffix).rand_bytes(12);
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    // The name of a file that could not be made is nobody's business.
    builder.tempfile_in(dir).map_err(|error| error.kind().into())
}

//! Files that are written whole or not at all.

use std::{
    fs::{self, File},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use pintu_engine::new_file_beside;

use crate::interrupt::Breakable;

/// Writes a file, whole or not at all, also when Ctrl-C comes or the disk is full; into a pipe or a device as it is.
pub(crate) fn write_whole(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    match Place::of(path) {
        Place::Regular(path) => {
            let mut out = BufWriter::new(Breakable::new(new_file_beside(&path)?));
            write(&mut out)?;
            let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
            file.into_inner().persist(path).map(|_| ()).map_err(|error| error.error)
        }
        Place::Special(path) => {
            let mut out = BufWriter::new(Breakable::new(File::options().write(true).open(path)?));
            write(&mut out)?;
            out.flush()
        }
    }
}

/// What a name stands for, links followed.
pub(crate) enum Place {
    /// A file, there already or not, that is replaced whole.
    Regular(PathBuf),
    /// Something that is written to, not replaced.
    Special(PathBuf),
}

impl Place {
    pub(crate) fn of(path: &Path) -> Self {
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        match fs::metadata(&path) {
            Ok(found) if !found.is_file() => Self::Special(path),
            _ => Self::Regular(path),
        }
    }
}

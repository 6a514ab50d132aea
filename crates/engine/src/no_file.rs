//! Stand-ins for new files and memory maps in a browser, which has neither.

use std::{
    ffi::OsStr,
    fs::File,
    io,
    ops::Deref,
    path::{Path, PathBuf},
};

pub(crate) enum NoFile {}

pub(crate) struct PersistError {
    pub(crate) error: io::Error,
}

impl NoFile {
    pub(crate) fn as_file(&self) -> &File {
        match *self {}
    }

    pub(crate) fn persist(self, _: PathBuf) -> Result<File, PersistError> {
        match self {}
    }

    /// The stand-in for a memory map.
    pub(crate) fn map(_: &File) -> io::Result<Self> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

impl Deref for NoFile {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match *self {}
    }
}

pub(crate) fn create_locked(_: &Path, _: &OsStr, _: bool) -> io::Result<NoFile> {
    Err(io::ErrorKind::Unsupported.into())
}

pub(crate) fn remove_abandoned(_: &Path, _: impl Fn(&OsStr) -> bool) -> usize {
    0
}

//! The engine for browsers: its module and the weights of its networks, in a folder whose name has a hash of them.

use std::{
    fmt, fs, io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use axum::body::Bytes;

use crate::assets::{self, File};

/// An engine that was not read.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    #[error("{}: {why}", path.display())]
    Io { path: PathBuf, why: io::Error },
    #[error("{}: found no WebAssembly module, expected the engine", .0.display())]
    NoModule(PathBuf),
}

/// The engine for browsers. Clones share everything.
#[derive(Clone)]
pub struct Engine(Arc<Shared>);

struct Shared {
    folder: String,
    files: Vec<(String, Arc<File>)>,
    /// The page's document that names the folder, and the hash of the one that does not.
    document: Mutex<Option<(String, Arc<File>)>>,
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Engine").field(&self.0.folder).finish()
    }
}

impl Engine {
    /// The engine in a file, as `cargo xtask engine` builds it.
    pub fn read(path: &Path) -> Result<Self, EngineError> {
        let bytes = fs::read(path).map_err(|why| EngineError::Io { path: path.to_owned(), why })?;
        if bytes.starts_with(b"\0asm") {
            Ok(Self::of(bytes.into()))
        } else {
            Err(EngineError::NoModule(path.to_owned()))
        }
    }

    /// The engine that this program was built with, if it was.
    pub fn built_in() -> Option<Self> {
        assets::engine().map(Self::of)
    }

    pub(crate) fn of(module: Bytes) -> Self {
        let weights = [6, 7].into_iter().filter_map(|side| {
            pintu_engine::network_weights(side).map(|bytes| (format!("{side}.bin"), Bytes::from_static(bytes)))
        });
        let files: Vec<(String, Bytes)> = [("engine.wasm".to_owned(), module)].into_iter().chain(weights).collect();
        let folder = format!("engine-{}", assets::hash(&files));
        let files = files.into_iter().map(|(name, bytes)| (format!("{folder}/{name}"), File::new(bytes))).collect();
        Self(Arc::new(Shared { folder, files, document: Mutex::default() }))
    }

    pub(crate) fn folder(&self) -> &str {
        &self.0.folder
    }

    /// All files by their paths.
    pub(crate) fn files(&self) -> impl Iterator<Item = (&str, &Arc<File>)> {
        self.0.files.iter().map(|(path, file)| (path.as_str(), file))
    }

    pub(crate) fn file(&self, path: &str) -> Option<Arc<File>> {
        self.files().find_map(|(name, file)| (name == path).then(|| Arc::clone(file)))
    }

    /// The page's document, which says where the engine is.
    pub(crate) fn document(&self, plain: &File) -> Arc<File> {
        let mut known = self.0.document.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, document)) = known.as_ref().filter(|(hash, _)| *hash == plain.hash) {
            return Arc::clone(document);
        }
        let root = format!("<html data-engine=\"/{}/\"", self.folder());
        let made = File::new(String::from_utf8_lossy(&plain.data).replacen("<html", &root, 1));
        *known = Some((plain.hash.clone(), Arc::clone(&made)));
        made
    }
}

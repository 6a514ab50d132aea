//! Maps that were asked about before, read and prepared: who drags a goal about sends the map once.

use std::{
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use axum::http::StatusCode;
use pintu_engine::path::{Ground, Reading};
use sha2::{Digest, Sha256};

use crate::{ask::Question, error::ApiError, id::hex};

/// A map as a request brings it.
#[derive(Debug)]
pub(crate) enum MapText {
    /// The text of the file.
    Whole(Arc<str>),
    /// What an earlier answer called it.
    Known(String),
}

/// The text of a map that is there, and what it is called if somebody knows.
#[derive(Debug)]
pub(crate) struct Found {
    id: Option<String>,
    text: Arc<str>,
}

/// The maps that are kept: so many, of so many bytes together; the one longest unused makes room.
pub(crate) struct Maps {
    most: usize,
    most_bytes: u64,
    /// The latest used is last.
    kept: Mutex<Vec<Kept>>,
}

/// One text, and the ways in which it was read.
struct Kept {
    id: String,
    text: Arc<str>,
    grounds: Vec<Arc<Prepared>>,
}

/// A map that is ready to be searched.
pub(crate) struct Prepared {
    reading: Reading,
    /// What the text is called from now on.
    pub(crate) id: String,
    pub(crate) ground: Ground,
    bytes: u64,
}

/// Ways to read one text that are kept at once: corner rules and costs that somebody tries out.
const MOST_READINGS: usize = 4;

impl Maps {
    pub(crate) fn new(most: usize, most_bytes: u64) -> Self {
        Self { most, most_bytes, kept: Mutex::default() }
    }

    /// The text of a map; an error where it is called by a name that is not known, or not any more.
    pub(crate) fn text(&self, text: MapText) -> Result<Found, ApiError> {
        match text {
            MapText::Whole(text) => Ok(Found { id: None, text }),
            MapText::Known(id) => {
                let known = self.lock().iter().find(|kept| kept.id == id).map(|kept| Arc::clone(&kept.text));
                let unknown =
                    || ApiError::new(StatusCode::NOT_FOUND, "unknown-map", "this map is not kept any more: send it");
                known.map(|text| Found { id: Some(id), text }).ok_or_else(unknown)
            }
        }
    }

    /// The map, as it was read before or is read now. (What a text is called takes a while to find out, as does reading it:
    /// both are for a worker to do.)
    pub(crate) fn prepare(
        &self,
        Found { id, text }: Found,
        question: &Question,
        most_cells: u64,
    ) -> Result<Arc<Prepared>, ApiError> {
        let id = id.unwrap_or_else(|| name(&text));
        if let Some(known) = self.find(&id, &question.reading) {
            return Ok(known);
        }
        let ground = question.read(&text, most_cells)?;
        let bytes = ground.bytes() + text.len() as u64;
        let reading = question.reading.clone();
        let prepared = Arc::new(Prepared { reading, id, ground, bytes });
        self.keep(&text, &prepared);
        Ok(prepared)
    }

    fn find(&self, id: &str, reading: &Reading) -> Option<Arc<Prepared>> {
        let mut kept = self.lock();
        let at = kept.iter().position(|kept| kept.id == id)?;
        let found = kept[at].grounds.iter().find(|known| known.reading == *reading).cloned();
        kept[at..].rotate_left(1);
        found
    }

    fn keep(&self, text: &Arc<str>, prepared: &Arc<Prepared>) {
        let mut kept = self.lock();
        let known = kept.iter().position(|kept| kept.id == prepared.id).map(|at| kept.remove(at));
        let mut entry =
            known.unwrap_or_else(|| Kept { id: prepared.id.clone(), text: Arc::clone(text), grounds: Vec::new() });
        entry.grounds.retain(|known| known.reading != prepared.reading);
        entry.grounds.push(Arc::clone(prepared));
        if entry.grounds.len() > MOST_READINGS {
            entry.grounds.remove(0);
        }
        kept.push(entry);
        let bytes = |kept: &[Kept]| kept.iter().flat_map(|kept| &kept.grounds).map(|one| one.bytes).sum::<u64>();
        while kept.len() > self.most || bytes(&kept) > self.most_bytes {
            kept.remove(0);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Kept>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a text is called: a hash, which nobody can guess who does not have the text.
fn name(text: &str) -> String {
    hex(&Sha256::digest(text.as_bytes())[..16])
}

impl fmt::Debug for Maps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Maps({})", self.lock().len())
    }
}

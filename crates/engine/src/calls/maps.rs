//! An LRU cache of prepared maps: a client that drags a goal about sends the map once.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::{CallError, MapRequest, UNKNOWN_MAP};
use crate::path::{MapOrGraph, Reading};

/// The map of a request.
#[derive(Debug)]
pub enum MapText {
    Whole(Arc<str>),
    /// The id from an earlier response.
    Known(String),
}

/// The cache, bounded in maps and bytes.
pub struct Maps {
    max: usize,
    max_bytes: u64,
    /// The id of a text.
    id_of: fn(&str) -> String,
    /// The most recently used is last.
    cached: Mutex<Vec<Arc<PreparedMap>>>,
}

/// A map that is ready to be searched. One text has several of them, if it is read with different corner rules and costs.
pub struct PreparedMap {
    pub id: String,
    text: Arc<str>,
    reading: Reading,
    pub content: MapOrGraph,
    bytes: u64,
}

impl Maps {
    /// A cache of at most `max` maps and `max_bytes` bytes. A client that knows the id of a text can use its map.
    pub fn new(max: usize, max_bytes: u64, id_of: fn(&str) -> String) -> Self {
        Self { max, max_bytes, id_of, cached: Mutex::default() }
    }

    /// The map, from the cache or read now; an [`UNKNOWN_MAP`] error if its id is not in the cache. Hashing and reading a text
    /// take a while, so only workers call this.
    pub fn prepare(&self, text: MapText, request: &MapRequest, max_cells: u64) -> Result<Arc<PreparedMap>, CallError> {
        let (id, text) = match text {
            MapText::Whole(text) => ((self.id_of)(&text), text),
            MapText::Known(id) => {
                let known = self.lock().iter().find(|map| map.id == id).map(|map| Arc::clone(&map.text));
                let unknown = || CallError::new(UNKNOWN_MAP, "this map is not kept any more: send it");
                (id, known.ok_or_else(unknown)?)
            }
        };
        if let Some(known) = self.find(&id, &request.reading) {
            return Ok(known);
        }
        let content = request.read(&text, max_cells)?;
        let bytes = content.bytes() + text.len() as u64;
        let map = Arc::new(PreparedMap { id, text, reading: request.reading.clone(), content, bytes });
        self.insert(Arc::clone(&map));
        Ok(map)
    }

    fn find(&self, id: &str, reading: &Reading) -> Option<Arc<PreparedMap>> {
        let mut cached = self.lock();
        let at = cached.iter().position(|map| map.id == id && map.reading == *reading)?;
        cached[at..].rotate_left(1);
        cached.last().cloned()
    }

    fn insert(&self, map: Arc<PreparedMap>) {
        let mut cached = self.lock();
        cached.retain(|known| known.id != map.id || known.reading != map.reading);
        cached.push(map);
        let bytes = |cached: &[Arc<PreparedMap>]| cached.iter().map(|map| map.bytes).sum::<u64>();
        while cached.len() > self.max || bytes(&cached) > self.max_bytes {
            cached.remove(0);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Arc<PreparedMap>>> {
        self.cached.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

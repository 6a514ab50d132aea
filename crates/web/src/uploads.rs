//! How much of bodies that are on their way is in memory: of all clients, and of one address.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex, PoisonError},
};

use crate::error::ApiError;

/// The bytes that have arrived of bodies that are not dealt with yet.
#[derive(Clone, Debug)]
pub(crate) struct Uploads(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    most: usize,
    most_of_address: usize,
    held: Mutex<HashMap<IpAddr, usize>>,
}

impl Uploads {
    pub(crate) fn new(most: usize, most_of_address: usize) -> Self {
        Self(Arc::new(Shared { most, most_of_address, held: Mutex::default() }))
    }

    /// Counts for a body from an address, of which nothing has arrived.
    pub(crate) fn begin(&self, address: IpAddr) -> Arriving {
        Arriving { shared: Arc::clone(&self.0), address, bytes: 0 }
    }
}

/// One body, whose bytes count until this is dropped.
#[derive(Debug)]
pub(crate) struct Arriving {
    shared: Arc<Shared>,
    address: IpAddr,
    bytes: usize,
}

impl Arriving {
    /// Counts more bytes, unless there is no room for them.
    pub(crate) fn add(&mut self, bytes: usize) -> Result<(), ApiError> {
        let mut held = self.shared.held.lock().unwrap_or_else(PoisonError::into_inner);
        let all: usize = held.values().sum();
        let of_address = held.entry(self.address).or_default();
        if all + bytes > self.shared.most || *of_address + bytes > self.shared.most_of_address {
            return Err(ApiError::busy("too many pictures arrive at once", 5));
        }
        *of_address += bytes;
        self.bytes += bytes;
        Ok(())
    }
}

impl Drop for Arriving {
    fn drop(&mut self) {
        let mut held = self.shared.held.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(of_address) = held.get_mut(&self.address) {
            *of_address -= self.bytes;
            if *of_address == 0 {
                held.remove(&self.address);
            }
        }
    }
}

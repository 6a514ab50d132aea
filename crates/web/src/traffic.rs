//! How much that is on its way, here or from here, is in memory: of all clients, and of one address.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex, PoisonError},
};

use crate::error::ApiError;

/// What is on its way one way.
#[derive(Clone, Debug)]
pub(crate) struct Traffic(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    most: usize,
    most_of_address: usize,
    /// What is said where there is no room.
    refusal: &'static str,
    held: Mutex<HashMap<IpAddr, usize>>,
}

impl Traffic {
    pub(crate) fn new(refusal: &'static str, most: usize, most_of_address: usize) -> Self {
        Self(Arc::new(Shared { most, most_of_address, refusal, held: Mutex::default() }))
    }

    /// Something from or to an address, of which nothing has come yet.
    pub(crate) fn begin(&self, address: IpAddr) -> Load {
        Load { shared: Arc::clone(&self.0), address, amount: 0 }
    }
}

/// One thing on its way, which counts until this is dropped.
#[derive(Debug)]
pub(crate) struct Load {
    shared: Arc<Shared>,
    address: IpAddr,
    amount: usize,
}

impl Load {
    /// Counts more of it, unless there is no room for that.
    pub(crate) fn add(&mut self, amount: usize) -> Result<(), ApiError> {
        let mut held = self.shared.held.lock().unwrap_or_else(PoisonError::into_inner);
        let all: usize = held.values().sum();
        let of_address = held.entry(self.address).or_default();
        if all + amount > self.shared.most || *of_address + amount > self.shared.most_of_address {
            return Err(ApiError::busy(self.shared.refusal, 5));
        }
        *of_address += amount;
        self.amount += amount;
        Ok(())
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        let mut held = self.shared.held.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(of_address) = held.get_mut(&self.address) {
            *of_address -= self.amount;
            if *of_address == 0 {
                held.remove(&self.address);
            }
        }
    }
}

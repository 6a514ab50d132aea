//! Budgets of the bytes that clients have in flight: in total, and per address.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use crate::{client::network_of, error::ApiError};

/// A budget, with what is reserved of it. Clones share it.
#[derive(Clone, Debug)]
pub(crate) struct Budget(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    max: usize,
    max_per_address: usize,
    /// The same of all addresses of a network.
    max_per_network: usize,
    /// The message of the error where a limit is met.
    refusal: &'static str,
    reserved: Mutex<HashMap<IpAddr, usize>>,
}

impl Budget {
    pub(crate) fn new(refusal: &'static str, max: usize, max_per_address: usize, network_share: usize) -> Self {
        let max_per_network = max_per_address.saturating_mul(network_share);
        Self(Arc::new(Shared { max, max_per_address, max_per_network, refusal, reserved: Mutex::default() }))
    }

    /// A reservation for an address, of nothing yet.
    pub(crate) fn begin(&self, address: IpAddr) -> Reservation {
        Reservation { budget: self.clone(), address, amount: 0 }
    }

    #[cfg(test)]
    pub(crate) fn total(&self) -> usize {
        self.reserved().values().sum()
    }

    fn reserved(&self) -> MutexGuard<'_, HashMap<IpAddr, usize>> {
        self.0.reserved.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One client's reservation, until this is dropped.
#[derive(Debug)]
pub(crate) struct Reservation {
    budget: Budget,
    address: IpAddr,
    amount: usize,
}

impl Reservation {
    /// Reserves more; 503 if a limit is met. No reservation is cancelled for another.
    pub(crate) fn add(&mut self, amount: usize) -> Result<(), ApiError> {
        let Shared { max, max_per_address, max_per_network, refusal, .. } = *self.budget.0;
        let mut reserved = self.budget.reserved();
        let total: usize = reserved.values().sum();
        let of_network: usize = reserved
            .iter()
            .filter(|&(&other, _)| network_of(other) == network_of(self.address))
            .map(|(_, amount)| amount)
            .sum();
        if of_network + amount > max_per_network {
            return Err(ApiError::busy(refusal, 5));
        }
        let own = reserved.entry(self.address).or_default();
        if *own + amount > max_per_address || total + amount > max {
            return Err(ApiError::busy(refusal, 5));
        }
        *own += amount;
        self.amount += amount;
        Ok(())
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        let mut reserved = self.budget.reserved();
        if let Some(own) = reserved.get_mut(&self.address) {
            *own -= self.amount;
        }
        reserved.retain(|_, amount| *amount > 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_its_share_and_all_together_the_total() {
        let budget = Budget::new("full", 50, 30, 1);
        let of = |last: u8| budget.begin(IpAddr::from([10, 0, 0, last]));
        let (mut first, mut second, mut other) = (of(1), of(1), of(2));
        first.add(20).unwrap();
        second.add(10).unwrap();
        second.add(1).unwrap_err();
        other.add(20).unwrap();
        of(3).add(1).unwrap_err();
        drop(first);
        assert_eq!(budget.total(), 30);
        second.add(20).unwrap();
        drop((second, other));
        assert_eq!((budget.total(), budget.reserved().len()), (0, 0), "nothing is left behind");
    }

    #[test]
    fn the_addresses_of_a_network_have_a_share_together() {
        let budget = Budget::new("full", 1000, 30, 2);
        let of = |subnet: u16| budget.begin(format!("2001:db8:1:{subnet}::").parse().unwrap());
        let mut addresses = [of(1), of(2), of(3)];
        addresses[0].add(30).unwrap();
        addresses[1].add(29).unwrap();
        addresses[2].add(1).unwrap();
        addresses[2].add(1).unwrap_err();
        budget.begin("2001:db8:2::".parse().unwrap()).add(30).unwrap();
    }
}

//! Token buckets, one per address; the buckets of a /48 of IPv6 are limited together, too.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use crate::{client::site_of, error::ApiError};

/// A rate limit per address.
#[derive(Debug)]
pub(crate) struct RateLimit {
    capacity: f64,
    tokens_per_second: f64,
    /// How many times the capacity all addresses of a site have together.
    site_share: f64,
    /// Tokens that an address had spent at a time.
    spent: Mutex<HashMap<IpAddr, (f64, Instant)>>,
}

/// Addresses remembered before full buckets are dropped.
const MAX_ADDRESSES: usize = 4096;

impl RateLimit {
    /// Buckets of a capacity, which an empty one regains in `period`.
    pub(crate) fn new(capacity: f64, period: Duration, site_share: usize) -> Self {
        let tokens_per_second = capacity / period.as_secs_f64();
        Self { capacity, tokens_per_second, site_share: site_share as f64, spent: Mutex::default() }
    }

    /// Takes tokens out of an address's bucket; 429 if too few are left. A full bucket serves any amount.
    pub(crate) fn take(&self, address: IpAddr, amount: f64) -> Result<(), ApiError> {
        let mut spent = self.spent.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        if spent.len() >= MAX_ADDRESSES {
            spent.retain(|_, &mut entry| self.missing(entry, now) > 0.0);
        }
        if spent.len() >= MAX_ADDRESSES {
            // 4,096 addresses over budget are one attacker with an IPv6 block: drop all state rather than grow.
            spent.clear();
        }
        let before = spent.get(&address).map_or(0.0, |&entry| self.missing(entry, now));
        let of_site = spent.iter().filter(|&(&other, _)| site_of(other) == site_of(address));
        let site_before: f64 = of_site.map(|(_, &entry)| self.missing(entry, now)).sum();
        for (before, capacity) in [(before, self.capacity), (site_before, self.capacity * self.site_share)] {
            if before > 0.0 && before + amount > capacity {
                let seconds = ((before + amount - capacity) / self.tokens_per_second).ceil();
                return Err(ApiError::rate(seconds.clamp(1.0, 86_400.0) as u32));
            }
        }
        spent.insert(address, (before + amount, now));
        Ok(())
    }

    pub(crate) fn give_back(&self, address: IpAddr, amount: f64) {
        let mut spent = self.spent.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((spent, _)) = spent.get_mut(&address) {
            *spent = (*spent - amount).max(0.0);
        }
    }

    /// Tokens that a bucket lacks now.
    fn missing(&self, (spent, at): (f64, Instant), now: Instant) -> f64 {
        (spent - now.saturating_duration_since(at).as_secs_f64() * self.tokens_per_second).max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_with_an_empty_bucket_waits_and_others_do_not() {
        let limit = RateLimit::new(3.0, Duration::from_millis(300), 1);
        let (one, other) = ("10.0.0.1".parse().unwrap(), "10.0.0.2".parse().unwrap());
        for _ in 0..3 {
            limit.take(one, 1.0).unwrap();
        }
        assert!(limit.take(one, 1.0).is_err());
        limit.take(other, 1.0).unwrap();
        std::thread::sleep(Duration::from_millis(150));
        limit.take(one, 1.0).unwrap();
    }

    #[test]
    fn a_site_has_a_share_however_many_addresses_it_has() {
        let limit = RateLimit::new(3.0, Duration::from_hours(1), 2);
        let take = |site: u16, net: u16| limit.take(IpAddr::from([0x2001, 0xdb8, site, net, 0, 0, 0, 0]), 1.0).is_ok();
        let taken = |site| (0..100).filter(|&net| take(site, net)).count();
        assert_eq!((taken(1), taken(2), taken(1)), (6, 6, 0));
        assert_eq!((0..100).filter(|_| take(3, 0)).count(), 3, "one address has its own limit");
    }
}

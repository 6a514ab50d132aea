//! Token buckets, one per address.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use crate::error::ApiError;

/// A rate limit per address.
#[derive(Debug)]
pub(crate) struct RateLimit {
    capacity: f64,
    tokens_per_second: f64,
    /// Tokens that an address had spent at a time.
    spent: Mutex<HashMap<IpAddr, (f64, Instant)>>,
}

/// Addresses remembered before full buckets are dropped.
const MAX_ADDRESSES: usize = 4096;

impl RateLimit {
    /// Buckets of a capacity, which an empty one regains in `period`.
    pub(crate) fn new(capacity: f64, period: Duration) -> Self {
        Self { capacity, tokens_per_second: capacity / period.as_secs_f64(), spent: Mutex::default() }
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
        let entry = spent.entry(address).or_insert((0.0, now));
        let before = self.missing(*entry, now);
        if before > 0.0 && before + amount > self.capacity {
            let seconds = ((before + amount - self.capacity) / self.tokens_per_second).ceil();
            return Err(ApiError::rate(seconds.clamp(1.0, 86_400.0) as u32));
        }
        *entry = (before + amount, now);
        Ok(())
    }

    /// Puts tokens back.
    pub(crate) fn give_back(&self, address: IpAddr, amount: f64) {
        let mut spent = self.spent.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((spent, _)) = spent.get_mut(&address) {
            *spent -= amount;
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
        let limit = RateLimit::new(3.0, Duration::from_millis(300));
        let (one, other) = ("10.0.0.1".parse().unwrap(), "10.0.0.2".parse().unwrap());
        for _ in 0..3 {
            limit.take(one, 1.0).unwrap();
        }
        assert!(limit.take(one, 1.0).is_err());
        limit.take(other, 1.0).unwrap();
        std::thread::sleep(Duration::from_millis(150));
        limit.take(one, 1.0).unwrap();
    }
}

//! How much of something an address may have in a time.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use crate::error::ApiError;

/// Buckets, one an address, that fill again at a steady pace.
#[derive(Debug)]
pub(crate) struct Rate {
    most: f64,
    a_second: f64,
    spent: Mutex<HashMap<IpAddr, (f64, Instant)>>,
}

/// Addresses remembered before those that have paid everything back are forgotten.
const MOST_ADDRESSES: usize = 4096;

impl Rate {
    /// So much at once, and as much again in a time.
    pub(crate) fn new(most: f64, again_in: Duration) -> Self {
        Self { most, a_second: most / again_in.as_secs_f64(), spent: Mutex::default() }
    }

    /// Takes something out of an address's bucket, unless that is empty.
    pub(crate) fn take(&self, address: IpAddr, amount: f64) -> Result<(), ApiError> {
        let mut spent = self.spent.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        if spent.len() >= MOST_ADDRESSES {
            spent.retain(|_, &mut entry| self.left_over(entry, now) > 0.0);
        }
        if spent.len() >= MOST_ADDRESSES {
            // So many at once are one who has many: memory is worth more than what each may still add.
            spent.clear();
        }
        let entry = spent.entry(address).or_insert((0.0, now));
        let before = self.left_over(*entry, now);
        if before > 0.0 && before + amount > self.most {
            let seconds = ((before + amount - self.most) / self.a_second).ceil();
            return Err(ApiError::rate(seconds.clamp(1.0, 86_400.0) as u32));
        }
        *entry = (before + amount, now);
        Ok(())
    }

    /// Puts something back.
    pub(crate) fn give_back(&self, address: IpAddr, amount: f64) {
        let mut spent = self.spent.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((spent, _)) = spent.get_mut(&address) {
            *spent -= amount;
        }
    }

    /// What is not paid back of what was spent.
    fn left_over(&self, (spent, at): (f64, Instant), now: Instant) -> f64 {
        (spent - now.saturating_duration_since(at).as_secs_f64() * self.a_second).max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_waits_when_its_bucket_is_empty_and_others_do_not() {
        let rate = Rate::new(3.0, Duration::from_millis(300));
        let (one, other) = ("10.0.0.1".parse().unwrap(), "10.0.0.2".parse().unwrap());
        for _ in 0..3 {
            rate.take(one, 1.0).unwrap();
        }
        assert!(rate.take(one, 1.0).is_err());
        rate.take(other, 1.0).unwrap();
        std::thread::sleep(Duration::from_millis(150));
        rate.take(one, 1.0).unwrap();
    }
}

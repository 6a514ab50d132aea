//! The ledger of what clients may do in a time (token buckets): each player by itself where one is known, otherwise all
//! browsers of an address together. Addresses have a larger limit for all their players, and a /48 of IPv6 one for all its
//! addresses: one client who spends too much holds up neither the other players of its address nor other addresses.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use crate::{client::site_of, error::ApiError};

/// Who pays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Payer {
    pub(crate) address: IpAddr,
    /// The id of the player, if the store knows it.
    pub(crate) player: Option<String>,
}

/// The capacities of buckets.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Of a player, and of all unknown ones of an address.
    pub(crate) own: f64,
    pub(crate) address: f64,
    pub(crate) site: f64,
    pub(crate) total: f64,
}

/// One kind of budget.
#[derive(Debug)]
pub(crate) struct Ledger {
    limits: Limits,
    /// In which an empty bucket becomes full.
    period: Duration,
    /// Tokens that an account had spent at a time.
    spent: Mutex<HashMap<Account, (f64, Instant)>>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Account {
    Player(String),
    Unknown(IpAddr),
    Address(IpAddr),
    Site(IpAddr),
    All,
}

/// Accounts remembered before full buckets are dropped.
const MAX_ACCOUNTS: usize = 1 << 16;

impl Ledger {
    pub(crate) fn new(limits: Limits, period: Duration) -> Self {
        Self { limits, period, spent: Mutex::default() }
    }

    /// Takes tokens out of all buckets of a payer, or out of none; 429 if one has too few. A full bucket serves any amount.
    /// Where room is plenty, only the payer's own bucket counts.
    pub(crate) fn take(&self, payer: &Payer, amount: f64, is_plenty: bool) -> Result<(), ApiError> {
        let (mut spent, now) = (self.lock(), Instant::now());
        if spent.len() >= MAX_ACCOUNTS {
            spent.retain(|account, &mut entry| self.missing(account, entry, now) > 0.0);
        }
        if spent.len() >= MAX_ACCOUNTS {
            // So many accounts in use are one attacker with many addresses: drop all but the larger ones rather than grow.
            spent.retain(|account, _| matches!(account, Account::Site(_) | Account::All));
        }
        if spent.len() >= MAX_ACCOUNTS {
            spent.retain(|account, _| *account == Account::All);
        }
        let accounts = Self::accounts(payer);
        let before = accounts
            .each_ref()
            .map(|account| spent.get(account).map_or(0.0, |&entry| self.missing(account, entry, now)));
        let counted = if is_plenty { 1 } else { accounts.len() };
        for (account, before) in accounts.iter().zip(before).take(counted) {
            let capacity = self.capacity(account);
            if before > 0.0 && before + amount > capacity {
                let seconds = (before + amount - capacity) / capacity * self.period.as_secs_f64();
                return Err(ApiError::rate(seconds.ceil().clamp(1.0, 86_400.0) as u32));
            }
        }
        for (at, (account, before)) in accounts.into_iter().zip(before).enumerate() {
            // A bucket that did not count is empty at most: nobody has to wait for what was allowed.
            let most = if at < counted { f64::INFINITY } else { self.capacity(&account).max(before) };
            spent.insert(account, ((before + amount).min(most), now));
        }
        Ok(())
    }

    pub(crate) fn give_back(&self, payer: &Payer, amount: f64) {
        let mut spent = self.lock();
        for account in Self::accounts(payer) {
            if let Some((spent, _)) = spent.get_mut(&account) {
                *spent = (*spent - amount).max(0.0);
            }
        }
    }

    /// The payer's own account is the first.
    fn accounts(payer: &Payer) -> [Account; 4] {
        let address = payer.address;
        let own = payer.player.clone().map_or(Account::Unknown(address), Account::Player);
        [own, Account::Address(address), Account::Site(site_of(address)), Account::All]
    }

    fn capacity(&self, account: &Account) -> f64 {
        match account {
            Account::Player(_) | Account::Unknown(_) => self.limits.own,
            Account::Address(_) => self.limits.address,
            Account::Site(_) => self.limits.site,
            Account::All => self.limits.total,
        }
    }

    /// Tokens that a bucket lacks now.
    fn missing(&self, account: &Account, (spent, at): (f64, Instant), now: Instant) -> f64 {
        let regained = now.saturating_duration_since(at).as_secs_f64() / self.period.as_secs_f64();
        (spent - regained * self.capacity(account)).max(0.0)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Account, (f64, Instant)>> {
        self.spent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: Duration = Duration::from_hours(1);

    fn ledger(own: f64, address: f64, site: f64, total: f64) -> Ledger {
        Ledger::new(Limits { own, address, site, total }, HOUR)
    }

    fn payer(address: &str, player: Option<u32>) -> Payer {
        Payer { address: address.parse().unwrap(), player: player.map(|player| player.to_string()) }
    }

    /// How many of a hundred payments are accepted.
    fn taken(ledger: &Ledger, payer: &Payer) -> usize {
        (0..100).filter(|_| ledger.take(payer, 1.0, false).is_ok()).count()
    }

    #[test]
    fn an_empty_bucket_fills_up_again_and_others_are_full() {
        let ledger = Ledger::new(Limits { own: 3.0, address: 9.0, site: 9.0, total: 99.0 }, Duration::from_millis(300));
        let (one, other) = (payer("10.0.0.1", None), payer("10.0.0.2", None));
        assert_eq!(taken(&ledger, &one), 3);
        assert_eq!(taken(&ledger, &other), 3);
        std::thread::sleep(Duration::from_millis(150));
        ledger.take(&one, 1.0, false).unwrap();
    }

    #[test]
    fn a_player_who_spends_too_much_holds_up_nobody_else_of_the_address() {
        let ledger = ledger(10.0, 1000.0, 1000.0, 1e9);
        assert_eq!(taken(&ledger, &payer("10.0.0.1", Some(1))), 10);
        assert_eq!(taken(&ledger, &payer("10.0.0.1", None)), 10, "nor do browsers that are not known");
        for player in 2..80 {
            assert_eq!(taken(&ledger, &payer("10.0.0.1", Some(player))), 10);
        }
    }

    #[test]
    fn players_do_not_multiply_what_an_address_a_site_and_all_have() {
        let ledger = ledger(3.0, 7.0, 20.0, 50.0);
        let of_address: usize = (0..9).map(|player| taken(&ledger, &payer("2001:db8:1::", Some(player)))).sum();
        assert_eq!(of_address, 7);
        let of_site: usize = (0..9).map(|net| taken(&ledger, &payer(&format!("2001:db8:2:{net}::"), None))).sum();
        assert_eq!(of_site, 20);
        let of_rest: usize = (0..99).map(|host| taken(&ledger, &payer(&format!("10.0.0.{host}"), None))).sum();
        assert_eq!(of_address + of_site + of_rest, 50);
    }

    #[test]
    fn where_room_is_plenty_only_the_own_bucket_counts() {
        let ledger = ledger(3.0, 4.0, 4.0, 4.0);
        for player in 0..9 {
            let payer = payer("10.0.0.1", Some(player));
            assert_eq!((0..100).filter(|_| ledger.take(&payer, 1.0, true).is_ok()).count(), 3);
        }
        let later = payer("10.0.0.1", Some(99));
        assert_eq!(taken(&ledger, &later), 0, "what was taken counts later");
        let account = Account::Address(later.address);
        assert!(ledger.lock()[&account].0 <= 4.0, "but nobody waits for more than a bucket");
    }

    #[test]
    fn what_is_given_back_can_be_taken_again() {
        let ledger = ledger(2.0, 2.0, 2.0, 2.0);
        let one = payer("10.0.0.1", Some(1));
        assert_eq!(taken(&ledger, &one), 2);
        ledger.give_back(&one, 1.0);
        assert_eq!(taken(&ledger, &one), 1);
    }
}

//! The ledger of what clients may do in a time (token buckets): each player by itself where one is known, otherwise all
//! browsers of an address together. Addresses have a larger limit for all that count there, and a /48 of IPv6 (a network) one
//! for all its addresses: one client who spends too much holds up neither known players of its address nor other addresses.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use crate::{client::network_of, error::ApiError};

/// The client that pays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Payer {
    pub(crate) address: IpAddr,
    /// The player or browser that has an account of its own. All others of the address have one together.
    pub(crate) own: Option<String>,
    /// Whether this is a player whom the server knows. Newcomers share an account in total.
    pub(crate) is_known: bool,
}

/// The capacities of buckets.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Of a player or browser.
    pub(crate) own: f64,
    /// Of all others of an address.
    pub(crate) others: f64,
    pub(crate) address: f64,
    pub(crate) network: f64,
    /// Of all newcomers.
    pub(crate) newcomers: f64,
    /// Of all known players.
    pub(crate) known: f64,
    /// Whether newcomers and known players of an address, or of a network, share what it has; otherwise each have as much.
    pub(crate) is_address_shared: bool,
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
    Own(String),
    Unknown(IpAddr),
    Address(IpAddr, Who),
    Network(IpAddr, Who),
    Newcomers,
    Known,
}

/// The clients of an address or a network that share an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Who {
    Everybody,
    Newcomers,
    Known,
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
            // 65,536 accounts in use are one attacker with many addresses: drop all but the larger ones rather than grow.
            spent.retain(|account, _| matches!(account, Account::Network(..) | Account::Newcomers | Account::Known));
        }
        if spent.len() >= MAX_ACCOUNTS {
            spent.retain(|account, _| matches!(account, Account::Newcomers | Account::Known));
        }
        let accounts = self.accounts(payer);
        let missing = |account: &Account| spent.get(account).map_or(0.0, |&entry| self.missing(account, entry, now));
        let before: Vec<f64> = accounts.iter().map(missing).collect();
        let counted = if is_plenty { 1 } else { accounts.len() };
        for (account, &before) in accounts.iter().zip(&before).take(counted) {
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
        for account in self.accounts(payer) {
            if let Some((spent, _)) = spent.get_mut(&account) {
                *spent = (*spent - amount).max(0.0);
            }
        }
    }

    /// The payer's own account is the first.
    fn accounts(&self, payer: &Payer) -> Vec<Account> {
        let Payer { address, ref own, is_known } = *payer;
        let mut accounts = vec![own.clone().map_or(Account::Unknown(address), Account::Own)];
        let who = match (self.limits.is_address_shared, is_known) {
            (true, _) => Who::Everybody,
            (false, true) => Who::Known,
            (false, false) => Who::Newcomers,
        };
        accounts.extend([Account::Address(address, who), Account::Network(network_of(address), who)]);
        accounts.push(if is_known { Account::Known } else { Account::Newcomers });
        accounts
    }

    fn capacity(&self, account: &Account) -> f64 {
        match account {
            Account::Own(_) => self.limits.own,
            Account::Unknown(_) => self.limits.others,
            Account::Address(..) => self.limits.address,
            Account::Network(..) => self.limits.network,
            Account::Newcomers => self.limits.newcomers,
            Account::Known => self.limits.known,
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

    fn limits(own: f64, address: f64, network: f64, total: f64) -> Limits {
        Limits { own, others: own, address, network, newcomers: total, known: total, is_address_shared: true }
    }

    fn ledger(own: f64, address: f64, network: f64, total: f64) -> Ledger {
        Ledger::new(limits(own, address, network, total), HOUR)
    }

    fn payer(address: &str, player: Option<u32>) -> Payer {
        let own = player.map(|player| player.to_string());
        Payer { address: address.parse().unwrap(), own, is_known: player.is_some() }
    }

    /// How many of a hundred payments are accepted.
    fn taken(ledger: &Ledger, payer: &Payer) -> usize {
        (0..100).filter(|_| ledger.take(payer, 1.0, false).is_ok()).count()
    }

    #[test]
    fn an_empty_bucket_fills_up_again_and_others_are_full() {
        let ledger = Ledger::new(limits(3.0, 9.0, 9.0, 99.0), Duration::from_millis(300));
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
    fn players_do_not_multiply_what_an_address_a_network_and_all_have() {
        let ledger = ledger(3.0, 7.0, 20.0, 50.0);
        let of_known: usize = (0..9).map(|player| taken(&ledger, &payer("2001:db8:3::", Some(player)))).sum();
        assert_eq!(of_known, 7);
        let browser = |number| Payer { is_known: false, ..payer("2001:db8:1::", Some(number)) };
        let of_address: usize = (0..9).map(|number| taken(&ledger, &browser(number))).sum();
        assert_eq!(of_address, 7);
        let of_network: usize = (0..9).map(|net| taken(&ledger, &payer(&format!("2001:db8:2:{net}::"), None))).sum();
        assert_eq!(of_network, 20);
        let of_rest: usize = (0..99).map(|host| taken(&ledger, &payer(&format!("10.0.0.{host}"), None))).sum();
        assert_eq!(of_address + of_network + of_rest, 50);
    }

    /// Requests with ever new cookies, or from a thousand networks, take nothing from known players; known players share
    /// their own limit.
    #[test]
    fn newcomers_and_known_players_can_be_kept_apart() {
        let limits = Limits { is_address_shared: false, ..limits(3.0, 7.0, 20.0, 50.0) };
        let ledger = Ledger::new(limits, HOUR);
        let of_newcomers: usize = (0..99).map(|host| taken(&ledger, &payer(&format!("10.0.0.{host}"), None))).sum();
        assert_eq!(of_newcomers, 50);
        let of_address: usize = (0..99).map(|player| taken(&ledger, &payer("10.0.0.1", Some(player)))).sum();
        assert_eq!(of_address, 7, "nor can those of one address hold up all others");
        let known = |player: u32| payer(&format!("10.0.1.{player}"), Some(player));
        assert_eq!((0..99).map(|player| taken(&ledger, &known(player))).sum::<usize>(), 43);
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
        let account = Account::Address(later.address, Who::Everybody);
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

//! Which connections are open, and which of them makes room when there are too many.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Instant,
};

use tokio::task::AbortHandle;

/// All open connections. Clones are the same.
#[derive(Clone, Debug)]
pub(crate) struct Connections(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    most: usize,
    most_of_address: usize,
    book: Mutex<Book>,
}

#[derive(Debug, Default)]
struct Book {
    numbers: u64,
    open: HashMap<u64, Open>,
}

#[derive(Debug)]
struct Open {
    address: IpAddr,
    /// When it was opened, or a request came over it last.
    used: Instant,
    end: Option<AbortHandle>,
}

impl Connections {
    pub(crate) fn new(most: usize, most_of_address: usize) -> Self {
        Self(Arc::new(Shared { most, most_of_address, book: Mutex::default() }))
    }

    /// Takes up a connection. Where its address has too many, the one of them makes room that is longest
    /// without a request; where there are too many in all, that of the address which has most. So who holds
    /// connections without using them loses those, and nobody else any.
    pub(crate) fn admit(&self, address: IpAddr) -> Entry {
        let mut book = self.book();
        if book.count(address) >= self.0.most_of_address {
            book.displace(address);
        } else if book.open.len() >= self.0.most
            && let Some(greediest) = book.greediest()
        {
            book.displace(greediest);
        }
        book.numbers += 1;
        let number = book.numbers;
        book.open.insert(number, Open { address, used: Instant::now(), end: None });
        Entry { connections: self.clone(), number }
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.book().open.len()
    }

    fn book(&self) -> MutexGuard<'_, Book> {
        self.0.book.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Book {
    fn count(&self, address: IpAddr) -> usize {
        self.open.values().filter(|open| open.address == address).count()
    }

    fn greediest(&self) -> Option<IpAddr> {
        let mut counts: HashMap<IpAddr, usize> = HashMap::new();
        for open in self.open.values() {
            *counts.entry(open.address).or_default() += 1;
        }
        counts.into_iter().max_by_key(|&(_, count)| count).map(|(address, _)| address)
    }

    fn displace(&mut self, address: IpAddr) {
        let of_address = self.open.iter().filter(|(_, open)| open.address == address);
        let Some(number) = of_address.min_by_key(|(_, open)| open.used).map(|(&number, _)| number) else { return };
        if let Some(end) = self.open.remove(&number).and_then(|open| open.end) {
            end.abort();
        }
    }
}

/// A connection that is open until this is dropped.
#[derive(Debug)]
pub(crate) struct Entry {
    connections: Connections,
    number: u64,
}

impl Entry {
    /// What to note requests with.
    pub(crate) fn note(&self) -> impl Fn() + Clone + Send + use<> {
        let (connections, number) = (self.connections.clone(), self.number);
        move || {
            if let Some(open) = connections.book().open.get_mut(&number) {
                open.used = Instant::now();
            }
        }
    }

    /// Says how the connection is ended, once it is being served.
    pub(crate) fn set_end(connections: &Connections, number: u64, end: AbortHandle) {
        match connections.book().open.get_mut(&number) {
            Some(open) => open.end = Some(end),
            // It had to make room already, or is over.
            None => end.abort(),
        }
    }

    pub(crate) fn number(&self) -> u64 {
        self.number
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        self.connections.book().open.remove(&self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_with_too_many_loses_the_one_it_used_least() {
        let connections = Connections::new(10, 2);
        let address = "10.0.0.1".parse().unwrap();
        let first = connections.admit(address);
        let second = connections.admit(address);
        first.note()();
        let _third = connections.admit(address);
        let numbers: Vec<u64> = connections.book().open.keys().copied().collect();
        assert!(numbers.contains(&first.number) && !numbers.contains(&second.number));
        assert_eq!(connections.count(), 2);
    }

    #[test]
    fn when_all_are_taken_who_has_most_makes_room() {
        let connections = Connections::new(4, 3);
        let (greedy, modest, new) = ("10.0.0.1", "10.0.0.2", "10.0.0.3");
        let of = |address: &str| address.parse().unwrap();
        let _many: Vec<Entry> = (0..3).map(|_| connections.admit(of(greedy))).collect();
        let _one = connections.admit(of(modest));
        let _other = connections.admit(of(new));
        let count = |address: &str| connections.book().count(of(address));
        assert_eq!((count(greedy), count(modest), count(new)), (2, 1, 1));
    }
}

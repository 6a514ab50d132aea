//! The connection limits: in total, and per address. Where one is met, an idle connection makes room for the new one: nobody
//! can keep others out with connections that do nothing, and no request is ended for another's.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Instant,
};

use ipnet::IpNet;
use tokio::task::AbortHandle;

use crate::{
    client::{is_trusted, network_of},
    config::{Bounds, Config},
};

/// All open connections. Clones share them.
#[derive(Clone, Debug)]
pub(crate) struct Connections(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    max: usize,
    max_per_address: usize,
    /// The same of all addresses of a network.
    max_per_network: usize,
    /// Whose connections are limited only in total: they are those of many clients.
    trusted_proxies: Vec<IpNet>,
    open: Mutex<HashMap<u64, Open>>,
}

#[derive(Debug)]
struct Open {
    address: IpAddr,
    /// Requests that are not answered to the end.
    requests: usize,
    /// When it was opened, or the last answer ended.
    since: Instant,
    task: Option<AbortHandle>,
}

impl Connections {
    pub(crate) fn new(config: &Config) -> Self {
        let Bounds { connections: max, connections_of_address: max_per_address, network_share, .. } = config.bounds;
        let max_per_network = max_per_address.saturating_mul(network_share);
        let trusted_proxies = config.trusted_proxies.clone();
        Self(Arc::new(Shared { max, max_per_address, max_per_network, trusted_proxies, open: Mutex::default() }))
    }

    /// Admits a connection under a number that no other has. `None` if a limit is met, and of the connections that count
    /// towards it none is idle.
    pub(crate) fn admit(&self, number: u64, address: IpAddr) -> Option<Arc<Connection>> {
        let mut open = self.lock();
        let is_proxy = is_trusted(&self.0.trusted_proxies, address);
        let of_address = |other: &Open| !is_proxy && other.address == address;
        let of_network = |other: &Open| !is_proxy && network_of(other.address) == network_of(address);
        if open.values().filter(|other| of_address(other)).count() >= self.0.max_per_address {
            close_longest_idle(&mut open, of_address)?;
        } else if open.values().filter(|other| of_network(other)).count() >= self.0.max_per_network {
            close_longest_idle(&mut open, of_network)?;
        } else if open.len() >= self.0.max {
            close_longest_idle(&mut open, |_| true)?;
        }
        open.insert(number, Open { address, requests: 0, since: Instant::now(), task: None });
        Some(Arc::new(Connection { connections: self.clone(), number }))
    }

    /// Sets the task that serves a connection, which is aborted to close it.
    pub(crate) fn set_task(&self, number: u64, task: AbortHandle) {
        if let Some(open) = self.lock().get_mut(&number) {
            open.task = Some(task);
        }
    }

    pub(crate) fn count(&self) -> usize {
        self.lock().len()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<u64, Open>> {
        self.0.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn close_longest_idle(open: &mut HashMap<u64, Open>, counts: impl Fn(&Open) -> bool) -> Option<()> {
    let idle = open.iter().filter(|(_, other)| other.requests == 0 && counts(other));
    let number = *idle.min_by_key(|(_, other)| other.since)?.0;
    if let Some(task) = open.remove(&number)?.task {
        task.abort();
    }
    Some(())
}

/// A connection that is open until this is dropped.
#[derive(Debug)]
pub(crate) struct Connection {
    connections: Connections,
    number: u64,
}

impl Connection {
    /// Notes a request, which makes the connection busy until its answer ends.
    pub(crate) fn begin(self: &Arc<Self>) -> Busy {
        if let Some(open) = self.connections.lock().get_mut(&self.number) {
            open.requests += 1;
        }
        Busy(Arc::clone(self))
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.connections.lock().remove(&self.number);
    }
}

/// A request that is not answered to the end.
pub(crate) struct Busy(Arc<Connection>);

impl Drop for Busy {
    fn drop(&mut self) {
        if let Some(open) = self.0.connections.lock().get_mut(&self.0.number) {
            open.requests -= 1;
            open.since = Instant::now();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn connections(max: usize, max_per_address: usize) -> Connections {
        let mut config = Config::new("nowhere");
        config.trusted_proxies = vec!["10.0.0.9/32".parse().unwrap()];
        (config.bounds.connections, config.bounds.connections_of_address) = (max, max_per_address);
        config.bounds.network_share = 2;
        Connections::new(&config)
    }

    fn of(last: u8) -> IpAddr {
        IpAddr::from([10, 0, 0, last])
    }

    fn numbers(connections: &Connections) -> Vec<u64> {
        let mut numbers: Vec<u64> = connections.lock().keys().copied().collect();
        numbers.sort_unstable();
        numbers
    }

    #[test]
    fn the_longest_idle_connection_makes_room_and_a_busy_one_never_does() {
        let connections = connections(3, 2);
        let mut open: Vec<_> = [(1, 1), (2, 1)].map(|(number, last)| connections.admit(number, of(last))).into();
        let busy = open[0].as_ref().unwrap().begin();
        // Of the same address, the one that is idle.
        open.push(connections.admit(3, of(1)));
        assert_eq!(numbers(&connections), [1, 3]);
        open.push(connections.admit(4, of(2)));
        // Of all, the one that is idle longest.
        open.push(connections.admit(5, of(3)));
        assert_eq!(numbers(&connections), [1, 4, 5]);
        let others: Vec<_> = [3, 4].map(|index| open[index].as_ref().unwrap().begin()).into();
        assert!(connections.admit(6, of(4)).is_none(), "all are busy");
        drop(busy);
        open.push(connections.admit(7, of(4)));
        assert_eq!(numbers(&connections), [4, 5, 7], "its answer has ended");
        drop((open, others));
        assert_eq!(connections.count(), 0);
    }

    #[test]
    fn a_proxy_is_limited_only_in_total_and_a_network_by_its_share() {
        let all = connections(100, 2);
        let busy = |number: u64, address: IpAddr| all.admit(number, address).map(|open| open.begin());
        let many = |first: u64, address: &dyn Fn(u16) -> IpAddr| -> Vec<_> {
            (0..20).filter_map(|index| busy(first + u64::from(index), address(index))).collect()
        };
        let of_proxy = many(0, &|_| of(9));
        let of_address = many(100, &|_| of(1));
        let of_network = many(200, &|net| IpAddr::from([0x2001, 0xdb8, 1, net, 0, 0, 0, 0]));
        assert_eq!((of_proxy.len(), of_address.len(), of_network.len()), (20, 2, 4));
    }
}

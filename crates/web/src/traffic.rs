//! How much that is on its way, here or from here, is in memory: of all clients, and of one address.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use tokio::sync::oneshot;

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
    book: Mutex<Book>,
}

#[derive(Debug, Default)]
struct Book {
    numbers: u64,
    loads: HashMap<u64, Entry>,
}

#[derive(Debug)]
struct Entry {
    address: IpAddr,
    amount: usize,
    /// When more of it came last.
    grown: Instant,
    yields: Option<Yields>,
}

/// What makes room for others if it must.
#[derive(Debug)]
struct Yields {
    tell: oneshot::Sender<()>,
    /// After so long without anything new, also for others of its own address.
    pause: Duration,
}

impl Traffic {
    pub(crate) fn new(refusal: &'static str, most: usize, most_of_address: usize) -> Self {
        Self(Arc::new(Shared { most, most_of_address, refusal, book: Mutex::default() }))
    }

    /// Something from or to an address, of which nothing has come yet.
    pub(crate) fn begin(&self, address: IpAddr) -> Load {
        self.0.enter(address, None)
    }

    /// The same, of something that makes room where another address has less; and what tells that it has to. Of its own
    /// address, only what has come to a halt for so long makes room.
    pub(crate) fn begin_yielding(&self, address: IpAddr, pause: Duration) -> (Load, Displaced) {
        let (tell, told) = oneshot::channel();
        (self.0.enter(address, Some(Yields { tell, pause })), Displaced { told, refusal: self.0.refusal })
    }
}

impl Shared {
    fn book(&self) -> MutexGuard<'_, Book> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn enter(self: &Arc<Self>, address: IpAddr, yields: Option<Yields>) -> Load {
        let mut book = self.book();
        book.numbers += 1;
        let number = book.numbers;
        book.loads.insert(number, Entry { address, amount: 0, grown: Instant::now(), yields });
        Load { shared: Arc::clone(self), number, settled: None }
    }

    fn refused(&self) -> ApiError {
        ApiError::busy(self.refusal, 5)
    }
}

impl Book {
    fn all(&self) -> usize {
        self.loads.values().map(|entry| entry.amount).sum()
    }

    fn of_address(&self, address: IpAddr) -> usize {
        self.loads.values().filter(|entry| entry.address == address).map(|entry| entry.amount).sum()
    }

    /// Has something of whoever has most make room: of an address that has more than this one would have, or of the same
    /// address what has come to a halt. Whether there was any.
    fn displace(&mut self, for_number: u64, address: IpAddr, amount: usize, only_own: bool) -> bool {
        let wanted = self.of_address(address) + amount;
        let mut totals: HashMap<IpAddr, usize> = HashMap::new();
        for entry in self.loads.values() {
            *totals.entry(entry.address).or_default() += entry.amount;
        }
        let may_go = |&(&number, entry): &(&u64, &Entry)| {
            let Some(yields) = &entry.yields else { return false };
            let is_own = entry.address == address;
            let is_greedier = !is_own && !only_own && totals[&entry.address] > wanted;
            let has_halted = is_own && number != for_number && entry.grown.elapsed() >= yields.pause;
            entry.amount > 0 && (is_greedier || has_halted)
        };
        let loads = self.loads.iter().filter(may_go);
        let victim = loads.max_by_key(|(_, entry)| (totals[&entry.address], entry.grown.elapsed()));
        let Some(number) = victim.map(|(&number, _)| number) else { return false };
        if let Some(yields) = self.loads.remove(&number).and_then(|entry| entry.yields) {
            // Who does not listen any more has ended by itself.
            let _ = yields.tell.send(());
        }
        true
    }
}

/// One thing on its way, which counts until this is dropped.
#[derive(Debug)]
pub(crate) struct Load {
    shared: Arc<Shared>,
    number: u64,
    settled: Option<Yields>,
}

impl Load {
    /// Counts more of it, unless there is no room for that and nobody has to make any.
    pub(crate) fn add(&mut self, amount: usize) -> Result<(), ApiError> {
        let (mut book, shared) = (self.shared.book(), &self.shared);
        // It may have had to make room itself.
        let address = book.loads.get(&self.number).ok_or_else(|| shared.refused())?.address;
        loop {
            let is_own_full = book.of_address(address) + amount > shared.most_of_address;
            if !is_own_full && book.all() + amount <= shared.most {
                break;
            }
            if !book.displace(self.number, address, amount, is_own_full) {
                return Err(shared.refused());
            }
        }
        if let Some(entry) = book.loads.get_mut(&self.number) {
            entry.amount += amount;
            entry.grown = Instant::now();
        }
        Ok(())
    }

    /// From now on it makes room for nobody, unless it had to already.
    pub(crate) fn settle(&mut self) -> Result<(), ApiError> {
        let mut book = self.shared.book();
        let entry = book.loads.get_mut(&self.number).ok_or_else(|| self.shared.refused())?;
        // Kept, for the other end takes its loss for the end.
        self.settled = entry.yields.take();
        Ok(())
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        self.shared.book().loads.remove(&self.number);
    }
}

/// Tells that something had to make room.
#[derive(Debug)]
pub(crate) struct Displaced {
    told: oneshot::Receiver<()>,
    refusal: &'static str,
}

impl Displaced {
    /// Does something with what is on its way, for as long as it need not make room.
    pub(crate) async fn unless<T>(&mut self, work: impl Future<Output = Result<T, ApiError>>) -> Result<T, ApiError> {
        tokio::select! {
            done = work => done,
            Ok(()) = &mut self.told => Err(ApiError::busy(self.refusal, 5)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEVER: Duration = Duration::MAX;

    fn of(last: u8) -> IpAddr {
        IpAddr::from([10, 0, 0, last])
    }

    fn amounts(traffic: &Traffic) -> [usize; 4] {
        [1, 2, 3, 4].map(|last| traffic.0.book().of_address(of(last)))
    }

    #[tokio::test]
    async fn who_has_most_makes_room_for_who_has_less() {
        let traffic = Traffic::new("full", 80, 30);
        let mut greedy: Vec<_> = [1, 1, 1, 2, 2, 2, 3, 3].map(|last| traffic.begin_yielding(of(last), NEVER)).into();
        for (load, _) in &mut greedy {
            load.add(10).unwrap();
        }
        let (mut modest, _told) = traffic.begin_yielding(of(4), NEVER);
        modest.add(8).unwrap();
        assert_eq!(traffic.0.book().all(), 78);
        let mut gone = greedy.iter_mut().filter_map(|(load, told)| {
            told.told.try_recv().is_ok().then(|| load.add(1).is_err() && load.settle().is_err())
        });
        assert_eq!((gone.next(), gone.next()), (Some(true), None), "one is told, and counts no more");
        // What is taken from others is no more than what makes all alike.
        modest.add(12).unwrap();
        modest.add(5).unwrap_err();
        assert_eq!(amounts(&traffic).iter().filter(|&&amount| amount == 20).count(), 4, "{:?}", amounts(&traffic));
    }

    #[tokio::test]
    async fn of_its_own_address_only_what_has_halted_makes_room() {
        for (pause, makes_room) in [(NEVER, false), (Duration::ZERO, true)] {
            let traffic = Traffic::new("full", 100, 30);
            let (mut first, mut told) = traffic.begin_yielding(of(1), pause);
            first.add(25).unwrap();
            let (mut second, _told) = traffic.begin_yielding(of(1), pause);
            assert_eq!(second.add(10).is_ok(), makes_room);
            assert_eq!(told.unless(async { Ok(()) }).await.is_ok() && first.add(1).is_ok(), !makes_room);
            drop((first, second));
            assert_eq!(traffic.0.book().all(), 0);
        }
    }

    #[tokio::test]
    async fn what_is_settled_or_does_not_yield_stays() {
        let traffic = Traffic::new("full", 30, 30);
        let (mut settled, mut told) = traffic.begin_yielding(of(1), NEVER);
        settled.add(20).unwrap();
        settled.settle().unwrap();
        let mut firm = traffic.begin(of(2));
        firm.add(10).unwrap();
        let (mut other, _told) = traffic.begin_yielding(of(3), NEVER);
        other.add(1).unwrap_err();
        let work = async {
            drop(settled);
            tokio::task::yield_now().await;
            Ok(())
        };
        told.unless(work).await.unwrap();
        other.add(20).unwrap();
    }
}

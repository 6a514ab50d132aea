//! The worker pool: jobs that would block the async threads run on threads of their own, a bounded number at once; others
//! wait in a bounded queue that is fair to addresses first, and to devices within an address.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, Instant},
};

use tokio::{sync::oneshot, time::sleep};

use crate::{
    client::{Client, network_of},
    error::ApiError,
    priority::Thread,
};

#[derive(Clone)]
pub(crate) struct Pool(Arc<Shared>);

struct Shared {
    name: &'static str,
    workers: usize,
    max_queued: usize,
    /// How long a job may run while another client waits that has none running.
    time_share: Duration,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Running jobs by number, the oldest first.
    running: Vec<(u64, Client)>,
    queue: Vec<Queued>,
    /// Clients in the order of their last start.
    last_started: Vec<Client>,
    last_number: u64,
}

struct Queued {
    number: u64,
    client: Client,
    start: oneshot::Sender<()>,
}

/// How often a running job checks whether it has used up its time share. A job that runs at the first check is reniced, so
/// that it does not delay saves.
const CHECK_INTERVAL: Duration = Duration::from_millis(250);
/// Clients whose last start is remembered.
const MAX_REMEMBERED_CLIENTS: usize = 1024;

impl Pool {
    pub(crate) fn new(name: &'static str, workers: usize, max_queued: usize, time_share: Duration) -> Self {
        Self(Arc::new(Shared { name, workers, max_queued, time_share, state: Mutex::default() }))
    }

    /// A worker, or a place in the queue. When the queue is full, as many places again are left for addresses that have no
    /// job in it, one each (of IPv6, one a /48), so that one address cannot keep the others out.
    pub(crate) fn admit(&self, client: Client) -> Result<Ticket, ApiError> {
        let mut state = self.0.state();
        state.last_number += 1;
        let number = state.last_number;
        if state.running.len() < self.0.workers {
            state.start(number, client);
            return Ok(Ticket { pool: Arc::clone(&self.0), number, start: None });
        }
        let network = network_of(client.address);
        let is_queued = state.queue.iter().any(|job| network_of(job.client.address) == network);
        let places = if is_queued { self.0.max_queued } else { 2 * self.0.max_queued };
        if state.queue.len() >= places {
            return Err(ApiError::busy(&format!("every {} is busy and others wait", self.0.name), 2));
        }
        let (start, started) = oneshot::channel();
        state.queue.push(Queued { number, client, start });
        Ok(Ticket { pool: Arc::clone(&self.0), number, start: Some(started) })
    }

    pub(crate) fn load(&self) -> (usize, usize) {
        let state = self.0.state();
        (state.running.len(), state.queue.len())
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Removes a job, running or queued, and starts the next ones.
    fn remove(&self, number: u64) {
        let mut state = self.state();
        state.running.retain(|&(running, _)| running != number);
        state.queue.retain(|job| job.number != number);
        while state.running.len() < self.workers
            && let Some(next) = state.next()
        {
            let Queued { number, client, start } = state.queue.remove(next);
            // Otherwise its client has gone.
            if start.send(()).is_ok() {
                state.start(number, client);
            }
        }
    }

    /// Whether a job is the one that has run longest, and a client waits that has none running.
    fn is_waited_for(&self, number: u64) -> bool {
        let state = self.state();
        let has_none = |waiting: &Client| state.running.iter().all(|(_, client)| client != waiting);
        let is_oldest = state.running.first().is_some_and(|&(oldest, _)| oldest == number);
        is_oldest && state.queue.iter().any(|job| has_none(&job.client))
    }
}

impl State {
    fn start(&mut self, number: u64, client: Client) {
        self.last_started.retain(|other| *other != client);
        if self.last_started.len() >= MAX_REMEMBERED_CLIENTS {
            self.last_started.remove(0);
        }
        self.last_started.push(client.clone());
        self.running.push((number, client));
    }

    /// The queued job to start next: of the address with the fewest running jobs, or among those the one whose last start is
    /// longest ago; within it of such a device; of that the first.
    fn next(&self) -> Option<usize> {
        let of = |is_same: &dyn Fn(&Client) -> bool| {
            let running = self.running.iter().filter(|(_, client)| is_same(client)).count();
            (running, self.last_started.iter().rposition(is_same))
        };
        let rank = |job: &Queued| {
            let of_address = of(&|client| client.address == job.client.address);
            (of_address, of(&|client| *client == job.client), job.number)
        };
        (0..self.queue.len()).min_by_key(|&index| rank(&self.queue[index]))
    }
}

/// The right to run one job. Dropping it leaves the queue.
pub(crate) struct Ticket {
    pool: Arc<Shared>,
    number: u64,
    /// Tells a queued job to start.
    start: Option<oneshot::Receiver<()>>,
}

impl Ticket {
    /// Waits for a worker and runs `work` there. The worker is busy until the work has ended, even if this is dropped.
    /// `cancel` is called when the job has used up its time share and another client waits.
    pub(crate) async fn run<T: Send + 'static>(
        mut self,
        cancel: impl Fn(),
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        if let Some(start) = self.start.take() {
            start.await.map_err(|_| ApiError::internal())?;
        }
        let (pool, number, since) = (Arc::clone(&self.pool), self.number, Instant::now());
        let (began, mut thread) = oneshot::channel();
        let (end, mut done) = oneshot::channel();
        let job = move || {
            let result = {
                // Dropped when the work has ended or panicked.
                let _ticket = self;
                let _ = began.send(Thread::current());
                work()
            };
            let _ = end.send(result);
        };
        thread::Builder::new().name("worker".to_owned()).spawn(job).map_err(|_| ApiError::internal())?;
        loop {
            tokio::select! {
                ended = &mut done => return ended.map_err(|_| ApiError::internal()),
                () = sleep(CHECK_INTERVAL) => {
                    if let Ok(thread) = thread.try_recv() {
                        thread.lower_priority();
                    }
                    if since.elapsed() > pool.time_share && pool.is_waited_for(number) {
                        cancel();
                    }
                }
            }
        }
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.pool.remove(self.number);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

    use super::*;
    use crate::{id::Id, store::Device};

    const TIME_SHARE: Duration = Duration::from_millis(100);

    fn client(address: &str, device: u8) -> Client {
        let device = Device::of(&Id::parse(&format!("{device:032x}")).unwrap(), String::new());
        Client { address: address.parse().unwrap(), device: Some(device) }
    }

    fn pool(max_queued: usize) -> Pool {
        Pool::new("worker", 1, max_queued, TIME_SHARE)
    }

    #[tokio::test]
    async fn the_queue_is_fair_to_addresses_and_then_to_devices() {
        let pool = pool(8);
        let (greedy, other, beside) = (client("10.0.0.1", 1), client("10.0.0.2", 2), client("10.0.0.1", 3));
        let running = pool.admit(greedy.clone()).unwrap();
        let told = Arc::new(Mutex::new(Vec::new()));
        let mut waiting = Vec::new();
        for (name, client) in [
            ("greedy 1", &greedy),
            ("greedy 2", &greedy),
            ("greedy 3", &greedy),
            ("beside", &beside),
            ("other", &other),
        ] {
            let (ticket, told) = (pool.admit(client.clone()).unwrap(), Arc::clone(&told));
            waiting.push(tokio::spawn(ticket.run(|| (), move || told.lock().unwrap().push(name))));
        }
        tokio::task::yield_now().await;
        drop(running);
        for job in waiting {
            job.await.unwrap().unwrap();
        }
        assert_eq!(*told.lock().unwrap(), ["other", "beside", "greedy 1", "greedy 2", "greedy 3"]);
    }

    #[test]
    fn one_address_cannot_fill_the_queue_for_others() {
        let pool = pool(2);
        let admit = |last: u8, device: u8| pool.admit(client(&format!("10.0.0.{last}"), device));
        let mut tickets: Vec<_> = [(1, 1), (1, 1), (1, 1)].map(|(last, browser)| admit(last, browser).unwrap()).into();
        assert!(admit(1, 1).is_err() && admit(1, 2).is_err(), "its own queue is full");
        tickets.push(admit(2, 3).unwrap());
        assert!(admit(2, 4).is_err(), "one for each other address");
        tickets.push(admit(3, 5).unwrap());
        assert!(admit(4, 6).is_err(), "and not for more than there are places");
        assert_eq!(pool.load(), (1, 4));
        drop(tickets);
        assert_eq!(pool.load(), (0, 0));
    }

    #[test]
    fn the_oldest_job_alone_ends_for_a_client_that_waits() {
        let pool = Pool::new("worker", 2, 2, TIME_SHARE);
        let running = [1, 2].map(|last| pool.admit(client(&format!("10.0.0.{last}"), last)).unwrap());
        let is_waited_for = || [&running[0], &running[1]].map(|ticket| pool.0.is_waited_for(ticket.number));
        assert_eq!(is_waited_for(), [false, false], "nobody waits");
        let _waits = pool.admit(client("10.0.0.3", 3)).unwrap();
        assert_eq!(is_waited_for(), [true, false]);
    }

    #[tokio::test]
    async fn a_job_that_panics_frees_its_worker() {
        let pool = pool(2);
        let bad = pool.admit(client("10.0.0.1", 1)).unwrap();
        assert!(bad.run(|| (), || panic!("on purpose")).await.is_err());
        let good = pool.admit(client("10.0.0.1", 1)).unwrap();
        assert_eq!((good.run(|| (), || 7).await.unwrap(), pool.load()), (7, (0, 0)));
    }

    /// The priority of this thread, as the system has it.
    #[cfg(target_os = "linux")]
    fn nice() -> i32 {
        let line = std::fs::read_to_string("/proc/thread-self/stat").unwrap();
        line.rsplit(')').next().unwrap().split_whitespace().nth(16).unwrap().parse().unwrap()
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn long_jobs_are_reniced() {
        let (pool, usual) = (pool(2), nice());
        let ticket = pool.admit(client("10.0.0.1", 1)).unwrap();
        assert_eq!(ticket.run(|| (), nice).await.unwrap(), usual);
        let ticket = pool.admit(client("10.0.0.1", 1)).unwrap();
        let wait = move || {
            let began = Instant::now();
            while nice() == usual && began.elapsed() < Duration::from_secs(20) {
                thread::sleep(Duration::from_millis(10));
            }
            nice()
        };
        assert!(ticket.run(|| (), wait).await.unwrap() > usual || usual >= 10);
    }

    #[tokio::test]
    async fn a_job_that_has_used_up_its_time_share_is_cancelled_for_another_client() {
        let pool = pool(2);
        let ends = Arc::new(AtomicBool::new(false));
        let (end, told) = (Arc::clone(&ends), Arc::clone(&ends));
        let wait = move || {
            while !told.load(SeqCst) {
                thread::sleep(Duration::from_millis(5));
            }
        };
        let long = pool.admit(client("10.0.0.1", 1)).unwrap();
        let running = tokio::spawn(long.run(move || end.store(true, SeqCst), wait));
        let own = tokio::spawn(pool.admit(client("10.0.0.1", 1)).unwrap().run(|| (), || ()));
        sleep(3 * CHECK_INTERVAL).await;
        assert!(!ends.load(SeqCst), "not for the client's own next job");
        let other = pool.admit(client("10.0.0.2", 2)).unwrap();
        other.run(|| (), || ()).await.unwrap();
        running.await.unwrap().unwrap();
        own.await.unwrap().unwrap();
    }
}

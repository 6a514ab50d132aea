//! Workers for what would hold up the async threads: so many at once, so many waiting, and one client's
//! turn after the other's.

use std::{
    collections::HashMap,
    fmt,
    net::IpAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, Instant},
};

use tokio::{sync::oneshot, time::sleep};

use crate::{client::Client, error::ApiError, give_way::Worker, store::Owner};

/// The workers and those who wait for them.
#[derive(Clone)]
pub(crate) struct Pool(Arc<Shared>);

/// What asks a job to end early.
type End = Box<dyn Fn() + Send>;

struct Shared {
    name: &'static str,
    workers: usize,
    waiting: usize,
    /// What a job may take while somebody waits who has none.
    share: Duration,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    running: Vec<Running>,
    queue: Vec<Waiting>,
    /// When an address and a browser last had a turn.
    addresses: HashMap<IpAddr, u64>,
    browsers: HashMap<Option<Owner>, u64>,
    numbers: u64,
}

struct Running {
    number: u64,
    client: Client,
    since: Instant,
    end: End,
    asked_to_end: bool,
}

struct Waiting {
    number: u64,
    client: Client,
    end: End,
    /// Dropped without a word, this says that another took the place.
    go: oneshot::Sender<()>,
}

/// How often somebody who waits looks whether somebody else has had enough.
const LOOK_EVERY: Duration = Duration::from_millis(250);
/// What takes longer gives way to others.
const SHORT: Duration = Duration::from_millis(250);
/// Clients whose last turn is remembered.
const MOST_REMEMBERED: usize = 1024;

impl Pool {
    pub(crate) fn new(name: &'static str, workers: usize, waiting: usize, share: Duration) -> Self {
        Self(Arc::new(Shared { name, workers, waiting, share, state: Mutex::default() }))
    }

    /// A place at work or in the queue. When both are full, a client that has fewer in the queue takes the
    /// place of the last one of the client that has most. `end` is to
    /// end the work early.
    pub(crate) fn admit(&self, client: Client, end: impl Fn() + Send + 'static) -> Result<Ticket, ApiError> {
        let mut state = self.0.state();
        let number = state.next_number();
        // Made last: a ticket that is dropped leaves its place, for which it needs the state.
        let ticket = |client, turn| Ticket { pool: Arc::clone(&self.0), number, client, turn };
        if state.running.len() < self.0.workers {
            state.start(number, client.clone(), Box::new(end));
            return Ok(ticket(client, None));
        }
        if state.queue.len() >= self.0.waiting {
            let victim = state.victim(&client).ok_or_else(|| self.0.busy())?;
            state.queue.remove(victim);
        }
        let (go, turn) = oneshot::channel();
        state.queue.push(Waiting { number, client: client.clone(), end: Box::new(end), go });
        Ok(ticket(client, Some(turn)))
    }

    /// How many run, and how many wait.
    pub(crate) fn load(&self) -> (usize, usize) {
        let state = self.0.state();
        (state.running.len(), state.queue.len())
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn busy(&self) -> ApiError {
        ApiError::busy(&format!("every {} is busy and others wait", self.name), 2)
    }

    /// Takes a job off, wherever it is, and lets the next ones start.
    fn leave(&self, number: u64) {
        let mut state = self.state();
        state.running.retain(|job| job.number != number);
        state.queue.retain(|job| job.number != number);
        while state.running.len() < self.workers
            && let Some(next) = state.next()
        {
            let Waiting { number, client, end, go } = state.queue.remove(next);
            // Nobody waits for it any more: the next one.
            if go.send(()).is_ok() {
                state.start(number, client, end);
            }
        }
    }

    /// Has the job end that has run longest, if it has had its share and this client has none running.
    fn press(&self, client: &Client) {
        let mut state = self.state();
        if state.running.iter().any(|job| job.client == *client || job.asked_to_end) {
            return;
        }
        let longest = state.running.iter_mut().min_by_key(|job| job.since);
        if let Some(job) = longest.filter(|job| job.since.elapsed() > self.share) {
            job.asked_to_end = true;
            (job.end)();
        }
    }
}

impl State {
    fn next_number(&mut self) -> u64 {
        self.numbers += 1;
        self.numbers
    }

    fn start(&mut self, number: u64, client: Client, end: End) {
        if self.addresses.len() >= MOST_REMEMBERED || self.browsers.len() >= MOST_REMEMBERED {
            self.addresses.clear();
            self.browsers.clear();
        }
        let turn = self.next_number();
        self.addresses.insert(client.address, turn);
        self.browsers.insert(client.browser.clone(), turn);
        self.running.push(Running { number, client, since: Instant::now(), end, asked_to_end: false });
    }

    /// Whose turn it is: the address with the fewest at work, then the one whose last turn is longest ago;
    /// among its browsers likewise; then who came first.
    fn next(&self) -> Option<usize> {
        let rank = |job: &Waiting| {
            let of_address = self.running.iter().filter(|other| other.client.address == job.client.address).count();
            let of_browser = self.running.iter().filter(|other| other.client == job.client).count();
            let address = self.addresses.get(&job.client.address).copied().unwrap_or(0);
            let browser = self.browsers.get(&job.client.browser).copied().unwrap_or(0);
            (of_address, address, of_browser, browser, job.number)
        };
        (0..self.queue.len()).min_by_key(|&index| rank(&self.queue[index]))
    }

    /// Who has to make room for a client: the last one of who has most in the queue, if that is more than
    /// the client would have.
    fn victim(&self, client: &Client) -> Option<usize> {
        let count = |client: &Client| {
            let of_address = self.queue.iter().filter(|other| other.client.address == client.address).count();
            let of_browser = self.queue.iter().filter(|other| other.client == *client).count();
            (of_address, of_browser)
        };
        let victim = (0..self.queue.len()).max_by_key(|&index| (count(&self.queue[index].client), index))?;
        let (theirs, own) = (count(&self.queue[victim].client), count(client));
        let same_address = self.queue[victim].client.address == client.address;
        let is_fairer = if same_address { own.1 + 1 < theirs.1 } else { own.0 + 1 < theirs.0 };
        is_fairer.then_some(victim)
    }
}

impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Pool({}, {:?})", self.0.name, self.load())
    }
}

/// The right to one piece of work. Dropped before the work begins, it leaves its place.
pub(crate) struct Ticket {
    pool: Arc<Shared>,
    number: u64,
    client: Client,
    /// Comes when it is this one's turn; nothing where that was at once.
    turn: Option<oneshot::Receiver<()>>,
}

impl Ticket {
    /// Whether a worker is there already.
    pub(crate) fn runs_at_once(&self) -> bool {
        self.turn.is_none()
    }

    /// Waits for a worker and lets it do `work`. The worker is taken until the work has ended, even if
    /// nobody waits for it any more.
    pub(crate) async fn run<T: Send + 'static>(
        mut self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        if let Some(mut turn) = self.turn.take() {
            loop {
                tokio::select! {
                    told = &mut turn => {
                        told.map_err(|_| self.pool.busy())?;
                        break;
                    }
                    () = sleep(LOOK_EVERY) => self.pool.press(&self.client),
                }
            }
        }
        let (began, mut worker) = oneshot::channel();
        let (end, mut done) = oneshot::channel();
        let job = move || {
            let result = {
                // Its place is left when the work has ended, or has panicked.
                let _place = self;
                let _ = began.send(Worker::this());
                work()
            };
            let _ = end.send(result);
        };
        thread::Builder::new().name("worker".to_owned()).spawn(job).map_err(|_| ApiError::internal())?;
        let ended = tokio::select! {
            ended = &mut done => ended,
            () = sleep(SHORT) => {
                // What is short is somebody's drag of a goal; what is long need not hold up a save.
                if let Ok(worker) = worker.try_recv() {
                    worker.give_way();
                }
                done.await
            }
        };
        ended.map_err(|_| ApiError::internal())
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.pool.leave(self.number);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

    use super::*;
    use crate::id::Id;

    const SHARE: Duration = Duration::from_millis(100);

    fn client(address: &str, browser: u8) -> Client {
        let owner = Owner::of(&Id::parse(&format!("{browser:032x}")).unwrap());
        Client { address: address.parse().unwrap(), browser: Some(owner) }
    }

    fn admit(pool: &Pool, who: &Client) -> Result<Ticket, ApiError> {
        pool.admit(who.clone(), || ())
    }

    /// Runs what waits in the order in which it gets its turn.
    async fn order(names: Vec<(&'static str, Ticket)>, running: Ticket) -> Vec<&'static str> {
        let told = Arc::new(Mutex::new(Vec::new()));
        let waiting = names.into_iter().map(|(name, ticket)| {
            let told = Arc::clone(&told);
            tokio::spawn(ticket.run(move || told.lock().unwrap().push(name)))
        });
        let waiting: Vec<_> = waiting.collect();
        tokio::task::yield_now().await;
        drop(running);
        for job in waiting {
            job.await.unwrap().unwrap();
        }
        Arc::try_unwrap(told).unwrap().into_inner().unwrap()
    }

    #[tokio::test]
    async fn clients_take_turns_by_address_and_then_by_browser() {
        let pool = Pool::new("worker", 1, 8, SHARE);
        let (greedy, other, beside) = (client("10.0.0.1", 1), client("10.0.0.2", 2), client("10.0.0.1", 3));
        let running = admit(&pool, &greedy).unwrap();
        let mut names = Vec::new();
        for name in ["greedy 1", "greedy 2", "greedy 3"] {
            names.push((name, admit(&pool, &greedy).unwrap()));
        }
        names.push(("beside", admit(&pool, &beside).unwrap()));
        names.push(("other", admit(&pool, &other).unwrap()));
        assert_eq!(order(names, running).await, ["other", "beside", "greedy 1", "greedy 2", "greedy 3"]);
    }

    #[tokio::test]
    async fn a_full_queue_makes_room_for_who_has_less_in_it() {
        let pool = Pool::new("worker", 1, 2, SHARE);
        let (greedy, other) = (client("10.0.0.1", 1), client("10.0.0.2", 2));
        let running = admit(&pool, &greedy).unwrap();
        let first = admit(&pool, &greedy).unwrap();
        let last = admit(&pool, &greedy).unwrap();
        assert!(admit(&pool, &greedy).is_err(), "its own queue is full");
        let modest = admit(&pool, &other).unwrap();
        assert!(admit(&pool, &other).is_err(), "now each has one");
        assert!(last.run(|| ()).await.is_err(), "the last of the greedy one had to go");
        assert_eq!(pool.load(), (1, 2));
        assert_eq!(order(vec![("first", first), ("modest", modest)], running).await, ["modest", "first"]);
        assert_eq!(pool.load(), (0, 0));
    }

    #[tokio::test]
    async fn work_that_panics_leaves_its_place() {
        let pool = Pool::new("worker", 1, 2, SHARE);
        let bad = admit(&pool, &client("10.0.0.1", 1)).unwrap();
        assert!(bad.run(|| panic!("on purpose")).await.is_err());
        let good = admit(&pool, &client("10.0.0.1", 1)).unwrap();
        assert_eq!((good.run(|| 7).await.unwrap(), pool.load()), (7, (0, 0)));
    }

    /// The priority of this thread, as the system has it.
    #[cfg(target_os = "linux")]
    fn nice() -> i32 {
        let line = std::fs::read_to_string("/proc/thread-self/stat").unwrap();
        line.rsplit(')').next().unwrap().split_whitespace().nth(16).unwrap().parse().unwrap()
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn what_is_long_gives_way() {
        let pool = Pool::new("worker", 1, 2, SHARE);
        let usual = nice();
        let ticket = admit(&pool, &client("10.0.0.1", 1)).unwrap();
        assert_eq!(ticket.run(nice).await.unwrap(), usual);
        let ticket = admit(&pool, &client("10.0.0.1", 1)).unwrap();
        let long = ticket.run(move || {
            let began = Instant::now();
            while nice() == usual && began.elapsed() < Duration::from_secs(20) {
                thread::sleep(Duration::from_millis(10));
            }
            nice()
        });
        assert!(long.await.unwrap() > usual || usual >= 10);
    }

    #[tokio::test]
    async fn who_has_had_its_share_ends_when_another_waits() {
        let pool = Pool::new("worker", 1, 2, SHARE);
        let ends = Arc::new(AtomicBool::new(false));
        let (end, told) = (Arc::clone(&ends), Arc::clone(&ends));
        let long = pool.admit(client("10.0.0.1", 1), move || end.store(true, SeqCst)).unwrap();
        let running = tokio::spawn(long.run(move || {
            while !told.load(SeqCst) {
                std::thread::sleep(Duration::from_millis(5));
            }
        }));
        let own = admit(&pool, &client("10.0.0.1", 1)).unwrap();
        let own = tokio::spawn(own.run(|| ()));
        sleep(3 * LOOK_EVERY).await;
        assert!(!ends.load(SeqCst), "its own next one does not press it");
        let other = admit(&pool, &client("10.0.0.2", 2)).unwrap();
        other.run(|| ()).await.unwrap();
        running.await.unwrap().unwrap();
        own.await.unwrap().unwrap();
    }
}

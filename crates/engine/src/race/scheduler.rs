//! Runs one contestant at a time, so that a race takes one core and no contestant gets far ahead of the others.

use std::{
    sync::{Arc, Condvar, Mutex, PoisonError},
    time::Duration,
};

use pintu_search::{Gate, clock::Instant};
use serde::{Deserialize, Serialize};

use crate::lock::lock;

/// The resource that is divided equally among contestants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Fair {
    /// Expansions: none is ahead of one that still runs by more than [`QUANTUM`].
    #[default]
    Expansions,
    Time,
}

/// Expansions by which a contestant may be ahead of another one that still runs, by their counters.
pub const QUANTUM: u64 = 1024;

/// Expansions by which a contestant may be ahead of the last one: half of the quantum, because those since its last
/// request are not known yet; and a little less, because some algorithms expand several states together.
const MAX_AHEAD: u64 = QUANTUM / 2 - 32;
/// Time by which a contestant is let ahead of the last.
const MAX_TIME_AHEAD: Duration = Duration::from_millis(4);
/// How long a contestant waits before its control checks whether the work has ended.
const CHECK_INTERVAL: Duration = Duration::from_millis(20);

/// Lets contestants run in turns, by their numbers.
#[derive(Debug)]
pub(super) struct Scheduler {
    fair: Fair,
    state: Mutex<State>,
    calls: Vec<Condvar>,
}

#[derive(Debug)]
struct State {
    contestants: Vec<Contestant>,
    runner: Option<usize>,
}

#[derive(Clone, Debug, Default)]
struct Contestant {
    is_racing: bool,
    /// Expansions let through.
    passed: u64,
    ran: Duration,
    /// The beginning of its turn, if it is running.
    since: Option<Instant>,
}

impl Scheduler {
    pub(super) fn new(fair: Fair, count: usize) -> Arc<Self> {
        let contestants = vec![Contestant { is_racing: true, ..Contestant::default() }; count];
        let calls = (0..count).map(|_| Condvar::new()).collect();
        Arc::new(Self { fair, state: Mutex::new(State { contestants, runner: None }), calls })
    }

    pub(super) fn gate(self: &Arc<Self>, number: usize) -> Arc<dyn Gate> {
        Arc::new(ContestantGate { scheduler: Arc::clone(self), number })
    }

    /// Waits for a contestant's first turn, for a moment: false if it has not come.
    pub(super) fn enter(&self, number: usize) -> bool {
        self.pass(number, 0).is_some()
    }

    pub(super) fn leave(&self, number: usize) {
        let mut state = lock(&self.state);
        state.contestants[number].is_racing = false;
        if state.runner == Some(number) {
            state.stop();
        }
        self.call_next(&state);
    }

    /// Looks at all contestants while none of them is let through, each with the time that it has run.
    pub(super) fn survey<T>(&self, mut look: impl FnMut(usize, Duration) -> T) -> Vec<T> {
        let state = lock(&self.state);
        (0..state.contestants.len()).map(|number| look(number, state.contestants[number].time())).collect()
    }

    pub(super) fn time(&self, number: usize) -> Duration {
        lock(&self.state).contestants[number].time()
    }

    fn pass(&self, number: usize, wanted: u64) -> Option<u64> {
        let mut state = lock(&self.state);
        loop {
            let room = state.room(number, self.fair);
            let is_turn =
                state.runner == Some(number) || state.runner.is_none() && state.next(self.fair) == Some(number);
            if is_turn && room > 0 {
                state.run(number);
                let passed = wanted.min(room);
                state.contestants[number].passed += passed;
                return Some(passed);
            }
            if state.runner == Some(number) {
                state.stop();
                self.call_next(&state);
            }
            let (next, wait) =
                self.calls[number].wait_timeout(state, CHECK_INTERVAL).unwrap_or_else(PoisonError::into_inner);
            state = next;
            if wait.timed_out() {
                return None;
            }
        }
    }

    fn call_next(&self, state: &State) {
        if let (None, Some(next)) = (state.runner, state.next(self.fair)) {
            self.calls[next].notify_all();
        }
    }
}

impl State {
    /// The contestant that runs next: the one that has had the least.
    fn next(&self, fair: Fair) -> Option<usize> {
        let racing = (0..self.contestants.len()).filter(|&number| self.contestants[number].is_racing);
        match fair {
            Fair::Expansions => racing.min_by_key(|&number| self.contestants[number].passed),
            Fair::Time => racing.min_by_key(|&number| self.contestants[number].time()),
        }
    }

    fn room(&self, number: usize, fair: Fair) -> u64 {
        let own = &self.contestants[number];
        let others = || {
            (0..).zip(&self.contestants).filter(|(other, one)| *other != number && one.is_racing).map(|(_, one)| one)
        };
        match fair {
            Fair::Expansions => {
                let last = others().map(|other| other.passed).min();
                last.map_or(u64::MAX, |last| (last + MAX_AHEAD).saturating_sub(own.passed))
            }
            Fair::Time => {
                let last = others().map(Contestant::time).min();
                if last.is_none_or(|last| own.time() < last + MAX_TIME_AHEAD) { u64::MAX } else { 0 }
            }
        }
    }

    fn run(&mut self, number: usize) {
        if self.runner != Some(number) {
            self.runner = Some(number);
            self.contestants[number].since = Some(Instant::now());
        }
    }

    fn stop(&mut self) {
        if let Some(number) = self.runner.take() {
            self.contestants[number].ran = self.contestants[number].time();
            self.contestants[number].since = None;
        }
    }
}

impl Contestant {
    fn time(&self) -> Duration {
        self.ran + self.since.map_or(Duration::ZERO, |since| since.elapsed())
    }
}

#[derive(Debug)]
struct ContestantGate {
    scheduler: Arc<Scheduler>,
    number: usize,
}

impl Gate for ContestantGate {
    fn pass(&self, wanted: u64) -> Option<u64> {
        self.scheduler.pass(self.number, wanted)
    }

    fn give_back(&self, unused: u64) {
        lock(&self.scheduler.state).contestants[self.number].passed -= unused;
    }
}

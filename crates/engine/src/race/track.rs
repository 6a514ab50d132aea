//! Who may go on: one contestant at a time, so that a race takes one core, and none runs away from the others.

use std::{
    fmt,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use pintu_search::Gate;
use serde::{Deserialize, Serialize};

/// What contestants have the same of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fair {
    /// Expansions: none is ahead of one that still runs by more than [`QUANTUM`].
    #[default]
    Expansions,
    /// Time.
    Time,
}

/// By how many expansions a contestant may be ahead of another that still runs, as anybody sees them.
pub const QUANTUM: u64 = 1024;

/// What is let through ahead of the last: half of the quantum, for what a contestant has done since it was last asked is
/// not seen yet; and a little less, for some take up several states together.
const AHEAD: u64 = QUANTUM / 2 - 32;
/// The same in time.
const SLICE: Duration = Duration::from_millis(4);
/// How long somebody waits before its control is to look whether the work has ended.
const PATIENCE: Duration = Duration::from_millis(20);

/// The track on which contestants run, by their numbers.
#[derive(Debug)]
pub(super) struct Track {
    fair: Fair,
    state: Mutex<State>,
    /// Wakes each.
    calls: Vec<Condvar>,
}

#[derive(Debug)]
struct State {
    lanes: Vec<Lane>,
    /// Who runs now.
    runner: Option<usize>,
}

#[derive(Clone, Debug, Default)]
struct Lane {
    is_racing: bool,
    /// Expansions let through.
    passed: u64,
    ran: Duration,
    /// Since when it runs.
    since: Option<Instant>,
}

impl Track {
    pub(super) fn new(fair: Fair, contestants: usize) -> Arc<Self> {
        let lanes = vec![Lane { is_racing: true, ..Lane::default() }; contestants];
        let calls = (0..contestants).map(|_| Condvar::new()).collect();
        Arc::new(Self { fair, state: Mutex::new(State { lanes, runner: None }), calls })
    }

    /// A contestant's gate.
    pub(super) fn gate(self: &Arc<Self>, lane: usize) -> Arc<dyn Gate> {
        Arc::new(Entrance { track: Arc::clone(self), lane })
    }

    /// Waits for a contestant's first turn, for a moment: false if it has not come.
    pub(super) fn enter(&self, lane: usize) -> bool {
        self.pass(lane, 0).is_some()
    }

    /// A contestant has ended.
    pub(super) fn leave(&self, lane: usize) {
        let mut state = self.lock();
        state.lanes[lane].is_racing = false;
        if state.runner == Some(lane) {
            state.stop();
        }
        self.call_next(&state);
    }

    /// Looks at all contestants while none of them is let through, each with the time that it has run.
    pub(super) fn survey<T>(&self, mut look: impl FnMut(usize, Duration) -> T) -> Vec<T> {
        let state = self.lock();
        (0..state.lanes.len()).map(|lane| look(lane, state.lanes[lane].time())).collect()
    }

    /// How long a contestant has run.
    pub(super) fn time(&self, lane: usize) -> Duration {
        self.lock().lanes[lane].time()
    }

    fn pass(&self, lane: usize, wanted: u64) -> Option<u64> {
        let mut state = self.lock();
        loop {
            let room = state.room(lane, self.fair);
            let is_turn = state.runner == Some(lane) || state.runner.is_none() && state.next(self.fair) == Some(lane);
            if is_turn && room > 0 {
                state.run(lane);
                let passed = wanted.min(room);
                state.lanes[lane].passed += passed;
                return Some(passed);
            }
            if state.runner == Some(lane) {
                state.stop();
                self.call_next(&state);
            }
            let (next, wait) = self.calls[lane].wait_timeout(state, PATIENCE).unwrap_or_else(PoisonError::into_inner);
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

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Whose turn it is: who has had least.
    fn next(&self, fair: Fair) -> Option<usize> {
        let racing = (0..self.lanes.len()).filter(|&lane| self.lanes[lane].is_racing);
        match fair {
            Fair::Expansions => racing.min_by_key(|&lane| self.lanes[lane].passed),
            Fair::Time => racing.min_by_key(|&lane| self.lanes[lane].time()),
        }
    }

    /// How many expansions a contestant may be let through now.
    fn room(&self, lane: usize, fair: Fair) -> u64 {
        let own = &self.lanes[lane];
        let others =
            || (0..).zip(&self.lanes).filter(|(other, one)| *other != lane && one.is_racing).map(|(_, one)| one);
        match fair {
            Fair::Expansions => {
                let last = others().map(|other| other.passed).min();
                last.map_or(u64::MAX, |last| (last + AHEAD).saturating_sub(own.passed))
            }
            Fair::Time => {
                let last = others().map(Lane::time).min();
                if last.is_none_or(|last| own.time() < last + SLICE) { u64::MAX } else { 0 }
            }
        }
    }

    fn run(&mut self, lane: usize) {
        if self.runner != Some(lane) {
            self.runner = Some(lane);
            self.lanes[lane].since = Some(Instant::now());
        }
    }

    fn stop(&mut self) {
        if let Some(lane) = self.runner.take() {
            self.lanes[lane].ran = self.lanes[lane].time();
            self.lanes[lane].since = None;
        }
    }
}

impl Lane {
    fn time(&self) -> Duration {
        self.ran + self.since.map_or(Duration::ZERO, |since| since.elapsed())
    }
}

/// One contestant's way onto the track.
struct Entrance {
    track: Arc<Track>,
    lane: usize,
}

impl fmt::Debug for Entrance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Entrance({})", self.lane)
    }
}

impl Gate for Entrance {
    fn pass(&self, wanted: u64) -> Option<u64> {
        self.track.pass(self.lane, wanted)
    }

    fn give_back(&self, unused: u64) {
        self.track.lock().lanes[self.lane].passed -= unused;
    }
}

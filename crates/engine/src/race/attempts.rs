//! A race on one thread. A search cannot wait for its turn in the middle: a contestant that has used up its share
//! starts again in the next round, with twice as much. So all are about equally far when time is up, and a search that
//! ends costs at most twice its time. Its counts are those of its last attempt, the same as when it runs alone.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::Duration,
};

use pintu_search::{Counters, Gate, Limits, Stop, clock::Instant};

use super::{Fair, Finish, Race, Running};
use crate::{
    Answer, RequestError, Verdict,
    lock::lock,
    solve::among,
    trace::{Growing, TileTrace},
};

/// Each contestant's share in the first round.
const FIRST_EXPANSIONS: u64 = 1 << 15;
const FIRST_TIME: Duration = Duration::from_millis(50);

impl Race {
    pub(super) fn run_in_attempts(&self) -> Result<Vec<Finish>, RequestError> {
        let mut longest: Vec<Option<Finish>> = vec![None; self.runs.len()];
        for round in 0.. {
            for (run, longest) in self.runs.iter().zip(&mut longest) {
                if lock(&run.finish).is_some() || self.whole.check().is_err() {
                    continue;
                }
                run.has_begun.store(true, Relaxed);
                let (finish, is_over) = self.attempt(run, round)?;
                let is_longer = longest
                    .as_ref()
                    .is_none_or(|before| before.answer.counters.expanded <= finish.answer.counters.expanded);
                if is_over {
                    *lock(&run.finish) = Some(finish.clone());
                }
                if is_over || is_longer {
                    *longest = Some(finish);
                }
            }
            if self.whole.check().is_err() || self.runs.iter().all(|run| lock(&run.finish).is_some()) {
                break;
            }
        }
        self.runs.iter().zip(longest).map(|(run, longest)| self.ended(run, longest)).collect()
    }

    /// Lets a contestant search from the beginning; returns whether the search ended by itself.
    fn attempt(&self, run: &Running, round: u32) -> Result<(Finish, bool), RequestError> {
        let began = Instant::now();
        let attempt = run.control.gated(Limits::none(), Arc::new(Share::of(self.fair, round)));
        let mut growth = self.notes_growth(run).then(Growing::default);
        let trace = growth.as_mut().map(TileTrace::of_growth);
        let mut answer = among(&run.request, &attempt, trace)?;
        answer.seconds = began.elapsed().as_secs_f64();
        let growth = growth.map(|growth| growth.finish(&answer.counters));
        let counted = attempt.counters();
        // Otherwise its share is used up, or the time of the race.
        let is_over = !matches!(attempt.stopped(), Some(Stop::Cancelled | Stop::Time));
        {
            let mut reached = lock(&run.reached);
            if is_over || counted.expanded >= reached.0.expanded {
                *reached = (counted, began.elapsed());
                if let Some(growth) = &growth {
                    run.growth.show(growth.clone());
                }
            }
        }
        if !is_over {
            run.control.forget(&counted);
        }
        Ok((Finish { contestant: run.contestant, answer, growth }, is_over))
    }

    /// How a contestant ended: by itself, or when the race did.
    fn ended(&self, run: &Running, longest: Option<Finish>) -> Result<Finish, RequestError> {
        let why = self.whole.stopped().unwrap_or(Stop::Cancelled);
        let Some(mut finish) = longest else {
            let answer = Answer::unanswered(&run.request, why)?;
            return Ok(Finish { contestant: run.contestant, answer, growth: None });
        };
        if let (None, Verdict::Limit { why: reason, .. }) = (&*lock(&run.finish), &mut finish.answer.verdict) {
            *reason = why;
        }
        *lock(&run.finish) = Some(finish.clone());
        Ok(finish)
    }
}

impl Running {
    /// The counts of the longest attempt, the running one included.
    pub(super) fn longest(&self) -> (Counters, Duration) {
        let (now, reached) = (self.control.counters(), *lock(&self.reached));
        if now.expanded > reached.0.expanded { (now, reached.1) } else { reached }
    }
}

/// The share of an attempt.
#[derive(Debug)]
enum Share {
    Expansions(AtomicU64),
    Until(Option<Instant>),
}

impl Share {
    fn of(fair: Fair, round: u32) -> Self {
        match fair {
            Fair::Expansions => {
                Self::Expansions(AtomicU64::new(FIRST_EXPANSIONS.checked_shl(round).unwrap_or(u64::MAX)))
            }
            Fair::Time => Self::Until(Instant::now().checked_add(FIRST_TIME.saturating_mul(1 << round.min(30)))),
        }
    }
}

impl Gate for Share {
    fn pass(&self, wanted: u64) -> Option<u64> {
        match self {
            Self::Expansions(left) => {
                let passed = wanted.min(left.load(Relaxed));
                left.fetch_sub(passed, Relaxed);
                (passed > 0).then_some(passed)
            }
            Self::Until(_) => (!self.is_over()).then_some(wanted),
        }
    }

    fn give_back(&self, unused: u64) {
        if let Self::Expansions(left) = self {
            left.fetch_add(unused, Relaxed);
        }
    }

    fn is_over(&self) -> bool {
        match self {
            Self::Expansions(left) => left.load(Relaxed) == 0,
            Self::Until(end) => end.is_some_and(|end| Instant::now() >= end),
        }
    }
}

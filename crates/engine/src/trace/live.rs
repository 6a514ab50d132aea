//! The growth of a search, seen from outside while it goes on.

use std::{
    collections::HashMap,
    mem,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
};

use super::Growth;

/// So many depths or bounds are told at a time.
pub(crate) const NEWS: usize = 64;

/// Between a search, which shows where it stands when it is asked to, and whoever wants to be told what is new. A search that
/// nobody looks at has no more to do than to see that.
#[derive(Debug, Default)]
pub(crate) struct Live {
    is_wanted: AtomicBool,
    shown: Mutex<Shown>,
}

#[derive(Debug, Default)]
struct Shown {
    now: Vec<Growth>,
    /// What was told last of each bound: states taken up and produced there. (The key is the number's bits.)
    told: HashMap<u64, (u64, u64)>,
    /// Where telling goes on: what has no room this time comes first the next.
    next: usize,
}

impl Live {
    /// Whether somebody has looked since it was last shown.
    #[inline]
    pub(crate) fn is_wanted(&self) -> bool {
        self.is_wanted.load(Relaxed)
    }

    /// This is where the search stands.
    #[cold]
    pub(crate) fn show(&self, now: Vec<Growth>) {
        self.is_wanted.store(false, Relaxed);
        self.lock().now = now;
    }

    /// What is new or has changed of what was shown since this was last asked, [`NEWS`] depths or bounds at most; has the search
    /// show where it stands by the next time.
    pub(crate) fn news(&self) -> Vec<Growth> {
        self.is_wanted.store(true, Relaxed);
        let mut shown = self.lock();
        let Shown { now, told, next } = &mut *shown;
        let from = mem::take(next).min(now.len());
        let mut news = Vec::new();
        for at in (from..now.len()).chain(0..from) {
            if news.len() == NEWS {
                *next = at;
                break;
            }
            let one = now[at];
            let counts = (one.expanded, one.generated);
            if told.insert(one.bound.to_bits(), counts) != Some(counts) {
                news.push(one);
            }
        }
        news
    }

    fn lock(&self) -> MutexGuard<'_, Shown> {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn growth(bound: usize, expanded: u64) -> Growth {
        Growth { bound: bound as f64, expanded, generated: 2 * expanded }
    }

    #[test]
    fn what_is_new_is_told_once_and_nothing_is_left_out() {
        let live = Live::default();
        assert!(!live.is_wanted() && live.news().is_empty() && live.is_wanted());
        let mut now: Vec<Growth> = (0..NEWS * 3 / 2).map(|bound| growth(bound, 1)).collect();
        live.show(now.clone());
        assert!(!live.is_wanted(), "it is shown once for each time that somebody looks");
        assert_eq!(live.news(), now[..NEWS]);
        // The first ones change again and again: the others are told all the same.
        now[..NEWS].iter_mut().for_each(|one| one.expanded += 1);
        live.show(now.clone());
        let (mut told, rest) = (live.news(), NEWS / 2);
        assert_eq!((told.len(), &told[..rest]), (NEWS, &now[NEWS..]));
        told.extend(live.news());
        assert_eq!(told.len(), now.len());
        assert!(live.news().is_empty());
    }
}

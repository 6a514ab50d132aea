//! The rankings of the daily puzzle. A whole class may ask for them at once: they are made of the store's results at most
//! every few seconds, except for a player whose own result is newer.

use std::{
    cmp::Reverse,
    collections::HashMap,
    ops::RangeInclusive,
    sync::Arc,
    time::{Duration, Instant},
};

use pintu_game::{Day, Score};
use schemars::JsonSchema;
use serde::Serialize;
use tokio::sync::Mutex;

use crate::store::{DailyResult, Store, StoreError};

/// How many a ranking shows from the first on.
const FIRST_RANKS: usize = 10;
/// How many a ranking shows before and after the player.
const NEAR_RANKS: usize = 2;

/// How old a ranking may be that is shown to others than those whose results are not in it.
pub(crate) const MAX_AGE: Duration = Duration::from_secs(3);
/// Ranges of days whose rankings are kept.
const MAX_KEPT: usize = 8;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RankedBy {
    Time,
    Moves,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Ranking {
    pub(crate) players: u64,
    /// The first [`FIRST_RANKS`], and [`NEAR_RANKS`] on each side of the player, in order and each once.
    pub(crate) ranks: Vec<Rank>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct Rank {
    /// From 1 on; players who are equal share a place.
    pub(crate) place: u64,
    pub(crate) nickname: Option<String>,
    pub(crate) days: u64,
    #[serde(flatten)]
    pub(crate) score: Score,
    pub(crate) is_own: bool,
}

pub(crate) struct Rankings {
    max_age: Duration,
    kept: Mutex<HashMap<RangeInclusive<Day>, Cached>>,
}

/// Standings, and when they were made.
type Cached = (Instant, Arc<Standings>);

impl Rankings {
    pub(crate) fn new(max_age: Duration) -> Self {
        Self { max_age, kept: Mutex::default() }
    }

    /// The standings of some days. The player's own result is in them as it is now: its days and their score, if it has any.
    pub(crate) async fn of(
        &self,
        store: &dyn Store,
        days: RangeInclusive<Day>,
        player: &str,
        own: Option<(u64, Score)>,
    ) -> Result<Arc<Standings>, StoreError> {
        // Concurrent requests wait for the lock, and get the same standings.
        let mut kept = self.kept.lock().await;
        let known = kept.get(&days).filter(|(made, _)| made.elapsed() < self.max_age);
        if let Some((_, standings)) = known.filter(|(_, standings)| own.is_none() || standings.result(player) == own) {
            return Ok(Arc::clone(standings));
        }
        let standings = Arc::new(Standings::new(store.results(days.clone()).await?));
        if kept.len() >= MAX_KEPT {
            kept.clear();
        }
        kept.insert(days, (Instant::now(), Arc::clone(&standings)));
        Ok(standings)
    }
}

/// All players with a result, in both orders; banned players have a result, but no rank.
pub(crate) struct Standings {
    time: Vec<Placed>,
    moves: Vec<Placed>,
    results: HashMap<String, (u64, Score)>,
}

struct Placed {
    place: u64,
    result: Arc<DailyResult>,
}

impl Standings {
    pub(crate) fn new(results: Vec<DailyResult>) -> Self {
        let results: Vec<Arc<DailyResult>> = results.into_iter().map(Arc::new).collect();
        let by_time = |result: &DailyResult| (result.score.millis, result.score.moves as u64);
        let by_moves = |result: &DailyResult| (result.score.moves as u64, result.score.millis);
        Self {
            time: placed(&results, by_time),
            moves: placed(&results, by_moves),
            results: results.iter().map(|one| (one.player.clone(), (one.days, one.score))).collect(),
        }
    }

    fn result(&self, player: &str) -> Option<(u64, Score)> {
        self.results.get(player).copied()
    }

    /// The ranking as a player sees it: more days first, then less time, or fewer moves.
    pub(crate) fn ranking(&self, by: RankedBy, player: &str) -> Ranking {
        let lines = match by {
            RankedBy::Time => &self.time,
            RankedBy::Moves => &self.moves,
        };
        let own = self.result(player).and_then(|_| lines.iter().position(|line| line.result.player == player));
        let is_shown = |at: usize| at < FIRST_RANKS || own.is_some_and(|own| at.abs_diff(own) <= NEAR_RANKS);
        let rank = |(at, line): (usize, &Placed)| {
            let DailyResult { nickname, days, score, .. } = &*line.result;
            let (nickname, days, score) = (nickname.clone(), *days, *score);
            Rank { place: line.place, nickname, days, score, is_own: Some(at) == own }
        };
        let shown = lines.iter().enumerate().filter(|(at, _)| is_shown(*at));
        Ranking { players: lines.len() as u64, ranks: shown.map(rank).collect() }
    }
}

fn placed(results: &[Arc<DailyResult>], score: impl Fn(&DailyResult) -> (u64, u64)) -> Vec<Placed> {
    let key = |result: &DailyResult| (Reverse(result.days), score(result));
    let mut sorted: Vec<_> = results.iter().filter(|result| !result.is_banned).cloned().collect();
    sorted.sort_by(|one, other| (key(one), &one.player).cmp(&(key(other), &other.player)));
    let mut placed: Vec<Placed> = Vec::with_capacity(sorted.len());
    for result in sorted {
        let equal = placed.last().filter(|before| key(&before.result) == key(&result));
        let place = equal.map_or(placed.len() as u64 + 1, |before| before.place);
        placed.push(Placed { place, result });
    }
    placed
}

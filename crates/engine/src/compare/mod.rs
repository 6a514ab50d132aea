//! The same puzzles under several algorithms, side by side.

mod contestant;
mod summary;

use std::{sync::Arc, time::Duration};

use pintu_search::{Control, Hold, Stop};
use pintu_solver::{
    Tables,
    internals::has_room_for,
    store::{Extent, Key, TableSource},
};
use pintu_tiles::{Direction, Moves, Notation, Puzzle};
use serde::Serialize;

use crate::{
    Algorithm, Answer, Record, Request, RequestError, auto,
    device::{Device, check_gpu},
    solve::among,
    trace::Growth,
};
pub use contestant::{Contestant, ContestantError};
pub use summary::{Averages, Numbers, Spread, Spreads, Summary};

/// The time that a contestant has for a board unless the request says otherwise.
pub const DEFAULT_TIME_LIMIT: Duration = Duration::from_secs(10);

/// A contestant's answers. Two loops make entries: [`compare`] lets one contestant after another run alone, so that
/// their times are comparable, and [`Series`](crate::Series) runs them side by side, board by board.
#[derive(Clone, Debug)]
pub struct Entry {
    pub contestant: Contestant,
    /// Its answers, board by board; at least one.
    pub answers: Vec<Answer>,
    /// The number of boards after those, which it was not given.
    pub unanswered: usize,
}

/// The answer of a contestant as it is written to JSON.
#[derive(Clone, Debug, Serialize)]
pub struct EntryRecord<'a> {
    /// The contestant's name, as in `wastar:manhattan:5`.
    pub contestant: String,
    #[serde(flatten)]
    pub record: Record<'a>,
    /// For a race: each depth or bound, with the states expanded and generated there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub growth: Option<&'a [Growth]>,
}

impl Entry {
    pub(crate) fn new(contestant: Contestant, boards: usize) -> Self {
        Self { contestant, answers: Vec::new(), unanswered: boards }
    }

    /// Adds the answer to the next board, whose request is given. Without memory for them, its moves are dropped.
    pub(crate) fn add(&mut self, answer: Answer, request: &Request, hold: &mut Hold) -> Result<(), RequestError> {
        let moves = answer.moves().map_or(0, Moves::len) * size_of::<Direction>();
        let answer = match hold.more((size_of::<Answer>() + moves) as u64) {
            Ok(()) => answer,
            Err(why) => Answer::unanswered(request, why)?,
        };
        self.answers.push(answer);
        self.unanswered -= 1;
        Ok(())
    }

    /// The first answer as it is written to JSON.
    pub fn record(&self, notation: Notation) -> Option<EntryRecord<'_>> {
        let record = self.answers.first()?.record(notation);
        Some(EntryRecord { contestant: self.contestant.to_string(), record, growth: None })
    }

    pub fn summary(&self) -> Option<Summary> {
        Summary::of(self)
    }
}

#[derive(Clone, Debug)]
pub struct Attempt {
    pub contestant: Contestant,
    /// The number of the board, from 0.
    pub board: usize,
    /// The control of the attempt, which has its progress.
    pub control: Control,
}

/// Lets every contestant solve every puzzle, within the limits of `request` for each ([`DEFAULT_TIME_LIMIT`], if it
/// names no time). `watch` is called before each attempt.
///
/// The tables that a contestant needs are built before its time begins. If the control is cancelled, the current
/// attempt is answered as [cancelled](Answer::unanswered), and the remaining ones are only counted, because there may
/// be very many: every contestant has an answer and the number of puzzles. Answers count towards the control's memory;
/// one for which there is no memory is answered as stopped by the memory limit.
pub fn compare(
    request: &Request,
    puzzles: &[Puzzle],
    contestants: &[Contestant],
    control: &Control,
    watch: &mut dyn FnMut(Attempt),
) -> Result<Vec<Entry>, RequestError> {
    for (contestant, like) in contestants.iter().flat_map(|one| alike(puzzles).map(move |like| (one, like))) {
        contestant.admit(&Request { puzzle: like.clone(), ..request.clone() })?;
    }
    if request.device == Device::Gpu && contestants.iter().any(|one| one.algorithm == Algorithm::Auto) {
        alike(puzzles).try_for_each(check_gpu)?;
    }
    let mut hold = control.hold();
    let mut entries = Vec::new();
    for contestant in contestants {
        let mut entered = contestant.enter(request);
        entered.limits.time.get_or_insert(DEFAULT_TIME_LIMIT);
        let mut entry = Entry::new(*contestant, puzzles.len());
        for (board, puzzle) in puzzles.iter().enumerate() {
            let is_cancelled = || control.cancel_switch().is_cancelled();
            if is_cancelled() && board > 0 {
                break;
            }
            entered.puzzle = puzzle.clone();
            if !is_cancelled() {
                drop(prepare(&entered, control, 0));
            }
            // The contestant's clock starts here.
            let part = control.part(entered.limits);
            if !is_cancelled() {
                watch(Attempt { contestant: *contestant, board, control: part.clone() });
            }
            let answer = if is_cancelled() {
                Answer::unanswered(&entered, Stop::Cancelled)?
            } else {
                among(&entered, &part, None)?
            };
            entry.add(answer, &entered, &mut hold)?;
        }
        entries.push(entry);
    }
    Ok(entries)
}

/// One puzzle of each kind of board: a request that is valid for it is valid for others of its kind.
fn alike(puzzles: &[Puzzle]) -> impl Iterator<Item = &Puzzle> {
    puzzles.chunk_by(|one, next| one.topology() == next.topology()).filter_map(<[Puzzle]>::first)
}

/// The tables that a request will use: the small set, and the large one if it is on disk and leaves `to_spare` bytes.
pub(crate) fn prepare(request: &Request, control: &Control, to_spare: u64) -> Vec<Arc<Tables>> {
    let small = Key::of(&request.puzzle, Extent::Small);
    if !auto::wants_tables(request) || !has_room_for(small, &request.tables, control).is_ok_and(|is_room| is_room) {
        return Vec::new();
    }
    // If a set cannot be built, the search reports it.
    let made = request.tables.make(small, request.threads, control);
    let large = Key { extent: Extent::Large, ..small };
    let has_room = |bytes: u64| control.has_room(bytes.saturating_add(to_spare));
    let is_readable = request.algorithm == Algorithm::Auto && request.tables.readable(large).is_some_and(has_room);
    let read = if is_readable { request.tables.read(large) } else { None };
    made.into_iter().chain(read).collect()
}

#[cfg(test)]
mod tests {
    use pintu_search::Limits;

    use super::*;
    use crate::fixtures::scrambled;

    #[test]
    fn answers_count_towards_the_memory() {
        let puzzles: Vec<Puzzle> = scrambled(3, 3, 1).take(20).collect();
        let request = Request::new(puzzles[0].clone(), Algorithm::Auto);
        let contestants = [Algorithm::Greedy, Algorithm::Wastar].map(Contestant::new);
        let run = |memory| {
            let control = Control::new(Limits::none().memory(memory));
            let mut held = Vec::new();
            let entries = compare(&request, &puzzles, &contestants, &control, &mut |_| held.push(control.held()));
            assert_eq!(control.held(), 0);
            (entries.unwrap(), held)
        };
        let (entries, held) = run(None);
        let bytes = |answer: &Answer| (size_of::<Answer>() + answer.moves().unwrap().len()) as u64;
        let all: Vec<u64> = entries.iter().flat_map(|entry| &entry.answers).map(bytes).collect();
        assert!(held.iter().enumerate().all(|(at, &held)| held == all[..at].iter().sum::<u64>()), "{held:?} {all:?}");
        // Every board has an answer, though there is no memory for the last ones.
        let most = held[30];
        let (entries, held) = run(Some(most));
        assert!(entries.iter().all(|entry| (entry.answers.len(), entry.unanswered) == (20, 0)));
        assert!(held[39] <= most);
        assert_eq!(entries[1].answers[19].reason().as_deref(), Some("memory"));
    }
}

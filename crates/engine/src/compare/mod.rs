//! The same puzzles under several algorithms, side by side.

mod contestant;
mod summary;

use std::time::Duration;

use pintu_search::{Control, Stop};
use pintu_solver::{
    is_room_for,
    tables::{Extent, Key},
};
use pintu_tiles::{Notation, Puzzle};
use serde::Serialize;

use crate::{
    Algorithm, Answer, Record, Request, RequestError, auto,
    device::{Device, check_gpu},
    solve::among,
};
pub use contestant::{Contestant, ContestantError};
pub use summary::{Averages, Numbers, Spread, Spreads, Summary};

/// The time that a contestant has for a board unless somebody says otherwise.
pub const USUAL_PATIENCE: Duration = Duration::from_secs(10);

/// One contestant and its answers.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Who it is.
    pub contestant: Contestant,
    /// What it found, board by board; one answer at least.
    pub answers: Vec<Answer>,
    /// The boards after those, which it did not come to because somebody cancelled.
    pub unanswered: usize,
}

/// The answer of a contestant as it is written to JSON.
#[derive(Clone, Debug, Serialize)]
pub struct EntryRecord {
    /// What was asked for, as in `wastar:manhattan:5`.
    pub contestant: String,
    /// What came of it.
    #[serde(flatten)]
    pub record: Record,
}

impl Entry {
    /// The first answer as it is written to JSON.
    pub fn record(&self, notation: Notation) -> Option<EntryRecord> {
        let record = self.answers.first()?.record(notation);
        Some(EntryRecord { contestant: self.contestant.to_string(), record })
    }

    /// What the contestant needed on average.
    pub fn summary(&self) -> Option<Summary> {
        Summary::of(self)
    }
}

/// A contestant's turn at a board.
#[derive(Clone, Debug)]
pub struct Turn {
    /// Whose.
    pub contestant: Contestant,
    /// At which board, from 0.
    pub board: usize,
    /// Knows how far it has come.
    pub control: Control,
}

/// Lets every contestant solve every puzzle, within the limits of `request` for each ([`USUAL_PATIENCE`], if it
/// names no time). Before each turn, `watch` is told of it.
///
/// The tables that a contestant needs are built before its time begins. If somebody cancels, that turn is answered as
/// [cancelled](Answer::unanswered), and those that are left are only counted, for there may be very many: every contestant
/// has an answer, and knows how many puzzles there are.
pub fn compare(
    request: &Request,
    puzzles: &[Puzzle],
    contestants: &[Contestant],
    control: &Control,
    watch: &mut dyn FnMut(Turn),
) -> Result<Vec<Entry>, RequestError> {
    for (contestant, like) in contestants.iter().flat_map(|one| alike(puzzles).map(move |like| (one, like))) {
        contestant.admit(&Request { puzzle: like.clone(), ..request.clone() })?;
    }
    if request.device == Device::Gpu && contestants.iter().any(|one| one.algorithm == Algorithm::Auto) {
        alike(puzzles).try_for_each(check_gpu)?;
    }
    let mut entries = Vec::new();
    for contestant in contestants {
        let mut entered = contestant.enter(request);
        entered.limits.time.get_or_insert(USUAL_PATIENCE);
        let mut answers = Vec::with_capacity(puzzles.len());
        for (board, puzzle) in puzzles.iter().enumerate() {
            let is_cancelled = control.cancel_switch().is_cancelled();
            if is_cancelled && !answers.is_empty() {
                break;
            }
            entered.puzzle = puzzle.clone();
            if is_cancelled {
                answers.push(Answer::unanswered(&entered, Stop::Cancelled)?);
                break;
            }
            prepare(&entered, control);
            let part = control.part(entered.limits);
            watch(Turn { contestant: *contestant, board, control: part.clone() });
            answers.push(if control.cancel_switch().is_cancelled() {
                Answer::unanswered(&entered, Stop::Cancelled)?
            } else {
                among(&entered, &part, None)?
            });
        }
        let unanswered = puzzles.len() - answers.len();
        entries.push(Entry { contestant: *contestant, answers, unanswered });
    }
    Ok(entries)
}

/// A puzzle of each kind of board: what can be asked of one can be asked of the others.
fn alike(puzzles: &[Puzzle]) -> impl Iterator<Item = &Puzzle> {
    puzzles.chunk_by(|one, next| one.topology() == next.topology()).filter_map(<[Puzzle]>::first)
}

/// Has the tables in hand that a request will look at: the small set, and the large one if it is there.
pub(crate) fn prepare(request: &Request, control: &Control) {
    let small = Key::of(&request.puzzle, Extent::Small);
    if !auto::wants_tables(request) || !is_room_for(small, &request.tables, control).is_ok_and(|is_room| is_room) {
        return;
    }
    // What cannot be built, the search itself will report.
    let _ = request.tables.make(small, request.threads, control, &mut |_| ());
    let large = Key { extent: Extent::Large, ..small };
    let has_room = |bytes| control.has_room(bytes);
    if request.algorithm == Algorithm::Auto && request.tables.on_disk(large).is_some_and(has_room) {
        let _ = request.tables.ready(large);
    }
}

use std::sync::{Arc, Mutex};

use pintu_search::{Control, Limits, Stop};
use pintu_tiles::Puzzle;

use super::{Fair, Race, RaceRow};
use crate::{Answer, Contestant, Entry, Request, RequestError, lock::lock};

/// A race at each of several boards, for averages.
#[derive(Debug)]
pub struct Series {
    request: Request,
    puzzles: Vec<Puzzle>,
    contestants: Vec<Contestant>,
    fair: Fair,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    race: Option<Arc<Race>>,
    /// Each contestant's answers to the boards before.
    entries: Vec<Entry>,
}

impl Series {
    /// A series at boards of which there is at least one. The limits of `request` are for all of it, but for nodes, which
    /// are each contestant's at each board.
    pub fn new(
        request: &Request,
        puzzles: Vec<Puzzle>,
        contestants: &[Contestant],
        fair: Fair,
    ) -> Result<Self, RequestError> {
        // A contestant that is refused at one board is refused at any.
        Race::new(request, contestants, fair, &Control::unlimited())?;
        let entry = |contestant: &Contestant| Entry::new(*contestant, puzzles.len());
        let state = State { race: None, entries: contestants.iter().map(entry).collect() };
        let (request, contestants) = (request.clone(), contestants.to_vec());
        Ok(Self { request, puzzles, contestants, fair, state: Mutex::new(state) })
    }

    /// Runs all races, one after the other. When the time is up, the remaining boards are answered as stopped. If the
    /// control is cancelled, the answers are those of the boards that all contestants have done, so that all averages
    /// are of the same boards; the others are only counted. (If there is no such board: the first one, as far as it has
    /// come.)
    pub fn run(&self, control: &Control) -> Result<Vec<Entry>, RequestError> {
        let whole = control.part(self.request.limits.nodes(None));
        let limits = Limits::none().nodes(self.request.limits.nodes);
        // Answers are kept until the last board is done, and some have many moves.
        let mut hold = whole.hold();
        for puzzle in &self.puzzles {
            let request = Request { puzzle: puzzle.clone(), limits, ..self.request.clone() };
            let found = match whole.check() {
                // No race begins once the work has ended.
                Err(why) => self.unanswered(&request, why)?,
                Ok(()) => self.race(&request, &whole)?,
            };
            // Before the lock, because a switch may call code that asks for the rows.
            let is_cancelled = whole.cancel_switch().is_cancelled();
            let mut state = lock(&self.state);
            state.race = None;
            if is_cancelled && state.entries.iter().all(|entry| !entry.answers.is_empty()) {
                break;
            }
            for (entry, answer) in state.entries.iter_mut().zip(found) {
                entry.add(answer, &entry.contestant.enter(&request), &mut hold)?;
            }
            if is_cancelled {
                break;
            }
        }
        Ok(lock(&self.state).entries.clone())
    }

    fn race(&self, request: &Request, whole: &Control) -> Result<Vec<Answer>, RequestError> {
        let race = Arc::new(Race::new(request, &self.contestants, self.fair, whole)?);
        lock(&self.state).race = Some(Arc::clone(&race));
        Ok(race.run()?.into_iter().map(|finish| finish.answer).collect())
    }

    fn unanswered(&self, request: &Request, why: Stop) -> Result<Vec<Answer>, RequestError> {
        self.contestants.iter().map(|contestant| Answer::unanswered(&contestant.enter(request), why)).collect()
    }

    /// Each contestant's progress over all boards.
    pub fn rows(&self) -> Vec<RaceRow> {
        let state = lock(&self.state);
        let now = state.race.as_ref().map(|race| race.rows());
        let row = |(at, entry): (usize, &Entry)| {
            let mut row = RaceRow::of(&entry.contestant, if state.race.is_some() { "running" } else { "waiting" });
            if entry.unanswered == 0 {
                row.status = "done";
            }
            row.boards = Some(entry.answers.len());
            for answer in &entry.answers {
                row.count(&answer.counters, answer.seconds);
            }
            if let Some(now) = now.as_ref().and_then(|rows| rows.get(at)) {
                row.count(&now.counters(), now.seconds);
            }
            row
        };
        state.entries.iter().enumerate().map(row).collect()
    }
}

use std::{
    ops::ControlFlow::{Break, Continue},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use pintu_search::{Control, Limits, Stop};
use pintu_tiles::{Direction, Puzzle};

use super::{Entrant, Fair, Race, RaceRow};
use crate::{Answer, Entry, Request, RequestError};

/// A race at each of several boards, for averages.
#[derive(Debug)]
pub struct Series {
    request: Request,
    puzzles: Vec<Puzzle>,
    entrants: Vec<Entrant>,
    fair: Fair,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// The race at the board in hand.
    race: Option<Arc<Race>>,
    /// What each contestant has found on the boards before.
    answers: Vec<Vec<Answer>>,
}

impl Series {
    /// A series at boards of which there is at least one. The limits of `request` are for all of it, but for nodes, which
    /// are each contestant's at each board.
    pub fn new(
        request: &Request,
        puzzles: Vec<Puzzle>,
        entrants: &[Entrant],
        fair: Fair,
    ) -> Result<Self, RequestError> {
        // A contestant that is impossible is so at any board.
        Race::new(request, entrants, fair, &Control::unlimited())?;
        let state = State { race: None, answers: vec![Vec::new(); entrants.len()] };
        let (request, entrants) = (request.clone(), entrants.to_vec());
        Ok(Self { request, puzzles, entrants, fair, state: Mutex::new(state) })
    }

    /// Runs all races, one after the other. If the time is up, the boards that are left are answered so. If somebody cancels,
    /// the answers are those of the boards that all have done, and the others are only counted: an average of the same
    /// boards for everybody. (Where there is no such board, the first one is answered as far as it has come.)
    pub fn run(&self, control: &Control) -> Result<Vec<Entry>, RequestError> {
        let whole = control.part(Limits { nodes: None, ..self.request.limits });
        let limits = Limits { nodes: self.request.limits.nodes, ..Limits::default() };
        // Answers are kept until the last board is done, and some have many moves.
        let mut hold = whole.hold();
        for puzzle in &self.puzzles {
            let request = Request { puzzle: puzzle.clone(), limits, ..self.request.clone() };
            let found = match whole.check() {
                // Nothing is begun for boards that nobody will see to.
                Break(why) => self.unanswered(&request, why)?,
                Continue(()) => self.race(&request, &whole)?,
            };
            let mut state = self.lock();
            state.race = None;
            let is_cancelled = whole.cancel_switch().is_cancelled();
            if is_cancelled && state.answers.iter().all(|answers| !answers.is_empty()) {
                break;
            }
            for (lane, answer) in found.into_iter().enumerate() {
                let kept = match hold.more(bytes_of(&answer)) {
                    Continue(()) => answer,
                    Break(why) => Answer::unanswered(&self.entrants[lane].contestant.enter(&request), why)?,
                };
                state.answers[lane].push(kept);
            }
            if is_cancelled {
                break;
            }
        }
        let answers = self.lock().answers.clone();
        let entry = |(entrant, answers): (&Entrant, Vec<Answer>)| {
            let unanswered = self.puzzles.len() - answers.len();
            Entry { contestant: entrant.contestant, answers, unanswered }
        };
        Ok(self.entrants.iter().zip(answers).map(entry).collect())
    }

    fn race(&self, request: &Request, whole: &Control) -> Result<Vec<Answer>, RequestError> {
        let race = Arc::new(Race::new(request, &self.entrants, self.fair, whole)?);
        self.lock().race = Some(Arc::clone(&race));
        Ok(race.run()?.into_iter().map(|finish| finish.answer).collect())
    }

    fn unanswered(&self, request: &Request, why: Stop) -> Result<Vec<Answer>, RequestError> {
        self.entrants.iter().map(|entrant| Answer::unanswered(&entrant.contestant.enter(request), why)).collect()
    }

    /// How far each contestant has come: all boards together.
    pub fn rows(&self) -> Vec<RaceRow> {
        let state = self.lock();
        let now = state.race.as_ref().map(|race| race.rows());
        let row = |(lane, (entrant, answers)): (usize, (&Entrant, &Vec<Answer>))| {
            let mut row = RaceRow::of(&entrant.contestant, if state.race.is_some() { "running" } else { "waiting" });
            if answers.len() == self.puzzles.len() {
                row.status = "done";
            }
            row.boards = Some(answers.len());
            for answer in answers {
                row.count(&answer.counters, answer.seconds);
            }
            if let Some(now) = now.as_ref().and_then(|rows| rows.get(lane)) {
                row.count(&now.counters(), now.seconds);
            }
            row
        };
        self.entrants.iter().zip(&state.answers).enumerate().map(row).collect()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The memory that an answer takes.
fn bytes_of(answer: &Answer) -> u64 {
    (size_of::<Answer>() + answer.moves().map_or(0, |moves| moves.len() * size_of::<Direction>())) as u64
}

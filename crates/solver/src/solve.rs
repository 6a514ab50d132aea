//! The one entrance: chooses searches that suit a board and its budget.

use std::{sync::Arc, time::Duration};

use pintu_search::{Control, Counters, Limits, Stop};
use pintu_tiles::{Kind, Moves, Puzzle, Unsolvable};

use crate::{
    anytime::{anytime, slide},
    beam::{BEAM_BYTES, improve_telling},
    budget::{self, count_start},
    rounds::deepen,
    solved::{BestKnown, FoundBy, Solved},
    tables::{BuildError, Extent, Key, Pattern, TableSource, Tables, can_build},
    views::Options,
};

/// Options of [`solve`]. The defaults: one thread, no tables, nothing known, no reports.
pub struct SolveOptions<'a> {
    /// The number of threads.
    pub threads: usize,
    /// The source of pattern tables. Without tables, beams do all the work.
    pub tables: Option<&'a dyn TableSource>,
    /// The incumbent and the bound that are known already: only what is better counts.
    pub known: BestKnown,
    /// Called with each solution that is shorter than those before it, and with the bound.
    pub on_better: &'a mut dyn FnMut(&Moves, u32),
}

impl Default for SolveOptions<'_> {
    fn default() -> Self {
        // A closure without captures has no size, so that nothing is leaked.
        let on_better = Box::leak(Box::new(|_: &Moves, _: u32| {}));
        Self { threads: 1, tables: None, known: BestKnown::default(), on_better }
    }
}

impl<'a> SolveOptions<'a> {
    /// The defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the number of threads.
    #[must_use]
    pub fn threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    /// Sets where pattern tables come from.
    #[must_use]
    pub fn tables(self, tables: &'a dyn TableSource) -> Self {
        Self { tables: Some(tables), ..self }
    }

    /// Sets what is known already.
    #[must_use]
    pub fn known(self, known: BestKnown) -> Self {
        Self { known, ..self }
    }

    /// Sets what is called with each solution that is shorter than those before it, and with the bound.
    #[must_use]
    pub fn on_better(self, on_better: &'a mut dyn FnMut(&Moves, u32)) -> Self {
        Self { on_better, ..self }
    }
}

/// Why [`solve`] did not begin.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SolveError {
    /// The puzzle has no solution.
    #[error(transparent)]
    Unsolvable(#[from] Unsolvable),
    /// The incumbent it was given is no solution.
    #[error("found {0} moves as the known solution that do not solve the puzzle, expected moves that do")]
    Incumbent(usize),
}

/// Boards with more cells are too hard to solve optimally, with tables or without.
const MAX_TABLE_CELLS: usize = 36;
/// Boards with more cells are too large for beams on tables to be fast.
const MAX_TABLE_BEAM_CELLS: usize = 26;
/// With less time than this, tables may find no solution even where they are sure to in the end: a share of it goes into
/// a search without them.
const HEDGED_TIME: Duration = Duration::from_millis(500);
const HEDGE_SHARE: f64 = 0.3;
/// The share of the budget for a first solution where tables may come too late for a better one.
const SLOW_TABLES_FIRST_SHARE: f64 = 0.5;
/// The share of the time that building tables may be expected to take, and that it is given before it is given up, as
/// the expectation may be wrong. Where beams do not use tables, tables serve proofs alone: they may not cost so much that
/// twice the time gives a longer solution.
const EXPECTED_BUILD_SHARE: f64 = 0.3;
const MAX_BUILD_SHARE: f64 = 0.5;
const EXPECTED_BUILD_SHARE_FOR_PROOFS: f64 = 0.1;
const MAX_BUILD_SHARE_FOR_PROOFS: f64 = 0.15;
/// Where tables serve proofs alone: the most moves that the first beams' solution may be above the bound without tables
/// for a proof to be likely.
const MAX_PROOF_GAP: u32 = 20;
/// With less time than this, estimating the build time is not worth its time.
const MIN_BUILD_TIME: Duration = Duration::from_millis(5);
/// The nodes of small tables before the large ones are read, which need a tenth of the nodes.
const NODES_BEFORE_LARGE: u64 = 20_000;
/// The nodes, and the share of the budget, of large tables before anything else is tried.
const LARGE_NODES: u64 = 30_000_000;
const LARGE_SHARE: f64 = 0.2;
/// Bytes of tables that are read and checked in a second, the time that layouts and the automaton of a larger board take
/// besides, and the share of the time that all this may take.
const READ_BYTES_A_SECOND: f64 = 1e9;
const LAYOUT_TIME: Duration = Duration::from_millis(20);
const READ_SHARE: f64 = 0.25;
/// The share of the budget for a good solution before the search for an optimal one, where that is likely to succeed, and
/// where it is not.
const LIKELY_PROOF_SHARE: f64 = 0.5;
const UNLIKELY_PROOF_SHARE: f64 = 0.9;

/// The start, as searches count it.
const START: Counters = Counters::new(0, 1);

/// Whether pattern tables pay for a puzzle, where there is time and room for them.
pub fn tables_pay(puzzle: &Puzzle) -> bool {
    puzzle.size().cells() <= MAX_TABLE_CELLS
}

/// Solves a puzzle as well as the control allows: a solution soon, then better ones, until one is proved to be optimal, the
/// control stops it, or nothing is left to try.
///
/// Small tables come first. They are built unless that would take more than a small share of the time (or even then,
/// where the board is sure to be solved with them, and only with them), and on boards of more than 26 cells unless the
/// first beams end far above the bound: then beams have all of the budget, and tables come when those have no more to try. If they do not solve the puzzle soon, large
/// tables are read, if there are any; they are never built unasked. If those do not solve it soon either, beams look
/// for a good solution, and IDA* has the rest. Without tables, beams have the whole budget. Lines and rings take no search.
///
/// The states expanded do not depend on what was solved before: tables that are there already only save time.
///
/// # Panics
/// If a search contradicts another, or the bound that is said to be known, which would be a mistake of the solver or of
/// the caller.
pub fn solve(puzzle: &Puzzle, control: &Control, options: SolveOptions<'_>) -> Result<Solved, SolveError> {
    puzzle.solvable()?;
    if let Some(moves) = options.known.moves().filter(|moves| !puzzle.is_solved_by(moves)) {
        return Err(SolveError::Incumbent(moves.len()));
    }
    if matches!(puzzle.topology().kind(), Kind::Line | Kind::Ring) {
        return Ok(slide_to_goal(puzzle, control, options));
    }
    // Taken apart so that its lifetime may be shorter.
    let SolveOptions { threads, tables, known, on_better } = options;
    let mut solving = Solving::new(puzzle, control, SolveOptions { threads, tables, known, on_better });
    solving.run();
    solving.ensure_solution();
    let Solving { known, by, refused, .. } = solving;
    let stopped = if known.is_proved() { None } else { control.check().err().or(refused) };
    Ok(Solved { known, stopped, by })
}

/// Solves a line or a ring, where the blank can go in one direction, or in two.
fn slide_to_goal(puzzle: &Puzzle, control: &Control, options: SolveOptions<'_>) -> Solved {
    let SolveOptions { mut known, on_better, .. } = options;
    count_start(control);
    let moves = slide(puzzle);
    let length = moves.len() as u32;
    let is_better = known.offer(moves);
    known.raise(length);
    if let Some(moves) = known.moves().filter(|_| is_better) {
        on_better(moves, length);
    }
    Solved { known, stopped: None, by: if is_better { FoundBy::Construction } else { FoundBy::Nothing } }
}

/// Whether [`solve`] may use a puzzle's small tables under this control, made if need be.
pub fn uses_tables(puzzle: &Puzzle, source: &dyn TableSource, control: &Control, threads: usize) -> bool {
    let solving = Solving::new(puzzle, control, SolveOptions::new().threads(threads));
    solving.access(source, Key::of(puzzle, Extent::Small)).is_some()
}

struct Solving<'a> {
    puzzle: &'a Puzzle,
    source: Option<&'a dyn TableSource>,
    control: &'a Control,
    threads: usize,
    known: BestKnown,
    by: FoundBy,
    /// The limit that stopped the last search.
    refused: Option<Stop>,
    /// Whether a search has counted the start.
    has_begun: bool,
    /// The length of a solution that was reported but is not used by later searches.
    told: usize,
    hedge: Option<(Solved, Counters)>,
    on_better: &'a mut dyn FnMut(&Moves, u32),
}

impl<'a> Solving<'a> {
    fn new(puzzle: &'a Puzzle, control: &'a Control, options: SolveOptions<'a>) -> Self {
        let SolveOptions { threads, tables: source, known, on_better } = options;
        Self {
            puzzle,
            source,
            control,
            threads: threads.max(1),
            known,
            by: FoundBy::Nothing,
            refused: None,
            has_begun: false,
            told: usize::MAX,
            hedge: None,
            on_better,
        }
    }

    fn run(&mut self) {
        let small = Key::of(self.puzzle, Extent::Small);
        let access = self.source.and_then(|source| Some((source, self.access(source, small)?)));
        let Some((source, access)) = access else { return self.beams(&Limits::default()) };
        if let Some(time) = self.control.time_left() {
            // The bytes of tables in memory count during other searches, too.
            let mut hold = self.control.hold();
            if let TableAccess::InHand(tables) = &access {
                let _ = hold.more(tables.uncharged_bytes());
            }
            // A budget that ends early needs a solution: a good one, if it may end before there are tables.
            match access {
                TableAccess::MakeSlowly => self.beams(&budget::share(self.control, SLOW_TABLES_FIRST_SHARE)),
                // Tables will find a better solution soon; then the counts are those without a time limit.
                _ if self.is_sure() && time < HEDGED_TIME => self.hedge(),
                TableAccess::InHand(_) if self.is_sure() => {}
                TableAccess::Make if self.is_sure() => self.report_first(),
                TableAccess::InHand(_) | TableAccess::Make => self.beams(&budget::first(self.control)),
            }
        }
        let are_beams_first = !self.beams_use_tables() && !self.is_proof_likely();
        if are_beams_first {
            self.beams(&Limits::default());
        }
        if !self.beams_use_tables() && self.is_over() {
            return;
        }
        let Ok(tables) = self.tables(source, access, small) else { return self.beams(&Limits::default()) };
        let large = Key::of(self.puzzle, Extent::Large);
        let can_read = self.can_read(source, large);
        let quick = budget::quick(self.control, if can_read { NODES_BEFORE_LARGE } else { budget::QUICK_NODES });
        // Where beams use tables, rounds with that node limit take no longer than that.
        let time = quick.time.filter(|_| !self.beams_use_tables());
        self.on_tables(FoundBy::Rounds, &tables, &quick.time(time));
        if self.is_over() {
            return;
        }
        let large = if can_read { source.read(large) } else { None };
        // A search holds the bytes of its own tables; the small ones are still in memory.
        let mut hold = self.control.hold();
        if let Some(large) = &large {
            let _ = hold.more(tables.uncharged_bytes());
            let soon = budget::share_up_to(self.control, LARGE_SHARE, LARGE_NODES);
            self.on_tables(FoundBy::Rounds, large, &soon);
            if self.is_over() {
                return;
            }
        }
        let share = match &large {
            _ if self.is_sure() => budget::before_proof(self.control, self.threads),
            Some(_) => budget::share(self.control, LIKELY_PROOF_SHARE),
            None => budget::share(self.control, UNLIKELY_PROOF_SHARE),
        };
        let best = large.unwrap_or(tables);
        if self.beams_use_tables() {
            self.on_tables(FoundBy::TableBeams, &best, &share);
        } else if !are_beams_first {
            self.beams(&share);
        }
        if self.known.moves().is_none() && self.control.nodes_left().is_some() {
            // Too few nodes for a beam on tables and for a proof.
            self.beams(&budget::share(self.control, UNLIKELY_PROOF_SHARE));
        }
        if !self.is_over() {
            self.on_tables(FoundBy::Rounds, &best, &Limits::default());
        }
    }

    /// Whether a proof by tables is likely, by the solution of the first beams.
    fn is_proof_likely(&mut self) -> bool {
        if self.known.moves().is_none() {
            self.beams(&budget::quick(self.control, budget::QUICK_NODES));
        }
        self.known.length().is_some_and(|length| length - self.known.bound() <= MAX_PROOF_GAP)
    }

    /// Whether the board is always solved optimally in the end.
    fn is_sure(&self) -> bool {
        self.puzzle.size().cells() <= budget::SURE_CELLS
    }

    /// A hedge for short deadlines: a search without tables. If the tables then prove an optimum, the hedge and its counts
    /// are discarded.
    fn hedge(&mut self) {
        let part = self.control.part(budget::share(self.control, HEDGE_SHARE));
        let (told, on_better) = (&mut self.told, &mut self.on_better);
        let mut tell = |moves: &Moves, bound: u32| {
            *told = moves.len();
            on_better(moves, bound);
        };
        let found = anytime(self.puzzle, &part, self.threads, &mut tell);
        self.hedge = Some((found, part.counters()));
    }

    /// If nothing is known at the end, takes the hedge's solution, or one that takes no search.
    fn ensure_solution(&mut self) {
        if let Some((found, counters)) = self.hedge.take() {
            if self.known.is_proved() {
                return self.control.forget(&counters);
            }
            let bound = found.known.bound();
            if found.known.into_moves().is_some_and(|moves| self.known.offer(moves)) {
                self.by = FoundBy::Beams;
            }
            self.known.raise(bound);
            if self.has_begun {
                self.control.forget(&START);
            }
        }
        if self.known.moves().is_none() {
            let refused = self.refused;
            self.beams(&Limits::none().nodes(0));
            self.refused = refused;
        }
    }

    /// How to get the small tables; `None` if they do not pay.
    fn access(&self, source: &dyn TableSource, key: Key) -> Option<TableAccess> {
        if !tables_pay(self.puzzle) || !self.are_tables_worth_it(key) {
            return None;
        }
        if let Some(tables) = source.in_hand(key) {
            return Some(TableAccess::InHand(tables));
        }
        if self.can_read(source, key) {
            return Some(TableAccess::Make);
        }
        let are_for_beams = self.beams_use_tables();
        let most = self.time_share(if are_for_beams { EXPECTED_BUILD_SHARE } else { EXPECTED_BUILD_SHARE_FOR_PROOFS });
        if most.is_some_and(|most| most < MIN_BUILD_TIME) {
            return None;
        }
        let patterns = key.patterns().ok()?;
        if !can_build(&patterns, self.control) {
            return None;
        }
        if most.is_none_or(|most| self.build_time(&patterns) <= most) {
            return Some(TableAccess::Make);
        }
        // Without tables such a board would never be proved.
        self.is_sure().then_some(TableAccess::MakeSlowly)
    }

    fn tables(&self, source: &dyn TableSource, access: TableAccess, key: Key) -> Result<Arc<Tables>, BuildError> {
        let time = match access {
            TableAccess::InHand(tables) => return Ok(tables),
            TableAccess::Make if self.beams_use_tables() => self.time_share(MAX_BUILD_SHARE),
            TableAccess::Make => self.time_share(MAX_BUILD_SHARE_FOR_PROOFS),
            TableAccess::MakeSlowly => None,
        };
        source.make(key, self.threads, &self.control.part(Limits::none().time(time)))
    }

    /// Where nodes are limited and time is not: whether building tables that serve proofs alone takes a small share of
    /// the time that the nodes take. Tables in memory are ignored, so that a board always expands the same states.
    fn are_tables_worth_it(&self, key: Key) -> bool {
        if self.beams_use_tables() || self.control.time_left().is_some() {
            return true;
        }
        let Some(time) = budget::time_for_nodes(self.control) else { return true };
        let most = time.mul_f64(EXPECTED_BUILD_SHARE_FOR_PROOFS);
        most >= MIN_BUILD_TIME && key.patterns().is_ok_and(|patterns| self.build_time(&patterns) <= most)
    }

    fn build_time(&self, patterns: &[Pattern]) -> Duration {
        let time: Duration = patterns.iter().map(Pattern::estimated_build_time).sum();
        time.div_f64(self.threads as f64)
    }

    fn beams_use_tables(&self) -> bool {
        self.puzzle.size().cells() <= MAX_TABLE_BEAM_CELLS
    }

    /// Whether a set can be read within a small share of the time.
    fn can_read(&self, source: &dyn TableSource, key: Key) -> bool {
        let Some(bytes) = source.readable(key) else { return false };
        let ready = if self.is_sure() { Duration::ZERO } else { LAYOUT_TIME };
        let time = Duration::from_secs_f64(bytes as f64 / READ_BYTES_A_SECOND) + ready;
        let is_charged = || source.in_hand(key).is_some_and(|tables| tables.uncharged_bytes() == 0);
        self.time_share(READ_SHARE).is_none_or(|most| time <= most) && (self.control.has_room(bytes) || is_charged())
    }

    fn time_share(&self, share: f64) -> Option<Duration> {
        self.control.time_left().map(|time| time.mul_f64(share))
    }

    fn is_over(&self) -> bool {
        self.known.is_proved() || self.control.check().is_err() || self.control.nodes_left() == Some(0)
    }

    /// Reports a solution that takes no search, while tables are made. Nothing that follows builds on it.
    fn report_first(&mut self) {
        let part = self.control.part(Limits::none().nodes(0));
        let found = anytime(self.puzzle, &part, 1, &mut |_, _| {});
        part.forget(&START);
        if let Some(moves) = found.known.moves() {
            self.told = moves.len();
            (self.on_better)(moves, found.known.bound());
        }
    }

    fn beams(&mut self, limits: &Limits) {
        let part = self.control.part(*limits);
        let (puzzle, threads) = (self.puzzle, self.threads);
        let mut is_better = false;
        let found = anytime(puzzle, &part, threads, &mut |moves, bound| {
            is_better |= self.offer(moves, bound, FoundBy::Beams);
        });
        if is_better {
            self.by = found.by;
        }
        // A solution that was proved when it was offered keeps the name of what found it.
        let was_proved = self.known.is_proved();
        self.end(&part, &found, was_proved, found.by);
    }

    /// A search on tables, within limits of its own.
    fn on_tables(&mut self, means: FoundBy, tables: &Tables, limits: &Limits) {
        let part = self.control.part(*limits);
        let options = Options { threads: self.threads, known: self.known.length() };
        let (puzzle, was_proved) = (self.puzzle, self.known.is_proved());
        let found = if means == FoundBy::Rounds {
            deepen(puzzle, tables, &part, &options)
        } else {
            improve_telling(puzzle, tables, &part, &options, BEAM_BYTES, &mut |moves| {
                self.offer(moves, 0, means);
            })
        };
        if let Some(moves) = found.known.moves() {
            self.offer(moves, found.known.bound(), means);
        }
        self.end(&part, &found, was_proved, means);
    }

    /// Takes a solution, and reports it, if it is better than those before it; returns whether it is.
    fn offer(&mut self, moves: &Moves, bound: u32, means: FoundBy) -> bool {
        let is_better = self.known.offer(moves.clone());
        if is_better {
            self.by = means;
            if moves.len() < self.told {
                (self.on_better)(moves, self.known.bound().max(bound));
            }
        }
        is_better
    }

    /// Takes what a search has proved. The bound comes after the solution, which may have proved it.
    fn end(&mut self, part: &Control, found: &Solved, was_proved: bool, means: FoundBy) {
        // Every search counts the start; only the first one's counts.
        if std::mem::replace(&mut self.has_begun, true) {
            part.forget(&START);
        }
        self.known.raise(found.known.bound());
        if self.known.is_proved() && !was_proved {
            self.by = means;
        }
        self.refused = found.stopped;
    }
}

/// How the small tables are got.
enum TableAccess {
    InHand(Arc<Tables>),
    /// Within a small share of the time.
    Make,
    /// Within more than that.
    MakeSlowly,
}

#[cfg(test)]
mod tests {
    use pintu_tiles::{NamedGoal, Scrambler, Size, Topology};

    use super::*;

    #[test]
    fn a_proof_is_likely_near_the_bound() {
        let topology = Topology::plain(Size::new(6, 6).unwrap());
        let goal = NamedGoal::Standard.on(topology.size());
        let mut scrambler = Scrambler::new(topology, goal.clone(), 1);
        for (start, is_likely) in [(scrambler.walk(40), true), (scrambler.uniform(), false)] {
            let puzzle = Puzzle::new(topology, start, goal.clone()).unwrap();
            let control = Control::new(Limits::none().nodes(1_000_000));
            let mut solving = Solving::new(&puzzle, &control, SolveOptions::new());
            assert_eq!(solving.is_proof_likely(), is_likely, "{:?}", solving.known.length());
        }
    }
}

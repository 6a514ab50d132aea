//! The one entrance: whatever suits a board and what may be spent on it.

mod known;
mod supply;

use std::{
    ops::ControlFlow::{self, Continue},
    sync::Arc,
    time::Duration,
};

use pintu_search::{Control, Counters, Limits, Stop};
use pintu_tiles::{Moves, Puzzle, Unsolvable};

use self::supply::can_build;
pub use self::{
    known::BestKnown,
    supply::{KeptTables, NoTables, Supply, is_room_for},
};
use crate::{
    Anytime, Deepened, Options, anytime,
    beam::{BEAM_BYTES, improve_telling},
    budget, deepen,
    tables::{Extent, Key, Pattern, Tables},
};

/// How the solver is to go about a puzzle.
pub struct SolveOptions<'a> {
    /// On how many threads.
    pub threads: usize,
    /// What is known already: only what is better counts.
    pub known: BestKnown,
    /// Called with each solution that is shorter than those before it, and with the bound.
    pub on_better: &'a mut dyn FnMut(&Moves, u32),
}

/// What the solver ends with.
#[derive(Clone, Debug)]
pub struct Solved {
    /// The shortest solution and the highest bound.
    pub known: BestKnown,
    /// Which limit ended it, or that it was cancelled. If nothing did, the solution is proved to be the shortest, or nothing
    /// was left to try: [`BestKnown::is_proved`] tells.
    pub stopped: Option<Stop>,
    /// What found the solution, or proved it to be the shortest, last.
    pub by: FoundBy,
}

/// What a solution, or its proof, is due to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoundBy {
    /// It was known before.
    Nothing,
    /// Row by row, as people do it: no search.
    Construction,
    /// Beams without tables.
    Beams,
    /// Beams on tables.
    TableBeams,
    /// IDA* on tables.
    Rounds,
}

/// Boards with more cells are too hard to solve optimally, tables or not.
const MOST_CELLS: usize = 36;
/// Boards with more cells are too large for beams on tables to be fast.
const MOST_CELLS_OF_BEAMS: usize = 26;
/// With less time than this, tables may come to no answer even where they are sure to in the end, and a share of it goes
/// into one without them.
const SHORT: Duration = Duration::from_millis(500);
const ASIDE: f64 = 0.3;
/// The share of the budget for a first solution where tables may come too late for a better one.
const FIRST_IF_SLOW: f64 = 0.5;
/// The share of the time that building tables may be expected to take, and that it is given before it is given up, for
/// what was expected may be wrong. Where beams do not use tables, those serve proofs alone: they may not cost so much that
/// twice the time gives a longer solution.
const BUILDING: f64 = 0.3;
const BUILT: f64 = 0.5;
const BUILDING_FOR_PROOFS: f64 = 0.1;
const BUILT_FOR_PROOFS: f64 = 0.15;
/// With less time than this it is not even worth looking how long that takes.
const LAYING_OUT: Duration = Duration::from_millis(5);
/// What the small tables may take before the large ones are read: what those need for the same is a tenth.
const NODES_BEFORE_LARGE: u64 = 20_000;
/// What large tables may take before anything else is tried: states, and a share of the budget.
const LARGE_NODES: u64 = 30_000_000;
const SOON: f64 = 0.2;
/// Bytes of tables that are read and checked in a second, what laying them out, and the machine of a larger board, take
/// besides, and the share of the time that all this may take.
const BYTES_A_SECOND: f64 = 1e9;
const GETTING_READY: Duration = Duration::from_millis(20);
const READING: f64 = 0.25;
/// The share of the budget that goes into a good solution before the optimal one is looked for in earnest, where that may
/// be found, and where it is unlikely.
const LIKELY: f64 = 0.5;
const UNLIKELY: f64 = 0.9;

/// The start, as searches count it.
const START: Counters = Counters { expanded: 0, generated: 1, peak_states: 0, peak_bytes: 0 };

/// Whether pattern tables pay for a puzzle, where there is time and room for them.
pub fn tables_pay(puzzle: &Puzzle) -> bool {
    puzzle.size().cells() <= MOST_CELLS
}

/// Solves a puzzle as well as the control allows: a solution soon, then better ones, until one is proved to be the
/// shortest, the control stops it, or nothing is left to try.
///
/// The small tables come first, which are built unless that would take more than a small share of the time (or even then,
/// where the board is sure to be solved with them, and only with them). For what
/// those do not solve soon it is worth reading the large ones (very soon, if they can be read), which are never built
/// unasked. What they do not solve soon either gets a good solution from beams, and the rest of the budget is IDA*'s.
/// Where there are no tables, all of it is the beams'.
///
/// What it takes does not depend on what was solved before, but for the time that making tables takes.
///
/// ```
/// use pintu_search::Control;
/// use pintu_solver::{SolveOptions, KeptTables, BestKnown, solve};
/// use pintu_tiles::{NamedGoal, Puzzle, Topology, read_board};
///
/// let start = read_board("13 5 4 10 9 12 8 14 2 3 7 1 0 15 11 6", None).unwrap();
/// let goal = NamedGoal::BlankFirst.on(start.size());
/// let puzzle = Puzzle::new(Topology::plain(start.size()), start, goal).unwrap();
/// let options = SolveOptions { threads: 1, known: BestKnown::default(), on_better: &mut |_, _| {} };
/// let solved = solve(&puzzle, &KeptTables::new(), &Control::unlimited(), options).unwrap();
/// assert!(solved.known.is_proved());
/// assert_eq!(solved.known.length(), Some(55));
/// ```
///
/// # Panics
/// If a search contradicts another, which would be a mistake of the solver.
pub fn solve(
    puzzle: &Puzzle,
    supply: &dyn Supply,
    control: &Control,
    options: SolveOptions<'_>,
) -> Result<Solved, Unsolvable> {
    puzzle.solvable()?;
    let SolveOptions { threads, known, on_better } = options;
    let mut solving = Solving {
        puzzle,
        supply,
        control,
        threads: threads.max(1),
        known,
        by: FoundBy::Nothing,
        refused: None,
        has_begun: false,
        told: usize::MAX,
        aside: None,
        on_better,
    };
    solving.run();
    solving.see_to_an_answer();
    let Solving { known, by, refused, .. } = solving;
    let stopped = if known.is_proved() { None } else { control.check().break_value().or(refused) };
    Ok(Solved { known, stopped, by })
}

/// A solve in progress.
struct Solving<'a> {
    puzzle: &'a Puzzle,
    supply: &'a dyn Supply,
    control: &'a Control,
    threads: usize,
    known: BestKnown,
    by: FoundBy,
    /// What was refused to the last search.
    refused: Option<Stop>,
    /// Whether a search has counted the start.
    has_begun: bool,
    /// The length of a solution that was told of and is forgotten again.
    told: usize,
    /// What was found aside, and what that took.
    aside: Option<(Anytime, Counters)>,
    on_better: &'a mut dyn FnMut(&Moves, u32),
}

impl Solving<'_> {
    fn run(&mut self) {
        let small = Key::of(self.puzzle, Extent::Small);
        let Some(source) = self.source(small) else { return self.beams(&Limits::default()) };
        if self.control.time_left().is_some() {
            // They are there, whoever looks at them.
            let mut kept = self.control.hold();
            if let Source::InHand(tables) = &source {
                let _ = kept.more(tables.bytes());
            }
            // A budget that ends early has an answer even so: a good one, if it may end before there are tables.
            match source {
                Source::MakeSlowly(_) => self.beams(&budget::share(self.control, FIRST_IF_SLOW)),
                // Tables will have a better one in a moment, and then a board takes the states that it takes without a
                // limit on the time.
                _ if self.is_sure() && self.is_short() => self.look_aside(),
                Source::InHand(_) if self.is_sure() => {}
                Source::Make(_) if self.is_sure() => self.tell_first(),
                Source::InHand(_) | Source::Make(_) => self.beams(&budget::first(self.control)),
            }
        }
        let Continue(tables) = source.tables(self) else { return self.beams(&Limits::default()) };
        let large = Key::of(self.puzzle, Extent::Large);
        let can_read = self.can_read(large);
        let moment = budget::moment(self.control, if can_read { NODES_BEFORE_LARGE } else { budget::MOMENT_NODES });
        // On tables for beams, so many states take no longer than that.
        let time = moment.time.filter(|_| !self.beams_use_tables());
        self.on_tables(FoundBy::Rounds, &tables, &Limits { time, ..moment });
        if self.is_over() {
            return;
        }
        let large = if can_read { self.supply.read(large) } else { None };
        // Searches hold the tables that they look at; the others are still there.
        let mut kept = self.control.hold();
        if let Some(large) = &large {
            let _ = kept.more(tables.bytes());
            let soon = budget::share_up_to(self.control, SOON, LARGE_NODES);
            self.on_tables(FoundBy::Rounds, large, &soon);
            if self.is_over() {
                return;
            }
        }
        let share = match &large {
            _ if self.is_sure() => budget::before_proof(self.control, self.threads),
            Some(_) => budget::share(self.control, LIKELY),
            None => budget::share(self.control, UNLIKELY),
        };
        let best = large.unwrap_or(tables);
        if self.beams_use_tables() {
            self.on_tables(FoundBy::TableBeams, &best, &share);
        } else {
            self.beams(&share);
        }
        if self.known.moves().is_none() && self.control.nodes_left().is_some() {
            // Those are too few states for a beam on tables, and for a proof.
            self.beams(&budget::share(self.control, UNLIKELY));
        }
        if !self.is_over() {
            self.on_tables(FoundBy::Rounds, &best, &Limits::default());
        }
    }

    /// Whether the board is always solved optimally in the end.
    fn is_sure(&self) -> bool {
        self.puzzle.size().cells() <= budget::SURE_CELLS
    }

    /// Whether so little time is left that tables may not come to an answer.
    fn is_short(&self) -> bool {
        self.control.time_left().is_some_and(|time| time < SHORT)
    }

    /// Looks for a solution without tables, in case that they find none in the little time there is. What they do is the
    /// same without it, and if they prove theirs, this was never done.
    fn look_aside(&mut self) {
        let part = self.control.part(budget::share(self.control, ASIDE));
        let (told, on_better) = (&mut self.told, &mut self.on_better);
        let mut tell = |moves: &Moves, bound: u32| {
            *told = moves.len();
            on_better(moves, bound);
        };
        let found = anytime(self.puzzle, &part, self.threads, &mut tell).expect("it can be solved");
        self.aside = Some((found, part.counters()));
    }

    /// What was found aside counts where nothing is proved without it.
    fn take_aside(&mut self) {
        let Some((found, counters)) = self.aside.take() else { return };
        if self.known.is_proved() {
            return self.control.forget(&counters);
        }
        if self.known.offer(found.moves) {
            self.by = FoundBy::Beams;
        }
        self.known.raise(found.lower_bound);
        if self.has_begun {
            self.control.forget(&START);
        }
    }

    /// If nothing is known at the end, a solution that takes no search.
    fn see_to_an_answer(&mut self) {
        self.take_aside();
        if self.known.moves().is_none() {
            let refused = self.refused;
            self.beams(&Limits::none().nodes(0));
            self.refused = refused;
        }
    }

    /// How the small tables are come by; nothing if they do not pay.
    fn source(&self, key: Key) -> Option<Source> {
        if !tables_pay(self.puzzle) || !self.tables_are_worth_it(key) {
            return None;
        }
        if let Some(tables) = self.supply.in_hand(key) {
            return Some(Source::InHand(tables));
        }
        if self.can_read(key) {
            return Some(Source::Make(key));
        }
        let most = self.time_share(if self.beams_use_tables() { BUILDING } else { BUILDING_FOR_PROOFS });
        // To lay the patterns out takes time, too.
        if !self.supply.makes() || most.is_some_and(|most| most < LAYING_OUT) {
            return None;
        }
        let patterns = key.patterns().ok()?;
        if !can_build(&patterns, self.control) {
            return None;
        }
        if most.is_none_or(|most| self.build_time(&patterns) <= most) {
            return Some(Source::Make(key));
        }
        // With nothing but beams such a board would never be proved.
        self.is_sure().then_some(Source::MakeSlowly(key))
    }

    /// Where nodes are limited and time is not: whether tables that serve proofs alone take little of the time that those
    /// take, about. Whether they are there already does not matter, so that a board always takes the same states.
    fn tables_are_worth_it(&self, key: Key) -> bool {
        if self.beams_use_tables() || self.control.time_left().is_some() {
            return true;
        }
        let Some(time) = budget::time_for_nodes(self.control) else { return true };
        let most = time.mul_f64(BUILDING_FOR_PROOFS);
        most >= LAYING_OUT && key.patterns().is_ok_and(|patterns| self.build_time(&patterns) <= most)
    }

    /// How long it takes to build tables, about.
    fn build_time(&self, patterns: &[Pattern]) -> Duration {
        let time: Duration = patterns.iter().map(Pattern::estimated_build_time).sum();
        time.div_f64(self.threads as f64)
    }

    fn beams_use_tables(&self) -> bool {
        self.puzzle.size().cells() <= MOST_CELLS_OF_BEAMS
    }

    /// Whether a set can be read within a small share of the time.
    fn can_read(&self, key: Key) -> bool {
        let Some(bytes) = self.supply.readable(key) else { return false };
        let ready = if self.is_sure() { Duration::ZERO } else { GETTING_READY };
        let time = Duration::from_secs_f64(bytes as f64 / BYTES_A_SECOND) + ready;
        self.time_share(READING).is_none_or(|most| time <= most) && self.control.has_room(bytes)
    }

    /// A share of the time that is left, if it is limited.
    fn time_share(&self, share: f64) -> Option<Duration> {
        self.control.time_left().map(|time| time.mul_f64(share))
    }

    fn is_over(&self) -> bool {
        self.known.is_proved() || self.control.check().is_break() || self.control.nodes_left() == Some(0)
    }

    /// Tells of a solution that takes no search, for who waits while tables are made. Nothing that follows builds on it.
    fn tell_first(&mut self) {
        let part = self.control.part(Limits::none().nodes(0));
        let found = anytime(self.puzzle, &part, 1, &mut |_, _| {}).expect("it can be solved");
        part.forget(&START);
        self.told = found.moves.len();
        (self.on_better)(&found.moves, found.lower_bound);
    }

    /// Every search counts the start; only the first one's counts.
    fn count_start_once(&mut self, part: &Control) {
        if std::mem::replace(&mut self.has_begun, true) {
            part.forget(&START);
        }
    }

    /// Beams without tables, within limits of their own.
    fn beams(&mut self, limits: &Limits) {
        let part = self.control.part(*limits);
        let Self { puzzle, known, by, told, on_better, .. } = self;
        // The first solution is the one that beams begin with.
        let mut means = FoundBy::Construction;
        let mut take = |moves: &Moves, bound: u32| {
            if known.offer(moves.clone()) {
                *by = means;
                if moves.len() < *told {
                    on_better(moves, known.bound().max(bound));
                }
            }
            means = FoundBy::Beams;
        };
        let found = anytime(puzzle, &part, self.threads, &mut take).expect("it can be solved");
        self.count_start_once(&part);
        let was_proved = self.known.is_proved();
        self.known.raise(found.lower_bound);
        if self.known.is_proved() && !was_proved {
            self.by = FoundBy::Beams;
        }
        self.refused = found.stopped;
    }

    /// A search on tables, within limits of its own.
    fn on_tables(&mut self, means: FoundBy, tables: &Tables, limits: &Limits) {
        let part = self.control.part(*limits);
        let options = Options { threads: self.threads, known: self.known.length() };
        let was_proved = self.known.is_proved();
        let Self { puzzle, known, by, told, on_better, .. } = self;
        let mut take = |moves: &Moves, bound: u32| {
            if known.offer(moves.clone()) {
                *by = means;
                if moves.len() < *told {
                    on_better(moves, known.bound().max(bound));
                }
            }
        };
        let Deepened { moves, lower_bound, stopped } = if means == FoundBy::Rounds {
            deepen(puzzle, tables, &part, &options)
        } else {
            improve_telling(puzzle, tables, &part, &options, BEAM_BYTES, &mut |moves| take(moves, 0))
        };
        // The bound comes after the solution, which may have proved it.
        if let Some(moves) = &moves {
            take(moves, lower_bound);
        }
        self.count_start_once(&part);
        self.known.raise(lower_bound);
        if self.known.is_proved() && !was_proved {
            self.by = means;
        }
        self.refused = stopped;
    }
}

/// How tables are come by.
enum Source {
    InHand(Arc<Tables>),
    /// Within a small share of the time.
    Make(Key),
    /// Within more than that.
    MakeSlowly(Key),
}

impl Source {
    fn tables(self, solving: &Solving<'_>) -> ControlFlow<Stop, Arc<Tables>> {
        let (key, time) = match self {
            Self::InHand(tables) => return Continue(tables),
            Self::Make(key) => {
                let share = if solving.beams_use_tables() { BUILT } else { BUILT_FOR_PROOFS };
                (key, solving.time_share(share))
            }
            Self::MakeSlowly(key) => (key, None),
        };
        solving.supply.make(key, solving.threads, &solving.control.part(Limits { time, ..Limits::default() }))
    }
}

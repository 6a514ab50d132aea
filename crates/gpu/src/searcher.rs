//! Searches for shortest solutions with the tables of one board.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread,
};

use pintu_search::{Control, Limits};
use pintu_solver::{
    Solved, Tables,
    internals::{Alarm, NormalForm, Options, improve_telling, spawn},
};
use pintu_tiles::{Direction, Moves, Puzzle};

use crate::{
    DeviceTables,
    backend::{Device, DeviceError, DeviceInfo},
    deepening::Deepening,
    rounds::SearchMemory,
    tables::DeviceViews,
    words::Record,
};

/// A device that searches.
#[derive(Clone)]
pub struct Gpu {
    pub(crate) device: Device,
}

impl Gpu {
    /// The device's name, memory and processors.
    pub fn info(&self) -> Result<DeviceInfo, DeviceError> {
        self.device.info()
    }
}

/// Tables on a device and what searches with them need, kept from puzzle to puzzle.
pub struct Searcher {
    pub(crate) tables: DeviceTables,
    pub(crate) memory: SearchMemory,
    /// The pairs of views that searches have asked for.
    pub(crate) loaded: Vec<(Vec<usize>, DeviceViews)>,
    pub(crate) beams: Beams,
}

/// Events of a search, for the caller's `watch`.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// A lower bound of all solutions.
    Bound(u32),
    /// A round has ended.
    Round(RoundReport),
    /// The processor has found a solution that is shorter than those before it, when no shorter one than this bound was
    /// possible.
    Better(&'a Moves, u32),
}

/// The counts of one round, for observers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoundReport {
    /// No solution is shorter than this, if the round found none.
    pub bound: u32,
    /// The states that the round expanded.
    pub expanded: u64,
    /// The time that the round took.
    pub seconds: f64,
    /// Whether it was made to try other views.
    pub is_trial: bool,
}

impl Searcher {
    /// Takes tables into use.
    pub fn new(tables: DeviceTables) -> Result<Self, DeviceError> {
        let memory = SearchMemory::new(&tables.builder.device, tables.shape())?;
        Ok(Self { tables, memory, loaded: Vec::new(), beams: Beams::default() })
    }

    /// Has the processor look for solutions by the solver's large tables, which it is given, if there is room for them.
    pub fn bring_tables_back(&mut self, control: &Control) -> Result<(), DeviceError> {
        if self.beams.tables.is_none() {
            self.beams.tables = self.tables.bring_back(control)?.map(Arc::new);
        }
        Ok(())
    }

    /// The same, with the processor looking for solutions in another way: what tests ask for.
    #[cfg(feature = "emulator")]
    #[must_use]
    pub fn with_beams(self, beams: Beams) -> Self {
        Self { beams, ..self }
    }

    /// Solves a puzzle, which must be solvable, with the fewest moves. Unless it is stopped, the solution found or known
    /// is as short as the lower bound. `tables` are the solver's own, by which the frontier grows, and by which other threads
    /// than this one, if there may be some and nodes are not limited, look for solutions meanwhile; `watch` is told of it.
    ///
    /// # Panics
    /// If the tables serve another board or blank cell.
    pub fn deepen(
        &mut self,
        puzzle: &Puzzle,
        tables: &Tables,
        control: &Control,
        options: &Options,
        watch: &mut dyn FnMut(Event<'_>),
    ) -> Result<Solved, DeviceError> {
        assert!(tables.serve(puzzle), "the tables belong to another board or blank cell");
        assert!(
            (tables.topology(), tables.blank()) == (self.tables.topology(), self.tables.blank),
            "the device's tables belong to another board or blank cell"
        );
        // A part, because a solution found while the frontier grows ends its control.
        let control = &control.part(Limits::default());
        self.ready(control)?;
        let beams = self.beams.clone();
        let looking = Options { threads: options.threads.saturating_sub(1), ..*options };
        let (finds, part) = (BestFound::default(), control.part(Limits::default()));
        thread::scope(|scope| {
            let _at_end = AtEnd(&part);
            let begin = || {
                let tables = beams.tables.as_deref().unwrap_or(tables);
                let look = || {
                    let _alarm = Alarm(control);
                    improve_telling(puzzle, tables, &part, &looking, beams.max_bytes, &mut |moves| finds.set(moves));
                };
                // Without a thread for them, the rounds go on alone.
                drop(spawn(scope, look));
            };
            // Two searches that draw on one node limit at the same time would exceed it.
            let may_look = options.threads > 1 && control.nodes_left().is_none();
            let begin_beams = may_look.then_some(Box::new(begin) as Box<dyn FnOnce()>);
            let views = (0..self.tables.views.len().min(2)).collect();
            let mut deepening = Deepening {
                searcher: self,
                puzzle,
                cpu: tables,
                control,
                options,
                watch,
                finds: &finds,
                begin_beams,
                views,
                ranking: Vec::new(),
                choices: 0,
                told: u32::MAX,
            };
            deepening.run()
        })
    }

    /// Waits for the code that searches.
    pub(crate) fn ready(&self, control: &Control) -> Result<(), DeviceError> {
        self.tables.builder.device.ready(self.tables.shape().into(), control)
    }

    /// The index of some views among those that are loaded; loads them first if they are not.
    pub(crate) fn load_views(&mut self, views: &[usize]) -> Result<usize, DeviceError> {
        if let Some(known) = self.loaded.iter().position(|(other, _)| other == views) {
            return Ok(known);
        }
        self.loaded.push((views.to_vec(), self.tables.load(views)?));
        Ok(self.loaded.len() - 1)
    }
}

/// How the processor's beams look for solutions while a device searches. The last round takes longer than all before it, and
/// finds the goal early or late by chance: a solution as short as the bound makes it needless.
#[derive(Clone)]
pub struct Beams {
    /// Beams start after a round that expands this many nodes; the next expands about eight times as many.
    pub after_nodes: u64,
    /// The bytes that beams may take.
    pub max_bytes: u64,
    /// The tables of the beams, if not those by which frontiers grow.
    pub tables: Option<Arc<Tables>>,
}

impl Default for Beams {
    fn default() -> Self {
        Self { after_nodes: 30_000_000, max_bytes: 16 << 30, tables: None }
    }
}

/// The shortest solution that beams have found.
#[derive(Default)]
pub(crate) struct BestFound(Mutex<Option<Moves>>);

impl BestFound {
    fn lock(&self) -> MutexGuard<'_, Option<Moves>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The length of the shortest one, or more than any has.
    pub(crate) fn length(&self) -> u32 {
        self.lock().as_ref().map_or(u32::MAX, |moves| moves.len() as u32)
    }

    pub(crate) fn moves(&self) -> Option<Moves> {
        self.lock().clone()
    }

    pub(crate) fn set(&self, moves: &Moves) {
        *self.lock() = Some(moves.clone());
    }
}

/// Ends a control's work when it goes out of scope.
pub(crate) struct AtEnd<'a>(pub(crate) &'a Control);

impl Drop for AtEnd<'_> {
    fn drop(&mut self) {
        self.0.finish();
    }
}

/// Adds the cells that the blank goes to from a root on, with `left` moves left there.
pub(crate) fn follow(tables: &DeviceTables, record: &Record, left: u32, mut blank: usize, cells: &mut Vec<u8>) {
    for left in (record.left..left).rev() {
        let direction = record.path[left as usize / 16] >> (2 * (left % 16)) & 3;
        // A direction that leads off the board is found when the moves are made.
        blank = tables.topology().neighbour(blank, Direction::ALL[direction as usize]).unwrap_or(blank);
        cells.push(blank as u8);
    }
}

/// The moves through some cells of the normal form, if they solve the puzzle and are no more than the bound.
pub(crate) fn solution(puzzle: &Puzzle, cells: &[u8], bound: u32) -> Result<Moves, DeviceError> {
    let origins = NormalForm::new(puzzle).origins;
    let mut blank = puzzle.start().blank();
    let step = |&cell: &u8| {
        let from = std::mem::replace(&mut blank, origins[usize::from(cell)].into());
        puzzle.topology().direction(from, blank)
    };
    let moves = cells.iter().map(step).collect::<Option<Vec<Direction>>>().map(Moves);
    let holds = |moves: &Moves| moves.len() <= bound as usize && puzzle.is_solved_by(moves);
    let wrong = || DeviceError::Wrong(format!("{} moves do not solve the board within {bound}", cells.len()));
    moves.filter(holds).ok_or_else(wrong)
}

//! A puzzle in, its shortest solution out.

use std::{ops::ControlFlow, sync::Arc, thread};

use pintu_search::{Control, Limits, Stop};
use pintu_solver::{
    Deepened, Options,
    tables::{Tables, Turned},
};
use pintu_tiles::{Direction, Moves, Puzzle};

use crate::{
    Beams, DeviceTables,
    backend::{Backend, Device, DeviceError, DeviceInfo},
    beams::{AtEnd, Finds},
    deepening::Deepening,
    rounds::{Field, Root, Sighted, Until},
    words::Record,
};

/// A device that searches.
#[derive(Clone)]
pub struct Gpu {
    pub(crate) device: Device,
}

impl Gpu {
    pub(crate) fn on(device: Arc<dyn Backend>) -> Self {
        Self { device }
    }

    /// What it is.
    pub fn info(&self) -> Result<DeviceInfo, DeviceError> {
        self.device.info()
    }
}

/// Tables on a device and what searches with them need, kept from puzzle to puzzle.
pub struct Searcher {
    pub(crate) tables: DeviceTables,
    pub(crate) field: Field,
    /// The ways to look boards up that have been asked for.
    pub(crate) sights: Vec<(Vec<usize>, Sighted)>,
    pub(crate) beams: Beams,
}

/// What whoever watches a search is told of.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// No solution is shorter than this.
    Bound(u32),
    /// A round has ended.
    Round(Report),
    /// The processor has found a solution that is shorter than those before it, when no shorter one than this bound was
    /// possible.
    Better(&'a Moves, u32),
}

/// What one round took, for whoever watches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Report {
    /// No solution is shorter than this, if the round found none.
    pub bound: u32,
    /// The states that it expanded.
    pub expanded: u64,
    /// How long it took.
    pub seconds: f64,
    /// The roots that it began with.
    pub roots: usize,
    /// The ways to look boards up.
    pub views: [usize; 2],
    /// Whether it was made to try those views.
    pub is_trial: bool,
}

impl Searcher {
    /// Takes tables into use.
    pub fn new(tables: DeviceTables) -> Result<Self, DeviceError> {
        let views = tables.outlooks.len().min(2);
        let field = Field::new(&tables.workshop.device, tables.shape(views))?;
        Ok(Self { tables, field, sights: Vec::new(), beams: Beams::default() })
    }

    /// Has the processor look for solutions by the solver's large tables, which it is given, if there is room for them.
    pub fn bring_tables_back(&mut self, control: &Control) -> Result<(), DeviceError> {
        if self.beams.tables.is_none()
            && control.has_room(self.tables.large_bytes()?)
            && let ControlFlow::Continue(tables) = self.tables.bring_back(control)?
        {
            self.beams.tables = Some(Arc::new(tables));
        }
        Ok(())
    }

    /// The same, with the processor looking for solutions in another way.
    #[must_use]
    pub fn with_beams(self, beams: Beams) -> Self {
        Self { beams, ..self }
    }

    /// The tables.
    pub fn tables(&self) -> &DeviceTables {
        &self.tables
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
    ) -> Result<Deepened, DeviceError> {
        assert!(tables.serve(puzzle), "the tables belong to another board or blank cell");
        assert!(
            (tables.topology(), tables.blank()) == (self.tables.topology(), self.tables.blank),
            "the device's tables belong to another board or blank cell"
        );
        // A frontier that solves the puzzle ends that, not all of it.
        let control = &control.part(Limits::default());
        if let ControlFlow::Break(why) = self.ready(control)? {
            return Ok(Deepened { moves: None, lower_bound: 0, stopped: Some(why) });
        }
        let beams = self.beams.clone();
        let looking = Options { threads: options.threads.saturating_sub(1), ..*options };
        let (finds, part) = (Finds::new(), control.part(Limits::default()));
        thread::scope(|scope| {
            let _at_end = AtEnd(&part);
            let begin = || {
                let tables = beams.tables.as_deref().unwrap_or(tables);
                let look = || finds.look(puzzle, (tables, beams.most_bytes), (&part, control), &looking);
                // Who cannot have a thread for that searches on without.
                drop(pintu_solver::begin(scope, look));
            };
            // Two who draw on one number of nodes at the same time would take more than there are.
            let may_look = options.threads > 1 && control.nodes_left().is_none();
            let begin_beams = may_look.then_some(Box::new(begin) as Box<dyn FnOnce()>);
            let views = (0..self.tables.outlooks.len().min(2)).collect();
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
    pub(crate) fn ready(&self, control: &Control) -> Result<ControlFlow<Stop>, DeviceError> {
        let views = self.tables.outlooks.len().min(2);
        self.tables.workshop.device.ready(self.tables.shape(views), control)
    }

    /// How many states each of the first rounds from the start expands, with their bounds; no frontier shortens them. Ends
    /// before the round that solves the puzzle.
    pub fn count_rounds(
        &mut self,
        puzzle: &Puzzle,
        control: &Control,
        rounds: usize,
    ) -> Result<Vec<(u32, u64)>, DeviceError> {
        let board = Turned::new(puzzle).board;
        let machine = board.iter().position(|&tile| usize::from(tile) == self.tables.blank).unwrap_or(0) as u16;
        let views: Vec<usize> = (0..self.tables.outlooks.len().min(2)).collect();
        let sight = self.sight(&views)?;
        let sighted = &self.sights[sight].1;
        let planted = self.field.plant(sighted, std::iter::once(Root { board: &board, machine, made: 0 }), false)?;
        let (mut counted, mut bound) = (Vec::new(), 0);
        while counted.len() < rounds {
            let round = self.field.round(
                sighted,
                &planted,
                bound,
                Until { control, most: u64::MAX, is_needless: &mut || false },
            )?;
            if round.found > 0 || !round.is_whole {
                break;
            }
            counted.push((bound, round.expanded));
            bound += round.shortfall;
        }
        Ok(counted)
    }

    /// The index of some views among those that the device knows.
    pub(crate) fn sight(&mut self, views: &[usize]) -> Result<usize, DeviceError> {
        if let Some(known) = self.sights.iter().position(|(other, _)| other == views) {
            return Ok(known);
        }
        self.sights.push((views.to_vec(), Sighted::new(&self.tables, views)?));
        Ok(self.sights.len() - 1)
    }
}

/// Adds the cells that the blank goes to from a root on, which had so many moves left.
pub(crate) fn follow(tables: &DeviceTables, record: &Record, left: u32, mut blank: usize, cells: &mut Vec<u8>) {
    for left in (record.left..left).rev() {
        let direction = record.path[left as usize / 16] >> (2 * (left % 16)) & 3;
        // One that leads off the board makes no solution, which is seen when it is made.
        blank = tables.topology().neighbour(blank, Direction::ALL[direction as usize]).unwrap_or(blank);
        cells.push(blank as u8);
    }
}

/// The moves through some cells of the normal form, if they solve the puzzle and are no more than the bound.
pub(crate) fn solution(puzzle: &Puzzle, cells: &[u8], bound: u32) -> Result<Moves, DeviceError> {
    let origins = Turned::new(puzzle).origins;
    let cells: Vec<u8> = cells.iter().map(|&cell| origins[usize::from(cell)]).collect();
    let is_path = std::iter::once(puzzle.start().blank() as u8)
        .chain(cells.iter().copied())
        .zip(&cells)
        .all(|(from, &to)| puzzle.topology().neighbours(from.into()).any(|next| next == usize::from(to)));
    let wrong = |why: String| DeviceError::Wrong { why };
    if !is_path {
        return Err(wrong("its moves leave the board".to_owned()));
    }
    let moves = puzzle.moves_through(&cells);
    if !puzzle.is_solved_by(&moves) || moves.len() > bound as usize {
        return Err(wrong(format!("{} moves do not solve the board within {bound}", moves.len())));
    }
    Ok(moves)
}

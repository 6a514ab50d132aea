//! The one entrance: a puzzle in, its shortest solution out.

use std::sync::Arc;

use pintu_search::{Control, Limits};
use pintu_solver::{
    Deepened, Front, Grow, Options, grow_front,
    tables::{Tables, Turned},
};
use pintu_tiles::{Direction, Moves, Puzzle};

use crate::{
    DeviceTables,
    backend::{Backend, Device, DeviceError, DeviceInfo},
    rounds::{Field, MOST_BOUND, MOST_MOVES, Planted, Root, Sighted, count_goals},
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

/// Views are tried on the first round that expands so many states, and the best again on one that expands more.
const TRIED_ON: [u64; 2] = [1_000_000, 30_000_000];
/// So many of them again.
const AGAIN: usize = 3;
/// So many partitions' views are tried with each other.
const FINALISTS: usize = 3;
/// States of the frontier, by what the last round expanded.
const FRONTS: [(u64, usize); 3] = [(0, 1 << 12), (10_000_000, 1 << 16), (1_000_000_000, 1 << 18)];

impl Searcher {
    /// Takes tables into use.
    pub fn new(tables: DeviceTables) -> Result<Self, DeviceError> {
        let views = tables.outlooks.len().min(2);
        let field = Field::new(&tables.workshop.device, tables.shape(views))?;
        Ok(Self { tables, field, sights: Vec::new() })
    }

    /// The tables.
    pub fn tables(&self) -> &DeviceTables {
        &self.tables
    }

    /// Solves a puzzle, which must be solvable, with the fewest moves. Unless it is stopped, the solution found or known
    /// is as short as the lower bound. `tables` are the solver's own, by which the frontier grows; `watch` is told of
    /// every round.
    ///
    /// # Panics
    /// If the tables serve another board or blank cell.
    pub fn deepen(
        &mut self,
        puzzle: &Puzzle,
        tables: &Tables,
        control: &Control,
        options: &Options,
        watch: &mut dyn FnMut(&Report),
    ) -> Result<Deepened, DeviceError> {
        assert!(tables.serve(puzzle), "the tables belong to another board or blank cell");
        assert!(
            (tables.topology(), tables.blank()) == (self.tables.topology(), self.tables.blank),
            "the device's tables belong to another board or blank cell"
        );
        // A frontier that solves the puzzle ends that, not all of it.
        let control = &control.part(Limits::default());
        let first: Vec<usize> = (0..self.tables.outlooks.len().min(2)).collect();
        let mut deepening = Deepening {
            searcher: self,
            puzzle,
            cpu: tables,
            control,
            options,
            watch,
            views: first,
            ranking: Vec::new(),
            choices: 0,
        };
        deepening.run()
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
            let round = self.field.round(sighted, &planted, bound, u64::MAX, control)?;
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

struct Deepening<'a> {
    searcher: &'a mut Searcher,
    puzzle: &'a Puzzle,
    cpu: &'a Tables,
    control: &'a Control,
    options: &'a Options,
    watch: &'a mut dyn FnMut(&Report),
    views: Vec<usize>,
    /// The pairs of views that have been tried, the best first.
    ranking: Vec<(u64, Vec<usize>)>,
    /// How often views have been chosen.
    choices: usize,
}

impl Deepening<'_> {
    fn run(&mut self) -> Result<Deepened, DeviceError> {
        let (mut bound, mut last) = (0, 0_u64);
        let mut front: Option<(usize, Front)> = None;
        loop {
            let most = FRONTS.iter().rfind(|(least, _)| last >= *least).map_or(1, |(_, most)| *most);
            let most = most.min(self.searcher.field.most_roots());
            if front.as_ref().is_none_or(|(size, _)| *size < most) {
                match grow_front(self.puzzle, self.cpu, self.control, most) {
                    Grow::Grown(grown) => front = Some((most, grown)),
                    Grow::Ended(ended) => {
                        let lower_bound = ended.lower_bound.max(bound);
                        return Ok(Deepened { lower_bound, ..ended });
                    }
                }
            }
            let (_, front) = front.as_ref().expect("it has been grown");
            let planted = self.plant(front)?;
            // With one frontier, bounds rise until it is time for a larger one.
            loop {
                let is_known = self.options.known.is_some_and(|known| known <= bound);
                if is_known || self.control.check().is_break() {
                    return Ok(self.end(None, bound));
                }
                self.control.note_bound(bound.into());
                Self::check(front, bound)?;
                let round = self.round(&planted, front.len(), bound, u64::MAX, false)?;
                if round.found > 0 {
                    let moves = self.moves(front, &planted.record()?, bound)?;
                    count_goals(self.control, 1);
                    let length = moves.len() as u32;
                    return Ok(self.end(Some(moves), length.min(bound)));
                }
                if !round.is_whole {
                    return Ok(self.end(None, bound));
                }
                if round.shortfall == u32::MAX {
                    return Err(DeviceError::Wrong { why: format!("nothing is left beyond {bound} moves") });
                }
                last = round.expanded;
                let tried = bound;
                bound += round.shortfall;
                if TRIED_ON.get(self.choices).is_some_and(|least| last >= *least) {
                    match self.choices {
                        0 => self.choose(front, tried, last)?,
                        _ => self.choose_again(front, tried, last)?,
                    }
                    self.choices += 1;
                    break;
                }
                let wanted = FRONTS.iter().rfind(|(least, _)| last >= *least).map_or(1, |(_, most)| *most);
                if wanted.min(self.searcher.field.most_roots()) > most {
                    break;
                }
            }
        }
    }

    fn plant(&mut self, front: &Front) -> Result<Planted, DeviceError> {
        let machine = &self.searcher.tables.machine;
        let topology = self.searcher.tables.topology();
        let blank = self.searcher.tables.blank as u8;
        let state = |board: &[u8], before: Option<u8>| {
            let at = board.iter().position(|&tile| tile == blank).expect("a board has a blank");
            let Some(before) = before else { return at as u16 };
            let leads = |direction: &Direction| topology.neighbour(before.into(), *direction) == Some(at);
            let index = Direction::ALL.iter().position(leads).expect("the last move led here");
            machine[usize::from(before)][index]
        };
        let root = |index: usize| {
            let (made, before) = front.made[index];
            let board = front.board(index);
            Root { board, machine: state(board, before), made }
        };
        let roots: Vec<Root<'_>> = (0..front.len()).map(root).collect();
        let sight = self.searcher.sight(&self.views.clone())?;
        self.searcher.field.plant(&self.searcher.sights[sight].1, roots.into_iter(), false)
    }

    fn round(
        &mut self,
        planted: &Planted,
        roots: usize,
        bound: u32,
        most: u64,
        is_trial: bool,
    ) -> Result<crate::rounds::Round, DeviceError> {
        let sight = self.searcher.sight(&self.views.clone())?;
        let began = self.control.elapsed();
        let round = self.searcher.field.round(&self.searcher.sights[sight].1, planted, bound, most, self.control)?;
        let seconds = self.control.elapsed().saturating_sub(began).as_secs_f64();
        let views = [self.views[0], *self.views.last().expect("there is a view")];
        (self.watch)(&Report { bound, expanded: round.expanded, seconds, roots, views, is_trial });
        Ok(round)
    }

    /// Tries pairs of views on a round that one pair has made, and keeps the one that expands least: first the two views of
    /// each partition, then the views of the best partitions with each other.
    fn choose(&mut self, front: &Front, bound: u32, least: u64) -> Result<(), DeviceError> {
        let outlooks = &self.searcher.tables.outlooks;
        let partition = |view: usize| outlooks[view].patterns.start;
        let twins: Vec<Vec<usize>> = (1..outlooks.len())
            .filter(|&view| view > 1 && partition(view - 1) == partition(view))
            .map(|view| vec![view - 1, view])
            .collect();
        let mut best = vec![(least, self.views.clone())];
        for views in twins {
            self.attempt(front, bound, views, &mut best)?;
        }
        best.sort();
        best.truncate(FINALISTS);
        let mut views: Vec<usize> = best.iter().flat_map(|(_, views)| views.clone()).collect();
        views.sort_unstable();
        views.dedup();
        let known: Vec<Vec<usize>> = best.iter().map(|(_, views)| views.clone()).collect();
        let crossed = (0..views.len()).flat_map(|a| (a + 1..views.len()).map(move |b| [a, b]));
        for views in crossed.map(|pair| pair.map(|at| views[at]).to_vec()).filter(|views| !known.contains(views)) {
            self.attempt(front, bound, views, &mut best)?;
        }
        best.sort();
        self.views.clone_from(&best[0].1);
        self.ranking = best;
        Ok(())
    }

    /// Tries the best pairs again, on a longer round.
    fn choose_again(&mut self, front: &Front, bound: u32, least: u64) -> Result<(), DeviceError> {
        let mut best = vec![(least, self.views.clone())];
        let others: Vec<Vec<usize>> = self.ranking.iter().map(|(_, views)| views.clone()).collect();
        for views in others.into_iter().filter(|views| *views != best[0].1).take(AGAIN).collect::<Vec<_>>() {
            self.attempt(front, bound, views, &mut best)?;
        }
        best.sort();
        self.views.clone_from(&best[0].1);
        Ok(())
    }

    /// Tries a pair of views, as long as it expands not much more than the best one does.
    fn attempt(
        &mut self,
        front: &Front,
        bound: u32,
        views: Vec<usize>,
        best: &mut Vec<(u64, Vec<usize>)>,
    ) -> Result<(), DeviceError> {
        if self.control.check().is_break() {
            return Ok(());
        }
        let most = best
            .iter()
            .map(|(states, _)| states + states / if self.choices == 0 { 1 } else { 8 })
            .min()
            .unwrap_or(u64::MAX);
        self.views = views;
        let planted = self.plant(front)?;
        let round = self.round(&planted, front.len(), bound, most, true)?;
        if round.is_whole {
            best.push((round.expanded, self.views.clone()));
        }
        Ok(())
    }

    fn check(front: &Front, bound: u32) -> Result<(), DeviceError> {
        let made = front.made.iter().map(|(made, _)| *made).min().unwrap_or(0);
        if bound > MOST_BOUND || bound.saturating_sub(made) > MOST_MOVES {
            let found = format!("a board that takes at least {bound} moves");
            return Err(DeviceError::Board { found, expected: "shorter solutions" });
        }
        Ok(())
    }

    /// The moves of a solution that the device found, which are made here to see that they solve the puzzle.
    fn moves(&self, front: &Front, record: &Record, bound: u32) -> Result<Moves, DeviceError> {
        let root = record.root as usize;
        let mut cells = front.path(root);
        let (made, _) = front.made[root];
        let board = front.board(root);
        let blank = board.iter().position(|&tile| usize::from(tile) == self.searcher.tables.blank);
        let blank = blank.expect("a board has a blank");
        follow(&self.searcher.tables, record, bound - made, blank, &mut cells);
        solution(self.puzzle, &cells, bound)
    }

    fn end(&self, moves: Option<Moves>, lower_bound: u32) -> Deepened {
        Deepened { moves, lower_bound, stopped: self.control.stopped() }
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

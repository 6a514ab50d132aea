//! Solving a large board: a solution by beams that widen, then rounds that may prove it the shortest.

use std::time::Duration;

use pintu_search::{Control, Limits, clock::Instant};
use pintu_solver::{
    FoundBy,
    internals::{DeviceGuide, normal_form_of},
};
use pintu_tiles::{Moves, Puzzle, Topology};

use super::{DeviceNetwork, LargeSearcher, LargeTables, Scoring, TableWeights};
use crate::{Gpu, backend::DeviceError};

/// Boards of these sizes are large; smaller ones have tables that count the blank's moves.
pub(crate) const MIN_LARGE_CELLS: usize = 26;
const MAX_LARGE_CELLS: usize = 64;
/// Larger boards are too hard for rounds.
const MAX_ROUND_CELLS: usize = 36;
/// The views that beams and rounds look at.
const BEAM_VIEWS: usize = 8;
const ROUND_VIEWS: usize = 4;
/// Twice the weight of what tables say beyond the sum of distances: on boards that rounds may solve, and on larger ones.
const HALVES: [i32; 2] = [4, 3];
/// The first beam's width, how many times as wide the next one is, and the widest beam.
const FIRST_WIDTH: u32 = 1 << 14;
const WIDER: u32 = 8;
const WIDEST: u32 = 1 << 26;
/// The widest where the time is not limited.
const WIDEST_WITHOUT_LIMIT: u32 = 1 << 23;
/// How many times as many states a wide beam makes in a second as one that is an eighth as wide or narrower. If it does not,
/// the beam gets narrower on its way.
const SAVED: f64 = 1.2;
/// A beam that is less than this much wider than the one before is not worth its time.
const WORTH: f64 = 1.4;
/// The share of the time left for a beam; and where the length is no further than `NEAR` from the bound, so that rounds may
/// prove it.
const SHARE: f64 = 0.96;
const NEAR: u32 = 16;
const SHARE_WHERE_NEAR: f64 = 0.5;
/// How long rounds go on where the time is not limited.
const MAX_ROUNDS_TIME: Duration = Duration::from_mins(1);
/// The most states of a round's frontier.
const FRONTIER_BITS: u32 = 24;
/// The most tiles of a table and the partitions of them, by the bytes that are free.
const TABLES: [(u64, usize, usize); 4] = [(0, 3, 1), (1 << 30, 5, 2), (6 << 30, 6, 4), (140_000_000_000, 7, 4)];
/// The share of the time that building them may take, and about what a row takes on a fast device.
const BUILD_SHARE: f64 = 0.25;
const ROW_SECONDS: f64 = 4e-9;
/// The longest solution that beams look for.
const LONGEST: u32 = 2000;

/// News of a search on a large board.
pub(crate) enum Told {
    /// A solution, and what found it.
    Better(Moves, FoundBy),
    /// A lower bound of all solutions.
    Bound(u32),
}

/// Whether a board is large, and such that a device can search it.
pub(crate) fn is_large(topology: Topology) -> bool {
    (MIN_LARGE_CELLS..=MAX_LARGE_CELLS).contains(&topology.cells()) && LargeTables::suits(topology)
}

/// Solves large boards of one kind: by beams with a network, if one was trained for it, and by rounds with larger tables.
pub(crate) struct LargeSolver {
    beams: LargeSearcher,
    network: Option<DeviceNetwork>,
    /// The searcher for rounds, if the beams have tables of their own.
    rounds: Option<LargeSearcher>,
}

impl LargeSolver {
    /// A solver with tables that there is room and time for; with the largest only if they are asked for.
    pub(crate) fn load(gpu: &Gpu, puzzle: &Puzzle, is_largest: bool, control: &Control) -> Result<Self, DeviceError> {
        let (topology, blank) = normal_form_of(puzzle.topology(), puzzle.goal().blank());
        let Some((beams, network)) = LargeSearcher::guided(gpu, (topology, blank), control)? else {
            let beams = load_tables(gpu, (topology, blank), is_largest, control)?;
            return Ok(Self { beams, network: None, rounds: None });
        };
        if topology.cells() > MAX_ROUND_CELLS {
            return Ok(Self { beams, network: Some(network), rounds: None });
        }
        let rounds = match load_tables(gpu, (topology, blank), is_largest, control) {
            // Rounds make do with the tables of the beams.
            Err(DeviceError::Memory { .. }) => None,
            rounds => Some(rounds?),
        };
        Ok(Self { beams, network: Some(network), rounds })
    }

    /// Looks for ever shorter solutions than the one that is known, and for a proof, as far as the control allows.
    pub(crate) fn improve(
        &mut self,
        puzzle: &Puzzle,
        control: &Control,
        length: Option<u32>,
        tell: &mut dyn FnMut(Told),
    ) -> Result<(), DeviceError> {
        // Without a solution, the longest that is looked for.
        let mut length = length.unwrap_or(LONGEST);
        let ranked = self.rounds.as_mut().unwrap_or(&mut self.beams).ranked_views(puzzle)?;
        let bound = ranked[0].0;
        tell(Told::Bound(bound.min(length)));
        let beams = &mut self.beams;
        let views: Vec<usize> = (0..beams.tables.view_count().min(BEAM_VIEWS)).collect();
        let halves = HALVES[usize::from(beams.tables.topology.cells() > MAX_ROUND_CELLS)];
        let tables = Scoring::Tables(TableWeights::of_excess(halves, views.len()));
        let (scoring, by) = match &self.network {
            Some(network) => (Scoring::Network(network), FoundBy::NetworkBeams),
            None => (tables, FoundBy::TableBeams),
        };
        let most = if control.time_left().is_some() { WIDEST } else { WIDEST_WITHOUT_LIMIT };
        let widest = beams.widest(views.len(), scoring, length.min(3 * bound))?.min(most);
        // What is near its bound is left for rounds, which need time, too.
        let is_near = beams.tables.topology.cells() <= MAX_ROUND_CELLS && length <= bound + NEAR;
        let share = if is_near { SHARE_WHERE_NEAR } else { SHARE };
        let (mut width, mut pace) = (FIRST_WIDTH.min(widest), None);
        while length > bound {
            let began = Instant::now();
            // Solutions of one board differ by an even number of moves.
            if let Some(moves) = beams.beam_at_pace(puzzle, &views, (width, scoring), (length - 2, pace), control)? {
                length = moves.len() as u32;
                tell(Told::Better(moves, by));
            }
            let left = control.time_left().map(|left| left.mul_f64(share));
            let wider = wider(width, widest, began.elapsed(), left).filter(|_| control.check().is_ok());
            let Some(wider) = wider else { break };
            (width, pace) = (wider, left);
        }
        if beams.tables.topology.cells() <= MAX_ROUND_CELLS {
            beams.levels = None;
            let views: Vec<usize> = ranked.iter().take(ROUND_VIEWS).map(|&(_, view)| view).collect();
            let time = if control.time_left().is_some() { None } else { Some(MAX_ROUNDS_TIME) };
            let control = control.part(Limits::none().time(time));
            let rounds = self.rounds.as_mut().unwrap_or(beams);
            rounds.deepen(puzzle, &control, &views, bound, length, tell)?;
        }
        Ok(())
    }
}

/// The width of the beam after one that took `took`, if a wider one is worth it: where the time is limited, the widest that ends
/// within what is left of it.
fn wider(width: u32, widest: u32, took: Duration, left: Option<Duration>) -> Option<u32> {
    // Twice as wide a beam takes twice as long; the narrow ones say little of how long wide ones take.
    let left = left.map_or(f64::MAX, |left| SAVED * left.as_secs_f64());
    let fits = f64::from(width) * left / took.as_secs_f64().max(1e-6);
    let next = if fits < f64::from(width) * f64::from(WIDER * WIDER) { fits } else { f64::from(width * WIDER) };
    let next = next.min(f64::from(widest));
    (next >= WORTH * f64::from(width)).then_some(next as u32)
}

/// A searcher with tables that there is room and time for; with the largest only if they are asked for.
fn load_tables(
    gpu: &Gpu,
    (topology, blank): (Topology, usize),
    is_largest: bool,
    control: &Control,
) -> Result<LargeSearcher, DeviceError> {
    let free = gpu.info()?.free_bytes;
    let has_time = |rows: u64| {
        let most = control.time_left().map(|left| left.mul_f64(BUILD_SHARE).as_secs_f64());
        most.is_none_or(|most| rows as f64 * ROW_SECONDS <= most)
    };
    let sizes: Vec<_> = TABLES.iter().filter(|(least, ..)| free >= *least).collect();
    let skipped = usize::from(!is_largest && sizes.len() == TABLES.len());
    let mut refused = super::tables::unsuitable(topology);
    for &&(least, tiles, most) in sizes.iter().rev().skip(skipped) {
        // Fewer partitions, then fewer tiles.
        for count in [most, most / 2, 1] {
            let (bytes, rows) = LargeTables::estimated(topology, tiles, count);
            let is_least = least == 0 && count == 1;
            if count == 0 || bytes > free - free / 10 || (!is_least && !has_time(rows)) {
                continue;
            }
            let partitions = LargeTables::partitions(topology, blank, tiles, count);
            match LargeTables::build(gpu, topology, blank, partitions, control) {
                Ok(tables) => return Ok(LargeSearcher::new(tables)),
                Err(error @ (DeviceError::Memory { .. } | DeviceError::Board { .. })) => refused = error,
                Err(error) => return Err(error),
            }
        }
    }
    Err(refused)
}

impl LargeSearcher {
    /// A searcher with the tables that a network corrects, and the network, if one was trained for the board and its goal's
    /// blank cell, which are in normal form.
    pub fn guided(
        gpu: &Gpu,
        (topology, blank): (Topology, usize),
        control: &Control,
    ) -> Result<Option<(Self, DeviceNetwork)>, DeviceError> {
        let guide = DeviceGuide::new(topology, blank);
        guide.map(|guide| Self::guided_by(gpu, (topology, blank), guide, control)).transpose()
    }

    /// The same with the tables and the network of a given guide.
    pub fn guided_by(
        gpu: &Gpu,
        board: (Topology, usize),
        mut guide: DeviceGuide,
        control: &Control,
    ) -> Result<(Self, DeviceNetwork), DeviceError> {
        let partitions = std::mem::take(&mut guide.partitions);
        let tables = LargeTables::build_without_blank(gpu, board, partitions, control)?;
        let network = DeviceNetwork::new(&tables.device, &guide)?;
        Ok((Self::new(tables), network))
    }

    /// Uploads another network for the same tables.
    #[cfg(feature = "training")]
    pub fn upload_network(&self, guide: &DeviceGuide) -> Result<DeviceNetwork, DeviceError> {
        DeviceNetwork::new(&self.tables.device, guide)
    }

    /// The estimate of each view for a puzzle, the highest first.
    fn ranked_views(&mut self, puzzle: &Puzzle) -> Result<Vec<(u32, usize)>, DeviceError> {
        let all: Vec<usize> = (0..self.tables.view_count()).collect();
        let mut ranked: Vec<(u32, usize)> = Vec::new();
        for views in all.chunks(BEAM_VIEWS) {
            let estimates = self.estimates(std::slice::from_ref(puzzle), views)?;
            ranked.extend(estimates[0].iter().copied().zip(views.iter().copied()));
        }
        ranked.sort_by_key(|&(moves, view)| (u32::MAX - moves, view));
        Ok(ranked)
    }

    /// Rounds with rising bounds, until one finds a solution or reaches the one that is known.
    fn deepen(
        &mut self,
        puzzle: &Puzzle,
        control: &Control,
        views: &[usize],
        mut bound: u32,
        length: u32,
        tell: &mut dyn FnMut(Told),
    ) -> Result<(), DeviceError> {
        let scoring = Scoring::Tables(TableWeights::of_excess(HALVES[0], views.len()));
        let room = 1 << FRONTIER_BITS.min(self.widest(views.len(), scoring, length)?.ilog2());
        while bound < length && control.check().is_ok() {
            let round = match self.round(puzzle, views, bound, room, control) {
                // There is no proof without memory for a round; the solution that is known stays.
                Err(DeviceError::Memory { .. }) => return Ok(()),
                round => round?,
            };
            if let Some(moves) = round.moves {
                tell(Told::Better(moves, FoundBy::Rounds));
                return Ok(());
            }
            if !round.is_whole {
                return Ok(());
            }
            bound += 2;
            tell(Told::Bound(bound.min(length)));
        }
        Ok(())
    }
}

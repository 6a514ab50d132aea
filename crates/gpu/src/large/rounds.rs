//! One round: all states within a bound, breadth first as far as there is room, then depth first.

use pintu_search::Control;
use pintu_solver::internals::NormalForm;
use pintu_tiles::{Moves, Puzzle};

use super::{
    LargeSearcher, TableWeights,
    levels::{LevelEnd, Levels, Scoring},
    tables::LargeTables,
};
use crate::{
    backend::{DeviceError, Kernel, Memory},
    words::{Dive, DiveCounts, MOST_DEPTH, Record},
};

/// A time slice is this factor longer than on small boards, for more is put aside at its end.
const SLICES: u64 = 3;

/// The result of a round.
#[derive(Clone, Debug, Default)]
pub struct LargeRound {
    /// A solution within the bound, if there is one.
    pub moves: Option<Moves>,
    /// Whether all states within the bound were searched.
    pub is_whole: bool,
    /// The states that were expanded.
    pub expanded: u64,
    /// The states of the frontier, and the moves to them.
    pub frontier: (u32, u32),
}

/// States that threads put aside when a slice of time ends.
pub(crate) struct Aside {
    states: [Memory; 2],
    counts: Memory,
    record: Memory,
    words: u64,
    capacity: u64,
}

impl Aside {
    fn new(tables: &LargeTables, words: u64, threads: u32) -> Result<Self, DeviceError> {
        // Room for each level of each thread.
        let capacity = u64::from(threads) * u64::from(MOST_DEPTH + 1);
        let states = || Memory::new(&tables.device, 4 * words * capacity);
        Ok(Self {
            states: [states()?, states()?],
            counts: Memory::zeroed(&tables.device, size_of::<DiveCounts>() as u64)?,
            record: Memory::zeroed(&tables.device, size_of::<Record>() as u64)?,
            words,
            capacity,
        })
    }
}

impl LargeSearcher {
    /// Searches all that is within a bound, from a frontier of up to `room` states, unless a solution is found or the
    /// control ends it.
    ///
    /// # Panics
    /// If there are no views, or more than a device looks at.
    pub fn round(
        &mut self,
        puzzle: &Puzzle,
        views: &[usize],
        bound: u32,
        room: u32,
        control: &Control,
    ) -> Result<LargeRound, DeviceError> {
        let board = NormalForm::new(puzzle).board;
        let at = self.begin(&board, views, (room, Scoring::Tables(BREADTH)), control)?;
        let mut round = LargeRound::default();
        {
            let (tables, world) = (&self.tables, &self.worlds[at].1);
            let levels = self.levels.as_mut().expect("it has begun");
            loop {
                if control.check().is_err() {
                    return Ok(round);
                }
                if levels.count() == 0 || levels.level() == bound {
                    round.is_whole = true;
                    return Ok(round);
                }
                let left = bound - levels.level() - 1;
                let count = u64::from(levels.count());
                match levels.advance(tables, world, left, Scoring::Tables(BREADTH), None)? {
                    LevelEnd::Found(successor) => {
                        let path = levels.path(0, Some(successor))?;
                        round.moves = Some(self.moves(puzzle, &board, &path, bound)?);
                        return Ok(round);
                    }
                    LevelEnd::Full => break,
                    LevelEnd::Kept(_) => {
                        round.expanded += count;
                        control.count_done(count, 2 * count);
                    }
                }
            }
        }
        let found = self.dive(at, bound, control, &mut round)?;
        if let Some(path) = found {
            round.moves = Some(self.moves(puzzle, &board, &path, bound)?);
        }
        Ok(round)
    }

    /// Goes depth first from the states of the level that was reached; returns the directions of a solution.
    fn dive(
        &mut self,
        at: usize,
        bound: u32,
        control: &Control,
        round: &mut LargeRound,
    ) -> Result<Option<Vec<u8>>, DeviceError> {
        let (tables, world) = (&self.tables, &self.worlds[at].1);
        let levels: &Levels = self.levels.as_ref().expect("it has begun");
        let (device, words) = (&tables.device, world.shape.spill_words());
        let left = bound - levels.level();
        round.frontier = (levels.count(), levels.level());
        // A path longer than the depth limit is not searched: the round would take too long.
        if left > MOST_DEPTH {
            return Ok(None);
        }
        let threads = device.divers()?;
        if self.aside.as_ref().is_none_or(|aside| aside.words != words) {
            self.aside = None;
            self.aside = Some(Aside::new(tables, words, threads)?);
        }
        let aside = self.aside.as_ref().expect("it has just been made");
        let (nanoseconds, steps) = device.slice();
        let mut dive = Dive {
            world: world.world.address(),
            roots: levels.states(),
            counts: aside.counts.address(),
            record: aside.record.address(),
            nanoseconds: nanoseconds.saturating_mul(SLICES),
            steps: steps.into(),
            root_count: levels.count(),
            spill_capacity: u32::try_from(aside.capacity).unwrap_or(u32::MAX),
            left,
            idle_limit: threads / 2 + 1,
            ..Dive::default()
        };
        let mut counts = DiveCounts::default();
        for slice in 0.. {
            if control.check().is_err() {
                return Ok(None);
            }
            dive.spilled = aside.states[slice % 2].address();
            dive.spill = aside.states[(slice + 1) % 2].address();
            dive.spilled_count = counts.spill_count;
            aside.counts.set(&[DiveCounts { root_next: counts.root_next, ..DiveCounts::default() }])?;
            device.launch(world.shape.into(), Kernel::Dive(&dive), threads.into())?;
            counts = aside.counts.values(1)?[0];
            round.expanded += counts.expanded;
            control.count_done(counts.expanded, counts.generated);
            if counts.found != 0 {
                let record: Record = aside.record.values(1)?[0];
                let mut path = levels.path(record.root, None)?;
                let step = |left: u32| (record.path[left as usize / 16] >> (2 * (left % 16)) & 3) as u8;
                path.extend((record.left..left).rev().map(step));
                return Ok(Some(path));
            }
            if u64::from(counts.spill_count) > aside.capacity {
                return Err(DeviceError::Wrong("more states were put aside than there are".to_owned()));
            }
            counts.root_next = counts.root_next.min(levels.count());
            if counts.root_next == levels.count() && counts.spill_count == 0 {
                round.is_whole = true;
                return Ok(None);
            }
        }
        unreachable!("slices go on until one ends it")
    }
}

/// Breadth first all states have the same score.
const BREADTH: TableWeights = TableWeights { sum: 0, distance: 0, shift: 0 };

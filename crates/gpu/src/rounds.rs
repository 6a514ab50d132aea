//! Rounds on a device: everything within a bound is searched from a number of roots.

use std::sync::Arc;

use pintu_search::Control;

use crate::{
    backend::{Device, DeviceError, Kernel, Memory},
    tables::DeviceViews,
    words::{CELLS, Counts, PATH_WORDS, Record, Roots, Search, Shape, Tally},
};

/// The memory that searches of one shape need besides their tables, and the device that they run on.
pub(crate) struct SearchMemory {
    device: Device,
    shape: Shape,
    warps: u32,
    capacity: u32,
    pool_capacity: u32,
    stacks: Memory,
    sizes: Memory,
    pool: Memory,
    counts: Memory,
}

/// States to search from, on the device.
pub(crate) struct DeviceRoots {
    roots: Memory,
    solved: Memory,
    records: Memory,
    /// The counts of each board, where there are many.
    tallies: Memory,
    bounds: Option<Memory>,
    count: u32,
}

pub(crate) struct Root<'a> {
    /// The contents of its cells, each tile named by its goal cell.
    pub(crate) board: &'a [u8],
    pub(crate) automaton: u16,
    pub(crate) made: u32,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Round {
    /// The number of boards that were solved in this round.
    pub(crate) found: u32,
    /// By how much at least the bound must rise.
    pub(crate) shortfall: u32,
    pub(crate) expanded: u64,
    /// Whether everything within the bound was searched.
    pub(crate) is_whole: bool,
}

/// How long a round goes on, if not to its end.
pub(crate) struct Until<'a> {
    pub(crate) control: &'a Control,
    /// The states that it may expand.
    pub(crate) most: u64,
    /// Asked between slices: whether what the round would find is known by now.
    pub(crate) is_needless: &'a mut dyn FnMut() -> bool,
}

/// The most moves that can be made from a root.
pub(crate) const MAX_MOVES: u32 = 16 * PATH_WORDS as u32;
/// The moves of one group, and slacks, must fit eight bits.
pub(crate) const MAX_BOUND: u32 = 250;
const MAX_POOL_STATES: u64 = 1 << 23;
/// Stacks and pool take at most 1 / `MEMORY_PARTS` of the free memory.
const MEMORY_PARTS: u64 = 4;
/// No limit: more expansions than there will ever be.
const UNLIMITED_NODES: u64 = 1 << 60;

impl SearchMemory {
    pub(crate) fn new(device: &Device, shape: Shape) -> Result<Self, DeviceError> {
        let state = 4 * shape.state_words() as u64;
        let width = u64::from(device.width());
        // A state has four successors at most, and what is on a stack above another is nearer to the goal.
        let capacity = 4 * width * u64::from(MAX_MOVES + 1) + 2 * width;
        let free = device.info()?.free_bytes;
        let pool_capacity = MAX_POOL_STATES.min(free / (2 * MEMORY_PARTS) / state);
        let fits = free / (2 * MEMORY_PARTS) / (capacity * state);
        let warps = u64::from(device.warps()?).min(fits);
        if warps == 0 || pool_capacity < 1 << 12 {
            return Err(DeviceError::Memory { found: free, expected: 2 * MEMORY_PARTS * capacity * state });
        }
        Ok(Self {
            device: Arc::clone(device),
            shape,
            warps: warps as u32,
            capacity: capacity as u32,
            pool_capacity: pool_capacity as u32,
            stacks: Memory::new(device, warps * capacity * state)?,
            sizes: Memory::zeroed(device, 4 * warps)?,
            pool: Memory::new(device, pool_capacity * state)?,
            counts: Memory::zeroed(device, size_of::<Counts>() as u64)?,
        })
    }

    pub(crate) fn most_roots(&self) -> usize {
        self.pool_capacity as usize / 2
    }

    /// Brings roots to the device and has it find out what the tables say of them. Where each is a board of its own,
    /// each also gets a bound of its own.
    pub(crate) fn upload_roots<'a>(
        &self,
        views: &DeviceViews,
        roots: impl ExactSizeIterator<Item = Root<'a>>,
        are_boards: bool,
    ) -> Result<DeviceRoots, DeviceError> {
        let count = roots.len();
        assert!(count <= self.most_roots(), "more roots than the device has room for");
        let mut boards = vec![0_u8; count * CELLS];
        let (mut automata, mut made) = (vec![0_u16; count], vec![0_u16; count]);
        for (index, root) in roots.enumerate() {
            boards[index * CELLS..][..root.board.len()].copy_from_slice(root.board);
            (automata[index], made[index]) = (root.automaton, root.made as u16);
        }
        let device = &self.device;
        let slots = if are_boards { count } else { 1 } as u64;
        let roots = DeviceRoots {
            roots: Memory::new(device, 4 * self.shape.state_words() as u64 * count as u64)?,
            solved: Memory::zeroed(device, 4 * slots)?,
            records: Memory::zeroed(device, size_of::<Record>() as u64 * slots)?,
            tallies: Memory::zeroed(device, size_of::<Tally>() as u64 * slots)?,
            bounds: if are_boards { Some(Memory::zeroed(device, 2 * slots)?) } else { None },
            count: count as u32,
        };
        let (boards, automata, made) =
            (Memory::of(device, &boards)?, Memory::of(device, &automata)?, Memory::of(device, &made)?);
        let seed = Roots {
            boards: boards.address(),
            automata: automata.address(),
            made: made.address(),
            ..self.params(views, &roots, 0)
        };
        self.counts.set(&[Counts::default()])?;
        device.launch(self.shape.into(), Kernel::Seed(&seed), count as u64)?;
        if self.counts()?.broken != 0 {
            return Err(DeviceError::Wrong("a table leads nowhere".to_owned()));
        }
        Ok(roots)
    }

    fn params(&self, views: &DeviceViews, roots: &DeviceRoots, bound: u32) -> Roots {
        Roots {
            world: views.world.address(),
            states: roots.roots.address(),
            pool: self.pool.address(),
            counts: self.counts.address(),
            bounds: roots.bounds.as_ref().map_or(0, Memory::address),
            solved: roots.solved.address(),
            records: roots.records.address(),
            batch: roots.bounds.is_some().into(),
            bound,
            count: roots.count,
            pool_capacity: self.pool_capacity,
            ..Roots::default()
        }
    }

    fn counts(&self) -> Result<Counts, DeviceError> {
        Ok(self.counts.values(1)?[0])
    }

    /// Searches from all roots as far as the bound (or as far as each root's own), until a solution is found.
    pub(crate) fn round(
        &self,
        views: &DeviceViews,
        roots: &DeviceRoots,
        bound: u32,
        until: Until<'_>,
    ) -> Result<Round, DeviceError> {
        let Until { control, most, is_needless } = until;
        let is_batch = roots.bounds.is_some();
        self.counts.set(&[Counts { shortfall: u32::MAX, ..Counts::default() }])?;
        self.sizes.clear()?;
        let deal = self.params(views, roots, bound);
        self.device.launch(self.shape.into(), Kernel::Deal(&deal), u64::from(roots.count))?;
        let mut counts = self.counts()?;
        let mut round = Round { found: counts.found, shortfall: counts.shortfall, expanded: 0, is_whole: false };
        let mut search = Search {
            world: views.world.address(),
            stacks: self.stacks.address(),
            sizes: self.sizes.address(),
            pool: self.pool.address(),
            counts: self.counts.address(),
            records: roots.records.address(),
            solved: roots.solved.address(),
            tallies: roots.tallies.address(),
            warps: self.warps,
            capacity: self.capacity,
            pool_capacity: self.pool_capacity,
            batch: is_batch.into(),
            idle_limit: (self.warps / 4).max(1),
            ..Search::default()
        };
        (search.nanoseconds, search.steps) = self.device.slice();
        loop {
            if !is_batch && round.found > 0 {
                return Ok(round);
            }
            if counts.pool_next >= counts.pool_count && counts.idle == self.warps {
                round.is_whole = true;
                return Ok(round);
            }
            if control.check().is_err() || is_needless() {
                return Ok(round);
            }
            let budget = control.nodes_left().unwrap_or(UNLIMITED_NODES).min(most - round.expanded);
            if budget == 0 {
                // The control says so itself when it is asked for one more.
                if control.nodes_left() == Some(0) {
                    let _ = control.meter().expand();
                }
                return Ok(round);
            }
            if counts.pool_next >= counts.pool_count && counts.idle > 0 {
                self.counts.set(&[Counts { pool_next: 0, pool_count: 0, ..counts }])?;
                let threads = u64::from(self.warps) * u64::from(self.device.width());
                self.device.launch(self.shape.into(), Kernel::Gather(&search), threads)?;
                counts = self.counts()?;
            }
            self.slice(&mut search, views, &mut counts, budget)?;
            control.count_done(counts.expanded, counts.generated);
            round.expanded += counts.expanded;
            round.found += counts.found;
            round.shortfall = round.shortfall.min(counts.shortfall);
        }
    }

    fn slice(
        &self,
        search: &mut Search,
        views: &DeviceViews,
        counts: &mut Counts,
        budget: u64,
    ) -> Result<(), DeviceError> {
        let (warps, width) = (u64::from(self.warps), self.device.width());
        let waiting = u64::from(counts.pool_count.saturating_sub(counts.pool_next));
        search.grab = (waiting / warps).clamp(1, width.into()) as u32;
        search.grant = (budget / (4 * warps)).clamp(width.into(), 1 << 16) as u32;
        let (pool_next, pool_count) = (counts.pool_next.min(counts.pool_count), counts.pool_count);
        self.counts.set(&[Counts { pool_next, pool_count, budget, shortfall: u32::MAX, ..Counts::default() }])?;
        self.device.launch(self.shape.into(), Kernel::Search(search, views.ranks), warps * u64::from(width))?;
        *counts = self.counts()?;
        Ok(())
    }
}

impl DeviceRoots {
    /// The solution that was found, where all roots are of one board.
    pub(crate) fn record(&self) -> Result<Record, DeviceError> {
        Ok(self.records.values(1)?[0])
    }

    /// The record of each board, and whether it holds a solution.
    pub(crate) fn records(&self) -> Result<(Vec<Record>, Vec<u32>), DeviceError> {
        Ok((self.records.values(self.count as usize)?, self.solved.values(self.count as usize)?))
    }

    pub(crate) fn tallies(&self) -> Result<Vec<Tally>, DeviceError> {
        self.tallies.values(self.count as usize)
    }

    pub(crate) fn set_bounds(&self, bounds: &[u16]) -> Result<(), DeviceError> {
        self.bounds.as_ref().map_or(Ok(()), |memory| memory.set(bounds))
    }

    /// A lower bound of each board, by the best view.
    pub(crate) fn least(&self, shape: Shape) -> Result<Vec<u16>, DeviceError> {
        let mut least = vec![0; self.count as usize];
        let mut moves = vec![0_u32; self.count as usize];
        for view in 0..u64::from(shape.views) {
            self.roots.get(4 * (5 * view + 4) * u64::from(self.count), &mut moves)?;
            for (least, moves) in least.iter_mut().zip(&moves) {
                let sum: u16 = moves.to_le_bytes().into_iter().map(u16::from).sum();
                *least = sum.max(*least);
            }
        }
        Ok(least)
    }
}

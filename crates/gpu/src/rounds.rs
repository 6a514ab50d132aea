//! Rounds on a device: everything within a bound is searched from a number of roots.

use std::sync::Arc;

use pintu_search::{Control, Stop};

use crate::{
    DeviceTables,
    backend::{Device, DeviceError, Kernel, Memory},
    words::{CELLS, Counts, PATH_WORDS, Record, Roots, Search, Shape, Tally},
};

/// The memory that searches of one shape need besides their tables, and the device that they run on.
pub(crate) struct Field {
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

/// A way to look boards up, as the device knows it.
pub(crate) struct Sighted {
    world: Memory,
    ranks: u32,
}

impl Sighted {
    pub(crate) fn new(tables: &DeviceTables, views: &[usize]) -> Result<Self, DeviceError> {
        let (world, ranks) = tables.world(views)?;
        Ok(Self { world, ranks })
    }
}

/// States to search from, on the device.
pub(crate) struct Planted {
    roots: Memory,
    solved: Memory,
    records: Memory,
    /// What each board has taken, where there are many.
    tallies: Memory,
    bounds: Option<Memory>,
    count: u32,
    room: u32,
}

/// A state to search from.
pub(crate) struct Root<'a> {
    /// What lies in its cells, each tile named by its goal cell.
    pub(crate) board: &'a [u8],
    /// The machine's state.
    pub(crate) machine: u16,
    /// The moves made so far.
    pub(crate) made: u32,
}

/// What came of a round.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Round {
    /// How many boards were solved in it.
    pub(crate) found: u32,
    /// By how much at least the bound must rise.
    pub(crate) shortfall: u32,
    /// The states that it expanded.
    pub(crate) expanded: u64,
    /// Whether everything within the bound was searched.
    pub(crate) is_whole: bool,
}

/// How long a round goes on, if not to its end.
pub(crate) struct Until<'a> {
    pub(crate) control: &'a Control,
    /// The states that it may expand.
    pub(crate) most: u64,
    /// Asked now and then: whether what it would find is known by now.
    pub(crate) is_needless: &'a mut dyn FnMut() -> bool,
}

/// The most moves that can be made from a root.
pub(crate) const MOST_MOVES: u32 = 16 * PATH_WORDS as u32;
/// Moves of one lane, and slacks, must fit eight bits.
pub(crate) const MOST_BOUND: u32 = 250;
/// States that the pool has room for, where there is memory for them.
const POOL: u64 = 1 << 23;
/// The share of the free memory that stacks and pool may take.
const SHARE: u64 = 4;
/// No limit on expansions: more than there will ever be.
const ENDLESS: u64 = 1 << 60;

impl Field {
    pub(crate) fn new(device: &Device, shape: Shape) -> Result<Self, DeviceError> {
        let state = 4 * shape.state_words() as u64;
        let width = u64::from(device.width());
        // A state has four successors at most, and what is on a stack above another is nearer to the goal.
        let capacity = 4 * width * u64::from(MOST_MOVES + 1) + 2 * width;
        let free = device.info()?.free_bytes;
        let pool_capacity = POOL.min(free / (2 * SHARE) / state);
        let fits = free / (2 * SHARE) / (capacity * state);
        let warps = u64::from(device.warps(shape)?).min(fits);
        if warps == 0 || pool_capacity < 1 << 12 {
            return Err(DeviceError::Memory { found: free, expected: 2 * SHARE * capacity * state });
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

    /// The most roots that a round can begin with.
    pub(crate) fn most_roots(&self) -> usize {
        self.pool_capacity as usize / 2
    }

    /// Brings roots to the device and has it find out what the tables say of them. Where each is a board of its own,
    /// each also gets a bound of its own.
    pub(crate) fn plant<'a>(
        &self,
        sighted: &Sighted,
        roots: impl ExactSizeIterator<Item = Root<'a>>,
        are_boards: bool,
    ) -> Result<Planted, DeviceError> {
        let count = roots.len();
        assert!(count <= self.most_roots(), "more roots than the device has room for");
        let mut boards = vec![0_u8; count * CELLS];
        let (mut machines, mut made) = (vec![0_u16; count], vec![0_u16; count]);
        for (index, root) in roots.enumerate() {
            boards[index * CELLS..][..root.board.len()].copy_from_slice(root.board);
            (machines[index], made[index]) = (root.machine, root.made as u16);
        }
        let device = &self.device;
        let slots = if are_boards { count } else { 1 } as u64;
        let planted = Planted {
            roots: Memory::new(device, 4 * self.shape.state_words() as u64 * count as u64)?,
            solved: Memory::zeroed(device, 4 * slots)?,
            records: Memory::zeroed(device, size_of::<Record>() as u64 * slots)?,
            tallies: Memory::zeroed(device, size_of::<Tally>() as u64 * slots)?,
            bounds: if are_boards { Some(Memory::zeroed(device, 2 * slots)?) } else { None },
            count: count as u32,
            room: count as u32,
        };
        let (boards, machines, made) =
            (Memory::of(device, &boards)?, Memory::of(device, &machines)?, Memory::of(device, &made)?);
        let seed = Roots {
            boards: boards.address(),
            machines: machines.address(),
            made: made.address(),
            ..self.roots(sighted, &planted, 0)
        };
        self.counts.set(&[Counts::default()])?;
        device.launch(self.shape, Kernel::Seed(&seed), count as u64)?;
        if self.counts()?.broken != 0 {
            return Err(DeviceError::Wrong { why: "a table leads nowhere".to_owned() });
        }
        Ok(planted)
    }

    fn roots(&self, sighted: &Sighted, planted: &Planted, bound: u32) -> Roots {
        Roots {
            world: sighted.world.address(),
            planted: planted.roots.address(),
            pool: self.pool.address(),
            counts: self.counts.address(),
            bounds: planted.bounds.as_ref().map_or(0, Memory::address),
            solved: planted.solved.address(),
            records: planted.records.address(),
            batch: planted.bounds.is_some().into(),
            bound,
            count: planted.count,
            room: planted.room,
            pool_capacity: self.pool_capacity,
            ..Roots::default()
        }
    }

    fn counts(&self) -> Result<Counts, DeviceError> {
        let mut counts = [Counts::default()];
        self.counts.get(0, &mut counts)?;
        Ok(counts[0])
    }

    /// Searches from all roots as far as the bound (or as far as each root's own), until a solution is found.
    pub(crate) fn round(
        &self,
        sighted: &Sighted,
        planted: &Planted,
        bound: u32,
        until: Until<'_>,
    ) -> Result<Round, DeviceError> {
        let Until { control, most, is_needless } = until;
        let is_batch = planted.bounds.is_some();
        self.counts.set(&[Counts { shortfall: u32::MAX, ..Counts::default() }])?;
        self.sizes.clear()?;
        let deal = self.roots(sighted, planted, bound);
        self.device.launch(self.shape, Kernel::Deal(&deal), u64::from(planted.count))?;
        let mut counts = self.counts()?;
        let mut round = Round { found: counts.found, shortfall: counts.shortfall, expanded: 0, is_whole: false };
        let mut search = Search {
            world: sighted.world.address(),
            stacks: self.stacks.address(),
            sizes: self.sizes.address(),
            pool: self.pool.address(),
            counts: self.counts.address(),
            records: planted.records.address(),
            solved: planted.solved.address(),
            tallies: planted.tallies.address(),
            warps: self.warps,
            capacity: self.capacity,
            pool_capacity: self.pool_capacity,
            batch: is_batch.into(),
            patience: (self.warps / 4).max(1),
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
            if control.check().is_break() || is_needless() {
                return Ok(round);
            }
            let budget = control.nodes_left().unwrap_or(ENDLESS).min(most - round.expanded);
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
                self.device.launch(self.shape, Kernel::Gather(&search), threads)?;
                counts = self.counts()?;
            }
            self.slice(&mut search, sighted, &mut counts, budget)?;
            control.count_done(counts.expanded, counts.generated);
            round.expanded += counts.expanded;
            round.found += counts.found;
            round.shortfall = round.shortfall.min(counts.shortfall);
        }
    }

    /// Has the warps go on for a while.
    fn slice(
        &self,
        search: &mut Search,
        sighted: &Sighted,
        counts: &mut Counts,
        budget: u64,
    ) -> Result<(), DeviceError> {
        let (warps, width) = (u64::from(self.warps), self.device.width());
        let waiting = u64::from(counts.pool_count.saturating_sub(counts.pool_next));
        search.grab = (waiting / warps).clamp(1, width.into()) as u32;
        search.grant = (budget / (4 * warps)).clamp(width.into(), 1 << 16) as u32;
        let (pool_next, pool_count) = (counts.pool_next.min(counts.pool_count), counts.pool_count);
        self.counts.set(&[Counts { pool_next, pool_count, budget, shortfall: u32::MAX, ..Counts::default() }])?;
        self.device.launch(self.shape, Kernel::Search(search, sighted.ranks), warps * u64::from(width))?;
        *counts = self.counts()?;
        Ok(())
    }
}

/// Counts goals that the device has come to, which are taken up like other states, as far as they may be.
pub(crate) fn count_goals(control: &Control, goals: usize) {
    control.count_done(goals as u64, 0);
}

impl Planted {
    /// The solution that was found, where all roots are of one board.
    pub(crate) fn record(&self) -> Result<Record, DeviceError> {
        let mut record = [Record::default()];
        self.records.get(0, &mut record)?;
        Ok(record[0])
    }

    /// What was found for each board, and whether something was.
    pub(crate) fn records(&self) -> Result<(Vec<Record>, Vec<u32>), DeviceError> {
        let (mut records, mut solved) = (vec![Record::default(); self.count as usize], vec![0; self.count as usize]);
        self.records.get(0, &mut records)?;
        self.solved.get(0, &mut solved)?;
        Ok((records, solved))
    }

    /// What each board has taken so far.
    pub(crate) fn tallies(&self) -> Result<Vec<Tally>, DeviceError> {
        let mut tallies = vec![Tally::default(); self.count as usize];
        self.tallies.get(0, &mut tallies)?;
        Ok(tallies)
    }

    /// Gives each board its bound.
    pub(crate) fn set_bounds(&self, bounds: &[u16]) -> Result<(), DeviceError> {
        self.bounds.as_ref().map_or(Ok(()), |memory| memory.set(bounds))
    }

    /// What each board needs at least, as the best view sees it.
    pub(crate) fn least(&self, shape: Shape) -> Result<Vec<u16>, DeviceError> {
        let mut least = vec![0; self.count as usize];
        let mut moves = vec![0_u32; self.count as usize];
        for view in 0..u64::from(shape.views) {
            self.roots.get(4 * (5 * view + 4) * u64::from(self.room), &mut moves)?;
            for (least, moves) in least.iter_mut().zip(&moves) {
                let sum: u16 = moves.to_le_bytes().into_iter().map(u16::from).sum();
                *least = sum.max(*least);
            }
        }
        Ok(least)
    }
}

/// Why a round ended, as far as its control has noticed.
pub(crate) fn stopped(control: &Control) -> Option<Stop> {
    control.check().break_value()
}

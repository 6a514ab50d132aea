//! Level by level from a board: all states within a bound, or a beam of the best.

use crate::{
    backend::{DeviceError, Kernel, Memory},
    large::tables::{LargeTables, LargeWorld},
    words::{Assess, SCORES, Spread, Take},
};

/// A state's score: the sum of what all views say, and the sum of the tiles' distances, each times a weight; then shifted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weights {
    /// The weight of each view's number of moves.
    pub sum: i32,
    /// The weight of the sum of distances.
    pub distance: i32,
    /// By how many bits the score is shifted down.
    pub shift: u32,
}

impl Weights {
    /// The sum of distances, and `halves / 2` times the mean excess of the tables over it.
    pub fn of_excess(halves: i32, views: usize) -> Self {
        Self { sum: halves, distance: -(halves - 2) * views as i32, shift: 1 }
    }
}

/// Memory for the states of two levels and the successors of one, and the parents of all.
pub(crate) struct Levels {
    capacity: u64,
    words: u64,
    states: [Memory; 2],
    slots: [Memory; 2],
    claims: Memory,
    scores: Memory,
    ups: Memory,
    histogram: Memory,
    /// The number of a successor that is the goal; how many states are kept, and how many with the highest score.
    marks: Memory,
    /// For each level after the first, the successors that were kept.
    parents: Vec<Memory>,
    /// The states of this level, and the masks of its slots and of those of the level before.
    count: u32,
    masks: [u64; 2],
}

/// How a level ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    /// One of the successors is the goal.
    Found(u32),
    /// The number of states of the next level.
    Kept(u32),
    /// There are more successors than there is room for: the level stays as it is.
    Full,
}

const LEAST_SLOTS: u64 = 1 << 10;

fn slots_for(states: u64) -> u64 {
    (2 * states).next_power_of_two().max(LEAST_SLOTS)
}

impl Levels {
    /// The bytes of levels with room for `capacity` states.
    pub(crate) fn bytes(words: u64, capacity: u64) -> u64 {
        2 * 4 * words * capacity + 16 * capacity + 2 * 8 * slots_for(capacity) + 8 * slots_for(2 * capacity)
    }

    pub(crate) fn new(tables: &LargeTables, words: u64, capacity: u64) -> Result<Self, DeviceError> {
        let device = &tables.device;
        let states = || Memory::new(device, 4 * words * capacity);
        let slots = || Memory::new(device, 8 * slots_for(capacity));
        Ok(Self {
            capacity,
            words,
            states: [states()?, states()?],
            slots: [slots()?, slots()?],
            claims: Memory::new(device, 8 * slots_for(2 * capacity))?,
            scores: Memory::new(device, 8 * capacity)?,
            ups: Memory::new(device, 8 * capacity)?,
            histogram: Memory::new(device, 4 * SCORES as u64)?,
            marks: Memory::new(device, 12)?,
            parents: Vec::new(),
            count: 0,
            masks: [LEAST_SLOTS - 1; 2],
        })
    }

    /// What it takes.
    pub(crate) fn held(&self) -> u64 {
        Self::bytes(self.words, self.capacity) + self.parents.iter().map(Memory::bytes).sum::<u64>()
    }

    /// Whether it has room for `capacity` states of `words` words.
    pub(crate) fn serves(&self, words: u64, capacity: u64) -> bool {
        self.words == words && self.capacity >= capacity
    }

    pub(crate) fn count(&self) -> u32 {
        self.count
    }

    /// The moves made so far.
    pub(crate) fn level(&self) -> u32 {
        self.parents.len() as u32
    }

    /// Where this level's states lie.
    pub(crate) fn states(&self) -> u64 {
        self.states[self.parents.len() % 2].address()
    }

    /// Begins with a board.
    pub(crate) fn start(&mut self, tables: &LargeTables, world: &LargeWorld, board: &[u8]) -> Result<(), DeviceError> {
        self.parents.clear();
        (self.count, self.masks) = (1, [LEAST_SLOTS - 1; 2]);
        for slots in &self.slots {
            tables.device.zero(slots.address(), 8 * LEAST_SLOTS)?;
        }
        assess(tables, world, board, &self.states[0])
    }

    /// Makes the successors that need at most `left` moves more, and keeps the best `width`, or all if there is room.
    pub(crate) fn advance(
        &mut self,
        tables: &LargeTables,
        world: &LargeWorld,
        left: u32,
        weights: Weights,
        width: Option<u32>,
    ) -> Result<Ended, DeviceError> {
        let device = &tables.device;
        let code = world.shape.into();
        let (here, other) = (self.parents.len() % 2, (self.parents.len() + 1) % 2);
        let count = u64::from(self.count);
        let claims = slots_for(2 * count);
        device.zero(self.claims.address(), 8 * claims)?;
        self.histogram.clear()?;
        self.marks.set(&[u32::MAX, 0, 0])?;
        let spread = Spread {
            world: world.world.address(),
            here: self.states[here].address(),
            before: self.states[other].address(),
            claims: self.claims.address(),
            before_slots: self.slots[other].address(),
            claims_mask: claims - 1,
            slots_mask: self.masks[other],
            scores: self.scores.address(),
            ups: self.ups.address(),
            histogram: self.histogram.address(),
            found: self.marks.address(),
            count: self.count,
            left,
            sum_weight: weights.sum,
            distance_weight: weights.distance,
            shift: weights.shift,
            spare: 0,
        };
        device.launch(code, Kernel::Spread(&spread), count)?;
        device.launch(code, Kernel::CountScores(&spread), count.min(1 << 18))?;
        let found = self.marks.values::<u32>(1)?[0];
        if found != u32::MAX {
            return Ok(Ended::Found(found));
        }
        let histogram: Vec<u32> = self.histogram.values(SCORES)?;
        let all: u64 = histogram.iter().map(|&count| u64::from(count)).sum();
        let most = width.map_or(self.capacity, |width| u64::from(width).min(self.capacity));
        if width.is_none() && all > most {
            return Ok(Ended::Full);
        }
        let (limit, at_limit) = cut(&histogram, most);
        let kept = all.min(most);
        let slots = slots_for(kept);
        device.zero(self.slots[other].address(), 8 * slots)?;
        self.masks[other] = slots - 1;
        let parents = Memory::new(device, 4 * kept)?;
        let take = Take {
            world: world.world.address(),
            here: self.states[here].address(),
            next: self.states[other].address(),
            slots: self.slots[other].address(),
            slots_mask: slots - 1,
            scores: self.scores.address(),
            ups: self.ups.address(),
            parents: parents.address(),
            taken: self.marks.address() + 4,
            ties: self.marks.address() + 8,
            count: self.count,
            limit,
            at_limit,
            capacity: kept as u32,
        };
        device.launch(code, Kernel::Take(&take), 4 * count)?;
        let [_, taken, _] = self.marks.values::<u32>(3)?[..] else { unreachable!("three were asked for") };
        if u64::from(taken) != kept {
            return Err(DeviceError::Wrong(format!("{taken} states were kept of {kept}")));
        }
        self.parents.push(parents);
        self.count = taken;
        Ok(Ended::Kept(taken))
    }

    /// The directions of the moves to a state of this level, or to one's successor.
    pub(crate) fn path(&self, state: u32, successor: Option<u32>) -> Result<Vec<u8>, DeviceError> {
        let mut path: Vec<u8> = successor.iter().map(|id| (id % 4) as u8).collect();
        let mut at = successor.map_or(state, |id| id / 4);
        for parents in self.parents.iter().rev() {
            let mut id = [0_u32];
            parents.get(4 * u64::from(at), &mut id)?;
            path.push((id[0] % 4) as u8);
            at = id[0] / 4;
        }
        path.reverse();
        Ok(path)
    }
}

/// The score below which all are kept, and how many of it.
fn cut(histogram: &[u32], most: u64) -> (u32, u32) {
    let mut before = 0;
    for (score, &count) in histogram.iter().enumerate() {
        let count = u64::from(count);
        if before + count > most {
            return (score as u32, (most - before) as u32);
        }
        before += count;
    }
    (histogram.len() as u32, 0)
}

/// Makes states of boards that lie one after the other.
pub(crate) fn assess(
    tables: &LargeTables,
    world: &LargeWorld,
    boards: &[u8],
    states: &Memory,
) -> Result<(), DeviceError> {
    let device = &tables.device;
    let uploaded = Memory::of(device, boards)?;
    let broken = Memory::zeroed(device, 4)?;
    let count = (boards.len() / tables.topology.cells()) as u32;
    let assess = Assess {
        world: world.world.address(),
        boards: uploaded.address(),
        states: states.address(),
        broken: broken.address(),
        count,
        spare: 0,
    };
    device.launch(world.shape.into(), Kernel::Assess(&assess), count.into())?;
    if broken.values::<u32>(1)? != [0] {
        return Err(DeviceError::Wrong("a table leads nowhere".to_owned()));
    }
    Ok(())
}

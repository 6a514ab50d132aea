//! Level by level from a board: all states within a bound, or a beam of the best.

use crate::{
    backend::{Device, DeviceError, Kernel, Memory},
    large::{
        network::DeviceNetwork,
        tables::{LargeTables, LargeWorld},
    },
    words::{Assess, Judge, SCORES, Spread, Take},
};

/// A state's score: the sum of what all views say, and the sum of the tiles' distances, each times a weight; then shifted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableWeights {
    /// The weight of each view's number of moves.
    pub sum: i32,
    /// The weight of the sum of distances.
    pub distance: i32,
    /// By how many bits the score is shifted down.
    pub shift: u32,
}

impl TableWeights {
    /// The sum of distances, and `halves / 2` times the mean excess of the tables over it.
    pub fn of_excess(halves: i32, views: usize) -> Self {
        Self { sum: halves, distance: -(halves - 2) * views as i32, shift: 1 }
    }
}

/// The score by which a beam keeps states.
#[derive(Clone, Copy)]
pub enum Scoring<'a> {
    /// A weighted sum of table values and distances.
    Tables(TableWeights),
    /// The tables' score, corrected by a network.
    Network(&'a DeviceNetwork),
}

impl Scoring<'_> {
    fn weights(self) -> TableWeights {
        match self {
            Self::Tables(weights) => weights,
            Self::Network(network) => network.tables,
        }
    }
}

/// The greatest score of tables that a network corrects.
const MOST_JUDGED: u32 = 0xfffe;

/// Memory for the states of two levels and the successors of one, and the parents of all.
pub(crate) struct Levels {
    capacity: u64,
    pub(crate) words: u64,
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
    /// The scores of this level's states, where a network is trained on them.
    kept_scores: Option<Memory>,
    /// The states of this level, and the masks of its slots and of those of the level before.
    count: u32,
    masks: [u64; 2],
}

/// How a level ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LevelEnd {
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
            kept_scores: None,
            count: 0,
            masks: [LEAST_SLOTS - 1; 2],
        })
    }

    /// The bytes on the device that the levels take.
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

    /// The device's memory with this level's states.
    pub(crate) fn states(&self) -> u64 {
        self.states[self.parents.len() % 2].address()
    }

    /// Makes a board the only state of the first level.
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
        scoring: Scoring<'_>,
        width: Option<u32>,
    ) -> Result<LevelEnd, DeviceError> {
        self.generate(&tables.device, world, left, scoring)?;
        let found = self.marks.values::<u32>(1)?[0];
        if found != u32::MAX {
            return Ok(LevelEnd::Found(found));
        }
        let histogram: Vec<u32> = self.histogram.values(SCORES)?;
        let all: u64 = histogram.iter().map(|&count| u64::from(count)).sum();
        let most = width.map_or(self.capacity, |width| u64::from(width).min(self.capacity));
        if width.is_none() && all > most {
            return Ok(LevelEnd::Full);
        }
        self.keep(&tables.device, world, all.min(most), cut(&histogram, most)).map(LevelEnd::Kept)
    }

    /// The places of this level's states, and of those of the level before, which the next level takes.
    fn sides(&self) -> (usize, usize) {
        (self.parents.len() % 2, (self.parents.len() + 1) % 2)
    }

    /// Makes the successors of this level's states, scores them and counts each score.
    fn generate(
        &mut self,
        device: &Device,
        world: &LargeWorld,
        left: u32,
        scoring: Scoring<'_>,
    ) -> Result<(), DeviceError> {
        let (code, (here, other)) = (world.shape.into(), self.sides());
        let count = u64::from(self.count);
        let claims = slots_for(2 * count);
        device.zero(self.claims.address(), 8 * claims)?;
        self.histogram.clear()?;
        self.marks.set(&[u32::MAX, 0, 0])?;
        let weights = scoring.weights();
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
            most_score: if matches!(scoring, Scoring::Network(_)) { MOST_JUDGED } else { SCORES as u32 - 1 },
        };
        device.launch(code, Kernel::Spread(&spread), count)?;
        if let Scoring::Network(network) = scoring {
            let judge = Judge {
                world: spread.world,
                here: spread.here,
                scores: spread.scores,
                rows: network.rows.address(),
                deep: network.deep.address(),
                deep_bias: network.deep_bias.address(),
                last: network.last.address(),
                count: self.count,
                last_bias: network.last_bias,
                share: network.share,
                spare: 0,
            };
            device.launch(code, Kernel::Judge(&judge), count * u64::from(device.width()))?;
        }
        device.launch(code, Kernel::CountScores(&spread), count.min(1 << 18))
    }

    /// Makes the next level of `kept` successors: those with a score below a limit, and some of those at it.
    fn keep(
        &mut self,
        device: &Device,
        world: &LargeWorld,
        kept: u64,
        (limit, at_limit): (u32, u32),
    ) -> Result<u32, DeviceError> {
        let (here, other) = self.sides();
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
            kept_scores: self.kept_scores.as_ref().map_or(0, Memory::address),
            taken: self.marks.address() + 4,
            ties: self.marks.address() + 8,
            count: self.count,
            limit,
            at_limit,
            capacity: kept as u32,
        };
        device.launch(world.shape.into(), Kernel::Take(&take), 4 * u64::from(self.count))?;
        let [_, taken, _] = self.marks.values::<u32>(3)?[..] else { unreachable!("three were asked for") };
        if u64::from(taken) != kept {
            return Err(DeviceError::Wrong(format!("{taken} states were kept of {kept}")));
        }
        self.parents.push(parents);
        self.count = taken;
        Ok(taken)
    }

    /// Keeps the scores of the levels from now on.
    #[cfg(feature = "training")]
    pub(crate) fn keep_scores(&mut self, tables: &LargeTables) -> Result<(), DeviceError> {
        self.kept_scores = Some(Memory::new(&tables.device, 2 * self.capacity)?);
        Ok(())
    }

    /// For each state of this level, the number of the successor that it was, and its score.
    #[cfg(feature = "training")]
    pub(crate) fn kept(&self) -> Result<(Vec<u32>, Vec<u16>), DeviceError> {
        let count = self.count as usize;
        let last = self.parents.last().map_or(Ok(Vec::new()), |parents| parents.values(count))?;
        Ok((last, self.kept_scores.as_ref().map_or(Ok(Vec::new()), |scores| scores.values(count))?))
    }

    /// The words of this level's states, one state after the other.
    #[cfg(feature = "training")]
    pub(crate) fn state_words(&self) -> Result<Vec<u32>, DeviceError> {
        self.states[self.parents.len() % 2].values((self.words * u64::from(self.count)) as usize)
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

/// The score below which all successors are kept, and the number of those with that score that are.
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

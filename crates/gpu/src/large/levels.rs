//! Level by level from a board: all states within a bound, or a beam of the best.

#[cfg(feature = "training")]
use crate::words::{Code, Pick, Trace};
use crate::{
    backend::{Device, DeviceError, Kernel, Memory},
    large::{
        network::DeviceNetwork,
        tables::{LargeTables, LargeWorld},
    },
    words::{Assess, Carry, Judge, SCORES, Spread, Take},
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

    /// The words of the network's first layer that are kept for each state.
    pub(crate) fn sum_words(self) -> u64 {
        match self {
            Self::Tables(_) => 0,
            Self::Network(network) => network.sum_words,
        }
    }
}

/// The score of a successor that is not there.
#[cfg(feature = "training")]
pub(crate) const DEAD: u32 = 0xffff;
/// The greatest score of tables that a network corrects.
const MOST_JUDGED: u32 = 0xfffe;

/// Memory for the states of two levels and the successors of one, and the parents of all.
pub(crate) struct Levels {
    capacity: u64,
    pub(crate) words: u64,
    states: [Memory; 2],
    /// For each state the sums of a network's first layer, if one judges them: so many words.
    sum_words: u64,
    sums: [Memory; 2],
    slots: [Memory; 2],
    claims: Memory,
    scores: Memory,
    ups: Memory,
    histogram: Memory,
    /// The number of a successor that is the goal; how many states are kept, and how many with the highest score.
    marks: Memory,
    /// For each level after the first, the successors that were kept; and memory for more levels, of boards before.
    parents: Vec<Memory>,
    spare: Vec<Memory>,
    /// The scores of this level's states, where a network is trained on them.
    kept_scores: Option<Memory>,
    #[cfg(feature = "training")]
    merits: Vec<Memory>,
    /// The states of each level after the first.
    #[cfg(feature = "training")]
    counts: Vec<u32>,
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
    /// The bytes of levels with room for `capacity` states of `words` words, a network's sums included.
    pub(crate) fn bytes(words: u64, capacity: u64) -> u64 {
        2 * 4 * words * capacity + 16 * capacity + 2 * 8 * slots_for(capacity) + 8 * slots_for(2 * capacity)
    }

    pub(crate) fn new(
        tables: &LargeTables,
        (words, sum_words): (u64, u64),
        capacity: u64,
    ) -> Result<Self, DeviceError> {
        let device = &tables.device;
        let states = || Memory::new(device, 4 * words * capacity);
        let sums = || Memory::new(device, 4 * sum_words * capacity);
        let slots = || Memory::new(device, 8 * slots_for(capacity));
        Ok(Self {
            capacity,
            words,
            states: [states()?, states()?],
            sum_words,
            sums: [sums()?, sums()?],
            slots: [slots()?, slots()?],
            claims: Memory::new(device, 8 * slots_for(2 * capacity))?,
            scores: Memory::new(device, 8 * capacity)?,
            ups: Memory::new(device, 8 * capacity)?,
            histogram: Memory::new(device, 4 * SCORES as u64)?,
            marks: Memory::new(device, 12)?,
            parents: Vec::new(),
            spare: Vec::new(),
            kept_scores: None,
            #[cfg(feature = "training")]
            merits: Vec::new(),
            #[cfg(feature = "training")]
            counts: Vec::new(),
            count: 0,
            masks: [LEAST_SLOTS - 1; 2],
        })
    }

    /// The bytes on the device that the levels take.
    pub(crate) fn held(&self) -> u64 {
        let parents = self.parents.iter().chain(&self.spare).map(Memory::bytes).sum::<u64>();
        Self::bytes(self.words + self.sum_words, self.capacity) + parents
    }

    /// Whether it has room for `capacity` states of `words` words and a network's sums.
    pub(crate) fn serves(&self, (words, sum_words): (u64, u64), capacity: u64) -> bool {
        self.words == words && self.sum_words >= sum_words && self.capacity >= capacity
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
    pub(crate) fn start(
        &mut self,
        tables: &LargeTables,
        world: &LargeWorld,
        board: &[u8],
        scoring: Scoring<'_>,
    ) -> Result<(), DeviceError> {
        self.spare.append(&mut self.parents);
        #[cfg(feature = "training")]
        self.counts.clear();
        (self.count, self.masks) = (1, [LEAST_SLOTS - 1; 2]);
        for slots in &self.slots {
            tables.device.zero(slots.address(), 8 * LEAST_SLOTS)?;
        }
        assess(tables, world, board, &self.states[0])?;
        self.carry(&tables.device, world, scoring)
    }

    /// Makes the sums of this level's states, if a network judges them.
    fn carry(&self, device: &Device, world: &LargeWorld, scoring: Scoring<'_>) -> Result<(), DeviceError> {
        let Scoring::Network(network) = scoring else { return Ok(()) };
        let (here, other) = self.sides();
        let carry = Carry {
            world: world.world.address(),
            here: self.states[here].address(),
            parents: self.parents.last().map_or(0, Memory::address),
            before: self.sums[other].address(),
            sums: self.sums[here].address(),
            rows: network.rows.address(),
            count: self.count,
            spare: 0,
        };
        // Four words a thread.
        device.launch(world.shape.into(), Kernel::Carry(&carry), u64::from(self.count) * network.sum_words / 4)
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
        let room = if width.is_some() { most } else { all };
        self.keep(&tables.device, world, (all.min(most), room), cut(&histogram, most))?;
        self.carry(&tables.device, world, scoring)?;
        Ok(LevelEnd::Kept(self.count))
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
                sums: self.sums[here].address(),
                rows: network.rows.address(),
                deep: network.deep.address(),
                deep_bias: network.deep_bias.address(),
                last: network.last.address(),
                count: self.count,
                last_bias: network.last_bias,
                share: network.share,
                spare: 0,
            };
            device.launch(code, Kernel::Judge(&judge), count)?;
        }
        device.launch(code, Kernel::CountScores(&spread), count.min(1 << 18))
    }

    /// Makes the next level of `kept` successors: those with a score below a limit, and some of those at it. The parents'
    /// numbers get memory for `room` of them, to be used again by the next board.
    fn keep(
        &mut self,
        device: &Device,
        world: &LargeWorld,
        (kept, room): (u64, u64),
        (limit, at_limit): (u32, u32),
    ) -> Result<(), DeviceError> {
        let (here, other) = self.sides();
        let slots = slots_for(kept);
        device.zero(self.slots[other].address(), 8 * slots)?;
        self.masks[other] = slots - 1;
        let known = self.spare.iter().rposition(|spare| spare.bytes() >= 4 * kept);
        let parents = known.map_or_else(|| Memory::new(device, 4 * room), |known| Ok(self.spare.swap_remove(known)))?;
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
        device.launch(world.shape.into(), Kernel::Take(&take), self.count.into())?;
        let [_, taken, _] = self.marks.values::<u32>(3)?[..] else { unreachable!("three were asked for") };
        if u64::from(taken) != kept {
            return Err(DeviceError::Wrong(format!("{taken} states were kept of {kept}")));
        }
        self.parents.push(parents);
        self.count = taken;
        #[cfg(feature = "training")]
        self.counts.push(taken);
        Ok(())
    }

    /// Keeps the scores of the levels from now on.
    #[cfg(feature = "training")]
    pub(crate) fn keep_scores(&mut self, device: &Device) -> Result<(), DeviceError> {
        if self.kept_scores.is_none() {
            self.kept_scores = Some(Memory::new(device, 2 * self.capacity)?);
            self.merits = vec![Memory::new(device, 4 * self.capacity)?, Memory::new(device, 4 * self.capacity)?];
        }
        Ok(())
    }

    /// The score of each state of this level.
    #[cfg(feature = "training")]
    pub(crate) fn scores(&self) -> Result<Vec<u16>, DeviceError> {
        self.kept_scores.as_ref().map_or(Ok(Vec::new()), |scores| scores.values(self.count as usize))
    }

    /// For each of `count` states of an earlier level, how much lower than [`DEAD`] the score of its best descendant of this
    /// level is, or zero. A state that is `before_goal` counts as having the score after it.
    #[cfg(feature = "training")]
    pub(crate) fn merits(
        &self,
        (device, code): (&Device, Code),
        (level, count): (u32, u32),
        before_goal: Option<(u32, u16)>,
    ) -> Result<Vec<u32>, DeviceError> {
        let scores = self.kept_scores.as_ref().expect("they have been kept");
        let mut trace = Trace { scores: scores.address(), last: u32::MAX, count: self.count, ..Trace::default() };
        if let Some((last, score)) = before_goal {
            (trace.last, trace.last_merit) = (last, DEAD - u32::from(score));
        }
        let mut counts = self.counts[level as usize..].iter().rev();
        for (turn, parents) in self.parents[level as usize..].iter().rev().enumerate() {
            let merits = &self.merits[turn % 2];
            trace.count = *counts.next().expect("one for each level");
            device.zero(merits.address(), 4 * u64::from(counts.clone().next().copied().unwrap_or(count)))?;
            (trace.parents, trace.merits) = (parents.address(), merits.address());
            device.launch(code, Kernel::Trace(&trace), trace.count.into())?;
            (trace.scores, trace.after) = (0, merits.address());
        }
        let turns = self.parents.len() - level as usize;
        self.merits[(turns + 1) % 2].values(count as usize)
    }

    /// Copies of states of this level: of all, or of other memory with some of a list.
    #[cfg(feature = "training")]
    pub(crate) fn copies(
        &self,
        (device, code): (&Device, Code),
        world: &LargeWorld,
        some: Option<(&Memory, &[u32])>,
    ) -> Result<Memory, DeviceError> {
        let list = some.map(|(_, list)| Memory::of(device, list)).transpose()?;
        let count = some.map_or(self.count, |(_, list)| list.len() as u32);
        let copies = Memory::new(device, 4 * self.words * u64::from(count))?;
        let pick = Pick {
            world: world.world.address(),
            states: some.map_or(self.states(), |(states, _)| states.address()),
            list: list.as_ref().map_or(0, Memory::address),
            copies: copies.address(),
            count,
            spare: 0,
        };
        device.launch(code, Kernel::Pick(&pick), u64::from(count) * self.words)?;
        // The list is needed until the copies are made.
        let _: Vec<u32> = copies.values(1)?;
        Ok(copies)
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

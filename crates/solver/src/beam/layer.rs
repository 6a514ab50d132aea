//! The states of a beam that are equally many moves away from the start.

use crate::views::{MOST, Mask, State, fetch};

/// A worker's states of a layer: the nearest of the states that it has made, as many as it is wide, and others.
pub(crate) struct WorkerLayer<M, const CELLS: usize, const GROUPS: usize> {
    width: usize,
    pub(crate) states: Vec<State<M, CELLS, GROUPS>>,
    /// For each state, the moves that all views together say are left.
    pub(crate) lefts: Vec<u16>,
    pub(crate) hashes: Vec<u64>,
    /// The number of states for each number of moves left.
    counts: Vec<usize>,
    /// States with this many moves left, or more, are too far: enough others have fewer.
    too_far: u16,
    /// The number of states with at most that many moves left.
    near: usize,
}

const PREFETCH_AHEAD: usize = 16;
/// More moves than any state has left.
const NEVER: u16 = u16::MAX;

impl<M: Mask, const CELLS: usize, const GROUPS: usize> WorkerLayer<M, CELLS, GROUPS> {
    /// The bytes that it takes for each state of its width.
    pub(crate) const BYTES_A_STATE: usize =
        2 * (size_of::<State<M, CELLS, GROUPS>>() + size_of::<u16>() + size_of::<u64>());

    /// The bytes that it takes whatever its width.
    pub(crate) const BYTES_BESIDES: usize = Self::BYTES_A_STATE * MOST / 2 + GROUPS * 256 * size_of::<usize>();

    pub(crate) fn new(width: usize) -> Self {
        let room = 2 * width + MOST;
        let mut layer = Self {
            width,
            states: Vec::with_capacity(room),
            lefts: Vec::with_capacity(room),
            hashes: Vec::with_capacity(room),
            counts: vec![0; GROUPS * 256],
            too_far: 0,
            near: 0,
        };
        layer.clear();
        layer
    }

    pub(crate) fn clear(&mut self) {
        self.truncate(0);
        self.counts.fill(0);
        self.too_far = (self.counts.len() - 1) as u16;
        self.near = 0;
    }

    #[inline]
    pub(crate) fn fetch(&self, at: usize) {
        fetch(&self.states, at);
        fetch(&self.hashes, at);
    }

    /// Whether a state with `left` moves left may be among the nearest.
    #[inline]
    pub(crate) fn is_near(&self, left: u16) -> bool {
        left < self.too_far
    }

    /// Adds a copy of `before`, to be changed where it is stored: changing it before would stall.
    #[inline]
    pub(crate) fn push(
        &mut self,
        before: &State<M, CELLS, GROUPS>,
        left: u16,
        hash: u64,
    ) -> &mut State<M, CELLS, GROUPS> {
        self.counts[usize::from(left)] += 1;
        self.near += 1;
        self.lefts.push(left);
        self.hashes.push(hash);
        // Stores to a later state would wait for its memory.
        fetch(&self.states, self.states.len() + PREFETCH_AHEAD);
        self.states.push(*before);
        self.states.last_mut().expect("it has just been pushed")
    }

    /// Lowers the cutoff as far as enough states are nearer, and drops states beyond it if there are too many.
    #[inline]
    pub(crate) fn update_cutoff(&mut self) {
        while self.near - self.counts[usize::from(self.too_far)] >= self.width {
            self.near -= self.counts[usize::from(self.too_far)];
            self.too_far -= 1;
        }
        if self.states.len() >= 2 * self.width {
            self.narrow();
        }
    }

    #[cold]
    fn narrow(&mut self) {
        let last = usize::from(self.too_far);
        let mut edge = Edge { too_far: self.too_far, ties: self.width - (self.near - self.counts[last]) };
        self.counts[last] = edge.ties;
        self.counts[last + 1..].fill(0);
        self.near = self.width;
        let mut remaining = 0;
        for at in 0..self.states.len() {
            if edge.keeps(self.lefts[at]) {
                self.states[remaining] = self.states[at];
                self.lefts[remaining] = self.lefts[at];
                self.hashes[remaining] = self.hashes[at];
                remaining += 1;
            }
        }
        self.truncate(remaining);
    }

    pub(crate) fn drop_seen(&mut self, others: &[RecentStates]) {
        for (left, &hash) in self.lefts.iter_mut().zip(&self.hashes) {
            if others.iter().any(|seen| seen.has(hash)) {
                self.counts[usize::from(*left)] -= 1;
                *left = NEVER;
            }
        }
    }

    fn truncate(&mut self, len: usize) {
        self.states.truncate(len);
        self.lefts.truncate(len);
        self.hashes.truncate(len);
    }
}

/// Where a beam ends: it keeps the states that have fewer moves left, and the first of those that have just as many.
struct Edge {
    too_far: u16,
    ties: usize,
}

impl Edge {
    fn new<M: Mask, const CELLS: usize, const GROUPS: usize>(
        layers: &[WorkerLayer<M, CELLS, GROUPS>],
        width: usize,
    ) -> Self {
        let count = |left: usize| layers.iter().map(|layer| layer.counts[left]).sum::<usize>();
        let most = layers[0].counts.len();
        let (mut ties, mut too_far) = (width, 0);
        while too_far + 1 < most && count(too_far) <= ties {
            ties -= count(too_far);
            too_far += 1;
        }
        Self { too_far: too_far as u16, ties }
    }

    #[inline]
    fn keeps(&mut self, left: u16) -> bool {
        let is_tie = left == self.too_far && self.ties > 0;
        self.ties -= usize::from(is_tie);
        left < self.too_far || is_tie
    }
}

/// A state's worker and its index there.
#[derive(Clone, Copy)]
pub(crate) struct StateRef {
    pub(crate) worker: u32,
    pub(crate) at: u32,
}

/// The nearest states of a layer, as many as the beam is wide, and of those equally near the first.
pub(crate) fn nearest<M: Mask, const CELLS: usize, const GROUPS: usize>(
    layers: &[WorkerLayer<M, CELLS, GROUPS>],
    width: usize,
    refs: &mut Vec<StateRef>,
) {
    let mut edge = Edge::new(layers, width);
    refs.clear();
    for (worker, states) in (0..).zip(layers) {
        let near = (0..).zip(&states.lefts).filter(|&(_, &left)| edge.keeps(left));
        refs.extend(near.map(|(at, _)| StateRef { worker, at }));
    }
}

/// A lossy set of the states generated last, so that few are in a beam twice. A state forgotten, or taken for another,
/// harms only the beam's result.
pub(crate) struct RecentStates(Vec<Bucket>);

type Bucket = [u16; 4];

impl RecentStates {
    /// The bytes that it takes for each state of the width.
    pub(crate) const BYTES_A_STATE: usize = size_of::<Bucket>();

    pub(crate) fn new(width: usize) -> Self {
        Self(vec![Bucket::default(); (width / 2).next_power_of_two()])
    }

    #[inline]
    pub(crate) fn fetch(&self, hash: u64) {
        fetch(&self.0, self.index(hash));
    }

    #[inline]
    pub(crate) fn has(&self, hash: u64) -> bool {
        self.0[self.index(hash)].contains(&tag(hash))
    }

    /// Adds a state; returns whether it was not there.
    #[inline]
    pub(crate) fn is_new(&mut self, hash: u64) -> bool {
        let index = self.index(hash);
        let is_new = !self.has(hash);
        if is_new {
            let [a, b, c, _] = self.0[index];
            self.0[index] = [tag(hash), a, b, c];
        }
        is_new
    }

    #[inline]
    fn index(&self, hash: u64) -> usize {
        hash as usize & (self.0.len() - 1)
    }
}

/// The part of a hash that is stored.
fn tag(hash: u64) -> u16 {
    (hash >> 48) as u16
}

/// Evenly spread numbers, the same for ever (Steele, Lea and Flood's `SplitMix64`).
pub(crate) fn spread_numbers(mut seed: u64) -> impl Iterator<Item = u64> {
    std::iter::repeat_with(move || {
        seed = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (seed ^ seed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    })
}

/// Zobrist hashing: a random number for each tile in each cell. A move changes a state's hash by two of them.
pub(crate) struct Zobrist<const CELLS: usize>(Box<[[u64; CELLS]; CELLS]>);

impl<const CELLS: usize> Zobrist<CELLS> {
    pub(crate) const BYTES: usize = CELLS * CELLS * size_of::<u64>();

    pub(crate) fn new() -> Self {
        let mut numbers = Box::new([[0; CELLS]; CELLS]);
        numbers.as_flattened_mut().iter_mut().zip(spread_numbers(0)).for_each(|(own, number)| *own = number);
        Self(numbers)
    }

    /// The change of a hash when a tile moves from one cell to another.
    #[inline]
    pub(crate) fn change(&self, tile: u8, from: u8, to: u8) -> u64 {
        let of_tile = &self.0[usize::from(tile) % CELLS];
        of_tile[usize::from(from) % CELLS] ^ of_tile[usize::from(to) % CELLS]
    }
}

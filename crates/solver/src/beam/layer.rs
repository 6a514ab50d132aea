//! The states of a sweep that are equally many moves away from the start.

use super::met::Met;
use crate::views::{MOST, Mask, State, fetch};

/// A worker's portion of a layer: the nearest of the states that it has made, as many as it is wide, and others.
pub(crate) struct Portion<M, const CELLS: usize, const LANES: usize> {
    width: usize,
    pub(crate) states: Vec<State<M, CELLS, LANES>>,
    /// For each state, the moves that all views together say are left.
    pub(crate) lefts: Vec<u16>,
    pub(crate) hashes: Vec<u64>,
    /// For each number of moves left, how many states have it.
    counts: Vec<usize>,
    /// From so many moves on, states are too far: enough others have no more.
    too_far: u16,
    /// How many have no more.
    near: usize,
}

/// So many states from now, spots come near.
const AHEAD: usize = 16;
/// No state has so many moves left.
const NEVER: u16 = u16::MAX;

impl<M: Mask, const CELLS: usize, const LANES: usize> Portion<M, CELLS, LANES> {
    /// The bytes that it takes for each state of its width.
    pub(crate) const BYTES_A_STATE: usize =
        2 * (size_of::<State<M, CELLS, LANES>>() + size_of::<u16>() + size_of::<u64>());

    /// The bytes that it takes whatever its width.
    pub(crate) const BYTES_BESIDES: usize = Self::BYTES_A_STATE * MOST / 2 + LANES * 256 * size_of::<usize>();

    pub(crate) fn new(width: usize) -> Self {
        let room = 2 * width + MOST;
        let mut portion = Self {
            width,
            states: Vec::with_capacity(room),
            lefts: Vec::with_capacity(room),
            hashes: Vec::with_capacity(room),
            counts: vec![0; LANES * 256],
            too_far: 0,
            near: 0,
        };
        portion.clear();
        portion
    }

    pub(crate) fn clear(&mut self) {
        self.truncate(0);
        self.counts.fill(0);
        self.too_far = (self.counts.len() - 1) as u16;
        self.near = 0;
    }

    /// Has a state brought near.
    #[inline]
    pub(crate) fn fetch(&self, at: usize) {
        fetch(&self.states, at);
        fetch(&self.hashes, at);
    }

    /// Whether a state with so many moves left may be among the nearest.
    #[inline]
    pub(crate) fn is_near(&self, left: u16) -> bool {
        left < self.too_far
    }

    /// Adds a state: a copy of `before`, to be changed in place, for to change it before it is stored would make it
    /// wait.
    #[inline]
    pub(crate) fn push(
        &mut self,
        before: &State<M, CELLS, LANES>,
        left: u16,
        hash: u64,
    ) -> &mut State<M, CELLS, LANES> {
        self.counts[usize::from(left)] += 1;
        self.near += 1;
        self.lefts.push(left);
        self.hashes.push(hash);
        // The spot of a state some time from now: stores would wait for it.
        fetch(&self.states, self.states.len() + AHEAD);
        self.states.push(*before);
        self.states.last_mut().expect("it has just been pushed")
    }

    /// Sees from how many moves on states are too far now, and drops those if there are too many of them.
    #[inline]
    pub(crate) fn settle(&mut self) {
        while self.near - self.counts[usize::from(self.too_far)] >= self.width {
            self.near -= self.counts[usize::from(self.too_far)];
            self.too_far -= 1;
        }
        if self.states.len() >= 2 * self.width {
            self.narrow();
        }
    }

    /// Keeps as many states as it is wide.
    #[cold]
    fn narrow(&mut self) {
        let last = usize::from(self.too_far);
        let mut edge = Edge { too_far: self.too_far, ties: self.width - (self.near - self.counts[last]) };
        self.counts[last] = edge.ties;
        self.counts[last + 1..].fill(0);
        self.near = self.width;
        let mut kept = 0;
        for at in 0..self.states.len() {
            if edge.keeps(self.lefts[at]) {
                self.states[kept] = self.states[at];
                self.lefts[kept] = self.lefts[at];
                self.hashes[kept] = self.hashes[at];
                kept += 1;
            }
        }
        self.truncate(kept);
    }

    /// Sorts out the states that others have seen.
    pub(crate) fn drop_seen(&mut self, others: &[Met]) {
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
    fn new<M: Mask, const CELLS: usize, const LANES: usize>(
        portions: &[Portion<M, CELLS, LANES>],
        width: usize,
    ) -> Self {
        let count = |left: usize| portions.iter().map(|portion| portion.counts[left]).sum::<usize>();
        let most = portions[0].counts.len();
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

/// A state's spot: its portion, and its index there.
#[derive(Clone, Copy)]
pub(crate) struct Spot {
    pub(crate) portion: u32,
    pub(crate) at: u32,
}

/// The nearest states of a layer, as many as the beam is wide, and of those equally near the first.
pub(crate) fn nearest<M: Mask, const CELLS: usize, const LANES: usize>(
    portions: &[Portion<M, CELLS, LANES>],
    width: usize,
    spots: &mut Vec<Spot>,
) {
    let mut edge = Edge::new(portions, width);
    spots.clear();
    for (portion, states) in (0..).zip(portions) {
        let near = (0..).zip(&states.lefts).filter(|&(_, &left)| edge.keeps(left));
        spots.extend(near.map(|(at, _)| Spot { portion, at }));
    }
}

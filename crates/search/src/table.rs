//! The states that a search has met.

use std::hash::{BuildHasher, Hash};

use crate::{Hold, Stop, driver::Id};

/// No state: the parent of the start.
pub(crate) const NONE: Id = Id::MAX;

const EMPTY: u32 = u32::MAX;
/// States that are looked up together: about as many cache misses as a core can have in flight.
const LOOKUPS_AT_ONCE: usize = 16;
/// A slot has a bit of the hash at least, so an index has 31; and no slot in use may look like [`EMPTY`].
const MOST_STATES: usize = (1 << 31) - 1;

/// A set of states in order of insertion, each with a `T`.
///
/// The insertion order is the arena, so a state's index is its identity and parents are plain
/// indices. Beside it lies a table of 32-bit slots, probed linearly. A slot holds an index in as many
/// low bits as the indices need at present and a piece of the hash in the rest, so that most probes
/// are decided without touching a state. When it grows it is rebuilt from the states, the old one being
/// freed first: a search never holds two.
pub(crate) struct Table<St, T> {
    states: Vec<St>,
    data: Vec<T>,
    slots: Vec<u32>,
    /// The bits of a slot that hold a piece of the hash.
    tag_mask: u32,
    hasher: foldhash::fast::FixedState,
}

/// The result of [`Table::insert`].
pub(crate) enum Entry {
    /// The state was met before; nothing was changed.
    Known(Id),
    New(Id),
}

impl<St: Clone + Eq + Hash, T> Table<St, T> {
    pub(crate) fn new() -> Self {
        Self {
            states: Vec::new(),
            data: Vec::new(),
            // One slot, for which there is no room to be used: the first insertion makes a real table.
            slots: vec![EMPTY],
            tag_mask: tag_mask(1),
            hasher: foldhash::fast::FixedState::default(),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.states.len()
    }

    pub(crate) fn state(&self, id: Id) -> &St {
        &self.states[id as usize]
    }

    pub(crate) fn data(&self, id: Id) -> &T {
        &self.data[id as usize]
    }

    pub(crate) fn data_mut(&mut self, id: Id) -> &mut T {
        &mut self.data[id as usize]
    }

    /// Removes all states, and keeps the memory.
    pub(crate) fn clear(&mut self) {
        if self.states.len() < self.slots.len() / 16 {
            while !self.states.is_empty() {
                self.pop();
            }
        } else {
            self.slots.fill(EMPTY);
            self.states.clear();
            self.data.clear();
        }
    }

    /// Removes the state that was added last, if there is one. No other state was placed beyond its slot.
    pub(crate) fn pop(&mut self) {
        let Some(state) = self.states.pop() else { return };
        self.data.pop();
        let hash = self.hash(&state);
        let (slot, mut at) = (self.tag(hash) | self.states.len() as u32, self.home(hash));
        while self.slots[at] != slot {
            at = if at + 1 == self.slots.len() { 0 } else { at + 1 };
        }
        self.slots[at] = EMPTY;
    }

    /// The bytes held, spare capacity included.
    pub(crate) fn bytes(&self) -> u64 {
        bytes_of::<St, T>(self.states.capacity(), self.slots.len())
    }

    #[inline]
    pub(crate) fn find(&self, state: &St) -> Option<Id> {
        match self.probe(self.hash(state), state) {
            Probe::Found(id) => Some(id),
            Probe::Free(_) => None,
        }
    }

    /// Looks `state` up and adds it with `data` if it is new. Before the table grows, the hold is asked.
    #[inline]
    pub(crate) fn insert(&mut self, state: &St, data: T, hold: &mut Hold) -> Result<Entry, Stop> {
        self.insert_hashed(self.hash(state), state, data, hold)
    }

    #[inline]
    fn insert_hashed(&mut self, hash: u64, state: &St, data: T, hold: &mut Hold) -> Result<Entry, Stop> {
        let slot = match self.probe(hash, state) {
            Probe::Found(id) => return Ok(Entry::Known(id)),
            Probe::Free(slot) => slot,
        };
        let slot = if self.is_full() {
            self.grow(hold)?;
            self.free_slot(hash)
        } else {
            slot
        };
        Ok(Entry::New(self.put(slot, hash, state, data)))
    }

    /// Adds a state whether or not it is known. It cannot be found again.
    pub(crate) fn append(&mut self, state: &St, data: T, hold: &mut Hold) -> Result<Entry, Stop> {
        if self.states.len() == self.states.capacity() {
            self.grow_to(self.slots.len(), hold)?;
        }
        self.states.push(state.clone());
        self.data.push(data);
        Ok(Entry::New(self.states.len() as Id - 1))
    }

    /// Adds a state that is new, for which there is room.
    #[inline]
    fn put(&mut self, slot: usize, hash: u64, state: &St, data: T) -> Id {
        let id = self.states.len() as Id;
        self.slots[slot] = self.tag(hash) | id;
        self.states.push(state.clone());
        self.data.push(data);
        id
    }

    /// [`insert`](Self::insert) for several states, one after the other. Their slots are read
    /// together first, so that cache misses overlap.
    pub(crate) fn insert_all(&mut self, fresh: &[(St, T)], hold: &mut Hold) -> Result<(), Stop>
    where
        T: Copy,
    {
        for some in fresh.chunks(LOOKUPS_AT_ONCE) {
            let mut hashes = [0; LOOKUPS_AT_ONCE];
            let mut homes = [EMPTY; LOOKUPS_AT_ONCE];
            for ((state, _), (hash, home)) in some.iter().zip(hashes.iter_mut().zip(&mut homes)) {
                *hash = self.hash(state);
                *home = self.slots[self.home(*hash)];
            }
            // Those that lie in their home slot, which are most of the known ones, are sorted out without a
            // branch, which would be mispredicted half of the time.
            let mut others = [0_u8; LOOKUPS_AT_ONCE];
            let mut count = 0;
            for (at, (state, _)) in some.iter().enumerate() {
                others[count] = at as u8;
                count += usize::from(!self.is_at(homes[at], hashes[at], state));
            }
            let others = others[..count].iter().map(|&at| usize::from(at));
            let others = others.map(|at| (hashes[at], &some[at]));
            if self.has_room_for(count) {
                for (hash, (state, data)) in others {
                    if let Probe::Free(slot) = self.probe(hash, state) {
                        self.put(slot, hash, state, *data);
                    }
                }
            } else {
                for (hash, (state, data)) in others {
                    self.insert_hashed(hash, state, *data, hold)?;
                }
            }
        }
        Ok(())
    }

    /// Whether a slot holds `state`. If the tags differ, the first state is read in its place.
    #[inline]
    fn is_at(&self, slot: u32, hash: u64, state: &St) -> bool {
        let may_be = (slot ^ hash as u32) & self.tag_mask == 0;
        let id = if may_be { slot & !self.tag_mask } else { 0 };
        may_be & self.states.get(id as usize).is_some_and(|known| known == state)
    }

    #[inline]
    fn hash(&self, state: &St) -> u64 {
        self.hasher.hash_one(state)
    }

    /// The first slot to look at: the hash's high half, scaled to the number of slots.
    #[inline]
    fn home(&self, hash: u64) -> usize {
        ((u128::from(hash) * self.slots.len() as u128) >> 64) as usize
    }

    /// The piece of the hash that lies above the index in a slot. It comes from the low half, on which the home slot
    /// does not depend.
    #[inline]
    fn tag(&self, hash: u64) -> u32 {
        (hash as u32) & self.tag_mask
    }

    #[inline]
    fn probe(&self, hash: u64, state: &St) -> Probe {
        let tag = self.tag(hash);
        let mut at = self.home(hash);
        loop {
            let Some(&slot) = self.slots.get(at) else {
                at = 0;
                continue;
            };
            if slot == EMPTY {
                return Probe::Free(at);
            }
            if (slot ^ tag) & self.tag_mask == 0 {
                let id = slot & !self.tag_mask;
                if self.states[id as usize] == *state {
                    return Probe::Found(id);
                }
            }
            at += 1;
        }
    }

    fn free_slot(&self, hash: u64) -> usize {
        let mut at = self.home(hash);
        while self.slots[at] != EMPTY {
            at = if at + 1 == self.slots.len() { 0 } else { at + 1 };
        }
        at
    }

    #[inline]
    fn is_full(&self) -> bool {
        !self.has_room_for(1)
    }

    /// Whether `more` states fit without growing.
    #[inline]
    fn has_room_for(&self, more: usize) -> bool {
        self.states.len() + more <= self.states.capacity().min(room(self.slots.len()))
    }

    #[cold]
    fn grow(&mut self, hold: &mut Hold) -> Result<(), Stop> {
        let is_full = self.states.len() >= room(self.slots.len());
        self.grow_to(if is_full { next_slots(self.slots.len()) } else { self.slots.len() }, hold)
    }

    /// Makes room for at least one more state, and makes the slots as many as `slots`.
    fn grow_to(&mut self, slots: usize, hold: &mut Hold) -> Result<(), Stop> {
        if self.states.len() >= MOST_STATES {
            return Err(Stop::Memory);
        }
        let capacity = if self.states.len() == self.states.capacity() {
            next_capacity(self.states.len(), size_of::<St>() + size_of::<T>()).min(MOST_STATES)
        } else {
            self.states.capacity()
        };
        hold.more(bytes_of::<St, T>(capacity, slots) - self.bytes())?;
        self.states.reserve_exact(capacity - self.states.len());
        self.data.reserve_exact(capacity - self.data.len());
        if slots != self.slots.len() {
            self.rebuild(slots);
        }
        Ok(())
    }

    fn rebuild(&mut self, slots: usize) {
        self.slots = Vec::new();
        self.slots = vec![EMPTY; slots];
        self.tag_mask = tag_mask(slots);
        for id in 0..self.states.len() {
            let hash = self.hash(&self.states[id]);
            let slot = self.free_slot(hash);
            self.slots[slot] = self.tag(hash) | id as u32;
        }
    }
}

enum Probe {
    Found(Id),
    Free(usize),
}

/// How many states a number of slots may hold: half as many or fewer where the slots fit a core's own cache with
/// room to spare, so that most states lie in the first slot that they may lie in, and three in four beyond.
const fn room(slots: usize) -> usize {
    match slots {
        0..=0x1000 => slots / 4,
        0x1001..=0x1_0000 => slots / 2,
        _ => slots / 4 * 3,
    }
}

/// All bits but those for the index of each state that `slots` may hold, and one index to spare, so that
/// no slot in use looks like [`EMPTY`].
const fn tag_mask(slots: usize) -> u32 {
    let bits = usize::BITS - (room(slots) + 1).leading_zeros();
    u32::MAX << if bits > 31 { 31 } else { bits }
}

/// Small tables grow fast, for rebuilding costs time; large ones slowly, for what is reserved and unused
/// counts against the memory limit.
fn next_slots(slots: usize) -> usize {
    match slots {
        0..0x100 => 0x100,
        0x100..0x1000 => 0x1000,
        0x1000..0x1_0000 => 0x1_0000,
        0x1_0000..0x4_0000 => 0x4_0000,
        0x4_0000..0x100_0000 => slots * 2,
        _ => slots + slots / 2,
    }
}

fn next_capacity(len: usize, bytes_each: usize) -> usize {
    const FIRST_BYTES: usize = 64 << 10;
    match len {
        0 => (FIRST_BYTES / bytes_each.max(1)).clamp(16, room(0x100)),
        1..0x1000 => len * 4,
        0x1000..0x10_0000 => len * 2,
        _ => len + len / 8,
    }
}

fn bytes_of<St, T>(capacity: usize, slots: usize) -> u64 {
    (capacity * (size_of::<St>() + size_of::<T>()) + slots * size_of::<u32>()) as u64
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::{Control, Limits};

    #[test]
    fn agrees_with_a_hash_map() {
        let mut table = Table::new();
        let mut model = HashMap::new();
        let mut hold = Control::unlimited().hold();
        let mut x = 1_u64;
        for round in 0..200_000_u32 {
            x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let key = x >> 47;
            let Ok(entry) = table.insert(&key, round, &mut hold) else {
                panic!("nothing limits it");
            };
            match (entry, model.get(&key)) {
                (Entry::Known(id), Some(&(known, data))) => {
                    assert_eq!(id, known);
                    assert_eq!(*table.data(id), data);
                }
                (Entry::New(id), None) => {
                    model.insert(key, (id, round));
                }
                _ => panic!("the table and the map disagree about {key}"),
            }
        }
        assert_eq!(table.len(), model.len());
        for (key, (id, _)) in &model {
            assert_eq!(table.find(key), Some(*id));
            assert_eq!(table.state(*id), key);
        }
        assert_eq!(table.find(&u64::MAX), None);
        // The empty first slot is not asked for.
        assert_eq!(hold.bytes() + 4, table.bytes());
    }

    #[test]
    fn nothing_is_left_of_what_was_cleared() {
        let mut hold = Control::unlimited().hold();
        let mut table = Table::new();
        // Many states, then few in the room of many: that takes both branches of `clear`.
        for (round, many) in [5000_u64, 3000, 200, 7, 4000].into_iter().enumerate() {
            for key in 0..many {
                let added = table.insert(&(key * 7), round, &mut hold);
                assert!(matches!(added, Ok(Entry::New(id)) if u64::from(id) == key));
            }
            assert!((0..many).all(|key| table.find(&(key * 7)) == Some(key as Id)));
            table.clear();
            assert_eq!(table.len(), 0);
            assert!(table.slots.iter().all(|&slot| slot == EMPTY));
        }
        assert_eq!(hold.bytes() + 4, table.bytes());
    }

    #[test]
    fn every_index_fits_its_slot_beside_a_bit_of_the_hash() {
        let mut slots = next_slots(1);
        while room(slots) < MOST_STATES {
            let most = room(slots).min(MOST_STATES) as u32;
            assert_eq!(most & tag_mask(slots), 0, "{slots} slots");
            assert_ne!(most.wrapping_sub(1) | tag_mask(slots), EMPTY, "{slots} slots");
            slots = next_slots(slots);
        }
        assert_eq!((MOST_STATES as u32 - 1) & tag_mask(slots), 0);
        assert_ne!((MOST_STATES as u32 - 1) | tag_mask(slots), EMPTY);
    }

    #[test]
    fn does_not_grow_when_memory_is_refused() {
        let control = Control::new(Limits::none().memory(1 << 20));
        let mut hold = control.hold();
        let mut table = Table::new();
        let refused = (0..1_u64 << 20).find(|key| table.insert(key, (), &mut hold).is_err()).unwrap();
        assert_eq!(table.len() as u64, refused);
        assert!(table.bytes() <= 1 << 20);
        assert!((0..refused).all(|key| table.find(&key).is_some()));
    }
}

//! Names and their numbers.

use std::{
    hash::{BuildHasher, RandomState},
    ops::ControlFlow::{self, Continue},
};

use pintu_search::{Hold, Stop};

/// Names, numbered as they come. Each is written once, one after the other, and found again by a table of numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    text: String,
    /// Where each name ends in it.
    ends: Vec<usize>,
    /// The numbers, each in the first slot from its name's own on that was free; [`FREE`] in the others.
    slots: Vec<u32>,
    hasher: RandomState,
}

const FREE: u32 = u32::MAX;
/// For how many there is room at first.
const FIRST: usize = 1 << 6;

impl Names {
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(crate) fn get(&self, number: u32) -> Option<&str> {
        let number = number as usize;
        let end = *self.ends.get(number)?;
        let start = if number == 0 { 0 } else { self.ends[number - 1] };
        self.text.get(start..end)
    }

    pub(crate) fn find(&self, name: &str) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        Some(self.slots[self.slot(name)]).filter(|&number| number != FREE)
    }

    /// The number of a name, which is new if it has none yet. The hold is asked before anything grows.
    pub(crate) fn add(&mut self, name: &str, hold: &mut Hold) -> ControlFlow<Stop, u32> {
        self.make_room(name.len(), hold)?;
        let slot = self.slot(name);
        if self.slots[slot] == FREE {
            self.slots[slot] = self.len() as u32;
            self.text.push_str(name);
            self.ends.push(self.text.len());
        }
        Continue(self.slots[slot])
    }

    pub(crate) fn bytes(&self) -> u64 {
        let numbers = self.ends.capacity() * size_of::<usize>() + self.slots.capacity() * size_of::<u32>();
        (self.text.capacity() + numbers) as u64
    }

    /// Where a name's number is, or would be.
    fn slot(&self, name: &str) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = self.hasher.hash_one(name) as usize & mask;
        while self.slots[slot] != FREE && self.get(self.slots[slot]) != Some(name) {
            slot = (slot + 1) & mask;
        }
        slot
    }

    /// Room for one more name of so many bytes. At most half of the slots are used.
    fn make_room(&mut self, length: usize, hold: &mut Hold) -> ControlFlow<Stop> {
        let needed = self.text.len() + length;
        if needed > self.text.capacity() {
            let capacity = needed.max(self.text.capacity() / 2 * 3);
            hold.more((capacity - self.text.capacity()) as u64)?;
            self.text.reserve_exact(capacity - self.text.len());
        }
        let count = self.len();
        if count == self.ends.capacity() {
            hold.reserve(&mut self.ends, (count / 2 * 3).max(FIRST))?;
        }
        if 2 * count >= self.slots.len() {
            // The old ones go first.
            hold.less((self.slots.capacity() * size_of::<u32>()) as u64);
            let slots = (4 * count).next_power_of_two().max(2 * FIRST);
            self.slots = Vec::new();
            hold.reserve(&mut self.slots, slots)?;
            self.slots.resize(slots, FREE);
            for number in 0..count as u32 {
                let slot = self.slot(self.get(number).unwrap_or_default());
                self.slots[slot] = number;
            }
        }
        Continue(())
    }
}

#[cfg(test)]
mod tests {
    use pintu_search::{Control, Limits};

    use super::*;

    #[test]
    fn names_keep_their_numbers() {
        let (mut names, mut hold) = (Names::default(), Control::unlimited().hold());
        assert_eq!(names.find("n0"), None);
        for round in 0..2 {
            for number in 0..5000_u32 {
                assert_eq!(names.add(&format!("n{number}"), &mut hold), Continue(number), "round {round}");
            }
        }
        assert_eq!((names.len(), hold.bytes()), (5000, names.bytes()));
        assert_eq!((names.find("n4321"), names.get(4321), names.get(5000)), (Some(4321), Some("n4321"), None));
        assert_eq!(names.find("n5000"), None);
    }

    #[test]
    fn what_is_refused_is_not_taken() {
        let control = Control::new(Limits { memory: Some(10_000), ..Limits::default() });
        let (mut names, mut hold) = (Names::default(), control.hold());
        let taken = (0..5000).take_while(|number| names.add(&format!("n{number}"), &mut hold).is_continue()).count();
        assert!((100..2000).contains(&taken), "{taken}");
        assert!(hold.bytes() <= 10_000);
    }
}

//! The map's connected components, found once for all queries.

use std::cmp::Reverse;

use pintu_search::{Hold, Stop};

use crate::{Map, movement::Step};

/// Numbers the pieces of a map from 1; blocked cells have 0. Every step can be reversed, so that two
/// cells are connected if and only if they are of the same piece.
///
/// `domains` is 0 where a cell is blocked.
pub(crate) fn label(map: &Map, domains: &[u8], hold: &mut Hold) -> Result<Pieces, Stop> {
    let before = hold.bytes();
    hold.more((map.numbers() * size_of::<u32>()) as u64)?;
    let mut labels = vec![0; map.numbers()];
    let mut unions = Unions { parents: vec![0] };
    let earlier = [Step::Up, Step::Left, Step::UpLeft, Step::UpRight];
    let offsets = map.offsets();
    for index in map.stride..labels.len() - map.stride {
        if domains[index] == 0 {
            continue;
        }
        let legal = map.rules.legal[usize::from(map.around[index])];
        for step in earlier.into_iter().filter(|&step| legal >> step as u8 & 1 == 1) {
            let other = labels[index.wrapping_add_signed(offsets[step as usize])];
            labels[index] = if labels[index] == 0 { unions.root(other) } else { unions.join(labels[index], other) };
        }
        if labels[index] == 0 {
            labels[index] = unions.add(hold)?;
        }
    }
    for label in &mut labels {
        *label = unions.root(*label);
    }
    hold.less((unions.parents.capacity() * size_of::<u32>()) as u64);
    drop(unions);
    let pieces = Pieces::new(labels, hold)?;
    // Give back the memory of everything else.
    hold.set(before + pieces.bytes() as u64)?;
    Ok(pieces)
}

/// The number of the piece of the map that each cell belongs to; 0 if it is blocked.
#[derive(Clone, Default)]
pub(crate) struct Pieces {
    /// Large pieces have numbers below [`SMALL`].
    numbers: Vec<u8>,
    /// The cells of smaller pieces, in order, with their pieces.
    others: Vec<(u32, u32)>,
}

/// Marks the cells of all pieces that are not among the largest.
const SMALL: u8 = u8::MAX;

impl Pieces {
    /// Numbers the labels that are in use, those of the largest pieces first.
    fn new(mut labels: Vec<u32>, hold: &mut Hold) -> Result<Self, Stop> {
        renumber(&mut labels, hold)?;
        let is_other = |label: u32| label >= u32::from(SMALL);
        let rare = labels.iter().filter(|&&label| is_other(label)).count();
        hold.more((labels.len() + rare * size_of::<(u32, u32)>()) as u64)?;
        let mut others = Vec::with_capacity(rare);
        others.extend((0..).zip(labels.iter().copied()).filter(|&(_, label)| is_other(label)));
        let numbers = labels.into_iter().map(|label| label.min(u32::from(SMALL)) as u8).collect();
        Ok(Self { numbers, others })
    }

    #[inline]
    pub(crate) fn of(&self, index: usize) -> u32 {
        if self.numbers[index] < SMALL {
            return u32::from(self.numbers[index]);
        }
        self.others.binary_search_by_key(&(index as u32), |other| other.0).map_or(0, |at| self.others[at].1)
    }

    #[inline]
    pub(crate) fn is_blocked(&self, index: usize) -> bool {
        self.numbers[index] == 0
    }

    pub(crate) fn bytes(&self) -> usize {
        self.numbers.capacity() + self.others.capacity() * size_of::<(u32, u32)>()
    }
}

/// Replaces labels by numbers from 1 on, the largest piece's first. Label 0 stays what it is.
fn renumber(labels: &mut [u32], hold: &mut Hold) -> Result<(), Stop> {
    let most = labels.iter().max().map_or(0, |&label| label as usize) + 1;
    hold.more((2 * most * size_of::<u32>()) as u64)?;
    let mut sizes = vec![0_u32; most];
    for &label in &*labels {
        sizes[label as usize] += 1;
    }
    let mut pieces = Vec::with_capacity(most);
    pieces.extend((1..most as u32).filter(|&label| sizes[label as usize] > 0));
    pieces.sort_unstable_by_key(|&label| (Reverse(sizes[label as usize]), label));
    sizes[0] = 0;
    for (number, &label) in (1..).zip(&pieces) {
        sizes[label as usize] = number;
    }
    for label in labels {
        *label = sizes[*label as usize];
    }
    hold.less((2 * most * size_of::<u32>()) as u64);
    Ok(())
}

struct Unions {
    parents: Vec<u32>,
}

impl Unions {
    fn add(&mut self, hold: &mut Hold) -> Result<u32, Stop> {
        let label = self.parents.len();
        if label == self.parents.capacity() {
            hold.reserve(&mut self.parents, (2 * label).max(256))?;
        }
        self.parents.push(label as u32);
        Ok(label as u32)
    }

    fn root(&mut self, mut label: u32) -> u32 {
        while self.parents[label as usize] != label {
            let parent = self.parents[label as usize];
            self.parents[label as usize] = self.parents[parent as usize];
            label = parent;
        }
        label
    }

    /// The smaller label becomes the root.
    fn join(&mut self, a: u32, b: u32) -> u32 {
        let (a, b) = (self.root(a), self.root(b));
        let (low, high) = (a.min(b), a.max(b));
        self.parents[high as usize] = low;
        low
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_piece_has_its_number_however_many_there_are() {
        for (count, large) in [(3, 0), (254, 10), (255, 10_000), (600, 10_000), (600, 0), (70_000, 0)] {
            let labels: Vec<u32> = (0..=count).chain(std::iter::repeat_n(count.min(7), large)).collect();
            let mut hold = pintu_search::Control::unlimited().hold();
            let pieces = Pieces::new(labels.clone(), &mut hold).ok().unwrap();
            let mut numbers: Vec<u32> = (0..=count as usize).map(|index| pieces.of(index)).collect();
            assert_eq!(pieces.of(0), 0);
            assert!((count as usize + 1..labels.len()).all(|index| pieces.of(index) == numbers[7.min(count as usize)]));
            numbers.sort_unstable();
            assert!(numbers.into_iter().eq(0..=count), "each number once");
        }
    }
}

//! Which cells are connected, found once for all queries.

use crate::{Map, movement::Step};

/// Numbers the pieces of a map from 1; blocked cells have 0. Steps can be taken both ways, so that two
/// cells are connected if and only if they are of the same piece.
///
/// `domains` is 0 where a cell is blocked.
pub(crate) fn label(map: &Map, domains: &[u8]) -> Pieces {
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
            labels[index] = unions.add();
        }
    }
    for label in &mut labels {
        *label = unions.root(*label);
    }
    Pieces::new(labels)
}

/// The number of the piece of the map that each cell belongs to; 0 if it is blocked.
#[derive(Clone)]
pub(crate) enum Pieces {
    /// As on nearly all maps.
    Few(Vec<u16>),
    /// On maps in tens of thousands of pieces.
    Many(Vec<u32>),
}

impl Pieces {
    /// Numbers the labels that are in use one after the other, so that small numbers do.
    fn new(mut labels: Vec<u32>) -> Self {
        let mut numbers = vec![0; labels.iter().max().map_or(0, |&label| label as usize) + 1];
        let mut count = 0;
        for label in &mut labels {
            let number = &mut numbers[*label as usize];
            if *label != 0 && *number == 0 {
                count += 1;
                *number = count;
            }
            *label = *number;
        }
        if count > u32::from(u16::MAX) {
            return Self::Many(labels);
        }
        Self::Few(labels.into_iter().map(|label| label as u16).collect())
    }

    #[inline]
    pub(crate) fn of(&self, index: usize) -> u32 {
        match self {
            Self::Few(pieces) => u32::from(pieces[index]),
            Self::Many(pieces) => pieces[index],
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        match self {
            Self::Few(pieces) => pieces.capacity() * 2,
            Self::Many(pieces) => pieces.capacity() * 4,
        }
    }
}

struct Unions {
    parents: Vec<u32>,
}

impl Unions {
    fn add(&mut self) -> u32 {
        let label = self.parents.len() as u32;
        self.parents.push(label);
        label
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

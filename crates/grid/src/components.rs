//! Which cells are connected, found once for all queries.

use crate::{Map, movement::Step};

/// Numbers the pieces of a map from 1; blocked cells have 0. Steps can be taken both ways, so that two
/// cells are connected if and only if they are of the same piece.
///
/// `domains` is 0 where a cell is blocked.
pub(crate) fn label(map: &Map, domains: &[u8]) -> Vec<u32> {
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
    labels
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

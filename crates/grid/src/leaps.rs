//! The distances to the next jump points in each straight direction, in a table.

use crate::{Map, movement::Step};

/// For each cell, the distances to the next jump point up, left, right and down: 0 if the line is blocked
/// before there is one, [`FAR`] if it lies further away than a byte can tell.
#[derive(Clone)]
pub(crate) struct Leaps {
    table: Vec<[u8; 4]>,
}

const FAR: u8 = u8::MAX;

impl Leaps {
    /// The table of a map of equal costs.
    pub(crate) fn new(map: &Map) -> Self {
        let turns = turning(map);
        let offsets = map.offsets();
        let mut table = vec![[0; 4]; map.numbers()];
        let inside = map.stride..map.numbers() - map.stride - 1;
        // A cell's distance follows from that of the next cell, so lines are walked from their ends.
        for step in [Step::Up, Step::Left] {
            inside.clone().for_each(|index| extend(map, &turns, &mut table, index, offsets[step as usize], step));
        }
        for step in [Step::Right, Step::Down] {
            inside.clone().rev().for_each(|index| extend(map, &turns, &mut table, index, offsets[step as usize], step));
        }
        Self { table }
    }

    pub(crate) fn bytes_of(map: &Map) -> u64 {
        (map.numbers() * size_of::<[u8; 4]>()) as u64
    }

    /// The distance from a cell to the next jump point in a straight direction; 0 if there is none. `offset` is the
    /// difference between the numbers of a cell and the next one.
    #[inline]
    pub(crate) fn distance(&self, index: usize, step: Step, offset: isize) -> u32 {
        let leap = self.table[index][step as usize];
        if leap == FAR { self.far(index, step, offset) } else { u32::from(leap) }
    }

    /// Whether there is a jump point in one of two straight directions.
    #[inline]
    pub(crate) fn any(&self, index: usize, [one, other]: [Step; 2]) -> bool {
        let leaps = self.table[index];
        leaps[one as usize] | leaps[other as usize] != 0
    }

    #[cold]
    fn far(&self, mut index: usize, step: Step, offset: isize) -> u32 {
        let mut gone = 0;
        loop {
            match self.table[index][step as usize] {
                0 => return 0,
                FAR => {
                    // The jump point is at least `FAR` away: go on to the last cell before that.
                    gone += u32::from(FAR) - 1;
                    index = index.wrapping_add_signed(offset * (isize::from(FAR) - 1));
                }
                leap => return gone + u32::from(leap),
            }
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.table.capacity() * size_of::<[u8; 4]>()
    }
}

/// For each straight step and each set of free cells around: whether a path that arrives by the step may have to turn.
fn turning(map: &Map) -> [[bool; 256]; 4] {
    let needed = &map.rules.needed;
    std::array::from_fn(|step| {
        let natural = needed[step][255];
        std::array::from_fn(|around| needed[step][around] & !natural != 0)
    })
}

fn extend(map: &Map, turns: &[[bool; 256]; 4], table: &mut [[u8; 4]], index: usize, offset: isize, step: Step) {
    let step_bit = 1 << step as u8;
    if map.around[index] & step_bit == 0 {
        return;
    }
    let next = index.wrapping_add_signed(offset);
    let beyond = table[next][step as usize];
    let turns_there = turns[step as usize][usize::from(map.around[next])];
    table[index][step as usize] = match beyond {
        _ if turns_there => 1,
        0 => 0,
        _ => beyond.saturating_add(1),
    };
}

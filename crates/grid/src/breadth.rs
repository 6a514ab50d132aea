//! Breadth-first search.

use std::ops::ControlFlow::{self, Break, Continue};

use pintu_search::{Counters, Node as Seen, Observer, Stop};

use crate::{
    Cell, Diagonal,
    best_first::{Course, End},
    movement::{BACK, DELTAS, NOWHERE},
    scratch::Marks,
};

/// Breadth-first search: a path with the fewest steps. The list of cells met, in order, is its queue.
pub(crate) fn breadth_first<O: Observer<Cell>>(
    course: Course<'_>,
    marks: &mut Marks,
    line: &mut Vec<u32>,
    observer: &mut O,
    counters: &mut Counters,
) -> End {
    let numbers = course.map.numbers();
    let bytes = numbers as u64 + 4 * course.map.free_cells as u64;
    let has_room = marks.has_room(numbers) && line.len() > course.map.free_cells;
    if let (false, Break(why)) = (has_room, observer.grow(bytes, counters)) {
        return End::Stopped { why, lower_bound: None };
    }
    if line.len() <= course.map.free_cells {
        line.resize(course.map.free_cells + 1, 0);
    }
    let (marks, search) = marks.fresh(numbers);
    let mut depth = 0;
    let end = if course.map.diagonal == Diagonal::Never {
        sweep::<4, O>(course, marks, search, line, &mut depth, observer, counters)
    } else {
        sweep::<8, O>(course, marks, search, line, &mut depth, observer, counters)
    };
    counters.peak_bytes = bytes;
    match end {
        Continue(Some(cell)) => End::Goal { cell, paid: u64::from(depth) },
        Continue(None) => End::Exhausted,
        Break(why) => End::Stopped { why, lower_bound: Some(u64::from(depth)) },
    }
}

/// Takes up the cells in the order in which they were met, with four or eight ways to go from each.
fn sweep<const WAYS: usize, O: Observer<Cell>>(
    course: Course<'_>,
    marks: &mut [u8],
    search: u8,
    line: &mut [u32],
    depth: &mut u32,
    observer: &mut O,
    counters: &mut Counters,
) -> ControlFlow<Stop, Option<u32>> {
    let map = course.map;
    let offsets = map.offsets();
    observer.iteration(0, counters)?;
    line[0] = course.from;
    let mut tail = 1;
    counters.peak_states = 1;
    marks[course.from as usize] = search | NOWHERE;
    counters.generated += 1;
    let (mut next, mut level_end) = (0, 1);
    while next < tail {
        let index = line[next];
        if next == level_end {
            *depth += 1;
            level_end = tail;
            observer.iteration(*depth, counters)?;
        }
        next += 1;
        let cell = map.cell(index);
        observer.expand(&Seen { state: &cell, cost: *depth, estimate: 0 }, counters)?;
        counters.expanded += 1;
        if course.is_goal(index) {
            return Continue(Some(index));
        }
        let arrived = marks[index as usize] & 15;
        let back = if arrived == NOWHERE { 0 } else { 1 << BACK[usize::from(arrived)] };
        let steps = map.rules.legal[usize::from(map.around[index as usize])] & !back;
        counters.generated += u64::from(steps.count_ones());
        // Without a branch for each cell: whether it is new cannot be predicted.
        for step in 0..WAYS {
            let is_legal = steps >> step & 1;
            let (row, col) = DELTAS[step];
            let to = (index as usize).wrapping_add_signed(offsets[step]);
            if is_legal == 1 {
                let seen = Seen { state: &cell.moved(row, col), cost: *depth + 1, estimate: 0 };
                observer.generate(&cell, &seen, counters)?;
            }
            let mark = marks[to];
            let is_new = is_legal & u8::from(mark & !15 != search);
            marks[to] = if is_new == 1 { search | step as u8 } else { mark };
            line[tail] = to as u32;
            tail += usize::from(is_new);
        }
        counters.peak_states = tail as u64;
    }
    Continue(None)
}

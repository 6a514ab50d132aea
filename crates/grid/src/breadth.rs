//! Breadth-first search.

use std::ops::ControlFlow::{self, Break, Continue};

use pintu_search::{Counters, Node as Seen, Observer, Stop};

use crate::{
    Cell,
    best_first::{Course, End},
    movement::{BACK, NOWHERE, Step},
    scratch::{Node, Nodes, is_stamped, start_tag, step_of},
};

/// Breadth-first search: a path with the fewest steps. The list of cells met, in order, is its queue.
pub(crate) fn breadth_first<O: Observer<Cell>>(
    course: Course<'_>,
    nodes: &mut Nodes<u32>,
    line: &mut Vec<u32>,
    observer: &mut O,
    counters: &mut Counters,
) -> End {
    let numbers = course.map.numbers();
    let bytes = Nodes::<u32>::bytes_for(numbers) + 4 * course.map.free_cells as u64;
    let has_room = nodes.has_room(numbers) && line.capacity() >= course.map.free_cells;
    if let (false, Break(why)) = (has_room, observer.grow(bytes, counters)) {
        return End::Stopped { why, lower_bound: None };
    }
    line.clear();
    line.reserve(course.map.free_cells);
    let (nodes, stamp) = nodes.fresh(numbers);
    let mut depth = 0;
    let end = sweep(course, nodes, stamp, line, &mut depth, observer, counters);
    counters.peak_states = line.len() as u64;
    counters.peak_bytes = bytes;
    match end {
        Continue(Some(cell)) => End::Goal { cell, paid: u64::from(depth) },
        Continue(None) => End::Exhausted,
        Break(why) => End::Stopped { why, lower_bound: Some(u64::from(depth)) },
    }
}

fn sweep<O: Observer<Cell>>(
    course: Course<'_>,
    nodes: &mut [Node<u32>],
    stamp: u32,
    line: &mut Vec<u32>,
    depth: &mut u32,
    observer: &mut O,
    counters: &mut Counters,
) -> ControlFlow<Stop, Option<u32>> {
    let map = course.map;
    let offsets = map.offsets();
    observer.iteration(0, counters)?;
    line.push(course.from);
    nodes[course.from as usize].tag = start_tag(stamp);
    counters.generated += 1;
    let (mut next, mut level_end) = (0, 1);
    while let Some(&index) = line.get(next) {
        if next == level_end {
            *depth += 1;
            level_end = line.len();
            observer.iteration(*depth, counters)?;
        }
        next += 1;
        let cell = map.cell(index);
        observer.expand(&Seen { state: &cell, cost: *depth, estimate: 0 }, counters)?;
        counters.expanded += 1;
        if course.is_goal(index) {
            return Continue(Some(index));
        }
        let arrived = step_of(nodes[index as usize].tag);
        let back = if arrived == NOWHERE { 0 } else { 1 << BACK[usize::from(arrived)] };
        let mut steps = map.rules.legal[usize::from(map.around[index as usize])] & !back;
        counters.generated += u64::from(steps.count_ones());
        while steps != 0 {
            let step = steps.trailing_zeros() as usize;
            steps &= steps - 1;
            let (row, col) = Step::ALL[step].delta();
            let after = Cell::new(cell.row.wrapping_add_signed(row), cell.col.wrapping_add_signed(col));
            observer.generate(&cell, &Seen { state: &after, cost: *depth + 1, estimate: 0 }, counters)?;
            let to = (index as usize).wrapping_add_signed(offsets[step]);
            if !is_stamped(nodes[to].tag, stamp) {
                nodes[to].tag = stamp | step as u32;
                line.push(to as u32);
            }
        }
    }
    Continue(None)
}

//! Breadth-first search.

use std::ops::ControlFlow::{self, Break, Continue};

use pintu_search::{Counters, Node as Seen, Observer, Stop};

use crate::{
    Cell, Diagonal,
    best_first::{Course, End},
    movement::{BACK, DELTAS, NOWHERE},
    scratch::{MARK_STEP, Marks},
};

/// Breadth-first search: a path with the fewest steps. The list of cells met, in order, is its queue.
pub(crate) fn breadth_first<O: Observer<Cell>>(
    course: Course<'_>,
    marks: &mut Marks,
    line: &mut Vec<u32>,
    observer: &mut O,
    counters: &mut Counters,
) -> End {
    let map = course.map;
    // A cell writes down its neighbours before it is known how many of them are new.
    let places = map.free_cells + 8;
    let bytes = (map.numbers() + 4 * places) as u64;
    let has_room = marks.has_room(map) && line.len() >= places;
    if let (false, Break(why)) = (has_room, observer.grow(bytes, counters)) {
        return End::Stopped { why, lower_bound: None };
    }
    if line.len() < places {
        line.resize(places, 0);
    }
    let (marks, search) = marks.fresh(map);
    let sweep = if map.diagonal == Diagonal::Never && map.is_one_domain {
        sweep::<4, false, O>
    } else if map.diagonal == Diagonal::Never {
        sweep::<4, true, O>
    } else {
        sweep::<8, true, O>
    };
    let mut depth = 0;
    let end = sweep(course, marks, search, line, &mut depth, observer, counters);
    counters.peak_bytes = bytes;
    match end {
        Continue(Some(cell)) => End::Goal { cell, paid: u64::from(depth) },
        Continue(None) => End::Exhausted,
        Break(why) => End::Stopped { why, lower_bound: Some(u64::from(depth)) },
    }
}

/// The step back as a bit, none at the start.
const BACK_BIT: [u8; 16] = {
    let mut bits = [0; 16];
    let mut step = 0;
    while step < 8 {
        bits[step] = 1 << BACK[step];
        step += 1;
    }
    bits
};

/// How many steps there are in a set.
const COUNT: [u8; 256] = {
    let mut counts = [0; 256];
    let mut set = 0;
    while set < 256 {
        counts[set] = (set as u8).count_ones() as u8;
        set += 1;
    }
    counts
};

/// Takes up the cells in the order in which they were met, with four or eight ways to go from each. Unless
/// `MINDFUL`, the marks of blocked cells are all there is to mind.
///
/// A function of its own, with its own counters, so that the loop has all registers.
#[inline(never)]
fn sweep<const WAYS: usize, const MINDFUL: bool, O: Observer<Cell>>(
    course: Course<'_>,
    marks: &mut [u8],
    search: u8,
    line: &mut [u32],
    depth: &mut u32,
    observer: &mut O,
    total: &mut Counters,
) -> ControlFlow<Stop, Option<u32>> {
    let mut counters = *total;
    let mut level = 0;
    let end = (|| {
        let map = course.map;
        let (offsets, around) = (map.offsets(), &map.around[..marks.len()]);
        let (goal, has_more_goals) = (course.goals[0], course.goals.len() > 1);
        line[0] = course.from;
        marks[course.from as usize] = search | NOWHERE;
        counters.peak_states = 1;
        counters.generated += 1;
        let (mut first, mut end) = (0, 1);
        while first < end {
            observer.iteration(level, &counters)?;
            let (known, ahead) = line.split_at_mut(end);
            let mut met = 0;
            for &index in &known[first..] {
                let cell = map.cell(index);
                observer.expand(&Seen { state: &cell, cost: level, estimate: 0 }, &counters)?;
                counters.expanded += 1;
                if index == goal || (has_more_goals && course.is_goal(index)) {
                    return Continue(Some(index));
                }
                let index = index as usize;
                // Straight steps have no corners to mind.
                let legal = if WAYS == 4 { around[index] & 15 } else { map.rules.legal[usize::from(around[index])] };
                let steps = legal & !BACK_BIT[usize::from(marks[index] & MARK_STEP)];
                // All but the step back, which only the start does not have.
                counters.generated += u64::from(COUNT[usize::from(legal)]) - u64::from(level > 0);
                let places =
                    ahead[met..].first_chunk_mut::<WAYS>().expect("a place for every free cell, and eight more");
                // Without a branch for each cell: whether it is new cannot be predicted.
                let mut new = 0;
                for step in 0..WAYS {
                    let is_legal = steps >> step & 1 == 1;
                    if is_legal {
                        let (row, col) = DELTAS[step];
                        let seen = Seen { state: &cell.moved(row, col), cost: level + 1, estimate: 0 };
                        observer.generate(&cell, &seen, &counters)?;
                    }
                    let to = index.wrapping_add_signed(offsets[step]);
                    let mark = marks[to];
                    let is_new = u8::from(mark < search) & u8::from(!MINDFUL || is_legal);
                    marks[to] = if is_new == 1 { search | step as u8 } else { mark };
                    places[new & (WAYS - 1)] = to as u32;
                    new += usize::from(is_new);
                }
                met += new;
                counters.peak_states += new as u64;
            }
            (first, end) = (end, end + met);
            level += 1;
        }
        Continue(None)
    })();
    *depth = level;
    *total = counters;
    end
}

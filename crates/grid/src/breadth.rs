//! Breadth-first search.

use std::ops::ControlFlow::{self, Break, Continue};

use pintu_search::{Bound, Control, Counters, Fate, Hold, Meter, Node, Observer, Stop, Tree};

use crate::{
    Cell, Diagonal, Measure,
    course::Course,
    movement::{BACK_BIT, DELTAS, NOWHERE, STEPS_IN},
    scratch::{MARK_STEP, Marks, make_room},
};

/// Breadth-first search: a path with the fewest steps. The list of cells met, in order, is its queue. With the goal that
/// was found comes how many steps every path has at least.
pub(crate) fn breadth_first<O: Observer<Cell, Measure>>(
    course: Course<'_>,
    marks: &mut Marks,
    line: &mut Vec<u32>,
    hold: &mut Hold,
    control: &Control,
    observer: &mut O,
) -> (ControlFlow<Stop, Option<u32>>, u64, Counters) {
    let map = course.map;
    // A cell writes down its neighbours before it is known how many of them are new.
    let room = make_room(line, map.free_cells + 8, hold).map_continue(|()| marks.fresh(map, hold));
    let (marks, search) = match room {
        Continue(Continue(fresh)) => fresh,
        Continue(Break(why)) | Break(why) => return (Break(why), 0, Counters::default()),
    };
    let flood = if map.diagonal == Diagonal::Never && map.is_one_domain {
        flood::<4, false, O>
    } else if map.diagonal == Diagonal::Never {
        flood::<4, true, O>
    } else {
        flood::<8, true, O>
    };
    let mut meter = control.meter();
    meter.begin_with(AT_ONCE);
    let mut depth = 0;
    let end = flood(course, marks, search, line, &mut depth, observer, &mut meter);
    meter.counters.peak_bytes = hold.peak();
    control.note_bound(u64::from(depth).saturating_mul(map.least_cost).saturating_mul(map.unit));
    (end, depth.into(), meter.counters)
}

/// As many cells as are sure to be taken up within a millisecond.
const AT_ONCE: u64 = 1 << 12;

/// Takes up the cells in the order in which they were met, with four or eight ways to go from each. Unless
/// `MINDFUL`, the marks of blocked cells are all there is to mind.
///
/// A function of its own, with its own counts, so that the loop has all registers.
#[inline(never)]
fn flood<const WAYS: usize, const MINDFUL: bool, O: Observer<Cell, Measure>>(
    course: Course<'_>,
    marks: &mut [u8],
    search: u8,
    line: &mut [u32],
    depth: &mut u32,
    observer: &mut O,
    meter: &mut Meter<'_>,
) -> ControlFlow<Stop, Option<u32>> {
    let map = course.map;
    let watches = observer.watches();
    let (offsets, around) = (map.offsets(), &map.around[..marks.len()]);
    let (goal, has_more_goals) = (course.goals[0], course.goals.len() > 1);
    line[0] = course.from;
    marks[course.from as usize] = search | NOWHERE;
    (meter.counters.generated, meter.counters.peak_states) = (1, 1);
    let (mut first, mut end) = (0, 1);
    while first < end {
        if watches {
            observer.iteration(Bound::Steps(u64::from(*depth)), &meter.counters)?;
        }
        let (known, ahead) = line.split_at_mut(end);
        let mut met = 0;
        let mut waiting = &known[first..];
        while !waiting.is_empty() {
            // Whoever watches sees what was counted until then.
            let granted = meter.expand_some(if watches { 1 } else { waiting.len() })?;
            let (block, later) = waiting.split_at(granted);
            waiting = later;
            let (mut generated, before) = (0, met);
            for (done, &index) in block.iter().enumerate() {
                if watches {
                    let step = marks[index as usize] & MARK_STEP;
                    let parent =
                        offsets.get(usize::from(step)).map(|offset| (index as usize).wrapping_add_signed(-offset));
                    observer.expand(&node(index as usize, parent, &map.cell(index), *depth), &meter.counters)?;
                }
                if index == goal || (has_more_goals && course.is_goal(index)) {
                    meter.counters.expanded -= (granted - done - 1) as u64;
                    meter.counters.generated += generated;
                    meter.counters.peak_states += (met - before) as u64;
                    return Continue(Some(index));
                }
                let index = index as usize;
                // Straight steps have no corners to mind.
                let legal = if WAYS == 4 { around[index] & 15 } else { map.rules.legal[usize::from(around[index])] };
                let steps = legal & !BACK_BIT[usize::from(marks[index] & MARK_STEP)];
                // All but the step back, which only the start does not have.
                generated += u64::from(STEPS_IN[usize::from(legal)]) - u64::from(*depth > 0);
                let places =
                    ahead[met..].first_chunk_mut::<WAYS>().expect("a place for every free cell, and eight more");
                if watches {
                    meter.counters.generated += std::mem::take(&mut generated);
                }
                // Without a branch for each cell: whether it is new cannot be predicted.
                let mut new = 0;
                for step in 0..WAYS {
                    let is_legal = steps >> step & 1 == 1;
                    let to = index.wrapping_add_signed(offsets[step]);
                    let mark = marks[to];
                    let is_new = u8::from(mark < search) & u8::from(!MINDFUL || is_legal);
                    marks[to] = if is_new == 1 { search | step as u8 } else { mark };
                    places[new & (WAYS - 1)] = to as u32;
                    new += usize::from(is_new);
                    if watches && is_legal {
                        let (row, col) = DELTAS[step];
                        let cell = map.cell(index as u32).moved(row, col);
                        let fate = if is_new == 1 { Fate::New } else { Fate::Known };
                        observer.generate(&node(to, Some(index), &cell, *depth + 1), fate, &meter.counters)?;
                    }
                }
                met += new;
            }
            meter.counters.generated += generated;
            meter.counters.peak_states += (met - before) as u64;
        }
        (first, end) = (end, end + met);
        *depth += 1;
    }
    Continue(None)
}

/// A cell as an observer sees it: what it costs is its depth.
fn node(index: usize, parent: Option<usize>, state: &Cell, depth: u32) -> Node<'_, Cell, Measure> {
    let cost = Measure::Whole(depth.into());
    let parent = parent.map(|parent| parent as u64);
    Node { id: index as u64, parent, tree: Tree::Forward, state, cost, estimate: Some(Measure::Whole(0)) }
}

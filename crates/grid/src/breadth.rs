//! Breadth-first search.

use pintu_search::{Bound, Control, Counters, Fate, Hold, Meter, Node, Observer, Stop};

use crate::{
    Cell, Diagonal,
    movement::{BACK_BIT, DELTAS, NOWHERE, STEPS_IN},
    query::Query,
    scratch::{MARK_STEP, Marks, make_room},
};

/// Breadth-first search: a path with the fewest steps. The list of generated cells, in order, is its queue. Returns the goal
/// that was found, a lower bound of every path's steps, and the counts.
pub(crate) fn breadth_first<O: Observer<Cell, f64>>(
    query: Query<'_>,
    marks: &mut Marks,
    queue: &mut Vec<u32>,
    hold: &mut Hold,
    control: &Control,
    observer: &mut O,
) -> (Result<Option<u32>, Stop>, u64, Counters) {
    let map = query.map;
    // A cell's neighbours are written to the queue before it is known how many of them are new.
    let room = make_room(queue, map.free_cells + 8, hold).and_then(|()| marks.fresh(map, hold));
    let (marks, search) = match room {
        Ok(fresh) => fresh,
        Err(why) => return (Err(why), 0, Counters::default()),
    };
    let flood = if map.diagonal == Diagonal::Never && map.is_one_domain {
        flood::<4, false, O>
    } else if map.diagonal == Diagonal::Never {
        flood::<4, true, O>
    } else {
        flood::<8, true, O>
    };
    let mut meter = control.meter();
    meter.begin_with(FIRST_BLOCK);
    let mut depth = 0;
    let end = flood(query, marks, search, queue, &mut depth, observer, &mut meter);
    control.note_bound(u64::from(depth).saturating_mul(map.least_cost).saturating_mul(map.unit));
    let states = meter.counters().peak_states;
    (end, depth.into(), meter.finish(states, hold.peak()))
}

/// The first block of expansions, which surely takes less than a millisecond.
const FIRST_BLOCK: u64 = 1 << 12;

/// Expands the cells in the order in which they were generated, with `STEPS` steps from each, four or eight. Unless `CHECKED`,
/// only blocked cells, which are marked, rule steps out.
///
/// A separate function with its own counts, so that the loop's variables stay in registers.
#[inline(never)]
fn flood<const STEPS: usize, const CHECKED: bool, O: Observer<Cell, f64>>(
    query: Query<'_>,
    marks: &mut [u8],
    search: u8,
    queue: &mut [u32],
    depth: &mut u32,
    observer: &mut O,
    meter: &mut Meter<'_>,
) -> Result<Option<u32>, Stop> {
    let map = query.map;
    let watches = observer.watches();
    let (offsets, around) = (map.offsets(), &map.around[..marks.len()]);
    let (goal, has_more_goals) = (query.goals[0], query.goals.len() > 1);
    queue[0] = query.from;
    marks[query.from as usize] = search | NOWHERE;
    meter.generate(1);
    meter.note_states(1);
    let (mut first, mut end) = (0, 1);
    while first < end {
        if watches {
            observer.iteration(Bound::Steps(u64::from(*depth)), meter.counters())?;
        }
        let (known, ahead) = queue.split_at_mut(end);
        let mut met = 0;
        let mut waiting = &known[first..];
        while !waiting.is_empty() {
            // An observer sees the counts of each moment.
            let granted = meter.expand_some(if watches { 1 } else { waiting.len() })?;
            let (block, later) = waiting.split_at(granted);
            waiting = later;
            let mut generated = 0;
            for (done, &index) in block.iter().enumerate() {
                if watches {
                    let step = marks[index as usize] & MARK_STEP;
                    let parent =
                        offsets.get(usize::from(step)).map(|offset| (index as usize).wrapping_add_signed(-offset));
                    observer.expand(&node(index as usize, parent, &map.cell(index), *depth), meter.counters())?;
                }
                if index == goal || (has_more_goals && query.is_goal(index)) {
                    meter.unexpand((granted - done - 1) as u64);
                    meter.generate(generated);
                    meter.note_states((end + met) as u64);
                    return Ok(Some(index));
                }
                let index = index as usize;
                // Straight steps cut no corners.
                let legal = if STEPS == 4 { around[index] & 15 } else { map.rules.legal[usize::from(around[index])] };
                let steps = legal & !BACK_BIT[usize::from(marks[index] & MARK_STEP)];
                // All steps but the one back, which the start does not have.
                generated += u64::from(STEPS_IN[usize::from(legal)]) - u64::from(*depth > 0);
                let places = ahead[met..].first_chunk_mut::<STEPS>().expect("room for every free cell, and eight more");
                if watches {
                    meter.generate(std::mem::take(&mut generated));
                }
                // Without a branch for each cell: whether it is new cannot be predicted.
                let mut new = 0;
                for step in 0..STEPS {
                    let is_legal = steps >> step & 1 == 1;
                    let to = index.wrapping_add_signed(offsets[step]);
                    let mark = marks[to];
                    let is_new = u8::from(mark < search) & u8::from(!CHECKED || is_legal);
                    marks[to] = if is_new == 1 { search | step as u8 } else { mark };
                    places[new & (STEPS - 1)] = to as u32;
                    new += usize::from(is_new);
                    if watches && is_legal {
                        let (row, col) = DELTAS[step];
                        let cell = map.cell(index as u32).moved(row, col);
                        let fate = if is_new == 1 { Fate::New } else { Fate::Known };
                        observer.generate(&node(to, Some(index), &cell, *depth + 1), fate, meter.counters())?;
                    }
                }
                met += new;
            }
            meter.generate(generated);
            meter.note_states((end + met) as u64);
        }
        (first, end) = (end, end + met);
        *depth += 1;
    }
    Ok(None)
}

/// A cell as an observer sees it: its cost is its depth.
fn node(index: usize, parent: Option<usize>, state: &Cell, depth: u32) -> Node<'_, Cell, f64> {
    let cost = f64::from(depth);
    let parent = parent.map(|parent| parent as u64);
    Node::new(index as u64, parent, state, cost, 0.0)
}

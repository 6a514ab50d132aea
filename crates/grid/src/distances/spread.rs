//! The search that fills a distance map.

use std::{
    ops::ControlFlow::{self, Break, Continue},
    sync::Arc,
};

use pintu_search::{
    Control, Counters, Hold, Observer, Stop,
    driver::{self, Heap, Queue},
};

use super::{
    Distances, Numbers, Sheet, Toward,
    sources::{Sources, Within},
};
use crate::{
    Cell, Length, Map, Measure, Scratch,
    cells::{Cells, Total},
    course::Course,
    field::{Field, is_stamped, step_of},
    heuristic::Blind,
    lengths::InLengths,
    movement::{NOWHERE, Step},
    number::{Huge, Number},
    queue::Stacks,
    ring::Layout,
    scale::Scale,
};

/// A search from some cells to all others, or to all that are near.
pub(super) struct Spread<'a, O> {
    pub(super) map: &'a Map,
    /// The numbers of the cells, each once and none of them blocked.
    pub(super) from: &'a [u32],
    pub(super) toward: Toward,
    pub(super) most: Option<Length>,
    pub(super) hold: &'a mut Hold,
    pub(super) control: &'a Control,
    pub(super) observer: &'a mut O,
}

impl<O: Observer<Cell, Measure>> Spread<'_, O> {
    /// In numbers as small as do.
    pub(super) fn in_small_numbers(&mut self, scratch: &mut Scratch) -> ControlFlow<Stop, Distances> {
        let Scratch { narrow, wide, huge, stacks, .. } = scratch;
        match self.in_numbers(Scale::NARROW, narrow, stacks, Stacks::reset, Numbers::Narrow) {
            Break(Stop::Overflow) => {}
            found => return found,
        }
        match self.in_numbers(Scale::WIDE, wide, stacks, Stacks::reset, Numbers::Wide) {
            Break(Stop::Overflow) => {}
            found => return found,
        }
        self.in_numbers(Scale::HUGE, huge, &mut Heap::new(), |_, _, _| Continue(()), Numbers::Huge)
    }

    fn in_numbers<N: Number, Q: Queue<N, N>>(
        &mut self,
        scale: Scale,
        field: &mut Field<N>,
        queue: &mut Q,
        prepare: impl FnOnce(&mut Q, Layout, &mut Hold) -> ControlFlow<Stop>,
        numbers: impl FnOnce(Vec<N>) -> Numbers,
    ) -> ControlFlow<Stop, Distances> {
        let (map, against) = (self.map, self.toward == Toward::Cell);
        let scale = map.scale(scale);
        let (mut counters, mut is_beyond) = (Counters::default(), false);
        let within = self.most.map(|most| Within::new(most, scale, map.unit));
        if let Some(&from) = self.from.first() {
            let course =
                Course { map, scale, from, goals: &[], first_goal: u32::MAX, goal_span: 0, cells: &[], against };
            let layout = Layout { first: 0, spread: course.spread(), unit: scale.straight, least: map.least_cost };
            prepare(queue, layout, self.hold)?;
            let spots = field.fresh(map.numbers(), self.hold)?;
            let mut cells = Cells::<N, _, false>::new(course, spots, Blind, true);
            let mut observer = InLengths::new(self.observer, map, scale);
            let end = if self.from.len() == 1 && within.is_none() {
                driver::best_first(&mut cells, queue, Total, self.hold, self.control, &mut observer)
            } else {
                let mut nodes = Sources { cells, from: self.from, within };
                driver::best_first(&mut nodes, queue, Total, self.hold, self.control, &mut observer)
            };
            counters = end.counters;
            match end.found {
                // In the widest numbers, what was settled stands, whatever lies beyond.
                Break(Stop::Overflow) if N::MOST == Huge::MOST => is_beyond = true,
                Break(Stop::Overflow) => {
                    // It begins again, and counts once.
                    self.control.forget(&counters);
                    return Break(Stop::Overflow);
                }
                found => drop(found?),
            }
        }
        // What does not fit is longer than all that counts, if that has an end.
        self.write_down(scale, field, (counters, is_beyond), within, numbers)
    }

    fn write_down<N: Number>(
        &self,
        scale: Scale,
        field: &Field<N>,
        (counters, mut is_beyond): (Counters, bool),
        within: Option<Within>,
        numbers: impl FnOnce(Vec<N>) -> Numbers,
    ) -> ControlFlow<Stop, Distances> {
        let Map { rows, cols, unit, .. } = *self.map;
        let cells = rows as usize * cols as usize;
        let mut hold = self.control.hold();
        hold.more((cells * (size_of::<N>() + 1)) as u64)?;
        let (mut paid, mut steps) = (vec![N::new(N::MOST); cells], vec![NOWHERE; cells]);
        // A search that was not needed has left nothing.
        let (spots, stamp) = if counters.expanded == 0 { (&[][..], 0) } else { field.last() };
        let mut greatest = 0;
        let all = (0..rows).flat_map(|row| (0..cols).map(move |col| Cell::new(row, col)));
        for (at, cell) in all.enumerate() {
            let counts = |paid: N| within.is_none_or(|within| within.has(paid.get()));
            let spot = spots.get(self.map.index(cell)).filter(|spot| is_stamped(spot.tag, stamp) && counts(spot.paid));
            if let Some(spot) = spot {
                paid[at] = spot.paid;
                greatest = greatest.max(paid[at].get());
                let step = Step::ALL.get(usize::from(step_of(spot.tag))).copied();
                let leads = |step: Step| if self.toward == Toward::Cell { step.back() } else { step };
                steps[at] = step.map_or(NOWHERE, |step| leads(step) as u8);
            }
        }
        // Only what is measured in large units, or is nearly too large itself, can be too large.
        is_beyond |= scale.whole(greatest, unit) > u64::MAX / 4;
        let (toward, numbers, too_dear) = (self.toward, numbers(paid), Vec::new());
        let mut sheet = Sheet { rows, cols, toward, scale, unit, numbers, steps, too_dear, hold };
        if is_beyond && within.is_none() {
            self.note_too_dear(&mut sheet)?;
        }
        Continue(Distances { sheet: Arc::new(sheet), counters })
    }

    /// Notes the cells that a path leads to, but none whose length fits.
    fn note_too_dear(&self, found: &mut Sheet) -> ControlFlow<Stop> {
        let piece_of = |number: u32| self.map.pieces.of(number as usize);
        let mut pieces: Vec<_> = self.from.iter().map(|&from| piece_of(from)).collect();
        pieces.sort_unstable();
        pieces.dedup();
        let all = (0..found.rows).flat_map(|row| (0..found.cols).map(move |col| Cell::new(row, col)));
        for cell in all {
            if found.length(cell).is_some() || pieces.binary_search(&piece_of(self.map.index(cell) as u32)).is_err() {
                continue;
            }
            if let Some(step) = found.index(cell).map(|at| &mut found.steps[at]) {
                *step = NOWHERE;
            }
            if found.too_dear.len() == found.too_dear.capacity() {
                let more = (found.too_dear.len() * 2).max(16);
                found.hold.reserve(&mut found.too_dear, more)?;
            }
            found.too_dear.push(cell);
        }
        Continue(())
    }
}

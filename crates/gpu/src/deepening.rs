//! Rounds of one puzzle on a device: frontiers, bounds, and which views to look boards up by.

use pintu_search::Control;
use pintu_solver::{Deepened, Front, Grow, Options, grow_front, tables::Tables};
use pintu_tiles::{Direction, Moves, Puzzle};

use crate::{
    Event, Report, Searcher,
    backend::DeviceError,
    beams::Finds,
    rounds::{MOST_BOUND, MOST_MOVES, Planted, Root, Round, Until, count_goals},
    solve::{follow, solution},
    words::Record,
};

/// Views are tried on the first round that expands so many states, and the best again on one that expands more.
const TRIED_ON: [u64; 2] = [1_000_000, 30_000_000];
/// So many of them again.
const AGAIN: usize = 3;
/// So many partitions' views are tried with each other.
const FINALISTS: usize = 3;
/// States of the frontier, by what the last round expanded.
const FRONTS: [(u64, usize); 3] = [(0, 1 << 12), (10_000_000, 1 << 16), (1_000_000_000, 1 << 18)];

pub(crate) struct Deepening<'a> {
    pub(crate) searcher: &'a mut Searcher,
    pub(crate) puzzle: &'a Puzzle,
    pub(crate) cpu: &'a Tables,
    pub(crate) control: &'a Control,
    pub(crate) options: &'a Options,
    pub(crate) watch: &'a mut dyn FnMut(Event<'_>),
    /// What beams find, once they have begun, and what begins them, if they may.
    pub(crate) finds: &'a Finds,
    pub(crate) begin_beams: Option<Box<dyn FnOnce() + 'a>>,
    pub(crate) views: Vec<usize>,
    /// The pairs of views that have been tried, the best first.
    pub(crate) ranking: Vec<(u64, Vec<usize>)>,
    /// How often views have been chosen.
    pub(crate) choices: usize,
    /// The length of the solution of which somebody has been told last.
    pub(crate) told: u32,
}

impl Deepening<'_> {
    pub(crate) fn run(&mut self) -> Result<Deepened, DeviceError> {
        let (mut bound, mut last) = (0, 0_u64);
        let mut front: Option<(usize, Front)> = None;
        loop {
            let most = FRONTS.iter().rfind(|(least, _)| last >= *least).map_or(1, |(_, most)| *most);
            let most = most.min(self.searcher.field.most_roots());
            if front.as_ref().is_none_or(|(size, _)| *size < most) {
                match grow_front(self.puzzle, self.cpu, self.control, most) {
                    Grow::Grown(grown) => front = Some((most, grown)),
                    Grow::Ended(ended) => {
                        let lower_bound = ended.lower_bound.max(bound);
                        return Ok(Deepened {
                            moves: ended.moves.or_else(|| self.finds.moves()),
                            lower_bound,
                            ..ended
                        });
                    }
                }
            }
            let (_, front) = front.as_ref().expect("it has been grown");
            let planted = self.plant(front)?;
            // With one frontier, bounds rise until it is time for a larger one.
            loop {
                if self.is_known(bound) || self.control.check().is_break() {
                    return Ok(self.end(None, bound));
                }
                self.control.note_bound(bound.into());
                (self.watch)(Event::Bound(bound));
                Self::check(front, bound)?;
                let round = self.round(&planted, front.len(), bound, u64::MAX, false)?;
                if round.found > 0 {
                    let moves = self.moves(front, &planted.record()?, bound)?;
                    count_goals(self.control, 1);
                    let length = moves.len() as u32;
                    return Ok(self.end(Some(moves), length.min(bound)));
                }
                if !round.is_whole {
                    return Ok(self.end(None, bound));
                }
                if round.shortfall == u32::MAX {
                    return Err(DeviceError::Wrong { why: format!("nothing is left beyond {bound} moves") });
                }
                last = round.expanded;
                if last >= self.searcher.beams.after
                    && let Some(begin) = self.begin_beams.take()
                {
                    begin();
                }
                let tried = bound;
                bound += round.shortfall;
                if TRIED_ON.get(self.choices).is_some_and(|least| last >= *least) {
                    match self.choices {
                        0 => self.choose(front, tried, last)?,
                        _ => self.choose_again(front, tried, last)?,
                    }
                    self.choices += 1;
                    break;
                }
                let wanted = FRONTS.iter().rfind(|(least, _)| last >= *least).map_or(1, |(_, most)| *most);
                if wanted.min(self.searcher.field.most_roots()) > most {
                    break;
                }
            }
        }
    }

    /// Whether a solution as short as a bound is known.
    fn is_known(&self, bound: u32) -> bool {
        self.finds.length().min(self.options.known.unwrap_or(u32::MAX)) <= bound
    }

    fn plant(&mut self, front: &Front) -> Result<Planted, DeviceError> {
        let machine = &self.searcher.tables.machine;
        let topology = self.searcher.tables.topology();
        let blank = self.searcher.tables.blank as u8;
        let state = |board: &[u8], before: Option<u8>| {
            let at = board.iter().position(|&tile| tile == blank).expect("a board has a blank");
            let Some(before) = before else { return at as u16 };
            let leads = |direction: &Direction| topology.neighbour(before.into(), *direction) == Some(at);
            let index = Direction::ALL.iter().position(leads).expect("the last move led here");
            machine[usize::from(before)][index]
        };
        let root = |index: usize| {
            let (made, before) = front.made[index];
            let board = front.board(index);
            Root { board, machine: state(board, before), made }
        };
        let roots: Vec<Root<'_>> = (0..front.len()).map(root).collect();
        let sight = self.searcher.sight(&self.views.clone())?;
        self.searcher.field.plant(&self.searcher.sights[sight].1, roots.into_iter(), false)
    }

    fn round(
        &mut self,
        planted: &Planted,
        roots: usize,
        bound: u32,
        most: u64,
        is_trial: bool,
    ) -> Result<Round, DeviceError> {
        let sight = self.searcher.sight(&self.views.clone())?;
        let began = self.control.elapsed();
        let known = self.options.known.unwrap_or(u32::MAX);
        let mut is_needless = || {
            let length = self.finds.length();
            if length < self.told {
                self.told = length;
                if let Some(moves) = self.finds.moves() {
                    (self.watch)(Event::Better(&moves, bound));
                }
            }
            length.min(known) <= bound
        };
        let until = Until { control: self.control, most, is_needless: &mut is_needless };
        let round = self.searcher.field.round(&self.searcher.sights[sight].1, planted, bound, until)?;
        let seconds = self.control.elapsed().saturating_sub(began).as_secs_f64();
        let views = [self.views[0], *self.views.last().expect("there is a view")];
        (self.watch)(Event::Round(Report { bound, expanded: round.expanded, seconds, roots, views, is_trial }));
        Ok(round)
    }

    /// Tries pairs of views on a round that one pair has made, and keeps the one that expands least: first the two views of
    /// each partition, then the views of the best partitions with each other.
    fn choose(&mut self, front: &Front, bound: u32, least: u64) -> Result<(), DeviceError> {
        let outlooks = &self.searcher.tables.outlooks;
        let partition = |view: usize| outlooks[view].patterns.start;
        let twins: Vec<Vec<usize>> = (1..outlooks.len())
            .filter(|&view| view > 1 && partition(view - 1) == partition(view))
            .map(|view| vec![view - 1, view])
            .collect();
        let mut best = vec![(least, self.views.clone())];
        for views in twins {
            self.attempt(front, bound, views, &mut best)?;
        }
        best.sort();
        best.truncate(FINALISTS);
        let mut views: Vec<usize> = best.iter().flat_map(|(_, views)| views.clone()).collect();
        views.sort_unstable();
        views.dedup();
        let known: Vec<Vec<usize>> = best.iter().map(|(_, views)| views.clone()).collect();
        let crossed = (0..views.len()).flat_map(|a| (a + 1..views.len()).map(move |b| [a, b]));
        for views in crossed.map(|pair| pair.map(|at| views[at]).to_vec()).filter(|views| !known.contains(views)) {
            self.attempt(front, bound, views, &mut best)?;
        }
        best.sort();
        self.views.clone_from(&best[0].1);
        self.ranking = best;
        Ok(())
    }

    /// Tries the best pairs again, on a longer round.
    fn choose_again(&mut self, front: &Front, bound: u32, least: u64) -> Result<(), DeviceError> {
        let mut best = vec![(least, self.views.clone())];
        let others: Vec<Vec<usize>> = self.ranking.iter().map(|(_, views)| views.clone()).collect();
        for views in others.into_iter().filter(|views| *views != best[0].1).take(AGAIN).collect::<Vec<_>>() {
            self.attempt(front, bound, views, &mut best)?;
        }
        best.sort();
        self.views.clone_from(&best[0].1);
        Ok(())
    }

    /// Tries a pair of views, as long as it expands not much more than the best one does.
    fn attempt(
        &mut self,
        front: &Front,
        bound: u32,
        views: Vec<usize>,
        best: &mut Vec<(u64, Vec<usize>)>,
    ) -> Result<(), DeviceError> {
        if self.control.check().is_break() {
            return Ok(());
        }
        let most = best
            .iter()
            .map(|(states, _)| states + states / if self.choices == 0 { 1 } else { 8 })
            .min()
            .unwrap_or(u64::MAX);
        self.views = views;
        let planted = self.plant(front)?;
        let round = self.round(&planted, front.len(), bound, most, true)?;
        if round.is_whole {
            best.push((round.expanded, self.views.clone()));
        }
        Ok(())
    }

    fn check(front: &Front, bound: u32) -> Result<(), DeviceError> {
        let made = front.made.iter().map(|(made, _)| *made).min().unwrap_or(0);
        if bound > MOST_BOUND || bound.saturating_sub(made) > MOST_MOVES {
            let found = format!("a board that takes at least {bound} moves");
            return Err(DeviceError::Board { found, expected: "shorter solutions" });
        }
        Ok(())
    }

    /// The moves of a solution that the device found, which are made here to see that they solve the puzzle.
    fn moves(&self, front: &Front, record: &Record, bound: u32) -> Result<Moves, DeviceError> {
        let root = record.root as usize;
        let mut cells = front.path(root);
        let (made, _) = front.made[root];
        let board = front.board(root);
        let blank = board.iter().position(|&tile| usize::from(tile) == self.searcher.tables.blank);
        let blank = blank.expect("a board has a blank");
        follow(&self.searcher.tables, record, bound - made, blank, &mut cells);
        solution(self.puzzle, &cells, bound)
    }

    fn end(&self, moves: Option<Moves>, lower_bound: u32) -> Deepened {
        Deepened { moves: moves.or_else(|| self.finds.moves()), lower_bound, stopped: self.control.stopped() }
    }
}

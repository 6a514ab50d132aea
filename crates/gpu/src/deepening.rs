//! Rounds of one puzzle on a device: frontiers, bounds, and which views to look boards up by.

use pintu_search::Control;
use pintu_solver::{
    BestKnown, FoundBy, Solved, Tables,
    internals::{FrontierStates, Options, grow_frontier},
};
use pintu_tiles::{Direction, Moves, Puzzle};

use crate::{
    Event, RoundReport, Searcher,
    backend::DeviceError,
    rounds::{DeviceRoots, MAX_BOUND, MAX_MOVES, Root, Round, Until},
    searcher::{BestFound, follow, solution},
    words::Record,
};

/// Views are compared after the first round with that many expansions, and the best of them again after a longer one.
const COMPARED_AT_NODES: [u64; 2] = [1_000_000, 30_000_000];
/// The number of pairs of views that are compared again.
const COMPARED_AGAIN: usize = 3;
/// The number of partitions whose views are combined with each other.
const FINALISTS: usize = 3;
/// The states of the frontier, by the nodes that the last round expanded at least.
const FRONTIER_STATES: [(u64, usize); 3] = [(0, 1 << 12), (10_000_000, 1 << 16), (1_000_000_000, 1 << 18)];

pub(crate) struct Deepening<'a> {
    pub(crate) searcher: &'a mut Searcher,
    pub(crate) puzzle: &'a Puzzle,
    pub(crate) cpu: &'a Tables,
    pub(crate) control: &'a Control,
    pub(crate) options: &'a Options,
    pub(crate) watch: &'a mut dyn FnMut(Event<'_>),
    /// The solutions of the beams, and what starts the beams, if they may.
    pub(crate) finds: &'a BestFound,
    pub(crate) begin_beams: Option<Box<dyn FnOnce() + 'a>>,
    pub(crate) views: Vec<usize>,
    /// The pairs of views that have been tried, the best first.
    pub(crate) ranking: Vec<(u64, Vec<usize>)>,
    /// How often views have been chosen.
    pub(crate) choices: usize,
    /// The length of the solution reported last.
    pub(crate) told: u32,
}

impl Deepening<'_> {
    pub(crate) fn run(&mut self) -> Result<Solved, DeviceError> {
        let (mut bound, mut last) = (0, 0_u64);
        let mut frontier: Option<(usize, FrontierStates)> = None;
        loop {
            let most = self.frontier_states(last);
            if frontier.as_ref().is_none_or(|(size, _)| *size < most) {
                match grow_frontier(self.puzzle, self.cpu, self.control, most) {
                    Ok(grown) => frontier = Some((most, grown)),
                    Err(ended) => {
                        let bound = ended.known.bound().max(bound);
                        return Ok(Solved { stopped: ended.stopped, ..self.end(ended.known.into_moves(), bound) });
                    }
                }
            }
            let (_, frontier) = frontier.as_ref().expect("it has been grown");
            let roots = self.upload(frontier)?;
            // With one frontier, bounds rise until it is time for a larger one.
            loop {
                if self.is_known(bound) || self.control.check().is_err() {
                    return Ok(self.end(None, bound));
                }
                self.control.note_bound(bound.into());
                (self.watch)(Event::Bound(bound));
                Self::check(frontier, bound)?;
                let round = self.round(&roots, bound, u64::MAX, false)?;
                if round.found > 0 {
                    let moves = self.moves(frontier, &roots.record()?, bound)?;
                    // The goal is expanded, too.
                    self.control.count_done(1, 0);
                    let length = moves.len() as u32;
                    return Ok(self.end(Some(moves), length.min(bound)));
                }
                if !round.is_whole {
                    return Ok(self.end(None, bound));
                }
                if round.shortfall == u32::MAX {
                    return Err(DeviceError::Wrong(format!("nothing is left beyond {bound} moves")));
                }
                last = round.expanded;
                if last >= self.searcher.beams.after_nodes
                    && let Some(begin) = self.begin_beams.take()
                {
                    begin();
                }
                let tried = bound;
                bound += round.shortfall;
                if COMPARED_AT_NODES.get(self.choices).is_some_and(|least| last >= *least) {
                    self.choose(frontier, tried, last)?;
                    break;
                }
                if self.frontier_states(last) > most {
                    break;
                }
            }
        }
    }

    /// The number of states that the frontier should have after a round that expanded `expanded` nodes.
    fn frontier_states(&self, expanded: u64) -> usize {
        let most = FRONTIER_STATES.iter().rfind(|(least, _)| expanded >= *least).map_or(1, |(_, most)| *most);
        most.min(self.searcher.memory.most_roots())
    }

    fn is_known(&self, bound: u32) -> bool {
        self.finds.length().min(self.options.known.unwrap_or(u32::MAX)) <= bound
    }

    fn upload(&mut self, frontier: &FrontierStates) -> Result<DeviceRoots, DeviceError> {
        let at = self.searcher.load_views(&self.views)?;
        let tables = &self.searcher.tables;
        let (automaton, topology) = (&tables.automaton, tables.topology());
        let state = |board: &[u8], before: Option<u8>| {
            let at = tables.blank_of(board);
            let Some(before) = before else { return at as u16 };
            let leads = |direction: &Direction| topology.neighbour(before.into(), *direction) == Some(at);
            let index = Direction::ALL.iter().position(leads).expect("the last move led here");
            automaton[usize::from(before)][index]
        };
        let root = |index: usize| {
            let (made, before) = frontier.made[index];
            let board = frontier.board(index);
            Root { board, automaton: state(board, before), made }
        };
        let roots = (0..frontier.made.len()).map(root);
        self.searcher.memory.upload_roots(&self.searcher.loaded[at].1, roots, false)
    }

    fn round(&mut self, roots: &DeviceRoots, bound: u32, most: u64, is_trial: bool) -> Result<Round, DeviceError> {
        let at = self.searcher.load_views(&self.views)?;
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
        let round = self.searcher.memory.round(&self.searcher.loaded[at].1, roots, bound, until)?;
        let seconds = self.control.elapsed().saturating_sub(began).as_secs_f64();
        (self.watch)(Event::Round(RoundReport { bound, expanded: round.expanded, seconds, is_trial }));
        Ok(round)
    }

    /// Tries other pairs of views on a round that one pair has made, and keeps the one that expands least: first the two
    /// views of each partition, then the views of the best partitions with each other; the next time the best pairs again.
    fn choose(&mut self, frontier: &FrontierStates, bound: u32, least: u64) -> Result<(), DeviceError> {
        let mut best = vec![(least, self.views.clone())];
        if self.choices == 0 {
            let all = &self.searcher.tables.views;
            let is_twin = |view: &usize| all[view - 1].patterns.start == all[*view].patterns.start;
            let twins: Vec<Vec<usize>> = (2..all.len()).filter(is_twin).map(|view| vec![view - 1, view]).collect();
            self.attempt(frontier, bound, twins, &mut best)?;
            best.sort();
            best.truncate(FINALISTS);
            let known: Vec<Vec<usize>> = best.iter().map(|(_, views)| views.clone()).collect();
            let mut views = known.concat();
            views.sort_unstable();
            views.dedup();
            let crossed = (0..views.len()).flat_map(|a| (a + 1..views.len()).map(move |b| [a, b]));
            let crossed = crossed.map(|pair| pair.map(|at| views[at]).to_vec()).filter(|views| !known.contains(views));
            self.attempt(frontier, bound, crossed.collect(), &mut best)?;
        } else {
            let others = self.ranking.iter().map(|(_, views)| views.clone()).filter(|views| *views != self.views);
            self.attempt(frontier, bound, others.take(COMPARED_AGAIN).collect(), &mut best)?;
        }
        best.sort();
        self.views.clone_from(&best[0].1);
        self.ranking = best;
        self.choices += 1;
        Ok(())
    }

    /// Tries pairs of views, each as long as it expands not much more than the best one does.
    fn attempt(
        &mut self,
        frontier: &FrontierStates,
        bound: u32,
        pairs: Vec<Vec<usize>>,
        best: &mut Vec<(u64, Vec<usize>)>,
    ) -> Result<(), DeviceError> {
        for views in pairs {
            if self.control.check().is_err() {
                break;
            }
            let most = |&(states, _): &(u64, _)| states + states / if self.choices == 0 { 1 } else { 8 };
            let most = best.iter().map(most).min().unwrap_or(u64::MAX);
            self.views = views;
            let roots = self.upload(frontier)?;
            let round = self.round(&roots, bound, most, true)?;
            if round.is_whole {
                best.push((round.expanded, self.views.clone()));
            }
        }
        Ok(())
    }

    fn check(frontier: &FrontierStates, bound: u32) -> Result<(), DeviceError> {
        let made = frontier.made.iter().map(|(made, _)| *made).min().unwrap_or(0);
        if bound > MAX_BOUND || bound.saturating_sub(made) > MAX_MOVES {
            let found = format!("a board that takes at least {bound} moves");
            return Err(DeviceError::Board { found, expected: "shorter solutions" });
        }
        Ok(())
    }

    /// The moves of a solution that the device found, which are made here to see that they solve the puzzle.
    fn moves(&self, frontier: &FrontierStates, record: &Record, bound: u32) -> Result<Moves, DeviceError> {
        let root = record.root as usize;
        let mut cells = frontier.path(root);
        let (made, _) = frontier.made[root];
        let tables = &self.searcher.tables;
        follow(tables, record, bound - made, tables.blank_of(frontier.board(root)), &mut cells);
        solution(self.puzzle, &cells, bound)
    }

    fn end(&self, moves: Option<Moves>, lower_bound: u32) -> Solved {
        let mut known = BestKnown::at_least(lower_bound);
        if let Some(moves) = moves.or_else(|| self.finds.moves()) {
            known.offer(moves);
        }
        Solved { known, stopped: self.control.stopped(), by: FoundBy::Rounds }
    }
}

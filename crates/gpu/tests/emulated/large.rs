//! Large boards' tables, beams and rounds, on boards that are small enough to compare with plain searches.

use std::collections::{HashMap, VecDeque};

use pintu_gpu::{LargeSearcher, LargeTables, Scoring, TableWeights};
use pintu_search::Control;
use pintu_solver::{
    internals::{DeviceGuide, NormalForm, deepen, normal_form_of, weights_of},
    training::Judge,
};
use pintu_tiles::{NamedGoal, Puzzle, Topology};

use crate::boards::{OPTIONS, gpu, scrambled, tables_in_reading_order, wrapped};

/// A searcher with the best few partitions of a board into groups of `tiles` tiles.
fn searcher(topology: Topology, blank: usize, tiles: usize, count: usize) -> LargeSearcher {
    let partitions = LargeTables::partitions(topology, blank, tiles, count);
    let tables = LargeTables::build(&gpu(), topology, blank, partitions, &Control::unlimited()).unwrap();
    LargeSearcher::new(tables)
}

/// A placement, and whether the blank is shut into a corner, and which.
type Placement = (Vec<u8>, Option<usize>);

/// The corner that a blank is shut into by some tiles: a cell with two neighbours that both hold one of them.
fn shut(topology: Topology, cells: &[u8], blank: usize) -> Option<usize> {
    let doors: Vec<usize> = topology.neighbours(blank).collect();
    let is_wide = topology.size().rows().min(topology.size().cols()) > 2 && cells.len() > 2;
    (is_wide && doors.len() == 2 && doors.iter().all(|&door| cells.contains(&(door as u8)))).then_some(blank)
}

/// The moves that bring a pattern's tiles home from every placement, when they may go to any cell that none of them is in, but
/// not into a corner that they shut, unless the blank is in it: then nowhere else.
fn distances(topology: Topology, homes: &[u8], blank: usize) -> HashMap<Placement, u32> {
    let start = (homes.to_vec(), shut(topology, homes, blank));
    let mut found = HashMap::from([(start.clone(), 0)]);
    let mut queue = VecDeque::from([start]);
    while let Some((placement, hole)) = queue.pop_front() {
        let moves = found[&(placement.clone(), hole)];
        for at in 0..placement.len() {
            let from = usize::from(placement[at]);
            for to in topology.neighbours(from) {
                // With the blank in the corner, only that is free; without it, no corner that is shut.
                let is_free = !placement.contains(&(to as u8))
                    && hole.map_or(shut(topology, &placement, to).is_none(), |hole| hole == to);
                let mut next = placement.clone();
                next[at] = to as u8;
                let next = (next.clone(), shut(topology, &next, from));
                if is_free && !found.contains_key(&next) {
                    found.insert(next.clone(), moves + 1);
                    queue.push_back(next);
                }
            }
        }
    }
    found
}

#[test]
fn tables_say_how_far_tiles_are_from_home() {
    for (topology, tiles) in [
        (wrapped(3, 4, (&[], &[])), 4),
        (wrapped(4, 4, (&[1], &[0, 2])), 3),
        (wrapped(4, 4, (&[], &[])), 4),
        (wrapped(2, 6, (&[0], &[])), 5),
        // Rows of two words.
        (wrapped(6, 6, (&[], &[])), 3),
    ] {
        let goal = NamedGoal::Standard;
        let puzzles: Vec<Puzzle> = (0..20).map(|seed| scrambled(topology, goal, 200, seed)).collect();
        let (topology, blank) = normal_form_of(topology, puzzles[0].goal().blank());
        let partitions = LargeTables::partitions(topology, blank, tiles, 2);
        let tables = LargeTables::build(&gpu(), topology, blank, partitions.clone(), &Control::unlimited()).unwrap();
        let mut searcher = LargeSearcher::new(tables);
        for (index, partition) in partitions.iter().enumerate() {
            let distances: Vec<_> = partition.iter().map(|homes| distances(topology, homes, blank)).collect();
            let plain = |puzzle: &Puzzle| -> u32 {
                let board = NormalForm::new(puzzle).board;
                let place = |tile: &u8| board.iter().position(|other| other == tile).unwrap() as u8;
                let blank = usize::from(place(&(blank as u8)));
                let places = partition.iter().map(|homes| homes.iter().map(place).collect::<Vec<_>>());
                let of = |places: Vec<u8>| (places.clone(), shut(topology, &places, blank));
                places.zip(&distances).map(|(places, distances)| distances[&of(places)]).sum()
            };
            // The identity's view is a partition's first.
            let views = &searcher.tables().views_of(&[index])[..1].to_vec();
            let estimates = searcher.estimates(&puzzles, views).unwrap();
            for (puzzle, estimate) in puzzles.iter().zip(estimates) {
                assert_eq!(estimate, [plain(puzzle)], "{topology}, {partition:?}");
            }
        }
    }
}

/// The fewest moves, by rounds on the device from a small frontier.
fn fewest(searcher: &mut LargeSearcher, puzzle: &Puzzle, views: &[usize], room: u32) -> usize {
    let mut bound = *searcher.estimates(std::slice::from_ref(puzzle), views).unwrap()[0].iter().max().unwrap();
    loop {
        let round = searcher.round(puzzle, views, bound, room, &Control::unlimited()).unwrap();
        if let Some(moves) = round.moves {
            assert!(puzzle.is_solved_by(&moves));
            return moves.len();
        }
        assert!(round.is_whole, "nothing limits it");
        bound += 1;
    }
}

#[test]
fn rounds_find_what_the_processor_finds() {
    for (topology, goal, tiles, walk) in [
        (wrapped(3, 4, (&[], &[])), NamedGoal::Standard, 4, 60),
        (wrapped(2, 6, (&[0], &[])), NamedGoal::BlankFirst, 4, 60),
        (wrapped(4, 4, (&[], &[])), NamedGoal::Snail, 5, 60),
        (wrapped(4, 4, (&[0, 1, 2, 3], &[0, 1, 2, 3])), NamedGoal::Standard, 4, 30),
        (wrapped(4, 5, (&[], &[])), NamedGoal::Standard, 4, 40),
        (wrapped(6, 6, (&[], &[])), NamedGoal::Standard, 3, 44),
        (wrapped(7, 4, (&[], &[])), NamedGoal::Snail, 3, 36),
    ] {
        let puzzles: Vec<Puzzle> = (1..4).map(|seed| scrambled(topology, goal, walk, seed)).collect();
        let (normal, blank) = normal_form_of(topology, puzzles[0].goal().blank());
        let mut searcher = searcher(normal, blank, tiles, 2);
        let cpu = tables_in_reading_order(normal, blank, 3);
        let all: Vec<usize> = (0..searcher.tables().view_count()).collect();
        for puzzle in &puzzles {
            let expected = deepen(puzzle, &cpu, &Control::unlimited(), &OPTIONS).known.length().unwrap();
            for (views, room) in [(&all[..1], 1), (&all[..2], 40), (&all[..], 1000)] {
                assert_eq!(fewest(&mut searcher, puzzle, views, room), expected as usize, "{topology}, {room}");
            }
        }
    }
}

#[test]
fn beams_find_short_solutions_and_wide_ones_the_shortest() {
    for (topology, tiles, walk, widths) in [
        (wrapped(3, 4, (&[], &[])), 4, 60, [100, 1 << 16]),
        (wrapped(6, 6, (&[], &[])), 3, 60, [300, 3000]),
        (wrapped(7, 7, (&[], &[])), 3, 50, [300, 1000]),
    ] {
        for seed in 1..4 {
            let puzzle = scrambled(topology, NamedGoal::Standard, walk, seed);
            let (normal, blank) = normal_form_of(topology, puzzle.goal().blank());
            let mut searcher = searcher(normal, blank, tiles, 2);
            let views: Vec<usize> = (0..searcher.tables().view_count().min(8)).collect();
            let mut lengths = Vec::new();
            for width in widths {
                let scoring = Scoring::Tables(TableWeights::of_excess(4, views.len()));
                let control = Control::unlimited();
                let found = searcher.beam(&puzzle, &views, (width, scoring), 200, &control).unwrap();
                let found = found.unwrap_or_else(|| panic!("{topology}: no way for {width}"));
                assert!(puzzle.is_solved_by(&found) && found.len() <= 2 * walk, "{topology}: {}", found.len());
                assert!(control.counters().expanded > found.len() as u64);
                // None is shorter than what was found, as far as the beam sees, within less.
                let less = searcher.beam(&puzzle, &views, (width, scoring), found.len() as u32 - 1, &control).unwrap();
                assert!(less.is_none_or(|moves| moves.len() < found.len()));
                lengths.push(found.len());
            }
            if topology.cells() == 12 {
                let cpu = tables_in_reading_order(normal, blank, 4);
                let expected = deepen(&puzzle, &cpu, &Control::unlimited(), &OPTIONS).known.length();
                assert_eq!(lengths.last().map(|&length| length as u32), expected, "such a beam leaves nothing out");
            }
        }
    }
}

/// On levels of a beam the device's tables and network give every board the score that the processor's give it.
#[test]
fn a_network_says_the_same_on_a_device() {
    let topology = wrapped(6, 6, (&[], &[]));
    let puzzle = scrambled(topology, NamedGoal::Standard, 400, 5);
    let board = normal_form_of(topology, puzzle.goal().blank());
    let (mut searcher, network) =
        LargeSearcher::guided(&gpu(), board, &Control::unlimited()).unwrap().expect("a plain square has one");
    let judge = Judge::new(6, weights_of(6));
    let guide = DeviceGuide::new(board.0, board.1).unwrap();
    let tables = TableWeights { sum: guide.sum_weight, distance: guide.distance_weight, shift: 0 };
    let (mut compared, mut depth, mut earlier) = (0, 0, None);
    let is_found = searcher.beam_to_learn_from(&puzzle, (40, Scoring::Network(&network)), 300, &mut |level| {
        depth += 1;
        if level.before_goal.is_none() && depth % 10 == 0 {
            let states = level.states().unwrap();
            let all: Vec<u32> = (0..states.scores.len() as u32).collect();
            let picked = level.pick(&states, &all, tables).unwrap();
            for (state, &score) in picked.iter().zip(&states.scores) {
                let board = &state.board;
                assert_eq!(i32::from(score), judge.score(board) >> 2, "{board:?}");
                assert_eq!(state.tables, judge.tables(board), "{board:?}");
                compared += 1;
            }
            if let Some(earlier) = &earlier {
                let best = level.descendants(earlier, 0).unwrap();
                assert_eq!(best.iter().flatten().min(), states.scores.iter().min(), "the best has an ancestor");
                assert!(best.contains(&None), "some have no descendants");
            }
            earlier = Some(states);
        }
    });
    assert!(is_found.unwrap() && compared > 200, "{compared}");
}

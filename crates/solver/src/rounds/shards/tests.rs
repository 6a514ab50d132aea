use pintu_search::Limits;
use pintu_tiles::{NamedGoal, Scrambler, Size, Topology};

use super::*;
use crate::{
    rounds::deepen,
    tables::{Extent, Key},
    testing::{build, exact_lengths, fifteen_puzzles, puzzle_from, topologies},
};

fn small_tables(puzzle: &Puzzle) -> Tables {
    build(&Key::of(puzzle, Extent::Small).patterns().unwrap())
}

fn unlimited() -> Control {
    Control::unlimited()
}

fn begin(puzzle: &Puzzle, tables: &Tables, known: BestKnown) -> Proof {
    Proof::begin(puzzle, tables, known, &unlimited()).unwrap()
}

/// A shard that goes to another machine and comes back.
fn sent(shard: &Shard) -> Shard {
    let read = Shard::from_bytes(&shard.to_bytes()).unwrap();
    assert_eq!(read, *shard);
    read
}

/// All rounds, each divided into `shards` shards, which are searched in reverse order.
fn prove(mut proof: Proof, tables: &Tables, shards: usize) -> Proof {
    while !proof.is_over() {
        let bound = proof.bound();
        let split = proof.split(tables, shards, &unlimited()).unwrap();
        // Wherever a proof is, it goes on from its bytes.
        let kept = Proof::from_bytes(&proof.to_bytes()).unwrap();
        assert_eq!(kept, proof);
        proof = kept;
        let search = |shard: &Shard| search_shard(&sent(shard), tables, bound, &unlimited()).unwrap();
        let results: Vec<ShardRound> = split.iter().rev().map(search).collect();
        if !split.is_empty() {
            proof.merge(&results).unwrap();
        }
    }
    proof
}

fn counts(proof: &Proof) -> (u64, u64) {
    (proof.counters().expanded, proof.counters().generated)
}

/// The states expanded to prove a solution that is known, the same in 1, 3 and 64 shards, and without shards. Every round is
/// searched whole.
fn expanded_to_prove(puzzle: &Puzzle, tables: &Tables, moves: &Moves) -> (u64, u64) {
    let known = BestKnown::new(Some(moves.clone()), 0);
    let proofs = [1, 3, 64].map(|shards| prove(begin(puzzle, tables, known.clone()), tables, shards));
    assert!(proofs.iter().all(|proof| counts(proof) == counts(&proofs[0]) && proof.is_over()));
    let control = unlimited();
    deepen(puzzle, tables, &control, &Options { threads: 1, known: Some(moves.len() as u32) });
    (counts(&proofs[0]).0, control.counters().expanded)
}

#[test]
fn shards_prove_what_one_machine_proves() {
    let boards = fifteen_puzzles();
    let tables = small_tables(&boards[0].0);
    for (puzzle, length) in boards.iter().take(8).chain(&boards[12..]) {
        let unknown = prove(begin(puzzle, &tables, BestKnown::default()), &tables, 4);
        assert_eq!(unknown.known().length(), Some(*length as u32));
        let moves = unknown.known().moves().unwrap();
        assert!(puzzle.is_solved_by(moves));
        // The two grow their frontiers at different bounds, which is much of so short a search.
        assert_alike(expanded_to_prove(puzzle, &tables, moves), 0.2);
    }
}

#[test]
fn shards_of_five_by_five_expand_what_one_machine_expands() {
    let size = Size::new(5, 5).unwrap();
    let (topology, goal) = (Topology::plain(size), NamedGoal::Standard.on(size));
    let tables = small_tables(&Puzzle::new(topology, goal.clone(), goal.clone()).unwrap());
    for seed in [1, 2, 3] {
        let start = Scrambler::new(topology, goal.clone(), seed).walk(120);
        let puzzle = Puzzle::new(topology, start, goal.clone()).unwrap();
        let found = deepen(&puzzle, &tables, &unlimited(), &Options { threads: 1, known: None });
        assert_alike(expanded_to_prove(&puzzle, &tables, found.known.moves().unwrap()), 0.05);
    }
}

fn assert_alike((divided, whole): (u64, u64), part: f64) {
    let apart = divided.abs_diff(whole) as f64 / whole as f64;
    assert!(whole > 1000 && apart <= part, "{divided} states in shards, {whole} without");
}

#[test]
fn a_solution_in_a_shard_counts_as_if_shards_were_searched_in_order() {
    let boards = fifteen_puzzles();
    let tables = small_tables(&boards[0].0);
    for (puzzle, length) in &boards[..6] {
        let mut proof = begin(puzzle, &tables, BestKnown::default());
        let mut in_reverse = proof.clone();
        in_reverse = prove(in_reverse, &tables, 5);
        // One machine: the shards in order, until one has a solution.
        while !proof.is_over() {
            let bound = proof.bound();
            let mut results = Vec::new();
            for shard in proof.split(&tables, 5, &unlimited()).unwrap() {
                results.push(search_shard(&shard, &tables, bound, &unlimited()).unwrap());
                if results.last().is_some_and(|result| result.moves.is_some()) {
                    break;
                }
            }
            if !results.is_empty() {
                proof.merge(&results).unwrap();
            }
        }
        assert_eq!(counts(&proof), counts(&in_reverse));
        assert_eq!(proof.known().moves(), in_reverse.known().moves());
        assert_eq!(proof.known().length(), Some(*length as u32));
    }
}

#[test]
fn shards_of_any_goal_and_wrap_find_the_shortest() {
    let wraps: [(&[usize], &[usize]); 3] = [(&[], &[]), (&[0], &[]), (&[2], &[0, 3])];
    for topology in topologies(3, 4, &wraps) {
        for goal in [NamedGoal::Standard, NamedGoal::Snail] {
            let goal = goal.on(topology.size());
            let tables = small_tables(&Puzzle::new(topology, goal.clone(), goal.clone()).unwrap());
            for (tiles, length) in exact_lengths(&goal, topology, 15, 1999) {
                let puzzle = puzzle_from(&tiles, &goal, topology);
                let proof = prove(begin(&puzzle, &tables, BestKnown::default()), &tables, 3);
                assert_eq!(proof.known().length(), Some(length as u32), "{topology}: {tiles:?}");
            }
        }
    }
}

#[test]
fn shards_of_five_by_five_agree_with_the_search_that_is_not_divided() {
    let size = Size::new(5, 5).unwrap();
    let (topology, goal) = (Topology::plain(size), NamedGoal::Standard.on(size));
    let mut scrambler = Scrambler::new(topology, goal.clone(), 7);
    let mut tables = None;
    for _ in 0..4 {
        let puzzle = Puzzle::new(topology, scrambler.walk(70), goal.clone()).unwrap();
        let tables = tables.get_or_insert_with(|| small_tables(&puzzle));
        let whole = deepen(&puzzle, tables, &unlimited(), &Options { threads: 1, known: None });
        let proof = prove(begin(&puzzle, tables, BestKnown::default()), tables, 7);
        assert_eq!(proof.known().length(), whole.known.length());
    }
}

/// However often a shard is stopped, the counts and the answer are those of one search.
#[test]
fn half_done_shards_go_on_where_they_stopped() {
    let boards = fifteen_puzzles();
    let tables = small_tables(&boards[0].0);
    let mut stops = 0;
    for (puzzle, _) in &boards[..4] {
        let mut proof = begin(puzzle, &tables, BestKnown::default());
        while !proof.is_over() {
            let bound = proof.bound();
            let mut results = Vec::new();
            for shard in proof.split(&tables, 3, &unlimited()).unwrap() {
                let whole = search_shard(&shard, &tables, bound, &unlimited()).unwrap();
                let mut left = shard;
                let pieces = loop {
                    let few = Control::new(Limits::none().nodes(1777));
                    let piece = search_shard(&left, &tables, bound, &few).unwrap();
                    let Some((why, rest)) = &piece.rest else { break piece };
                    assert_eq!(*why, Stop::Nodes);
                    assert!(search_shard(rest, &tables, bound + 2, &unlimited()).is_err(), "good for one bound");
                    left = sent(rest);
                    stops += 1;
                };
                // A search that finds a solution may meet it in another order.
                if whole.moves.is_none() {
                    assert_eq!(pieces, whole);
                }
                assert_eq!(pieces.moves.is_some(), whole.moves.is_some());
                results.push(whole);
            }
            if !results.is_empty() {
                proof.merge(&results).unwrap();
            }
        }
    }
    assert!(stops > 10, "{stops} stops");
}

#[test]
fn what_does_not_belong_together_is_refused() {
    let boards = fifteen_puzzles();
    let (puzzle, _) = &boards[0];
    let tables = small_tables(puzzle);
    let mut proof = begin(puzzle, &tables, BestKnown::default());
    let shards = proof.split(&tables, 3, &unlimited()).unwrap();
    let bound = proof.bound();
    let key = Key::of(puzzle, Extent::Small);
    let other = crate::testing::tables_in_reading_order(key.topology, key.blank, 5);
    assert!(matches!(search_shard(&shards[0], &other, bound, &unlimited()), Err(ShardError::Tables { .. })));
    assert_eq!(proof.clone().split(&other, 3, &unlimited()), Err(ProofError::Tables));
    assert_eq!((key.name().unwrap(), proof.tables_name()), (tables.name(), tables.name()));
    let bytes = shards[1].to_bytes();
    for at in (0..bytes.len()).step_by(97) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1;
        assert_eq!(Shard::from_bytes(&damaged), Err(ShardError::Damaged));
        assert_eq!(Shard::from_bytes(&bytes[..at]), Err(ShardError::Damaged));
    }
    let bytes = proof.to_bytes();
    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1;
        assert_eq!(Proof::from_bytes(&damaged), Err(ShardError::Damaged));
        assert_eq!(Proof::from_bytes(&bytes[..at]), Err(ShardError::Damaged));
    }
    assert_eq!(Proof::from_bytes(&shards[1].to_bytes()), Err(ShardError::Damaged));
    let results: Vec<ShardRound> =
        shards.iter().map(|shard| search_shard(shard, &tables, bound, &unlimited()).unwrap()).collect();
    assert_eq!(proof.merge(&results[..2]), Err(ShardError::Missing(2)));
    assert_eq!(proof.merge(&[&results[..], &results[1..2]].concat()), Err(ShardError::Twice(1)));
    let foreign = ShardRound { split: 1, ..results[0].clone() };
    assert_eq!(proof.merge(&[foreign]), Err(ShardError::Foreign(0)));
    let lower = ShardRound { bound: bound - 2, ..results[0].clone() };
    assert_eq!(proof.merge(&[lower]), Err(ShardError::Foreign(0)));
    let cancelled = unlimited();
    cancelled.cancel();
    let half = search_shard(&shards[2], &tables, bound, &cancelled).unwrap();
    assert!(half.rest.is_some() && half.expanded == 0);
    assert_eq!(proof.merge(&[&results[..2], &[half]].concat()), Err(ShardError::Missing(2)));
    proof.merge(&results).unwrap();
    let before = proof.bound();
    assert_eq!(proof.merge(&results), Err(ShardError::Missing(0)), "a round is taken once");
    assert_eq!(proof.merge(&[]), Err(ShardError::Missing(0)));
    assert_eq!(proof.bound(), before, "no results prove nothing");
}

#[test]
fn boards_without_rounds_are_refused_or_over_at_once() {
    let line = Size::new(1, 4).unwrap();
    let goal = NamedGoal::Standard.on(line);
    let puzzle = Puzzle::new(Topology::plain(line), goal.clone(), goal).unwrap();
    let (fifteen, _) = &fifteen_puzzles()[0];
    let tables = small_tables(fifteen);
    assert!(matches!(Proof::begin(&puzzle, &tables, BestKnown::default(), &unlimited()), Err(ProofError::Line)));
    let solved = Puzzle::new(fifteen.topology(), fifteen.goal().clone(), fifteen.goal().clone()).unwrap();
    let mut proof = begin(&solved, &tables, BestKnown::default());
    assert!(proof.is_over() && proof.split(&tables, 2, &unlimited()).unwrap().is_empty());
}

//! Many 15-puzzles at once.

use pintu_gpu::{Gpu, Tiling};
use pintu_search::Control;
use pintu_solver::{Options, deepen};
use pintu_tiles::{NamedGoal, Puzzle, Scrambler, Size, Topology};

use crate::{searcher, small_tables};

pub(crate) fn many(gpu: &Gpu, count: usize) {
    let topology = Topology::plain(Size::new(4, 4).expect("a size"));
    let goal = NamedGoal::BlankFirst.on(topology.size());
    let mut scrambler = Scrambler::new(topology, goal.clone(), 2026);
    let board = |_| Puzzle::new(topology, scrambler.uniform(), goal.clone()).expect("of one size");
    let puzzles: Vec<Puzzle> = (0..count).map(board).collect();
    let cpu = small_tables(&puzzles[0]);
    let mut searcher = searcher(gpu, &puzzles[0], &Tiling::LARGE);
    println!();
    for _ in 0..2 {
        let control = Control::unlimited();
        let (solved, _) = searcher.solve_many(&puzzles, &control).expect("the device goes on");
        let took = control.elapsed().as_secs_f64();
        let moves: usize = solved.iter().map(|solved| solved.moves.as_ref().expect("no limits").len()).sum();
        let counters = control.counters();
        println!(
            "{count} random 15-puzzles: {took:.2} s, {} states, {:.2} moves in the mean",
            counters.expanded,
            moves as f64 / count as f64
        );
        let sum = |of: fn(&pintu_gpu::Batched) -> u64| solved.iter().map(of).sum::<u64>();
        assert_eq!(sum(|solved| solved.expanded), counters.expanded, "boards count for themselves");
        assert_eq!(sum(|solved| solved.generated), counters.generated, "boards count for themselves");
        let wrong = solved.iter().zip(&puzzles).find(|(solved, puzzle)| {
            let moves = solved.moves.as_ref().expect("no limits");
            !puzzle.is_solved_by(moves) || moves.len() as u32 != solved.lower_bound
        });
        assert!(wrong.is_none(), "a solution does not hold");
        // Some of them again, on the CPU.
        for (puzzle, solved) in puzzles.iter().zip(&solved).step_by(count.div_ceil(200)) {
            let options = Options { threads: 1, known: None };
            let expected = deepen(puzzle, &cpu, &Control::unlimited(), &options);
            assert_eq!(expected.lower_bound, solved.lower_bound, "the CPU says otherwise");
        }
    }
}

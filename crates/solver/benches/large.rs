//! 6×6 and 7×7 boards against the lengths that the network of `DeepCubeA` (Agostinelli and others, 2019) found.
//!
//! `cargo bench -p pintu-solver --bench large -- --boards FOLDER --size 6 [--first N] [--count N] [--seconds S] [--nodes N]
//! [--threads N] [--each]`. The folder has `35.txt` and `48.txt`: a board a line, and then the length. Boards are numbered
//! from 0, as in `data/large-boards.tsv`.

use std::{fs, path::Path, time::Duration};

use pintu_search::{Control, Limits};
use pintu_solver::{SolveOptions, solve};
use pintu_tiles::{Arrangement, NamedGoal, Puzzle, Size, Topology};

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let after = |name: &str| words.iter().position(|word| word == name).and_then(|at| words.get(at + 1));
    let number = |name: &str| after(name).and_then(|word| word.parse::<f64>().ok());
    let Some(folder) = after("--boards") else {
        println!("no boards: name their folder after --boards");
        return;
    };
    let side = number("--size").map_or(6, |side| side as usize);
    let (first, count) = (number("--first").unwrap_or(0.0) as usize, number("--count").unwrap_or(16.0) as usize);
    let nodes = number("--nodes").map(|nodes| nodes as u64);
    let seconds = number("--seconds").unwrap_or(10.0);
    let threads = number("--threads").unwrap_or(1.0) as usize;
    let (mut lengths, mut recorded, mut shorter, mut longer, mut boards) = (0, 0, 0, 0, 0);
    let (mut expanded, mut latest) = (0, Duration::ZERO);
    for (index, (puzzle, known)) in read(Path::new(folder), side).into_iter().enumerate().skip(first).take(count) {
        let time = nodes.is_none().then(|| Duration::from_secs_f64(seconds));
        let control = Control::new(Limits::none().time(time).nodes(nodes));
        let solved = solve(&puzzle, &control, SolveOptions::new().threads(threads)).expect("it can be solved");
        let time = control.elapsed();
        let moves = solved.known.moves().expect("there is always a solution");
        assert!(puzzle.is_solved_by(moves), "an invalid solution");
        if words.iter().any(|word| word == "--each") {
            println!("{index} {} {known} {:.2} s {:?}", moves.len(), time.as_secs_f64(), solved.by);
        }
        lengths += moves.len();
        recorded += known;
        shorter += usize::from(moves.len() < known);
        longer += usize::from(moves.len() > known);
        boards += 1;
        expanded += control.counters().expanded;
        latest = latest.max(time);
    }
    let mean = |sum: usize| sum as f64 / f64::from(boards.max(1));
    println!(
        "{side}×{side}, {boards} boards, {threads} threads: mean {:.2}, DeepCubeA {:.2}, difference {:+.2}; \
         shorter {shorter}, longer {longer}; {:.1} M states a board, latest answer {:.2} s",
        mean(lengths),
        mean(recorded),
        mean(lengths) - mean(recorded),
        expanded as f64 / 1e6 / f64::from(boards.max(1)),
        latest.as_secs_f64(),
    );
}

/// The boards of a side, and the lengths recorded with them.
fn read(folder: &Path, side: usize) -> Vec<(Puzzle, usize)> {
    let file = folder.join(format!("{}.txt", side * side - 1));
    let text = fs::read_to_string(&file).unwrap_or_else(|why| panic!("cannot read {}: {why}", file.display()));
    let square = Size::new(side, side).expect("a side");
    let board = |line: &str| {
        let mut tiles: Vec<_> = line.split_whitespace().map(|word| word.parse().expect("a number")).collect();
        let known = tiles.pop().expect("a length") as usize;
        let start = Arrangement::new(square, &tiles).expect("a board");
        (Puzzle::new(Topology::plain(square), start, NamedGoal::Standard.on(square)).expect("one size"), known)
    };
    text.lines().filter(|line| !line.starts_with('#')).map(board).collect()
}

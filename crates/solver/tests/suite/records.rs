//! The table of the best known lengths of large boards.

use std::{collections::BTreeSet, env, fs, path::Path};

use pintu_tiles::{Arrangement, NamedGoal, Puzzle, Size, Topology, least_moves};

struct Record {
    side: usize,
    board: usize,
    length: usize,
}

fn records() -> Vec<Record> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/large-boards.tsv");
    let text = fs::read_to_string(file).unwrap();
    let mut lines = text.lines().skip_while(|line| line.starts_with('#'));
    assert_eq!(lines.next(), Some("size\tboard\tlength\tproved\tfound by"));
    let record = |line: &str| {
        let [shape, board, length, proved, found_by] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("found {line:?}, expected five columns")
        };
        let side = ["6x6", "7x7"].iter().position(|&known| known == shape).map(|at| at + 6);
        assert!(["yes", "once", "no"].contains(&proved) && !found_by.trim().is_empty(), "{line}");
        let number =
            |word: &str| word.parse().unwrap_or_else(|_| panic!("found {word:?} in {line:?}, expected a number"));
        Record { side: side.expect("a size"), board: number(board), length: number(length) }
    };
    lines.map(record).collect()
}

/// Rows are in the order of their boards' numbers, each of which is there once, and lengths are of such boards' size.
#[test]
fn the_best_known_lengths_are_well_formed() {
    let records = records();
    let numbers: Vec<_> = records.iter().map(|record| (record.side, record.board)).collect();
    assert!(numbers.iter().collect::<BTreeSet<_>>().into_iter().eq(&numbers), "sorted, and no number twice");
    for Record { side, board, length } in records {
        let lengths = if side == 6 { 80..200 } else { 150..400 };
        assert!(board < 250 && lengths.contains(&length), "{side}x{side}, number {board}: {length}");
    }
}

/// With the boards, whose folder is named by `PINTU_DEEPCUBEA`: no length is below the bound, and all have the parity of
/// the board's solutions.
#[test]
fn the_best_known_lengths_are_possible() {
    let Some(folder) = env::var_os("PINTU_DEEPCUBEA") else { return };
    for side in [6, 7] {
        let size = Size::new(side, side).unwrap();
        let text = fs::read_to_string(Path::new(&folder).join(format!("{}.txt", side * side - 1))).unwrap();
        let boards: Vec<Puzzle> = text
            .lines()
            .filter(|line| !line.starts_with('#'))
            .map(|line| {
                let tiles: Vec<_> =
                    line.split_whitespace().take(side * side).map(|word| word.parse().unwrap()).collect();
                Puzzle::new(
                    Topology::plain(size),
                    Arrangement::new(size, &tiles).unwrap(),
                    NamedGoal::Standard.on(size),
                )
                .unwrap()
            })
            .collect();
        for Record { board, length, .. } in records().into_iter().filter(|record| record.side == side) {
            let bound = least_moves(&boards[board]) as usize;
            assert!(length >= bound && (length - bound).is_multiple_of(2), "{side}x{side}, number {board}: {length}");
        }
    }
}

//! The boards of `data/` whose shortest solutions are on record.

use pintu_tiles::{Arrangement, NamedGoal, Puzzle, Size, Topology};

#[derive(Clone, Debug)]
pub struct Instance {
    pub name: String,
    pub puzzle: Puzzle,
    /// The length of its shortest solutions, if it is known.
    pub length: Option<usize>,
}

impl Instance {
    /// The length on record.
    ///
    /// # Panics
    /// If it is not known.
    pub fn recorded(&self) -> usize {
        self.length.expect("a length on record")
    }
}

pub fn korf100() -> Vec<Instance> {
    instances(include_str!("../../../data/korf100.txt"), plain(4), NamedGoal::BlankFirst, 18)
}

/// The seventeen 15-puzzles of 80 moves.
pub fn hard80() -> Vec<Instance> {
    instances(include_str!("../../../data/hard80.txt"), plain(4), NamedGoal::Standard, 17)
}

/// Two 15-puzzles that are hard for tables of 7 and 8 tiles.
pub fn stress78() -> Vec<Instance> {
    instances(include_str!("../../../data/stress78.txt"), plain(4), NamedGoal::Standard, 17)
}

/// Korf and Felner's fifty 24-puzzles.
pub fn korf24() -> Vec<Instance> {
    instances(include_str!("../../../data/korf24.txt"), plain(5), NamedGoal::BlankFirst, 26)
}

/// The nineteen 24-puzzles whose middle row and column wrap.
pub fn wrap24() -> Vec<Instance> {
    instances(include_str!("../../../data/wrap24.txt"), crossed(5), NamedGoal::Standard, 26)
}

fn plain(side: usize) -> Topology {
    Topology::plain(Size::new(side, side).expect("a size"))
}

fn crossed(side: usize) -> Topology {
    Topology::wrapped(plain(side).size(), [side / 2], [side / 2]).expect("its lines are long enough to wrap")
}

/// The boards of a file: a number, the tiles, and the length in the field `length_at`.
fn instances(text: &str, topology: Topology, goal: NamedGoal, length_at: usize) -> Vec<Instance> {
    let size = topology.size();
    let instance = |line: &str| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let tiles: Vec<u32> = fields[1..=size.cells()].iter().map(|field| field.parse().expect("a tile")).collect();
        let start = Arrangement::new(size, &tiles).expect("a board");
        let puzzle = Puzzle::new(topology, start, goal.on(size)).expect("the same sizes");
        Instance { name: fields[0].to_owned(), puzzle, length: fields[length_at].parse().ok() }
    };
    text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty()).map(instance).collect()
}

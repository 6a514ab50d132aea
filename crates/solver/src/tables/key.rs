use std::fmt;

use pintu_tiles::{Puzzle, Topology};

use super::{Extent, Pattern, PatternError, normal_form, patterns};

/// A set of tables: a board and its goal's blank cell in normal form, and how large the set is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    /// The board, in normal form.
    pub topology: Topology,
    /// The goal's blank cell, in normal form.
    pub blank: usize,
    /// How large.
    pub extent: Extent,
}

impl Key {
    /// The set for a puzzle's board and goal.
    pub fn of(puzzle: &Puzzle, extent: Extent) -> Self {
        let (topology, blank) = normal_form(puzzle);
        Self { topology, blank, extent }
    }

    /// What its tables are of.
    pub fn patterns(self) -> Result<Vec<Pattern>, PatternError> {
        patterns(self.topology, self.blank, self.extent)
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the {} tables of {}, blank in cell {}", self.extent.name(), self.topology, self.blank)
    }
}

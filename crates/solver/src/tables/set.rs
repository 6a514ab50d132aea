use std::{
    ops::{
        ControlFlow::{self, Continue},
        Range,
    },
    sync::{Mutex, OnceLock, PoisonError},
};

use pintu_search::{Hold, Stop};
use pintu_tiles::{Puzzle, Topology};

use super::{
    Pattern, Table,
    symmetry::{Symmetry, stabiliser, to_normal_form},
};
use crate::machine::Machine;

/// Tables of patterns that together hold every tile once, or several such partitions of the tiles, and the ways to look
/// a board up in them.
///
/// They belong to a board and a blank cell in normal form: one that stands for all its rotations and
/// reflections. Every goal with that blank cell is a relabelling of the tiles.
#[derive(Debug)]
pub struct Tables {
    topology: Topology,
    blank: usize,
    all: Vec<Table>,
    aspects: Vec<Aspect>,
    quick: OnceLock<Made>,
    deep: OnceLock<Made>,
    /// Taken by whoever makes one of them.
    making: Mutex<()>,
}

/// A machine, and the bytes that it took to make it.
#[derive(Debug)]
struct Made {
    machine: Machine,
    making: u64,
}

/// One way to look a board up.
#[derive(Debug)]
pub(crate) struct Aspect {
    /// The tables of one partition.
    pub(crate) tables: Range<usize>,
    /// The symmetry under which they see the board.
    pub(crate) symmetry: Symmetry,
}

/// The most tables of a partition: a power of two, so that no index needs a check.
pub(crate) const MAX_GROUPS: usize = 32;
/// More views at once cost more than they save.
pub(crate) const MAX_VIEWS: usize = 4;
/// The most pairs of a view and a table.
pub(crate) const MAX_LANES: usize = MAX_VIEWS * MAX_GROUPS;

impl Tables {
    /// Puts tables together: those of one partition of the tiles, or of several, one after the other.
    pub fn new(tables: Vec<Table>) -> Result<Self, TablesError> {
        let patterns: Vec<&Pattern> = tables.iter().map(Table::pattern).collect();
        let aspects = aspects(&patterns)?;
        let (topology, blank) = (patterns[0].topology(), patterns[0].blank());
        Ok(Self {
            topology,
            blank,
            all: tables,
            aspects,
            quick: OnceLock::new(),
            deep: OnceLock::new(),
            making: Mutex::new(()),
        })
    }

    /// The board they are for.
    pub fn topology(&self) -> Topology {
        self.topology
    }

    /// The blank's goal cell on it.
    pub fn blank(&self) -> usize {
        self.blank
    }

    /// The tables, one partition's after the other's.
    pub fn tables(&self) -> &[Table] {
        &self.all
    }

    /// The tables, each once: partitions may share some.
    pub fn each_once(&self) -> impl Iterator<Item = &Table> {
        let is_first = |at: usize| !self.all[..at].iter().any(|table| table.pattern() == self.all[at].pattern());
        (0..self.all.len()).filter(move |&at| is_first(at)).map(|at| &self.all[at])
    }

    /// The bytes they hold.
    pub fn bytes(&self) -> u64 {
        self.each_once().map(Table::bytes).sum()
    }

    /// The bytes of all that is kept with them: also of what searches have made to read them faster.
    pub fn kept_bytes(&self) -> u64 {
        let made = [&self.quick, &self.deep].into_iter().filter_map(OnceLock::get);
        self.bytes() + made.map(|made| made.making).sum::<u64>()
    }

    /// Whether these tables serve a puzzle's board and goal.
    pub fn serve(&self, puzzle: &Puzzle) -> bool {
        let normal = to_normal_form(puzzle.topology(), puzzle.goal().blank());
        normal.topology() == self.topology && normal.of(puzzle.goal().blank()) == self.blank
    }

    /// The ways to look a board up, one partition's after the other's. The first one sees it as it is.
    pub(crate) fn aspects(&self) -> &[Aspect] {
        &self.aspects
    }

    /// Those by the first partition, which serves most boards well.
    pub(crate) fn first_aspects(&self) -> &[Aspect] {
        let first = &self.aspects[0].tables;
        let count = self.aspects.iter().take_while(|aspect| aspect.tables == *first).count();
        &self.aspects[..count]
    }

    /// The machine that is soon made, if there is room for that, also where it is made already. What it takes is held from
    /// then on.
    pub(crate) fn quick_machine(&self, hold: &mut Hold) -> ControlFlow<Stop, &Machine> {
        self.machine(&self.quick, Machine::quick, hold)
    }

    /// The machine for a search that has expanded so many states, whatever searches came before it: a better one, if it is
    /// worth its time and there is room for it.
    pub(crate) fn better_machine(&self, expanded: u64, hold: &mut Hold) -> Option<&Machine> {
        // From here on, the better machine wins back the time that it takes to make.
        const MUCH: u64 = 2_000_000;
        (expanded >= MUCH).then(|| self.machine(&self.deep, Machine::deep, hold).continue_value()).flatten()
    }

    fn machine<'a>(
        &self,
        kept: &'a OnceLock<Made>,
        make: fn(Topology, &mut Hold) -> ControlFlow<Stop, Machine>,
        hold: &mut Hold,
    ) -> ControlFlow<Stop, &'a Machine> {
        // Who comes while it is made waits for it, rather than make another.
        let _making = self.making.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(Made { machine, making }) = kept.get() {
            // A search finds what it finds wherever it comes first.
            hold.more(*making)?;
            hold.less(making - machine.bytes());
            return Continue(machine);
        }
        let before = hold.bytes();
        hold.forget_peak();
        let machine = make(self.topology, hold);
        hold.less(hold.bytes() - before);
        let machine = machine?;
        hold.more(machine.bytes())?;
        let making = hold.peak() - before;
        Continue(&kept.get_or_init(|| Made { machine, making }).machine)
    }
}

/// The ways to look a board up in tables of these patterns, one partition's after the other's: for each, which of the
/// patterns, and the cell in which it sees each cell. The first one sees the board as it is.
pub fn outlooks(patterns: &[Pattern]) -> Result<Vec<Outlook>, TablesError> {
    let aspects = aspects(&patterns.iter().collect::<Vec<_>>())?;
    let cells = patterns[0].topology().cells();
    let outlook = |Aspect { tables, symmetry }: Aspect| Outlook {
        patterns: tables,
        image: (0..cells).map(|cell| symmetry.of(cell) as u8).collect(),
    };
    Ok(aspects.into_iter().map(outlook).collect())
}

/// One way to look a board up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outlook {
    /// The patterns of one partition.
    pub patterns: Range<usize>,
    /// Where each cell is seen.
    pub image: Vec<u8>,
}

fn aspects(patterns: &[&Pattern]) -> Result<Vec<Aspect>, TablesError> {
    let first = patterns.first().ok_or(TablesError::None)?;
    let (topology, blank) = (first.topology(), first.blank());
    if patterns.iter().any(|pattern| pattern.topology() != topology || pattern.blank() != blank) {
        return Err(TablesError::Mixed);
    }
    let partitions = partitions(patterns, ((1_u64 << topology.cells()) - 1) & !(1 << blank))?;
    Ok(useful_aspects(&stabiliser(topology, blank), patterns, &partitions))
}

/// Where each partition's tables are, when they have all these tiles.
fn partitions(tables: &[&Pattern], tiles: u64) -> Result<Vec<Range<usize>>, TablesError> {
    let mut partitions = Vec::new();
    let (mut start, mut seen) = (0, 0);
    for (index, table) in tables.iter().enumerate() {
        if seen & table.mask() != 0 {
            return Err(TablesError::Overlap);
        }
        seen |= table.mask();
        if index - start >= MAX_GROUPS {
            return Err(TablesError::TooMany { found: index - start + 1 });
        }
        if seen == tiles {
            partitions.push(start..index + 1);
            (start, seen) = (index + 1, 0);
        }
    }
    if seen != 0 {
        return Err(TablesError::Missing { found: seen.count_ones(), expected: tiles.count_ones() });
    }
    Ok(partitions)
}

/// Those aspects that look at other tables' entries than those before them, a few of each partition.
fn useful_aspects(symmetries: &[Symmetry], tables: &[&Pattern], partitions: &[Range<usize>]) -> Vec<Aspect> {
    let mut known: Vec<Vec<u64>> = Vec::new();
    let mut aspects = Vec::new();
    for partition in partitions {
        let before = aspects.len();
        for symmetry in symmetries {
            let image = |table: &&Pattern| {
                table.tiles().iter().fold(0_u64, |mask, &tile| mask | 1 << symmetry.of(usize::from(tile)))
            };
            let mut masks: Vec<u64> = tables[partition.clone()].iter().map(image).collect();
            masks.sort_unstable();
            if !known.contains(&masks) {
                known.push(masks);
                aspects.push(Aspect { tables: partition.clone(), symmetry: symmetry.clone() });
            }
        }
        aspects.truncate(before + MAX_VIEWS);
    }
    aspects
}

/// Why tables do not add up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TablesError {
    /// There are none.
    #[error("found no table, expected at least one")]
    None,
    /// There are too many.
    #[error("found {found} tables, expected at most {MAX_GROUPS}")]
    TooMany {
        /// How many.
        found: usize,
    },
    /// They are for different boards or blank cells.
    #[error("found tables for different boards or blank cells, expected one board and one blank cell")]
    Mixed,
    /// A tile is in two patterns of a partition, so that its moves would count twice.
    #[error("found a tile in two patterns, expected patterns that share none")]
    Overlap,
    /// Some tiles are in no pattern.
    #[error("found {found} tiles in the patterns, expected all {expected} of the board")]
    Missing {
        /// Tiles in a pattern.
        found: u32,
        /// Tiles of the board.
        expected: u32,
    },
}

/// A puzzle turned into its normal form. A tile is named by its goal cell, the blank by its own.
#[derive(Debug)]
pub struct Turned {
    /// What lies in each cell.
    pub board: Vec<u8>,
    /// The cell of the puzzle that each cell of the normal form stands for.
    pub origins: Vec<u8>,
}

impl Turned {
    /// Turns a puzzle.
    pub fn new(puzzle: &Puzzle) -> Self {
        let symmetry = to_normal_form(puzzle.topology(), puzzle.goal().blank());
        let mut home = vec![0; puzzle.size().cells()];
        for (cell, &tile) in puzzle.goal().tiles().iter().enumerate() {
            home[usize::from(tile)] = symmetry.of(cell) as u8;
        }
        let mut board = vec![0; home.len()];
        for (cell, &tile) in puzzle.start().tiles().iter().enumerate() {
            board[symmetry.of(cell)] = home[usize::from(tile)];
        }
        Self { board, origins: symmetry.origins() }
    }
}

/// The board and blank cell in normal form that serve a puzzle.
pub fn normal_form(puzzle: &Puzzle) -> (Topology, usize) {
    normal_form_of(puzzle.topology(), puzzle.goal().blank())
}

/// The normal form of a board and its goal's blank cell.
pub fn normal_form_of(topology: Topology, blank: usize) -> (Topology, usize) {
    let symmetry = to_normal_form(topology, blank);
    (symmetry.topology(), symmetry.of(blank))
}

#[cfg(test)]
mod tests {
    use pintu_search::Control;

    use super::*;
    use crate::tables::SharedRows;
    use pintu_tiles::Size;

    fn tables(groups: &[&[u8]]) -> Result<Tables, TablesError> {
        let topology = Topology::plain(Size::new(2, 3).unwrap());
        let rows = SharedRows::new();
        let table = |tiles: &&[u8]| {
            let pattern = Pattern::new(topology, 0, tiles).unwrap();
            Table::build(&pattern, &rows, 1, &Control::unlimited(), &mut |_| ()).continue_value().unwrap()
        };
        Tables::new(groups.iter().map(table).collect())
    }

    #[test]
    fn each_partition_has_every_tile_once() {
        let of_two = tables(&[&[1, 2], &[3, 4, 5], &[5], &[1, 4], &[2, 3]]).unwrap();
        let ranges: Vec<_> = of_two.aspects().iter().map(|aspect| aspect.tables.clone()).collect();
        assert_eq!(ranges, [0..2, 2..5], "nothing but the identity keeps the blank of 2×3 in its corner");
        assert_eq!(of_two.first_aspects().len(), 1);
        assert_eq!(tables(&[&[1, 2], &[2, 3, 4, 5]]).unwrap_err(), TablesError::Overlap);
        assert_eq!(tables(&[&[1, 2], &[3, 4, 5], &[1]]).unwrap_err(), TablesError::Missing { found: 1, expected: 5 });
        assert_eq!(tables(&[]).unwrap_err(), TablesError::None);
    }

    #[test]
    fn a_table_that_partitions_share_counts_once() {
        let once = tables(&[&[1, 2], &[3], &[4, 5]]).unwrap();
        let shared = tables(&[&[1, 2], &[3], &[4, 5], &[1, 2], &[3, 4, 5]]).unwrap();
        let more = tables(&[&[3, 4, 5], &[1, 2]]).unwrap();
        assert_eq!(shared.each_once().count(), 4);
        let bytes = |tables: &Tables, at: usize| tables.tables()[at].bytes();
        assert_eq!(shared.bytes(), once.bytes() + bytes(&more, 0));
    }
}

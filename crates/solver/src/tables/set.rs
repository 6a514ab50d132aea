use std::{
    ops::Range,
    sync::{
        Arc, Mutex, OnceLock, PoisonError,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
};

use pintu_search::{Control, Hold, Stop};
use pintu_tiles::{Puzzle, Topology};

use super::{
    Key, Pattern, PatternError, SharedRows, Table, name_of,
    symmetry::{Symmetry, stabiliser, to_normal_form},
};
use crate::pruning::{Automaton, DEEP_DEPTH, QUICK_DEPTH};

/// A table set: tables of one or several partitions of the tiles, and their views.
///
/// The tables belong to a board and a blank cell in normal form: one that stands for all its rotations and
/// reflections. Every goal with that blank cell is a relabelling of the tiles.
#[derive(Debug)]
pub struct Tables {
    topology: Topology,
    blank: usize,
    all: Vec<Table>,
    views: Vec<View>,
    quick: OnceLock<Made>,
    deep: OnceLock<Made>,
    /// Locked while an automaton is made.
    making: Mutex<()>,
    /// The number of [`Charged`] that hold the tables' bytes for all searches.
    charged: AtomicUsize,
}

/// Tables whose bytes are held for all searches at once: until this is dropped, searches that look at them need not.
#[derive(Debug)]
pub struct Charged {
    tables: Arc<Tables>,
    _hold: Hold,
}

impl Drop for Charged {
    fn drop(&mut self) {
        self.tables.charged.fetch_sub(1, Relaxed);
    }
}

/// An automaton, and the bytes that making it took at its peak.
#[derive(Debug)]
struct Made {
    automaton: Automaton,
    making: u64,
}

/// The most tables of a partition: a power of two, so that no index needs a check.
pub(crate) const MAX_PATTERNS: usize = 32;
/// More views at once cost more than they save.
pub(crate) const MAX_VIEWS: usize = 4;
/// The most pairs of a view and a table.
pub(crate) const MAX_GROUPS: usize = MAX_VIEWS * MAX_PATTERNS;

impl Tables {
    /// Puts tables together: those of one partition of the tiles, or of several, one after the other.
    ///
    /// # Panics
    /// If they are for different boards, or some tile is not in exactly one table of each partition.
    pub fn new(tables: Vec<Table>) -> Self {
        let patterns: Vec<Pattern> = tables.iter().map(|table| table.pattern().clone()).collect();
        Self {
            topology: patterns[0].topology(),
            blank: patterns[0].blank(),
            all: tables,
            views: views(&patterns),
            quick: OnceLock::new(),
            deep: OnceLock::new(),
            making: Mutex::new(()),
            charged: AtomicUsize::new(0),
        }
    }

    /// Builds a table set on `threads` threads, unless the control ends the build.
    pub fn build(key: Key, threads: usize, control: &Control) -> Result<Self, BuildError> {
        Ok(Self::of_patterns(&key.patterns()?, threads, control)?)
    }

    /// Builds the tables of these patterns, which must make up partitions of the tiles, one after the other.
    pub fn of_patterns(patterns: &[Pattern], threads: usize, control: &Control) -> Result<Self, Stop> {
        let rows = SharedRows::new();
        // Tables that are complete, while others are built.
        let mut hold = control.hold();
        let tables = for_each_once(patterns, |pattern| {
            let table = Table::build(pattern, &rows, threads, control, &mut |_| ())?;
            hold.more(table.bytes())?;
            Ok(table)
        })?;
        Ok(Self::new(tables))
    }

    /// The board they are for.
    pub fn topology(&self) -> Topology {
        self.topology
    }

    /// The blank's goal cell on it.
    pub fn blank(&self) -> usize {
        self.blank
    }

    /// A hash that names them: of their patterns, and of this crate's version.
    pub fn name(&self) -> u64 {
        name_of(self.all.iter().map(Table::pattern))
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

    /// Holds their bytes once for all searches.
    pub fn charge(self: &Arc<Self>, control: &Control) -> Result<Charged, Stop> {
        let mut hold = control.hold();
        hold.more(self.bytes())?;
        self.charged.fetch_add(1, Relaxed);
        Ok(Charged { tables: Arc::clone(self), _hold: hold })
    }

    /// The bytes that a search on these tables must hold: none, if they are [charged](Self::charge).
    pub fn uncharged_bytes(&self) -> u64 {
        if self.charged.load(Relaxed) > 0 { 0 } else { self.bytes() }
    }

    /// The bytes of the tables and of the automata that searches have made for them.
    pub fn cached_bytes(&self) -> u64 {
        let made = [&self.quick, &self.deep].into_iter().filter_map(OnceLock::get);
        self.bytes() + made.map(|made| made.making).sum::<u64>()
    }

    /// Whether these tables serve a puzzle's board and goal.
    pub fn serve(&self, puzzle: &Puzzle) -> bool {
        normal_form_of(puzzle.topology(), puzzle.goal().blank()) == (self.topology, self.blank)
    }

    /// The views, one partition's after the other's. The first is the identity's.
    pub(crate) fn views(&self) -> &[View] {
        &self.views
    }

    /// The views of the first partition, which serves most boards well.
    pub(crate) fn first_views(&self) -> &[View] {
        let first = &self.views[0].patterns;
        let count = self.views.iter().take_while(|view| view.patterns == *first).count();
        &self.views[..count]
    }

    /// The automaton that is made in milliseconds, if there is memory for making it (asked for even if it is made already,
    /// so that searches do not depend on earlier ones). Its bytes are held from then on.
    pub(crate) fn quick_automaton(&self, hold: &mut Hold) -> Result<&Automaton, Stop> {
        self.automaton(&self.quick, QUICK_DEPTH, hold)
    }

    /// The automaton that prunes more, for a search that has expanded enough states to win back the time of making it, if
    /// there is memory for that.
    pub(crate) fn deep_automaton(&self, expanded: u64, hold: &mut Hold) -> Option<&Automaton> {
        const MIN_EXPANDED: u64 = 2_000_000;
        (expanded >= MIN_EXPANDED).then(|| self.automaton(&self.deep, DEEP_DEPTH, hold).ok()).flatten()
    }

    fn automaton<'a>(&self, cached: &'a OnceLock<Made>, depth: usize, hold: &mut Hold) -> Result<&'a Automaton, Stop> {
        // A second thread waits for the first one's automaton instead of making another.
        let _making = self.making.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(Made { automaton, making }) = cached.get() {
            // The same request as when it was made, so that a memory limit has the same effect.
            hold.more(*making)?;
            hold.less(making - automaton.bytes());
            return Ok(automaton);
        }
        let before = hold.bytes();
        hold.forget_peak();
        let automaton = Automaton::with_depth(self.topology, depth, hold);
        hold.less(hold.bytes() - before);
        let automaton = automaton?;
        hold.more(automaton.bytes())?;
        let making = hold.peak() - before;
        Ok(&cached.get_or_init(|| Made { automaton, making }).automaton)
    }
}

/// A partition looked up under a symmetry of the board and the goal's blank cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// The partition's tables, or patterns.
    pub patterns: Range<usize>,
    /// The cell that stands for each cell of the board.
    pub image: Box<[u8]>,
}

/// A value for each pattern, made once for equal patterns: partitions may share some.
pub fn for_each_once<T: Clone, E>(
    patterns: &[Pattern],
    mut make: impl FnMut(&Pattern) -> Result<T, E>,
) -> Result<Vec<T>, E> {
    let mut values: Vec<T> = Vec::with_capacity(patterns.len());
    for (at, pattern) in patterns.iter().enumerate() {
        let known = patterns[..at].iter().position(|other| other == pattern);
        values.push(match known {
            Some(known) => values[known].clone(),
            None => make(pattern)?,
        });
    }
    Ok(values)
}

/// The views of tables of these patterns, one partition's after the other's. The first is the identity's.
///
/// # Panics
/// If the patterns are not those of partitions of one board's tiles.
pub fn views(patterns: &[Pattern]) -> Vec<View> {
    let (topology, blank) = (patterns[0].topology(), patterns[0].blank());
    let is_same = |pattern: &Pattern| (pattern.topology(), pattern.blank()) == (topology, blank);
    assert!(patterns.iter().all(is_same), "patterns of different boards or blank cells");
    let partitions = partitions(patterns, ((1_u64 << topology.cells()) - 1) & !(1 << blank));
    useful_views(&stabiliser(topology, blank), patterns, &partitions)
}

/// The range of each partition's patterns; each partition has all of `tiles`.
fn partitions(patterns: &[Pattern], tiles: u64) -> Vec<Range<usize>> {
    let mut partitions = Vec::new();
    let (mut start, mut seen) = (0, 0);
    for (index, pattern) in patterns.iter().enumerate() {
        assert!(seen & pattern.mask() == 0, "a tile is in two patterns of a partition");
        seen |= pattern.mask();
        if seen == tiles {
            assert!(index - start < MAX_PATTERNS, "too many patterns in a partition");
            partitions.push(start..index + 1);
            (start, seen) = (index + 1, 0);
        }
    }
    assert!(seen == 0, "a tile is in no pattern of the last partition");
    partitions
}

/// The views that look up other entries than those before them, at most [`MAX_VIEWS`] of each partition.
fn useful_views(symmetries: &[Symmetry], patterns: &[Pattern], partitions: &[Range<usize>]) -> Vec<View> {
    let mut known: Vec<Vec<u64>> = Vec::new();
    let mut views = Vec::new();
    for partition in partitions {
        let before = views.len();
        for symmetry in symmetries {
            let image = |pattern: &Pattern| {
                pattern.tiles().iter().fold(0_u64, |mask, &tile| mask | 1 << symmetry.of(usize::from(tile)))
            };
            let mut masks: Vec<u64> = patterns[partition.clone()].iter().map(image).collect();
            masks.sort_unstable();
            if !known.contains(&masks) {
                known.push(masks);
                let image = (0..symmetry.topology.cells()).map(|cell| symmetry.of(cell) as u8).collect();
                views.push(View { patterns: partition.clone(), image });
            }
        }
        views.truncate(before + MAX_VIEWS);
    }
    views
}

/// Why a table set was not built.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BuildError {
    /// The board has no such tables.
    #[error(transparent)]
    Pattern(#[from] PatternError),
    /// A limit or cancellation ended the build.
    #[error("the build was stopped: {0}")]
    Stopped(#[from] Stop),
}

/// A puzzle in normal form. A tile is named by its goal cell, the blank by its own.
#[derive(Debug)]
pub struct NormalForm {
    /// The tile in each cell.
    pub board: Vec<u8>,
    /// The cell of the puzzle that each cell of the normal form stands for.
    pub origins: Vec<u8>,
}

impl NormalForm {
    /// The normal form of a puzzle.
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

/// The normal form of a board and its goal's blank cell.
pub fn normal_form_of(topology: Topology, blank: usize) -> (Topology, usize) {
    let symmetry = to_normal_form(topology, blank);
    (symmetry.topology, symmetry.of(blank))
}

#[cfg(test)]
mod tests {
    use std::panic::catch_unwind;

    use pintu_tiles::Size;

    use super::*;

    fn tables(groups: &[&[u8]]) -> Tables {
        let topology = Topology::plain(Size::new(2, 3).unwrap());
        let patterns: Vec<Pattern> = groups.iter().map(|tiles| Pattern::new(topology, 0, tiles).unwrap()).collect();
        Tables::of_patterns(&patterns, 1, &Control::unlimited()).unwrap()
    }

    #[test]
    fn each_partition_has_every_tile_once() {
        let of_two = tables(&[&[1, 2], &[3, 4, 5], &[5], &[1, 4], &[2, 3]]);
        let ranges: Vec<_> = of_two.views().iter().map(|view| view.patterns.clone()).collect();
        assert_eq!(ranges, [0..2, 2..5], "nothing but the identity keeps the blank of 2×3 in its corner");
        assert_eq!(of_two.first_views().len(), 1);
        for bad in [&[&[1_u8, 2] as &[u8], &[2, 3, 4, 5]] as &[&[u8]], &[&[1, 2], &[3, 4, 5], &[1]], &[]] {
            assert!(catch_unwind(|| tables(bad)).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn a_table_that_partitions_share_counts_once() {
        let once = tables(&[&[1, 2], &[3], &[4, 5]]);
        let shared = tables(&[&[1, 2], &[3], &[4, 5], &[1, 2], &[3, 4, 5]]);
        let more = tables(&[&[3, 4, 5], &[1, 2]]);
        assert_eq!(shared.each_once().count(), 4);
        assert_eq!(shared.bytes(), once.bytes() + more.tables()[0].bytes());
    }
}

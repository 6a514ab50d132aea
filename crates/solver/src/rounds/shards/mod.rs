//! A proof in rounds that are divided into shards, for many machines.
//!
//! [`Proof::begin`] makes the short rounds. [`Proof::split`] grows the frontier of the next one and deals its open states
//! out to shards. [`search_shard`] searches a shard as far as the bound, on any machine that has the same tables, and
//! [`Proof::merge`] puts the results together; between rounds a proof can be kept as bytes. Each subtree is searched by
//! itself, so a round that finds no solution expands the same states however it is divided. A round that finds one counts
//! the shards before the first that has one, and that one as far as it went: what one machine counts that searches the
//! shards in order.

mod format;
mod search;
#[cfg(test)]
mod tests;

use pintu_search::{Control, Counters, Limits, Stop};
use pintu_tiles::{Kind, Moves, Puzzle, Unsolvable};
use xxhash_rust::xxh3::Xxh3;

pub use self::search::search_shard;
use self::{
    format::{Subtrees, puzzle_bytes},
    search::Splitting,
};
use super::{
    COMPARED_AT_NODES, best_pair,
    deepening::{Go, NODES_FOR_LARGE, Reached, frontier_states},
};
use crate::{
    solved::BestKnown,
    tables::Tables,
    views::{Layout, Options, search, with_task},
};

/// A search for a puzzle's optimum, between two rounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    puzzle: Puzzle,
    name: Name,
    /// The views that suit the puzzle best, where there is a choice.
    views: Option<[u8; 2]>,
    known: BestKnown,
    reached: Reached,
    /// The rounds that are over.
    searched: Counters,
    /// The frontier of the last split.
    grown: Counters,
    shards: u32,
}

/// A part of a round: subtrees below states that A* has left open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shard {
    puzzle: Puzzle,
    name: Name,
    number: u32,
    of: u32,
    views: Option<[u8; 2]>,
    /// Whether the automaton is the one that prunes more.
    is_deep: bool,
    half: Option<Half>,
    subtrees: Subtrees,
}

/// Hashes of the tables that a shard was made for, and of the split that it is a part of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Name {
    tables: u64,
    split: u64,
}

/// The searched part of a shard that was stopped. The rest of it is good for this bound alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Half {
    bound: u32,
    beyond: u32,
    expanded: u64,
    generated: u64,
}

impl Default for Half {
    fn default() -> Self {
        Self { bound: 0, beyond: u32::MAX, expanded: 0, generated: 0 }
    }
}

/// The result of a shard in a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShardRound {
    /// The hash that names the split.
    pub split: u64,
    /// The shard's number in it, from 0.
    pub number: u32,
    /// The round's bound.
    pub bound: u32,
    /// The states expanded, of the whole shard.
    pub expanded: u64,
    /// The states generated, of the whole shard.
    pub generated: u64,
    /// The least bound at which the shard has more to search; `None` if it has none.
    pub beyond: Option<u32>,
    /// A solution as long as the bound.
    pub moves: Option<Moves>,
    /// If a limit or cancellation ended the search: why, and what is left to be searched.
    pub rest: Option<(Stop, Box<Shard>)>,
}

/// Why a shard is not searched or a result not taken.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ShardError {
    /// The bytes are no shard and no proof.
    #[error("found damaged bytes, expected a shard or a proof of this version")]
    Damaged,
    /// The tables are not those it was made for.
    #[error("found tables named {found:016x}, expected {expected:016x}, for which the shard was made")]
    Tables {
        /// The name of the tables.
        found: u64,
        /// The name in the shard.
        expected: u64,
    },
    /// It was stopped in a round with another bound.
    #[error("found the bound {found} for the rest of a shard, expected {expected}, with which it was begun")]
    Bound {
        /// The bound that was given.
        found: u32,
        /// The bound of the round in which it was stopped.
        expected: u32,
    },
    /// The result belongs to another split or round.
    #[error("found the result of shard {0} of another split or bound")]
    Foreign(u32),
    /// A shard has no result, or is not searched to its end.
    #[error("found no complete result of shard {0}, expected one")]
    Missing(u32),
    /// A shard has two results.
    #[error("found two results of shard {0}, expected one")]
    Twice(u32),
}

/// Why a proof was not begun or not split.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProofError {
    /// The puzzle has no solution.
    #[error(transparent)]
    Unsolvable(#[from] Unsolvable),
    /// A board without a choice of moves has nothing to be searched.
    #[error("found a board on which tiles only slide along a line or ring, expected one with rows and columns")]
    Line,
    /// The tables belong to another board or goal.
    #[error("found tables of another board or blank cell")]
    Tables,
    /// A limit or cancellation ended it.
    #[error("the search was stopped: {0}")]
    Stopped(#[from] Stop),
}

/// The fewest states of a frontier: shards are alike if each has many subtrees. It does not depend on the number of shards,
/// so neither does what is searched. In tests few, so that short searches are split in the middle.
const MIN_FRONTIER: usize = 1 << if cfg!(test) { 8 } else { 14 };

impl Proof {
    /// Makes the short rounds, and chooses among the tables' views. `known` is the incumbent: only shorter solutions are looked
    /// for.
    ///
    /// # Panics
    /// If the incumbent does not solve the puzzle.
    pub fn begin(puzzle: &Puzzle, tables: &Tables, known: BestKnown, control: &Control) -> Result<Self, ProofError> {
        puzzle.solvable()?;
        if matches!(puzzle.topology().kind(), Kind::Line | Kind::Ring) {
            return Err(ProofError::Line);
        }
        if !tables.serve(puzzle) {
            return Err(ProofError::Tables);
        }
        assert!(
            known.moves().is_none_or(|moves| puzzle.is_solved_by(moves)),
            "the incumbent does not solve the puzzle"
        );
        let part = control.part(Limits::default());
        let mut proof = Self {
            puzzle: puzzle.clone(),
            name: Name { tables: tables.name(), split: 0 },
            views: None,
            known,
            reached: Reached::default(),
            searched: Counters::default(),
            grown: Counters::default(),
            shards: 0,
        };
        let options = Options { threads: 1, known: proof.known.length() };
        let found = search(puzzle, tables, &part, &options, |task| {
            let start = Reached { bound: task.least(), ..Reached::default() };
            let (begun, reached) = task.run(Go::On { from: start, most: COMPARED_AT_NODES });
            proof.reached = reached;
            if begun.known.moves().is_none() && !task.control.is_over() && !task.is_known(reached.bound) {
                proof.views = best_pair(task, &mut proof.reached).map(|pair| pair.map(|view| view as u8));
            }
            begun
        });
        if let Some(why) = found.stopped {
            return Err(why.into());
        }
        let bound = proof.reached.bound;
        if let Some(moves) = found.known.into_moves() {
            proof.known.offer(moves);
        }
        proof.raise(bound);
        proof.searched = part.counters();
        Ok(proof)
    }

    /// Divides the next round into about `shards` shards, fewer if there is little to divide, none if the proof [is
    /// over](Self::is_over). The frontier grows with the expansions so far, so it costs little besides the round.
    pub fn split(&mut self, tables: &Tables, shards: usize, control: &Control) -> Result<Vec<Shard>, ProofError> {
        if self.is_over() {
            return Ok(Vec::new());
        }
        if tables.name() != self.name.tables {
            return Err(ProofError::Tables);
        }
        let expanded = self.counters().expanded;
        let part = control.part(Limits::default());
        let options = Options { threads: 1, known: None };
        let most = frontier_states(expanded, 1).max(MIN_FRONTIER);
        let views = self.views;
        let (ended, roots) = with_task(&self.puzzle, tables, &part, &options, |task| match views {
            None => task.run(Splitting { most }),
            Some(pair) => {
                let layout = Layout::new(tables, pair.map(|view| &tables.views()[usize::from(view)]));
                crate::views::Task { rounds: &layout, ..task }.run(Splitting { most })
            }
        })
        .map_err(|(why, _)| why)?;
        self.grown = part.counters();
        if let Some(moves) = ended? {
            let length = moves.len() as u32;
            self.known.offer(moves);
            self.raise(length);
            return Ok(Vec::new());
        }
        Ok(self.deal(&roots, shards, expanded >= NODES_FOR_LARGE))
    }

    /// Deals subtrees out in turn: neighbours in the order are similar, so shards take about as long as each other.
    fn deal(&mut self, roots: &Subtrees, shards: usize, is_deep: bool) -> Vec<Shard> {
        let of = shards.clamp(1, roots.count.max(1));
        let mut hash = Xxh3::new();
        hash.update(&puzzle_bytes(&self.puzzle));
        hash.update(&self.name.tables.to_le_bytes());
        hash.update(&(of as u64).to_le_bytes());
        hash.update(&[u8::from(is_deep)]);
        hash.update(&roots.bytes);
        self.name.split = hash.digest();
        self.shards = of as u32;
        let mut dealt: Vec<Subtrees> = (0..of).map(|_| Subtrees::new(roots.groups)).collect();
        for (at, root) in roots.iter().enumerate() {
            dealt[at % of].copy(&root);
        }
        let shard = |(number, subtrees)| Shard {
            puzzle: self.puzzle.clone(),
            name: self.name,
            number,
            of: self.shards,
            views: self.views,
            is_deep,
            half: None,
            subtrees,
        };
        (0..).zip(dealt).map(shard).collect()
    }

    /// Takes the results of a round: of all shards, or of all up to the first with a solution; those after it do not count.
    /// If they are refused, nothing has changed.
    pub fn merge(&mut self, results: &[ShardRound]) -> Result<(), ShardError> {
        if self.shards == 0 {
            // Nothing was split: no results prove nothing.
            return Err(ShardError::Missing(0));
        }
        let mut in_order: Vec<Option<&ShardRound>> = vec![None; self.shards as usize];
        for result in results {
            let slot = in_order.get_mut(result.number as usize);
            let is_ours = result.split == self.name.split && result.bound == self.bound();
            let slot = slot.filter(|_| is_ours).ok_or(ShardError::Foreign(result.number))?;
            if slot.replace(result).is_some() {
                return Err(ShardError::Twice(result.number));
            }
        }
        let mut round = Counters::default();
        let (mut beyond, mut found) = (u32::MAX, None);
        for (number, result) in (0..).zip(in_order) {
            let result = result.filter(|result| result.rest.is_none()).ok_or(ShardError::Missing(number))?;
            round.expanded += result.expanded;
            round.generated += result.generated;
            beyond = beyond.min(result.beyond.unwrap_or(u32::MAX));
            found = result.moves.as_ref();
            if let Some(moves) = found {
                if !self.puzzle.is_solved_by(moves) {
                    return Err(ShardError::Foreign(number));
                }
                break;
            }
        }
        self.searched.expanded += round.expanded;
        self.searched.generated += round.generated;
        self.reached.last = self.reached.bound;
        self.reached.sizes = [self.reached.sizes[1], round.expanded];
        match found {
            Some(moves) => {
                self.known.offer(moves.clone());
            }
            None => self.raise(beyond),
        }
        // The split's results cannot be taken twice.
        self.shards = 0;
        Ok(())
    }

    /// Raises the bound, but not above the incumbent, which it proves then.
    fn raise(&mut self, bound: u32) {
        let bound = self.known.length().map_or(bound, |known| known.min(bound));
        self.reached.bound = self.reached.bound.max(bound);
        self.known.raise(bound);
    }

    /// The puzzle.
    pub fn puzzle(&self) -> &Puzzle {
        &self.puzzle
    }

    /// The next round's bound: no solution is shorter.
    pub fn bound(&self) -> u32 {
        self.reached.bound
    }

    /// The shortest solution and the highest bound.
    pub fn known(&self) -> &BestKnown {
        &self.known
    }

    /// Whether the shortest solution is found and proved.
    pub fn is_over(&self) -> bool {
        self.known.is_proved()
    }

    /// The states of all rounds that are over, and of the frontier, which counts once; the most states and bytes held at once
    /// outside the shards.
    pub fn counters(&self) -> Counters {
        let mut sum = self.searched;
        sum.expanded += self.grown.expanded;
        sum.generated += self.grown.generated;
        sum.peak_states = sum.peak_states.max(self.grown.peak_states);
        sum.peak_bytes = sum.peak_bytes.max(self.grown.peak_bytes);
        sum
    }

    /// The hash that names the tables.
    pub fn tables_name(&self) -> u64 {
        self.name.tables
    }
}

impl Shard {
    /// The puzzle.
    pub fn puzzle(&self) -> &Puzzle {
        &self.puzzle
    }

    /// The hash that names the tables it was made for.
    pub fn tables_name(&self) -> u64 {
        self.name.tables
    }

    /// The hash that names the split it is a part of.
    pub fn split_name(&self) -> u64 {
        self.name.split
    }

    /// Its number, from 0, and the number of shards.
    pub fn number(&self) -> (u32, u32) {
        (self.number, self.of)
    }

    /// The number of its subtrees.
    pub fn subtrees(&self) -> usize {
        self.subtrees.count
    }

    /// The bound of the round in which it was stopped, if this is the rest of a shard.
    pub fn begun_with(&self) -> Option<u32> {
        self.half.map(|half| half.bound)
    }
}

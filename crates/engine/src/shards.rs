//! Proofs in shards, with tables from the store.

use std::sync::Arc;

use pintu_search::Control;
use pintu_solver::{
    BestKnown, Tables,
    internals::shards::{Proof, ProofError, Shard, ShardError, ShardRound, search_shard},
    store::{BuildError, Extent, Key, PatternError, TableSource},
};
use pintu_tiles::{Moves, Puzzle};

use crate::tables::Store;

/// Why a proof or a shard was not searched.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ShardsError {
    #[error(transparent)]
    Proof(#[from] ProofError),
    #[error(transparent)]
    Shard(#[from] ShardError),
    #[error(transparent)]
    Build(#[from] BuildError),
    #[error("found a known solution of {0} moves that does not solve the board, expected one that does")]
    Incumbent(usize),
}

impl From<PatternError> for ShardsError {
    fn from(error: PatternError) -> Self {
        Self::Build(error.into())
    }
}

/// Begins a proof on tables of an extent, or on the large ones if the store has them and else the small ones. Missing
/// tables are built on `threads` threads.
pub fn begin(
    puzzle: &Puzzle,
    extent: Option<Extent>,
    known: Option<Moves>,
    store: &Store,
    threads: usize,
    control: &Control,
) -> Result<Proof, ShardsError> {
    let large = Key::of(puzzle, Extent::Large);
    let has_large = || store.readable(large).is_some();
    let extent = extent.unwrap_or_else(|| if has_large() { Extent::Large } else { Extent::Small });
    puzzle.solvable().map_err(ProofError::from)?;
    let mut incumbent = BestKnown::default();
    if let Some(moves) = known {
        if !puzzle.is_solved_by(&moves) {
            return Err(ShardsError::Incumbent(moves.len()));
        }
        incumbent.offer(moves);
    }
    let tables = store.make(Key { extent, ..large }, threads, control)?;
    Ok(Proof::begin(puzzle, &tables, incumbent, control)?)
}

/// Divides the next round of a proof.
pub fn split(proof: &mut Proof, shards: usize, store: &Store, control: &Control) -> Result<Vec<Shard>, ShardsError> {
    let tables = tables_named(proof.puzzle(), proof.tables_name(), store, control)?;
    Ok(proof.split(&tables, shards, control)?)
}

/// Searches a shard on the tables that it was made for: the store finds or makes them.
pub fn search(shard: &Shard, bound: u32, store: &Store, control: &Control) -> Result<ShardRound, ShardsError> {
    let tables = tables_named(shard.puzzle(), shard.tables_name(), store, control)?;
    Ok(search_shard(shard, &tables, bound, control)?)
}

/// The extent of the tables that a shard was made for.
pub fn extent_of(shard: &Shard) -> Result<Extent, ShardsError> {
    Ok(key_named(shard.puzzle(), shard.tables_name())?.extent)
}

fn tables_named(puzzle: &Puzzle, name: u64, store: &Store, control: &Control) -> Result<Arc<Tables>, ShardsError> {
    Ok(store.make(key_named(puzzle, name)?, 1, control)?)
}

fn key_named(puzzle: &Puzzle, name: u64) -> Result<Key, ShardsError> {
    let mut found = 0;
    for extent in Extent::ALL {
        let key = Key::of(puzzle, extent);
        found = key.name()?;
        if found == name {
            return Ok(key);
        }
    }
    Err(ShardError::Tables { found, expected: name }.into())
}

#[cfg(test)]
mod tests {
    use pintu_tiles::read_board;

    use super::*;

    #[test]
    fn a_proof_in_shards_finds_its_tables_again() {
        let board = read_board("5 1 3 4 2 0 7 8 10 6 11 12 9 13 14 15", None).unwrap();
        let puzzle = Puzzle::standard(board);
        let (store, control) = (Store::in_memory(), Control::unlimited());
        let mut proof = begin(&puzzle, None, None, &store, 2, &control).unwrap();
        while !proof.is_over() {
            let bound = proof.bound();
            let shards = split(&mut proof, 2, &store, &control).unwrap();
            assert!(shards.iter().all(|shard| extent_of(shard) == Ok(Extent::Small)));
            let searched = shards.iter().map(|shard| search(shard, bound, &Store::in_memory(), &control));
            let results = searched.collect::<Result<Vec<_>, _>>().unwrap();
            if !results.is_empty() {
                proof.merge(&results).unwrap();
            }
        }
        let found = crate::solve(&crate::Request::new(puzzle.clone(), crate::Algorithm::Auto), &control).unwrap();
        assert_eq!(proof.known().length(), found.moves().map(|moves| moves.len() as u32));
        let wrong = begin(&puzzle, Some(Extent::Small), Some(Moves::default()), &store, 1, &control);
        assert_eq!(wrong.unwrap_err(), ShardsError::Incumbent(0));
    }
}

//! Shards, and proofs between their rounds, as bytes. All numbers are little-endian; a checksum of everything before it
//! comes last.
//!
//! A subtree is the number of its moves, how many of them the move-pruning automaton has seen, the estimates of its tables,
//! and the moves from the start, four in a byte.

use pintu_search::Counters;
use pintu_tiles::{Arrangement, Direction, Moves, Puzzle, Size, Topology};
use xxhash_rust::xxh3::xxh3_64;

use super::{Half, Name, Proof, Reached, Shard, ShardError};
use crate::solved::BestKnown;

const MAGIC: &[u8; 8] = b"PINTUSH\x01";
const PROOF_MAGIC: &[u8; 8] = b"PINTUPR\x01";

/// Subtrees, one after the other, each with its path from the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Subtrees {
    /// Estimates that each of them has: one a table of each view.
    pub(super) groups: usize,
    pub(super) count: usize,
    pub(super) bytes: Vec<u8>,
}

/// A subtree, as its bytes say.
#[derive(Clone, Copy, Debug)]
pub(super) struct Subtree<'a> {
    pub(super) made: usize,
    /// The last moves that the automaton knows of.
    pub(super) seen: usize,
    pub(super) estimates: &'a [u8],
    moves: &'a [u8],
}

impl Subtree<'_> {
    pub(super) fn directions(&self) -> impl Iterator<Item = Direction> {
        (0..self.made).map(|at| Direction::ALL[usize::from(self.moves[at / 4] >> (at % 4 * 2) & 3)])
    }
}

impl Subtrees {
    pub(super) fn new(groups: usize) -> Self {
        Self { groups, count: 0, bytes: Vec::new() }
    }

    pub(super) fn push(&mut self, moves: &[Direction], seen: usize, estimates: &[u8]) {
        debug_assert_eq!(estimates.len(), self.groups);
        self.bytes.extend((moves.len() as u16).to_le_bytes());
        self.bytes.extend((seen as u16).to_le_bytes());
        self.bytes.extend(estimates);
        let bits = |four: &[Direction]| (0..).zip(four).fold(0, |byte, (at, &one)| byte | (one as u8) << (2 * at));
        self.bytes.extend(moves.chunks(4).map(bits));
        self.count += 1;
    }

    /// Copies a subtree of others that have as many estimates.
    pub(super) fn copy(&mut self, subtree: &Subtree<'_>) {
        self.bytes.extend((subtree.made as u16).to_le_bytes());
        self.bytes.extend((subtree.seen as u16).to_le_bytes());
        self.bytes.extend(subtree.estimates);
        self.bytes.extend(subtree.moves);
        self.count += 1;
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Subtree<'_>> {
        let mut reader = Reader(&self.bytes);
        std::iter::from_fn(move || reader.subtree(self.groups).ok())
    }
}

impl Shard {
    /// The shard as bytes, for a file or another machine.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.subtrees.bytes.len() + 256);
        bytes.extend(MAGIC);
        bytes.extend(puzzle_bytes(&self.puzzle));
        bytes.extend(self.name.tables.to_le_bytes());
        bytes.extend(self.name.split.to_le_bytes());
        for number in [self.number, self.of, self.subtrees.count as u32, self.subtrees.groups as u32] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(self.views.unwrap_or([u8::MAX; 2]));
        bytes.push(u8::from(self.is_deep));
        bytes.push(u8::from(self.half.is_some()));
        let Half { bound, beyond, expanded, generated } = self.half.unwrap_or_default();
        bytes.extend(bound.to_le_bytes());
        bytes.extend(beyond.to_le_bytes());
        bytes.extend(expanded.to_le_bytes());
        bytes.extend(generated.to_le_bytes());
        bytes.extend(&self.subtrees.bytes);
        bytes.extend(xxh3_64(&bytes).to_le_bytes());
        bytes
    }

    /// Reads a shard and checks every path in it.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ShardError> {
        let mut reader = Reader::checked(bytes, MAGIC)?;
        let puzzle = reader.puzzle()?;
        let name = Name { tables: u64::from_le_bytes(reader.chunk()?), split: u64::from_le_bytes(reader.chunk()?) };
        let [number, of, count, groups] = reader.numbers()?;
        let [a, b, deep, halved] = reader.chunk()?;
        let half = Half {
            bound: u32::from_le_bytes(reader.chunk()?),
            beyond: u32::from_le_bytes(reader.chunk()?),
            expanded: u64::from_le_bytes(reader.chunk()?),
            generated: u64::from_le_bytes(reader.chunk()?),
        };
        let subtrees = Subtrees { groups: groups as usize, count: count as usize, bytes: reader.0.to_vec() };
        let shard = Self {
            puzzle,
            name,
            number,
            of,
            views: ([a, b] != [u8::MAX; 2]).then_some([a, b]),
            is_deep: deep == 1,
            half: (halved == 1).then_some(half),
            subtrees,
        };
        shard.check().then_some(shard).ok_or(ShardError::Damaged)
    }

    /// Whether the bytes hold as many subtrees as they say, all of them reached by legal moves.
    fn check(&self) -> bool {
        let topology = self.puzzle.topology();
        let mut left = Reader(&self.subtrees.bytes);
        let is_path = |subtree: &Subtree<'_>| {
            let end = subtree.directions().try_fold(self.puzzle.start().blank(), |at, to| topology.neighbour(at, to));
            end.is_some() && subtree.seen <= subtree.made
        };
        let mut ok =
            (0..self.subtrees.count).map(|_| left.subtree(self.subtrees.groups).is_ok_and(|one| is_path(&one)));
        self.number < self.of && ok.all(|ok| ok) && left.0.is_empty()
    }
}

impl Proof {
    /// The proof as bytes, for a file that it goes on from.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = PROOF_MAGIC.to_vec();
        bytes.extend(puzzle_bytes(&self.puzzle));
        bytes.extend(self.name.tables.to_le_bytes());
        bytes.extend(self.name.split.to_le_bytes());
        bytes.extend(self.views.unwrap_or([u8::MAX; 2]));
        let moves = self.known.moves().map_or(&[][..], |moves| &moves.0);
        let length = self.known.length().unwrap_or(u32::MAX);
        for number in [self.shards, self.reached.bound, self.reached.last, self.known.bound(), length] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(moves.iter().map(|&to| to as u8));
        for number in self.reached.sizes {
            bytes.extend(number.to_le_bytes());
        }
        for Counters { expanded, generated, peak_states, peak_bytes, .. } in [self.searched, self.grown] {
            bytes.extend([expanded, generated, peak_states, peak_bytes].map(u64::to_le_bytes).concat());
        }
        bytes.extend(xxh3_64(&bytes).to_le_bytes());
        bytes
    }

    /// Reads a proof, and checks the solution that it knows.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ShardError> {
        let mut reader = Reader::checked(bytes, PROOF_MAGIC)?;
        let puzzle = reader.puzzle()?;
        let name = Name { tables: u64::from_le_bytes(reader.chunk()?), split: u64::from_le_bytes(reader.chunk()?) };
        let views: [u8; 2] = reader.chunk()?;
        let [shards, bound, last, proved, length] = reader.numbers()?;
        let known = match length {
            u32::MAX => BestKnown::at_least(proved),
            _ => reader.known(&puzzle, length as usize, proved)?,
        };
        let [before, now] = [u64::from_le_bytes(reader.chunk()?), u64::from_le_bytes(reader.chunk()?)];
        let (searched, grown) = (reader.counters()?, reader.counters()?);
        let proof = Self {
            puzzle,
            name,
            views: (views != [u8::MAX; 2]).then_some(views),
            known,
            reached: Reached { bound, last, sizes: [before, now] },
            searched,
            grown,
            shards,
        };
        reader.0.is_empty().then_some(proof).ok_or(ShardError::Damaged)
    }
}

/// The board, start and goal.
pub(super) fn puzzle_bytes(puzzle: &Puzzle) -> Vec<u8> {
    let (size, topology) = (puzzle.size(), puzzle.topology());
    let mut bytes = vec![size.rows() as u8, size.cols() as u8];
    for wraps in [topology.wrap_rows().collect::<Vec<_>>(), topology.wrap_cols().collect()] {
        bytes.push(wraps.len() as u8);
        bytes.extend(wraps.iter().map(|&line| line as u8));
    }
    bytes.extend(puzzle.start().tiles());
    bytes.extend(puzzle.goal().tiles());
    bytes
}

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    /// A reader of the bytes between the magic number and the checksum, both of which are checked.
    fn checked(bytes: &'a [u8], magic: &[u8]) -> Result<Self, ShardError> {
        let (body, sum) = bytes.split_last_chunk::<8>().ok_or(ShardError::Damaged)?;
        let body = Some(body).filter(|body| xxh3_64(body) == u64::from_le_bytes(*sum));
        body.and_then(|body| body.strip_prefix(magic)).map(Self).ok_or(ShardError::Damaged)
    }

    fn take(&mut self, count: usize) -> Result<&'a [u8], ShardError> {
        let (taken, left) = self.0.split_at_checked(count).ok_or(ShardError::Damaged)?;
        self.0 = left;
        Ok(taken)
    }

    fn chunk<const N: usize>(&mut self) -> Result<[u8; N], ShardError> {
        Ok(self.take(N)?.try_into().expect("as many were taken"))
    }

    fn numbers<const N: usize>(&mut self) -> Result<[u32; N], ShardError> {
        let mut numbers = [0; N];
        for number in &mut numbers {
            *number = u32::from_le_bytes(self.chunk()?);
        }
        Ok(numbers)
    }

    fn puzzle(&mut self) -> Result<Puzzle, ShardError> {
        let [rows, cols] = self.chunk()?;
        let size = Size::new(rows.into(), cols.into()).map_err(|_| ShardError::Damaged)?;
        let [wrap_rows, wrap_cols] = [self.lines()?, self.lines()?];
        let topology = Topology::wrapped(size, wrap_rows, wrap_cols).map_err(|_| ShardError::Damaged)?;
        let [start, goal] = [self.arrangement(size)?, self.arrangement(size)?];
        let puzzle = Puzzle::new(topology, start, goal).map_err(|_| ShardError::Damaged)?;
        puzzle.solvable().map_err(|_| ShardError::Damaged)?;
        Ok(puzzle)
    }

    fn known(&mut self, puzzle: &Puzzle, length: usize, bound: u32) -> Result<BestKnown, ShardError> {
        let to = |&code: &u8| Direction::ALL.get(usize::from(code)).copied();
        let moves = self.take(length)?.iter().map(to).collect::<Option<Vec<_>>>().map(Moves);
        let is_known = |moves: &Moves| puzzle.is_solved_by(moves) && bound as usize <= length;
        let moves = moves.filter(is_known).ok_or(ShardError::Damaged)?;
        Ok(BestKnown::new(Some(moves), bound))
    }

    fn counters(&mut self) -> Result<Counters, ShardError> {
        let mut counters = Counters::default();
        for number in
            [&mut counters.expanded, &mut counters.generated, &mut counters.peak_states, &mut counters.peak_bytes]
        {
            *number = u64::from_le_bytes(self.chunk()?);
        }
        Ok(counters)
    }

    fn lines(&mut self) -> Result<Vec<usize>, ShardError> {
        let [count] = self.chunk()?;
        Ok(self.take(count.into())?.iter().map(|&line| line.into()).collect())
    }

    fn arrangement(&mut self, size: Size) -> Result<Arrangement, ShardError> {
        let tiles: Vec<u32> = self.take(size.cells())?.iter().map(|&tile| tile.into()).collect();
        Arrangement::new(size, &tiles).map_err(|_| ShardError::Damaged)
    }

    fn subtree(&mut self, groups: usize) -> Result<Subtree<'a>, ShardError> {
        let made = usize::from(u16::from_le_bytes(self.chunk()?));
        let seen = usize::from(u16::from_le_bytes(self.chunk()?));
        Ok(Subtree { made, seen, estimates: self.take(groups)?, moves: self.take(made.div_ceil(4))? })
    }
}

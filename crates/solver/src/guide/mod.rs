//! Beams over whole boards, guided by means of small pattern tables and, on squares that have one, by a network.

mod beam;
mod evaluation;
mod network;
mod patterns;
mod seen;
#[cfg(any(feature = "training", test))]
pub mod training;
mod weights;

use std::{
    ops::RangeInclusive,
    sync::{Arc, OnceLock},
    time::Duration,
};

use pintu_search::{Control, Hold, Limits, Stop};
use pintu_tiles::{Direction, Puzzle, Topology};

pub use self::network::Network;
#[cfg(target_family = "wasm")]
pub use self::weights::give_weights;
#[cfg(not(target_family = "wasm"))]
pub use self::weights::weights_of;
#[cfg(target_family = "wasm")]
use self::weights::weights_of;
use self::{
    beam::{GuidedTask, bytes_a_width, search},
    evaluation::{Guide, Shape},
    patterns::Board,
};
use crate::{
    solved::FoundBy,
    tables::{Symmetry, normal_form_of, to_normal_form},
};

/// The sides of squares that have networks.
pub(crate) const SIDES: [usize; 2] = [7, 6];
/// The shapes of tables, best first: the first that is built within [`BUILD_SHARE`] of the time is used.
const SHAPES: [Shape; 3] = [Shape { tiles: 4, views: 4 }, Shape { tiles: 3, views: 8 }, Shape { tiles: 3, views: 2 }];
const BUILD_SHARE: f64 = 0.15;
/// The cells of boards that tables guide without a network.
const TABLE_CELLS: RangeInclusive<usize> = 26..=49;
/// Bytes that a network takes in memory, while it is made, for each byte of its file.
const MEMORY_A_WEIGHT: u64 = 2;

/// A guide to a goal, and how its cells stand for those of a board.
pub(crate) struct Guided {
    guide: Guide,
    symmetry: Symmetry,
    /// The cell that each cell of the guide's board stands for.
    origins: Vec<u8>,
    topology: Topology,
    /// For each tile, its goal cell.
    homes: Vec<u8>,
    /// The bytes of the network.
    _network: Hold,
}

/// Whether tables without a network lead to shorter solutions than distances do within the same time. By trial: where all
/// rows and all columns wrap, which makes distances say little.
fn do_tables_pay(topology: Topology) -> bool {
    let size = topology.size();
    let is_all = topology.wrap_rows().count() == size.rows() && topology.wrap_cols().count() == size.cols();
    TABLE_CELLS.contains(&topology.cells()) && is_all
}

/// The limits of a guided beam.
#[derive(Clone, Copy)]
pub(crate) struct Within {
    pub(crate) width: usize,
    /// The most moves that a solution may have.
    pub(crate) most: usize,
    /// The moves that a solution is expected to have, and the time after which it should be there.
    pub(crate) pace: Option<(usize, Duration)>,
}

impl Guided {
    pub(crate) const A_MOVE: i32 = evaluation::SCALE;

    /// A guide for a plain square with a network, whose goal has the blank in a corner, or for a board on which tables
    /// alone are better than distances; `None` for other boards, and where there is no time or memory for its tables.
    /// Without a time limit, `time` is what the nodes that are left take.
    pub(crate) fn new(topology: Topology, goal: &[u8], time: Option<Duration>, control: &Control) -> Option<Self> {
        let blank = goal.iter().position(|&tile| tile == 0)?;
        let symmetry = to_normal_form(topology, blank);
        let mut hold = control.hold();
        let network = match weights_for(symmetry.topology, symmetry.of(blank)) {
            Some((known, bytes)) => {
                hold.more(MEMORY_A_WEIGHT * bytes.len() as u64).ok()?;
                Some(known.get_or_init(|| Network::new(topology.cells(), bytes).map(Arc::new)).clone()?)
            }
            None if do_tables_pay(topology) => None,
            None => return None,
        };
        let most = time.map(|time| time.mul_f64(BUILD_SHARE));
        // A busy machine takes longer than was estimated.
        let limits =
            control.time_left().map_or_else(Limits::none, |left| Limits::none().time(left.mul_f64(2.0 * BUILD_SHARE)));
        let build = control.part(limits);
        let mut guide = SHAPES.into_iter().find_map(|shape| {
            let board = Board::new(symmetry.topology, symmetry.of(blank));
            Guide::new(board, shape, most, &build).ok().flatten()
        })?;
        guide.network = network;
        let mut homes = vec![0; goal.len()];
        for (cell, &tile) in goal.iter().enumerate() {
            homes[usize::from(tile)] = symmetry.of(cell) as u8;
        }
        Some(Self { guide, origins: symmetry.origins(), symmetry, topology, homes, _network: hold })
    }

    /// What its beams are called.
    pub(crate) fn found_by(&self) -> FoundBy {
        if self.guide.network.is_some() { FoundBy::NetworkBeams } else { FoundBy::GuidedBeams }
    }

    /// The bytes that a beam holds for each state of its width, if its solution has up to `levels` moves.
    pub(crate) fn bytes_a_width(&self, levels: usize) -> u64 {
        bytes_a_width(self.guide.board.cells, levels)
    }

    /// The estimate of a board, [`A_MOVE`](Self::A_MOVE) for each move.
    pub(crate) fn estimate(&self, board: &[u8]) -> i32 {
        self.guide.estimate(&self.normal(board))
    }

    fn normal(&self, start: &[u8]) -> Vec<u8> {
        let mut board = vec![0; start.len()];
        for (cell, &tile) in start.iter().enumerate() {
            board[self.symmetry.of(cell)] = self.homes[usize::from(tile)];
        }
        board
    }

    /// A beam from `start`; the moves of the solution that it finds, if it does.
    pub(crate) fn search(
        &self,
        start: &[u8],
        within: Within,
        control: &Control,
    ) -> Result<Option<Vec<Direction>>, Stop> {
        let board = self.normal(start);
        let Within { width, most, pace } = within;
        let task = GuidedTask { guide: &self.guide, start: &board, width, most, pace };
        let Some(way) = search(&task, control, &mut ())? else { return Ok(None) };
        let mut cell = start.iter().position(|&tile| tile == 0).expect("a board has a blank");
        let step = |to: u8| {
            let to = usize::from(self.origins[usize::from(to)]);
            let direction = self.topology.direction(cell, to).expect("the blank goes to a neighbour");
            cell = to;
            direction
        };
        Ok(Some(way.into_iter().map(step).collect()))
    }
}

/// The partitions, weights and network by which a device judges states as a guided beam does.
pub struct DeviceGuide {
    /// The partitions whose tables are looked up, without the blank: one for each view.
    pub partitions: Vec<Vec<Vec<u8>>>,
    /// The weights of a move in the views' sum and in the distances, in 1/64 of a move.
    pub sum_weight: i32,
    /// See `sum_weight`.
    pub distance_weight: i32,
    /// The network on top of them.
    pub network: Arc<Network>,
}

impl DeviceGuide {
    /// The guide of a board and its goal's blank cell in normal form, if a network has been trained for it.
    pub fn new(topology: Topology, blank: usize) -> Option<Self> {
        let (known, bytes) = weights_for(topology, blank)?;
        let network = known.get_or_init(|| Network::new(topology.cells(), bytes).map(Arc::new)).clone()?;
        Some(Self::with(topology, blank, network))
    }

    /// The same with other weights; `None` unless their number is right.
    #[cfg(any(feature = "training", test))]
    pub fn trained(topology: Topology, blank: usize, bytes: &[u8]) -> Option<Self> {
        Some(Self::with(topology, blank, Arc::new(Network::new(topology.cells(), bytes)?)))
    }

    fn with(topology: Topology, blank: usize, network: Arc<Network>) -> Self {
        let partitions = Board::new(topology, blank).partitions(SHAPES[0].tiles, SHAPES[0].views);
        let (sum_weight, distance_weight) = evaluation::weights(partitions.len());
        Self { partitions, sum_weight, distance_weight, network }
    }
}

/// Whether tables guide the beams on a puzzle's whole board, with a network or without.
pub fn has_guide(puzzle: &Puzzle) -> bool {
    let (topology, blank) = normal_form_of(puzzle.topology(), puzzle.goal().blank());
    weights_for(topology, blank).is_some() || do_tables_pay(topology)
}

/// A network that is made when it is first used.
type Lazy = OnceLock<Option<Arc<Network>>>;

/// The weights of a board and its goal's blank cell in normal form, if there are some, and the network made of them.
fn weights_for(topology: Topology, blank: usize) -> Option<(&'static Lazy, &'static [u8])> {
    static SIX: Lazy = OnceLock::new();
    static SEVEN: Lazy = OnceLock::new();
    let size = topology.size();
    if !topology.is_plain() || blank != 0 || size.rows() != size.cols() {
        return None;
    }
    let network = if size.rows() == 6 { &SIX } else { &SEVEN };
    Some((network, weights_of(size.rows())?))
}

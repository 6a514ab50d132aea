//! Beams over whole boards, guided by means of small pattern tables and, on squares that have one, by a network.

mod beam;
mod evaluation;
mod network;
mod patterns;
mod seen;
#[cfg(feature = "training")]
pub mod training;
mod weights;

use std::{
    sync::{Arc, OnceLock},
    time::Duration,
};

use pintu_search::{Control, Hold, Stop};
use pintu_tiles::{Direction, Puzzle, Topology};

#[cfg(target_family = "wasm")]
pub use self::weights::give_weights;
#[cfg(not(target_family = "wasm"))]
pub use self::weights::weights_of;
#[cfg(target_family = "wasm")]
use self::weights::weights_of;
use self::{
    beam::{GuidedTask, bytes_a_width, search},
    evaluation::{Guide, Shape},
    network::Network,
    patterns::Board,
};
use crate::tables::{Symmetry, normal_form_of, to_normal_form};

/// The sides of squares that have networks.
pub(crate) const SIDES: [usize; 2] = [7, 6];
/// The tables that are built, the best first, if that takes no more than a share of the time.
const SHAPES: [Shape; 3] = [Shape { tiles: 4, views: 4 }, Shape { tiles: 3, views: 8 }, Shape { tiles: 3, views: 2 }];
const BUILD_SHARE: f64 = 0.15;
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

/// What a guided beam may do.
#[derive(Clone, Copy)]
pub(crate) struct Within {
    pub(crate) width: usize,
    /// The most moves that a solution may have.
    pub(crate) most: usize,
    /// The moves that a solution is expected to have, and the time after which it should be there.
    pub(crate) pace: Option<(usize, Duration)>,
}

impl Guided {
    /// A guide for a plain square with a network, whose goal has the blank in a corner; `None` for other boards, and where
    /// there is no time or memory for its tables. Without a time limit, `time` is what the nodes that are left take.
    pub(crate) fn new(topology: Topology, goal: &[u8], time: Option<Duration>, control: &Control) -> Option<Self> {
        let blank = goal.iter().position(|&tile| tile == 0)?;
        let symmetry = to_normal_form(topology, blank);
        let (known, bytes) = weights_for(symmetry.topology, symmetry.of(blank))?;
        let mut hold = control.hold();
        hold.more(MEMORY_A_WEIGHT * bytes.len() as u64).ok()?;
        let network = known.get_or_init(|| Network::new(topology.cells(), bytes).map(Arc::new)).clone()?;
        let most = time.map(|time| time.mul_f64(BUILD_SHARE));
        let mut guide = SHAPES.into_iter().find_map(|shape| {
            let board = Board::new(symmetry.topology, symmetry.of(blank));
            Guide::new(board, shape, most, control).ok().flatten()
        })?;
        guide.network = Some(network);
        let mut homes = vec![0; goal.len()];
        for (cell, &tile) in goal.iter().enumerate() {
            homes[usize::from(tile)] = symmetry.of(cell) as u8;
        }
        Some(Self { guide, origins: symmetry.origins(), symmetry, topology, homes, _network: hold })
    }

    /// The bytes that a beam holds for each state of its width, if its solution has up to `levels` moves.
    pub(crate) fn bytes_a_width(&self, levels: usize) -> u64 {
        bytes_a_width(self.guide.board.cells, levels)
    }

    /// A beam from `start`; the moves of the solution that it finds, if it does.
    pub(crate) fn search(
        &self,
        start: &[u8],
        within: Within,
        control: &Control,
    ) -> Result<Option<Vec<Direction>>, Stop> {
        let mut board = vec![0; start.len()];
        for (cell, &tile) in start.iter().enumerate() {
            board[self.symmetry.of(cell)] = self.homes[usize::from(tile)];
        }
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

/// Whether a network judges the states of the beams on a puzzle's board.
pub fn has_network(puzzle: &Puzzle) -> bool {
    let (topology, blank) = normal_form_of(puzzle.topology(), puzzle.goal().blank());
    weights_for(topology, blank).is_some()
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

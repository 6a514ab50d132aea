//! Everything about a board and its tables that a search looks up, computed beforehand.

use std::ops::Range;

use pintu_tiles::Direction;

use super::lookup::{SLOTS, Sight};
use crate::tables::{Aspect, MAX_TILES, Residue, Symmetry, Table, Tables, order_rank, passing};

/// What lies in each cell. A tile is named by its goal cell, and so is the blank.
pub(crate) type Cells = [u8; SLOTS];

/// The tables of a board, ready to be searched with.
pub(crate) struct Layout<'a> {
    pub(crate) cells: usize,
    pub(crate) blank: u8,
    pub(crate) views: Vec<View>,
    /// The tables of all views, one view's after the other's.
    pub(crate) lanes: Vec<&'a Table>,
    pub(crate) residue: Residue,
}

/// One way to look a board up.
pub(crate) struct View {
    /// Its lanes.
    pub(crate) lanes: Range<usize>,
    /// Where each cell is seen, and the cell that is seen there.
    cell: Cells,
    origin: Cells,
    pub(crate) sight: Sight,
}

impl<'a> Layout<'a> {
    /// Some of the ways to look a board up.
    pub(crate) fn new<'b>(tables: &'a Tables, aspects: impl IntoIterator<Item = &'b Aspect>) -> Self {
        let topology = tables.topology();
        let mut lanes = Vec::new();
        let mut views = Vec::new();
        for Aspect { tables: partition, symmetry } in aspects {
            let first = lanes.len();
            lanes.extend(&tables.tables()[partition.clone()]);
            views.push(View::new(tables, symmetry, &lanes[first..], first));
        }
        Self {
            cells: topology.cells(),
            blank: tables.blank() as u8,
            views,
            lanes,
            residue: Residue::of(topology.kind()),
        }
    }

    /// The board in hand, from what lies in its cells.
    pub(crate) fn board(&self, cells: &[u8]) -> Cells {
        let mut board = [self.blank; SLOTS];
        board[..cells.len()].copy_from_slice(cells);
        board
    }

    /// The moves that the tiles of each lane need, from scratch.
    pub(crate) fn moves(&self, board: &Cells) -> Vec<u8> {
        let places = self.places(board);
        let blank = places[usize::from(self.blank)];
        let moves = |view: &View, lane: &Table| {
            let (cells, tiles) = view.cells(lane, &places);
            lane.moves_left(&cells[..tiles], usize::from(view.cell[usize::from(blank)])) as u8
        };
        self.views
            .iter()
            .flat_map(|view| self.lanes[view.lanes.clone()].iter().map(move |lane| moves(view, lane)))
            .collect()
    }

    /// Goes from the moves of each lane to those after the blank has moved from one cell to another; `board` is
    /// the one before.
    pub(crate) fn step(&self, moves: &mut [u8], board: &Cells, blank: usize, to: usize) {
        let tile = board[to];
        let mut places = self.places(board);
        places[usize::from(tile)] = blank as u8;
        for view in &self.views {
            let at = usize::from(view.sight.lane(tile));
            let Some(moves) = moves.get_mut(at) else { break };
            let lane = &self.lanes[at];
            let (cells, tiles) = view.cells(lane, &places);
            let cells = &cells[..tiles];
            let row = lane.rows.row(mask_of(cells), usize::from(view.cell[to]));
            *moves = self.residue.after(*moves, lane.held(row, order_rank(cells)));
        }
    }

    /// The goal cells of the tiles that a view looks up in one of its lanes.
    pub(crate) fn tiles(&self, view: &View, lane: usize) -> impl Iterator<Item = u8> {
        self.lanes[lane].pattern().tiles().iter().map(|&tile| view.origin[usize::from(tile)])
    }

    /// The estimate of each view.
    pub(crate) fn sums(&self, moves: &[u8]) -> impl Iterator<Item = u16> {
        self.views
            .iter()
            .map_while(|view| Some(moves.get(view.lanes.clone())?.iter().map(|&moves| u16::from(moves)).sum()))
    }

    /// For each lane of a board, the mask of the cells where its view sees its tiles, and their order's rank.
    pub(crate) fn lie(&self, board: &Cells) -> impl Iterator<Item = (u64, u16)> {
        let places = self.places(board);
        self.views.iter().flat_map(move |view| {
            self.lanes[view.lanes.clone()].iter().map(move |lane| {
                let (cells, tiles) = view.cells(lane, &places);
                (mask_of(&cells[..tiles]), order_rank(&cells[..tiles]) as u16)
            })
        })
    }

    /// Where each tile lies.
    fn places(&self, board: &Cells) -> Cells {
        let mut places = [0; SLOTS];
        for (cell, &tile) in (0..).zip(&board[..self.cells]) {
            places[usize::from(tile)] = cell;
        }
        places
    }
}

fn mask_of(cells: &[u8]) -> u64 {
    cells.iter().fold(0, |mask, cell| mask | 1 << cell)
}

impl View {
    /// The view of a partition's tables, which are the lanes from `first` on.
    fn new(tables: &Tables, symmetry: &Symmetry, partition: &[&Table], first: usize) -> Self {
        let topology = tables.topology();
        let cells = topology.cells();
        let lanes = first..first + partition.len();
        // For each tile as it is seen: its lane and its number there.
        let mut member = vec![(0, 0); cells];
        for (lane, table) in lanes.clone().zip(partition) {
            for (number, &tile) in table.pattern().tiles().iter().enumerate() {
                member[usize::from(tile)] = (lane as u8, number);
            }
        }
        let mut view = Self { lanes, cell: [0; SLOTS], origin: [0; SLOTS], sight: Sight::default() };
        for cell in 0..cells {
            view.cell[cell] = symmetry.of(cell) as u8;
            view.origin[symmetry.of(cell)] = cell as u8;
        }
        for cell in 0..cells {
            for (index, direction) in Direction::ALL.into_iter().enumerate() {
                if let Some(from) = topology.neighbour(cell, direction) {
                    let (a, b) = (usize::from(view.cell[from]), usize::from(view.cell[cell]));
                    let passed = &view.origin[a.min(b) + 1..a.max(b)];
                    view.sight.add_slide(4 * cell + index, from, (a, b), passed, cells);
                }
            }
        }
        let tiles = || (0..cells).filter(|&tile| tile != tables.blank());
        for tile in tiles() {
            let (lane, number) = member[symmetry.of(tile)];
            view.sight.add_tile(tile, lane);
            for other in tiles().filter(|&other| other != tile) {
                let (other_lane, other_number) = member[symmetry.of(other)];
                if lane == other_lane {
                    view.sight.add_passing(tile, other, passing(number, other_number));
                }
            }
        }
        view
    }

    /// Where the view sees the tiles of a lane, and how many they are.
    fn cells(&self, lane: &Table, places: &Cells) -> ([u8; MAX_TILES], usize) {
        let tiles = lane.pattern().tiles();
        let mut cells = [0; MAX_TILES];
        for (cell, &tile) in cells.iter_mut().zip(tiles) {
            let place = places[usize::from(self.origin[usize::from(tile)])];
            *cell = self.cell[usize::from(place)];
        }
        (cells, tiles.len())
    }
}

//! Everything about a board and its tables that a search looks up, computed beforehand.

use std::ops::Range;

use pintu_tiles::Direction;

use super::lookup::{SLOTS, Slides};
use crate::tables::{MAX_TILES, Residue, Table, Tables, View, mask_of, order_rank, passing};

/// The tile in each cell. A tile is named by its goal cell, and so is the blank.
pub(crate) type Cells = [u8; SLOTS];

/// The tables of a board, ready to be searched with.
pub(crate) struct Layout<'a> {
    pub(crate) cells: usize,
    pub(crate) blank: u8,
    pub(crate) views: Vec<PreparedView>,
    /// The tables of all views, one view's after the other's. A group is the index of a table here.
    pub(crate) groups: Vec<&'a Table>,
    pub(crate) residue: Residue,
}

/// A view with everything that lookups in it need.
pub(crate) struct PreparedView {
    /// Its groups: indices of its tables among those of all views.
    pub(crate) groups: Range<usize>,
    /// The image of each cell under the view's symmetry, and the inverse.
    cell: Cells,
    origin: Cells,
    pub(crate) slides: Slides,
}

impl<'a> Layout<'a> {
    pub(crate) fn new<'b>(tables: &'a Tables, which: impl IntoIterator<Item = &'b View>) -> Self {
        let topology = tables.topology();
        let mut groups = Vec::new();
        let mut views = Vec::new();
        for View { patterns, image } in which {
            let first = groups.len();
            groups.extend(&tables.tables()[patterns.clone()]);
            views.push(PreparedView::new(tables, image, &groups[first..], first));
        }
        Self {
            cells: topology.cells(),
            blank: tables.blank() as u8,
            views,
            groups,
            residue: Residue::of(topology.kind()),
        }
    }

    pub(crate) fn board(&self, cells: &[u8]) -> Cells {
        let mut board = [self.blank; SLOTS];
        board[..cells.len()].copy_from_slice(cells);
        board
    }

    /// The moves that the tiles of each group need, from scratch.
    pub(crate) fn moves(&self, board: &Cells) -> Vec<u8> {
        let positions = self.positions(board);
        let blank = positions[usize::from(self.blank)];
        let moves = |view: &PreparedView, group: &Table| {
            let (cells, tiles) = view.cells(group, &positions);
            group.moves_left(&cells[..tiles], usize::from(view.cell[usize::from(blank)])) as u8
        };
        self.views
            .iter()
            .flat_map(|view| self.groups[view.groups.clone()].iter().map(move |group| moves(view, group)))
            .collect()
    }

    /// Goes from the moves of each group to those after the blank has moved from one cell to another; `board` is
    /// the one before.
    pub(crate) fn step(&self, moves: &mut [u8], board: &Cells, blank: usize, to: usize) {
        let tile = board[to];
        let mut positions = self.positions(board);
        positions[usize::from(tile)] = blank as u8;
        for view in &self.views {
            let at = usize::from(view.slides.group(tile));
            let Some(moves) = moves.get_mut(at) else { break };
            let group = &self.groups[at];
            let (cells, tiles) = view.cells(group, &positions);
            let cells = &cells[..tiles];
            let row = group.rows.row(mask_of(cells), usize::from(view.cell[to]));
            *moves = self.residue.after(*moves, group.held(row, order_rank(cells)));
        }
    }

    /// The goal cells of the tiles that a view looks up in one of its groups.
    pub(crate) fn tiles(&self, view: &PreparedView, group: usize) -> impl Iterator<Item = u8> {
        self.groups[group].pattern().tiles().iter().map(|&tile| view.origin[usize::from(tile)])
    }

    pub(crate) fn sums(&self, moves: &[u8]) -> impl Iterator<Item = u16> {
        self.views
            .iter()
            .map_while(|view| Some(moves.get(view.groups.clone())?.iter().map(|&moves| u16::from(moves)).sum()))
    }

    pub(crate) fn least(&self, board: &Cells) -> u32 {
        self.sums(&self.moves(board)).max().unwrap_or(0).into()
    }

    /// For each group of a board, the mask of the cells where its view sees its tiles, and their order's rank.
    pub(crate) fn lie(&self, board: &Cells) -> impl Iterator<Item = (u64, u16)> {
        let positions = self.positions(board);
        self.views.iter().flat_map(move |view| {
            self.groups[view.groups.clone()].iter().map(move |group| {
                let (cells, tiles) = view.cells(group, &positions);
                (mask_of(&cells[..tiles]), order_rank(&cells[..tiles]) as u16)
            })
        })
    }

    fn positions(&self, board: &Cells) -> Cells {
        let mut positions = [0; SLOTS];
        for (cell, &tile) in (0..).zip(&board[..self.cells]) {
            positions[usize::from(tile)] = cell;
        }
        positions
    }
}

impl PreparedView {
    /// The view of a partition's tables, which are the groups from `first` on.
    fn new(tables: &Tables, image: &[u8], partition: &[&Table], first: usize) -> Self {
        let topology = tables.topology();
        let cells = topology.cells();
        let groups = first..first + partition.len();
        // For each tile as it is seen: its group and its number there.
        let mut member = vec![(0, 0); cells];
        for (group, table) in groups.clone().zip(partition) {
            for (number, &tile) in table.pattern().tiles().iter().enumerate() {
                member[usize::from(tile)] = (group as u8, number);
            }
        }
        let mut view = Self { groups, cell: [0; SLOTS], origin: [0; SLOTS], slides: Slides::default() };
        view.cell[..cells].copy_from_slice(image);
        for (cell, &seen) in (0..).zip(image) {
            view.origin[usize::from(seen)] = cell;
        }
        for cell in 0..cells {
            for (index, direction) in Direction::ALL.into_iter().enumerate() {
                if let Some(from) = topology.neighbour(cell, direction) {
                    let (a, b) = (usize::from(view.cell[from]), usize::from(view.cell[cell]));
                    let passed = &view.origin[a.min(b) + 1..a.max(b)];
                    view.slides.add_slide(4 * cell + index, from, (a, b), passed, cells);
                }
            }
        }
        let tiles = || (0..cells).filter(|&tile| tile != tables.blank());
        for tile in tiles() {
            let (group, number) = member[usize::from(image[tile])];
            view.slides.group[tile] = group;
            for other in tiles().filter(|&other| other != tile) {
                let (other_group, other_number) = member[usize::from(image[other])];
                if group == other_group {
                    view.slides.add_passing(tile, other, passing(number, other_number));
                }
            }
        }
        view
    }

    /// The cells where the view sees the tiles of a group, and their number.
    fn cells(&self, group: &Table, positions: &Cells) -> ([u8; MAX_TILES], usize) {
        let tiles = group.pattern().tiles();
        let mut cells = [0; MAX_TILES];
        for (cell, &tile) in cells.iter_mut().zip(tiles) {
            let position = positions[usize::from(self.origin[usize::from(tile)])];
            *cell = self.cell[usize::from(position)];
        }
        (cells, tiles.len())
    }
}

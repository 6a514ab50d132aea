//! Everything about a board and its tables that a search looks up, computed beforehand.

use crate::{
    Direction,
    pattern::{Rows, Symmetry, Table, Tables, order_rank, passing, row_bytes},
};

/// The tables of a board, ready to be searched with.
pub(crate) struct Layout<'a> {
    pub(crate) cells: usize,
    /// For each cell of the blank and each direction, the cell that the blank goes to.
    pub(crate) targets: Vec<[u8; 4]>,
    /// Distances by tile and cell.
    distances: Vec<u8>,
    pub(crate) groups: Vec<Group<'a>>,
    pub(crate) views: Vec<View>,
    /// What an entry counts: one move or two.
    pub(crate) step: u32,
}

/// One table.
pub(crate) struct Group<'a> {
    rows: &'a Rows,
    entries: &'a [u8],
    /// Entries from one row to the next.
    stride: usize,
    tiles: &'a [u8],
}

/// One way to look a board up.
pub(crate) struct View {
    /// Where each cell is seen.
    cell: Vec<u8>,
    /// The table that each tile, as it is seen, belongs to; [`NO_GROUP`] if to none.
    group: Vec<u8>,
    /// What a tile's passing another adds to the order's rank.
    passing: Vec<i32>,
    /// For each cell of the blank and each direction, the slide of the tile that goes into it.
    slides: Vec<Slide>,
    /// The cells that tiles pass, one slide's after the other's.
    between: Vec<u8>,
}

pub(crate) const NO_GROUP: u8 = u8::MAX;

/// What a tile's slide does to a view.
#[derive(Clone, Copy, Default)]
struct Slide {
    flip: u64,
    first: u32,
    last: u32,
    downwards: bool,
    blank: u8,
}

/// Where the tiles of one table lie, as a view sees them, and the table's entry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Lane {
    pub(crate) mask: u64,
    pub(crate) order: u32,
    pub(crate) entry: u32,
}

impl<'a> Layout<'a> {
    pub(crate) fn new(tables: &'a Tables) -> Self {
        let topology = tables.topology();
        let cells = topology.cells();
        let all = topology.distances();
        let neighbour = |cell, direction| topology.neighbour(cell, direction).map_or(0, |to| to as u8);
        Self {
            cells,
            targets: (0..cells).map(|cell| Direction::ALL.map(|direction| neighbour(cell, direction))).collect(),
            // The blank is named by its goal cell, too; its distance never counts.
            distances: (0..cells * cells)
                .map(|at| (at / cells, at % cells))
                .map(|(tile, cell)| if tile == tables.blank() { 0 } else { all.between(cell, tile) as u8 })
                .collect(),
            groups: tables.tables().iter().map(Group::new).collect(),
            views: tables.views().iter().map(|symmetry| View::new(tables, symmetry)).collect(),
            step: tables.tables().first().map_or(1, |table| table.pattern().step()),
        }
    }

    /// The sum of all tiles' distances.
    pub(crate) fn distance(&self, board: &[u8]) -> u32 {
        (0..self.cells).map(|cell| self.distance_of(board[cell], cell)).sum()
    }

    #[inline]
    pub(crate) fn distance_of(&self, tile: u8, cell: usize) -> u32 {
        u32::from(self.distances[usize::from(tile) * self.cells + cell])
    }

    /// All lanes of a board, a view's after the other's, from scratch.
    pub(crate) fn lanes(&self, board: &[u8], blank: usize) -> Vec<Lane> {
        let lane = |view: &View, group: &Group<'_>| {
            let tile_cell = |tile: u8| {
                let cell = (0..self.cells).find(|&cell| cell != blank && view.cell[usize::from(board[cell])] == tile);
                view.cell[cell.expect("every tile is on the board")]
            };
            let cells: Vec<u8> = group.tiles.iter().map(|&tile| tile_cell(tile)).collect();
            let mask = cells.iter().fold(0, |mask, cell| mask | 1 << cell);
            let order = order_rank(&cells);
            Lane { mask, order, entry: group.entry(mask, order, usize::from(view.cell[blank])) }
        };
        self.views.iter().flat_map(|view| self.groups.iter().map(move |group| lane(view, group))).collect()
    }

    /// The estimate that lanes stand for: the best of the views.
    pub(crate) fn estimate(&self, board: &[u8], lanes: &[Lane]) -> u32 {
        let sums = lanes.chunks(self.groups.len()).map(|view| view.iter().map(|lane| lane.entry).sum::<u32>());
        self.distance(board) + self.step * sums.max().unwrap_or(0)
    }
}

impl<'a> Group<'a> {
    fn new(table: &'a Table) -> Self {
        let tiles = table.pattern().tiles();
        Self { rows: &table.rows, entries: table.entries(), stride: 2 * row_bytes(tiles.len()), tiles }
    }

    #[inline]
    pub(crate) fn entry(&self, mask: u64, order: u32, blank: usize) -> u32 {
        let at = self.rows.row(mask, blank) * self.stride + order as usize;
        u32::from(self.entries[at / 2] >> (4 * (at % 2)) & 15)
    }
}

impl View {
    fn new(tables: &Tables, symmetry: &Symmetry) -> Self {
        let topology = tables.topology();
        let cells = topology.cells();
        let cell: Vec<u8> = (0..cells).map(|cell| symmetry.of(cell) as u8).collect();
        // For each tile as it is seen: its table and its number there.
        let mut member = vec![(NO_GROUP, 0); cells];
        for (group, table) in tables.tables().iter().enumerate() {
            for (number, &tile) in table.pattern().tiles().iter().enumerate() {
                member[usize::from(tile)] = (group as u8, number);
            }
        }
        let seen = |tile: usize| member[symmetry.of(tile)];
        let term = |mover: usize, passed: usize| {
            let ((group, a), (other, b)) = (seen(mover), seen(passed));
            if group == other && group != NO_GROUP && a != b { passing(a, b) } else { 0 }
        };
        let mut view = Self {
            group: (0..cells).map(|tile| seen(tile).0).collect(),
            passing: (0..cells * cells).map(|at| term(at / cells, at % cells)).collect(),
            slides: Vec::with_capacity(cells * 4),
            between: Vec::new(),
            cell,
        };
        for blank in 0..cells {
            for direction in Direction::ALL {
                let slide = topology.neighbour(blank, direction).map(|from| view.slide(symmetry, from, blank));
                view.slides.push(slide.unwrap_or_default());
            }
        }
        view
    }

    /// The slide of a tile from a cell to the blank's.
    fn slide(&mut self, symmetry: &Symmetry, from: usize, to: usize) -> Slide {
        let (a, b) = (symmetry.of(from), symmetry.of(to));
        let origins = symmetry.origins();
        let first = self.between.len() as u32;
        self.between.extend((a.min(b) + 1..a.max(b)).map(|cell| origins[cell]));
        Slide {
            flip: 1 << a | 1 << b,
            first,
            last: self.between.len() as u32,
            downwards: a > b,
            blank: a as u8,
        }
    }

    /// The table that a tile, as it is seen, belongs to.
    #[inline]
    pub(crate) fn group(&self, tile: u8) -> usize {
        usize::from(self.group[usize::from(tile)])
    }

    /// The lane after a tile of its group has moved into the blank's cell. `slide` is that cell times
    /// four, and the direction in which the blank goes; `board` is the one before.
    #[inline]
    pub(crate) fn step(&self, lane: Lane, group: &Group<'_>, slide: usize, tile: u8, board: &[u8]) -> Lane {
        let slide = &self.slides[slide];
        let mask = lane.mask ^ slide.flip;
        let terms = &self.passing[usize::from(tile) * self.cell.len()..][..self.cell.len()];
        let between = &self.between[slide.first as usize..slide.last as usize];
        let sum: i32 = between.iter().map(|&cell| terms[usize::from(board[usize::from(cell)])]).sum();
        let order = lane.order.wrapping_add_signed(if slide.downwards { -sum } else { sum });
        Lane { mask, order, entry: group.entry(mask, order, usize::from(slide.blank)) }
    }
}

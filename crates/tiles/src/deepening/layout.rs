//! Everything about a board and its tables that a search looks up, computed beforehand.

use crate::{
    Direction,
    pattern::{
        FIRST_BITS, MAX_RANK, MAX_TILES, RANK_BITS, Residue, Rows, Symmetry, THREE_PIECES, TWO_PIECES, Table, Tables,
        order_rank, passing, plane_bytes,
    },
};

/// Slots of a board in hand: a power of two, so that no index needs a check. The last one is no cell
/// and holds the blank's name, which no tile passes.
pub(crate) const SLOTS: usize = 64;
pub(crate) const NO_CELL: u8 = SLOTS as u8 - 1;

/// What lies in each cell. A tile is named by its goal cell, and so is the blank.
pub(crate) type Cells = [u8; SLOTS];

/// The tables of a board, ready to be searched with.
pub(crate) struct Layout<'a> {
    pub(crate) cells: usize,
    pub(crate) blank: u8,
    /// For each cell of the blank and each direction, the cell that the blank goes to, or [`NO_CELL`].
    pub(crate) targets: [[u8; 4]; SLOTS],
    pub(crate) groups: Vec<Group<'a>>,
    pub(crate) views: Vec<View>,
    pub(crate) residue: Residue,
}

/// One table.
pub(crate) struct Group<'a> {
    table: &'a Table,
    rows: &'a Rows,
    /// The table of the ranks of sets, and what it has for one piece and number of cells more.
    ranks: &'a [u32],
    tiles: usize,
    sets: &'a [u128],
    entries: &'a [u8],
    plane: usize,
}

/// How the rank of a set is read: in two pieces, three, or as many as it takes. Each is a program of its
/// own, for the two boards that matter most.
pub(crate) const ANY: usize = 0;

/// One way to look a board up.
pub(crate) struct View {
    /// Where each cell is seen.
    cell: Cells,
    /// The table that each tile, as it is seen, belongs to.
    group: Cells,
    /// What a tile's passing another adds to the order's rank.
    passing: Box<[[i16; SLOTS]; SLOTS]>,
    /// For each cell of the blank and each direction, the slide of the tile that goes into it.
    slides: Box<[[Slide; 4]; SLOTS]>,
    /// The cells passed in slides that pass more than most.
    far_between: Vec<u8>,
}

/// What a tile's slide does to a view.
#[derive(Clone, Copy, Default)]
struct Slide {
    flip: u64,
    /// The cells that the tile passes, filled up with [`NO_CELL`]: on a plain board fewer than a row.
    between: [u8; NEAR],
    /// Those beyond, of which there are some only through wraps and on the widest boards.
    far: (u16, u16),
    downwards: bool,
    blank: u8,
}

const NEAR: usize = 4;

/// How many cells a tile passes on its way to the next row, on the boards that matter most.
const fn near(cells: usize) -> usize {
    if cells <= TWO_PIECES { 3 } else { NEAR }
}

/// Where the tiles of one table lie, as a view sees them, and how many moves they need.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Lane {
    pub(crate) mask: u64,
    pub(crate) order: u32,
    pub(crate) moves: u32,
}

impl<'a> Layout<'a> {
    pub(crate) fn new(tables: &'a Tables) -> Self {
        let topology = tables.topology();
        let mut targets = [[NO_CELL; 4]; SLOTS];
        for (cell, targets) in targets.iter_mut().enumerate().take(topology.cells()) {
            *targets =
                Direction::ALL.map(|direction| topology.neighbour(cell, direction).map_or(NO_CELL, |to| to as u8));
        }
        Self {
            cells: topology.cells(),
            blank: tables.blank() as u8,
            targets,
            groups: tables.tables().iter().map(Group::new).collect(),
            views: tables.views().iter().map(|symmetry| View::new(tables, symmetry)).collect(),
            residue: Residue::of(topology.kind()),
        }
    }

    /// How many pieces the ranks of sets are read in, where there is a program for that.
    pub(crate) fn pieces(&self) -> usize {
        if self.groups.iter().any(|group| group.sets.is_empty()) || self.cells > THREE_PIECES {
            return ANY;
        }
        if self.cells <= TWO_PIECES { 2 } else { 3 }
    }

    /// The board in hand, from what lies in its cells.
    pub(crate) fn board(&self, cells: &[u8]) -> Cells {
        let mut board = [self.blank; SLOTS];
        board[..cells.len()].copy_from_slice(cells);
        board
    }

    /// All lanes of a board, a view's after the other's, from scratch.
    pub(crate) fn lanes(&self, board: &Cells) -> Vec<Lane> {
        self.lanes_by(board, |_, group, cells, blank| group.table.moves_left(cells, blank))
    }

    /// All lanes of a board of which the lanes' moves are known.
    pub(crate) fn lanes_with(&self, board: &Cells, moves: &[u8]) -> Vec<Lane> {
        self.lanes_by(board, |index, _, _, _| moves.get(index).map_or(0, |&moves| u32::from(moves)))
    }

    fn lanes_by(&self, board: &Cells, moves: impl Fn(usize, &Group<'a>, &[u8], usize) -> u32) -> Vec<Lane> {
        let mut lanes = Vec::with_capacity(self.views.len() * self.groups.len());
        for view in &self.views {
            let mut seen = [0; SLOTS];
            for cell in 0..self.cells {
                seen[usize::from(view.cell[usize::from(board[cell])])] = view.cell[cell];
            }
            let blank = usize::from(seen[usize::from(view.cell[usize::from(self.blank)])]);
            for group in &self.groups {
                let tiles = group.table.pattern().tiles();
                let mut cells = [0; MAX_TILES];
                let cells = &mut cells[..tiles.len()];
                cells.iter_mut().zip(tiles).for_each(|(cell, &tile)| *cell = seen[usize::from(tile)]);
                let mask = cells.iter().fold(0, |mask, cell| mask | 1 << cell);
                let moves = moves(lanes.len(), group, cells, blank);
                lanes.push(Lane { mask, order: order_rank(cells), moves });
            }
        }
        lanes
    }

    /// The moves of all lanes after a move of the blank; `moves` are those before, `board` the one before.
    pub(crate) fn moves_after(
        &self,
        moves: &[u8],
        board: &Cells,
        blank: usize,
        direction: usize,
    ) -> impl Iterator<Item = u32> {
        let lanes = self.lanes_with(board, moves);
        self.stepped(&lanes, board, blank, direction).into_iter().map(|lane| lane.moves)
    }

    /// The lanes after a move of the blank; `board` is the one before.
    pub(crate) fn stepped(&self, lanes: &[Lane], board: &Cells, blank: usize, direction: usize) -> Vec<Lane> {
        let tile = board[usize::from(self.targets[blank][direction])];
        let mut lanes = lanes.to_vec();
        for (view, lanes) in self.views.iter().zip(lanes.chunks_mut(self.groups.len())) {
            let group = view.group(tile);
            let (lane, groups, at) = (lanes[group], &self.groups, (blank, direction));
            lanes[group] = match self.residue {
                Residue::Parity => view.step::<true>(lane, groups, at, tile, board),
                Residue::Three => view.step::<false>(lane, groups, at, tile, board),
            };
        }
        lanes
    }

    /// The estimate of each view.
    pub(crate) fn sums(&self, lanes: &[Lane]) -> impl Iterator<Item = u32> {
        lanes.chunks(self.groups.len()).map(|view| view.iter().map(|lane| lane.moves).sum())
    }
}

impl<'a> Group<'a> {
    fn new(table: &'a Table) -> Self {
        Self {
            table,
            rows: &table.rows,
            ranks: table.rows.ranks.entries(),
            tiles: table.pattern().tiles().len(),
            sets: table.rows.narrow(),
            entries: table.entries(),
            plane: plane_bytes(table.pattern().tiles().len()),
        }
    }

    /// The rank of a set of cells. The same as [`SetRanks::rank`](crate::pattern::SetRanks::rank), with
    /// the number of pieces known beforehand.
    #[inline]
    fn set<const PIECES: usize>(&self, mask: u64) -> usize {
        if PIECES == ANY {
            return self.rows.ranks.rank(mask);
        }
        let bits = if PIECES == 2 { 8 } else { 9 };
        let mut rest = mask as usize;
        let (mut rank, mut count) = (0, 0);
        for piece in 0..PIECES {
            let table = piece * (self.tiles + 1) + count;
            let entry = self.ranks[(table << bits) + (rest & ((1 << bits) - 1))] as usize;
            rank += entry & MAX_RANK;
            count = entry >> RANK_BITS;
            rest >>= bits;
        }
        rank
    }

    /// The row of a set, with the blank in a cell.
    #[inline]
    fn row<const PIECES: usize>(&self, set: usize, blank: usize) -> usize {
        if PIECES == ANY {
            return self.rows.row_of_set(set, blank);
        }
        let set = self.sets[set];
        (set as usize & ((1 << FIRST_BITS) - 1)) + ((set >> (FIRST_BITS + 4 * blank)) as usize & 15)
    }

    /// What the table holds of an order in a row.
    #[inline]
    fn held<const PARITY: bool>(&self, row: usize, order: u32) -> u32 {
        let (byte, bit) = (order as usize / 8, order % 8);
        if PARITY {
            return u32::from(self.entries[row * self.plane + byte]) >> bit & 1;
        }
        let at = 2 * row * self.plane + byte;
        let (low, high) = (self.entries[at] >> bit & 1, self.entries[at + self.plane] >> bit & 1);
        u32::from(low | high << 1)
    }
}

/// A look-up in the making. It goes in three steps, each of which waits for memory; whoever has several
/// to make takes each step for all of them before the next, so that the waits overlap.
#[derive(Clone, Copy, Default)]
pub(crate) struct Lookup {
    group: u8,
    /// Where the view sees the blank.
    blank: u8,
    /// The rank of the set, then the row, then what the table holds.
    place: u32,
}

impl Lookup {
    /// From the set's rank to the row.
    #[inline]
    pub(crate) fn find_row<const PIECES: usize>(&mut self, groups: &[Group<'_>]) {
        self.place = groups[usize::from(self.group)].row::<PIECES>(self.place as usize, usize::from(self.blank)) as u32;
    }

    /// From the row to what the table holds.
    #[inline]
    pub(crate) fn read<const PARITY: bool>(&mut self, order: u32, groups: &[Group<'_>]) {
        self.place = groups[usize::from(self.group)].held::<PARITY>(self.place as usize, order);
    }

    /// The moves, which were so many before the move.
    #[inline]
    pub(crate) fn moves<const PARITY: bool>(self, before: u32) -> u32 {
        let residue = if PARITY { Residue::Parity } else { Residue::Three };
        residue.after(before, self.place)
    }
}

impl View {
    fn new(tables: &Tables, symmetry: &Symmetry) -> Self {
        let topology = tables.topology();
        let cells = topology.cells();
        // For each tile as it is seen: its table and its number there.
        let mut member = vec![(0, 0); cells];
        for (group, table) in tables.tables().iter().enumerate() {
            for (number, &tile) in table.pattern().tiles().iter().enumerate() {
                member[usize::from(tile)] = (group as u8, number);
            }
        }
        let mut view = Self {
            cell: [0; SLOTS],
            group: [0; SLOTS],
            passing: Box::new([[0; SLOTS]; SLOTS]),
            slides: Box::new([[Slide::default(); 4]; SLOTS]),
            far_between: Vec::new(),
        };
        let tiles = || (0..cells).filter(|&tile| tile != tables.blank());
        for cell in 0..cells {
            view.cell[cell] = symmetry.of(cell) as u8;
            for (index, direction) in Direction::ALL.into_iter().enumerate() {
                if let Some(from) = topology.neighbour(cell, direction) {
                    view.slides[cell][index] = view.slide(symmetry, from, cell);
                }
            }
        }
        for tile in tiles() {
            let (group, number) = member[symmetry.of(tile)];
            view.group[tile] = group;
            for other in tiles().filter(|&other| other != tile) {
                let (other_group, other_number) = member[symmetry.of(other)];
                view.passing[tile][other] = if group == other_group { passing(number, other_number) as i16 } else { 0 };
            }
        }
        view
    }

    /// The slide of a tile from a cell to the blank's.
    fn slide(&mut self, symmetry: &Symmetry, from: usize, to: usize) -> Slide {
        let (a, b) = (symmetry.of(from), symmetry.of(to));
        let origins = symmetry.origins();
        let passed: Vec<u8> = (a.min(b) + 1..a.max(b)).map(|cell| origins[cell]).collect();
        let mut between = [NO_CELL; NEAR];
        let near = passed.len().min(near(origins.len()));
        between[..near].copy_from_slice(&passed[..near]);
        let first = self.far_between.len() as u16;
        self.far_between.extend_from_slice(&passed[near..]);
        let far = (first, self.far_between.len() as u16);
        Slide { flip: 1 << a | 1 << b, between, far, downwards: a > b, blank: a as u8 }
    }

    /// The table that a tile, as it is seen, belongs to.
    #[inline]
    pub(crate) fn group(&self, tile: u8) -> usize {
        usize::from(self.group[usize::from(tile) % SLOTS])
    }

    /// Begins to look a lane up after a tile of its group has moved into the blank's cell, the blank going
    /// in `direction`; `board` is the one before. The lane that comes back has the moves from before.
    #[inline]
    pub(crate) fn begin<const PIECES: usize>(
        &self,
        lane: Lane,
        groups: &[Group<'_>],
        (blank, direction): (usize, usize),
        tile: u8,
        board: &Cells,
    ) -> (Lane, Lookup) {
        let slide = &self.slides[blank % SLOTS][direction % 4];
        let mask = lane.mask ^ slide.flip;
        let terms = &self.passing[usize::from(tile) % SLOTS];
        let term = |cell: u8| i32::from(terms[usize::from(board[usize::from(cell) % SLOTS]) % SLOTS]);
        let near = if PIECES == 2 { near(TWO_PIECES) } else { NEAR };
        let mut sum: i32 = slide.between[..near].iter().map(|&cell| term(cell)).sum();
        if slide.far.0 != slide.far.1 {
            let far = &self.far_between[usize::from(slide.far.0)..usize::from(slide.far.1)];
            sum += far.iter().map(|&cell| term(cell)).sum::<i32>();
        }
        let order = lane.order.wrapping_add_signed(if slide.downwards { -sum } else { sum });
        let group = self.group(tile);
        let place = groups[group].set::<PIECES>(mask) as u32;
        (Lane { mask, order, moves: lane.moves }, Lookup { group: group as u8, blank: slide.blank, place })
    }

    /// The lane after a tile of its group has moved into the blank's cell: all steps of a look-up at once.
    fn step<const PARITY: bool>(
        &self,
        lane: Lane,
        groups: &[Group<'_>],
        at: (usize, usize),
        tile: u8,
        board: &Cells,
    ) -> Lane {
        let (lane, mut lookup) = self.begin::<ANY>(lane, groups, at, tile, board);
        lookup.find_row::<ANY>(groups);
        lookup.read::<PARITY>(lane.order, groups);
        Lane { moves: lookup.moves::<PARITY>(lane.moves), ..lane }
    }
}

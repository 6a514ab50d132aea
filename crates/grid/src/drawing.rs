use crate::{Cell, Format, Terrain};

/// A map with a path on it, cell by cell, so that a large one need not be one text.
///
/// ```
/// use pintu_grid::{Cell, Drawing, Mark, Terrain};
///
/// let map: Terrain = "..#\n...".parse().unwrap();
/// let drawing = Drawing::new(&map, &[Cell::new(0, 0), Cell::new(1, 0), Cell::new(1, 1)]);
/// assert_eq!(drawing.at(Cell::new(0, 0)), ('S', Mark::End));
/// assert_eq!(drawing.at(Cell::new(1, 0)), ('*', Mark::Path));
/// assert_eq!(drawing.at(Cell::new(0, 2)), ('#', Mark::Terrain));
/// ```
#[derive(Clone, Debug)]
pub struct Drawing<'a> {
    terrain: &'a Terrain,
    ends: [Option<Cell>; 2],
    /// A bit a cell: whether the path leads over it.
    is_on_path: Vec<u64>,
}

/// The part of a path in which a cell of a [`Drawing`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// The cell is not on the path.
    Terrain,
    /// The path leads over it.
    Path,
    /// The path begins or ends there.
    End,
}

impl<'a> Drawing<'a> {
    /// A map, and the cells of a path. Cells beyond the map are left out.
    pub fn new(terrain: &'a Terrain, path: &[Cell]) -> Self {
        let cells = terrain.rows() as usize * terrain.cols() as usize;
        let ends = [path.first().copied(), path.last().copied()];
        let mut drawing = Self { terrain, ends, is_on_path: vec![0; cells.div_ceil(64)] };
        for &cell in path.iter().filter(|&&cell| terrain.contains(cell)) {
            let (word, bit) = drawing.bit(cell);
            drawing.is_on_path[word] |= bit;
        }
        drawing
    }

    fn bit(&self, cell: Cell) -> (usize, u64) {
        let index = cell.row as usize * self.terrain.cols() as usize + cell.col as usize;
        (index / 64, 1 << (index % 64))
    }

    /// The character of a cell of the map: its symbol (`?` for a kind of terrain without one), or the path's. On a map
    /// with a path, its own start and goals are drawn as terrain.
    pub fn at(&self, cell: Cell) -> (char, Mark) {
        let (word, bit) = self.bit(cell);
        if self.is_on_path[word] & bit == 0 {
            return (self.terrain.symbol(cell), Mark::Terrain);
        }
        let [start, end] = self.ends.map(|one| one == Some(cell));
        let symbol = match self.terrain.format() {
            // Where the nearest cell to the goal is the start, a path has one cell, and the goal is drawn elsewhere.
            Format::Terrain if start => 'S',
            Format::Terrain if end => 'G',
            _ => '*',
        };
        (symbol, if start || end { Mark::End } else { Mark::Path })
    }

    /// The separator between the cells of a row.
    pub fn separator(&self) -> &'static str {
        self.terrain.format().syntax().separator
    }
}

/// The map's rows, with `*` on the cells of a path, as a [`Drawing`] has them.
///
/// ```
/// use pintu_grid::{draw, Cell, Terrain};
///
/// let sea: Terrain = "2 3\n120\n004".parse().unwrap();
/// let path = [Cell::new(0, 0), Cell::new(1, 0), Cell::new(1, 1), Cell::new(1, 2)];
/// assert_eq!(draw(&sea, &path), "* 2 0\n* * *\n");
/// ```
pub fn draw(terrain: &Terrain, path: &[Cell]) -> String {
    let drawing = Drawing::new(terrain, path);
    let mut text = String::new();
    for row in 0..terrain.rows() {
        for col in 0..terrain.cols() {
            if col > 0 {
                text.push_str(drawing.separator());
            }
            text.push(drawing.at(Cell::new(row, col)).0);
        }
        text.push('\n');
    }
    text
}

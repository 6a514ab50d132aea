//! A map with a path on it, row by row: as one text, it would take more memory than the map.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use pintu_grid::{Cell, Format, Terrain};

use crate::say;

/// Draws a map with `*` on the cells of a path.
pub(super) fn draw(out: &mut dyn Write, terrain: &Terrain, path: &[Cell]) -> io::Result<()> {
    let drawing = Drawing::new(terrain, path);
    (0..terrain.rows()).try_for_each(|row| drawing.write_row(out, row))
}

struct Drawing<'a> {
    terrain: &'a Terrain,
    ends: [Option<Cell>; 2],
    /// A bit a cell: whether the path leads over it.
    is_on_path: Vec<u64>,
    /// Of the path and of its ends, where whoever reads it sees colours.
    styles: Option<[Style; 2]>,
}

impl<'a> Drawing<'a> {
    fn new(terrain: &'a Terrain, path: &[Cell]) -> Self {
        let cells = terrain.rows() as usize * terrain.cols() as usize;
        let styles = || [AnsiColor::Red, AnsiColor::Green].map(|colour| colour.on_default().bold());
        let mut drawing = Self {
            terrain,
            ends: [path.first().copied(), path.last().copied()],
            is_on_path: vec![0; cells.div_ceil(64)],
            styles: say::has_colours().then(styles),
        };
        for &cell in path {
            let (word, bit) = drawing.place(cell);
            drawing.is_on_path[word] |= bit;
        }
        drawing
    }

    fn place(&self, cell: Cell) -> (usize, u64) {
        let index = cell.row as usize * self.terrain.cols() as usize + cell.col as usize;
        (index / 64, 1 << (index % 64))
    }

    fn write_row(&self, out: &mut dyn Write, row: u32) -> io::Result<()> {
        // A sea map is written with a space between its cells.
        let between = if self.terrain.format() == Format::Sea { " " } else { "" };
        for col in 0..self.terrain.cols() {
            let (symbol, style) = self.shown(Cell::new(row, col));
            let between = if col == 0 { "" } else { between };
            match style {
                Some(style) => write!(out, "{between}{style}{symbol}{style:#}")?,
                None => write!(out, "{between}{symbol}")?,
            }
        }
        writeln!(out)
    }

    /// What stands at a cell. Also a map's own start and goal are ground like any other to a path that leads elsewhere.
    fn shown(&self, cell: Cell) -> (char, Option<Style>) {
        let (word, bit) = self.place(cell);
        if self.is_on_path[word] & bit == 0 {
            return (self.terrain.symbol(cell).unwrap_or(' '), None);
        }
        let [start, end] = self.ends.map(|one| one == Some(cell));
        let symbol = match self.terrain.format() {
            Format::Terrain if end => 'G',
            Format::Terrain if start => 'S',
            _ => '*',
        };
        (symbol, self.styles.map(|[way, ends]| if start || end { ends } else { way }))
    }
}

//! A map with a path on it, row by row: as one text, it would take more memory than the map.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use pintu_grid::{Cell, Drawing, Mark, Terrain};

use crate::say;

/// Draws a map with a path on it, in colours where whoever reads it sees them.
pub(super) fn draw(out: &mut dyn Write, terrain: &Terrain, path: &[Cell]) -> io::Result<()> {
    let drawing = Drawing::new(terrain, path);
    let styled = say::has_colours();
    for row in 0..terrain.rows() {
        for col in 0..terrain.cols() {
            let between = if col == 0 { "" } else { drawing.separator() };
            let (symbol, mark) = drawing.at(Cell::new(row, col));
            match style(mark).filter(|_| styled) {
                Some(style) => write!(out, "{between}{style}{symbol}{style:#}")?,
                None => write!(out, "{between}{symbol}")?,
            }
        }
        writeln!(out)?;
    }
    Ok(())
}

fn style(mark: Mark) -> Option<Style> {
    let colour = match mark {
        Mark::Ground => return None,
        Mark::Way => AnsiColor::Red,
        Mark::End => AnsiColor::Green,
    };
    Some(colour.on_default().bold())
}

//! Bar charts, as SVG.

use std::{
    io::{self, Write},
    path::Path,
};

use anyhow::Context;

use crate::say::write_whole;

/// A measured quantity, with a bar for each contestant; `None` for one that did not finish.
pub(crate) struct Panel {
    pub(crate) title: &'static str,
    pub(crate) bars: Vec<Option<Bar>>,
}

/// One bar and its label.
pub(crate) struct Bar {
    pub(crate) value: f64,
    pub(crate) label: String,
}

const INK: &str = "#20242c";
const QUIET: &str = "#6a6f78";
const LINE: &str = "#e3ddd0";
const PAPER: &str = "#fffdf8";
const SEAL: &str = "#c8402a";

const NAMES_WIDTH: usize = 210;
const PANEL_WIDTH: usize = 360;
const ROW_HEIGHT: usize = 34;
const HEAD_HEIGHT: usize = 84;
const MARGIN: usize = 24;
/// Room at the right end of a panel for the longest bar's label.
const LABEL_WIDTH: usize = 96;

/// Draws panels side by side, a row for each contestant, on a logarithmic scale. (No text has XML's reserved
/// characters.)
pub(crate) fn draw(path: &Path, title: &str, names: &[String], panels: &[Panel]) -> anyhow::Result<()> {
    write_whole(path, |out| paint(out, title, names, panels)).with_context(|| format!("--plot {}", path.display()))
}

fn paint(out: &mut dyn Write, title: &str, names: &[String], panels: &[Panel]) -> io::Result<()> {
    let width = MARGIN * 2 + NAMES_WIDTH + PANEL_WIDTH * panels.len();
    let height = HEAD_HEIGHT + ROW_HEIGHT * names.len() + MARGIN * 2;
    let size = format!("width=\"{width}\" height=\"{height}\"");
    writeln!(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" {size} font-family=\"sans-serif\">")?;
    writeln!(out, "<rect {size} fill=\"{PAPER}\"/>")?;
    write_text(out, (MARGIN, MARGIN + 14), 18, INK, title)?;
    let top = |row: usize| HEAD_HEIGHT + ROW_HEIGHT * row;
    for (row, name) in names.iter().enumerate() {
        write_text(out, (MARGIN, top(row) + 20), 14, INK, name)?;
    }
    for (index, panel) in panels.iter().enumerate() {
        let left = MARGIN + NAMES_WIDTH + PANEL_WIDTH * index;
        write_text(out, (left, MARGIN + 45), 13, QUIET, &format!("{} (×10 a line)", panel.title))?;
        let scale = Scale::of(panel);
        for decade in 0..=scale.decades {
            let x = left + scale.width(10_f64.powi(scale.least + decade));
            let (above, below) = (HEAD_HEIGHT - 4, height - MARGIN);
            writeln!(out, "<path d=\"M{x} {above}V{below}\" stroke=\"{LINE}\"/>")?;
        }
        for (row, bar) in panel.bars.iter().enumerate() {
            let (length, label, colour) = match bar {
                Some(bar) => (scale.width(bar.value).max(2), bar.label.as_str(), INK),
                None => (0, "not solved", QUIET),
            };
            let (y, bar_height) = (top(row) + 6, ROW_HEIGHT - 14);
            let bar = format!("x=\"{left}\" y=\"{y}\" width=\"{length}\" height=\"{bar_height}\"");
            writeln!(out, "<rect {bar} fill=\"{SEAL}\"/>")?;
            write_text(out, (left + length + 6, y + 14), 13, colour, label)?;
        }
    }
    writeln!(out, "</svg>")
}

fn write_text(out: &mut dyn Write, (x, y): (usize, usize), size: u8, colour: &str, text: &str) -> io::Result<()> {
    writeln!(out, "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" fill=\"{colour}\">{text}</text>")
}

/// A logarithmic scale over whole decades.
struct Scale {
    /// The power of ten at the left end.
    least: i32,
    decades: i32,
}

impl Scale {
    fn of(panel: &Panel) -> Self {
        let logs = || panel.bars.iter().flatten().filter(|bar| bar.value > 0.0).map(|bar| bar.value.log10());
        let least = logs().fold(f64::INFINITY, f64::min).floor();
        let most = logs().fold(f64::NEG_INFINITY, f64::max).ceil();
        if least > most {
            return Self { least: 0, decades: 1 };
        }
        // One decade below the smallest value, so that its bar can be seen.
        Self { least: least as i32 - 1, decades: (most - least) as i32 + 1 }
    }

    fn width(&self, value: f64) -> usize {
        let share = (value.max(f64::MIN_POSITIVE).log10() - f64::from(self.least)) / f64::from(self.decades);
        (share.clamp(0.0, 1.0) * (PANEL_WIDTH - LABEL_WIDTH) as f64) as usize
    }
}

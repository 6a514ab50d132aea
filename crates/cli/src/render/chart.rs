//! Bar charts.

use std::path::Path;

use anyhow::{Context, anyhow};
use plotters::{coord::Shift, prelude::*};

use crate::whole_file::write_whole;

/// Something measured, with a bar for each contestant. `None` is one that did not finish.
pub(crate) struct Panel {
    pub(crate) title: &'static str,
    pub(crate) bars: Vec<Option<Bar>>,
}

/// One bar and what is written beside it.
pub(crate) struct Bar {
    pub(crate) value: f64,
    pub(crate) label: String,
}

const INK: RGBColor = RGBColor(0x20, 0x24, 0x2c);
const QUIET: RGBColor = RGBColor(0x6a, 0x6f, 0x78);
const LINE: RGBColor = RGBColor(0xe3, 0xdd, 0xd0);
const PAPER: RGBColor = RGBColor(0xff, 0xfd, 0xf8);
const SEAL: RGBColor = RGBColor(0xc8, 0x40, 0x2a);

const NAMES_WIDTH: i32 = 210;
const PANEL_WIDTH: i32 = 360;
const ROW_HEIGHT: i32 = 34;
const HEAD_HEIGHT: i32 = 84;
const MARGIN: i32 = 24;
/// Room at the right end of a panel for the longest bar's label.
const LABEL_WIDTH: i32 = 96;

/// Draws panels side by side, a row a contestant, bars on a logarithmic scale.
pub(crate) fn draw(path: &Path, title: &str, names: &[String], panels: &[Panel]) -> anyhow::Result<()> {
    let width = MARGIN * 2 + NAMES_WIDTH + PANEL_WIDTH * panels.len() as i32;
    let height = HEAD_HEIGHT + ROW_HEIGHT * names.len() as i32 + MARGIN * 2;
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, (width as u32, height as u32)).into_drawing_area();
        paint(&root, title, names, panels, height)?;
        root.present().map_err(|error| anyhow!("{error}"))?;
    }
    write_whole(path, |out| out.write_all(svg.as_bytes())).with_context(|| format!("--plot {}", path.display()))
}

fn paint(
    root: &DrawingArea<SVGBackend<'_>, Shift>,
    title: &str,
    names: &[String],
    panels: &[Panel],
    height: i32,
) -> anyhow::Result<()> {
    let font = |size: i32, colour: &RGBColor| ("sans-serif", size).into_font().color(colour);
    let failed = |error: DrawingAreaErrorKind<_>| anyhow!("{error}");
    root.fill(&PAPER).map_err(failed)?;
    root.draw(&Text::new(title.to_owned(), (MARGIN, MARGIN), font(18, &INK))).map_err(failed)?;
    for (row, name) in names.iter().enumerate() {
        let y = HEAD_HEIGHT + ROW_HEIGHT * row as i32;
        root.draw(&Text::new(name.clone(), (MARGIN, y + 9), font(14, &INK))).map_err(failed)?;
    }
    for (index, panel) in panels.iter().enumerate() {
        let left = MARGIN + NAMES_WIDTH + PANEL_WIDTH * index as i32;
        let title = format!("{} (×10 a line)", panel.title);
        root.draw(&Text::new(title, (left, MARGIN + 34), font(13, &QUIET))).map_err(failed)?;
        let scale = Scale::of(panel);
        for decade in 0..=scale.decades {
            let x = left + scale.width(10_f64.powi(scale.least + decade));
            let line = [(x, HEAD_HEIGHT - 4), (x, height - MARGIN)];
            root.draw(&PathElement::new(line, LINE)).map_err(failed)?;
        }
        for (row, bar) in panel.bars.iter().enumerate() {
            let y = HEAD_HEIGHT + ROW_HEIGHT * row as i32;
            let (length, label, colour) = match bar {
                Some(bar) => (scale.width(bar.value).max(2), bar.label.as_str(), &INK),
                None => (0, "not solved", &QUIET),
            };
            let corners = [(left, y + 6), (left + length, y + ROW_HEIGHT - 8)];
            root.draw(&Rectangle::new(corners, SEAL.filled())).map_err(failed)?;
            root.draw(&Text::new(label.to_owned(), (left + length + 6, y + 9), font(13, colour))).map_err(failed)?;
        }
    }
    Ok(())
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
        // A decade below the smallest, so that its bar can be seen.
        Self { least: least as i32 - 1, decades: (most - least) as i32 + 1 }
    }

    fn width(&self, value: f64) -> i32 {
        let share = (value.max(f64::MIN_POSITIVE).log10() - f64::from(self.least)) / f64::from(self.decades);
        (share.clamp(0.0, 1.0) * f64::from(PANEL_WIDTH - LABEL_WIDTH)) as i32
    }
}

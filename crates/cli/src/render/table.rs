//! Tables as aligned text and as Markdown.

use textwrap::core::display_width as width;

use crate::say::{Tone, toned};

/// The separator between the columns of a table of text.
const BETWEEN: &str = "  ";

/// The side on which a column's cells are aligned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Align {
    Left,
    Right,
}

/// Rows of cells under a header.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    columns: Vec<Column>,
    rows: Vec<Vec<Cell>>,
}

/// The text in a row under a column.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    text: String,
    tone: Option<Tone>,
}

impl Cell {
    /// The same in a colour.
    pub(crate) fn toned(self, tone: Option<Tone>) -> Self {
        Self { tone, ..self }
    }

    /// The text aligned within `columns`; the fill has no colour.
    fn padded(&self, columns: usize, align: Align, show: fn(&Self) -> String) -> String {
        let fill = " ".repeat(columns.saturating_sub(width(&self.text)));
        match align {
            Align::Left => show(self) + &fill,
            Align::Right => fill + &show(self),
        }
    }

    fn plain(&self) -> String {
        self.text.clone()
    }

    fn coloured(&self) -> String {
        self.tone.map_or_else(|| self.plain(), |tone| toned(tone, &self.text))
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self { text, tone: None }
    }
}

/// The title of a column, and its alignment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Column {
    name: &'static str,
    align: Align,
    /// Columns with a higher number are left out first when there is no room; 0 is never left out.
    spare: u8,
}

/// A column of words.
pub(crate) const fn left(name: &'static str) -> Column {
    Column { name, align: Align::Left, spare: 0 }
}

/// A column of numbers.
pub(crate) const fn right(name: &'static str) -> Column {
    Column { name, align: Align::Right, spare: 0 }
}

impl Column {
    /// The same with the rank in which it is left out.
    pub(crate) const fn spare(self, spare: u8) -> Self {
        Self { spare, ..self }
    }
}

impl Table {
    pub(crate) fn new(columns: Vec<Column>) -> Self {
        Self { columns, rows: Vec::new() }
    }

    pub(crate) fn push(&mut self, row: impl IntoIterator<Item = impl Into<Cell>>) {
        let row: Vec<Cell> = row.into_iter().map(Into::into).collect();
        debug_assert_eq!(row.len(), self.columns.len());
        self.rows.push(row);
    }

    /// The table in at most `room` columns of a terminal, as far as columns can be left out.
    pub(crate) fn text(&self, room: usize) -> String {
        let widths = self.widths();
        let width = widths.iter().sum::<usize>() + BETWEEN.len() * widths.len().saturating_sub(1);
        let spare = (0..self.columns.len()).max_by_key(|&column| self.columns[column].spare);
        match spare.filter(|&column| width > room && self.columns[column].spare > 0) {
            Some(column) => self.without(column).text(room),
            None => self.laid_out(&widths),
        }
    }

    fn without(&self, column: usize) -> Self {
        let mut table = self.clone();
        table.columns.remove(column);
        for row in &mut table.rows {
            row.remove(column);
        }
        table
    }

    fn laid_out(&self, widths: &[usize]) -> String {
        let line = |row: &[Cell]| format!("{}\n", self.padded(row, widths, BETWEEN, Cell::coloured).trim_end());
        let mut text = line(&self.header());
        let rules: Vec<String> = widths.iter().map(|&width| "─".repeat(width)).collect();
        text.push_str(&rules.join(BETWEEN));
        text.push('\n');
        text.extend(self.rows.iter().map(|row| line(row)));
        text
    }

    pub(crate) fn markdown(&self) -> String {
        let widths = self.widths();
        let line = |row: &[Cell]| format!("| {} |\n", self.padded(row, &widths, " | ", Cell::plain));
        let rule = |(column, &width): (&Column, &usize)| match column.align {
            Align::Left => "-".repeat(width.max(3)),
            Align::Right => format!("{}:", "-".repeat(width.max(3) - 1)),
        };
        let rules: Vec<String> = self.columns.iter().zip(&widths).map(rule).collect();
        let rows: String = self.rows.iter().map(|row| line(row)).collect();
        format!("{}| {} |\n{rows}", line(&self.header()), rules.join(" | "))
    }

    fn header(&self) -> Vec<Cell> {
        self.columns.iter().map(|column| Cell::from(column.name.to_owned())).collect()
    }

    fn widths(&self) -> Vec<usize> {
        let widest = |column: usize| {
            let cells = self.rows.iter().map(|row| width(&row[column].text));
            cells.max().unwrap_or(0).max(width(self.columns[column].name))
        };
        (0..self.columns.len()).map(widest).collect()
    }

    fn padded(&self, row: &[Cell], widths: &[usize], between: &str, show: fn(&Cell) -> String) -> String {
        let columns = row.iter().zip(widths).zip(&self.columns);
        let cells: Vec<String> =
            columns.map(|((cell, &width), column)| cell.padded(width, column.align, show)).collect();
        cells.join(between)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Table {
        let mut table = Table::new(vec![left("name"), right("states").spare(1)]);
        table.push(vec!["a, b".to_owned(), "1".to_owned()]);
        table.push(vec!["c".to_owned(), "1,000".to_owned()]);
        table
    }

    #[test]
    fn tables_line_up() {
        assert_eq!(sample().text(80), "name  states\n────  ──────\na, b       1\nc      1,000\n");
        assert_eq!(sample().markdown(), "| name | states |\n| ---- | -----: |\n| a, b |      1 |\n| c    |  1,000 |\n");
    }

    #[test]
    fn what_can_be_spared_is_left_out_where_there_is_no_room() {
        assert_eq!(sample().text(12), sample().text(80));
        assert_eq!(sample().text(11), "name\n────\na, b\nc\n");
        assert_eq!(sample().text(1), sample().text(11));
    }
}

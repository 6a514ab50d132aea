//! Tables as aligned text, as Markdown and as CSV.

/// What separates the columns of a table of text.
const BETWEEN: &str = "  ";

/// On which side a column's cells line up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Align {
    Left,
    Right,
}

/// Rows of cells under a header.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    columns: Vec<Column>,
    rows: Vec<Vec<String>>,
}

/// What stands over a column, and how it is set.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Column {
    name: &'static str,
    align: Align,
    /// How readily it is left out where there is no room; 0 is never.
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
    /// The same, left out before all that can be spared less where there is no room.
    pub(crate) const fn spare(self, spare: u8) -> Self {
        Self { spare, ..self }
    }
}

impl Table {
    pub(crate) fn new(columns: Vec<Column>) -> Self {
        Self { columns, rows: Vec::new() }
    }

    pub(crate) fn push(&mut self, row: Vec<String>) {
        debug_assert_eq!(row.len(), self.columns.len());
        self.rows.push(row);
    }

    /// The table, within so many columns of a terminal as far as what can be spared allows.
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
        let mut text = self.padded(&self.header(), widths, BETWEEN);
        let rules: Vec<String> = widths.iter().map(|&width| "─".repeat(width)).collect();
        text.push_str(&rules.join(BETWEEN));
        text.push('\n');
        text.extend(self.rows.iter().map(|row| self.padded(row, widths, BETWEEN)));
        text
    }

    pub(crate) fn markdown(&self) -> String {
        let widths = self.widths();
        let line = |row: &[String]| format!("| {} |\n", self.padded(row, &widths, " | ").trim_end_matches('\n'));
        let rule = |(column, &width): (&Column, &usize)| match column.align {
            Align::Left => "-".repeat(width.max(3)),
            Align::Right => format!("{}:", "-".repeat(width.max(3) - 1)),
        };
        let rules: Vec<String> = self.columns.iter().zip(&widths).map(rule).collect();
        let rows: String = self.rows.iter().map(|row| line(row)).collect();
        format!("{}| {} |\n{rows}", line(&self.header()), rules.join(" | "))
    }

    pub(crate) fn csv(&self) -> String {
        let quoted = |cell: &String| {
            if cell.contains([',', '"', '\n']) { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell.clone() }
        };
        let line = |row: &Vec<String>| format!("{}\n", row.iter().map(quoted).collect::<Vec<_>>().join(","));
        std::iter::once(&self.header()).chain(&self.rows).map(line).collect()
    }

    fn header(&self) -> Vec<String> {
        self.columns.iter().map(|column| column.name.to_owned()).collect()
    }

    fn widths(&self) -> Vec<usize> {
        let width = |column: usize| {
            let cells = self.rows.iter().map(|row| row[column].chars().count());
            cells.max().unwrap_or(0).max(self.columns[column].name.chars().count())
        };
        (0..self.columns.len()).map(width).collect()
    }

    fn padded(&self, row: &[String], widths: &[usize], between: &str) -> String {
        let cell = |((cell, &width), column): ((&String, &usize), &Column)| match column.align {
            Align::Left => format!("{cell:width$}"),
            Align::Right => format!("{cell:>width$}"),
        };
        let cells: Vec<String> = row.iter().zip(widths).zip(&self.columns).map(cell).collect();
        let line = cells.join(between);
        format!("{}\n", if between == BETWEEN { line.trim_end() } else { &line })
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
        assert_eq!(sample().csv(), "name,states\n\"a, b\",1\nc,\"1,000\"\n");
    }

    #[test]
    fn what_can_be_spared_is_left_out_where_there_is_no_room() {
        assert_eq!(sample().text(12), sample().text(80));
        assert_eq!(sample().text(11), "name\n────\na, b\nc\n");
        assert_eq!(sample().text(1), sample().text(11));
    }
}

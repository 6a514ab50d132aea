//! Tables as aligned text, as Markdown and as CSV.

/// On which side a column's cells line up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Right,
}

/// Rows of cells under a header.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    columns: Vec<(&'static str, Align)>,
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(crate) fn new(columns: Vec<(&'static str, Align)>) -> Self {
        Self { columns, rows: Vec::new() }
    }

    pub(crate) fn push(&mut self, row: Vec<String>) {
        debug_assert_eq!(row.len(), self.columns.len());
        self.rows.push(row);
    }

    pub(crate) fn text(&self) -> String {
        let widths = self.widths();
        let mut text = self.padded(&self.header(), &widths, "  ");
        let rules: Vec<String> = widths.iter().map(|&width| "─".repeat(width)).collect();
        text.push_str(&rules.join("  "));
        text.push('\n');
        text.extend(self.rows.iter().map(|row| self.padded(row, &widths, "  ")));
        text
    }

    pub(crate) fn markdown(&self) -> String {
        let widths = self.widths();
        let line = |row: &[String]| format!("| {} |\n", self.padded(row, &widths, " | ").trim_end_matches('\n'));
        let rule = |(&(_, align), &width): (&(&str, Align), &usize)| match align {
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
        self.columns.iter().map(|(name, _)| (*name).to_owned()).collect()
    }

    fn widths(&self) -> Vec<usize> {
        let width = |column: usize| {
            let cells = self.rows.iter().map(|row| row[column].chars().count());
            cells.max().unwrap_or(0).max(self.columns[column].0.chars().count())
        };
        (0..self.columns.len()).map(width).collect()
    }

    fn padded(&self, row: &[String], widths: &[usize], between: &str) -> String {
        let cell = |((cell, &width), (_, align)): ((&String, &usize), &(&str, Align))| match align {
            Align::Left => format!("{cell:width$}"),
            Align::Right => format!("{cell:>width$}"),
        };
        let cells: Vec<String> = row.iter().zip(widths).zip(&self.columns).map(cell).collect();
        let line = cells.join(between);
        format!("{}\n", if between == "  " { line.trim_end() } else { &line })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Table {
        let mut table = Table::new(vec![("name", Align::Left), ("states", Align::Right)]);
        table.push(vec!["a, b".to_owned(), "1".to_owned()]);
        table.push(vec!["c".to_owned(), "1,000".to_owned()]);
        table
    }

    #[test]
    fn tables_line_up() {
        assert_eq!(sample().text(), "name  states\n────  ──────\na, b       1\nc      1,000\n");
        assert_eq!(sample().markdown(), "| name | states |\n| ---- | -----: |\n| a, b |      1 |\n| c    |  1,000 |\n");
        assert_eq!(sample().csv(), "name,states\n\"a, b\",1\nc,\"1,000\"\n");
    }
}

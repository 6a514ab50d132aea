//! Graphs from text.

use indexmap::IndexMap;

use super::{Edge, Edges, Graph, MAX_DECIMALS, NODE_BYTES, max_cost};
use crate::{FormatError, format::without_mark};

impl Graph {
    /// Reads a graph. Unless it is `directed`, each line is an edge both ways.
    pub fn read(text: &str, directed: bool) -> Result<Self, FormatError> {
        let mut graph = Self { nodes: IndexMap::new(), forward: Edges::default(), backward: Edges::default(), unit: 1 };
        let mut lines = Vec::with_capacity(text.lines().count());
        for (at, line) in without_mark(text).lines().enumerate().filter(|(_, line)| !is_skipped(line)) {
            let mut words = line.split_whitespace();
            // One word more than a line may have.
            let words: [Option<&str>; 5] = std::array::from_fn(|_| words.next());
            match words {
                [Some("@"), Some(name), Some(x), Some(y), None] => {
                    check_name(at + 1, name)?;
                    graph.locate(at + 1, name, x, y)?;
                }
                [Some(from), Some(to), Some(cost), None, None] if from != "@" => {
                    check_name(at + 1, to)?;
                    let (from, to) = (graph.add(from), graph.add(to));
                    lines.push(EdgeLine { number: at + 1, from, to, cost: Decimal::read(at + 1, cost)? });
                }
                _ => return Err(FormatError::at(at + 1, format_args!("found `{line}`, expected {EXPECTED_LINE}"))),
            }
        }
        if graph.is_empty() {
            return Err(FormatError::whole(format_args!(
                "found no edges and no nodes, expected lines {EXPECTED_LINE}"
            )));
        }
        graph.nodes.shrink_to_fit();
        graph.connect(lines, directed)?;
        Ok(graph)
    }

    /// Upper bound of the bytes that reading a text takes: a caller with a limit reserves them before.
    pub fn most_bytes(text: &str) -> u64 {
        // Each line has at most two names, and is an edge both ways, forth and back. A list that grows holds up to three times
        // its entries while they are moved, and so does a hash table of four indices an entry.
        let lines = text.lines().count() + 4;
        let nodes = 2 * lines * (3 * NODE_BYTES + 4 * size_of::<usize>());
        let edges = lines * (size_of::<EdgeLine>() + 4 * (size_of::<Edge>() + size_of::<usize>()));
        (nodes + edges + 2 * text.len()) as u64
    }

    fn add(&mut self, name: &str) -> u32 {
        match self.nodes.get_index_of(name) {
            Some(node) => node as u32,
            None => self.nodes.insert_full(name.into(), None).0 as u32,
        }
    }

    fn locate(&mut self, line: usize, name: &str, x: &str, y: &str) -> Result<(), FormatError> {
        let coordinate = |text: &str| {
            let value = text.parse().ok().filter(|value: &f64| value.abs() <= MAX_COORDINATE);
            let expected = format_args!("a number from -{MAX_COORDINATE:e} to {MAX_COORDINATE:e}");
            let message = format_args!("found the coordinate `{text}`, expected {expected}");
            value.ok_or_else(|| FormatError::at(line, message))
        };
        let position = (coordinate(x)?, coordinate(y)?);
        let node = self.add(name) as usize;
        match self.nodes[node].replace(position) {
            Some(other) if other != position => {
                Err(FormatError::at(line, format_args!("found a second position of {name}, expected one")))
            }
            _ => Ok(()),
        }
    }

    fn connect(&mut self, mut lines: Vec<EdgeLine>, directed: bool) -> Result<(), FormatError> {
        let decimals = lines.iter().map(|line| line.cost.decimals).max().unwrap_or(0);
        self.unit = 10_u64.pow(decimals);
        for EdgeLine { number, cost, .. } in &mut lines {
            let scaled = cost.digits.checked_mul(10_u64.pow(decimals - cost.decimals));
            let digits = scaled.filter(|&digits| digits <= max_cost(self.unit));
            let digits = digits.ok_or_else(|| too_large(*number, decimals))?;
            *cost = Decimal { digits, decimals };
        }
        let arcs = lines.iter().flat_map(|&EdgeLine { from, to, cost, .. }| {
            let back = (!directed && from != to).then_some((to, from, cost.digits));
            [(from, to, cost.digits)].into_iter().chain(back)
        });
        let back = arcs.clone().map(|(from, to, cost)| (to, Edge { to: from, cost }));
        let forth = arcs.map(|(from, to, cost)| (from, Edge { to, cost }));
        self.forward = Edges::new(self.len(), forth);
        self.backward = Edges::new(self.len(), back);
        Ok(())
    }
}

fn too_large(line: usize, decimals: u32) -> FormatError {
    let unit = 10_u64.pow(decimals);
    let most = max_cost(unit) as f64 / unit as f64;
    FormatError::at(line, format_args!("found a cost above {most}, the greatest in a file with {decimals} decimals"))
}

/// An edge as it was written, and on which line.
struct EdgeLine {
    number: usize,
    from: u32,
    to: u32,
    cost: Decimal,
}

#[derive(Clone, Copy)]
struct Decimal {
    digits: u64,
    decimals: u32,
}

impl Decimal {
    fn read(line: usize, text: &str) -> Result<Self, FormatError> {
        let (whole, part) = text.split_once('.').unwrap_or((text, ""));
        let part = part.trim_end_matches('0');
        let all_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if whole.is_empty() || !all_digits(whole) || !all_digits(part) || part.len() > MAX_DECIMALS {
            let expected = format_args!("a number of at least 0 with at most {MAX_DECIMALS} decimals");
            return Err(FormatError::at(line, format_args!("found the cost `{text}`, expected {expected}")));
        }
        let decimals = part.len() as u32;
        let digits = format!("{whole}{part}").parse().map_err(|_| too_large(line, decimals))?;
        Ok(Self { digits, decimals })
    }
}

const MAX_COORDINATE: f64 = 1e15;
/// The forms of a line that is no comment.
const EXPECTED_LINE: &str = "`from to cost` or `@ name x y`";
const COMMENT: char = '#';

fn is_skipped(line: &str) -> bool {
    line.trim().is_empty() || line.trim_start().starts_with(COMMENT)
}

/// Refuses a name that begins with `#`: a line that begins with it is a comment.
fn check_name(line: usize, name: &str) -> Result<(), FormatError> {
    if name.starts_with(COMMENT) {
        let expected = format_args!("one that does not begin with `{COMMENT}`: that begins a comment");
        return Err(FormatError::at(line, format_args!("found the name `{name}`, expected {expected}")));
    }
    Ok(())
}

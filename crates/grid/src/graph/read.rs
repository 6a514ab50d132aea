//! Graphs from text.

use std::ops::ControlFlow::{self, Break, Continue};

use pintu_search::{Control, Hold, Stop};

use super::{Edge, Edges, Graph, MOST_DECIMALS, show};
use crate::{format::without_mark, names::Names};

impl Graph {
    /// Reads a graph. Unless it is `directed`, each line is an edge both ways.
    pub fn read(text: &str, directed: bool) -> Result<Self, GraphError> {
        match Self::within(text, directed, &mut Control::unlimited().hold()) {
            Continue(read) => read,
            Break(why) => unreachable!("nothing limits it: {why}"),
        }
    }

    /// Reads a graph within a limit on memory. The hold is asked for everything before it is taken, and is left with
    /// what the graph [holds](Self::bytes) besides what it had.
    pub fn within(text: &str, directed: bool, hold: &mut Hold) -> ControlFlow<Stop, Result<Self, GraphError>> {
        let before = hold.bytes();
        let read = Self::read_holding(text, directed, hold);
        hold.set(before + read.as_ref().map_or(0, Self::bytes))?;
        match read {
            Err(Unread::Refused(why)) => Break(why),
            Err(Unread::Bad(error)) => Continue(Err(error)),
            Ok(graph) => Continue(Ok(graph)),
        }
    }

    fn read_holding(text: &str, directed: bool, hold: &mut Hold) -> Result<Self, Unread> {
        let mut graph = Self {
            names: Names::default(),
            places: Vec::new(),
            forward: Edges::default(),
            backward: Edges::default(),
            unit: 1,
        };
        let mut lines = Vec::new();
        for (at, line) in without_mark(text).lines().enumerate().filter(|(_, line)| !is_skipped(line)) {
            let mut words = line.split_whitespace();
            // One more than there may be.
            let words: [Option<&str>; 5] = std::array::from_fn(|_| words.next());
            match words {
                [Some("@"), Some(name), Some(x), Some(y), None] => {
                    check_name(at + 1, name)?;
                    graph.put(at + 1, name, x, y, hold)?;
                }
                [Some(from), Some(to), Some(cost), None, None] if from != "@" => {
                    check_name(at + 1, to)?;
                    let (from, to) = (graph.add(from, hold)?, graph.add(to, hold)?);
                    make_room(&mut lines, hold)?;
                    lines.push(Line { number: at + 1, from, to, cost: Decimal::read(at + 1, cost)? });
                }
                _ => return Err(GraphError::Line { line: at + 1, found: line.to_owned() }.into()),
            }
        }
        if graph.is_empty() {
            return Err(GraphError::Empty.into());
        }
        graph.connect(lines, directed, hold)?;
        Ok(graph)
    }

    fn add(&mut self, name: &str, hold: &mut Hold) -> Result<u32, Unread> {
        let number = granted(self.names.add(name, hold))?;
        if self.places.len() < self.names.len() {
            make_room(&mut self.places, hold)?;
            self.places.push(None);
        }
        Ok(number)
    }

    fn put(&mut self, line: usize, name: &str, x: &str, y: &str, hold: &mut Hold) -> Result<(), Unread> {
        let coordinate = |text: &str| {
            let value = text.parse().ok().filter(|value: &f64| value.is_finite());
            value.ok_or_else(|| GraphError::Coordinate { line, found: text.to_owned() })
        };
        let place = (coordinate(x)?, coordinate(y)?);
        let node = self.add(name, hold)?;
        match self.places[node as usize].replace(place) {
            Some(other) if other != place => Err(GraphError::TwoPlaces { line, name: name.to_owned() }.into()),
            _ => Ok(()),
        }
    }

    fn connect(&mut self, mut lines: Vec<Line>, directed: bool, hold: &mut Hold) -> Result<(), Unread> {
        let decimals = lines.iter().map(|line| line.cost.decimals).max().unwrap_or(0);
        self.unit = 10_u64.pow(decimals);
        for Line { number, cost, .. } in &mut lines {
            let scaled = cost.digits.checked_mul(10_u64.pow(decimals - cost.decimals));
            let most = || show(u64::MAX, self.unit);
            let digits = scaled.ok_or_else(|| GraphError::TooDear { line: *number, decimals, most: most() })?;
            *cost = Decimal { digits, decimals };
        }
        let arcs = lines.iter().flat_map(|&Line { from, to, cost, .. }| {
            let back = (!directed && from != to).then_some((to, from, cost.digits));
            [(from, to, cost.digits)].into_iter().chain(back)
        });
        let back = arcs.clone().map(|(from, to, cost)| (to, Edge { to: from, cost }));
        let forth = arcs.map(|(from, to, cost)| (from, Edge { to, cost }));
        self.forward = granted(Edges::new(self.len(), forth, hold))?;
        self.backward = granted(Edges::new(self.len(), back, hold))?;
        Ok(())
    }
}

/// What is wrong with a graph's text.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GraphError {
    /// No nodes at all.
    #[error("found no edges and no nodes, expected lines `from to cost` or `@ name x y`")]
    Empty,
    /// A line of neither kind.
    #[error("line {line}: found `{found}`, expected `from to cost` or `@ name x y`")]
    Line {
        /// The line, from 1.
        line: usize,
        /// What stands there.
        found: String,
    },
    /// A name that would be a comment at the beginning of a line.
    #[error(
        "line {line}: found the name `{found}`, expected one that does not begin with `{COMMENT}`: that begins a comment"
    )]
    Name {
        /// The line, from 1.
        line: usize,
        /// What stands there.
        found: String,
    },
    /// Not a cost.
    #[error(
        "line {line}: found the cost `{found}`, expected a number of at least 0 with at most {MOST_DECIMALS} decimals"
    )]
    Cost {
        /// The line, from 1.
        line: usize,
        /// What stands there.
        found: String,
    },
    /// A cost that has no room.
    #[error("line {line}: found a cost above {most}, the most that costs with {decimals} decimals can be")]
    TooDear {
        /// The line, from 1.
        line: usize,
        /// The decimals of the most precise cost.
        decimals: u32,
        /// The most that fits.
        most: String,
    },
    /// Not a coordinate.
    #[error("line {line}: found the coordinate `{found}`, expected a number")]
    Coordinate {
        /// The line, from 1.
        line: usize,
        /// What stands there.
        found: String,
    },
    /// A node in two places.
    #[error("line {line}: found a second place for {name}, expected one")]
    TwoPlaces {
        /// The line, from 1.
        line: usize,
        /// The node.
        name: String,
    },
}

/// Room for one more, if there is memory for it.
fn make_room<T>(list: &mut Vec<T>, hold: &mut Hold) -> Result<(), Unread> {
    const FIRST: usize = 1 << 6;
    if list.len() < list.capacity() {
        return Ok(());
    }
    granted(hold.reserve(list, (list.len() / 2 * 3).max(FIRST)))
}

/// What was asked for, if it was not refused.
fn granted<T>(asked: ControlFlow<Stop, T>) -> Result<T, Unread> {
    match asked {
        Continue(granted) => Ok(granted),
        Break(why) => Err(Unread::Refused(why)),
    }
}

/// Why a graph was not read.
enum Unread {
    Refused(Stop),
    Bad(GraphError),
}

impl From<GraphError> for Unread {
    fn from(error: GraphError) -> Self {
        Self::Bad(error)
    }
}

/// An edge as it was written, and on which line.
struct Line {
    number: usize,
    from: u32,
    to: u32,
    cost: Decimal,
}

/// A cost as it was written.
#[derive(Clone, Copy)]
struct Decimal {
    digits: u64,
    decimals: u32,
}

impl Decimal {
    fn read(line: usize, text: &str) -> Result<Self, GraphError> {
        let bad = || GraphError::Cost { line, found: text.to_owned() };
        let (whole, part) = text.split_once('.').unwrap_or((text, ""));
        let part = part.trim_end_matches('0');
        let all_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if whole.is_empty() || !all_digits(whole) || !all_digits(part) || part.len() > MOST_DECIMALS {
            return Err(bad());
        }
        let decimals = part.len() as u32;
        let most = || show(u64::MAX, 10_u64.pow(decimals));
        let digits = format!("{whole}{part}").parse();
        let digits = digits.map_err(|_| GraphError::TooDear { line, decimals, most: most() })?;
        Ok(Self { digits, decimals: part.len() as u32 })
    }
}

/// What a line begins with that says nothing of the graph.
const COMMENT: char = '#';

fn is_skipped(line: &str) -> bool {
    line.trim().is_empty() || line.trim_start().starts_with(COMMENT)
}

/// Refuses a name that nothing could lead from: a line that begins with it is a comment.
fn check_name(line: usize, name: &str) -> Result<(), GraphError> {
    if name.starts_with(COMMENT) {
        return Err(GraphError::Name { line, found: name.to_owned() });
    }
    Ok(())
}

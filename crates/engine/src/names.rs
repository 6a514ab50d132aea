//! What things are called.

use std::{fmt, str::FromStr};

use crate::device::Device;

/// A way to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Algorithm {
    /// Whatever suits the board and the budget.
    Auto,
    /// Breadth-first search.
    Bfs,
    /// Breadth-first search from both ends.
    Bidirectional,
    /// Depth-first search to a depth.
    Dfs,
    /// Depth-first search with a growing depth.
    Iddfs,
    /// Dijkstra's algorithm.
    Dijkstra,
    /// Greedy best-first search.
    Greedy,
    /// A*.
    Astar,
    /// Weighted A*.
    Wastar,
    /// Iterative deepening A*.
    Ida,
    /// A beam search, whose solution is improved for as long as there is time. Only `auto` uses it, so it
    /// is no name to ask for.
    Beam,
    /// Row by row, as people do it, without a search: what `auto` has where nothing more is allowed. No name to ask for.
    Construction,
    /// Breadth-first search without duplicate detection.
    BfsTree,
    /// Depth-first search without duplicate detection.
    DfsTree,
}

impl Algorithm {
    /// All that can be asked for.
    pub const ALL: [Self; 12] = [
        Self::Auto,
        Self::Bfs,
        Self::Bidirectional,
        Self::Dfs,
        Self::Iddfs,
        Self::Dijkstra,
        Self::Greedy,
        Self::Astar,
        Self::Wastar,
        Self::Ida,
        Self::BfsTree,
        Self::DfsTree,
    ];

    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Bfs => "bfs",
            Self::Bidirectional => "bidirectional",
            Self::Dfs => "dfs",
            Self::Iddfs => "iddfs",
            Self::Dijkstra => "dijkstra",
            Self::Greedy => "greedy",
            Self::Astar => "astar",
            Self::Wastar => "wastar",
            Self::Ida => "ida",
            Self::Beam => "beam",
            Self::Construction => "construction",
            Self::BfsTree => "bfs-tree",
            Self::DfsTree => "dfs-tree",
        }
    }

    /// Whether it looks at a heuristic.
    pub fn uses_heuristic(self) -> bool {
        matches!(self, Self::Auto | Self::Greedy | Self::Astar | Self::Wastar | Self::Ida)
    }

    /// Whether it goes to a depth that it is told.
    pub fn has_depth(self) -> bool {
        matches!(self, Self::Dfs | Self::DfsTree)
    }
}

/// An estimate of the moves that are left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HeuristicName {
    /// Nothing: zero everywhere.
    None,
    /// Tiles out of place.
    Misplaced,
    /// Distances as the crow flies.
    Euclidean,
    /// Distances along rows and columns.
    Manhattan,
    /// Manhattan distance and conflicts within lines.
    LinearConflict,
    /// Walking distance.
    WalkingDistance,
    /// Pattern tables.
    Pattern,
}

impl HeuristicName {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::None,
        Self::Misplaced,
        Self::Euclidean,
        Self::Manhattan,
        Self::LinearConflict,
        Self::WalkingDistance,
        Self::Pattern,
    ];

    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Misplaced => "misplaced",
            Self::Euclidean => "euclidean",
            Self::Manhattan => "manhattan",
            Self::LinearConflict => "linear-conflict",
            Self::WalkingDistance => "walking-distance",
            Self::Pattern => "pattern",
        }
    }
}

/// A name that nothing has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("found {kind} `{found}`, expected {expected}")]
pub struct UnknownName {
    kind: &'static str,
    found: String,
    expected: String,
}

/// So many names are listed in a message; of more, only how many there are and the nearest.
const MOST_LISTED: usize = 16;
/// So many names are suggested.
const MOST_SUGGESTED: usize = 3;

impl UnknownName {
    /// The error for `found`, with the nearest of the known names if some are near.
    pub fn new<'a>(kind: &'static str, found: &str, known: impl IntoIterator<Item = &'a str, IntoIter: Clone>) -> Self {
        let known = known.into_iter();
        let count = known.clone().count();
        let listed = |most: usize| known.clone().take(most).map(clipped).collect::<Vec<_>>().join(", ");
        let near = nearest(found, known.clone(), if count > MOST_LISTED { MOST_SUGGESTED } else { 1 });
        let meant = match near.as_slice() {
            [] => String::new(),
            near => format!(" (did you mean {}?)", or(near)),
        };
        let expected = match (count, near.is_empty()) {
            (..=MOST_LISTED, _) => format!("one of {}", listed(MOST_LISTED)),
            (_, true) => format!("one of {count} names, such as {}", listed(MOST_SUGGESTED)),
            (_, false) => format!("one of {count} names"),
        };
        Self { kind, found: clipped(found), expected: expected + &meant }
    }
}

/// Names as alternatives: `a`, `b` or `c`.
fn or(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.as_slice() {
        [before @ .., last] if !before.is_empty() => format!("{} or {last}", before.join(", ")),
        _ => quoted.concat(),
    }
}

/// What is longer is no name that somebody has mistyped. (To compare two names takes as long as both lengths multiplied.)
const LONGEST_NAME: usize = 64;

/// The most similar of the known names, so many at most: as far as they are similar.
fn nearest<'a>(found: &str, known: impl Iterator<Item = &'a str>, most: usize) -> Vec<&'a str> {
    let is_name = |name: &&str| name.len() <= LONGEST_NAME;
    let Some(lower) = Some(found).filter(is_name).map(str::to_lowercase) else { return Vec::new() };
    let mut best: Vec<(f64, &str)> = Vec::new();
    for name in known.filter(is_name) {
        let nearness = strsim::jaro_winkler(&lower, &name.to_lowercase());
        if nearness > 0.7 {
            let place = best.partition_point(|(other, _)| *other >= nearness);
            best.insert(place, (nearness, name));
            best.truncate(most);
        }
    }
    best.into_iter().map(|(_, name)| name).collect()
}

/// A name as a message shows it: the beginning of one that is too long to be one.
fn clipped(name: &str) -> String {
    match name.char_indices().nth(LONGEST_NAME) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.to_owned(),
    }
}

macro_rules! named {
    ($name:ident, $kind:literal) => {
        impl FromStr for $name {
            type Err = UnknownName;

            fn from_str(text: &str) -> Result<Self, UnknownName> {
                let unknown = || UnknownName::new($kind, text, Self::ALL.map(Self::name));
                Self::ALL.into_iter().find(|one| one.name().eq_ignore_ascii_case(text)).ok_or_else(unknown)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.name())
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        }
    };
}

named!(Device, "the device");
named!(Algorithm, "the algorithm");
named!(HeuristicName, "the heuristic");

pub(crate) use named;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_names_are_listed_and_of_many_the_nearest() {
        let said = |found: &str, known: &[&str]| UnknownName::new("the node", found, known.iter().copied()).to_string();
        assert_eq!(said("z", &["a", "b"]), "found the node `z`, expected one of a, b");
        assert_eq!(
            said("alhpa", &["b", "alpha"]),
            "found the node `alhpa`, expected one of b, alpha (did you mean `alpha`?)"
        );
        let many: Vec<String> = (0..100).map(|number| format!("node{number}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert_eq!(said("x", &many), "found the node `x`, expected one of 100 names, such as node0, node1, node2");
        let near = "(did you mean `node7`, `node17` or `node27`?)";
        assert_eq!(said("nod7", &many), format!("found the node `nod7`, expected one of 100 names {near}"));
        let long = "n".repeat(1000);
        assert!(said(&long, &[&long[1..]]).len() < 300, "names that are too long are cut");
    }
}

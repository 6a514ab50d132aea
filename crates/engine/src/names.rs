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
#[error("found {kind} `{found}`, expected {expected}{}", suggestion(.nearest.as_deref()))]
pub struct UnknownName {
    kind: &'static str,
    found: String,
    expected: String,
    nearest: Option<String>,
}

/// What somebody may have meant, for the end of a message.
pub(crate) fn suggestion(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |name| format!(" (did you mean `{name}`?)"))
}

impl UnknownName {
    /// The error for `found`, with the nearest of the known names if one is near.
    pub fn new<'a>(kind: &'static str, found: &str, known: impl IntoIterator<Item = &'a str>) -> Self {
        let known: Vec<&str> = known.into_iter().collect();
        Self {
            kind,
            found: clipped(found),
            expected: format!("one of {}", known.join(", ")),
            nearest: nearest(found, known).map(str::to_owned),
        }
    }
}

/// What is longer is no name that somebody has mistyped. (To compare two names takes as long as both lengths multiplied.)
const LONGEST_NAME: usize = 64;

/// The most similar of the known names, if it is similar.
pub(crate) fn nearest<'a>(found: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let is_name = |name: &&str| name.len() <= LONGEST_NAME;
    let lower = Some(found).filter(is_name)?.to_lowercase();
    let nearness = |name: &str| strsim::jaro_winkler(&lower, &name.to_lowercase());
    let rated = known.into_iter().filter(is_name).map(|name| (nearness(name), name));
    rated.max_by(|a, b| a.0.total_cmp(&b.0)).filter(|(nearness, _)| *nearness > 0.7).map(|(_, name)| name)
}

/// A name as a message shows it: the beginning of one that is too long to be one.
pub(crate) fn clipped(name: &str) -> String {
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

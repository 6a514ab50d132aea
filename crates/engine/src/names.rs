//! The names of algorithms and heuristics.

/// Defines an enum whose variants have names that requests use, and then variants that no request can name.
macro_rules! named_enum {
    (
        $(#[$doc:meta])* $name:ident, $kind:literal,
        { $($(#[$one_doc:meta])* $one:ident = $text:literal,)+ }
        $({ $($(#[$more_doc:meta])* $more:ident = $more_text:literal,)+ })?
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name {
            $($(#[$one_doc])* $one,)+
            $($($(#[$more_doc])* $more,)+)?
        }

        impl $name {
            /// All variants that a request can name.
            pub const ALL: [Self; [$($text),+].len()] = [$(Self::$one),+];

            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$one => $text,)+
                    $($(Self::$more => $more_text,)+)?
                }
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::UnknownName;

            fn from_str(text: &str) -> Result<Self, $crate::UnknownName> {
                let unknown = || $crate::UnknownName::new($kind, text, Self::ALL.map(Self::name));
                Self::ALL.into_iter().find(|one| one.name().eq_ignore_ascii_case(text)).ok_or_else(unknown)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
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

pub(crate) use named_enum;

named_enum! {
    Algorithm, "the algorithm",
    {
        /// The search that suits the board and the budget.
        Auto = "auto",
        Bfs = "bfs",
        Bidirectional = "bidirectional",
        /// Depth-first search to a depth.
        Dfs = "dfs",
        /// Depth-first search with a growing depth.
        Iddfs = "iddfs",
        Dijkstra = "dijkstra",
        Greedy = "greedy",
        Astar = "astar",
        Wastar = "wastar",
        Ida = "ida",
        /// Breadth-first search without duplicate detection.
        BfsTree = "bfs-tree",
        /// Depth-first search without duplicate detection.
        DfsTree = "dfs-tree",
    }
    {
        /// A beam search, whose solution is improved for as long as there is time. Only `auto` uses it.
        Beam = "beam",
        /// Row by row, as people do it, without a search: the fallback of `auto` when the limits allow nothing else.
        Construction = "construction",
    }
}

impl Algorithm {
    pub fn uses_heuristic(self) -> bool {
        matches!(self, Self::Auto | Self::Greedy | Self::Astar | Self::Wastar | Self::Ida)
    }

    /// Whether it searches to a given depth.
    pub fn has_depth(self) -> bool {
        matches!(self, Self::Dfs | Self::DfsTree)
    }
}

named_enum! {
    HeuristicName, "the heuristic",
    {
        /// The zero heuristic.
        None = "none",
        /// Tiles out of place.
        Misplaced = "misplaced",
        /// Straight-line distances.
        Euclidean = "euclidean",
        /// Distances along rows and columns.
        Manhattan = "manhattan",
        /// Manhattan distance and conflicts within lines.
        LinearConflict = "linear-conflict",
        WalkingDistance = "walking-distance",
        Pattern = "pattern",
    }
    {
        /// The mean of many small pattern tables, and a network. Only the beams of `auto` use it, on large squares.
        Network = "tables+network",
        /// The same without a network. Only the beams of `auto` use it, on large boards.
        Tables = "tables",
        /// Powers of distances, conflicts within lines, and tiles on the border. Only the beams of `auto` use it.
        Disorder = "distances+conflicts",
    }
}

/// A name that does not exist.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("found {kind} `{found}`, expected {expected}")]
pub struct UnknownName {
    kind: &'static str,
    found: String,
    expected: String,
}

/// The most names that a message lists; of more it gives the number and some examples.
const MAX_LISTED: usize = 16;

impl UnknownName {
    /// The error for `found`, with the nearest of the known names if one is near.
    pub fn new<'a>(kind: &'static str, found: &str, known: impl IntoIterator<Item = &'a str, IntoIter: Clone>) -> Self {
        let known = known.into_iter();
        let listed = |most: usize| known.clone().take(most).map(clipped).collect::<Vec<_>>().join(", ");
        let expected = match known.clone().count() {
            ..=MAX_LISTED => format!("one of {}", listed(MAX_LISTED)),
            count => format!("one of {count} names, such as {}", listed(3)),
        };
        let meant = nearest_name(found, known.clone()).map(|near| format!(" (did you mean `{near}`?)"));
        Self { kind, found: clipped(found), expected: expected + &meant.unwrap_or_default() }
    }
}

/// The longest name, in bytes, that is compared with others: the time grows with the product of the lengths.
const MAX_NAME_BYTES: usize = 64;

/// Common names of algorithms elsewhere, without hyphens and with `star` for `*`, and their names here.
const OTHER_NAMES: [(&str, &str); 10] = [
    ("idastar", "ida"),
    ("weightedastar", "wastar"),
    ("breadthfirst", "bfs"),
    ("depthfirst", "dfs"),
    ("iterativedeepening", "iddfs"),
    ("bestfirst", "greedy"),
    ("uniformcost", "dijkstra"),
    ("ucs", "dijkstra"),
    ("bidi", "bidirectional"),
    ("jumppoint", "jps"),
];

/// The known name that another name stands for, or the most similar one, if one is similar.
pub fn nearest_name<'a>(found: &str, known: impl IntoIterator<Item = &'a str, IntoIter: Clone>) -> Option<&'a str> {
    let is_name = |name: &&str| name.len() <= MAX_NAME_BYTES;
    let known = known.into_iter();
    let lower = Some(found).filter(is_name)?.to_ascii_lowercase().replace('*', "star");
    let bare = lower.replace(['-', '_'], "");
    let other = OTHER_NAMES.iter().find(|(other, _)| *other == bare).map(|(_, name)| *name);
    let nearness = |name: &'a str| {
        let known = name.to_ascii_lowercase();
        // A swap of two letters makes a short name very dissimilar.
        let is_swap = lower.len() > 2 && strsim::osa_distance(&lower, &known) == 1;
        let is_meant = other == Some(name) || bare == known;
        let similarity = strsim::jaro_winkler(&lower, &known);
        (if is_meant { 1.0 } else { similarity.max(if is_swap { 0.8 } else { 0.0 }) }, name)
    };
    let near = known.filter(is_name).map(nearness).filter(|(nearness, _)| *nearness > 0.7);
    near.min_by(|(a, _), (b, _)| b.total_cmp(a)).map(|(_, name)| name)
}

/// A name for a message, cut if it is very long.
fn clipped(name: &str) -> String {
    match name.char_indices().nth(MAX_NAME_BYTES) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.to_owned(),
    }
}

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
        assert!(said("nod7", &many).ends_with("one of 100 names, such as node0, node1, node2 (did you mean `node7`?)"));
        let algorithms = || crate::Algorithm::ALL.map(crate::Algorithm::name);
        for (found, meant) in [("A*", "astar"), ("a-star", "astar"), ("wa*", "wastar"), ("IDA*", "ida"), ("bsf", "bfs")]
        {
            assert_eq!(nearest_name(found, algorithms()), Some(meant), "{found}");
        }
        for (other, name) in OTHER_NAMES.iter().filter(|(_, name)| *name != "jps") {
            assert_eq!(nearest_name(other, algorithms()), Some(*name));
        }
        let long = "n".repeat(1000);
        assert!(said(&long, &[&long[1..]]).len() < 300, "names that are too long are cut");
    }
}

use serde::{Deserialize, Serialize};

/// Where a game's start comes from. Only a scramble that is uniform over the solvable boards, made here and
/// played here from its start, sets records: any other start may have been chosen because it is easy, or
/// because its solution is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// A uniform scramble made here, and what a save that says nothing has.
    #[default]
    Scramble,
    /// A scramble by a random walk, which favours boards near the end.
    Walk,
    /// A position from a link.
    Link,
    /// A position from a file.
    File,
    /// A position from the lab.
    Lab,
    /// The puzzle of a day, which anybody can know beforehand.
    Daily,
}

impl Origin {
    /// Whether games from such a start set records.
    pub fn is_ranked(self) -> bool {
        self == Self::Scramble
    }

    /// What it is called in a sentence.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Scramble => "a uniform scramble",
            Self::Walk => "a random walk",
            Self::Link => "a link",
            Self::File => "a file",
            Self::Lab => "the lab",
            Self::Daily => "the puzzle of a day",
        }
    }

    // Serde wants a reference.
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's `skip_serializing_if` passes a reference")]
    pub(crate) fn is_usual(&self) -> bool {
        *self == Self::default()
    }
}

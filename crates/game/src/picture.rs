use std::{fmt, str::FromStr};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The name of the picture that is played; the picture itself lies elsewhere.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(into = "String", try_from = "String")]
#[schemars(with = "String")]
pub enum Picture {
    /// One that comes with the game: `builtin:NAME`.
    Builtin(String),
    /// One of the player's own, under the id that the store gave it.
    Stored(String),
}

const PREFIX: &str = "builtin:";
const MAX_NAME_LENGTH: usize = 64;

impl FromStr for Picture {
    type Err = PictureError;

    fn from_str(text: &str) -> Result<Self, PictureError> {
        let word = text.strip_prefix(PREFIX).unwrap_or(text);
        let plain = word.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_');
        if !plain || word.is_empty() || word.len() > MAX_NAME_LENGTH {
            return Err(PictureError { found: text.chars().take(MAX_NAME_LENGTH).collect() });
        }
        let word = word.to_owned();
        Ok(if text.starts_with(PREFIX) { Self::Builtin(word) } else { Self::Stored(word) })
    }
}

impl TryFrom<String> for Picture {
    type Error = PictureError;

    fn try_from(text: String) -> Result<Self, PictureError> {
        text.parse()
    }
}

impl From<Picture> for String {
    fn from(picture: Picture) -> Self {
        picture.to_string()
    }
}

impl fmt::Display for Picture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Builtin(name) => write!(f, "{PREFIX}{name}"),
            Self::Stored(id) => f.write_str(id),
        }
    }
}

/// A text that names no picture; an address on the net is one of those.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "found the picture `{found}`, expected `{PREFIX}NAME` or the id of a stored picture \
     (letters, digits, - and _, at most {MAX_NAME_LENGTH})"
)]
pub struct PictureError {
    found: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_ids_are_told_apart_and_addresses_and_paths_refused() {
        assert_eq!("builtin:ink-hills".parse(), Ok(Picture::Builtin("ink-hills".to_owned())));
        assert_eq!("0f3c".parse(), Ok(Picture::Stored("0f3c".to_owned())));
        assert_eq!(Picture::Builtin("a".to_owned()).to_string(), "builtin:a");
        let long = "a".repeat(65);
        for text in ["", "builtin:", "https://example.org/a.png", "../a", "data:image/png;base64,AAAA", "a b", &long] {
            assert!(text.parse::<Picture>().is_err(), "{text}");
        }
    }
}

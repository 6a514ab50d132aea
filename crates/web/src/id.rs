use std::fmt::{self, Write};

/// 128 random bits, as 32 hexadecimal digits: they cannot be guessed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Id(String);

impl Id {
    /// A new one, or nothing if the system has no random numbers to give.
    pub(crate) fn random() -> Option<Self> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).ok()?;
        Some(Self(hex(&bytes)))
    }

    pub(crate) fn parse(text: &str) -> Option<Self> {
        let digits = text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        (digits && text.len() == 32).then(|| Self(text.to_owned()))
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_read_as_they_are_written() {
        let id = Id::random().unwrap();
        assert_eq!(Id::parse(id.as_str()), Some(id.clone()));
        assert_ne!(Id::random().unwrap(), id);
        for text in ["", "0", "0123456789ABCDEF0123456789ABCDEF", "../../../../../../../../etc/passwd"] {
            assert_eq!(Id::parse(text), None);
        }
    }
}

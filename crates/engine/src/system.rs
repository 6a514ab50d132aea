//! The operating system's errors, in words.

use std::io::{self, ErrorKind};

/// An error of the operating system as part of a sentence, without its number.
pub fn in_words(error: &io::Error) -> String {
    // The engine's own errors are in words already.
    if error.get_ref().is_some() {
        return error.to_string();
    }
    let known = match error.kind() {
        ErrorKind::NotFound => "there is no such file or folder",
        ErrorKind::PermissionDenied => "permission denied",
        ErrorKind::NotADirectory => "a part of its path is a file, not a folder",
        ErrorKind::IsADirectory => "it is a folder",
        ErrorKind::AlreadyExists => "it exists already",
        ErrorKind::StorageFull => "the disk is full",
        ErrorKind::QuotaExceeded => "this user's share of the disk is full",
        ErrorKind::ReadOnlyFilesystem => "the disk can only be read",
        ErrorKind::InvalidFilename => "the name is too long, or not one for a file",
        ErrorKind::UnexpectedEof => "it ends too early",
        ErrorKind::AddrInUse => "the address is in use",
        ErrorKind::AddrNotAvailable => "this machine has no such address",
        _ => "",
    };
    if !known.is_empty() {
        return known.to_owned();
    }
    let said = error.to_string();
    said.split_once(" (os error").map_or(said.as_str(), |(words, _)| words).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_said_in_numbers() {
        assert_eq!(in_words(&std::fs::read("no such file").unwrap_err()), "there is no such file or folder");
        assert_eq!(in_words(&ErrorKind::NotFound.into()), "there is no such file or folder");
        assert_eq!(in_words(&io::Error::other("what we say (os error 2)")), "what we say (os error 2)");
        for number in 1..40 {
            let said = in_words(&io::Error::from_raw_os_error(number));
            assert!(!said.is_empty() && !said.contains("os error"), "{number}: {said}");
        }
    }
}

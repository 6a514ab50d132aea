//! What the server has issued, it knows again: it signs it with a key that only its database has.

use std::{
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::{id::hex, store::Store};

/// The server's key.
#[derive(Debug)]
pub(crate) struct Keys(Mutex<State>);

struct State {
    secret: [u8; 32],
    looked: Option<Instant>,
}

/// A key changes only when a backup is restored; nobody can make the server look more often.
const LOOK_AGAIN: Duration = Duration::from_secs(1);
/// Hexadecimal digits of a signature: 128 bits.
const DIGITS: usize = 32;
/// Hexadecimal digits of a tag: enough to tell the servers of one machine apart.
const TAG_DIGITS: usize = 8;

impl Keys {
    pub(crate) fn new(secret: [u8; 32]) -> Self {
        Self(Mutex::new(State { secret, looked: None }))
    }

    /// Signs what is given away, with the key that the database has now: it must be known after a restart, and after a
    /// backup was restored.
    pub(crate) async fn issue(&self, store: &dyn Store, purpose: &str, text: &str) -> String {
        self.look(store).await;
        self.sign(purpose, text)
    }

    /// A text with its signature for a purpose: digits of the one, digits of the other.
    fn sign(&self, purpose: &str, text: &str) -> String {
        let tag = self.mac(purpose, text).finalize().into_bytes();
        format!("{text}{}", &hex(&tag)[..DIGITS])
    }

    /// A short name for the server, which tells nothing of the key.
    pub(crate) fn tag(&self) -> String {
        hex(&self.mac("tag", "").finalize().into_bytes())[..TAG_DIGITS].to_owned()
    }

    /// Whether this can be the tag of some server.
    pub(crate) fn is_tag(text: &str) -> bool {
        text.len() == TAG_DIGITS && text.bytes().all(|byte| byte.is_ascii_hexdigit())
    }

    /// The text of a signed one, if it was signed here for the same purpose.
    pub(crate) async fn check<'a>(&self, store: &dyn Store, purpose: &str, signed: &'a str) -> Option<&'a str> {
        if let Some(text) = self.verify(purpose, signed) {
            return Some(text);
        }
        if self.is_time_to_look() {
            self.look(store).await;
            return self.verify(purpose, signed);
        }
        None
    }

    /// Takes the key that the database has now.
    async fn look(&self, store: &dyn Store) {
        if let Ok(secret) = store.secret().await {
            self.state().secret = secret;
        }
    }

    fn verify<'a>(&self, purpose: &str, signed: &'a str) -> Option<&'a str> {
        let at = signed.len().checked_sub(DIGITS).filter(|&at| signed.is_char_boundary(at))?;
        let (text, tag) = signed.split_at(at);
        let tag = unhex(tag)?;
        self.mac(purpose, text).verify_truncated_left(&tag).is_ok().then_some(text)
    }

    fn mac(&self, purpose: &str, text: &str) -> Hmac<Sha256> {
        let secret = self.state().secret;
        #[expect(clippy::expect_used, reason = "HMAC takes keys of every length")]
        let mut mac = Hmac::<Sha256>::new_from_slice(&secret).expect("any length will do");
        mac.update(purpose.as_bytes());
        mac.update(b"\0");
        mac.update(text.as_bytes());
        mac
    }

    fn is_time_to_look(&self) -> bool {
        let looked = &mut self.state().looked;
        let is_time = looked.is_none_or(|at| at.elapsed() > LOOK_AGAIN);
        if is_time {
            *looked = Some(Instant::now());
        }
        is_time
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for State {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a key")
    }
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let pairs = text.as_bytes().chunks(2);
    pairs.map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_signed_for_the_purpose_is_known() {
        let keys = Keys::new([7; 32]);
        let signed = keys.sign("browser", "0123");
        assert_eq!(keys.verify("browser", &signed), Some("0123"));
        assert_eq!(keys.verify("entrance", &signed), None);
        assert_eq!(Keys::new([8; 32]).verify("browser", &signed), None);
        let mut forged = signed.clone().into_bytes();
        forged[0] = b'9';
        assert_eq!(keys.verify("browser", std::str::from_utf8(&forged).unwrap()), None);
        for text in ["", "0123", &"0".repeat(64), "ä".repeat(40).as_str(), &signed[..signed.len() - 2]] {
            assert_eq!(keys.verify("browser", text), None, "{text}");
        }
    }
}

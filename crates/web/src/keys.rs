//! Signatures of what the server issues, with a secret that only its database has.

use std::{
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::{id::hex, store::Store};

pub(crate) struct Keys(Mutex<State>);

struct State {
    secret: [u8; 32],
    last_read: Option<Instant>,
}

/// The secret changes only when a backup is restored. Bad signatures make the server read it again at most this often.
const MIN_READ_INTERVAL: Duration = Duration::from_secs(1);
/// Hexadecimal digits of a signature: 128 bits.
const DIGITS: usize = 32;
/// Hexadecimal digits of a server's id: enough to tell the servers of one machine apart.
const SERVER_ID_DIGITS: usize = 8;

impl Keys {
    pub(crate) fn new(secret: [u8; 32]) -> Self {
        Self(Mutex::new(State { secret, last_read: None }))
    }

    /// Signs a text with the secret that the database has now, so that the signature is valid after a restart and after a
    /// restored backup.
    pub(crate) async fn issue(&self, store: &dyn Store, purpose: &str, text: &str) -> String {
        self.read_secret(store).await;
        self.sign(purpose, text)
    }

    /// A text followed by its signature for a purpose.
    fn sign(&self, purpose: &str, text: &str) -> String {
        let mac = self.mac(purpose, text).finalize().into_bytes();
        format!("{text}{}", &hex(&mac)[..DIGITS])
    }

    /// A short id of the server, which reveals nothing of the secret.
    pub(crate) fn server_id(&self) -> String {
        hex(&self.mac("tag", "").finalize().into_bytes())[..SERVER_ID_DIGITS].to_owned()
    }

    pub(crate) fn is_server_id(text: &str) -> bool {
        text.len() == SERVER_ID_DIGITS && text.bytes().all(|byte| byte.is_ascii_hexdigit())
    }

    /// The text of a signed one, if the signature is this server's for the purpose.
    pub(crate) async fn check<'a>(&self, store: &dyn Store, purpose: &str, signed: &'a str) -> Option<&'a str> {
        if let Some(text) = self.verify(purpose, signed) {
            return Some(text);
        }
        if self.may_read_again() {
            self.read_secret(store).await;
            return self.verify(purpose, signed);
        }
        None
    }

    async fn read_secret(&self, store: &dyn Store) {
        if let Ok(secret) = store.secret().await {
            self.state().secret = secret;
        }
    }

    fn verify<'a>(&self, purpose: &str, signed: &'a str) -> Option<&'a str> {
        let at = signed.len().checked_sub(DIGITS).filter(|&at| signed.is_char_boundary(at))?;
        let (text, mac) = signed.split_at(at);
        self.mac(purpose, text).verify_truncated_left(&unhex(mac)?).is_ok().then_some(text)
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

    fn may_read_again(&self) -> bool {
        let last_read = &mut self.state().last_read;
        let may_read = last_read.is_none_or(|at| at.elapsed() > MIN_READ_INTERVAL);
        if may_read {
            *last_read = Some(Instant::now());
        }
        may_read
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
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
    fn only_signatures_for_the_same_purpose_are_valid() {
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

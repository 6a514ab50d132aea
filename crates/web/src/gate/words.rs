//! Where requests carry what lets one in: a form, or a header.

use axum::http::{HeaderMap, header};

/// The password of an `Authorization` header: a bearer's token, or basic authentication's second half.
pub(super) fn bearer(headers: &HeaderMap) -> Option<String> {
    let (scheme, rest) = headers.get(header::AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    if scheme.eq_ignore_ascii_case("bearer") {
        return Some(rest.trim().to_owned());
    }
    let pair = String::from_utf8(base64(rest.trim())?).ok().filter(|_| scheme.eq_ignore_ascii_case("basic"))?;
    Some(pair.split_once(':')?.1.to_owned())
}

fn base64(text: &str) -> Option<Vec<u8>> {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bytes, mut bits, mut count) = (Vec::new(), 0_u32, 0);
    for digit in text.trim_end_matches('=').bytes() {
        bits = bits << 6 | DIGITS.iter().position(|&known| known == digit)? as u32;
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
            bits &= (1 << count) - 1;
        }
    }
    Some(bytes)
}

/// What the entrance's form sends.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Form {
    pub(super) password: String,
    pub(super) token: String,
}

impl Form {
    pub(super) fn read(text: &str) -> Self {
        let mut form = Self::default();
        for (name, value) in text.split('&').filter_map(|pair| pair.split_once('=')) {
            match name {
                "password" => form.password = decoded(value),
                "token" => form.token = decoded(value),
                _ => (),
            }
        }
        form
    }
}

/// A value of a form, as it was typed.
fn decoded(value: &str) -> String {
    let code = |text: &[u8]| u8::from_str_radix(std::str::from_utf8(text).ok()?, 16).ok();
    let mut bytes = Vec::new();
    let mut rest = value.as_bytes();
    while let [first, others @ ..] = rest {
        let escaped = others.get(..2).filter(|_| *first == b'%').and_then(code);
        bytes.push(escaped.unwrap_or(if *first == b'+' { b' ' } else { *first }));
        rest = if escaped.is_some() { &others[2..] } else { others };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_read_as_they_were_typed() {
        let form = Form::read("password=a+b%26%E6%8B%BC%2&token=0f&x=y");
        assert_eq!(form, Form { password: "a b&拼%2".to_owned(), token: "0f".to_owned() });
    }

    #[test]
    fn passwords_in_headers_are_found() {
        let of = |line: &str| bearer(&HeaderMap::from_iter([(header::AUTHORIZATION, line.parse().unwrap())]));
        assert_eq!(of("Bearer word").as_deref(), Some("word"));
        assert_eq!(of("Basic dXNlcjpwYTpzcw==").as_deref(), Some("pa:ss"));
        assert_eq!(of("Basic !!"), None);
        assert_eq!(of("Digest x"), None);
    }
}

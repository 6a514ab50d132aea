use axum::{
    http::{HeaderMap, HeaderValue, header},
    response::Response,
};

use crate::keys::Keys;

/// A cookie of ours. Browsers send cookies to every port of a host, so the server's tag is in its name: servers beside each
/// other on one machine do not overwrite each other's, and one whose port changes still knows its own. Under https the
/// name also has the prefix with which browsers promise that it was set by this very host, over https.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cookie {
    pub(crate) name: &'static str,
}

const PREFIX: &str = "__Host-";
/// How many values of a cookie are looked at: more than one host has servers, and few enough to be looked up each.
const MOST_VALUES: usize = 16;

impl Cookie {
    /// The values that a request has for it, the most trusted first, and no more than a few. Those of other servers are among them, for the key
    /// may have changed; and those without a tag, for there was none once.
    pub(crate) fn values<'a>(&self, headers: &'a HeaderMap, keys: &Keys) -> impl Iterator<Item = &'a str> + use<'a> {
        let (is_https, own) = (is_https(headers), keys.tag());
        let rank = |full: &str| {
            let is_host = is_https && full.starts_with(PREFIX);
            let rest = full.strip_prefix(if is_host { PREFIX } else { "" })?.strip_prefix(self.name)?;
            let kind = match rest.strip_prefix('-') {
                Some(tag) if tag == own => 0,
                Some(tag) if Keys::is_tag(tag) => 1,
                None if rest.is_empty() => 2,
                _ => return None,
            };
            Some((kind, !is_host))
        };
        let mut found: Vec<_> = pairs(headers).filter_map(|(name, value)| Some((rank(name)?, value))).collect();
        found.sort_by_key(|&(rank, _)| rank);
        found.into_iter().take(MOST_VALUES).map(|(_, value)| value)
    }

    /// Has a browser keep it.
    pub(crate) fn set(&self, response: &mut Response, value: &str, seconds: u32, keys: &Keys, is_https: bool) {
        send(response, &format!("{}-{}", self.name, keys.tag()), value, seconds, is_https);
    }

    /// Has a browser forget it, also by the name that it had once.
    pub(crate) fn unset(&self, response: &mut Response, keys: &Keys, is_https: bool) {
        self.set(response, "", 0, keys, is_https);
        send(response, self.name, "", 0, is_https);
    }
}

fn send(response: &mut Response, name: &str, value: &str, seconds: u32, is_https: bool) {
    let (prefix, secure) = if is_https { (PREFIX, "; Secure") } else { ("", "") };
    let text = format!("{prefix}{name}={value}; Max-Age={seconds}; Path=/; HttpOnly; SameSite=Lax{secure}");
    if let Ok(value) = HeaderValue::try_from(text) {
        response.headers_mut().append(header::SET_COOKIE, value);
    }
}

fn pairs(headers: &HeaderMap) -> impl Iterator<Item = (&str, &str)> {
    let lines = headers.get_all(header::COOKIE).into_iter().filter_map(|line| line.to_str().ok());
    lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='))
}

/// Whether the browser speaks https, with a proxy that tells us so. Who lies about it has a cookie that
/// does not come back.
pub(crate) fn is_https(headers: &HeaderMap) -> bool {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or("");
    let last = |list: &str| list.rsplit(',').next().unwrap_or("").trim().to_ascii_lowercase();
    last(text("x-forwarded-proto")) == "https"
        || last(text("forwarded")).split(';').any(|part| matches!(part.trim(), "proto=https" | "proto=\"https\""))
        || text("origin").starts_with("https://")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_cookies_a_few_are_looked_at_and_our_own_first() {
        let keys = Keys::new([7; 32]);
        let others = (0..7000).map(|number| format!("pintu-{number:08x}={number}"));
        let line = others.chain([format!("pintu-{}=own", keys.tag())]).collect::<Vec<_>>().join("; ");
        let headers = HeaderMap::from_iter([(header::COOKIE, HeaderValue::try_from(line).unwrap())]);
        let values: Vec<_> = Cookie { name: "pintu" }.values(&headers, &keys).collect();
        assert_eq!((values[0], values.len()), ("own", MOST_VALUES));
    }
}

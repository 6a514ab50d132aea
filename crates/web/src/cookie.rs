use axum::{
    http::{HeaderMap, HeaderValue, header},
    response::Response,
};

/// A cookie of ours. Under https its name has the prefix with which browsers promise that it was set by
/// this very host, over https.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cookie {
    pub(crate) name: &'static str,
}

const PREFIX: &str = "__Host-";

impl Cookie {
    /// The values that a request has for it, the most trusted first.
    pub(crate) fn values<'a>(&self, headers: &'a HeaderMap, is_https: bool) -> impl Iterator<Item = &'a str> + use<'a> {
        let (plain, host) = (self.name, format!("{PREFIX}{}", self.name));
        let mut found: Vec<(bool, &str)> = pairs(headers)
            .filter_map(|(name, value)| {
                let is_host = is_https && name == host;
                (is_host || name == plain).then_some((!is_host, value))
            })
            .collect();
        found.sort_by_key(|&(is_plain, _)| is_plain);
        found.into_iter().map(|(_, value)| value)
    }

    /// Has a browser keep it, or forget it when that is for no time at all.
    pub(crate) fn set(&self, response: &mut Response, value: &str, seconds: u32, is_https: bool) {
        let (prefix, secure) = if is_https { (PREFIX, "; Secure") } else { ("", "") };
        let name = self.name;
        let text = format!("{prefix}{name}={value}; Max-Age={seconds}; Path=/; HttpOnly; SameSite=Lax{secure}");
        if let Ok(value) = HeaderValue::try_from(text) {
            response.headers_mut().append(header::SET_COOKIE, value);
        }
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

use axum::{
    http::{HeaderMap, HeaderValue, header},
    response::Response,
};

use crate::{app::App, keys::Keys};

/// A signed cookie of ours. Browsers send cookies to every port of a host, so its name has the server's id: servers on one
/// machine do not overwrite each other's cookies, and one whose port changes still knows its own. Under https the name also
/// has the prefix that browsers accept only from the host itself, over https.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cookie {
    pub(crate) name: &'static str,
}

/// 400 days, the most that browsers allow.
const LIFETIME_SECONDS: u32 = 400 * 24 * 60 * 60;

const PREFIX: &str = "__Host-";

impl Cookie {
    /// The text of the first value that is signed for a purpose. Names with other servers' ids count, too, for the id changes
    /// when a backup is restored.
    pub(crate) async fn read<'a>(&self, app: &App, headers: &'a HeaderMap, purpose: &str) -> Option<&'a str> {
        // A browser that came by http before has only the other one, by which it is still known.
        let prefixes: &[&str] = if is_https(headers) { &[PREFIX, ""] } else { &[""] };
        for prefix in prefixes {
            for (name, value) in pairs(headers) {
                let id = name.strip_prefix(prefix).and_then(|name| name.strip_prefix(self.name)?.strip_prefix('-'));
                if id.is_some_and(Keys::is_server_id)
                    && let Some(text) = app.keys.check(&*app.store, purpose, value).await
                {
                    return Some(text);
                }
            }
        }
        None
    }

    /// Signs a text for a purpose, and sets the cookie to it.
    pub(crate) async fn issue(&self, app: &App, response: &mut Response, purpose: &str, text: &str, is_https: bool) {
        let signed = app.keys.issue(&*app.store, purpose, text).await;
        self.set(app, response, &signed, LIFETIME_SECONDS, is_https);
    }

    pub(crate) fn unset(&self, app: &App, response: &mut Response, is_https: bool) {
        self.set(app, response, "", 0, is_https);
    }

    /// Its name over http.
    pub(crate) fn name_at(&self, app: &App) -> String {
        format!("{}-{}", self.name, app.keys.server_id())
    }

    fn set(&self, app: &App, response: &mut Response, value: &str, seconds: u32, is_https: bool) {
        let (prefix, secure) = if is_https { (PREFIX, "; Secure") } else { ("", "") };
        let name = self.name_at(app);
        let text = format!("{prefix}{name}={value}; Max-Age={seconds}; Path=/; HttpOnly; SameSite=Lax{secure}");
        if let Ok(value) = HeaderValue::try_from(text) {
            response.headers_mut().append(header::SET_COOKIE, value);
        }
    }
}

fn pairs(headers: &HeaderMap) -> impl Iterator<Item = (&str, &str)> {
    // Bytes, for cookies of others on the same host may be no text.
    let parts =
        headers.get_all(header::COOKIE).into_iter().flat_map(|line| line.as_bytes().split(|&byte| byte == b';'));
    parts.filter_map(|part| str::from_utf8(part).ok()?.trim().split_once('='))
}

/// Whether the browser uses https, as a proxy says. A client that lies about it gets a cookie that does not come back.
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
    fn cookies_of_others_that_are_no_text_hide_none_of_ours() {
        let line = HeaderValue::from_bytes(b"theirs=\xe9; pintu-1=a").unwrap();
        let headers = HeaderMap::from_iter([(header::COOKIE, line)]);
        assert_eq!(pairs(&headers).collect::<Vec<_>>(), [("pintu-1", "a")]);
    }
}

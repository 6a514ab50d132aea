use axum::{
    extract::Request,
    http::{HeaderMap, HeaderValue, header},
    response::Response,
};

use crate::guard::Host;

/// A cookie of ours. Browsers send cookies to every port of a host, so the port is in its name: servers beside each
/// other on one machine do not overwrite each other's. Under https its name also has the prefix with which browsers
/// promise that it was set by this very host, over https.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cookie {
    pub(crate) name: &'static str,
}

/// What a browser takes us for: by which port it came, if it names one, and whether by https.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Site {
    port: Option<u16>,
    is_https: bool,
}

impl Site {
    pub(crate) fn of(request: &Request) -> Self {
        let port = request.extensions().get::<Host>().and_then(Host::port);
        Self { port, is_https: is_https(request.headers()) }
    }
}

const PREFIX: &str = "__Host-";

impl Cookie {
    /// The values that a request has for it, the most trusted first. There was no port in the name once, and such a
    /// cookie is still known.
    pub(crate) fn values<'a>(&self, headers: &'a HeaderMap, site: Site) -> impl Iterator<Item = &'a str> + use<'a> {
        let names = self.names(site).flat_map(|name| {
            let host = site.is_https.then(|| format!("{PREFIX}{name}"));
            host.into_iter().chain([name])
        });
        let names: Vec<String> = names.collect();
        let rank = move |name: &str| names.iter().position(|known| known == name);
        let mut found: Vec<(usize, &str)> =
            pairs(headers).filter_map(|(name, value)| Some((rank(name)?, value))).collect();
        found.sort_by_key(|&(rank, _)| rank);
        found.into_iter().map(|(_, value)| value)
    }

    /// Has a browser keep it.
    pub(crate) fn set(&self, response: &mut Response, value: &str, seconds: u32, site: Site) {
        if let Some(name) = self.names(site).next() {
            send(response, &name, value, seconds, site);
        }
    }

    /// Has a browser forget it, whatever it was called.
    pub(crate) fn unset(&self, response: &mut Response, site: Site) {
        for name in self.names(site) {
            send(response, &name, "", 0, site);
        }
    }

    /// What it is called at a site, and what it was called once.
    fn names(self, site: Site) -> impl Iterator<Item = String> {
        let name = self.name;
        site.port.map(|port| format!("{name}-{port}")).into_iter().chain([name.to_owned()])
    }
}

fn send(response: &mut Response, name: &str, value: &str, seconds: u32, site: Site) {
    let (prefix, secure) = if site.is_https { (PREFIX, "; Secure") } else { ("", "") };
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
fn is_https(headers: &HeaderMap) -> bool {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or("");
    let last = |list: &str| list.rsplit(',').next().unwrap_or("").trim().to_ascii_lowercase();
    last(text("x-forwarded-proto")) == "https"
        || last(text("forwarded")).split(';').any(|part| matches!(part.trim(), "proto=https" | "proto=\"https\""))
        || text("origin").starts_with("https://")
}

//! Checks of Host and Origin, and the security headers of responses.

use std::{net::IpAddr, sync::Arc};

use axum::{
    Extension,
    extract::{Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Uri, header},
    middleware::Next,
    response::{IntoResponse, Response},
};

use crate::{
    app::App,
    error::{ApiError, Code},
    html::{self, Language, escaped, wants_page},
};

/// Lets a request through if its Host is one of ours and its Origin, if there is one, is the same. So a foreign page can
/// neither write here (CSRF) nor, by a name that it points to this address, read (DNS rebinding).
pub(crate) async fn check(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    match host(&app, request.headers(), request.uri()) {
        Ok(host) => {
            request.extensions_mut().insert(host);
            next.run(request).await
        }
        Err(error) if error.code() == FOREIGN_HOST && wants_page(&request) => {
            (Extension(Code(FOREIGN_HOST)), unknown_name(&request)).into_response()
        }
        Err(error) => error.into_response(),
    }
}

/// The page for a person who used an unknown host name: how to get in, and how its operator can allow the name.
fn unknown_name(request: &Request) -> Response {
    let named = request.uri().host().map(str::to_owned).or_else(|| {
        let host = request.headers().get(header::HOST)?.to_str().ok()?;
        Some(Host::parse(host)?.name)
    });
    let name = escaped(&named.unwrap_or_default().chars().take(MAX_QUOTED).collect::<String>());
    let language = Language::of(request.headers());
    let content = match language {
        Language::English => format!(
            "<p>This server does not answer to the name “{name}”.</p><p>Open it by its IP address. \
             Whoever runs it can allow the name: <code>pintu serve --allow-host {name}</code></p>"
        ),
        Language::Chinese => format!(
            "<p>这台服务器没有启用主机名“{name}”。</p><p>请改用 IP 地址打开；\
             也可以请管理员启用这个名字：<code>pintu serve --allow-host {name}</code></p>"
        ),
    };
    html::page(StatusCode::FORBIDDEN, language, None, &content)
}

const FOREIGN_HOST: &str = "foreign-host";
/// Characters of a request's text that are repeated in a response.
const MAX_QUOTED: usize = 100;

/// The host that a request was sent to.
#[derive(Clone, Debug)]
pub(crate) struct Host {
    name: String,
    port: Option<u16>,
}

impl Host {
    fn parse(authority: &str) -> Option<Self> {
        let (name, port) = match authority.rsplit_once(':') {
            Some((name, port)) if !port.ends_with(']') => (name, Some(port.parse().ok()?)),
            _ => (authority, None),
        };
        let name = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
        (!name.is_empty()).then(|| Self { name: name.to_ascii_lowercase(), port })
    }

    /// Pages at `localhost` are redirected.
    pub(crate) fn is_localhost(&self) -> bool {
        self.name == "localhost"
    }

    /// The authority of the same port at an address.
    pub(crate) fn at(&self, address: IpAddr) -> String {
        let name = if address.is_ipv6() { format!("[{address}]") } else { address.to_string() };
        self.port.map_or(name.clone(), |port| format!("{name}:{port}"))
    }
}

fn host(app: &App, headers: &HeaderMap, uri: &Uri) -> Result<Host, ApiError> {
    let text = |name| headers.get(name).map(|value: &HeaderValue| value.to_str().unwrap_or(""));
    let header_host = text(header::HOST);
    let authority = uri.authority().map(axum::http::uri::Authority::as_str);
    let Some(named) = authority.or(header_host) else {
        return Err(ApiError::bad("no-host", "found no Host header, expected one"));
    };
    for name in [authority, header_host].into_iter().flatten() {
        if !Host::parse(name).is_some_and(|host| is_ours(app, &host.name)) {
            return Err(foreign(
                FOREIGN_HOST,
                "Host",
                name,
                "an IP address, localhost or a name given to --allow-host",
            ));
        }
    }
    if let Some(origin) = text(header::ORIGIN) {
        let at = origin.split_once("://").filter(|(scheme, _)| ["http", "https"].contains(scheme));
        if !at.is_some_and(|(_, at)| at.eq_ignore_ascii_case(named)) {
            return Err(foreign("foreign-origin", "Origin", origin, &format!("http://{named}")));
        }
    }
    Host::parse(named).ok_or_else(|| foreign(FOREIGN_HOST, "Host", named, "a host"))
}

fn is_ours(app: &App, name: &str) -> bool {
    let allowed = &app.config.allow_hosts;
    name.parse::<IpAddr>().is_ok() || name == "localhost" || allowed.iter().any(|host| host.eq_ignore_ascii_case(name))
}

fn foreign(code: &'static str, what: &str, found: &str, expected: &str) -> ApiError {
    let found: String = found.chars().take(MAX_QUOTED).collect();
    ApiError::new(StatusCode::FORBIDDEN, code, format!("found the {what} `{found}`, expected {expected}"))
}

/// Scripts and styles come from here alone, and none are inline; pictures may also be made in the page. WebAssembly is the
/// engine in the browser, and does what scripts from here let it.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' blob: data:; \
     media-src 'self' blob:; connect-src 'self' blob:; font-src 'self'; worker-src 'self'; manifest-src 'self'; \
     base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const HEADERS: [(HeaderName, &str); 6] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "same-origin"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("permissions-policy"), "camera=(self), microphone=(), geolocation=()"),
];

pub(crate) async fn harden(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    for (name, value) in HEADERS {
        // The login page has a policy of its own.
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}

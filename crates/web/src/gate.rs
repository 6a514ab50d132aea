//! The door of a server that not everybody may use: a password that people share, or links of which each
//! lets one browser in.

use std::{
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use axum::{
    body::Body,
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, Method, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use sha2::{Digest, Sha256};

use crate::{
    app::App,
    body,
    client::Client,
    cookie::{self, Cookie},
    error::ApiError,
    id::{Id, hex},
};

const COOKIE: Cookie = Cookie { name: "pintu-pass" };
const A_YEAR: u32 = 365 * 24 * 60 * 60;

/// Links that can be used once. Clones are the same.
#[derive(Clone, Default)]
pub struct Invites(Arc<Mutex<Book>>);

#[derive(Default)]
struct Book {
    token: String,
    #[expect(clippy::type_complexity, reason = "it is named nowhere else")]
    tell: Option<Box<dyn Fn(&str) + Send>>,
}

impl Invites {
    /// Calls with the path of the link that can be used now, and again with the next one when it was used.
    pub fn each(&self, tell: impl Fn(&str) + Send + 'static) {
        let mut book = self.book();
        book.tell = Some(Box::new(tell));
        book.renew();
    }

    /// Uses a link up, if it is the one.
    fn take(&self, token: &str) -> bool {
        let mut book = self.book();
        let is_right = !token.is_empty() && is_same(&book.token, token);
        if is_right {
            book.renew();
        }
        is_right
    }

    fn book(&self) -> MutexGuard<'_, Book> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Book {
    fn renew(&mut self) {
        // Without random numbers there is no link, and nobody comes in by one.
        self.token = Id::random().map_or_else(String::new, |id| id.to_string());
        if let Some(tell) = self.tell.as_ref().filter(|_| !self.token.is_empty()) {
            tell(&format!("{ENTRANCE}/{}", self.token));
        }
    }
}

impl fmt::Debug for Invites {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Invites")
    }
}

/// Where one comes in.
const ENTRANCE: &str = "/enter";
const STYLE: &str = "/enter.css";

/// Lets those through who have come in, and shows the others the entrance.
pub(crate) async fn keep(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    if app.config.password.is_none() && app.config.invites.is_none() {
        return next.run(request).await;
    }
    let path = request.uri().path();
    match (request.method().clone(), path) {
        (_, "/api/health") => next.run(request).await,
        (Method::GET, STYLE) => ([(header::CONTENT_TYPE, "text/css; charset=utf-8")], CSS).into_response(),
        (Method::POST, ENTRANCE) => enter(&app, request).await,
        (Method::GET, _) if path == ENTRANCE || path.starts_with("/enter/") => {
            let token = path.strip_prefix("/enter/").and_then(Id::parse);
            entrance(&app, request.headers(), StatusCode::OK, token.as_ref().map_or("", Id::as_str))
        }
        _ => match has_entered(&app, request.headers(), request.extensions().get()).await {
            Ok(true) => next.run(request).await,
            Ok(false) if wants_page(&request) => entrance(&app, request.headers(), StatusCode::UNAUTHORIZED, ""),
            Ok(false) => ApiError::password().into_response(),
            Err(error) => error.into_response(),
        },
    }
}

fn wants_page(request: &Request) -> bool {
    let accepts = request.headers().get(header::ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or("");
    request.method() == Method::GET && accepts.contains("text/html") && !request.uri().path().starts_with("/api")
}

async fn has_entered(app: &App, headers: &HeaderMap, client: Option<&Client>) -> Result<bool, ApiError> {
    for value in COOKIE.values(headers, cookie::is_https(headers)) {
        if app.keys.check(&*app.store, &purpose(app), value).await.is_some() {
            return Ok(true);
        }
    }
    match bearer(headers) {
        Some(word) => is_password(app, client, &word),
        None => Ok(false),
    }
}

/// What passes are signed for: another password makes them worthless.
fn purpose(app: &App) -> String {
    let word = app.config.password.as_deref().unwrap_or("");
    format!("entrance {}", hex(&Sha256::digest(word.as_bytes())))
}

async fn enter(app: &App, request: Request) -> Response {
    let is_https = cookie::is_https(request.headers());
    let (parts, body) = request.into_parts();
    let form = match body::read(body, 4096, &app.config.bounds).await {
        Ok(bytes) => Form::read(&String::from_utf8_lossy(&bytes)),
        Err(error) => return error.into_response(),
    };
    let invited = app.config.invites.as_ref().is_some_and(|invites| invites.take(&form.token));
    let passed = if invited { Ok(true) } else { is_password(app, parts.extensions.get(), &form.password) };
    match (passed, Id::random()) {
        (Ok(true), Some(id)) => {
            let mut response =
                (StatusCode::SEE_OTHER, [(header::LOCATION, HeaderValue::from_static("/"))]).into_response();
            COOKIE.set(&mut response, &app.keys.sign(&purpose(app), id.as_str()), A_YEAR, is_https);
            response
        }
        (Err(error), _) => error.into_response(),
        _ => entrance(app, &parts.headers, StatusCode::UNAUTHORIZED, "!"),
    }
}

/// Whether this is the password. Wrong ones are taken more and more rarely.
fn is_password(app: &App, client: Option<&Client>, word: &str) -> Result<bool, ApiError> {
    let Some(password) = &app.config.password else { return Ok(false) };
    if word.is_empty() {
        return Ok(false);
    }
    let is_right = is_same(password, word);
    let address = client.map_or(app.config.loopback, |client| client.address);
    // Both wait alike when there were too many guesses, so that a right one is not told by its being taken.
    app.guesses.take(address, 1.0)?;
    if is_right {
        app.guesses.give_back(address, 1.0);
    }
    Ok(is_right)
}

/// Compares in a time that does not tell where they differ.
fn is_same(one: &str, other: &str) -> bool {
    let (one, other) = (Sha256::digest(one.as_bytes()), Sha256::digest(other.as_bytes()));
    one.iter().zip(other.iter()).fold(0, |difference, (a, b)| difference | (a ^ b)) == 0
}

/// The password of an `Authorization` header: a bearer's token, or basic authentication's second half.
fn bearer(headers: &HeaderMap) -> Option<String> {
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
struct Form {
    password: String,
    token: String,
}

impl Form {
    fn read(text: &str) -> Self {
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

const CSS: &str = "\
:root{color-scheme:light dark}
body{font:1.125rem/1.5 system-ui,sans-serif;max-width:22rem;margin:15vh auto;padding:0 1rem}
input,button{font:inherit;width:100%;box-sizing:border-box;padding:.6rem;margin:.4rem 0;border-radius:.5rem;border:1px solid #888}
button{background:#1f6f5c;color:#fff;border:0;cursor:pointer}
p[role=alert]{color:#b3261e}
";

/// The entrance. `token` is a link's, or `!` after something wrong.
fn entrance(app: &App, headers: &HeaderMap, status: StatusCode, token: &str) -> Response {
    let language = headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok()).unwrap_or("");
    let words = if language.trim_start().starts_with("zh") { &CHINESE } else { &ENGLISH };
    let wrong = if token == "!" { format!("<p role=\"alert\">{}</p>", words.wrong) } else { String::new() };
    let field = if token.len() > 1 {
        format!("<p>{}</p><input type=\"hidden\" name=\"token\" value=\"{token}\">", words.invited)
    } else if app.config.password.is_some() {
        let label = words.password;
        format!(
            "<label>{label}<input type=\"password\" name=\"password\" autocomplete=\"current-password\" autofocus required></label>"
        )
    } else {
        return html(status, words, &format!("{wrong}<p>{}</p>", words.ask));
    };
    let form =
        format!("<form method=\"post\" action=\"{ENTRANCE}\">{wrong}{field}<button>{}</button></form>", words.enter);
    html(status, words, &form)
}

fn html(status: StatusCode, words: &Words, content: &str) -> Response {
    let page = format!(
        "<!doctype html><html lang=\"{}\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <title>拼图 Pintu</title><link rel=\"stylesheet\" href=\"{STYLE}\"><main><h1>拼图 Pintu</h1>{content}</main></html>",
        words.language
    );
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
        (
            header::CONTENT_SECURITY_POLICY,
            HeaderValue::from_static(
                "default-src 'none'; style-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
            ),
        ),
    ];
    (status, headers, Body::from(page)).into_response()
}

struct Words {
    language: &'static str,
    password: &'static str,
    enter: &'static str,
    invited: &'static str,
    wrong: &'static str,
    ask: &'static str,
}

const ENGLISH: Words = Words {
    language: "en",
    password: "Password",
    enter: "Enter",
    invited: "You are invited to play.",
    wrong: "That did not work. Check the password; a link can be used only once.",
    ask: "You need an invitation. Ask whoever runs this game for a link.",
};

const CHINESE: Words = Words {
    language: "zh-CN",
    password: "密码",
    enter: "进入",
    invited: "有人邀请你来玩拼图。",
    wrong: "没能进入。请核对密码；邀请链接只能用一次。",
    ask: "需要邀请才能进入，请向开设游戏的人要一个链接。",
};

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

    #[test]
    fn a_link_lets_one_in_and_another_follows() {
        let invites = Invites::default();
        let told = Arc::new(Mutex::new(Vec::new()));
        let heard = Arc::clone(&told);
        invites.each(move |path| heard.lock().unwrap().push(path.trim_start_matches("/enter/").to_owned()));
        let first = told.lock().unwrap()[0].clone();
        assert!(!invites.take("") && !invites.take(&"0".repeat(32)));
        assert!(invites.take(&first) && !invites.take(&first));
        let second = told.lock().unwrap()[1].clone();
        assert!(invites.take(&second));
    }
}

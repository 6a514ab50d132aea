//! The door of a server that not everybody may use: a password that people share, or links of which each
//! lets one browser in.

mod entrance;
mod words;

use std::{
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use axum::{
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, Method, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use entrance::Ask;
use sha2::{Digest, Sha256};
use words::{Form, bearer};

use crate::{
    app::App,
    body,
    client::Client,
    cookie::{self, Cookie},
    error::ApiError,
    id::{Id, hex},
    notice::wants_page,
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

/// Lets those through who have come in, and shows the others the entrance.
pub(crate) async fn keep(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    if app.config.password.is_none() && app.config.invites.is_none() {
        return next.run(request).await;
    }
    let path = request.uri().path();
    match (request.method().clone(), path) {
        (_, "/api/health") => next.run(request).await,
        (Method::GET, entrance::STYLE) => entrance::style(),
        (Method::POST, ENTRANCE) => enter(&app, request).await,
        (Method::GET, _) if path == ENTRANCE || path.starts_with("/enter/") => {
            let token = path.strip_prefix("/enter/").and_then(Id::parse);
            entrance::page(&app, request.headers(), StatusCode::OK, token.as_ref().map_or(Ask::Password, Ask::Invited))
        }
        _ => match has_entered(&app, request.headers(), request.extensions().get()).await {
            Ok(true) => next.run(request).await,
            Ok(false) if wants_page(&request) => {
                entrance::page(&app, request.headers(), StatusCode::UNAUTHORIZED, Ask::Password)
            }
            Ok(false) => ApiError::password().into_response(),
            Err(error) => error.into_response(),
        },
    }
}

async fn has_entered(app: &App, headers: &HeaderMap, client: Option<&Client>) -> Result<bool, ApiError> {
    for value in COOKIE.values(headers, &app.keys) {
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
            let signed = app.keys.issue(&*app.store, &purpose(app), id.as_str()).await;
            COOKIE.set(&mut response, &signed, A_YEAR, &app.keys, is_https);
            response
        }
        (Err(error), _) => error.into_response(),
        _ => entrance::page(app, &parts.headers, StatusCode::UNAUTHORIZED, Ask::Again),
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

#[cfg(test)]
mod tests {
    use super::*;

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

//! Access to a server that not everybody may use: a shared password, or invitations of which each lets one browser in. A
//! browser that has entered holds a pass, a signed cookie.

mod page;

use std::{
    fmt,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        mpsc::{Sender, channel},
    },
    thread,
    time::Duration,
};

use axum::{
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, Method, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use base64::{Engine, prelude::BASE64_STANDARD};
use page::Prompt;
use pintu_game::Day;
use sha2::{Digest, Sha256};
use tokio::{sync::Notify, time::timeout};

use crate::{
    app::App,
    body,
    client::Client,
    cookie::{self, Cookie},
    device,
    error::ApiError,
    html::{self, wants_page},
    id::{Id, hex},
    store::Secret,
};

const PASS: Cookie = Cookie { name: "pintu-pass" };
const LOGIN_PATH: &str = "/enter";
const DATE_LENGTH: usize = "2026-11-16".len();

/// Invitations: links that can be used once, one at a time. The store has them, so that any server with the same store lets
/// their users in. Clones share them.
#[derive(Clone, Default)]
pub struct Invites(Arc<Shared>);

#[derive(Default)]
struct Shared {
    current: Mutex<Current>,
    /// An invitation was used here.
    used: Notify,
}

#[derive(Default)]
struct Current {
    path: Option<String>,
    /// Takes the paths of new invitations.
    announce: Option<Sender<String>>,
}

/// How soon a server notices that its invitation was used at another one.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

impl Invites {
    /// Calls `announce` with the path of the invitation that can be used now, and again with the next one when it was used;
    /// on a thread of its own, for a terminal that is paused must not hold up the server.
    pub fn each(&self, announce: impl Fn(&str) + Send + 'static) {
        let (sender, paths) = channel::<String>();
        thread::spawn(move || paths.iter().for_each(|path| announce(&path)));
        let mut current = self.lock();
        if let Some(path) = &current.path {
            let _ = sender.send(path.clone());
        }
        current.announce = Some(sender);
    }

    fn announce(&self, token: &Id) {
        let (mut current, path) = (self.lock(), format!("{LOGIN_PATH}/{token}"));
        if let Some(announce) = &current.announce {
            // No receiver: announcing has panicked.
            let _ = announce.send(path.clone());
        }
        current.path = Some(path);
    }

    fn lock(&self) -> MutexGuard<'_, Current> {
        self.0.current.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Makes an invitation, and another one whenever it was used, as long as the server runs.
pub(crate) fn keep_inviting(app: &Arc<App>) {
    let Some(invites) = app.config.invites.clone() else { return };
    let app = Arc::downgrade(app);
    tokio::spawn(async move {
        let mut token: Option<Id> = None;
        loop {
            let Some(app) = app.upgrade() else { return };
            let is_used = match &token {
                Some(token) => matches!(app.store.has_invitation(Secret::of(token.as_str())).await, Ok(false)),
                None => true,
            };
            // A store that fails is asked again.
            if is_used
                && let Some(new) = Id::random()
                && app.store.add_invitation(Secret::of(new.as_str())).await.is_ok()
            {
                invites.announce(&new);
                token = Some(new);
            }
            drop(app);
            let _ = timeout(POLL_INTERVAL, invites.0.used.notified()).await;
        }
    });
}

/// Uses an invitation up; false if there is none of that token.
async fn take_invitation(app: &App, token: &str) -> Result<bool, ApiError> {
    let Some(invites) = app.config.invites.as_ref().filter(|_| !token.is_empty()) else { return Ok(false) };
    let is_taken = app.store.take_invitation(Secret::of(token)).await?;
    if is_taken {
        invites.0.used.notify_one();
    }
    Ok(is_taken)
}

impl fmt::Debug for Invites {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Invites")
    }
}

/// Lets authenticated requests through, and answers others with the login page or 401.
pub(crate) async fn authenticate(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    if app.config.password.is_none() && app.config.invites.is_none() {
        return next.run(request).await;
    }
    let path = request.uri().path();
    match (request.method().clone(), path) {
        (_, "/api/health") => next.run(request).await,
        (Method::GET, html::STYLE_PATH) => html::style(),
        (Method::POST, LOGIN_PATH) => log_in(&app, request).await,
        (Method::GET, _) if path == LOGIN_PATH || path.starts_with("/enter/") => {
            let token = path.strip_prefix("/enter/").and_then(Id::parse);
            let prompt = token.as_ref().map_or(Prompt::Password, Prompt::Invited);
            page::login(&app, request.headers(), StatusCode::OK, prompt)
        }
        _ => match is_authenticated(&app, request.headers(), request.extensions().get()).await {
            Ok(true) => next.run(request).await,
            Ok(false) if wants_page(&request) => {
                page::login(&app, request.headers(), StatusCode::UNAUTHORIZED, Prompt::Password)
            }
            Ok(false) => ApiError::password().into_response(),
            Err(error) => error.into_response(),
        },
    }
}

/// Whether a pass, in which the day of its issue comes last, is neither too old nor revoked. Of the day only the date is known, so
/// that the last one counts whole.
fn is_valid(app: &App, pass: &str) -> bool {
    let Some(Ok(issued)) = pass.len().checked_sub(DATE_LENGTH).and_then(|at| pass.get(at..)).map(str::parse::<Day>)
    else {
        return false;
    };
    let days = app.config.bounds.pass_time.as_secs().div_ceil(24 * 60 * 60);
    let age = app.today().number() - issued.number();
    u64::try_from(age).unwrap_or(0) <= days && app.config.passes_since.is_none_or(|since| issued >= since)
}

async fn is_authenticated(app: &App, headers: &HeaderMap, client: Option<&Client>) -> Result<bool, ApiError> {
    if PASS.read(app, headers, &purpose(app)).await.is_some_and(|pass| is_valid(app, pass)) {
        return Ok(true);
    }
    match password_of(headers) {
        Some(password) => is_password(app, headers, client, &password).await,
        None => Ok(false),
    }
}

/// The password of an `Authorization` header: a bearer token, or that of basic authentication.
fn password_of(headers: &HeaderMap) -> Option<String> {
    let (scheme, rest) = headers.get(header::AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    if scheme.eq_ignore_ascii_case("bearer") {
        return Some(rest.trim().to_owned());
    }
    let decoded = BASE64_STANDARD.decode(rest.trim()).ok().filter(|_| scheme.eq_ignore_ascii_case("basic"))?;
    Some(String::from_utf8(decoded).ok()?.split_once(':')?.1.to_owned())
}

/// The purpose that passes are signed for. It depends on the password, so that changing that revokes them.
fn purpose(app: &App) -> String {
    let password = app.config.password.as_deref().unwrap_or("");
    format!("entrance {}", hex(&Sha256::digest(password.as_bytes())))
}

async fn log_in(app: &App, request: Request) -> Response {
    let is_https = cookie::is_https(request.headers());
    let (parts, body) = request.into_parts();
    let form = match body::read(body, 4096, &app.config.bounds).await {
        Ok(form) => form,
        Err(error) => return error.into_response(),
    };
    let field = |name: &str| {
        let value = form_urlencoded::parse(&form).filter(|(found, _)| found == name).last();
        value.map_or_else(String::new, |(_, value)| value.into_owned())
    };
    let client = parts.extensions.get();
    let passed = match take_invitation(app, &field("token")).await {
        Ok(false) => is_password(app, &parts.headers, client, &field("password")).await,
        invited => invited,
    };
    match (passed, Id::random()) {
        (Ok(true), Some(id)) => {
            let home = [(header::LOCATION, HeaderValue::from_static("/"))];
            let mut response = (StatusCode::SEE_OTHER, home).into_response();
            let pass = format!("{id}{}", app.today());
            PASS.issue(app, &mut response, &purpose(app), &pass, is_https).await;
            response
        }
        (Err(error), _) => error.into_response(),
        _ => page::login(app, &parts.headers, StatusCode::UNAUTHORIZED, Prompt::Again),
    }
}

/// Whether this is the password. Guesses are limited: those of a player who has been here before by themselves, so that
/// strangers at the same address cannot keep it out.
async fn is_password(app: &App, headers: &HeaderMap, client: Option<&Client>, guess: &str) -> Result<bool, ApiError> {
    let Some(password) = app.config.password.as_ref().filter(|_| !guess.is_empty()) else { return Ok(false) };
    let is_right = is_same(password, guess);
    let address = client.map_or(app.config.loopback, |client| client.address);
    let payer = app.payer(&Client { address, device: device::known(app, headers).await }).await?;
    // A right guess is refused, too, when there were too many: otherwise guessing could go on.
    app.passwords.take(&payer, 1.0, false)?;
    if is_right {
        app.passwords.give_back(&payer, 1.0);
    }
    Ok(is_right)
}

fn is_same(one: &str, other: &str) -> bool {
    let (one, other) = (Sha256::digest(one.as_bytes()), Sha256::digest(other.as_bytes()));
    one.iter().zip(other.iter()).fold(0, |difference, (a, b)| difference | (a ^ b)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_paused_terminal_holds_up_nobody() {
        let invites = Invites::default();
        let (told, heard) = channel();
        let (_never, paused) = channel::<()>();
        invites.each(move |path| {
            let _ = told.send(path.to_owned());
            let _ = paused.recv();
        });
        let tokens: Vec<Id> = (0..3).map(|_| Id::random().unwrap()).collect();
        for token in &tokens {
            invites.announce(token);
        }
        assert_eq!(heard.recv().unwrap(), format!("/enter/{}", tokens[0]));
        assert_eq!(invites.lock().path, Some(format!("/enter/{}", tokens[2])), "though it is not announced yet");
    }

    #[test]
    fn passwords_in_headers_are_found() {
        let of = |line: &str| password_of(&HeaderMap::from_iter([(header::AUTHORIZATION, line.parse().unwrap())]));
        assert_eq!(of("Bearer word").as_deref(), Some("word"));
        assert_eq!(of("Basic dXNlcjpwYTpzcw==").as_deref(), Some("pa:ss"));
        assert_eq!(of("Basic !!"), None);
        assert_eq!(of("Digest x"), None);
    }
}

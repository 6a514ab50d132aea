//! Servers with a password or invitations, and what operators see.

use std::time::{Duration, UNIX_EPOCH};

use axum::body::Body;
use pintu_web::Invites;
use serde_json::json;

use crate::support::{Browser, Reply, browser, browser_at, browser_with, game, metrics, named};

fn locked() -> Browser {
    browser_with(|config| config.password = Some("open & sesame".to_owned()))
}

async fn log_in(browser: &mut Browser, form: &str) -> Reply {
    browser.send("POST", "/enter", &[], Body::from(form.to_owned())).await
}

/// The pass that a reply sets, which is not the browser's own cookie.
fn pass(reply: &Reply) -> String {
    let cookie = reply.header("set-cookie");
    assert!(cookie.starts_with("pintu-pass-") && cookie.contains("HttpOnly; SameSite=Lax"), "{cookie}");
    cookie.split(';').next().unwrap().to_owned()
}

#[tokio::test]
async fn without_the_password_nothing_is_answered() {
    let mut browser = locked();
    for (method, path) in [
        ("GET", "/api/saves"),
        ("POST", "/api/saves"),
        ("POST", "/api/solve"),
        ("GET", "/css/base.css"),
        ("GET", "/metrics"),
    ] {
        browser.send(method, path, &[], Body::empty()).await.assert_error(401, "password");
    }
    assert_eq!(browser.get("/api/health").await.status, 200, "that it lives is no secret");
    let page = browser.send("GET", "/", &[("accept", "text/html,*/*")], Body::empty()).await;
    assert_eq!(page.status, 401);
    assert!(page.text().contains("<form method=\"post\" action=\"/enter\">"), "{}", page.text());
    assert!(page.header("content-security-policy").contains("form-action 'self'"));
    assert_eq!(page.header("set-cookie"), "", "no cookie before the login");
    let chinese = browser.send("GET", "/enter", &[("accept-language", "zh-CN,en;q=0.5")], Body::empty()).await;
    assert!(chinese.text().contains("密码"));
    assert_eq!(browser.get("/enter.css").await.header("content-type"), "text/css; charset=utf-8");
}

#[tokio::test]
async fn the_password_lets_in_and_another_one_does_not() {
    let mut browser = locked();
    let wrong = log_in(&mut browser, "password=sesame").await;
    assert_eq!((wrong.status.as_u16(), wrong.header("set-cookie")), (401, ""));
    let right = log_in(&mut browser.stranger(), "password=open+%26+sesame").await;
    assert_eq!((right.status.as_u16(), right.header("location")), (303, "/"));
    let pass = pass(&right);
    let send = async |cookie: &str| {
        let body = Body::from(named("a", &game()).to_string());
        browser.stranger().send("POST", "/api/saves", &[("cookie", cookie)], body).await
    };
    assert_eq!(send(&pass).await.status, 201);
    send(&pass[..pass.len() - 1]).await.assert_error(401, "password");
    send("pintu-pass=0123").await.assert_error(401, "password");
    // Base64 of "anybody:open & sesame".
    for line in ["Basic YW55Ym9keTpvcGVuICYgc2VzYW1l", "Bearer open & sesame"] {
        let reply = browser.stranger().send("GET", "/api/saves", &[("authorization", line)], Body::empty()).await;
        assert_eq!(reply.status, 200, "{line}");
    }
}

#[tokio::test]
async fn guesses_are_limited_by_address_also_right_ones() {
    let mut browser = locked();
    let mut tries = 0;
    let refused = loop {
        let reply = log_in(&mut browser, "password=guess").await;
        if reply.status == 429 {
            break reply;
        }
        assert_eq!(reply.status, 401);
        tries += 1;
        assert!(tries < 50);
    };
    refused.assert_error(429, "rate");
    assert!(!refused.header("retry-after").is_empty());
    assert_eq!(
        log_in(&mut browser, "password=open+%26+sesame").await.status,
        429,
        "it cannot be told from a wrong one"
    );
    let elsewhere = [("x-forwarded-for", "10.0.0.9")];
    let form = Body::from("password=open+%26+sesame");
    assert_eq!(browser.send("POST", "/enter", &elsewhere, form).await.status, 303);
}

/// A /48 has 65,536 addresses to guess from, but not as many guesses.
#[tokio::test]
async fn a_network_has_guesses_of_some_addresses_together() {
    let browser = browser_with(|config| {
        config.password = Some("sesame".to_owned());
        (config.bounds.guesses, config.bounds.guesses_of_address, config.bounds.network_share) = (2, 3, 2);
    });
    let enter = async |from: &str, form: &'static str| {
        browser.stranger().send("POST", "/enter", &[("x-forwarded-for", from)], Body::from(form)).await.status.as_u16()
    };
    let mut statuses = Vec::new();
    for guess in 0..10 {
        statuses.push(enter(&format!("2001:db8:1:{}::1", guess / 2), "password=guess").await);
    }
    assert_eq!(statuses, [401, 401, 401, 401, 401, 401, 429, 429, 429, 429]);
    assert_eq!(enter("2001:db8:2::1", "password=sesame").await, 303);
}

#[tokio::test]
async fn passes_expire_and_can_be_revoked() {
    let data = tempfile::tempdir().unwrap();
    let at = |days: u64, since: Option<&str>| {
        browser_at(data.path(), |config| {
            config.password = Some("sesame".to_owned());
            config.fixed_time = Some(UNIX_EPOCH + Duration::from_hours(24 * (20_773 + days)));
            config.bounds.pass_time = Duration::from_hours(24 * 30);
            config.passes_since = since.map(|date| date.parse().unwrap());
        })
    };
    let mut browser = at(0, None);
    assert_eq!(log_in(&mut browser, "password=sesame").await.status, 303);
    for (days, since, status) in
        [(0, None, 200), (30, None, 200), (31, None, 401), (1, Some("2026-11-16"), 200), (1, Some("2026-11-17"), 401)]
    {
        assert_eq!(browser.at(&at(days, since)).get("/api/saves").await.status, status, "{days} {since:?}");
    }
}

/// Strangers who guess cannot keep out a player who has been here before.
#[tokio::test]
async fn a_known_player_has_guesses_of_its_own() {
    let data = tempfile::tempdir().unwrap();
    let mut known = browser_at(data.path(), |_| ());
    known.make("/api/saves", &named("a", &game())).await;
    let locked = browser_at(data.path(), |config| config.password = Some("sesame".to_owned()));
    let mut stranger = locked.stranger();
    while log_in(&mut stranger, "password=guess").await.status != 429 {}
    assert_eq!(log_in(&mut stranger, "password=sesame").await.status, 429);
    assert_eq!(log_in(&mut known.at(&locked), "password=sesame").await.status, 303);
}

/// Wrong codes and wrong passwords are counted apart.
#[tokio::test]
async fn guesses_of_codes_keep_nobody_from_the_password() {
    let mut inside = locked();
    assert_eq!(log_in(&mut inside, "password=open+%26+sesame").await.status, 303);
    let guess = async |browser: &mut Browser| browser.post("/api/player/join", &json!({ "code": "00000000" })).await;
    while guess(&mut inside).await.status != 429 {}
    assert_eq!(log_in(&mut inside.stranger(), "password=open+%26+sesame").await.status, 303);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_link_lets_one_browser_in() {
    let invites = Invites::default();
    let (told, heard) = std::sync::mpsc::channel();
    invites.each(move |path| told.send(path.to_owned()).unwrap());
    let mut browser = browser_with(|config| config.invites = Some(invites));
    browser.get("/api/saves").await.assert_error(401, "password");
    let link = heard.recv().unwrap();
    let token = link.trim_start_matches("/enter/").to_owned();
    for _ in 0..2 {
        let page = browser.get(&link).await;
        assert_eq!(page.status, 200);
        assert!(page.text().contains(&token), "looking at it does not use it up");
    }
    let form = format!("token={token}");
    let entered = log_in(&mut browser, &form).await;
    assert_eq!(entered.status, 303);
    let pass = pass(&entered);
    let seen = browser.stranger().send("GET", "/api/saves", &[("cookie", &pass)], Body::empty()).await;
    assert_eq!(seen.json(), json!([]));
    assert_eq!(log_in(&mut browser.stranger(), &form).await.status, 401, "once is once");
    let next = heard.recv().unwrap().replace("/enter/", "token=");
    assert_eq!(log_in(&mut browser.stranger(), &next).await.status, 303, "the next one lets another in");
}

#[tokio::test]
async fn another_password_makes_passes_worthless() {
    let data = tempfile::tempdir().unwrap();
    let start = |word: &str| browser_at(data.path(), |config| config.password = Some(word.to_owned()));
    let mut first = start("one");
    let pass = pass(&log_in(&mut first, "password=one").await);
    let ask = async |server: &Browser| {
        server.stranger().send("GET", "/api/saves", &[("cookie", &pass)], Body::empty()).await.status.as_u16()
    };
    assert_eq!(ask(&start("one")).await, 200, "the server may be started anew");
    assert_eq!(ask(&start("two")).await, 401);
}

#[tokio::test]
async fn metrics_are_at_an_address_of_their_own() {
    let mut browser = browser();
    let mut stranger = browser.stranger();
    browser.make("/api/saves", &named("a", &game())).await;
    browser.get("/api/nothing").await;
    let text = metrics(&browser.service).await;
    stranger.get("/metrics").await.assert_error(404, "not-found");
    for line in [
        "pintu_requests_total{method=\"POST\",status=\"201\"} 1",
        "pintu_refused_total{code=\"not-found\"} 1",
        "pintu_response_seconds_count 2",
        "pintu_response_seconds_bucket{le=\"+Inf\"} 2",
        "pintu_saves 1",
        "pintu_players 1",
        "pintu_searches_running 0",
        "# TYPE pintu_response_seconds histogram",
    ] {
        assert!(text.lines().any(|found| found == line), "{line} is not in\n{text}");
    }
}

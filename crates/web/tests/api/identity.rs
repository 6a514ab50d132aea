//! Cookies, what is stored of them, and the permissions of the files.

use std::{fs, path::Path};

use axum::body::Body;
use serde_json::json;

use crate::support::{browser, browser_at, game, named, postgres};

#[tokio::test]
async fn only_ids_that_we_issued_are_accepted() {
    let mut browser = browser();
    let body = || Body::from(named("a", &game()).to_string());
    for forged in ["0123456789abcdef0123456789abcdef", &"0".repeat(64), "x", ""] {
        let cookie = format!("pintu={forged}");
        let made = browser.stranger().send("POST", "/api/saves", &[("cookie", &cookie)], body()).await;
        assert_eq!(made.status, 201);
        let issued = made.header("set-cookie").to_owned();
        assert!(issued.starts_with("pintu-") && !issued.contains(&format!("={forged};")), "{issued}");
        let seen = browser.stranger().send("GET", "/api/saves", &[("cookie", &cookie)], Body::empty()).await;
        assert_eq!(seen.json(), json!([]), "nobody can be found by an id of one's own choosing");
    }
    browser.make("/api/saves", &named("mine", &game())).await;
    let mut tampered = browser.cookie().unwrap().to_owned().into_bytes();
    let last = tampered.len() - 1;
    tampered[last] = if tampered[last] == b'0' { b'1' } else { b'0' };
    let cookie = String::from_utf8(tampered).unwrap();
    let seen = browser.stranger().send("GET", "/api/saves", &[("cookie", &cookie)], Body::empty()).await;
    assert_eq!(seen.json(), json!([]));
}

#[tokio::test]
async fn under_https_the_cookie_is_secure_and_bound_to_the_host() {
    let browser = browser();
    let body = || Body::from(named("a", &game()).to_string());
    let https: [&[(&str, &str)]; 3] = [
        &[("x-forwarded-proto", "https")],
        &[("forwarded", "for=10.0.0.1;proto=https")],
        &[("origin", "https://127.0.0.1:7468")],
    ];
    for headers in https {
        let reply = browser.stranger().send("POST", "/api/saves", headers, body()).await;
        let cookie = reply.header("set-cookie").to_owned();
        assert!(cookie.starts_with("__Host-pintu-") && cookie.ends_with("; Secure"), "{cookie}");
        assert!(cookie.contains("Path=/;") && !cookie.contains("Domain"), "{cookie}");
        let pair = cookie.split(';').next().unwrap();
        let mut with: Vec<(&str, &str)> = headers.to_vec();
        with.push(("cookie", pair));
        let seen = browser.stranger().send("GET", "/api/saves", &with, Body::empty()).await;
        assert_eq!(seen.json().as_array().unwrap().len(), 1, "it is known again");
        let plain = browser.stranger().send("GET", "/api/saves", &[("cookie", pair)], Body::empty()).await;
        assert_eq!(plain.json(), json!([]), "not over http, where anybody could have set it");
    }
    let plain = browser.stranger().send("POST", "/api/saves", &[], body()).await;
    assert!(plain.header("set-cookie").starts_with("pintu-") && !plain.header("set-cookie").contains("Secure"));
}

/// Browsers send cookies to every port of a host: two servers on one machine must not overwrite each other's.
#[tokio::test]
async fn servers_at_two_ports_of_a_host_leave_each_other_alone() {
    let (mut one, mut two) = (browser(), browser());
    let at = |port: u16| format!("127.0.0.1:{port}");
    let mut jar: Vec<String> = Vec::new();
    for round in 0..2 {
        for (server, host) in [(&mut one, at(7468)), (&mut two, at(7469))] {
            let cookies = jar.join("; ");
            let headers = [("host", host.as_str()), ("cookie", cookies.as_str())];
            let body = Body::from(named("mine", &game()).to_string());
            let made = server.stranger().send("POST", "/api/saves", &headers, body).await;
            assert_eq!(made.status, 201);
            if round == 1 {
                assert_eq!(made.header("set-cookie"), "", "known at {host}");
            }
            jar.extend(made.header("set-cookie").split(';').next().filter(|pair| !pair.is_empty()).map(str::to_owned));
            let cookies = jar.join("; ");
            let headers = [("host", host.as_str()), ("cookie", cookies.as_str())];
            let seen = server.stranger().send("GET", "/api/saves", &headers, Body::empty()).await;
            assert_eq!(seen.json().as_array().unwrap().len(), round + 1, "at {host}");
        }
    }
    // A server may get another port, and keeps its browsers.
    let headers = [("host", "127.0.0.1:9999"), ("cookie", &jar.join("; "))];
    let seen = one.stranger().send("GET", "/api/saves", &headers, Body::empty()).await;
    assert_eq!(seen.json().as_array().unwrap().len(), 2);
}

/// A running server notices that a backup of another server brought another secret.
#[tokio::test]
async fn cookies_that_are_issued_after_a_restore_are_valid_after_a_restart() {
    if postgres::is_on() {
        return;
    }
    let (data, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let server = browser_at(data.path(), |_| ());
    drop(browser_at(other.path(), |_| ()));
    let file = other.path().join("backup");
    pintu_web::backup(other.path(), &file).unwrap();
    pintu_web::restore(data.path(), &file).unwrap();
    let mut browser = server.stranger();
    browser.make("/api/saves", &named("mine", &game())).await;
    let again = browser_at(data.path(), |_| ());
    assert_eq!(browser.at(&again).get("/api/saves").await.json()[0]["name"], "mine");
}

fn holds(data: &Path, text: &str) -> bool {
    let files = fs::read_dir(data).unwrap().map(|file| fs::read(file.unwrap().path()).unwrap());
    files.into_iter().any(|bytes| bytes.windows(text.len()).any(|part| part == text.as_bytes()))
}

#[tokio::test]
async fn the_files_hold_no_id_of_a_browser() {
    if postgres::is_on() {
        return;
    }
    let data = tempfile::tempdir().unwrap();
    let mut browser = browser_at(data.path(), |_| ());
    let save = browser.make("/api/saves", &named("a", &game())).await;
    let cookie = browser.cookie().unwrap().split_once('=').unwrap().1.to_owned();
    assert!(holds(data.path(), &save), "what is looked for would be found");
    assert!(!holds(data.path(), &cookie[..32]), "half of the cookie is the id");
}

#[cfg(unix)]
#[tokio::test]
async fn the_files_are_closed_to_others_whatever_was_allowed_before() {
    use std::os::unix::fs::PermissionsExt;
    if postgres::is_on() {
        return;
    }
    let (parent, open) = (tempfile::tempdir().unwrap(), fs::Permissions::from_mode(0o666));
    let data = parent.path().join("data");
    let files = || fs::read_dir(&data).unwrap().map(|file| file.unwrap().path()).collect::<Vec<_>>();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    // The second server starts while the log of the first is still there.
    let mut running = Vec::new();
    for _ in 0..2 {
        let mut browser = browser_at(&data, |_| ());
        browser.make("/api/saves", &named("a", &game())).await;
        running.push(browser);
        assert_eq!(mode(&data), 0o700);
        assert!(files().len() >= 2, "the database and its log: {:?}", files());
        for file in files() {
            assert_eq!(mode(&file), 0o600, "{}", file.display());
            fs::set_permissions(file, open.clone()).unwrap();
        }
    }
}

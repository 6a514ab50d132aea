use axum::body::Body;
use serde_json::json;

use crate::support::{browser, browser_with, game, named};

#[tokio::test]
async fn health_is_as_promised() {
    let reply = browser().get("/api/health").await;
    assert_eq!((reply.status.as_u16(), reply.text().as_str()), (200, r#"{"status":"ok"}"#));
}

#[tokio::test]
async fn hosts_are_addresses_localhost_and_those_allowed() {
    let mut browser = browser_with(|config| config.allow_hosts = vec!["pintu.Example".to_owned()]);
    for host in
        ["127.0.0.1", "127.0.0.1:7468", "192.168.1.7:80", "[::1]:7468", "[::1]", "LocalHost:9", "PINTU.example:7468"]
    {
        let reply = browser.send("GET", "/api/health", &[("host", host)], Body::empty()).await;
        assert_eq!(reply.status, 200, "{host}");
    }
    for host in ["evil.example", "127.0.0.1.evil.example:7468", "localhost.evil.example", "", "a:b", "localhost:x"] {
        let reply = browser.send("GET", "/api/health", &[("host", host)], Body::empty()).await;
        reply.assert_error(403, "foreign-host");
    }
    let reply = browser.send("GET", "http://evil.example/api/health", &[("host", "127.0.0.1")], Body::empty()).await;
    reply.assert_error(403, "foreign-host");
}

#[tokio::test]
async fn a_person_at_an_unknown_name_is_told_what_to_do() {
    let mut browser = browser();
    for (language, words) in
        [("en-US,en;q=0.9", "does not answer to the name “toy.example”"), ("zh-CN", "没有启用主机名“toy.example”")]
    {
        let headers = [("host", "toy.example:7468"), ("accept", "text/html,*/*"), ("accept-language", language)];
        let reply = browser.send("GET", "/lab", &headers, Body::empty()).await;
        assert_eq!((reply.status.as_u16(), reply.header("content-type")), (403, "text/html; charset=utf-8"));
        assert!(reply.text().contains(words) && reply.text().contains("--allow-host toy.example<"), "{}", reply.text());
        let api = browser.send("GET", "/api/saves", &headers, Body::empty()).await;
        api.assert_error(403, "foreign-host");
    }
    let hostile = [("host", "<b>.example"), ("accept", "text/html")];
    let reply = browser.send("GET", "/", &hostile, Body::empty()).await;
    assert!(reply.status == 403 && !reply.text().contains("<b>"), "{}", reply.text());
}

#[tokio::test]
async fn an_origin_must_match_the_host() {
    let mut browser = browser();
    let save = named("a", &game()).to_string();
    for origin in ["http://evil.example", "null", "http://127.0.0.1:1", "http://127.0.0.1", "file://", "127.0.0.1:7468"]
    {
        let headers = [("origin", origin), ("host", "127.0.0.1:7468")];
        for (method, path) in [("POST", "/api/saves"), ("DELETE", "/api/data"), ("POST", "/api/solve")] {
            let reply = browser.send(method, path, &headers, Body::from(save.clone())).await;
            reply.assert_error(403, "foreign-origin");
        }
    }
    let own = [("origin", "http://127.0.0.1:7468"), ("host", "127.0.0.1:7468")];
    assert_eq!(browser.send("POST", "/api/saves", &own, Body::from(save)).await.status, 201);
}

#[tokio::test]
async fn every_response_carries_the_policy_and_an_id_of_its_own() {
    let mut browser = browser();
    let mut ids = std::collections::HashSet::new();
    for path in ["/api/health", "/api/nothing", "/nothing", "/"] {
        let reply = browser.send("GET", path, &[("x-request-id", "mine")], Body::empty()).await;
        let policy = reply.header("content-security-policy");
        assert!(
            policy.contains("script-src 'self' 'wasm-unsafe-eval';") && policy.contains("default-src 'none'"),
            "{path}: {policy}"
        );
        assert!(!policy.contains("'unsafe"), "{policy}");
        assert_eq!(reply.header("x-content-type-options"), "nosniff");
        let id = reply.header("x-request-id");
        assert!(!id.is_empty() && id != "mine" && ids.insert(id.to_owned()), "{id}");
    }
    let foreign = browser.send("GET", "/", &[("host", "evil.example")], Body::empty()).await;
    assert!(foreign.header("content-security-policy").contains("frame-ancestors 'none'"));
}

#[tokio::test]
async fn unknown_addresses_and_methods_are_errors_of_the_same_shape() {
    let mut browser = browser();
    for path in ["/api", "/api/", "/api/nothing", "/api/saves/", "/api/saves/a/b"] {
        browser.get(path).await.assert_error(404, "not-found");
    }
    for (method, path) in
        [("GET", "/api/solve"), ("PUT", "/api/saves"), ("PATCH", "/api/saves/0"), ("POST", "/api/health")]
    {
        let reply = browser.send(method, path, &[], Body::empty()).await;
        reply.assert_error(405, "method-not-allowed");
        assert!(!reply.header("allow").is_empty(), "{method} {path}");
    }
}

#[tokio::test]
async fn asking_sets_no_cookie_and_making_does() {
    let mut browser = browser();
    for path in ["/api/saves", "/api/records", "/api/health"] {
        assert_eq!(browser.get(path).await.header("set-cookie"), "", "{path}");
    }
    assert_eq!(browser.post("/api/saves", &json!({})).await.header("set-cookie"), "", "nothing was made");
    let reply = browser.post("/api/saves", &named("a", &game())).await;
    let cookie = reply.header("set-cookie").to_owned();
    for part in ["pintu-", "HttpOnly", "SameSite=Lax", "Max-Age=34560000"] {
        assert!(cookie.contains(part), "{cookie}");
    }
    let again = browser.post("/api/saves", &named("b", &game())).await;
    assert_eq!(again.header("set-cookie"), "", "it has one already");
}

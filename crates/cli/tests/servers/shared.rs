//! Data that one server stores is there on the other.

use std::{net::SocketAddr, time::Duration};

use serde_json::{Value, json};

use crate::{
    class::{self, save},
    client::Client,
    site::Site,
};

const HERE: &str = "127.0.0.1";

/// A browser with its cookies, which sends requests to either server.
#[derive(Default)]
struct Browser {
    cookies: Vec<String>,
}

impl Browser {
    async fn ask(&mut self, server: SocketAddr, line: &str, body: &[u8]) -> (u16, String) {
        let mut client = Client::connect(server, HERE).await.unwrap();
        let sent = self.cookies.join("; ");
        client.cookie.clone_from(&sent);
        let (status, answer) = client.send(line, body).await.unwrap();
        if client.cookie != sent {
            let name = client.cookie.split('=').next().unwrap_or_default().to_owned();
            self.cookies.retain(|cookie| cookie.split('=').next() != Some(name.as_str()));
            self.cookies.push(client.cookie);
        }
        (status, answer)
    }

    async fn json(&mut self, server: SocketAddr, line: &str, body: &str, expected: u16) -> Value {
        let (status, answer) = self.ask(server, line, body.as_bytes()).await;
        assert_eq!(status, expected, "{line}: {answer}");
        if answer.is_empty() { Value::Null } else { serde_json::from_str(&answer).unwrap() }
    }
}

#[tokio::test]
async fn games_pictures_and_records_are_there_whichever_server_answers() {
    let Some(site) = Site::start(&[]) else { return };
    let (one, two, proxy) = (site.servers[0].address, site.servers[1].address, site.address);
    let mut browser = Browser::default();
    let (status, page) = browser.ask(proxy, "GET /", b"").await;
    assert!(status == 200 && page.contains("<html"), "{status}");
    let made = browser.json(one, "POST /api/saves", &save(3), 201).await;
    let path = format!("/api/saves/{}", made["id"].as_str().unwrap());
    assert_eq!(browser.json(two, &format!("GET {path}"), "", 200).await["game"]["moves"], "ULD");
    assert_eq!(browser.json(proxy, &format!("PUT {path}"), &save(4), 200).await["revision"], 2);
    let mut stale: Value = serde_json::from_str(&save(5)).unwrap();
    stale["revision"] = json!(1);
    for server in [one, two, proxy] {
        let refused = browser.json(server, &format!("PUT {path}"), &stale.to_string(), 409).await;
        assert_eq!(refused["revision"], 2);
        assert_eq!(browser.json(server, "GET /api/saves", "", 200).await.as_array().unwrap().len(), 1);
        assert_eq!(browser.json(server, "GET /api/health", "", 200).await, json!({ "status": "ok" }));
    }
    let (status, picture) = browser.ask(two, "POST /api/pictures", &jpeg()).await;
    assert_eq!(status, 201, "{picture}");
    let picture: Value = serde_json::from_str(&picture).unwrap();
    let (status, _) = browser.ask(one, &format!("GET /api/pictures/{}", picture["id"].as_str().unwrap()), b"").await;
    assert_eq!(status, 200);
    browser.json(one, "POST /api/records", &class::won(), 201).await;
    assert_eq!(browser.json(two, "GET /api/records", "", 200).await.as_array().unwrap().len(), 1);
    // A stranger has no games on any server.
    for server in [one, two, proxy] {
        assert_eq!(Browser::default().json(server, "GET /api/saves", "", 200).await, json!([]));
        Browser::default().json(server, &format!("GET {path}"), "", 404).await;
    }
    browser.json(two, "DELETE /api/data", "", 204).await;
    assert_eq!(browser.json(one, "GET /api/saves", "", 200).await, json!([]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_invitation_and_a_pass_hold_at_every_server() {
    let Some(mut site) = Site::start(&["--invite"]) else { return };
    let (one, two) = (site.servers[0].address, site.servers[1].address);
    let token = |line: String| line.rsplit('/').next().unwrap().to_owned();
    let first = token(site.servers[0].line());
    let form = format!("token={first}");
    let mut guest = Browser::default();
    guest.json(two, "GET /api/saves", "", 401).await;
    let (status, answer) = guest.ask(two, "POST /enter", form.as_bytes()).await;
    assert_eq!(status, 303, "the link of one server at the other: {answer}");
    for server in [one, two, site.address] {
        assert_eq!(guest.json(server, "GET /api/saves", "", 200).await, json!([]), "the pass is good everywhere");
        let (status, _) = Browser::default().ask(server, "POST /enter", form.as_bytes()).await;
        assert_eq!(status, 401, "once is once, everywhere");
    }
    let next = token(site.servers[0].line());
    assert_ne!(next, first, "its server makes another one");
    let (status, _) = Browser::default().ask(one, "POST /enter", format!("token={next}").as_bytes()).await;
    assert_eq!(status, 303);
}

#[tokio::test]
async fn devices_are_paired_and_the_daily_run_is_ranked_across_servers() {
    let Some(site) = Site::start(&[]) else { return };
    let (one, two, proxy) = (site.servers[0].address, site.servers[1].address, site.address);
    let (mut phone, mut laptop, mut lost) = (Browser::default(), Browser::default(), Browser::default());
    for (browser, server) in [(&mut phone, one), (&mut laptop, two)] {
        browser.json(server, "POST /api/saves", &save(1), 201).await;
    }
    let code = phone.json(one, "POST /api/player/code", "{}", 201).await["code"].clone();
    let by_code = json!({ "code": code }).to_string();
    laptop.json(two, "POST /api/player/join", &by_code, 200).await;
    lost.json(one, "POST /api/player/join", &by_code, 404).await;
    let words = laptop.json(proxy, "POST /api/player/phrase", "{}", 201).await["en"].clone();
    lost.json(one, "POST /api/player/join", &json!({ "phrase": words }).to_string(), 200).await;
    for server in [one, two, proxy] {
        assert_eq!(lost.json(server, "GET /api/saves", "", 200).await.as_array().unwrap().len(), 2);
        assert_eq!(phone.json(server, "GET /api/player", "", 200).await["devices"].as_array().unwrap().len(), 3);
    }
    let day = class::day_path();
    phone.json(two, "PUT /api/player", r#"{"nickname":"Anna"}"#, 200).await;
    let begun = phone.json(one, &format!("POST {day}/start"), "{}", 201).await;
    let ask = json!({ "rows": begun["rows"], "cols": begun["cols"], "tiles": begun["start"] }).to_string();
    let moves = phone.json(proxy, "POST /api/solve", &ask, 200).await["moves"].clone();
    let game = json!({
        "version": 1, "rows": begun["rows"], "cols": begun["cols"], "blank": begun["blank"], "start": begun["start"],
        "moves": moves, "millis": 1000, "picture": begun["picture"], "origin": "daily",
    });
    // A run takes as long as the steps of its game at least.
    tokio::time::sleep(Duration::from_secs(1)).await;
    let ended = laptop.json(two, &format!("POST {day}/finish"), &json!({ "game": game }).to_string(), 200).await;
    assert_eq!(ended["moves"], moves.as_str().unwrap().len());
    for server in [one, two, proxy] {
        let first = Browser::default().json(server, &format!("GET {day}"), "", 200).await["time"][0].clone();
        assert_eq!((&first["nickname"], &first["millis"]), (&json!("Anna"), &ended["millis"]));
    }
}

/// A grey picture of 16×16.
fn jpeg() -> Vec<u8> {
    let mut file = Vec::new();
    let encoder = jpeg_encoder::Encoder::new(&mut file, 90);
    encoder.encode(&[128; 16 * 16], 16, 16, jpeg_encoder::ColorType::Luma).unwrap();
    file
}

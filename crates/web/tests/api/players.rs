//! A player with several devices: pairing, recovery, sending away, nicknames, export and deletion; and the daily puzzle.

use std::time::{Duration, UNIX_EPOCH};

use axum::body::Body;
use serde_json::{Value, json};

use crate::support::{Browser, browser, browser_at, browser_with, game, jpeg, named, postgres, won};

async fn code(browser: &mut Browser) -> String {
    let made = browser.post("/api/player/code", &json!({})).await;
    assert_eq!(made.status, 201, "{}", made.text());
    made.json()["code"].as_str().unwrap().to_owned()
}

async fn join(browser: &mut Browser, key: &str, text: &str) -> u16 {
    browser.post("/api/player/join", &json!({ key: text })).await.status.as_u16()
}

async fn names(browser: &mut Browser) -> Vec<String> {
    let saves = browser.get("/api/saves").await.json();
    saves.as_array().unwrap().iter().map(|save| save["name"].as_str().unwrap().to_owned()).collect()
}

/// Two devices of one player, each of which has brought a save.
async fn pair() -> (Browser, Browser) {
    let mut phone = browser();
    let mut laptop = phone.stranger();
    phone.make("/api/saves", &named("of the phone", &game())).await;
    laptop.make("/api/saves", &named("of the laptop", &game())).await;
    let code = code(&mut phone).await;
    assert_eq!(join(&mut laptop, "code", &code.to_lowercase()).await, 200);
    (phone, laptop)
}

#[tokio::test]
async fn a_code_makes_two_browsers_one_player() {
    let (mut phone, mut laptop) = pair().await;
    for device in [&mut phone, &mut laptop] {
        assert_eq!(names(device).await, ["of the laptop", "of the phone"]);
        assert_eq!(device.get("/api/player").await.json()["devices"].as_array().unwrap().len(), 2);
    }
    let id = laptop.get("/api/saves").await.json()[1]["id"].as_str().unwrap().to_owned();
    assert_eq!(laptop.put(&format!("/api/saves/{id}"), &named("gone on", &game())).await.status, 200);
    assert_eq!(phone.get(&format!("/api/saves/{id}")).await.json()["name"], "gone on");
    let mut stranger = phone.stranger();
    stranger.get(&format!("/api/saves/{id}")).await.assert_error(404, "not-found");
    // Who has nothing yet can join, too, and is known from then on.
    let code = code(&mut phone).await;
    assert_eq!(join(&mut stranger, "code", &code).await, 200);
    assert_eq!(names(&mut stranger).await.len(), 2);
    stranger.post("/api/player/join", &json!({ "code": code })).await.assert_error(404, "unknown-code");
}

#[tokio::test]
async fn a_page_gets_a_link_and_its_picture() {
    let mut browser = browser();
    let origin = [("origin", "http://127.0.0.1:7468")];
    let made = browser.send("POST", "/api/player/code", &origin, Body::empty()).await.json();
    assert_eq!(made["link"], format!("http://127.0.0.1:7468/#join={}", made["code"].as_str().unwrap()));
    assert_eq!(made["seconds"], 600);
    assert!(made["qr"].as_str().unwrap().starts_with("<svg "));
}

#[tokio::test]
async fn words_bring_a_player_back() {
    let (mut phone, laptop) = pair().await;
    assert_eq!(phone.get("/api/player").await.json()["has_phrase"], false);
    let words = phone.post("/api/player/phrase", &json!({})).await.json();
    assert_eq!(phone.get("/api/player").await.json()["has_phrase"], true);
    for language in ["en", "zh"] {
        let mut new = laptop.stranger();
        assert_eq!(join(&mut new, "phrase", words[language].as_str().unwrap()).await, 200);
        assert_eq!(names(&mut new).await.len(), 2);
    }
    let mut new = laptop.stranger();
    let wrong = "legal winner thank year wave sausage worth useful legal winner thank yellow";
    new.post("/api/player/join", &json!({ "phrase": wrong })).await.assert_error(404, "unknown-phrase");
    new.post("/api/player/join", &json!({})).await.assert_error(400, "bad-field");
}

#[tokio::test]
async fn devices_are_renamed_and_sent_away() {
    let (mut phone, mut laptop) = pair().await;
    let devices = phone.get("/api/player").await.json()["devices"].clone();
    let of = |current: bool| {
        let found = devices.as_array().unwrap().iter().find(|device| device["is_current"] == current).unwrap();
        format!("/api/devices/{}", found["id"].as_str().unwrap())
    };
    let renamed = phone.put(&of(false), &json!({ "name": "laptop" })).await.json();
    assert!(renamed["devices"].as_array().unwrap().iter().any(|device| device["name"] == "laptop"));
    phone.put(&of(false), &json!({ "name": "a".repeat(41) })).await.assert_error(400, "bad-field");
    let mut stranger = phone.stranger();
    stranger.delete(&of(false)).await.assert_error(404, "not-found");
    let known = laptop.post("/api/player/phrase", &json!({})).await.json();
    assert_eq!(phone.delete(&of(false)).await.status, 204);
    assert_eq!(join(&mut laptop, "phrase", known["zh"].as_str().unwrap()).await, 404, "its words are void");
    assert_eq!(phone.get("/api/player").await.json()["has_phrase"], false);
    assert!(names(&mut laptop).await.is_empty(), "it has nothing any more");
    laptop.make("/api/saves", &named("new", &game())).await;
    assert_eq!(names(&mut laptop).await, ["new"]);
    phone.delete(&of(true)).await.assert_error(409, "last-device");
    let words = phone.post("/api/player/phrase", &json!({})).await.json();
    let left = phone.delete(&of(true)).await;
    assert_eq!((left.status.as_u16(), left.header("set-cookie").contains("Max-Age=0")), (204, true));
    assert_eq!(join(&mut laptop, "phrase", words["en"].as_str().unwrap()).await, 200);
    assert_eq!(names(&mut laptop).await.len(), 3);
}

#[tokio::test]
async fn nicknames_are_checked() {
    let mut browser = browser();
    assert_eq!(browser.get("/api/player").await.json()["nickname"], json!(null));
    let named = browser.put("/api/player", &json!({ "nickname": " 小明 " })).await;
    assert_eq!(named.json()["nickname"], "小明");
    assert_eq!(named.json()["devices"].as_array().unwrap().len(), 1);
    browser.put("/api/player", &json!({ "nickname": "<script>" })).await.assert_error(400, "bad-nickname");
    let removed = browser.put("/api/player", &json!({ "nickname": null })).await;
    assert_eq!(removed.json()["nickname"], json!(null));
}

/// One who guesses is stopped; neither other players at the same address nor others are.
#[tokio::test]
async fn guesses_of_codes_are_limited() {
    let mut phone = browser_with(|config| config.bounds.guesses = 5);
    let mut pupil = phone.stranger();
    pupil.make("/api/saves", &named("known", &game())).await;
    let right = code(&mut phone).await;
    let mut stranger = phone.stranger();
    for _ in 0..5 {
        assert_eq!(join(&mut stranger, "code", "00000000").await, 404);
        assert_eq!(join(&mut stranger, "code", "no code").await, 404, "what cannot be one is no guess");
    }
    stranger.post("/api/player/join", &json!({ "code": right })).await.assert_error(429, "rate");
    assert_eq!(join(&mut pupil, "code", &right).await, 200);
    let mut newcomer = phone.stranger();
    newcomer.get("/").await;
    for _ in 0..4 {
        assert_eq!(join(&mut newcomer, "code", "00000000").await, 404, "the page has given it a cookie");
    }
    assert_eq!(join(&mut newcomer, "code", &code(&mut phone).await).await, 200);
    let mut everybody = browser_with(|config| config.bounds.guesses_in_total = 3);
    for number in 0..4 {
        let from = format!("10.0.0.{number}");
        let headers = [("x-forwarded-for", from.as_str())];
        let body = Body::from(json!({ "code": "00000000" }).to_string());
        let reply = everybody.send("POST", "/api/player/join", &headers, body).await;
        assert_eq!(reply.status, if number < 3 { 404 } else { 429 });
    }
}

/// A loop of new cookies, or of players made for that, keeps only newcomers of its address from joining, not players who
/// were here the day before.
#[tokio::test]
async fn many_cookies_behind_one_address_hold_up_no_known_player() {
    let data = tempfile::tempdir().unwrap();
    let mut pupil = at(data.path(), 0);
    pupil.make("/api/saves", &named("known", &game())).await;
    let mut phone = browser_at(data.path(), |config| {
        config.fixed_time = Some(UNIX_EPOCH + Duration::from_hours(20_774 * 24));
        config.bounds.guesses = 5;
        config.bounds.guesses_of_address = 20;
    });
    let mut pupil = pupil.at(&phone);
    let right = code(&mut phone).await;
    let mut statuses = Vec::new();
    for number in 0..10 {
        let mut guesser = phone.stranger();
        guesser.get("/").await;
        if number % 2 == 0 {
            guesser.make("/api/saves", &named("for its guesses", &game())).await;
        }
        for _ in 0..5 {
            statuses.push(join(&mut guesser, "code", "00000000").await);
        }
    }
    assert_eq!(statuses.iter().filter(|&&status| status == 404).count(), 20, "{statuses:?}");
    assert_eq!(join(&mut phone.stranger(), "code", &right).await, 429, "of newcomers there are too many");
    assert_eq!(join(&mut pupil, "code", &right).await, 200);
}

#[tokio::test]
async fn everything_is_exported_in_one_file() {
    let (mut phone, _laptop) = pair().await;
    let picture = phone.post_picture(jpeg(16, 16, |x, y| [x as u8 * 9, y as u8 * 9, 80])).await;
    let mut own = game();
    own["picture"] = json!(picture);
    phone.make("/api/saves", &named("with \"marks\"", &own)).await;
    phone.make("/api/records", &json!({ "game": won(1000) })).await;
    phone.put("/api/player", &json!({ "nickname": "Ming" })).await;
    let file = phone.get("/api/data").await;
    assert_eq!(file.header("content-disposition"), "attachment; filename=\"pintu.json\"");
    let file = file.json();
    assert_eq!((&file["pintu"], &file["nickname"]), (&json!(1), &json!("Ming")));
    assert_eq!(file["devices"].as_array().unwrap().len(), 2);
    let games: Vec<_> = file["saves"].as_array().unwrap().iter().map(|save| save["name"].clone()).collect();
    assert_eq!(games, ["with \"marks\"", "of the laptop", "of the phone"]);
    assert_eq!(file["saves"][0]["game"]["picture"], json!(picture));
    assert_eq!(file["records"].as_array().unwrap().len(), 1);
    let data = file["pictures"][&picture].as_str().unwrap();
    assert!(data.starts_with("data:image/jpeg;base64,/9j/"), "{}", &data[..40]);
    let empty = phone.stranger().get("/api/data").await.json();
    assert_eq!((&empty["saves"], &empty["pictures"]), (&json!([]), &json!({})));
}

/// Neither the database nor its log has it any more.
#[tokio::test]
async fn what_is_deleted_is_overwritten() {
    const MARK: &str = "a name that is found nowhere else";
    if postgres::is_on() {
        return;
    }
    let data = tempfile::tempdir().unwrap();
    let mut browser = browser_at(data.path(), |_| ());
    browser.make("/api/saves", &named(MARK, &game())).await;
    let is_there = || {
        std::fs::read_dir(data.path()).unwrap().any(|file| {
            let bytes = std::fs::read(file.unwrap().path()).unwrap();
            bytes.windows(MARK.len()).any(|part| part == MARK.as_bytes())
        })
    };
    assert!(is_there());
    let deleted = browser.delete("/api/data").await;
    assert_eq!((deleted.status.as_u16(), deleted.header("clear-site-data")), (204, "\"cache\""));
    assert!(!is_there());
}

/// A server at a time after midnight of 16 November 2026 in Greenwich.
fn at(data: &std::path::Path, seconds: u64) -> Browser {
    let time = UNIX_EPOCH + Duration::from_hours(20_773 * 24) + Duration::from_secs(seconds);
    browser_at(data, |config| config.fixed_time = Some(time))
}

const DAY: &str = "/api/daily/2026-11-16";

/// The game of the day, solved.
async fn solved(browser: &mut Browser, begun: &Value, millis: u64) -> Value {
    let ask = json!({ "rows": begun["rows"], "cols": begun["cols"], "tiles": begun["start"] });
    let moves = browser.post("/api/solve", &ask).await.json()["moves"].clone();
    json!({
        "version": 1, "rows": begun["rows"], "cols": begun["cols"], "blank": begun["blank"], "start": begun["start"],
        "moves": moves, "millis": millis, "picture": begun["picture"], "origin": "daily",
    })
}

#[tokio::test]
async fn the_daily_run_is_timed_and_ranked() {
    let data = tempfile::tempdir().unwrap();
    let mut early = at(data.path(), 0);
    early.post(&format!("{DAY}/finish"), &json!({ "game": game() })).await.assert_error(400, "record-refused");
    early.post("/api/daily/2026-11-19/start", &json!({})).await.assert_error(409, "day-closed");
    early.post("/api/daily/2026-02-30/start", &json!({})).await.assert_error(404, "not-found");
    early.put("/api/player", &json!({ "nickname": "Anna" })).await;
    let begun = early.post(&format!("{DAY}/start"), &json!({})).await;
    assert_eq!(begun.status, 201);
    let game = solved(&mut early, &begun.json(), 20_000).await;
    let mut other = early.stranger();
    other.post(&format!("{DAY}/finish"), &json!({ "game": game })).await.assert_error(409, "not-begun");
    other.post(&format!("{DAY}/start"), &json!({})).await;
    let later = at(data.path(), 21);
    let (mut anna, mut other) = (early.at(&later), other.at(&later));
    let mut helped = game.clone();
    helped["helped"] = json!(true);
    let finish = format!("{DAY}/finish");
    anna.post(&finish, &json!({ "game": helped })).await.assert_error(400, "record-helped");
    let mut restarted = game.clone();
    restarted["restarted"] = json!(true);
    anna.post(&finish, &json!({ "game": restarted })).await.assert_error(400, "not-ranked");
    // So many moves take longer than no time.
    early.post(&finish, &json!({ "game": game })).await.assert_error(400, "begun-before");
    // It was begun before the run.
    let mut long = game.clone();
    long["millis"] = json!(24_001);
    anna.post(&finish, &json!({ "game": long })).await.assert_error(400, "begun-before");
    let end = anna.post(&finish, &json!({ "game": game })).await.json();
    assert_eq!((&end["millis"], &end["date"]), (&json!(20_000), &json!("2026-11-16")));
    let mut claim = game.clone();
    claim["millis"] = json!(5000);
    let end = other.post(&finish, &json!({ "game": claim })).await.json();
    assert_eq!(end["millis"], 18_000, "no more is believed than a slow network explains");
    let ranking = anna.get(DAY).await.json();
    assert_eq!(ranking["players"], 2);
    let of = |by: &str, at: usize| ranking[by][at].clone();
    assert_eq!((&of("time", 0)["nickname"], &of("time", 0)["is_own"]), (&json!(null), &json!(false)));
    let own = of("time", 1);
    assert_eq!((&own["place"], &own["nickname"], &own["is_own"]), (&json!(2), &json!("Anna"), &json!(true)));
    assert_eq!(ranking["own"][0]["millis"], 20_000);
    assert_eq!(anna.get(&format!("{DAY}?days=7")).await.json()["players"], 2);
    anna.get(&format!("{DAY}?days=8")).await.assert_error(400, "bad-field");
    assert_eq!(anna.get("/api/daily/2026-11-15").await.json()["time"], json!([]));
}

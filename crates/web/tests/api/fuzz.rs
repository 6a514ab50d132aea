//! Random and spoilt bodies. None may make the server fail or panic.

use axum::body::Body;
use proptest::{collection::vec, prelude::*, sample::select};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use crate::support::{Browser, browser_with, game, jpeg_of_kind, named};

/// One server for all cases of a test, with little time for a search.
struct Target {
    runtime: Runtime,
    browser: Browser,
    /// The route of a save that exists.
    save: String,
}

fn target() -> Target {
    let runtime = Runtime::new().unwrap();
    let (browser, save) = runtime.block_on(async {
        let mut browser = browser_with(|config| {
            config.bounds.search_time = std::time::Duration::from_millis(20);
            config.bounds.search_bytes = 32 << 20;
            config.bounds.saves = 20;
            config.bounds.pictures = 20;
        });
        let id = browser.make("/api/saves", &named("a", &game())).await;
        (browser, format!("/api/saves/{id}"))
    });
    Target { runtime, browser, save }
}

impl Target {
    /// Sends a body; the status must be one that the contract knows.
    fn send(&self, method: &str, path: &str, body: Vec<u8>) {
        let mut browser = self.browser.clone();
        let shown = String::from_utf8_lossy(&body).into_owned();
        let path = if path == SAVE_ROUTE { &self.save } else { path };
        let reply = self.runtime.block_on(browser.send(method, path, &[], Body::from(body)));
        let known = [200, 201, 204, 400, 404, 409, 413, 415, 507].contains(&reply.status.as_u16());
        assert!(known, "{method} {path} {shown}: {} {}", reply.status, reply.text());
        let is_recording = reply.status == 200 && reply.body.starts_with(b"PTR1");
        assert!(is_recording || serde_json::from_slice::<Value>(&reply.body).is_ok(), "{}", reply.text());
        // The stored save can still be loaded.
        let loaded = self.runtime.block_on(browser.get(&self.save));
        assert_eq!(loaded.status, 200, "after {method} {path} {shown}");
    }

    /// How often the save was overwritten: a fuzzer that never gets through tests nothing.
    fn overwritten(&self) -> u64 {
        let loaded = self.runtime.block_on(self.browser.clone().get(&self.save)).json();
        loaded["revision"].as_u64().unwrap() - 1
    }
}

/// Stands for the route of the save that exists.
const SAVE_ROUTE: &str = "the save";

const ROUTES: [(&str, &str); 10] = [
    ("POST", "/api/solve"),
    ("POST", "/api/saves"),
    ("PUT", SAVE_ROUTE),
    ("POST", "/api/records"),
    ("POST", "/api/pictures"),
    ("POST", "/api/race"),
    ("POST", "/api/trace"),
    ("POST", "/api/path"),
    ("POST", "/api/check"),
    ("POST", "/api/examine"),
];

/// Any JSON, with the numbers and words that programs stumble over.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (0_u64..20).prop_map(Value::from),
        any::<f64>().prop_map(|number| serde_json::Number::from_f64(number).map_or(Value::Null, Value::Number)),
        select(vec![u64::MAX, 1 << 53, 1 << 32, 1 << 31, 255, 256, 65_536]).prop_map(Value::from),
        select(vec!["", "auto", "bfs", "ida", "manhattan", "ULDR", "builtin:x", "\u{0}", "💥"]).prop_map(Value::from),
        ".{0,20}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 8, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..8).prop_map(Value::from),
            vec(("[a-z_]{1,8}", inner), 0..6).prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

fn problem() -> Value {
    json!({
        "rows": 3, "cols": 4, "tiles": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0, 11], "goal": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0],
        "wrap_rows": [], "wrap_cols": [], "algorithm": "auto", "heuristic": "manhattan", "weight": null,
        "limits": { "seconds": 0.02, "nodes": 1000, "mebibytes": 8, "max_depth": 10 }
    })
}

/// A good body in which some fields, or none, are replaced by anything.
fn mutated(good: Value, fields: &'static str) -> impl Strategy<Value = Value> {
    let fields: Vec<&str> = fields.split_whitespace().collect();
    vec((select(fields), any_json()), 0..4).prop_map(move |changes| {
        let mut body = good.clone();
        for (field, value) in changes {
            match field.split_once('.') {
                Some((outer, inner)) if body[outer].is_object() => body[outer][inner] = value,
                _ => body[field] = value,
            }
        }
        body
    })
}

const PROBLEM: &str = "rows cols tiles goal wrap_rows wrap_cols algorithm heuristic weight limits limits.seconds limits.nodes \
                       limits.mebibytes limits.max_depth";
const SAVE: &str = "name game game.version game.rows game.cols game.wrap_rows game.wrap_cols game.blank game.start game.moves \
                    game.redo game.runs game.millis game.helped game.restarted game.picture game.origin \
                    revision";
const MAP: &str = "map map_id format from to diagonal costs directed algorithm heuristic weight inadmissible nearest distances \
                   directions limits limits.nodes";

#[test]
fn any_bytes_and_any_json_are_answered() {
    let target = target();
    let body = prop_oneof![vec(any::<u8>(), 0..400), any_json().prop_map(|json| json.to_string().into_bytes())];
    proptest!(ProptestConfig::with_cases(600), |(route in select(ROUTES.to_vec()), body in body)| {
        target.send(route.0, route.1, body);
    });
}

/// What searches are asked, each with the fields that are spoilt.
fn questions() -> Vec<(&'static str, Value, &'static str)> {
    let mut race = problem();
    race.as_object_mut().unwrap().remove("algorithm");
    race["contestants"] = json!([{ "algorithm": "bfs" }, { "algorithm": "astar", "heuristic": "manhattan" }]);
    let mut board = problem();
    board
        .as_object_mut()
        .unwrap()
        .retain(|field, _| ["rows", "cols", "tiles", "goal", "limits"].contains(&field.as_str()));
    let map = json!({ "map": "S.3#\n.#..\n9..G\n", "limits": { "seconds": 0.02, "nodes": 1000, "mebibytes": 8 } });
    vec![
        ("/api/solve", problem(), PROBLEM),
        ("/api/race", race, "contestants fair growth scrambles tiles limits limits.nodes text"),
        ("/api/trace", problem(), "events form tiles algorithm map limits.mebibytes goal_text"),
        ("/api/trace", map.clone(), "events map format from to algorithm rows"),
        ("/api/path", map, MAP),
        ("/api/examine", board, "rows tiles text goal goal_text limits limits.mebibytes"),
    ]
}

#[test]
fn spoilt_questions_are_answered() {
    let target = target();
    for (path, good, fields) in questions() {
        proptest!(ProptestConfig::with_cases(160), |(body in mutated(good.clone(), fields))| {
            target.send("POST", path, body.to_string().into_bytes());
        });
    }
}

#[test]
fn spoilt_saves_and_records_are_answered() {
    let target = target();
    let routes = vec![ROUTES[1], ROUTES[2], ROUTES[3]];
    proptest!(ProptestConfig::with_cases(400), |(route in select(routes), body in mutated(named("a", &game()), SAVE))| {
        target.send(route.0, route.1, body.to_string().into_bytes());
    });
    assert!(target.overwritten() > 0, "some of them make sense");
}

#[test]
fn spoilt_pictures_are_answered() {
    let target = target();
    let files = [false, true].map(|kind| jpeg_of_kind(kind, 24, 16, |x, y| [x as u8 * 9, y as u8 * 9, 80])).to_vec();
    let spoil = vec((any::<prop::sample::Index>(), any::<u8>()), 1..12);
    proptest!(ProptestConfig::with_cases(1000), |(file in select(files), spoil in spoil, cut in any::<prop::sample::Index>(), whole in any::<bool>())| {
        let mut bytes = file;
        for (index, byte) in spoil {
            let at = index.index(bytes.len());
            bytes[at] = byte;
        }
        if !whole {
            bytes.truncate(cut.index(bytes.len()));
        }
        target.send("POST", "/api/pictures", bytes);
    });
}

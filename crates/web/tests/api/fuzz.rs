//! Bodies that nobody would send on purpose. None may make the server fail or panic.

use axum::body::Body;
use image::{DynamicImage, ImageFormat, RgbImage};
use proptest::{collection::vec, prelude::*, sample::select};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use crate::support::{Browser, browser_with, game, named};

/// One server for all cases of a test, with little time for a search.
struct Target {
    runtime: Runtime,
    browser: Browser,
    /// The address of a save that is there.
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
        let path = if path == SAVE_PLACE { &self.save } else { path };
        let reply = self.runtime.block_on(browser.send(method, path, &[], Body::from(body)));
        let known = [200, 201, 204, 400, 404, 409, 413, 415].contains(&reply.status.as_u16());
        assert!(known, "{method} {path} {shown}: {} {}", reply.status, reply.text());
        let is_recording = reply.status == 200 && reply.body.starts_with(b"PTR1");
        assert!(is_recording || serde_json::from_slice::<Value>(&reply.body).is_ok(), "{}", reply.text());
        // What is stored can be loaded, whatever was sent.
        let loaded = self.runtime.block_on(browser.get(&self.save));
        assert_eq!(loaded.status, 200, "after {method} {path} {shown}");
    }

    /// How often the save was overwritten: a fuzzer that never gets through tests nothing.
    fn overwritten(&self) -> u64 {
        let loaded = self.runtime.block_on(self.browser.clone().get(&self.save)).json();
        loaded["revision"].as_u64().unwrap() - 1
    }
}

/// Stands for the address of the save that is there.
const SAVE_PLACE: &str = "the save";

const PLACES: [(&str, &str); 10] = [
    ("POST", "/api/solve"),
    ("POST", "/api/saves"),
    ("PUT", SAVE_PLACE),
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
fn mutated(good: Value, fields: &'static [&'static str]) -> impl Strategy<Value = Value> {
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

const PROBLEM: &[&str] = &[
    "rows",
    "cols",
    "tiles",
    "goal",
    "wrap_rows",
    "wrap_cols",
    "algorithm",
    "heuristic",
    "weight",
    "limits",
    "limits.seconds",
    "limits.nodes",
    "limits.mebibytes",
    "limits.max_depth",
];
const SAVE: &[&str] = &[
    "name",
    "game",
    "game.version",
    "game.rows",
    "game.cols",
    "game.wrap_rows",
    "game.wrap_cols",
    "game.blank",
    "game.start",
    "game.moves",
    "game.redo",
    "game.runs",
    "game.millis",
    "game.helped",
    "game.picture",
    "game.origin",
    "revision",
];

/// A search with every number in reach but any limit.
fn any_problem() -> impl Strategy<Value = Value> {
    let algorithms = vec![
        "auto",
        "bfs",
        "bidirectional",
        "dfs",
        "iddfs",
        "dijkstra",
        "greedy",
        "astar",
        "wastar",
        "ida",
        "bfs-tree",
        "dfs-tree",
    ];
    let heuristics = vec!["none", "misplaced", "euclidean", "manhattan", "linear-conflict", "walking-distance"];
    let lines = || vec(0_usize..6, 0..3);
    (
        1_usize..6,
        1_usize..6,
        any::<u64>(),
        select(algorithms),
        proptest::option::of(select(heuristics)),
        lines(),
        lines(),
        any::<u32>(),
    )
        .prop_map(|(rows, cols, seed, algorithm, heuristic, wrap_rows, wrap_cols, depth)| {
            let mut tiles: Vec<usize> = (0..rows * cols).collect();
            let mut state = seed | 1;
            for last in (1..tiles.len()).rev() {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                tiles.swap(last, (state >> 33) as usize % (last + 1));
            }
            json!({
                "rows": rows, "cols": cols, "tiles": tiles, "algorithm": algorithm, "heuristic": heuristic,
                "wrap_rows": wrap_rows, "wrap_cols": wrap_cols, "limits": { "seconds": 0.01, "max_depth": depth }
            })
        })
}

#[test]
fn any_bytes_are_answered() {
    let target = target();
    proptest!(ProptestConfig::with_cases(300), |(place in select(PLACES.to_vec()), body in vec(any::<u8>(), 0..400))| {
        target.send(place.0, place.1, body);
    });
}

#[test]
fn any_json_is_answered() {
    let target = target();
    proptest!(ProptestConfig::with_cases(300), |(place in select(PLACES.to_vec()), body in any_json())| {
        target.send(place.0, place.1, body.to_string().into_bytes());
    });
}

#[test]
fn spoilt_problems_are_answered() {
    let target = target();
    proptest!(ProptestConfig::with_cases(400), |(body in mutated(problem(), PROBLEM))| {
        target.send("POST", "/api/solve", body.to_string().into_bytes());
    });
}

/// What the laboratory asks, each with the fields that are spoilt.
fn questions() -> Vec<(&'static str, Value, &'static [&'static str])> {
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
        ("/api/race", race, &["contestants", "fair", "growth", "scrambles", "tiles", "limits", "limits.nodes", "text"]),
        ("/api/trace", problem(), &["events", "form", "tiles", "algorithm", "map", "limits.mebibytes", "goal_text"]),
        ("/api/trace", map.clone(), &["events", "map", "format", "from", "to", "algorithm", "rows"]),
        ("/api/path", map, MAP),
        ("/api/examine", board, &["rows", "tiles", "text", "goal", "goal_text", "limits", "limits.mebibytes"]),
    ]
}

const MAP: &[&str] = &[
    "map",
    "map_id",
    "format",
    "from",
    "to",
    "diagonal",
    "costs",
    "directed",
    "algorithm",
    "heuristic",
    "weight",
    "inadmissible",
    "nearest",
    "distances",
    "directions",
    "limits",
    "limits.nodes",
];

#[test]
fn spoilt_questions_of_the_laboratory_are_answered() {
    let target = target();
    for (path, good, fields) in questions() {
        proptest!(ProptestConfig::with_cases(120), |(body in mutated(good.clone(), fields))| {
            target.send("POST", path, body.to_string().into_bytes());
        });
    }
}

#[test]
fn any_problem_is_answered() {
    let target = target();
    proptest!(ProptestConfig::with_cases(250), |(body in any_problem())| {
        target.send("POST", "/api/solve", body.to_string().into_bytes());
    });
}

#[test]
fn spoilt_saves_and_records_are_answered() {
    let target = target();
    let places = vec![PLACES[1], PLACES[2], PLACES[3]];
    proptest!(ProptestConfig::with_cases(400), |(place in select(places), body in mutated(named("a", &game()), SAVE))| {
        target.send(place.0, place.1, body.to_string().into_bytes());
    });
    assert!(target.overwritten() > 0, "some of them make sense");
}

#[test]
fn spoilt_pictures_are_answered() {
    let target = target();
    let picture: DynamicImage = RgbImage::from_fn(24, 16, |x, y| image::Rgb([x as u8 * 9, y as u8 * 9, 80])).into();
    let formats = [ImageFormat::Jpeg, ImageFormat::Png, ImageFormat::WebP, ImageFormat::Gif, ImageFormat::Bmp];
    let files = formats.map(|format| {
        let mut bytes = std::io::Cursor::new(Vec::new());
        picture.write_to(&mut bytes, format).unwrap();
        bytes.into_inner()
    });
    let spoil = vec((any::<prop::sample::Index>(), any::<u8>()), 1..12);
    proptest!(ProptestConfig::with_cases(400), |(file in select(files.to_vec()), spoil in spoil, cut in any::<prop::sample::Index>(), whole in any::<bool>())| {
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

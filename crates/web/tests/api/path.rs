use pintu_engine::path::{PathAlgorithm, PathRequest, find_path};
use pintu_grid::{Diagonal, Map, Scratch, Terrain};
use pintu_search::Control;
use serde_json::json;

use crate::support::{browser, browser_with, timeless};

const SEA: &str = "3 4\n1 0 3 0\n2 2 3 4\n0 0 0 0\n";
const OPEN: &str = "S..#\n.#..\n...G\n";
const ROOMS: &str = "@ hall 0 0\n@ kitchen 3 4\n@ cellar 6 8\nhall kitchen 5\nkitchen cellar 5.5\n";

#[tokio::test]
async fn paths_are_what_the_engine_finds() {
    let mut browser = browser();
    let terrain: Terrain = SEA.parse().unwrap();
    for diagonal in ["never", "always", "no-squeeze", "no-corners"] {
        let map = Map::new(&terrain, diagonal.parse::<Diagonal>().unwrap());
        for algorithm in PathAlgorithm::ALL.into_iter().filter(|&name| name != PathAlgorithm::Jps) {
            let body = json!({ "map": SEA, "diagonal": diagonal, "algorithm": algorithm });
            let reply = browser.post("/api/path", &body).await;
            assert_eq!(reply.status, 200, "{}", reply.text());
            let (from, request) = (terrain.start.unwrap(), PathRequest::new(algorithm));
            let expected =
                find_path(&map, from, &terrain.goals, &request, &mut Scratch::new(), &Control::unlimited()).unwrap();
            let expected = serde_json::from_str(&serde_json::to_string(&expected).unwrap()).unwrap();
            assert_eq!(timeless(reply.json()), timeless(expected));
        }
    }
}

#[tokio::test]
async fn ends_costs_formats_and_rules_are_taken() {
    let mut browser = browser();
    let moved = json!({ "map": OPEN, "from": [2, 0], "to": [[0, 2], [1, 3]], "diagonal": "no-corners" });
    let answer = browser.post("/api/path", &moved).await.json();
    assert_eq!((&answer["path"][0], &answer["optimal"]), (&json!([2, 0]), &json!(true)));
    let dear = json!({ "map": SEA, "costs": { "3": 2 } });
    assert_eq!(browser.post("/api/path", &dear).await.json()["cost"], 5);
    let jumps = json!({ "map": OPEN, "algorithm": "jps", "format": "terrain" });
    assert_eq!(browser.post("/api/path", &jumps).await.json()["cost"], 5);
    let cut_off = json!({ "map": "S#G\n.#.\n" });
    assert_eq!(browser.post("/api/path", &cut_off).await.json()["status"], "unreachable");
    let nearest = json!({ "map": "S#G\n.#.\n", "nearest": true });
    assert_eq!(browser.post("/api/path", &nearest).await.json()["nearest"], json!([0, 0]));
    let stopped = json!({ "map": "S..#G\n", "nearest": true, "algorithm": "astar", "limits": { "nodes": 2 } });
    let answer = browser.post("/api/path", &stopped).await.json();
    assert_eq!((&answer["reason"], &answer["expanded"]), (&json!("nodes"), &json!(2)), "{answer}");
    assert!(answer["lower_bound"].as_f64() <= Some(2.0), "{answer}");
    let route = json!({ "map": ROOMS, "format": "graph", "from": "hall", "to": ["cellar"] });
    let answer = browser.post("/api/path", &route).await.json();
    assert_eq!((&answer["cost"], &answer["path"]), (&json!(10.5), &json!(["hall", "kitchen", "cellar"])));
}

#[tokio::test]
async fn distances_are_the_command_lines() {
    let mut browser = browser();
    let all = json!({ "map": "S#.\n...\n", "distances": true });
    assert_eq!(browser.post("/api/path", &all).await.json(), json!([[0, null, 4], [1, 2, 3]]));
    let both = json!({ "map": "S#.\n...\n", "to": [[0, 2]], "distances": true, "directions": true });
    let answer = browser.post("/api/path", &both).await.json();
    assert_eq!(answer["distances"], json!([[4, null, 0], [3, 2, 1]]));
    assert_eq!(answer["directions"][0][0], json!([1, 0]));
    let rooms = json!({ "map": ROOMS, "format": "graph", "from": "kitchen", "distances": true });
    assert_eq!(browser.post("/api/path", &rooms).await.json(), json!({ "hall": 5, "kitchen": 0, "cellar": 5.5 }));
}

#[tokio::test]
async fn a_map_is_sent_once() {
    let mut browser = browser();
    let first = browser.post("/api/path", &json!({ "map": SEA })).await;
    let id = first.header("x-map").to_owned();
    assert_eq!(id.len(), 32);
    for diagonal in ["never", "always", "never"] {
        let known = browser.post("/api/path", &json!({ "map_id": id, "diagonal": diagonal })).await;
        assert_eq!((known.status.as_u16(), known.header("x-map")), (200, id.as_str()), "{}", known.text());
        let whole = browser.post("/api/path", &json!({ "map": SEA, "diagonal": diagonal })).await;
        assert_eq!(timeless(known.json()), timeless(whole.json()));
    }
    let unknown = browser.post("/api/path", &json!({ "map_id": "0".repeat(32) })).await;
    unknown.assert_error(404, "unknown-map");
}

#[tokio::test]
async fn the_map_that_is_longest_unused_makes_room() {
    let mut browser = browser_with(|config| config.bounds.cached_maps = 2);
    let mut ids = Vec::new();
    for map in ["S.G\n", "S..G\n", "S...G\n"] {
        ids.push(browser.post("/api/path", &json!({ "map": map })).await.header("x-map").to_owned());
        browser.post("/api/path", &json!({ "map_id": ids[0] })).await;
    }
    let kept = browser.post("/api/path", &json!({ "map_id": ids[0] })).await;
    assert_eq!(kept.status, 200, "it was used between the others");
    browser.post("/api/path", &json!({ "map_id": ids[1] })).await.assert_error(404, "unknown-map");
    let small = browser_with(|config| config.bounds.maps_bytes = 100).post("/api/path", &json!({ "map": SEA })).await;
    assert_eq!(small.status, 200, "what is too large to be kept is answered all the same");
}

#[tokio::test]
async fn limits_are_kept() {
    let mut browser = browser();
    let open =
        format!("S{}\n", ".".repeat(511)) + &format!("{}\n", ".".repeat(512)).repeat(510) + &".".repeat(511) + "G";
    let few = json!({ "map": open, "algorithm": "dijkstra", "limits": { "nodes": 1000 } });
    let answer = browser.post("/api/path", &few).await.json();
    assert_eq!(
        (&answer["status"], &answer["reason"], &answer["expanded"]),
        (&json!("limit"), &json!("nodes"), &json!(1000))
    );
    let small = json!({ "map": open, "algorithm": "dijkstra", "limits": { "mebibytes": 0.1 } });
    assert_eq!(browser.post("/api/path", &small).await.json()["reason"], "memory");
    let distances = json!({ "map": open, "distances": true, "limits": { "nodes": 10 } });
    assert_eq!(browser.post("/api/path", &distances).await.json(), json!({ "status": "limit", "reason": "nodes" }));
}

#[tokio::test]
async fn bad_questions_are_refused() {
    let mut browser = browser();
    let bad = [
        (json!({}), "bad-field"),
        (json!({ "map": OPEN, "map_id": "0" }), "bad-field"),
        (json!({ "map": 3 }), "bad-field"),
        (json!({ "map": OPEN, "algorithm": "dfs" }), "bad-field"),
        (json!({ "map": OPEN, "algorithm": "bfs", "heuristic": "manhattan" }), "bad-field"),
        (json!({ "map": OPEN, "heuristic": "magic" }), "bad-field"),
        (json!({ "map": OPEN, "weight": 2 }), "bad-field"),
        (json!({ "map": OPEN, "diagonal": "sideways" }), "bad-field"),
        (json!({ "map": OPEN, "format": "png" }), "bad-field"),
        (json!({ "map": OPEN, "costs": { "#": 2 } }), "bad-map"),
        (json!({ "map": OPEN, "costs": { "3": 0 } }), "bad-field"),
        (json!({ "map": OPEN, "costs": { "3": -1 } }), "bad-field"),
        (json!({ "map": OPEN, "from": [9, 9] }), "bad-field"),
        (json!({ "map": OPEN, "from": "hall" }), "bad-field"),
        (json!({ "map": OPEN, "from": [1] }), "bad-field"),
        (json!({ "map": OPEN, "to": [] }), "bad-field"),
        (json!({ "map": OPEN, "to": [[0, 1], "x"] }), "bad-field"),
        (json!({ "map": "..\n", "to": [[0, 1]] }), "bad-field"),
        (json!({ "map": "S.\n" }), "bad-field"),
        (json!({ "map": "S.\n.x\n" }), "bad-map"),
        (json!({ "map": "" }), "bad-map"),
        (json!({ "map": OPEN, "directed": true }), "bad-map"),
        (json!({ "map": OPEN, "directions": true }), "bad-field"),
        (json!({ "map": ROOMS, "format": "graph", "from": "hall", "to": ["cellar"], "nearest": true }), "bad-field"),
        (json!({ "map": ROOMS, "format": "graph", "from": "hall", "to": ["cellar"], "algorithm": "jps" }), "bad-field"),
        (json!({ "map": OPEN, "diagonal": "always", "algorithm": "astar", "heuristic": "manhattan" }), "bad-field"),
        (json!({ "map": "S.\n.拼\n" }), "bad-map"),
        (json!({ "map": OPEN, "limits": { "max_depth": 5 } }), "bad-field"),
        (json!({ "map": OPEN, "rows": 3 }), "bad-field"),
        (json!({ "map": ROOMS, "format": "graph", "from": "attic", "to": ["hall"] }), "bad-field"),
        (json!({ "map": ROOMS, "format": "graph", "from": "hall" }), "bad-field"),
        (json!({ "map": "a b", "format": "graph", "from": "a", "to": ["b"] }), "bad-map"),
    ];
    for (body, code) in bad {
        browser.assert_refused("/api/path", code, [body]).await;
    }
}

#[tokio::test]
async fn maps_are_bounded() {
    let mut browser = browser();
    let largest = format!("{}\n", ".".repeat(1024)).repeat(1024);
    let reply = browser.post("/api/path", &json!({ "map": largest, "from": [0, 0], "to": [[1023, 1023]] })).await;
    assert_eq!(reply.json()["cost"], 2046);
    let larger = largest + &format!("{}\n", ".".repeat(1024));
    browser
        .post("/api/path", &json!({ "map": larger, "from": [0, 0], "to": [[0, 9]] }))
        .await
        .assert_error(400, "bad-map");
    let huge = "#".repeat(4 << 20);
    browser.post("/api/path", &json!({ "map": huge })).await.assert_error(413, "too-large");
}

#[tokio::test]
async fn errors_say_what_was_found_and_in_the_words_of_a_body() {
    let mut browser = browser();
    for (body, said) in [
        (
            json!({ "map": ROOMS, "format": "graph", "from": "hall", "to": ["cellar"], "nearest": true }),
            "nearest: found it",
        ),
        (
            json!({ "map": OPEN, "diagonal": "always", "algorithm": "astar", "heuristic": "manhattan" }),
            "\"inadmissible\": true",
        ),
        (json!({ "map": "S.\n.拼\n" }), "line 2, column 2: found `拼`, expected #"),
    ] {
        let error = browser.post("/api/path", &body).await.json()["error"].clone();
        assert!(error.as_str().unwrap().contains(said), "{error}");
    }
}

/// A name of a million letters is not compared with every node's.
#[tokio::test]
async fn a_name_that_is_none_takes_no_time() {
    let edges: Vec<String> = (0..20_000).map(|node| format!("room{node} room{} 1", node + 1)).collect();
    let graph = edges.join("\n");
    let body = json!({ "map": graph, "format": "graph", "from": "r".repeat(1_000_000), "to": ["room7"] });
    let began = std::time::Instant::now();
    let reply = browser().post("/api/path", &body).await;
    reply.assert_error(400, "bad-field");
    assert!(reply.body.len() < 1000 && began.elapsed() < std::time::Duration::from_secs(10), "{:?}", began.elapsed());
}

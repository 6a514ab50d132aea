//! What Lab and Paths wait for: a path while a goal is dragged, a recording, and the tree that is laid out in it. In
//! process, from the request to the last byte of the response.
//!
//!     cargo bench -p pintu-web --bench lab

use std::time::{Duration, Instant};

use axum::{
    Router,
    body::Body,
    http::{Request, Response},
};
use http_body_util::BodyExt;
use pintu_engine::{
    Algorithm,
    trace::{Tape, Tree, USUAL_EVENTS},
};
use pintu_search::Control;
use pintu_tiles::{NamedGoal, Puzzle, Topology, read_board};
use pintu_web::{Config, app};
use serde_json::{Value, json};
use tower::ServiceExt;

const SIDE: usize = 512;
/// The first of Korf's boards.
const KORF: &str = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3";

fn main() {
    let data = tempfile::tempdir().expect("a directory for the server's data");
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let router = app(Config::new(data.path())).expect("a server");
        for (name, blocked) in [("open", 0), ("a quarter blocked", 25), ("two fifths blocked", 38)] {
            for diagonal in ["never", "no-corners"] {
                drag(&router, name, &ground(blocked), diagonal).await;
            }
        }
        drag(&router, "terrain 1 to 9", &uneven(), "no-corners").await;
        record(&router, "15-puzzle, A* misplaced", &board("astar", "misplaced")).await;
        record(&router, "15-puzzle, IDA* Manhattan", &board("ida", "manhattan")).await;
        let map = json!({ "map": ground(25), "from": [0, 0], "to": [[SIDE - 1, SIDE - 1]], "algorithm": "dijkstra" });
        record(&router, "map of 512×512, Dijkstra", &map).await;
    });
    lay_out();
}

/// Numbers that are the same every time.
fn numbers() -> impl Iterator<Item = usize> {
    std::iter::successors(Some(1_u64), |state| {
        Some(state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407))
    })
    .map(|state| (state >> 33) as usize)
}

/// A map of which so many per cent are blocked, but for its edge.
fn ground(blocked: usize) -> String {
    rows(|row, col, number| {
        let is_edge = row % (SIDE - 1) == 0 || col % (SIDE - 1) == 0;
        if number % 100 < blocked && !is_edge { '#' } else { '.' }
    })
}

fn uneven() -> String {
    rows(|_, _, number| char::from(b'1' + (number % 9) as u8))
}

fn rows(symbol: impl Fn(usize, usize, usize) -> char) -> String {
    let mut numbers = numbers().skip(1);
    let mut text = String::new();
    for row in 0..SIDE {
        text.extend((0..SIDE).map(|col| symbol(row, col, numbers.next().unwrap_or(0))));
        text.push('\n');
    }
    text
}

fn board(algorithm: &str, heuristic: &str) -> Value {
    json!({ "text": KORF, "goal_text": "blank-first", "algorithm": algorithm, "heuristic": heuristic,
            "limits": { "nodes": 150_000 } })
}

async fn post(router: &Router, path: &str, body: &Value) -> Response<Body> {
    let request = Request::post(path).header("host", "127.0.0.1:7468").header("accept-encoding", "gzip");
    let request = request.body(Body::from(body.to_string())).expect("a request");
    let response = router.clone().oneshot(request).await.expect("a response");
    assert_eq!(response.status(), 200, "{path}");
    response
}

async fn timed(router: &Router, path: &str, body: &Value) -> (Duration, usize) {
    let began = Instant::now();
    let response = post(router, path, body).await;
    let bytes = response.into_body().collect().await.expect("a body").to_bytes();
    (began.elapsed(), bytes.len())
}

/// Drags a goal about a map that the server knows.
async fn drag(router: &Router, name: &str, map: &str, diagonal: &str) {
    let first = json!({ "map": map, "diagonal": diagonal, "from": [0, 0], "to": [[SIDE - 1, SIDE - 1]] });
    let began = Instant::now();
    let response = post(router, "/api/path", &first).await;
    let first_time = began.elapsed();
    let id = response.headers()["x-map"].to_str().expect("a name").to_owned();
    let mut times = Vec::new();
    for step in 0..200 {
        let goal = [SIDE - 1, SIDE - 1 - step * 2];
        let body = json!({ "map_id": id, "diagonal": diagonal, "from": [0, 0], "to": [goal] });
        times.push(timed(router, "/api/path", &body).await.0);
    }
    times.sort_unstable();
    println!(
        "drag, {name}, {diagonal}: the first {first_time:.1?}, then median {:.2?}, p99 {:.2?}",
        times[100], times[197]
    );
}

async fn record(router: &Router, name: &str, body: &Value) {
    let mut times = Vec::new();
    let mut size = 0;
    for _ in 0..5 {
        let (time, bytes) = timed(router, "/api/trace", body).await;
        times.push(time);
        size = bytes;
    }
    times.sort_unstable();
    println!("record, {name}: median {:.0?}, {} KiB", times[2], size >> 10);
}

/// The tree of the largest recording, and of one of ten thousand nodes.
fn lay_out() {
    let start = read_board(KORF, None).expect("a board");
    let goal = NamedGoal::BlankFirst.on(start.size());
    let puzzle = Puzzle::new(Topology::plain(start.size()), start, goal).expect("a puzzle");
    for events in [14_000, USUAL_EVENTS] {
        for algorithm in [Algorithm::Astar, Algorithm::Ida] {
            let mut request = pintu_engine::Request::new(puzzle.clone(), algorithm);
            request.limits.nodes = Some(150_000);
            let tape = Tape::new(events);
            let traced = pintu_engine::solve_traced(&request, &Control::unlimited(), &tape).expect("a recording");
            let recording = traced.recording;
            let began = Instant::now();
            let tree = Tree::of(&recording);
            println!("tree, {algorithm}: {} nodes in {:.2?}", tree.x.len(), began.elapsed());
        }
    }
}

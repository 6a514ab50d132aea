//! What Lab and Paths wait for: a path while a goal is dragged, a recording, and the tree that is laid out in it. In
//! process, from the request to the last byte of the response.
//!
//!     cargo bench -p pintu-web --bench lab

#[path = "../../tests/api/support.rs"]
#[allow(dead_code, reason = "the tests need more of it")]
mod support;

use std::time::{Duration, Instant};

use axum::body::Body;
use pintu_engine::{
    Algorithm,
    trace::{DEFAULT_EVENTS, EventBudget, Form, Tree},
};
use pintu_search::Control;
use pintu_tiles::{NamedGoal, Puzzle, Topology, read_board};
use serde_json::{Value, json};
use support::{Browser, Reply, browser};

const SIDE: usize = 512;
/// The first of Korf's boards.
const KORF: &str = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3";

fn main() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let mut browser = browser();
        for (name, blocked) in [("open", 0), ("a quarter blocked", 25), ("two fifths blocked", 38)] {
            for diagonal in ["never", "no-corners"] {
                drag(&mut browser, name, &random_map(blocked), diagonal).await;
            }
        }
        drag(&mut browser, "terrain 1 to 9", &uneven(), "no-corners").await;
        record(&mut browser, "15-puzzle, A* misplaced", &board("astar", "misplaced")).await;
        record(&mut browser, "15-puzzle, IDA* Manhattan", &board("ida", "manhattan")).await;
        let map =
            json!({ "map": random_map(25), "from": [0, 0], "to": [[SIDE - 1, SIDE - 1]], "algorithm": "dijkstra" });
        record(&mut browser, "map of 512×512, Dijkstra", &map).await;
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

/// A map of which some per cent are blocked, but for its edge.
fn random_map(blocked: usize) -> String {
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

/// The reply to a request, and how long it took until its last byte.
async fn timed(browser: &mut Browser, path: &str, body: &Value) -> (Duration, Reply) {
    let began = Instant::now();
    let reply = browser.send("POST", path, &[("accept-encoding", "gzip")], Body::from(body.to_string())).await;
    assert_eq!(reply.status, 200, "{path}");
    (began.elapsed(), reply)
}

async fn drag(browser: &mut Browser, name: &str, map: &str, diagonal: &str) {
    let first = json!({ "map": map, "diagonal": diagonal, "from": [0, 0], "to": [[SIDE - 1, SIDE - 1]] });
    let (first_time, reply) = timed(browser, "/api/path", &first).await;
    let id = reply.header("x-map");
    let mut times = Vec::new();
    for step in 0..200 {
        let goal = [SIDE - 1, SIDE - 1 - step * 2];
        let body = json!({ "map_id": id, "diagonal": diagonal, "from": [0, 0], "to": [goal] });
        times.push(timed(browser, "/api/path", &body).await.0);
    }
    times.sort_unstable();
    println!(
        "drag, {name}, {diagonal}: the first {first_time:.1?}, then median {:.2?}, p99 {:.2?}",
        times[100], times[197]
    );
}

async fn record(browser: &mut Browser, name: &str, body: &Value) {
    let mut times = Vec::new();
    let mut size = 0;
    for _ in 0..5 {
        let (time, reply) = timed(browser, "/api/trace", body).await;
        times.push(time);
        size = reply.body.len();
    }
    times.sort_unstable();
    println!("record, {name}: median {:.0?}, {} KiB", times[2], size >> 10);
}

/// The tree of the largest recording, and of one of ten thousand nodes.
fn lay_out() {
    let start = read_board(KORF, None).expect("a board");
    let goal = NamedGoal::BlankFirst.on(start.size());
    let puzzle = Puzzle::new(Topology::plain(start.size()), start, goal).expect("a puzzle");
    for events in [14_000, DEFAULT_EVENTS] {
        for algorithm in [Algorithm::Astar, Algorithm::Ida] {
            let mut request = pintu_engine::Request::new(puzzle.clone(), algorithm);
            request.limits.nodes = Some(150_000);
            let budget = EventBudget::new(events, Form::Packed);
            let traced = pintu_engine::solve_traced(&request, &Control::unlimited(), &budget).expect("a recording");
            let recording = traced.recording;
            let began = Instant::now();
            let tree = Tree::of(&recording);
            println!("tree, {algorithm}: {} nodes in {:.2?}", tree.x.len(), began.elapsed());
        }
    }
}

//! One query on a map of random obstacles, three times, for a profiler:
//! `valgrind --tool=callgrind target/release/examples/query dijkstra`, or `nothing` for what the map itself takes. A second
//! word puts terrain on the map.

use pintu_grid::{Cell, Diagonal, Heuristic, Map, Scratch, Terrain};
use pintu_search::Control;

const SIDE: u32 = 400;

fn main() {
    let mut words = std::env::args().skip(1);
    let what = words.next().unwrap_or_default();
    let terrain: Terrain = text(words.next().is_some()).parse().expect("a map");
    let diagonal = if what.ends_with('4') { Diagonal::Never } else { Diagonal::NoCorners };
    let map = Map::new(&terrain, diagonal);
    let (from, to) = (Cell::new(0, 0), [Cell::new(SIDE - 1, SIDE - 1)]);
    let (mut scratch, control) = (Scratch::new(), Control::unlimited());
    for _ in 0..3 {
        let heuristic = Heuristic::for_movement(diagonal);
        let report = match what.trim_end_matches('4') {
            "nothing" => return,
            "dijkstra" => map.dijkstra(from, &to, &mut scratch, &control),
            "astar" => map.astar(from, &to, heuristic, &mut scratch, &control),
            "greedy" => map.greedy(from, &to, heuristic, &mut scratch, &control),
            "pruned" => map.pruned_astar(from, &to, &mut scratch, &control),
            "bfs" => map.bfs(from, &to, &mut scratch, &control),
            "shortest" => map.shortest(from, &to, &mut scratch, &control),
            other => panic!("found `{other}`, expected nothing, dijkstra, astar, greedy, pruned, bfs or shortest"),
        };
        println!("{:?}", report.expect("both cells are on the map").counters);
    }
}

/// A quarter of the cells are blocked; with terrain, a quarter cost three times as much as the others.
fn text(has_terrain: bool) -> String {
    let mut random = 12_345_u64;
    let mut text = String::new();
    for row in 0..SIDE {
        for col in 0..SIDE {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let is_corner = (row, col) == (0, 0) || (row, col) == (SIDE - 1, SIDE - 1);
            text.push(match (random >> 33) % 100 {
                _ if is_corner => '.',
                0..25 => '#',
                25..50 if has_terrain => '3',
                _ => '.',
            });
        }
        text.push('\n');
    }
    text
}

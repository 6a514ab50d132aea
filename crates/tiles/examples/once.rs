//! One search, once, for a profiler: `valgrind --tool=callgrind target/release/examples/once astar`.

use pintu_search::{astar, bfs, bidirectional, dfs, dijkstra, ida};
use pintu_tiles::{NamedGoal, Nibbles, Puzzle, TileSpace, Topology, manhattan, read_board};

fn main() {
    let what = std::env::args().nth(1).unwrap_or_default();
    let hard = puzzle("8 6 7 2 5 4 3 0 1", NamedGoal::Standard);
    let (space, start) = TileSpace::<Nibbles>::new(&hard);
    let counters = match what.as_str() {
        "bfs" => bfs(&space, &start, ()).counters,
        "bidirectional" => bidirectional(&space, &start, ()).counters,
        "dfs" => dfs(&space, &start, 40, ()).counters,
        "dijkstra" => dijkstra(&space, &start, ()).counters,
        "astar" => astar(&space, &start, manhattan(&hard), ()).counters,
        "ida" => {
            let korf = puzzle("13 5 4 10 9 12 8 14 2 3 7 1 0 15 11 6", NamedGoal::BlankFirst);
            let (space, start) = TileSpace::<Nibbles>::new(&korf);
            ida(&space, &start, manhattan(&korf), ()).counters
        }
        _ => panic!("found `{what}`, expected bfs, bidirectional, dfs, dijkstra, astar or ida"),
    };
    println!("{counters:?}");
}

fn puzzle(board: &str, goal: NamedGoal) -> Puzzle {
    let start = read_board(board, None).expect("a board");
    let goal = goal.on(start.size());
    Puzzle::new(Topology::plain(start.size()), start, goal).expect("of one size")
}

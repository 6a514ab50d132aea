//! A house of rooms and passages: the shortest way is not the way through the fewest doors.
//!
//! Run it with `cargo run --example rooms -p pintu-search`.

use pintu_search::{Backward, ReportOf, Space, bfs, bidirectional, dijkstra};

/// A passage between two rooms, and its length in steps.
const PASSAGES: [(&str, &str, u32); 11] = [
    ("hall", "library", 4),
    ("hall", "kitchen", 9),
    ("hall", "stairs", 3),
    ("library", "study", 5),
    ("kitchen", "pantry", 2),
    ("kitchen", "garden", 6),
    ("pantry", "cellar", 7),
    ("stairs", "gallery", 8),
    ("study", "gallery", 2),
    ("gallery", "tower", 30),
    ("cellar", "tower", 12),
];

struct House {
    goal: &'static str,
}

impl House {
    fn passages(room: &'static str) -> impl Iterator<Item = (&'static str, u32)> {
        PASSAGES.into_iter().filter_map(move |(one, other, length)| {
            if one == room { Some((other, length)) } else { (other == room).then_some((one, length)) }
        })
    }
}

impl Space for House {
    type State = &'static str;
    type Action = (&'static str, u32);
    type Cost = u32;

    fn actions(&self, room: &&'static str) -> impl Iterator<Item = (&'static str, u32)> {
        Self::passages(room)
    }

    fn apply(&self, room: &mut &'static str, passage: &(&'static str, u32)) -> u32 {
        *room = passage.0;
        passage.1
    }

    fn is_goal(&self, room: &&'static str) -> bool {
        *room == self.goal
    }
}

impl Backward for House {
    fn goals(&self) -> impl Iterator<Item = &'static str> {
        std::iter::once(self.goal)
    }

    fn origins(&self, room: &&'static str) -> impl Iterator<Item = (&'static str, u32)> {
        Self::passages(room)
    }
}

fn main() {
    let house = House { goal: "tower" };
    show("fewest doors", &house, &bfs(&house, &"hall", ()));
    show("fewest doors, from both ends", &house, &bidirectional(&house, &"hall", ()));
    show("fewest steps", &house, &dijkstra(&house, &"hall", ()));
}

fn show(title: &str, house: &House, report: &ReportOf<House>) {
    let way = report.solution().map(|solution| {
        let rooms: Vec<&str> = solution.path.states(house).collect();
        format!("{} ({} doors, {} steps)", rooms.join(" → "), solution.path.len(), solution.cost)
    });
    let way = way.unwrap_or("there is no way".to_owned());
    println!("{title}: {way}, after looking into {} rooms", report.counters.expanded);
}

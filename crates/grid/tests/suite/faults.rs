//! Questions that were once answered falsely.

use pintu_grid::{
    Cell, Diagonal, Format, Heuristic, Length, Map, Method, Outcome, QueryError, Report, Scratch, SymbolCost, Terrain,
    Toward,
};
use pintu_search::{Control, Guarantee, Limits, Stop, Weight};

fn read(text: &str, costs: &[&str]) -> Terrain {
    let costs: Vec<SymbolCost> = costs.iter().map(|cost| cost.parse().unwrap()).collect();
    Format::Terrain.read(text, &costs).unwrap()
}

fn limited(nodes: u64) -> Control {
    Control::new(Limits { nodes: Some(nodes), ..Limits::default() })
}

fn bound(report: &Report) -> Option<f64> {
    match report.outcome {
        Outcome::Stopped { why: Stop::Nodes, lower_bound } => lower_bound,
        ref other => panic!("{other:?}"),
    }
}

/// A search stopped after so many nodes says what every path costs at least, which is no more than what one costs.
#[test]
fn bounds_are_not_above_the_shortest_length() {
    let terrain = read("..S.G\n", &[]);
    let map = Map::new(&terrain, Diagonal::Never);
    let (from, to, scratch) = (Cell::new(0, 2), [Cell::new(0, 4)], &mut Scratch::new());
    for nodes in 0..2 {
        let control = || limited(nodes);
        let heuristic = Heuristic::Manhattan;
        let weighted = map.weighted_astar(from, &to, heuristic, Weight::ONE, scratch, &control()).unwrap();
        assert_eq!(bound(&weighted), Some(2.0));
        assert_eq!(bound(&map.astar(from, &to, heuristic, scratch, &control()).unwrap()), Some(2.0));
        assert_eq!(bound(&map.jps(from, &to, scratch, &control()).unwrap()), Some(2.0));
        assert_eq!(bound(&map.level_astar(from, &to, scratch, &control()).unwrap()), Some(2.0));
        assert_eq!(bound(&map.pruned_astar(from, &to, scratch, &control()).unwrap()), Some(2.0));
        assert_eq!(bound(&map.ida(from, &to, heuristic, scratch, &control()).unwrap()), Some(2.0));
        assert_eq!(bound(&map.dijkstra(from, &to, scratch, &control()).unwrap()), Some(nodes as f64));
        assert_eq!(bound(&map.bfs(from, &to, scratch, &control()).unwrap()), Some(nodes as f64));
    }
}

#[test]
fn a_dear_cell_beside_the_way_does_not_raise_the_bound() {
    let terrain = read("SG9\n", &["9=1000000"]);
    let (from, to) = (terrain.start.unwrap(), &terrain.goals);
    for rule in Diagonal::ALL {
        let map = Map::new(&terrain, rule);
        let scratch = &mut Scratch::new();
        let heuristic = Heuristic::for_movement(rule);
        assert_eq!(bound(&map.astar(from, to, heuristic, scratch, &limited(1)).unwrap()), Some(1.0), "{rule}");
        assert_eq!(bound(&map.shortest(from, to, scratch, &limited(1)).unwrap()), Some(1.0), "{rule}");
    }
}

#[test]
fn a_dear_cell_that_no_good_path_uses_stops_nothing() {
    for dear in ["9=2147483647", "9=4294967295", "9=18446744073709551615"] {
        let terrain = read("S.G\n...\n..9\n", &[dear]);
        let (from, to) = (terrain.start.unwrap(), &terrain.goals);
        for rule in Diagonal::ALL {
            let map = Map::new(&terrain, rule);
            let scratch = &mut Scratch::new();
            let heuristic = Heuristic::for_movement(rule);
            let reports = [
                map.shortest(from, to, scratch, ()),
                map.astar(from, to, heuristic, scratch, ()),
                map.dijkstra(from, to, scratch, ()),
                map.greedy(from, to, heuristic, scratch, ()),
                map.weighted_astar(from, to, heuristic, "2".parse().unwrap(), scratch, ()),
                map.ida(from, to, heuristic, scratch, ()),
                map.bfs(from, to, scratch, ()),
            ];
            for report in reports {
                assert_eq!(report.unwrap().length(), Some(Length::new(2, 0)), "{dear}, {rule}");
            }
        }
    }
}

#[test]
fn what_is_set_aside_bounds_what_is_proved() {
    // The goal lies behind a cell whose cost needs more bits; all else leads away from it, to ever higher ranks.
    let terrain = read(&format!("G9S{}\n", ".".repeat(63)), &[".=401", "S=401", "G=401", "9=47400"]);
    let (from, to) = (terrain.start.unwrap(), &terrain.goals);
    let (map, scratch) = (Map::new(&terrain, Diagonal::Always), &mut Scratch::new());
    // The run in 32 bits takes up the 64 cells on this side, which another does not.
    for nodes in 0..=64 {
        for (name, search) in [
            (
                "astar",
                (|map, from, to, scratch, control| map.astar(from, to, Heuristic::Octile, scratch, control).unwrap())
                    as Search,
            ),
            ("pruned", |map, from, to, scratch, control| map.pruned_astar(from, to, scratch, control).unwrap()),
            ("weighted", |map, from, to, scratch, control| {
                map.weighted_astar(from, to, Heuristic::Octile, Weight::ONE, scratch, control).unwrap()
            }),
        ] {
            let needed = search(&map, from, to, scratch, &Control::unlimited()).counters.expanded;
            let report = search(&map, from, to, scratch, &limited(nodes));
            assert_eq!(report.length().is_some(), nodes >= needed, "{name}: {nodes} of {needed}: {report:?}");
            assert!(report.length().is_some() || bound(&report).is_none_or(|bound| bound <= 47_801.0), "{report:?}");
        }
    }
    let report = map.astar(from, to, Heuristic::Octile, scratch, ()).unwrap();
    assert_eq!(report.length(), Some(Length::new(47_801, 0)));
}

type Search = fn(&Map, Cell, &[Cell], &mut Scratch, &Control) -> Report;

#[test]
fn a_search_that_begins_again_counts_once_and_forgets_no_bound() {
    let terrain = read("S.......9G\n..........\n.......#9.\n", &["9=3000000000", "G=3000000000", ".=7"]);
    let (from, to) = (terrain.start.unwrap(), &terrain.goals);
    let searches: [Search; 4] = [
        |map, from, to, scratch, control| {
            map.astar(from, to, Heuristic::for_movement(map.diagonal()), scratch, control).unwrap()
        },
        |map, from, to, scratch, control| map.pruned_astar(from, to, scratch, control).unwrap(),
        |map, from, to, scratch, control| map.dijkstra(from, to, scratch, control).unwrap(),
        |map, from, to, scratch, control| {
            map.weighted_astar(from, to, Heuristic::Octile, "3".parse().unwrap(), scratch, control).unwrap()
        },
    ];
    for (rule, search) in Diagonal::ALL.into_iter().flat_map(|rule| searches.map(|search| (rule, search))) {
        let (map, scratch) = (Map::new(&terrain, rule), &mut Scratch::new());
        let control = Control::unlimited();
        let free = search(&map, from, to, scratch, &control);
        let length = free.length().unwrap().value();
        let needed = free.counters.expanded;
        assert!(needed <= 29, "no cell counts twice: {free:?}");
        assert_eq!(control.counters().expanded, needed, "{rule}");
        assert!(length > 2_147_483_647.0, "32 bits are not enough: it began again");
        assert_eq!(search(&map, from, to, scratch, &limited(needed)).outcome, free.outcome, "{rule}: it is enough");
        let mut proved = 0.0;
        for nodes in 0..needed {
            let control = limited(nodes);
            let report = search(&map, from, to, scratch, &control);
            assert_eq!((control.counters().expanded, report.counters.expanded), (nodes, nodes), "{report:?}");
            let bound = bound(&report).unwrap();
            assert!(proved <= bound && bound <= length, "{rule}, {nodes}: {proved} before {bound}, {report:?}");
            proved = bound;
        }
    }
}

#[test]
fn distances_that_are_measured_again_count_once() {
    let terrain = read("S.......9G\n..........\n.......#9.\n", &["9=3000000000", "G=3000000000", ".=7"]);
    let (from, scratch) = (terrain.start.unwrap(), &mut Scratch::new());
    for rule in Diagonal::ALL {
        let map = Map::new(&terrain, rule);
        // All cells but the obstacle, which is enough though they are gone over twice.
        let control = limited(29);
        let field = map.distances(from, Toward::Others, scratch, &control);
        assert!(field.is_ok_and(|field| field.length(Cell::new(0, 9)).is_some()), "{rule}");
        assert_eq!(control.counters().expanded, 29, "{rule}");
        let control = limited(28);
        let field = map.distances(from, Toward::Others, scratch, &control);
        let stopped = Some(QueryError::Stopped(Stop::Nodes));
        assert_eq!((field.err(), control.counters().expanded), (stopped, 28), "{rule}");
    }
}

#[test]
fn dear_ground_costs_what_it_costs() {
    let terrain = read("S........G\n..........\n", &["S=4000000000", "G=4000000000", ".=4000000000"]);
    let (from, to) = (terrain.start.unwrap(), &terrain.goals);
    let map = Map::new(&terrain, Diagonal::Always);
    for (method, report) in [
        (Method::Jumps, map.jps(from, to, &mut Scratch::new(), ())),
        (Method::Astar, map.astar(from, to, Heuristic::Octile, &mut Scratch::new(), ())),
        (Method::Pruned, map.pruned_astar(from, to, &mut Scratch::new(), ())),
        (Method::Ida, map.ida(from, to, Heuristic::Octile, &mut Scratch::new(), ())),
    ] {
        let report = report.unwrap();
        assert_eq!(report.method, method);
        assert_eq!(report.length(), Some(Length::new(36_000_000_000, 0)));
    }
    // One cell that costs something else, so that nothing can be factored out.
    let terrain = read("S........G\n.........1\n", &["S=4000000000", "G=4000000000", ".=4000000001"]);
    let map = Map::new(&terrain, Diagonal::Always);
    let report = map.shortest(from, to, &mut Scratch::new(), ()).unwrap();
    assert_eq!(report.length(), Some(Length::new(36_000_000_008, 0)));
    // Ground whose sum has more than 64 bits is not walked on: that is said, not guessed.
    let terrain = read("S........G\n..........\n", &[".=18446744073709551615"]);
    let map = Map::new(&terrain, Diagonal::Never);
    let report = map.shortest(from, to, &mut Scratch::new(), ()).unwrap();
    assert!(matches!(report.outcome, Outcome::Stopped { why: Stop::Overflow, .. }), "{report:?}");
}

#[test]
fn what_no_cost_can_say_is_known_to_be_beyond_all_that_can_be_said() {
    let terrain = read("S9G\n", &["9=18446744073709551615"]);
    let (from, to, scratch) = (terrain.start.unwrap(), &terrain.goals, &mut Scratch::new());
    for rule in Diagonal::ALL {
        let map = Map::new(&terrain, rule);
        for report in [
            map.shortest(from, to, scratch, ()).unwrap(),
            map.dijkstra(from, to, scratch, ()).unwrap(),
            map.astar(from, to, Heuristic::for_movement(rule), scratch, ()).unwrap(),
        ] {
            let Outcome::Stopped { why: Stop::Overflow, lower_bound: Some(bound) } = report.outcome else {
                panic!("{rule}: {report:?}");
            };
            assert!(bound >= 1.844_674_407e19 && bound <= u64::MAX as f64 + 1.0, "{rule}: {bound}");
        }
    }
}

/// Costs that need all 64 bits, on every way of moving and for every algorithm that adds them up.
#[test]
fn costs_are_exact_as_far_as_64_bits_go() {
    // Onto a dear cell diagonally, or around a corner that costs less than one too little to be the longer way.
    let dear = 12_000_000_000_000_000_000_u64;
    let corner = (2 * u128::from(dear).pow(2)).isqrt() as u64 - dear;
    let around = |corner: u64| vec![format!("9={corner}"), "8=18446744073709551615".to_owned(), format!("G={dear}")];
    for (text, costs, rules, expected) in [
        ("S9G\n", vec!["9=18446744073709551614".to_owned()], &Diagonal::ALL[..], Length::new(u64::MAX, 0)),
        ("S9\n8G\n", around(corner), &[Diagonal::Always], Length::new(corner + dear, 0)),
        ("S9\n8G\n", around(corner + 1), &[Diagonal::Always], Length::new(0, dear)),
    ] {
        let costs: Vec<&str> = costs.iter().map(String::as_str).collect();
        let terrain = read(text, &costs);
        let (from, to, scratch) = (terrain.start.unwrap(), &terrain.goals, &mut Scratch::new());
        for &rule in rules {
            let map = Map::new(&terrain, rule);
            let heuristic = Heuristic::for_movement(rule);
            for report in [
                map.shortest(from, to, scratch, ()).unwrap(),
                map.dijkstra(from, to, scratch, ()).unwrap(),
                map.astar(from, to, heuristic, scratch, ()).unwrap(),
                map.pruned_astar(from, to, scratch, ()).unwrap(),
                map.weighted_astar(from, to, heuristic, Weight::ONE, scratch, ()).unwrap(),
                map.ida(from, to, heuristic, scratch, ()).unwrap(),
            ] {
                let found = Outcome::Found { length: expected, guarantee: Guarantee::Cheapest };
                assert_eq!(report.outcome, found, "{rule}: {report:?}");
            }
            let distances = map.distances(from, Toward::Others, scratch, ()).unwrap();
            assert_eq!(distances.length(to[0]), Some(expected), "{rule}");
        }
    }
}

#[test]
fn deepening_counts_dear_cells_in_full() {
    let terrain = read("S.\n.G\n", &["G=1000000"]);
    let map = Map::new(&terrain, Diagonal::Always);
    let report = map.ida(terrain.start.unwrap(), &terrain.goals, Heuristic::Octile, &mut Scratch::new(), ()).unwrap();
    let expected = Outcome::Found { length: Length::new(1_000_001, 0), guarantee: Guarantee::Cheapest };
    assert_eq!(report.outcome, expected);
}

#[test]
fn what_overestimates_bounds_nothing() {
    let terrain = read("S..\n...\n..G\n", &[]);
    let (from, to) = (terrain.start.unwrap(), &terrain.goals);
    let map = Map::new(&terrain, Diagonal::Always);
    let (heuristic, scratch) = (Heuristic::Manhattan, &mut Scratch::new());
    for nodes in 0..3 {
        let control = || limited(nodes);
        assert_eq!(bound(&map.astar(from, to, heuristic, scratch, &control()).unwrap()), None);
        assert_eq!(bound(&map.ida(from, to, heuristic, scratch, &control()).unwrap()), None);
        let weighted = map.weighted_astar(from, to, heuristic, Weight::ONE, scratch, &control());
        assert_eq!(bound(&weighted.unwrap()), None);
    }
    let report = map.weighted_astar(from, to, heuristic, Weight::ONE, scratch, ()).unwrap();
    assert!(matches!(report.outcome, Outcome::Found { guarantee: Guarantee::None, .. }));
}

#[test]
fn the_fastest_way_says_which_it_was() {
    let ways = |text: &str, rule| {
        let terrain = read(text, &[]);
        let map = Map::new(&terrain, rule);
        map.shortest(terrain.start.unwrap(), &terrain.goals, &mut Scratch::new(), ()).unwrap().method
    };
    assert_eq!(ways("S....G\n", Diagonal::Never), Method::Jumps);
    assert_eq!(ways("S.#.\n#..#\n.#..\n..#G\n", Diagonal::Never), Method::Levels);
    assert_eq!(ways("S.9.G\n", Diagonal::Always), Method::Pruned);
}

/// Levels count the same whether somebody watches or not, wherever they are stopped.
#[test]
fn levels_count_every_successor() {
    let small = "S..#....\n.#.#.##.\n.#...#.G\n.####.#.\n........\n".to_owned();
    // Three words wide, with something in the way every few cells, and the goal in the middle.
    let row = |row: usize| -> String {
        (0..150).map(|col| if (row * 7 + col * 3).is_multiple_of(11) { '#' } else { '.' }).collect()
    };
    let wide: String = (0..9).map(|at| row(at) + "\n").collect();
    for (text, ends) in
        [(small, vec![((0, 0), (2, 7)), ((2, 7), (0, 0))]), (wide, vec![((0, 1), (4, 77)), ((8, 149), (4, 77))])]
    {
        let terrain = read(&text, &[]);
        let map = Map::new(&terrain, Diagonal::Never);
        for (from, to) in ends {
            let (from, to) = (Cell::new(from.0, from.1), [Cell::new(to.0, to.1)]);
            for nodes in 1..400 {
                let mut watched = pintu_search::Trace::new(0);
                let seen = map.level_astar(from, &to, &mut Scratch::new(), (&limited(nodes), &mut watched)).unwrap();
                let unseen = map.level_astar(from, &to, &mut Scratch::new(), &limited(nodes)).unwrap();
                let counts = |report: &pintu_grid::Report| (report.counters.expanded, report.counters.generated);
                assert_eq!(counts(&seen), counts(&unseen), "{nodes} from {from:?} to {to:?}");
            }
        }
    }
}

#[test]
fn a_byte_order_mark_is_no_part_of_a_map_or_graph() {
    assert_eq!("\u{feff}S.G\n".parse::<Terrain>().unwrap().start, Some(Cell::new(0, 0)));
    assert_eq!("\u{feff}1 2\n14\n".parse::<Terrain>().unwrap().format(), Format::Sea);
    assert!(pintu_grid::Graph::read("\u{feff}a b 1\n", false).unwrap().node("a").is_some());
    assert_eq!(pintu_grid::Scenario::read_all("\u{feff}0 m 9 9 0 0 1 1 1.41421\n").unwrap()[0].bucket, 0);
}

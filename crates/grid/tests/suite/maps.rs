//! Maps with known answers: those of the project, and the `MovingAI` benchmarks where they are at hand.

use std::{env, fs, path::Path, time::Instant};

use pintu_grid::{Algorithm, Diagonal, Heuristic, Map, Scenario, Scratch, Terrain};

fn data(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data").join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn the_sea_maps_cost_what_they_should() {
    for (name, cost) in
        [("4x8", Some("10")), ("4x16", Some("100")), ("4x8-unsolvable", None), ("4x16-unsolvable", None)]
    {
        let terrain: Terrain = data(&format!("seamaps/{name}.txt")).parse().unwrap();
        let map = Map::new(&terrain, Diagonal::Never);
        let (from, to) = (terrain.start.unwrap(), terrain.goals.clone());
        for algorithm in [Algorithm::Fastest, Algorithm::Astar(Heuristic::Manhattan)] {
            let report = map.search(algorithm, from, &to, &mut Scratch::new(), ()).unwrap();
            assert_eq!(report.length().map(|length| length.to_string()).as_deref(), cost, "{name}: {algorithm:?}");
        }
    }
}

#[test]
fn the_scenarios_of_the_project_agree() {
    for name in ["rooms", "spiral", "rubble"] {
        let terrain: Terrain = data(&format!("maps/{name}.map")).parse().unwrap();
        let scenarios = Scenario::read_all(&data(&format!("maps/{name}.map.scen"))).unwrap();
        assert!(scenarios.len() >= 20);
        check(name, &terrain, &scenarios);
    }
}

#[test]
fn the_movingai_scenarios_agree() {
    let Some(folder) = env::var_os("PINTU_MAPS").filter(|folder| !folder.is_empty()) else {
        pintu_testing::skip("the MovingAI scenarios: PINTU_MAPS names no folder of maps");
        return;
    };
    let mut maps = 0;
    for entry in fs::read_dir(&folder).expect("PINTU_MAPS is a folder") {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|suffix| suffix == "map") {
            let terrain: Terrain = fs::read_to_string(&path).unwrap().parse().unwrap();
            let scenarios = Scenario::read_all(&fs::read_to_string(path.with_extension("map.scen")).unwrap()).unwrap();
            check(&path.display().to_string(), &terrain, &scenarios);
            maps += 1;
        }
    }
    assert!(maps > 0, "PINTU_MAPS holds no .map file");
}

/// Jump point search and the fastest algorithm on every query; the slower ones on as many as there is time
/// for, or on every one if `PINTU_MAPS_FULL` is set.
fn check(name: &str, terrain: &Terrain, scenarios: &[Scenario]) {
    let map = Map::new(terrain, terrain.format().diagonal());
    let mut scratch = Scratch::new();
    let mut length = |query: &Scenario, algorithm: Algorithm| {
        let report = map.search(algorithm, query.from, &[query.to], &mut scratch, ()).unwrap();
        let Some(length) = report.length() else { panic!("{name}: {algorithm:?} found no path for `{query}`") };
        assert!(query.agrees(length.value()), "{name}: {algorithm:?} found {length} for `{query}`");
        length
    };
    let is_full = env::var_os("PINTU_MAPS_FULL").is_some_and(|value| !value.is_empty());
    let mut slower = 0;
    let started = Instant::now();
    for (number, query) in scenarios.iter().enumerate() {
        let shortest = length(query, Algorithm::Fastest);
        assert_eq!(length(query, Algorithm::Jps), shortest);
        let every = if started.elapsed().as_secs() < 3 { 7 } else { 97 };
        if number % every == 0 || scenarios.len() < 100 || is_full {
            slower += 1;
            for algorithm in [Algorithm::PrunedAstar, Algorithm::Astar(Heuristic::Octile), Algorithm::Dijkstra] {
                assert_eq!(length(query, algorithm), shortest, "{algorithm:?}");
            }
        }
    }
    println!("{name}: {} queries by jps, {slower} of them by astar and dijkstra", scenarios.len());
}

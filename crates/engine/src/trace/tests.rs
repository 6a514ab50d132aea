use pintu_grid::Graph;
use pintu_search::{Control, Counters, Limits};
use serde_json::{Value, json, value::to_raw_value};

use super::{recorder::Shown, *};
use crate::path::{PathAlgorithm, PathCost, PathRequest};

/// A 1×3 map of which the cells are taken up from left to right.
fn walked(most: usize) -> Recording {
    let place = Place::Cells { rows: 1, cols: 3, goals: vec![2] };
    let mut recorder = Recorder::new(place, &Tape::new(most), &Control::unlimited());
    let whole = PathCost::Whole;
    let shown =
        |id: u64, parent, paid| Shown { id, parent, backward: false, paid: whole(paid), left: Some(whole(2 - paid)) };
    let cell = |cell: u32| move || std::iter::once(cell);
    recorder.iteration(whole(2));
    recorder.note(What::Expanded, &shown(0, None, 0), cell(0));
    recorder.note(What::New, &shown(1, Some(0), 1), cell(1));
    recorder.note(What::Expanded, &shown(1, Some(0), 1), cell(1));
    recorder.note(What::New, &shown(2, Some(1), 2), cell(2));
    recorder.note(What::Known, &shown(0, Some(1), 2), cell(0));
    recorder.note(What::Expanded, &shown(2, Some(1), 2), cell(2));
    recorder.finish(&Counters { expanded: 3, generated: 4, ..Counters::default() }).0
}

fn caption() -> Caption {
    Caption {
        depth_first: false,
        order: Order::Sum { weight: 1.0 },
        start: vec![0],
        path: Some(vec![0, 1, 2]),
        cost: Some(PathCost::Whole(2)),
        answer: to_raw_value(&json!({"status": "found"})).unwrap(),
    }
}

fn written(recording: &Recording, form: Form) -> Value {
    let mut bytes = Vec::new();
    recording.write(&caption(), form, &mut bytes).unwrap();
    serde_json::from_slice(&bytes).unwrap()
}

#[test]
fn a_state_is_written_once_and_events_point_at_it() {
    let recording = walked(100);
    assert_eq!(recording.nodes.states, [0, 1, 2]);
    assert_eq!(recording.events.node, [NOBODY, 0, 1, 1, 2, 0, 2]);
    assert_eq!(recording.events.parent, [NOBODY, NOBODY, 0, 0, 1, 1, 1]);
    assert_eq!(recording.events.what, [8, 0, 1, 0, 1, 2, 0]);
    assert_eq!((recording.counts.expanded, recording.counts.generated, recording.cut), (3, 4, false));
}

#[test]
fn after_the_last_event_only_counts_go_on() {
    let recording = walked(3);
    assert_eq!((recording.len(), recording.nodes.states.len()), (3, 2));
    assert_eq!(recording.counts, walked(100).counts);
    assert!(recording.cut);
    assert!(!walked(7).cut, "none is missing");
    assert!(walked(6).cut);
    let document = written(&recording, Form::Posthoc);
    let end = document["events"].as_array().unwrap().last().unwrap();
    assert_eq!((&end["type"], &end["cut"]), (&json!("end"), &json!(true)));
}

#[test]
fn our_own_form_is_a_few_arrays() {
    let document = written(&walked(100), Form::Compact);
    assert_eq!((&document["format"], &document["version"]), (&json!("pintu-trace"), &json!(1)));
    assert_eq!(document["space"], json!({"kind": "cells", "rows": 1, "cols": 3, "goals": [2]}));
    assert_eq!(document["events"]["node"], json!([-1, 0, 1, 1, 2, 0, 2]));
    assert_eq!(document["events"]["g"], json!([2, 0, 1, 1, 2, 2, 2]));
    assert_eq!(document["counts"], json!({"expanded": 3, "generated": 4, "iterations": 1}));
    assert_eq!((&document["answer"]["status"], &document["path"]), (&json!("found"), &json!([0, 1, 2])));
}

#[test]
fn posthoc_finds_what_it_looks_for() {
    let document = written(&walked(100), Form::Posthoc);
    let keys: Vec<&String> = document.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["events", "pivot", "version", "views"]);
    assert_eq!(document["pivot"]["x"], "${{ $.x + 0.5 }}", "the way to an event is drawn through the middles of cells");
    assert_eq!(document["version"], "1.4.0");
    let events = document["events"].as_array().unwrap();
    let types: Vec<&str> = events.iter().map(|event| event["type"].as_str().unwrap()).collect();
    let expected = [
        "source",
        "destination",
        "expanding",
        "generating",
        "closing",
        "expanding",
        "generating",
        "generating",
        "closing",
        "expanding",
        "closing",
        "end",
    ];
    assert_eq!(types, expected);
    for event in events {
        assert!(event["id"].as_u64() >= Some(1), "{event}");
        for key in ["pId", "f", "g", "h", "x", "y"] {
            assert!(event.get(key).is_some(), "{key}: {event}");
        }
    }
    assert_eq!((&events[1]["x"], &events[1]["g"], &events[1]["id"]), (&json!(2), &json!(2), &json!(3)));
    assert_eq!((&events[5]["id"], &events[5]["pId"], &events[5]["f"]), (&json!(2), &json!(1), &json!(2)));
    assert_eq!(events[7]["fate"], "known");
    let end = &events[events.len() - 1];
    assert_eq!(end["path"][2], json!({"x": 2.5, "y": 0.5}));
    assert_eq!(document["views"]["main"][0]["$"], "rect");
}

/// Nodes of a graph are drawn as large as their coordinates ask for; where there are none, on a circle.
#[test]
fn posthoc_draws_graphs_of_any_extent() {
    for scale in [1.0, 1000.0] {
        let at = |name: &str, x: f64, y: f64| format!("@ {name} {} {}\n", x * scale, y * scale);
        let text = format!(
            "a b 3\nb c 4\nc d 5\n{}{}{}{}",
            at("a", 0.0, 0.0),
            at("b", 3.0, 0.0),
            at("c", 3.0, 2.0),
            at("d", 0.0, 2.0)
        );
        let graph = pintu_grid::Graph::read(&text, false).unwrap();
        let request = PathRequest::new(PathAlgorithm::Dijkstra);
        let found =
            crate::path::find_route_traced(&graph, "a", &["d"], &request, &Control::unlimited(), &Tape::new(100))
                .unwrap();
        let mut bytes = Vec::new();
        found.write(Form::Posthoc, &mut bytes).unwrap();
        let document: Value = serde_json::from_slice(&bytes).unwrap();
        let unit = 0.75 * scale;
        assert_eq!(document["pivot"]["scale"].as_f64(), Some(unit), "{document}");
        assert_eq!(document["views"]["main"][0]["radius"].as_f64(), Some(0.4 * unit));
    }
}

/// Where nothing was recorded, too, a reader learns what was looked for, what came of it and that events are missing.
#[test]
fn posthoc_is_told_the_ends_whatever_was_recorded() {
    let sea: pintu_grid::Terrain = "S#G\n".parse().unwrap();
    let map = pintu_grid::Map::new(&sea, pintu_grid::Diagonal::Never);
    let open: pintu_grid::Terrain = "S.G\n".parse().unwrap();
    let open_map = pintu_grid::Map::new(&open, pintu_grid::Diagonal::Never);
    let no_nodes = Limits { nodes: Some(0), ..Limits::default() };
    let cases = [
        (&sea, &map, Limits::default(), 100, false),
        (&open, &open_map, no_nodes, 100, false),
        (&open, &open_map, Limits::default(), 0, true),
    ];
    for (terrain, map, limits, events, is_cut) in cases {
        let request = PathRequest { limits, ..PathRequest::new(PathAlgorithm::Bfs) };
        let (from, control) = (terrain.start.unwrap(), Control::unlimited());
        let found = find_path_traced(map, from, &terrain.goals, &request, &control, &Tape::new(events)).unwrap();
        let mut bytes = Vec::new();
        found.write(Form::Posthoc, &mut bytes).unwrap();
        let document: Value = serde_json::from_slice(&bytes).unwrap();
        let events = document["events"].as_array().unwrap();
        let (source, destination, end) = (&events[0], &events[1], &events[events.len() - 1]);
        let types = [source, destination, end].map(|event| &event["type"]);
        assert_eq!(types, ["source", "destination", "end"], "{document}");
        assert_eq!([source, destination, end].map(|event| &event["x"]), [0, 2, 0], "{document}");
        assert_eq!([source, destination].map(|event| &event["id"]), [1, 2], "{document}");
        assert_eq!((&end["cut"], end["answer"]["status"].is_string()), (&json!(is_cut), true), "{document}");
    }
}

#[test]
fn a_files_name_says_the_form() {
    assert_eq!(Form::of_name("a.trace.json"), Form::Posthoc);
    assert_eq!(Form::of_name("trace.json"), Form::Compact);
}

#[test]
fn breadth_first_counts_steps_where_costs_are_decimals() {
    let graph = Graph::read("a b 1.5\nb c 2\na c 4.25\n", false).unwrap();
    let paid = |algorithm| {
        let request = PathRequest::new(algorithm);
        let tape = Tape::new(100);
        let traced = find_route_traced(&graph, "a", &["c"], &request, &Control::unlimited(), &tape).unwrap();
        traced.recording.events.paid
    };
    assert!(paid(PathAlgorithm::Bfs).contains(&1.0) && paid(PathAlgorithm::Bfs).iter().all(|paid| paid.fract() == 0.0));
    assert!(paid(PathAlgorithm::Dijkstra).contains(&1.5));
}

#[test]
fn costs_have_every_digit_however_large_they_are() {
    let written = |traced: &Traced<crate::path::PathAnswer>, form| {
        let mut bytes = Vec::new();
        traced.write(form, &mut bytes).unwrap();
        String::from_utf8(bytes).unwrap()
    };
    let control = Control::unlimited();
    let whole = Graph::read("a b 99999999999999821\nb c 1\n", false).unwrap();
    let parted = Graph::read("a b 999999999999.000001\nb c 1.25\n", false).unwrap();
    for (graph, [one, both]) in
        [(whole, ["99999999999999821", "99999999999999822"]), (parted, ["999999999999.000001", "1000000000000.250001"])]
    {
        let request = PathRequest::new(PathAlgorithm::Astar);
        let traced = find_route_traced(&graph, "a", &["c"], &request, &control, &Tape::new(100)).unwrap();
        let text = written(&traced, Form::Compact);
        assert!(text.contains(&format!("\"g\":[0,0,{one},{one},{one},{both},{both},{both}]")), "{text}");
        let text = written(&traced, Form::Posthoc);
        assert!(text.contains(&format!("\"f\":{both},\"g\":{both},\"h\":0")), "{text}");
    }
    let terrain = pintu_grid::Format::Terrain.read("S9G\n", &["9=49999999999999911".parse().unwrap()]).unwrap();
    let map = pintu_grid::Map::new(&terrain, pintu_grid::Diagonal::Never);
    let request = PathRequest::new(PathAlgorithm::Astar);
    let (from, tape) = (terrain.start.unwrap(), Tape::new(100));
    let traced = find_path_traced(&map, from, &terrain.goals, &request, &control, &tape).unwrap();
    let text = written(&traced, Form::Compact);
    assert!(text.contains(",49999999999999911,49999999999999912,49999999999999912]"), "{text}");
}

#[test]
fn a_tape_says_how_much_it_holds_and_when_it_is_full() {
    let place = || Place::Cells { rows: 1, cols: 3, goals: vec![2] };
    let tape = Tape::new(2);
    let mut recorder = Recorder::new(place(), &tape, &Control::unlimited());
    for (bound, expected) in [(1, (1, false)), (2, (2, false)), (3, (2, true))] {
        recorder.iteration(PathCost::Whole(bound));
        assert_eq!((tape.events(), tape.is_cut()), expected, "an event that is missing is what makes a cut");
    }
}

#[test]
fn a_recording_takes_half_of_the_memory_at_most_and_says_so() {
    let control = Control::new(Limits { memory: Some(1 << 20), ..Limits::default() });
    let tape = Tape::new(usize::MAX);
    let mut recorder = Recorder::new(Place::Cells { rows: 1000, cols: 1000, goals: vec![2] }, &tape, &control);
    for id in 0..100_000_u32 {
        let shown = Shown { id: id.into(), parent: None, backward: false, paid: PathCost::Whole(0), left: None };
        recorder.note(What::New, &shown, || std::iter::once(id));
    }
    let held = control.held();
    assert!(tape.is_cut() && held > 1 << 18 && held <= 1 << 19, "{held}");
    let (recording, memory) = recorder.finish(&Counters::default());
    assert_eq!((recording.len(), recording.cut), (tape.events(), true));
    drop(memory);
    assert_eq!(control.held(), 0, "all is given back");
}

/// A search that begins again, for another goal or with wider numbers, is recorded from there on, as it counts.
#[test]
fn what_begins_again_is_recorded_again() {
    let sea: pintu_grid::Terrain = "S..#G\n...##\n".parse().unwrap();
    let map = pintu_grid::Map::new(&sea, pintu_grid::Diagonal::Never);
    let dear: pintu_grid::Terrain =
        pintu_grid::Format::Terrain.read("S99\n.9G\n", &["9=3000000000".parse().unwrap()]).unwrap();
    let dear_map = pintu_grid::Map::new(&dear, pintu_grid::Diagonal::Never);
    // Of such steps, the first run comes to none: it expands the start alone.
    let costs = [".=100000000000000000", "G=4000000000", "S=256"].map(|cost| cost.parse().unwrap());
    let dearer = pintu_grid::Format::Terrain.read("S.G\n", &costs).unwrap();
    let dearer_map = pintu_grid::Map::new(&dearer, pintu_grid::Diagonal::Never);
    for algorithm in PathAlgorithm::ALL {
        for (terrain, map) in [(&sea, &map), (&dear, &dear_map), (&dearer, &dearer_map)] {
            let request = PathRequest { nearest: true, ..PathRequest::new(algorithm) };
            let (from, control) = (terrain.start.unwrap(), Control::unlimited());
            let found = find_path_traced(map, from, &terrain.goals, &request, &control, &Tape::new(1000));
            // Jumps need even ground.
            let Ok(Traced { answer, recording, .. }) = found else { continue };
            let is_expansion = |code: &&u8| What::ALL[usize::from(**code)] == What::Expanded;
            let expanded = recording.events.what.iter().filter(is_expansion).count() as u64;
            assert_eq!(expanded, answer.counters.expanded, "{algorithm} on {}x{}", map.rows(), map.cols());
            assert_eq!(recording.counts.generated, answer.counters.generated, "{algorithm}");
        }
    }
}

use pintu_grid::{Cell, Diagonal, Format, Graph, Map, Terrain};
use pintu_search::{Control, Counters, Limits, Stop};
use serde_json::{Value, json, value::to_raw_value};

use super::{
    recorder::{RecordedNode, Recorder},
    *,
};
use crate::path::{PathAlgorithm, PathAnswer, PathCost, PathError, PathRequest};

fn budget(max: usize) -> EventBudget {
    EventBudget::new(max, Form::Compact)
}

/// A search from the start of a terrain to its goals, recorded.
fn on_map(terrain: &Terrain, request: &PathRequest, max: usize) -> Result<Traced<PathAnswer>, PathError> {
    let map = Map::new(terrain, Diagonal::Never);
    let from = terrain.start.unwrap();
    find_path_traced(&map, from, &terrain.goals, request, &Control::unlimited(), &budget(max))
}

fn on_graph(graph: &Graph, algorithm: PathAlgorithm, to: &str) -> Traced<PathAnswer> {
    let request = PathRequest::new(algorithm);
    find_path_in_graph_traced(graph, "a", &[to], &request, &Control::unlimited(), &budget(100)).unwrap()
}

fn text(traced: &Traced<PathAnswer>, form: Form) -> String {
    let mut bytes = Vec::new();
    traced.write(form, &mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

/// A 1×3 map of which the cells are expanded from left to right.
fn walked(max: usize, form: Form) -> Recording {
    let domain = Domain::Cells { rows: 1, cols: 3, goals: vec![2] };
    let mut recorder = Recorder::new(domain, &EventBudget::new(max, form), false, &Control::unlimited());
    let whole = PathCost::whole;
    let shown =
        |id: u64, parent, paid| RecordedNode { id, parent, backward: false, paid: whole(paid), left: whole(2 - paid) };
    let cell = |cell: u32| move || std::iter::once(cell);
    recorder.iteration(whole(2));
    recorder.note(EventKind::Expanded, &shown(0, None, 0), cell(0));
    recorder.note(EventKind::New, &shown(1, Some(0), 1), cell(1));
    recorder.note(EventKind::Expanded, &shown(1, Some(0), 1), cell(1));
    recorder.note(EventKind::New, &shown(2, Some(1), 2), cell(2));
    recorder.note(EventKind::Known, &shown(0, Some(1), 2), cell(0));
    recorder.note(EventKind::Expanded, &shown(2, Some(1), 2), cell(2));
    recorder.finish(&Counters::new(3, 4)).0
}

fn caption() -> Caption {
    Caption {
        depth_first: false,
        order: Rank::Sum { weight: 1.0 },
        start: vec![0],
        path: Some(vec![0, 1, 2]),
        cost: Some(PathCost::whole(2)),
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
    let recording = walked(100, Form::Compact);
    assert_eq!(recording.nodes.states, [0, 1, 2]);
    assert_eq!(recording.events.node, [NO_NODE, 0, 1, 1, 2, 0, 2]);
    assert_eq!(recording.events.parent, [NO_NODE, NO_NODE, 0, 0, 1, 1, 1]);
    assert_eq!(recording.events.what, [8, 0, 1, 0, 1, 2, 0]);
    assert_eq!((recording.counts.expanded, recording.counts.generated, recording.cut), (3, 4, false));
}

#[test]
fn after_the_last_event_only_counts_go_on() {
    let recording = walked(3, Form::Compact);
    assert_eq!((recording.events.what.len(), recording.nodes.states.len()), (3, 2));
    assert_eq!(recording.counts, walked(100, Form::Compact).counts);
    assert!(recording.cut);
    assert_eq!(written(&recording, Form::Compact)["cut"], true);
    assert!(!walked(7, Form::Compact).cut, "none is missing");
    assert!(walked(6, Form::Compact).cut);
    // The file has as many events as were asked for, the start, the goal and the end among them.
    for max in 4..=12 {
        let document = written(&walked(max, Form::Posthoc), Form::Posthoc);
        let events = document["events"].as_array().unwrap();
        let end = events.last().unwrap();
        assert_eq!((&end["type"], &end["cut"]), (&json!("end"), &json!(max < 12)));
        assert!(events.len() <= max && events.len() + 1 >= max, "{} of {max}", events.len());
    }
}

#[test]
fn our_own_form_is_a_few_arrays() {
    let document = written(&walked(100, Form::Compact), Form::Compact);
    assert_eq!((&document["format"], &document["version"]), (&json!("pintu-trace"), &json!(1)));
    assert_eq!(document["space"], json!({"kind": "cells", "rows": 1, "cols": 3, "goals": [2]}));
    assert_eq!(document["events"]["node"], json!([-1, 0, 1, 1, 2, 0, 2]));
    assert_eq!(document["events"]["g"], json!([2, 0, 1, 1, 2, 2, 2]));
    assert_eq!(document["counts"], json!({"expanded": 3, "generated": 4, "iterations": 1}));
    assert_eq!((&document["answer"]["status"], &document["path"]), (&json!("found"), &json!([0, 1, 2])));
}

#[test]
fn posthoc_finds_what_it_looks_for() {
    let document = written(&walked(100, Form::Posthoc), Form::Posthoc);
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
        let coordinates = format!(
            "a b 3\nb c 4\nc d 5\n{}{}{}{}",
            at("a", 0.0, 0.0),
            at("b", 3.0, 0.0),
            at("c", 3.0, 2.0),
            at("d", 0.0, 2.0)
        );
        let graph = Graph::read(&coordinates, false).unwrap();
        let found = on_graph(&graph, PathAlgorithm::Dijkstra, "d");
        let document: Value = serde_json::from_str(&text(&found, Form::Posthoc)).unwrap();
        let unit = 0.75 * scale;
        assert_eq!(document["pivot"]["scale"].as_f64(), Some(unit), "{document}");
        assert_eq!(document["views"]["main"][0]["radius"].as_f64(), Some(0.4 * unit));
    }
}

/// Even if nothing was recorded, a reader gets the start, the goal, the answer, and that events are missing.
#[test]
fn posthoc_is_told_the_ends_whatever_was_recorded() {
    let [cut_off, open] = ["S#G\n", "S.G\n"].map(|text| text.parse::<Terrain>().unwrap());
    let cases = [
        (&cut_off, Limits::none(), 100, false),
        (&open, Limits::none().nodes(0), 100, false),
        (&open, Limits::none(), 0, true),
    ];
    for (terrain, limits, max, is_cut) in cases {
        let request = PathRequest { limits, ..PathRequest::new(PathAlgorithm::Bfs) };
        let found = on_map(terrain, &request, max).unwrap();
        let document: Value = serde_json::from_str(&text(&found, Form::Posthoc)).unwrap();
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
    let paid = |algorithm| -> Vec<f64> {
        on_graph(&graph, algorithm, "c").recording.events.paid.into_iter().map(PathCost::value).collect()
    };
    assert!(paid(PathAlgorithm::Bfs).contains(&1.0) && paid(PathAlgorithm::Bfs).iter().all(|paid| paid.fract() == 0.0));
    assert!(paid(PathAlgorithm::Dijkstra).contains(&1.5));
}

#[test]
fn costs_have_every_digit_up_to_the_largest() {
    let whole = Graph::read("a b 9007199254740000\nb c 1\n", false).unwrap();
    let parted = Graph::read("a b 100000000.000001\nb c 1.25\n", false).unwrap();
    for (graph, [one, both]) in
        [(whole, ["9007199254740000", "9007199254740001"]), (parted, ["100000000.000001", "100000001.250001"])]
    {
        let traced = on_graph(&graph, PathAlgorithm::Astar, "c");
        let [compact, posthoc] = [Form::Compact, Form::Posthoc].map(|form| text(&traced, form));
        assert!(compact.contains(&format!("\"g\":[0,0,{one},{one},{one},{both},{both},{both}]")), "{compact}");
        assert!(posthoc.contains(&format!("\"f\":{both},\"g\":{both},\"h\":0")), "{posthoc}");
    }
    let terrain = Format::Terrain.read("S9G\n", &["9=4999999999999991".parse().unwrap()]).unwrap();
    let traced = on_map(&terrain, &PathRequest::new(PathAlgorithm::Astar), 100).unwrap();
    let text = text(&traced, Form::Compact);
    assert!(text.contains(",4999999999999991,4999999999999992,4999999999999992]"), "{text}");
}

#[test]
fn a_budget_says_how_much_is_spent_and_when_it_is_full() {
    let (domain, budget) = (Domain::Cells { rows: 1, cols: 3, goals: vec![2] }, budget(2));
    let mut recorder = Recorder::new(domain, &budget, false, &Control::unlimited());
    for (bound, expected) in [(1, (1, false)), (2, (2, false)), (3, (2, true))] {
        recorder.iteration(PathCost::whole(bound));
        assert_eq!((budget.events(), budget.is_cut()), expected, "an event that is missing is what makes a cut");
    }
}

#[test]
fn a_recording_takes_half_of_the_memory_at_most_and_says_so() {
    let control = Control::new(Limits::none().memory(1 << 20));
    let (domain, budget) = (Domain::Cells { rows: 1000, cols: 1000, goals: vec![2] }, budget(usize::MAX));
    let mut recorder = Recorder::new(domain, &budget, false, &control);
    for id in 0..100_000_u32 {
        let shown = RecordedNode {
            id: id.into(),
            parent: None,
            backward: false,
            paid: PathCost::whole(0),
            left: PathCost::whole(0),
        };
        recorder.note(EventKind::New, &shown, || std::iter::once(id));
    }
    let held = control.held();
    assert!(budget.is_cut() && held > 1 << 18 && held <= 1 << 19, "{held}");
    let (recording, memory) = recorder.finish(&Counters::default());
    assert_eq!((recording.events.what.len(), recording.cut), (budget.events(), true));
    drop(memory);
    assert_eq!(control.held(), 0, "all is given back");
}

/// A search that begins again, for another goal or with wider numbers, is recorded from there on, as it counts.
#[test]
fn what_begins_again_is_recorded_again() {
    let cut_off: Terrain = "S..#G\n...##\n".parse().unwrap();
    let dear = Format::Terrain.read("S99\n.9G\n", &["9=3000000000".parse().unwrap()]).unwrap();
    for algorithm in PathAlgorithm::ALL {
        for terrain in [&cut_off, &dear] {
            let request = PathRequest { nearest: true, ..PathRequest::new(algorithm) };
            // Jump point search needs equal costs.
            let Ok(Traced { answer, recording, .. }) = on_map(terrain, &request, 1000) else { continue };
            let is_expansion = |code: &&u8| EventKind::ALL[usize::from(**code)] == EventKind::Expanded;
            let expanded = recording.events.what.iter().filter(is_expansion).count() as u64;
            assert_eq!(expanded, answer.counters.expanded, "{algorithm} on\n{terrain}");
            assert_eq!(recording.counts.generated, answer.counters.generated, "{algorithm}");
        }
    }
}

#[test]
fn cells_beyond_the_map_are_refused_before_they_are_numbered() {
    let map = Map::new(&"..\n..\n".parse().unwrap(), Diagonal::Never);
    let (request, budget) = (PathRequest::new(PathAlgorithm::Auto), budget(10));
    let (here, beyond) = (Cell::new(0, 0), Cell::new(u32::MAX, u32::MAX));
    for (from, to) in [(here, beyond), (beyond, here)] {
        let refused = find_path_traced(&map, from, &[to], &request, &Control::unlimited(), &budget);
        assert!(refused.is_err_and(|error| error.to_string().starts_with("found the cell 4294967295,4294967295")));
    }
}

#[test]
fn names_are_copied_only_if_there_is_memory_for_them() {
    let graph = Graph::read(&format!("{} b 1\n", "a".repeat(100_000)), false).unwrap();
    let control = Control::new(Limits::none().memory(50_000));
    let request = PathRequest::new(PathAlgorithm::Auto);
    let refused = find_path_in_graph_traced(&graph, "b", &["b"], &request, &control, &budget(10));
    assert!(matches!(refused, Err(PathError::Stopped(Stop::Memory))));
    assert_eq!(control.held(), 0);
}

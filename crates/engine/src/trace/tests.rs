use pintu_grid::Graph;
use pintu_search::Control;
use serde_json::{Value, json};

use super::{recorder::Shown, *};
use crate::path::{PathAlgorithm, PathRequest};

/// A 1×3 map of which the cells are taken up from left to right.
fn walked(most: usize) -> Recording {
    let mut recorder = Recorder::new(Place::Cells { rows: 1, cols: 3, goals: vec![2] }, most);
    let shown = |id: u64, parent, paid: f64| Shown { id, parent, backward: false, paid, left: Some(2.0 - paid) };
    let cell = |cell: u32| move || std::iter::once(cell);
    recorder.iteration(2.0);
    recorder.note(What::Expanded, &shown(0, None, 0.0), cell(0));
    recorder.note(What::New, &shown(1, Some(0), 1.0), cell(1));
    recorder.note(What::Expanded, &shown(1, Some(0), 1.0), cell(1));
    recorder.note(What::New, &shown(2, Some(1), 2.0), cell(2));
    recorder.note(What::Known, &shown(0, Some(1), 2.0), cell(0));
    recorder.note(What::Expanded, &shown(2, Some(1), 2.0), cell(2));
    recorder.finish()
}

fn caption() -> Caption {
    Caption { depth_first: false, path: Some(vec![0, 1, 2]), cost: Some(2.0), answer: json!({"status": "found"}) }
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
    assert_eq!((recording.counts.expanded, recording.counts.generated, recording.cut), (3, 3, false));
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
    assert_eq!(document["counts"], json!({"expanded": 3, "generated": 3, "iterations": 1}));
    assert_eq!((&document["answer"]["status"], &document["path"]), (&json!("found"), &json!([0, 1, 2])));
}

#[test]
fn posthoc_finds_what_it_looks_for() {
    let document = written(&walked(100), Form::Posthoc);
    let keys: Vec<&String> = document.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["events", "version", "views"]);
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
        let (_, recording, _) = find_route_traced(&graph, "a", &["c"], &request, &Control::unlimited(), 100).unwrap();
        recording.events.paid
    };
    assert!(paid(PathAlgorithm::Bfs).contains(&1.0) && paid(PathAlgorithm::Bfs).iter().all(|paid| paid.fract() == 0.0));
    assert!(paid(PathAlgorithm::Dijkstra).contains(&1.5));
}

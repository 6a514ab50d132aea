//! `--device` and `pintu devices`, with a GPU or without.

use crate::run::{FOUR, answer, assert_refused, pintu};

const BOARD: &str = "5 1 3 4 2 6 7 8 9 10 11 12 13 14 15 0";

/// Whether there is a GPU, which `pintu devices` lists or else says why not.
fn is_gpu_there() -> bool {
    let listed = pintu("devices --format json", "");
    assert_eq!((listed.status, &listed.json()[0]["device"]), (0, &"cpu".into()), "{}", listed.err);
    let is_there = listed.json().iter().any(|device| device["device"] == "gpu");
    assert!(is_there || listed.err.contains("no GPU: found"), "{}", listed.err);
    is_there
}

#[test]
fn answers_say_what_searched_and_a_gpu_that_is_asked_for_is_used_or_missed_in_one_line() {
    for device in ["cpu", "auto"] {
        assert_eq!(answer(&format!("solve --device {device}"), BOARD)["device"], "cpu");
    }
    for args in ["solve --device gpu --format json", "solve --batch --device gpu --format json"] {
        let run = pintu(args, BOARD);
        if is_gpu_there() {
            assert_eq!(run.json()[0]["device"], "gpu");
        } else {
            assert_eq!(run.status, 2);
            let said = format!("{}{}", run.out, run.err);
            assert!(said.contains("found no NVIDIA") && said.trim().lines().count() == 1, "{said}");
        }
    }
}

#[test]
fn tables_are_built_on_a_gpu_or_one_line_says_that_there_is_none() {
    let dir = tempfile::tempdir().unwrap();
    let build = |device: &str| {
        pintu(&format!("tables build --size 3x4 --device {device} --tables {}", dir.path().display()), "")
    };
    let gpu = build("GPU");
    if is_gpu_there() {
        assert_eq!((gpu.status, gpu.out.contains("built on the GPU")), (0, true), "{}", gpu.err);
    } else {
        assert_eq!((gpu.status, gpu.err.trim().lines().count()), (2, 1), "{}", gpu.err);
        assert!(gpu.err.starts_with("pintu: found no NVIDIA"), "{}", gpu.err);
    }
    for device in ["auto", "cpu"] {
        let output = build(device);
        assert_eq!((output.status, output.out.contains("GPU")), (0, false), "{}", output.err);
    }
}

#[test]
fn a_gpu_serves_no_named_algorithm_and_no_tiny_board() {
    assert_refused(&[
        ("solve --device gpu --algorithm astar", BOARD, "found the device gpu for"),
        ("solve --device gpu", FOUR, "found the device gpu for"),
    ]);
}

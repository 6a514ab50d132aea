//! `--device` and `pintu devices`, with a GPU or without.

use crate::run::pintu;

#[test]
fn the_processor_is_always_listed() {
    let listed = pintu("devices --format json", "");
    assert_eq!(listed.status, 0, "{}", listed.err);
    assert_eq!(listed.json()[0]["device"], "cpu");
    let is_gpu_there = listed.json().iter().any(|device| device["device"] == "gpu");
    assert!(is_gpu_there || listed.err.contains("no GPU: found"), "{}", listed.err);
}

#[test]
fn answers_say_what_searched() {
    let board = "5 1 3 4 2 6 7 8 9 10 11 12 13 14 15 0";
    for device in ["cpu", "auto"] {
        let answer = &pintu(&format!("solve --format json --device {device}"), board).json()[0];
        assert_eq!(answer["device"], "cpu", "{answer}");
    }
}

#[test]
fn a_gpu_that_is_asked_for_is_used_or_missed_in_one_line() {
    let board = "2 1 3 4 5 6 7 8 9 10 11 12 13 15 14 0";
    let listed = pintu("devices --format json", "");
    let is_gpu_there = listed.json().iter().any(|device| device["device"] == "gpu");
    for args in ["solve --device gpu --format json", "solve --batch --device gpu --format json"] {
        let run = pintu(args, board);
        if is_gpu_there {
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
    let listed = pintu("devices --format json", "");
    let is_gpu_there = listed.json().iter().any(|device| device["device"] == "gpu");
    let dir = tempfile::tempdir().unwrap();
    let build = |device: &str| {
        pintu(&format!("tables build --size 3x4 --device {device} --tables {}", dir.path().display()), "")
    };
    let gpu = build("GPU");
    if is_gpu_there {
        assert_eq!((gpu.status, gpu.out.contains("built on the GPU")), (0, true), "{}", gpu.err);
    } else {
        assert_eq!((gpu.status, gpu.err.trim().lines().count()), (2, 1), "{}", gpu.err);
        assert!(gpu.err.starts_with("pintu: found no NVIDIA"), "{}", gpu.err);
    }
    for device in ["auto", "cpu"] {
        let built = build(device);
        assert_eq!((built.status, built.out.contains("GPU")), (0, false), "{}", built.err);
    }
    assert_eq!(build("tpu").status, 2);
}

#[test]
fn a_gpu_serves_no_named_algorithm_and_no_tiny_board() {
    for (args, board) in [
        ("solve --device gpu --algorithm astar", "5 1 3 4 2 6 7 8 9 10 11 12 13 14 15 0"),
        ("solve --device gpu", "0 1 3 4 2 5 7 8 6"),
    ] {
        let run = pintu(args, board);
        assert_eq!(run.status, 2);
        assert!(run.err.contains("found the device gpu for"), "{}", run.err);
    }
    assert_eq!(pintu("solve --device tpu", "0 1 3 4 2 5 7 8 6").status, 2);
}

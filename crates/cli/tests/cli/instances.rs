//! Instances with recorded answers.

use std::fs;

use crate::run::{answer, data, pintu, rows};

#[test]
fn the_assignments_test_set_has_its_recorded_answers() {
    let expected = rows("algs4/EXPECTED.tsv");
    assert_eq!(expected.len(), 149);
    let files: Vec<String> = expected.iter().map(|row| data(&format!("algs4/{}", row[0]))).collect();
    // Two boards need more than small heuristics.
    let hard = |file: &str| file.ends_with("-78.txt") || file.ends_with("-80.txt");
    let wanted: Vec<(&str, &Vec<String>)> =
        files.iter().map(String::as_str).zip(&expected).filter(|(file, _)| !hard(file)).collect();
    let named: Vec<&str> = wanted.iter().map(|(file, _)| *file).collect();
    let run = pintu(&format!("solve --format json {}", named.join(" ")), "");
    assert_eq!(run.status, 1, "some have no solution: {}", run.err);
    let answers = run.json();
    assert_eq!(answers.len(), wanted.len());
    for ((file, row), answer) in wanted.iter().zip(&answers) {
        if row[2] == "yes" {
            let moves: u64 = row[3].parse().unwrap();
            assert_eq!((&answer["length"], &answer["optimal"]), (&moves.into(), &true.into()), "{file}: {answer}");
        } else {
            assert_eq!(answer["status"], "unsolvable", "{file}: {answer}");
        }
    }
}

#[test]
fn the_42_schools_files_are_told_apart() {
    let check = |folder: &str| {
        let mut files: Vec<_> = fs::read_dir(data(folder)).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        files.into_iter().map(|file| {
            let name = file.file_name().unwrap().to_string_lossy().into_owned();
            (name, pintu(&format!("check --goal snail {}", file.display()), ""))
        })
    };
    for (name, run) in check("npuzzle42/solvable") {
        let expected = match name.as_str() {
            "classic_1_3x3" => 1,
            "custom_4x4" => 2,
            _ => 0,
        };
        assert_eq!(run.status, expected, "{name}: {}{}", run.out, run.err);
    }
    for (name, run) in check("npuzzle42/unsolvable") {
        assert_eq!(run.status, 1, "{name}: {}{}", run.out, run.err);
    }
    for (name, run) in check("npuzzle42/invalid") {
        let expected = if name == "invalid_size_range" { 0 } else { 2 };
        assert_eq!(run.status, expected, "{name}: {}{}", run.out, run.err);
    }
    let classic = data("npuzzle42/solvable/classic_1_3x3");
    assert_eq!(pintu(&format!("solve --format moves {classic}"), "").out, "R\n");
}

#[test]
fn the_42_schools_boards_are_solved() {
    for file in ["snail_hard_3x3", "snail_300_3x3", "snail_90_4x4", "snail_3x3_200"] {
        let path = data(&format!("npuzzle42/solvable/{file}"));
        let length = |algorithm: &str| {
            let answer = answer(&format!("solve --goal snail --algorithm {algorithm} {path}"), "");
            assert_eq!(answer["optimal"], true, "{file}: {answer}");
            answer["length"].clone()
        };
        assert_eq!(length("auto"), length("bidirectional"), "{file}");
    }
}

#[test]
fn ida_generates_exactly_korfs_numbers() {
    const MOST: u64 = 6_000_000;
    let instances = rows("korf100.txt");
    assert_eq!(instances.len(), 100);
    let small: Vec<&Vec<String>> = instances.iter().filter(|row| row[19].parse::<u64>().unwrap() <= MOST).collect();
    assert!(small.len() >= 15, "{} are small enough", small.len());
    let boards: Vec<String> = small.iter().map(|row| row[1..17].join(" ")).collect();
    let args = "solve --batch --goal blank-first --algorithm ida --heuristic manhattan --format json --threads 2";
    for (row, answer) in small.iter().zip(pintu(args, &boards.join("\n")).json()) {
        let number = |column: usize| row[column].parse::<u64>().unwrap();
        assert_eq!(answer["length"], number(18), "instance {}", row[0]);
        assert_eq!(answer["generated"], number(19), "instance {}", row[0]);
    }
}

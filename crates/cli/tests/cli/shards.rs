//! A batch in shards: `solve --batch --shard K/N --resume FILE`, and `merge`.

use std::{fs, path::Path, thread, time::Duration};

use serde_json::Value;

use crate::run::{FOUR, Run, assert_refused, hard, pintu, start};

/// Lines among which one is a comment, one is empty, one is no puzzle and one is unsolvable.
fn batch() -> String {
    let boards = pintu("generate 3x3 --count 9 --seed 5", "").out;
    format!("# nine boards\n{boards}\n1 2 x\n1 2 3 4 5 6 8 7 0\n{FOUR}\n")
}

/// An answer without its times.
fn timeless(run: &Run) -> Vec<Value> {
    let mut answers = run.json();
    for answer in &mut answers {
        answer.as_object_mut().unwrap().remove("seconds");
    }
    answers
}

/// The file of a shard, in a folder.
fn part(folder: &Path, number: usize) -> String {
    folder.join(format!("part-{number}")).display().to_string()
}

#[test]
fn the_parts_of_a_batch_merge_to_the_whole() {
    let folder = tempfile::tempdir().unwrap();
    let input = batch();
    let args = "solve --batch --algorithm astar";
    let whole = pintu(&format!("{args} --format json"), &input);
    for number in 1..=3 {
        let run = pintu(&format!("{args} --shard {number}/3 --resume {}", part(folder.path(), number)), &input);
        assert_eq!((run.out.as_str(), run.err.as_str()), ("", ""));
    }
    let [one, two, three] = [1, 2, 3].map(|number| part(folder.path(), number));
    let merged = pintu(&format!("merge {three} {one} {two}"), "");
    assert_eq!((merged.status, merged.err.as_str()), (whole.status, ""));
    assert_eq!(timeless(&merged), timeless(&whole));
    assert_eq!(whole.json().len(), 12);
    // Without a file, --shard prints the same part.
    let printed = pintu(&format!("{args} --shard 2/3 --format json"), &input);
    assert_eq!(timeless(&printed), timeless(&pintu(&format!("merge {two}"), "")));

    let missing = pintu(&format!("merge {one} {two}"), "");
    assert_eq!(missing.status, 2);
    assert_eq!(missing.err, "pintu: found no answer to 4 lines of the input: 3, 6, 9, 12\n");
    let doubled = pintu(&format!("merge {one} {two} {three} {two}"), "");
    assert_eq!((doubled.status, doubled.json().len()), (2, 12));
    assert!(
        doubled.err.starts_with("pintu: found more than one answer to 4 lines of the input: 2, 5, "),
        "{}",
        doubled.err
    );
    let empty = part(folder.path(), 5);
    fs::write(&empty, "").unwrap();
    let unbegun = pintu(&format!("merge {empty} {one} {two} {three}"), "");
    assert_eq!((unbegun.status, unbegun.json().len()), (2, 12));
    assert_eq!(unbegun.err, format!("pintu: {empty}: found no answers: its run was killed at once\n"));
    let limited = part(folder.path(), 4);
    pintu(&format!("solve --batch --node-limit 1 --algorithm ida --shard 1/20 --resume {limited}"), FOUR);
    assert_eq!(pintu(&format!("merge {limited} {limited}"), "").status, 3, "the highest that applies");
    assert_refused(&[
        (
            &format!("merge {one} {limited}"),
            "",
            "part-4: found answers with --algorithm ida, expected --algorithm astar",
        ),
        (&format!("merge {one} {one}x"), "", "part-1x: "),
        ("merge", "", "FILES"),
    ]);
}

#[test]
fn a_killed_run_is_picked_up() {
    let folder = tempfile::tempdir().unwrap();
    let (file, input) = (part(folder.path(), 1), folder.path().join("input"));
    let solved = "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15";
    fs::write(&input, format!("{solved}\n{}\n{solved}\n", hard())).unwrap();
    let goal = "--goal blank-first --algorithm ida --heuristic misplaced";
    let mut child = start(&format!("solve --batch {goal} --resume {file} {}", input.display()));
    let lines = || fs::read_to_string(&file).unwrap_or_default().lines().count();
    for _ in 0..600 {
        if lines() == 2 {
            break;
        }
        thread::sleep(Duration::from_millis(50));
    }
    let busy = format!("solve --batch {goal} --resume {file} {}", input.display());
    assert_refused(&[(&busy, "", "part-1: found a file that another process is writing")]);
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(lines(), 2, "the header and the answer to the first line");

    // The second line gets an answer to another input, which a second search would not give, and the third is torn.
    let (other, others) = (folder.path().join("other"), part(folder.path(), 2));
    fs::write(&other, format!("{solved}\nnothing\n")).unwrap();
    assert_eq!(pintu(&format!("solve --batch {goal} --resume {others} {}", other.display()), "").status, 2);
    let invalid = fs::read_to_string(&others).unwrap().lines().last().unwrap().to_owned();
    let begun = fs::read_to_string(&file).unwrap();
    fs::write(&file, format!("{begun}{invalid}\n{{\"status\":\"solved\",\"li")).unwrap();
    let again = pintu(&busy, "");
    assert_eq!((again.status, again.err.as_str()), (2, ""), "the status of all answers of the file");
    let merged = pintu(&format!("merge {file}"), "").json();
    let said: Vec<_> = merged.iter().map(|answer| (answer["line"].as_u64(), answer["status"].as_str())).collect();
    assert_eq!(said, [(Some(1), Some("solved")), (Some(2), Some("invalid")), (Some(3), Some("solved"))]);
    assert!(merged.iter().all(|answer| answer["check"].is_null()));
    assert_eq!(pintu(&busy, "").status, 2, "nothing is left to do");
}

#[test]
fn a_file_for_something_else_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (file, goal) = (part(folder.path(), 1), folder.path().join("goal"));
    fs::write(&goal, "1 2 3 4 5 6 7 8 0").unwrap();
    let args = format!("solve --batch --goal @{} --resume {file}", goal.display());
    assert_eq!(pintu(&format!("{args} --shard 1/2"), FOUR).status, 0);
    let before = fs::read_to_string(&file).unwrap();
    assert_eq!(pintu(&format!("{args} --shard 1/2 --threads 2 --format json"), FOUR).status, 0, "as fast as one likes");
    fs::write(&goal, "0 1 2 3 4 5 6 7 8").unwrap();
    let changed = format!("{args} --shard 1/2");
    let bare = format!("solve --batch --resume {file}");
    assert_refused(&[
        (&changed, FOUR, "part-1: found answers with --goal 1 2 3 4 5 6 7 8 0, expected --goal 0 1 2 3 4 5 6 7 8"),
        (&format!("{bare} --shard 1/2"), FOUR, "found answers with --goal 1 2 3 4 5 6 7 8 0, expected no --goal"),
        (&format!("{bare} --goal {} --format moves", "snail"), FOUR, "expected json"),
        (&format!("{bare} one two"), "", "found 2 inputs for --resume, expected one"),
        (&format!("solve --resume {file}"), FOUR, "--batch"),
        ("solve --shard 1/2", FOUR, "--batch"),
        ("solve --batch --shard 3/2", FOUR, "found `3/2`, expected K/N with K from 1 to N, as in 2/8"),
        (&format!("solve --batch --resume {}", goal.display()), FOUR, "found no file of answers made by --resume"),
    ]);
    fs::write(&goal, "1 2 3 4 5 6 7 8 0").unwrap();
    assert_refused(&[
        (&changed, "1 2 3 4 5 6 7 0 8", "part-1: found answers to another input"),
        (&args, FOUR, "part-1: found answers of the shard 1/2, expected 1/1"),
    ]);
    assert_eq!(fs::read_to_string(&file).unwrap(), before);
}

//! Limits: of nodes, time, memory and depth.

use std::time::{Duration, Instant};

use crate::run::{pintu, rows};

/// A 15-puzzle of 65 moves, far beyond breadth-first search.
fn hard() -> String {
    rows("korf100.txt")[87][1..17].join(" ")
}

#[test]
fn each_limit_says_which_it_was_and_what_is_known() {
    for (args, reason) in [
        ("--algorithm bfs --node-limit 1000", "nodes"),
        ("--algorithm astar --time-limit 50ms", "time"),
        ("--algorithm bfs --memory-limit 40MiB", "memory"),
        ("--algorithm dfs --max-depth 20", "depth"),
    ] {
        let run = pintu(&format!("solve --goal blank-first --format json {args}"), &hard());
        let answer = &run.json()[0];
        assert_eq!((run.status, &answer["status"]), (3, &"limit".into()), "{args}: {answer}");
        assert_eq!(answer["reason"], reason, "{args}: {answer}");
        let bound = answer["lower_bound"].as_u64().unwrap();
        assert!((40..=65).contains(&bound), "{args}: {answer}");
    }
    let run = pintu("solve --goal blank-first --algorithm bfs --node-limit 1000", &hard());
    assert!(run.out.starts_with("stopped: the node limit was reached; at least "), "{}", run.out);
    assert!(run.out.contains("1,000 expanded"), "it says what it spent: {}", run.out);
}

#[test]
fn a_time_limit_is_kept() {
    for algorithm in ["auto", "astar", "ida", "iddfs", "bfs-tree", "dfs-tree"] {
        let started = Instant::now();
        let run = pintu(
            &format!("solve --goal blank-first --format json --time-limit 300ms --algorithm {algorithm}"),
            &hard(),
        );
        assert!(run.status == 3 || algorithm == "auto", "{algorithm}: {}", run.out);
        assert!(started.elapsed() < Duration::from_secs(3), "{algorithm} took {:?}", started.elapsed());
    }
}

#[test]
fn what_is_known_when_a_limit_ends_auto_is_reported() {
    let run = pintu("solve --goal blank-first --format json --time-limit 1500ms", &hard());
    let answer = &run.json()[0];
    if answer["optimal"] == false {
        assert_eq!((run.status, &answer["status"]), (0, &"solved".into()), "{answer}");
        assert!(answer["lower_bound"].as_u64() < answer["length"].as_u64(), "{answer}");
    } else {
        assert_eq!(answer["length"], 65, "{answer}");
    }
}

#[test]
fn what_was_freed_is_free_for_the_next_board_of_a_batch() {
    let args = "--goal blank-first --format json --algorithm bfs --node-limit 500000 --memory-limit 64MiB";
    let alone = pintu(&format!("solve {args}"), &hard()).json().remove(0);
    assert_eq!(alone["reason"], "nodes", "{alone}");
    let memory = alone["memory"].as_u64().unwrap();
    assert!((8 << 20..48 << 20).contains(&memory), "some boards' memory would not fit together: {memory}");
    for threads in [1, 2] {
        let boards = [hard(), hard(), hard(), hard(), hard(), hard(), hard(), hard()].join("\n");
        let run = pintu(&format!("solve --batch {args} --threads {threads}"), &boards);
        let answers = run.json();
        assert_eq!(answers.len(), 8);
        for answer in &answers {
            let is_shared = threads > 1 && answer["reason"] == "memory";
            assert!(answer["reason"] == "nodes" || is_shared, "{answer}");
            assert!(is_shared || answer["memory"] == alone["memory"], "{answer}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn the_memory_limit_binds_the_whole_process() {
    use std::{
        io::Write,
        process::{Command, Stdio},
    };
    const LIMIT_MIB: u64 = 256;
    let mut child = Command::new(env!("CARGO_BIN_EXE_pintu"))
        .args(["solve", "--goal", "blank-first", "--algorithm", "bfs", "--memory-limit", "256MiB", "--format", "json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(hard().as_bytes()).unwrap();
    let status_file = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    // The kernel keeps the high-water mark for as long as the process lives.
    while child.try_wait().unwrap().is_none() {
        let status = std::fs::read_to_string(&status_file).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kibibytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<u64>().ok());
        peak = peak.max(kibibytes.unwrap_or(0));
        std::thread::sleep(Duration::from_millis(2));
    }
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8(output.stdout).unwrap().contains("\"reason\":\"memory\""));
    assert!(peak > LIMIT_MIB * 1024 / 2, "it used what it was given: {peak} KiB");
    assert!(peak < LIMIT_MIB * 1024 * 12 / 10, "and no more: {peak} KiB");
}

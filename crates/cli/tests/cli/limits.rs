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

#[test]
fn a_few_nodes_are_enough_for_a_good_solution() {
    let board = pintu("generate --size 5x5 --seed 4", "").out;
    let run =
        |nodes: u64| pintu(&format!("solve --size 5x5 --node-limit {nodes} --format json"), &board).json().remove(0);
    let (constructed, found) = (run(0), run(100_000));
    assert_eq!((&constructed["algorithm"], &found["algorithm"]), (&"construction".into(), &"beam".into()), "{found}");
    let length = |answer: &serde_json::Value| answer["length"].as_u64().unwrap();
    assert!(length(&found) * 2 < length(&constructed), "{found}");
    assert!(found["expanded"].as_u64() <= Some(100_000), "{found}");
    let again = run(100_000);
    for field in ["moves", "lower_bound", "expanded", "generated", "peak_states"] {
        assert_eq!(found[field], again[field], "{field}");
    }
}

#[test]
fn a_depth_for_an_algorithm_that_goes_to_none_is_remarked_on() {
    let run = pintu("solve --algorithm astar --max-depth 3", "0 1 3 4 2 5 7 8 6");
    assert_eq!(run.status, 0);
    assert_eq!(run.err, "pintu: --max-depth: found a depth for astar, which goes to none: expected dfs or dfs-tree\n");
    for algorithm in ["dfs", "dfs-tree"] {
        assert_eq!(pintu(&format!("solve --algorithm {algorithm} --max-depth 9"), "0 1 3 4 2 5 7 8 6").err, "");
    }
}

#[test]
fn a_node_limit_is_on_what_is_counted_whatever_numbers_the_costs_need() {
    let map = "S.......9G\n..........\n.......#9.\n";
    let run = |limit: &str| {
        let args = format!(
            "path - --algorithm astar --diagonal always --cost 9=3000000000,G=3000000000 --format json {limit}"
        );
        let run = pintu(&args, map);
        (run.status, run.json().remove(0))
    };
    let (status, found) = run("");
    let needed = found["expanded"].as_u64().unwrap();
    assert_eq!(status, 0, "{found}");
    let (status, enough) = run(&format!("--node-limit {needed}"));
    assert_eq!((status, &enough["cost"], &enough["expanded"]), (0, &found["cost"], &needed.into()), "{enough}");
    let (status, short) = run(&format!("--node-limit {}", needed - 1));
    assert_eq!((status, &short["reason"], &short["expanded"]), (3, &"nodes".into(), &(needed - 1).into()), "{short}");
}

/// Runs the command with arguments separated by spaces: how it ended, and the most KiB that it had resident.
#[cfg(target_os = "linux")]
fn peak_of(args: &str, input: &str) -> (std::process::Output, u64) {
    use std::{
        io::{Read, Write},
        process::{Command, Stdio},
        thread,
    };
    let mut child = Command::new(env!("CARGO_BIN_EXE_pintu"))
        .args(args.split_whitespace())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    // Somebody reads what is printed, however much it is.
    let mut printed = child.stdout.take().unwrap();
    let reader = thread::spawn(move || {
        let mut text = Vec::new();
        printed.read_to_end(&mut text).map(|_| text)
    });
    let status_file = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    // The kernel keeps the high-water mark for as long as the process lives.
    while child.try_wait().unwrap().is_none() {
        let status = std::fs::read_to_string(&status_file).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kibibytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<u64>().ok());
        peak = peak.max(kibibytes.unwrap_or(0));
        thread::sleep(Duration::from_millis(2));
    }
    let stdout = reader.join().unwrap().unwrap();
    (std::process::Output { stdout, ..child.wait_with_output().unwrap() }, peak)
}

#[cfg(target_os = "linux")]
#[test]
fn the_memory_limit_binds_the_whole_process() {
    const LIMIT_MIB: u64 = 256;
    let args = "solve --goal blank-first --algorithm bfs --memory-limit 256MiB --format json";
    let (output, peak) = peak_of(args, &hard());
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8(output.stdout).unwrap().contains("\"reason\":\"memory\""));
    assert!(peak > LIMIT_MIB * 1024 / 2, "it used what it was given: {peak} KiB");
    assert!(peak < LIMIT_MIB * 1024 * 12 / 10, "and no more: {peak} KiB");
}

#[cfg(target_os = "linux")]
#[test]
fn a_small_limit_binds_the_process_on_any_number_of_threads() {
    const LIMIT_MIB: u64 = 18;
    let boards = pintu("generate --size 4x4 --count 24 --seed 7", "").out;
    let no_tables = tempfile::tempdir().unwrap();
    for algorithm in ["bfs", "astar", "auto --node-limit 20000"] {
        let run = |threads: usize| {
            let args = format!(
                "solve --batch --format json --memory-limit {LIMIT_MIB}MiB --threads {threads} --device cpu \
                 --tables {} --algorithm {algorithm}",
                no_tables.path().display()
            );
            let (output, peak) = peak_of(&args, &boards);
            assert!(peak <= LIMIT_MIB << 10, "{peak} KiB resident: {algorithm} on {threads} threads");
            let answers = String::from_utf8(output.stdout).unwrap();
            let answers = answers.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
            answers
                .map(|one| (one["status"].clone(), one["moves"].clone(), one["expanded"].clone()))
                .collect::<Vec<_>>()
        };
        let alone = run(1);
        assert_eq!(alone.len(), 24);
        for threads in [4, 64] {
            assert_eq!(run(threads), alone, "{algorithm} on {threads} threads");
        }
    }
}

/// A map of that many rows and columns with scattered obstacles, and queries across it.
#[cfg(target_os = "linux")]
fn scattered(side: usize, queries: usize) -> (String, String) {
    let row = |row: usize| -> String {
        (0..side).map(|col| if (row * 31 + col * 17 + row * col) % 7 == 3 { '@' } else { '.' }).collect()
    };
    let rows: Vec<String> = (0..side).map(row).collect();
    let map = format!("type octile\nheight {side}\nwidth {side}\nmap\n{}\n", rows.join("\n"));
    let free = |row: usize| rows[row].find('.').unwrap();
    let query = |k: usize| {
        let (from, to) = (k % (side / 2), side - 1 - k % (side / 2));
        format!("0\tm\t{side}\t{side}\t{}\t{from}\t{}\t{to}\t1\n", free(from), free(to))
    };
    (map, (0..queries).map(query).collect())
}

#[cfg(target_os = "linux")]
#[test]
fn threads_share_a_limit_and_answer_what_one_would() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (map, queries) = scattered(900, 24);
    let (map_file, queries_file) = (folder.join("shared.map"), folder.join("shared.scen"));
    std::fs::write(&map_file, map).unwrap();
    std::fs::write(&queries_file, queries).unwrap();
    let run = |threads: usize, limit: u64| {
        let (map, queries) = (map_file.display(), queries_file.display());
        let args = format!(
            "path {map} --scenarios {queries} --algorithm astar --format json --threads {threads} --memory-limit {limit}KiB"
        );
        let (output, peak) = peak_of(&args, "");
        let err = String::from_utf8(output.stderr).unwrap();
        (serde_json::from_slice::<serde_json::Value>(&output.stdout).ok(), err, output.status.code(), peak)
    };
    let stopped = |threads: usize, limit: u64| {
        let (summary, _, status, peak) = run(threads, limit);
        assert!(peak <= limit, "{peak} KiB resident under a limit of {limit} on {threads} threads");
        summary.map(|summary| (summary["stopped"].as_u64().unwrap(), status.unwrap()))
    };
    // As little as is enough for one thread.
    let alone = (10 << 10..64 << 10).step_by(512).find(|&limit| stopped(1, limit).is_some_and(|(count, _)| count == 0));
    let alone = alone.unwrap();
    // Room for one thread, for two, and for all.
    for limit in [alone, alone * 3 / 2, alone * 4] {
        let (summary, err, _, peak) = run(4, limit);
        let summary = summary.unwrap_or_else(|| panic!("{err}"));
        assert_eq!((&summary["queries"], &summary["stopped"]), (&24.into(), &0.into()), "{limit} KiB: {summary}");
        assert!(peak <= limit, "{peak} KiB resident under a limit of {limit}");
    }
    // What one thread could not do is not done, and the map itself is refused where it does not fit.
    let (count, status) = stopped(1, alone - 512).unwrap();
    assert!(count > 0 && status == 3, "{count}");
    assert_eq!(stopped(4, alone - 512), Some((count, status)));
    let (summary, err, status, _) = run(4, alone / 2);
    assert_eq!((summary, status), (None, Some(3)));
    let is_clear = err.contains("shared.map: found a ") && err.contains("than the limit leaves: ");
    assert!(is_clear && err.lines().count() == 1, "{err}");
}

#[cfg(target_os = "linux")]
#[test]
fn what_is_printed_of_a_map_takes_no_memory_of_its_own() {
    let map = format!("type octile\nheight 1000\nwidth 1000\nmap\n{}", format!("{}\n", ".".repeat(1000)).repeat(1000));
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("printed.map");
    std::fs::write(&file, map).unwrap();
    for (what, lines) in [("--distances", 1000), ("--distances --directions", 2001), ("--to 0,1 --algorithm ida", 1001)]
    {
        let run = |format: &str, limit: u64| {
            let args = format!("path {} --from 0,0 {what} --format {format} --memory-limit {limit}KiB", file.display());
            let (output, peak) = peak_of(&args, "");
            (output.status.code() == Some(0)).then(|| (String::from_utf8(output.stdout).unwrap(), peak))
        };
        // As little as is enough for who prints it as JSON.
        let (_, needed) = run("json", 1 << 20).unwrap();
        let limit = (50..100).map(|part| needed * part / 50).find(|&limit| run("json", limit).is_some()).unwrap();
        let (text, peak) = run("text", limit).unwrap_or_else(|| panic!("{what} within {limit} KiB"));
        assert_eq!(text.lines().count(), lines, "{what}");
        assert!(peak <= limit, "{what}: {peak} KiB resident under a limit of {limit} KiB");
    }
}

/// Where addresses are limited, memory is refused before the allocator fails.
#[cfg(target_os = "linux")]
#[test]
fn a_limit_on_addresses_is_a_limit_on_memory() {
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, text: &str| {
        let file = folder.path().join(name);
        std::fs::write(&file, text).unwrap();
        file.display().to_string()
    };
    let large = put("large", &pintu("generate --size 5x5 --seed 1", "").out);
    let hard = put("hard", &hard());
    let no_tables = folder.path().join("tables").display().to_string();
    let run = |kibibytes: u64, args: &str| {
        crate::run::shell(&format!("ulimit -v {kibibytes}; pintu {args} --device cpu --tables {no_tables}; exit $?"))
    };
    // What the process has mapped when it has not searched yet depends on how it was built.
    let needed = (1..60).map(|at| at * 5_000).find(|&most| run(most, "solve --help").status == 0).unwrap();
    let boards = put("boards", &pintu("generate --size 3x3 --count 20 --seed 1", "").out);
    for room in [20_000, 100_000] {
        // Threads have stacks, for which there may be no addresses.
        let args = format!("solve {boards} --batch --algorithm bfs --threads 200 --format json");
        let batch = run(needed + room, &args);
        assert_eq!((batch.status, batch.json().len()), (0, 20), "{room}: {}", batch.err);
        let found = run(needed + room, &format!("solve {large} --time-limit 300ms --format json"));
        assert_eq!((found.status, &found.json()[0]["status"]), (0, &"solved".into()), "{room}: {}", found.err);
        for more in ["", "--memory-limit 2GiB"] {
            let args = format!("solve {hard} --goal blank-first --algorithm bfs --time-limit 20s --format json {more}");
            let stopped = run(needed + room, &args);
            assert_eq!(
                (stopped.status, &stopped.json()[0]["reason"]),
                (3, &"memory".into()),
                "{room}: {}",
                stopped.err
            );
        }
    }
}

#[test]
fn auto_has_an_answer_however_little_time_there_is() {
    for size in ["6x6", "10x10"] {
        let board = pintu(&format!("generate --size {size} --seed 3"), "").out;
        for limit in ["--time-limit 0ms", "--time-limit 2ms", "--heuristic manhattan --time-limit 0ms"] {
            let run = pintu(&format!("solve --size {size} --format json {limit}"), &board);
            assert_eq!((run.status, &run.json()[0]["status"]), (0, &"solved".into()), "{size} {limit}: {}", run.out);
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn memory_for_what_is_to_be_searched_is_asked_for_first() {
    let run = pintu("compare --scrambles 10000000 --algorithms bfs --memory-limit 60MiB", "");
    assert!(run.status == 3 && run.err.contains("found --scrambles 10000000 that takes more memory"), "{}", run.err);
    let places = (0..400_000).map(|k| format!("@ n{k} 1 1\n")).collect::<Vec<_>>().concat();
    for graph in ["a b 1\n".repeat(600_000), format!("{places}a b 1\n")] {
        let (output, peak) = peak_of("path - --map-format graph --from a --to b --memory-limit 30MiB", &graph);
        let err = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(3) && err.contains("found a graph that takes more memory"), "{err}");
        assert!(peak < 33 << 10, "{peak} KiB resident under a limit of 30 MiB");
    }
}

//! Limits: of nodes, time, memory and depth.

use std::time::{Duration, Instant};

use crate::run::{FOUR, answer, hard, pintu};

#[test]
fn each_limit_says_which_it_was_and_what_is_known() {
    for (args, reason) in [
        ("--algorithm bfs --node-limit 1000", "nodes"),
        ("--algorithm astar --time-limit 50ms", "time"),
        ("-a astar -t 0.05", "time"),
        ("--algorithm bfs --memory-limit 20MiB", "memory"),
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
        let args = format!("solve --goal blank-first --format json --time-limit 300ms --algorithm {algorithm}");
        pintu_testing::takes_at_most(Duration::from_secs(3), || {
            let started = Instant::now();
            let run = pintu(&args, &hard());
            assert!(run.status == 3 || algorithm == "auto", "{algorithm}: {}", run.out);
            started.elapsed()
        });
    }
}

#[test]
fn what_is_known_when_a_limit_ends_auto_is_reported() {
    let answer = answer("solve --goal blank-first --time-limit 1500ms", &hard());
    if answer["optimal"] == false {
        assert_eq!(answer["status"], "solved", "{answer}");
        assert!(answer["lower_bound"].as_u64() < answer["length"].as_u64(), "{answer}");
    } else {
        assert_eq!(answer["length"], 65, "{answer}");
    }
}

#[test]
fn a_few_nodes_are_enough_for_a_good_solution() {
    let board = pintu("generate 5x5 --seed 4", "").out;
    let run = |nodes: u64| answer(&format!("solve --size 5x5 --node-limit {nodes}"), &board);
    let (constructed, found) = (run(0), run(100_000));
    assert_eq!((&constructed["algorithm"], &constructed["heuristic"]), (&"construction".into(), &"none".into()));
    assert_eq!(found["algorithm"], "beam", "{found}");
    let length = |answer: &serde_json::Value| answer["length"].as_u64().unwrap();
    assert!(length(&found) * 2 < length(&constructed), "{found}");
    assert!(found["expanded"].as_u64() <= Some(100_000), "{found}");
}

#[test]
fn a_depth_for_an_algorithm_that_has_none_is_remarked_on() {
    let run = pintu("solve --algorithm astar --max-depth 3", FOUR);
    assert_eq!(run.status, 0);
    assert!(run.err.starts_with("pintu: --max-depth: ") && run.err.contains("only for dfs or dfs-tree"), "{}", run.err);
    for algorithm in ["dfs", "dfs-tree"] {
        assert_eq!(pintu(&format!("solve --algorithm {algorithm} --max-depth 9"), FOUR).err, "");
    }
}

#[test]
fn a_node_limit_on_a_map_is_on_what_is_counted() {
    let map = "S.......9G\n..........\n.......#9.\n";
    let args = "path --algorithm astar --diagonal always --cost 9=1000000000,G=1000000000";
    let found = answer(args, map);
    let needed = found["expanded"].as_u64().unwrap();
    assert_eq!(answer(&format!("{args} --node-limit {needed}"), map)["cost"], found["cost"]);
    let short = pintu(&format!("{args} -n {} --format json", needed - 1), map);
    let answer = &short.json()[0];
    assert_eq!((short.status, &answer["reason"], &answer["expanded"]), (3, &"nodes".into(), &(needed - 1).into()));
}

#[test]
fn auto_has_an_answer_however_little_time_there_is() {
    for size in ["6x6", "10x10"] {
        let board = pintu(&format!("generate {size} --seed 3"), "").out;
        for limit in ["--time-limit 0ms", "--time-limit 2ms", "--heuristic manhattan --time-limit 0"] {
            let run = pintu(&format!("solve --size {size} --format json {limit}"), &board);
            assert_eq!((run.status, &run.json()[0]["status"]), (0, &"solved".into()), "{size} {limit}: {}", run.out);
        }
    }
}

#[test]
fn an_answer_says_what_guided_the_beams() {
    for (board, guide) in [
        ("6x6", "tables+network"),
        ("6x6 --wrap-rows all --wrap-cols all", "tables"),
        ("5x6", "distances+conflicts"),
        ("5x6 --heuristic manhattan", "distances+conflicts"),
    ] {
        let (size, options) = board.split_once(' ').unwrap_or((board, ""));
        let wraps = if options.contains("wrap") { options } else { "" };
        let start = pintu(&format!("generate {size} --seed 3 {wraps}"), "").out;
        let found = answer(&format!("solve --size {size} --node-limit 400000 {options}"), &start);
        assert_eq!((&found["status"], &found["heuristic"]), (&"solved".into(), &guide.into()), "{board}");
    }
}

#[test]
fn answers_of_the_default_contestants_count_towards_the_memory() {
    let run = pintu("compare --scrambles 12000 --size 2x2 --seed 1 --memory-limit 24MiB --format json", "");
    let solved: Vec<u64> = run.json().iter().map(|row| row["solved"].as_u64().unwrap()).collect();
    assert!(solved.len() == 8 && solved[0] == 12_000 && solved[7] == 0, "{solved:?}");
    assert!(run.err.contains("ida ended at a limit (memory: 12000)"), "{}", run.err);
}

/// A process's resident memory by the kernel's account, under limits with room for its rounding.
#[cfg(target_os = "linux")]
mod resident {
    use std::{
        fs,
        io::{Read, Write},
        path::Path,
        process::Output,
        thread,
        time::Duration,
    };

    use crate::run::{Run, hard, pintu, shell, start};

    /// Runs the command with arguments separated by spaces, and tells the most KiB that it had resident.
    fn peak_of(args: &str, input: &str) -> (Run, u64) {
        let mut child = start(args);
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        let mut printed = child.stdout.take().unwrap();
        let reader = thread::spawn(move || {
            let mut text = Vec::new();
            printed.read_to_end(&mut text).map(|_| text)
        });
        let status_file = format!("/proc/{}/status", child.id());
        let mut peak = 0;
        // The kernel keeps the high-water mark for as long as the process lives.
        while child.try_wait().unwrap().is_none() {
            let status = fs::read_to_string(&status_file).unwrap_or_default();
            let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
            let kibibytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<u64>().ok());
            peak = peak.max(kibibytes.unwrap_or(0));
            thread::sleep(Duration::from_millis(2));
        }
        let stdout = reader.join().unwrap().unwrap();
        (Output { stdout, ..child.wait_with_output().unwrap() }.into(), peak)
    }

    /// Asserts that KiB are within a limit in MiB, and a fifth more.
    #[track_caller]
    fn assert_within(peak: u64, limit_mib: u64, what: &str) {
        assert!(peak < limit_mib * 1024 * 6 / 5, "{what}: {peak} KiB resident under a limit of {limit_mib} MiB");
    }

    #[test]
    fn the_memory_limit_binds_the_whole_process() {
        let args = "solve --goal blank-first --algorithm bfs --memory-limit 100MiB --format json";
        let (run, peak) = peak_of(args, &hard());
        assert_eq!((run.status, &run.json()[0]["reason"]), (3, &"memory".into()));
        assert!(peak > 50 << 10, "it used what it was given: {peak} KiB");
        assert_within(peak, 100, "one board");
        let boards = pintu("generate 4x4 --count 12 --seed 7", "").out;
        let no_tables = tempfile::tempdir().unwrap();
        for algorithm in ["bfs", "auto --node-limit 20000"] {
            for threads in [1, 64] {
                let args = format!(
                    "solve --batch --format json --memory-limit 20MiB --threads {threads} --device cpu --tables {} \
                     --algorithm {algorithm}",
                    no_tables.path().display()
                );
                let (run, peak) = peak_of(&args, &boards);
                assert_eq!(run.json().len(), 12);
                assert_within(peak, 20, &format!("{algorithm} on {threads} threads"));
            }
        }
    }

    /// A map of `side` rows and columns with scattered obstacles, and queries across it.
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

    #[test]
    fn threads_share_a_limit_and_a_map_that_does_not_fit_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let (map, queries) = scattered(900, 24);
        let (map_file, queries_file) = (folder.path().join("shared.map"), folder.path().join("shared.scen"));
        fs::write(&map_file, map).unwrap();
        fs::write(&queries_file, queries).unwrap();
        for (threads, limit_mib, stopped) in [(1, 200, Some(0)), (4, 200, Some(0)), (4, 13, None)] {
            let (map, queries) = (map_file.display(), queries_file.display());
            let args = format!("path {map} --scenarios {queries} --algorithm astar --format json --threads {threads}");
            let (run, peak) = peak_of(&format!("{args} --memory-limit {limit_mib}MiB"), "");
            assert_within(peak, limit_mib, &format!("{threads} threads"));
            assert_eq!(run.json().first().map(|summary| summary["stopped"].as_u64().unwrap()), stopped);
            if stopped.is_none() {
                assert_eq!((run.status, run.err.lines().count()), (3, 1), "{}", run.err);
                assert!(
                    run.err.contains("shared.map") && run.err.contains("of --memory-limit are left"),
                    "{}",
                    run.err
                );
            }
        }
    }

    #[test]
    fn what_is_printed_of_a_map_takes_no_memory_of_its_own() {
        let row = format!("{}\n", ".".repeat(1000));
        let map = format!("type octile\nheight 1000\nwidth 1000\nmap\n{}", row.repeat(1000));
        let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("printed.map");
        fs::write(&file, map).unwrap();
        for (what, lines) in [("--distances --directions", 2001), ("--to 0,1 --algorithm ida", 1001)] {
            let run = |format: &str| peak_of(&format!("path {} --from 0,0 {what} -f {format}", file.display()), "");
            let ((_, json_peak), (text, text_peak)) = (run("json"), run("text"));
            assert_eq!(text.out.lines().count(), lines, "{what}");
            assert!(text_peak < json_peak * 6 / 5, "{what}: {text_peak} KiB as text, {json_peak} as JSON");
        }
    }

    #[test]
    fn memory_for_the_input_is_asked_for_first() {
        let run = pintu("compare --scrambles 10000000 --algorithms bfs --memory-limit 60MiB", "");
        assert!(run.status == 3 && run.err.contains("--scrambles 10000000 does not fit: "), "{}", run.err);
        let coordinates = (0..400_000).map(|k| format!("@ n{k} 1 1\n")).collect::<Vec<_>>().concat();
        for graph in ["a b 1\n".repeat(600_000), format!("{coordinates}a b 1\n")] {
            let (run, peak) = peak_of("path --map-format graph --from a --to b --memory-limit 30MiB", &graph);
            assert!(run.status == 3 && run.err.contains("does not fit: "), "{}", run.err);
            assert_within(peak, 30, "a graph");
        }
    }

    /// Where address space is limited (`ulimit -v`), memory is refused before the allocator fails.
    #[test]
    fn a_limit_on_addresses_is_a_limit_on_memory() {
        let board = hard();
        let run = |kibibytes: u64, args: &str| shell(&format!("ulimit -v {kibibytes}; pintu {args}; exit $?"));
        // The memory that the process maps before it searches depends on how it was built.
        let needed = [25, 50, 100, 200, 400].map(|most| most * 1000);
        let needed = needed.into_iter().find(|&most| run(most, "solve --help").status == 0).unwrap();
        // Half of the rest is for searching; a heap for each thread would take 64 MiB besides.
        let stopped = run(needed + 200_000, &format!("solve {board} -g blank-first -a bfs --format json"));
        assert_eq!((stopped.status, &stopped.json()[0]["reason"]), (3, &"memory".into()), "{}", stopped.err);
        // There is not enough address space for the threads' stacks, though enough for everything else.
        let folder = tempfile::tempdir().unwrap();
        let build = format!("tables build --size 4x4 -j 1000 --tables {}", folder.path().display());
        let refused = run(needed + 500_000, &build);
        assert!(refused.status == 2 && refused.err.contains("cannot start thread"), "{}", refused.err);
    }
}

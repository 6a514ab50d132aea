//! `pintu tables`, and what `solve` does with damaged tables or none.

use std::{fs, path::PathBuf};

use crate::run::{pintu, pintu_args, rows};

/// A directory that is gone after the test.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&dir);
        fs::create_dir_all(&dir).unwrap();
        Self(dir)
    }

    fn text(&self) -> &str {
        self.0.to_str().unwrap()
    }

    fn tables(&self) -> Vec<PathBuf> {
        let mut paths: Vec<PathBuf> = fs::read_dir(&self.0).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        paths
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// What is done to a file.
type Harm = fn(&mut Vec<u8>);

fn korf(number: usize) -> (String, u64) {
    let row = &rows("korf100.txt")[number - 1];
    (row[1..17].join(" "), row[18].parse().unwrap())
}

#[test]
fn tables_are_built_listed_verified_and_removed() {
    let scratch = Scratch::new("tables-life");
    let tables = |action: &str| pintu(&format!("tables --tables {} {action}", scratch.text()), "");
    assert!(tables("list").out.starts_with("0 tables, 0 B in "));
    let built = tables("build --size 3x4 --goal snail");
    assert_eq!(built.status, 0, "{}", built.err);
    assert!(built.out.starts_with("the small tables of 3x4, blank in cell "), "{}", built.out);
    assert_eq!(tables("build --size 3x4 --goal snail").status, 0);
    assert_eq!(tables("list").out.lines().count(), 3);
    let good = tables("verify");
    assert_eq!((good.status, good.out.contains("2 of 2 tables in ")), (0, true), "{}", good.out);
    let path = &scratch.tables()[0];
    let mut bytes = fs::read(path).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(path, bytes).unwrap();
    let bad = tables("verify");
    assert_eq!(bad.status, 1);
    assert!(bad.out.contains("damaged  3x4-") && bad.out.contains("1 of 2 tables in "), "{}", bad.out);
    assert_eq!(tables("remove --size 4x4").out, "0 tables removed\n");
    fs::write(scratch.0.join("4x4-b0-t1.7-0.unfinished"), b"half").unwrap();
    assert_eq!(tables("remove").out, "2 tables removed, and 1 unfinished files\n");
    assert!(scratch.tables().is_empty());
}

#[test]
fn auto_solves_with_whatever_lies_in_the_directory() {
    let scratch = Scratch::new("tables-auto");
    let (board, length) = korf(2);
    let args = format!("solve --goal blank-first --format json --tables {}", scratch.text());
    let check = |what: &str| {
        let run = pintu(&args, &board);
        let answer = &run.json()[0];
        assert_eq!((run.status, answer["length"].as_u64()), (0, Some(length)), "{what}: {answer} {}", run.err);
        assert_eq!((&answer["optimal"], &answer["heuristic"]), (&true.into(), &"pattern".into()), "{what}: {answer}");
    };
    check("nothing");
    let whole: Vec<(PathBuf, Vec<u8>)> =
        scratch.tables().into_iter().map(|path| (path.clone(), fs::read(path).unwrap())).collect();
    assert_eq!(whole.len(), 3);
    check("whole tables");
    let damage: [(&str, Harm); 4] = [
        ("truncated", |bytes| bytes.truncate(bytes.len() / 2)),
        ("bit-flipped", |bytes| bytes[70] ^= 4),
        ("empty", Vec::clear),
        ("foreign", |bytes| bytes.fill(b'x')),
    ];
    for (what, harm) in damage {
        for (path, bytes) in &whole {
            let mut bytes = bytes.clone();
            harm(&mut bytes);
            fs::write(path, bytes).unwrap();
        }
        check(what);
        assert!(whole.iter().all(|(path, bytes)| fs::read(path).unwrap() == *bytes), "{what}: they are repaired");
    }
    for (path, bytes) in &whole {
        fs::remove_file(path).unwrap();
        fs::write(path.with_extension("1-0.unfinished"), &bytes[..bytes.len() / 2]).unwrap();
    }
    check("killed half-built");
}

#[test]
fn a_directory_that_cannot_be_written_is_survived_by_solve_and_refused_by_build() {
    let scratch = Scratch::new("tables-blocked");
    let file = scratch.0.join("a-file");
    fs::write(&file, b"").unwrap();
    let dir = file.join("tables");
    let dir = dir.to_str().unwrap();
    let (board, length) = korf(2);
    let run = pintu(&format!("solve --goal blank-first --format json --tables {dir}"), &board);
    assert_eq!((run.status, run.json()[0]["length"].as_u64()), (0, Some(length)));
    let build = pintu(&format!("tables build --size 3x4 --tables {dir}"), "");
    assert_eq!(build.status, 2);
    assert!(
        build.err.starts_with(&format!("pintu: the tables were built, but not kept: cannot write {dir}: ")),
        "{}",
        build.err
    );
    let large = pintu("tables build --size 9x9", "");
    assert_eq!(large.status, 2);
    assert_eq!(large.err, "pintu: found a board of 81 cells, expected at most 63 for pattern tables\n");
}

#[test]
fn little_memory_is_enough_for_korfs_instances() {
    let boards: Vec<String> = rows("korf100.txt").iter().map(|row| row[1..17].join(" ")).collect();
    let run =
        pintu("solve --batch --goal blank-first --format json --memory-limit 64MiB --threads 2", &boards.join("\n"));
    assert_eq!(run.status, 0, "{}", run.err);
    for (answer, row) in run.json().iter().zip(rows("korf100.txt")) {
        assert_eq!((answer["length"].to_string(), &answer["optimal"]), (row[18].clone(), &true.into()), "{answer}");
        assert!(answer["memory"].as_u64().unwrap() < 64 << 20, "{answer}");
    }
}

#[test]
fn the_heuristic_can_be_named() {
    let (board, length) = korf(12);
    for algorithm in ["astar", "ida", "wastar"] {
        let args = ["solve", "--goal", "blank-first", "--format", "json", "--heuristic", "pattern", "--algorithm"];
        let run = pintu_args(&[&args[..], &[algorithm]].concat(), &board);
        let answer = &run.json()[0];
        assert_eq!((run.status, &answer["heuristic"]), (0, &"pattern".into()), "{answer}");
        assert!(answer["length"].as_u64() >= Some(length), "{answer}");
        assert!(algorithm == "wastar" || answer["length"].as_u64() == Some(length), "{answer}");
    }
    let wrapped =
        pintu("solve --algorithm astar --heuristic pattern --wrap-rows all --format json", "8 6 7 2 5 4 3 0 1");
    let plain =
        pintu("solve --algorithm astar --heuristic manhattan --wrap-rows all --format json", "8 6 7 2 5 4 3 0 1");
    assert_eq!(wrapped.json()[0]["length"], plain.json()[0]["length"]);
    let large = pintu_args(&["solve", "--heuristic", "pattern", "--algorithm", "ida"], &row_of(100));
    assert_eq!(
        (large.status, large.err.contains("expected at most 63 for pattern tables")),
        (2, true),
        "{}",
        large.err
    );
}

/// A board of so many cells, one move from its goal.
fn row_of(cells: usize) -> String {
    let mut tiles: Vec<String> = (1..cells).map(|tile| tile.to_string()).collect();
    tiles.insert(cells - 2, "0".to_owned());
    tiles.join(" ")
}

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
        let files = |dir: PathBuf| fs::read_dir(dir).into_iter().flatten().map(|entry| entry.unwrap().path());
        let all = files(self.0.clone()).chain(files(self.0.join("unasked")));
        let mut paths: Vec<PathBuf> = all.filter(|path| !path.is_dir()).collect();
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
    fs::write(scratch.0.join("notes.table"), b"my own").unwrap();
    let removed = tables("remove");
    assert_eq!(removed.out, "2 tables removed, and 1 unfinished file\n");
    assert!(removed.err.contains("kept notes.table: "), "{}", removed.err);
    assert_eq!(scratch.tables(), [scratch.0.join("notes.table")], "what is not ours stays");
}

#[test]
fn what_cannot_be_read_is_not_called_good() {
    let scratch = Scratch::new("tables-unreadable");
    let file = scratch.0.join("file");
    fs::write(&file, b"").unwrap();
    for action in ["verify", "list", "remove"] {
        let run = pintu_args(&["tables", "--tables", file.to_str().unwrap(), action], "");
        assert_eq!(run.status, 2, "{action}: {}", run.out);
        assert!(run.err.starts_with(&format!("pintu: cannot read {}: ", file.display())), "{}", run.err);
    }
    let folder = scratch.0.join("folder");
    fs::create_dir_all(folder.join("3x4-b0-t1.2.table")).unwrap();
    let run = pintu_args(&["tables", "--tables", folder.to_str().unwrap(), "verify"], "");
    assert_eq!(run.status, 2, "{}", run.out);
    assert!(run.out.contains("unknown  3x4-b0-t1.2.table: cannot be read: "), "{}", run.out);
    let run = pintu_args(&["tables", "--tables", folder.to_str().unwrap(), "list"], "");
    assert!(
        run.out.contains("3x4-b0-t1.2.table  cannot be read: ") && run.out.contains("\n0 tables, 0 B in "),
        "{}",
        run.out
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_disk_that_fills_up_while_a_table_is_written_is_survived() {
    use std::process::Command;
    let scratch = Scratch::new("tables-full");
    // A limit on the size of files ends a write in the middle, as a full disk does.
    let limited = |args: &str| {
        let script = format!("trap '' XFSZ; ulimit -f 64; exec {} {args}", env!("CARGO_BIN_EXE_pintu"));
        Command::new("bash").args(["-c", &script]).output().unwrap()
    };
    let (board, length) = korf(2);
    let file = scratch.0.join("board");
    fs::write(&file, &board).unwrap();
    let dir = scratch.0.join("tables");
    let solved =
        limited(&format!("solve --goal blank-first --format json --tables {} {}", dir.display(), file.display()));
    let answer: serde_json::Value = serde_json::from_slice(&solved.stdout).unwrap();
    assert_eq!((solved.status.code(), answer["length"].as_u64()), (Some(0), Some(length)), "{answer}");
    let built = limited(&format!("tables build --size 3x4 --tables {}", dir.display()));
    let said = String::from_utf8(built.stderr).unwrap();
    assert_eq!(built.status.code(), Some(2), "{said}");
    assert!(said.contains("the tables were built, but not kept: cannot write "), "{said}");
    let left: Vec<_> = [dir.clone(), dir.join("unasked")]
        .iter()
        .flat_map(|dir| fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()))
        .filter(|path| !path.is_dir() && fs::metadata(path).unwrap().len() > 40_000)
        .collect();
    assert!(left.is_empty(), "no half of a table is left: {left:?}");
}

#[test]
fn a_board_takes_the_same_whatever_was_solved_before_it() {
    let scratch = Scratch::new("tables-same");
    let build = pintu(&format!("tables --tables {} build --size 3x4 --large --goal blank-first", scratch.text()), "");
    assert_eq!(build.status, 0, "{}", build.err);
    let boards = pintu("generate --size 3x4 --goal blank-first --count 12 --seed 3", "").out;
    let args = format!("solve --batch --size 3x4 --goal blank-first --format json --tables {}", scratch.text());
    let counts = |input: &str| -> Vec<(u64, u64)> {
        let number = |value: &serde_json::Value| value.as_u64().unwrap();
        let answers = pintu(&args, input).json();
        answers.iter().map(|answer| (number(&answer["expanded"]), number(&answer["generated"]))).collect()
    };
    let together = counts(&boards);
    let alone: Vec<(u64, u64)> = boards.lines().flat_map(counts).collect();
    assert_eq!(together, alone);
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

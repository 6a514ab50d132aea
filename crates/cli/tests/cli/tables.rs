//! `pintu tables`, and what `solve` does with damaged tables or none.

use std::{
    fs,
    path::{Path, PathBuf},
};

#[cfg(unix)]
use crate::run::shell;
use crate::run::{answer, assert_refused, korf, pintu, rows};

/// The files in a folder of tables, and in the folder of tables that no user asked for.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = |folder: &Path| fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path());
    let mut paths: Vec<PathBuf> = entries(folder).chain(entries(&folder.join("unasked"))).collect();
    paths.retain(|path| !path.is_dir());
    paths.sort();
    paths
}

#[test]
fn tables_are_built_listed_verified_and_removed() {
    let folder = tempfile::tempdir().unwrap();
    let tables = |action: &str| pintu(&format!("tables --tables {} {action}", folder.path().display()), "");
    assert!(tables("list").out.starts_with("0 tables, 0 B in "));
    let built = tables("build --size 3x4 --goal snail");
    assert_eq!(built.status, 0, "{}", built.err);
    assert!(built.out.starts_with("the small tables of 3x4, blank in cell "), "{}", built.out);
    assert_eq!(tables("build --size 3x4 --goal snail").status, 0);
    assert_eq!(tables("list").out.lines().count(), 3);
    let good = tables("verify");
    assert_eq!((good.status, good.out.contains("2 of 2 tables in ")), (0, true), "{}", good.out);
    for (action, status) in [("list", serde_json::Value::Null), ("verify", "good".into())] {
        let rows = tables(&format!("{action} --format json")).json();
        assert_eq!(rows.len(), 2);
        for row in rows {
            assert_eq!((&row["board"], &row["status"]), (&"3x4".into(), &status), "{row}");
            assert!(row["bytes"].as_u64() > Some(1000) && row["tiles"].as_array().unwrap().len() > 3, "{row}");
        }
    }
    let path = &files(folder.path())[0];
    let mut bytes = fs::read(path).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(path, bytes).unwrap();
    let bad = tables("verify");
    assert_eq!(bad.status, 1);
    assert!(bad.out.contains("damaged     3x4-") && bad.out.contains("1 of 2 tables in "), "{}", bad.out);
    let json = tables("verify --format json");
    assert_eq!((json.status, &json.json()[0]["status"]), (1, &"damaged".into()));
    assert!(json.json()[0]["error"].is_string(), "{}", json.out);
    assert_eq!(tables("remove --size 4x4").out, "0 tables removed\n");
    fs::write(folder.path().join("4x4-b0-t1.7-0.unfinished"), b"half").unwrap();
    fs::write(folder.path().join("notes.table"), b"my own").unwrap();
    let removed = tables("remove");
    assert_eq!(removed.out, "2 tables removed, and 1 unfinished file\n");
    assert!(removed.err.contains("kept notes.table: "), "{}", removed.err);
    assert_eq!(files(folder.path()), [folder.path().join("notes.table")], "what is not ours stays");
}

#[test]
fn what_cannot_be_read_is_not_called_good() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, b"").unwrap();
    for action in ["verify", "list", "remove"] {
        let args = format!("tables --tables {} {action}", file.display());
        assert_refused(&[(&args, "", &format!("pintu: cannot read {}: ", file.display()))]);
    }
    fs::remove_file(file).unwrap();
    fs::create_dir(folder.path().join("3x4-b0-t1.2.table")).unwrap();
    let tables = |action: &str| pintu(&format!("tables --tables {} {action}", folder.path().display()), "");
    let run = tables("verify");
    assert_eq!(run.status, 2, "{}", run.out);
    assert!(run.out.contains("unreadable  3x4-b0-t1.2.table: cannot be read: "), "{}", run.out);
    let list = tables("list").out;
    assert!(list.contains("3x4-b0-t1.2.table  cannot be read: ") && list.contains("\n0 tables, 0 B in "), "{list}");
}

#[test]
fn a_board_takes_the_same_whatever_was_solved_before_it() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().display();
    let build = pintu(&format!("tables --tables {dir} build --size 3x4 --large --goal blank-first"), "");
    assert_eq!(build.status, 0, "{}", build.err);
    let boards = pintu("generate --size 3x4 --goal blank-first --count 4 --seed 3", "").out;
    let args = format!("solve --batch --size 3x4 --goal blank-first --format json --tables {dir}");
    let counts = |input: &str| -> Vec<(u64, u64)> {
        let number = |value: &serde_json::Value| value.as_u64().unwrap();
        let answers = pintu(&args, input).json();
        answers.iter().map(|answer| (number(&answer["expanded"]), number(&answer["generated"]))).collect()
    };
    let alone: Vec<(u64, u64)> = boards.lines().flat_map(counts).collect();
    assert_eq!(counts(&boards), alone);
}

#[test]
fn auto_solves_with_whatever_lies_in_the_directory() {
    let folder = tempfile::tempdir().unwrap();
    let (board, length) = korf(2);
    let check = |what: &str| {
        let answer = answer(&format!("solve --goal blank-first --tables {}", folder.path().display()), &board);
        assert_eq!((answer["length"].as_u64(), &answer["optimal"]), (Some(length), &true.into()), "{what}: {answer}");
        assert_eq!(answer["heuristic"], "pattern", "{what}: {answer}");
    };
    let read = || -> Vec<Vec<u8>> { files(folder.path()).iter().map(|path| fs::read(path).unwrap()).collect() };
    check("nothing");
    let whole = read();
    assert_eq!(whole.len(), 3);
    check("whole tables");
    for (path, bytes) in files(folder.path()).iter().zip(&whole) {
        fs::write(path, &bytes[..bytes.len() / 2]).unwrap();
    }
    check("halves of tables");
    assert!(read() == whole, "they are repaired");
}

/// Where tables cannot be written, or not whole, `solve` does without and `build` says so.
#[cfg(unix)]
#[test]
fn tables_that_cannot_be_kept_are_survived_by_solve_and_refused_by_build() {
    let folder = tempfile::tempdir().unwrap();
    let (board, length) = korf(2);
    fs::write(folder.path().join("file"), b"").unwrap();
    // A limit on the size of files ends a write in the middle, as a full disk does.
    for (limit, dir) in [("", folder.path().join("file/tables")), ("trap '' XFSZ; ulimit -f 64;", folder.path().into())]
    {
        let dir = dir.display();
        let solved = shell(&format!("{limit} pintu solve --goal blank-first --format json --tables {dir} {board}"));
        assert_eq!((solved.status, solved.json()[0]["length"].as_u64()), (0, Some(length)), "{}", solved.out);
        let build = shell(&format!("{limit} pintu tables build --size 3x4 --tables {dir}"));
        let said = format!("pintu: the tables were built, but not kept: cannot write {dir}");
        assert!(build.status == 2 && build.err.starts_with(&said), "{}", build.err);
    }
    let mut left = files(folder.path());
    left.retain(|path| fs::metadata(path).unwrap().len() > 40_000);
    assert!(left.is_empty(), "no half of a table is left: {left:?}");
}

#[test]
fn little_memory_is_enough_for_korfs_instances() {
    let instances = &rows("korf100.txt")[..25];
    let boards: Vec<String> = instances.iter().map(|row| row[1..17].join(" ")).collect();
    let args = "solve --batch --goal blank-first --format json --memory-limit 64MiB --threads 2";
    let run = pintu(args, &boards.join("\n"));
    assert_eq!((run.status, run.json().len()), (0, 25), "{}", run.err);
    for (answer, row) in run.json().iter().zip(instances) {
        assert_eq!((answer["length"].to_string(), &answer["optimal"]), (row[18].clone(), &true.into()), "{answer}");
        assert!(answer["memory"].as_u64().unwrap() < 64 << 20, "{answer}");
    }
}

#[test]
fn a_set_is_built_a_table_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let tables = |action: &str| pintu(&format!("tables --tables {} {action}", folder.path().display()), "");
    let first = tables("build --size 3x4 --only 1");
    assert_eq!(first.status, 0, "{}", first.err);
    assert!(first.out.contains(", table 1 of 2: "), "{}", first.out);
    assert_eq!(files(folder.path()).len(), 1);
    let cells = first.out.split("tiles of cells ").nth(1).unwrap().trim().replace(' ', ",");
    let again = tables(&format!("build --size 3x4 --only {cells}"));
    assert!(again.out.contains(" was there\n"), "{}{}", again.out, again.err);
    assert_eq!(tables("build --size 3x4 --only 2").status, 0);
    assert_eq!(files(folder.path()).len(), 2);
    assert!(tables("verify").out.contains("2 of 2 tables in "));
    let build = format!("tables --tables {} build --size 3x4 --only", folder.path().display());
    let refused = [("3", "expected one of 2"), ("1,2", "expected one of 2"), ("x", "expected a number, or cells of")];
    for (only, message) in refused {
        let run = pintu(&format!("{build} {only}"), "");
        assert_eq!((run.status, run.out.as_str()), (2, ""), "{only}: {}", run.err);
        assert!(run.err.contains(message), "{only}: {}", run.err);
    }
}

use std::{fs, path::Path};

use super::*;

fn job(goal: &str) -> Job {
    let lines = [("a", true), ("", false), ("# b", false), ("c", true), ("d", true), ("", false)];
    Job::new(lines, [("--goal", goal.to_owned())])
}

fn answer(line: usize) -> String {
    format!(r#"{{"status":"solved","line":{line}}}"#)
}

fn write(path: &Path, shard: &str, answers: &[usize]) {
    let mut file = AnswerFile::open(path, shard.parse().unwrap(), job("snail")).unwrap();
    for &line in answers {
        file.append(&answer(line)).unwrap();
    }
}

#[test]
fn every_line_belongs_to_one_shard() {
    for of in 1..6 {
        let shards: Vec<Shard> = (1..=of).map(|number| format!("{number}/{of}").parse().unwrap()).collect();
        for line in 1..20 {
            let having: Vec<usize> = (1..=of).filter(|number| shards[number - 1].has(line)).collect();
            assert_eq!(having, [(line - 1) % of + 1]);
        }
    }
    for bad in ["", "1", "0/2", "3/2", "1/0", "0/0", "-1/2", "1/2/3", "a/b", "1 / 2"] {
        assert!(bad.parse::<Shard>().is_err(), "{bad}");
    }
}

#[test]
fn a_job_knows_its_puzzles_and_what_differs() {
    assert_eq!(job("snail").puzzles().collect::<Vec<_>>(), [1, 4, 5]);
    assert_eq!(job("snail").empty, [(2, 3), (6, 6)]);
    assert_eq!(job("snail").difference(&job("snail")), None);
    let said = job("snail").difference(&job("standard")).unwrap();
    assert_eq!(said, "found answers with --goal snail, expected --goal standard");
    let other = Job::new([("a", true)], [("--goal", "snail".to_owned())]);
    assert_eq!(other.difference(&job("snail")).unwrap(), "found answers to another input");
    // The same text in other lines is another input.
    let [one, two] = [["ab", "c"], ["a", "bc"]].map(|lines| Job::new(lines.map(|line| (line, true)), []));
    assert_ne!(one.input, two.input);
}

/// Wherever a killed process stopped writing, the file goes on with its complete lines.
#[test]
fn a_file_goes_on_after_every_cut() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("answers");
    write(&path, "1/1", &[1, 4]);
    let whole = fs::read(&path).unwrap();
    for cut in 0..=whole.len() {
        fs::write(&path, &whole[..cut]).unwrap();
        let lines = whole[..cut].split(|&byte| byte == b'\n').count() - 1;
        let file = AnswerFile::open(&path, Shard::WHOLE, job("snail")).unwrap();
        let kept: Vec<usize> = file.answered().keys().copied().collect();
        assert_eq!(kept, [1, 4][..lines.saturating_sub(1)], "cut at {cut}");
        drop(file);
        write(&path, "1/1", &[1, 4, 5][kept.len()..]);
        assert!(merge(std::slice::from_ref(&path)).unwrap().missing.is_empty(), "cut at {cut}");
    }
}

#[test]
fn what_is_not_of_the_job_is_refused_and_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("answers");
    write(&path, "1/2", &[1]);
    let whole = fs::read_to_string(&path).unwrap();
    let with = |line: &str| format!("{whole}{}\n", sealed(line));
    let header = unsealed(whole.lines().next().unwrap()).unwrap();
    let with_header = |from: &str, to: &str| format!("{}\n", sealed(&header.replace(from, to)));
    for (text, said) in [
        ("1 2 3".to_owned(), "found no file of answers made by --resume"),
        ("1 2 3\n".to_owned(), "found no file of answers"),
        (with_header("\"pintu_batch\":2", "\"pintu_batch\":1"), "found no file of answers"),
        (whole.replace("snail", "standard"), "found no file of answers"),
        (
            whole.replace("solved", "soived"),
            "line 2: found a damaged line, expected an answer (without this line, --resume",
        ),
        (with_header("snail", "standard"), "found answers with --goal standard, expected --goal snail"),
        (with_header("1/2", "1/4"), "found answers of the shard 1/4, expected 1/2"),
        (with("{\"line\":4}"), "line 3: found something else, expected an answer"),
        (with(&answer(1)), "line 3: found a second answer to line 1"),
        (with(&answer(4)), "line 3: found an answer to line 4 of another shard"),
    ] {
        fs::write(&path, &text).unwrap();
        let error = AnswerFile::open(&path, "1/2".parse().unwrap(), job("snail")).unwrap_err().to_string();
        assert!(error.contains(said), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
    assert!(AnswerFile::open(folder.path(), Shard::WHOLE, job("snail")).is_err(), "a folder");
    fs::write(&path, &whole).unwrap();
    let _held = AnswerFile::open(&path, "1/2".parse().unwrap(), job("snail")).unwrap();
    let busy = AnswerFile::open(&path, "1/2".parse().unwrap(), job("snail"));
    assert!(matches!(busy, Err(AnswerFileError::Busy(_))));
}

#[test]
fn shards_merge_in_the_order_of_the_input() {
    let folder = tempfile::tempdir().unwrap();
    let paths = ["one", "two", "again"].map(|name| folder.path().join(name));
    write(&paths[0], "1/2", &[1, 5]);
    write(&paths[1], "2/2", &[4]);
    write(&paths[2], "1/1", &[4]);
    let lines = |merged: &Merged| merged.answers.keys().copied().collect::<Vec<_>>();
    let merged = merge(&[paths[1].clone(), paths[0].clone()]).unwrap();
    assert_eq!((lines(&merged), merged.missing.len(), merged.doubled.len()), (vec![1, 4, 5], 0, 0));
    let merged = merge(&paths[1..]).unwrap();
    assert_eq!((lines(&merged), merged.missing, merged.doubled), (vec![4], vec![1, 5], [4].into()));
    // A run that was killed at once leaves an empty file, or a piece of the header.
    let header = fs::read_to_string(&paths[2]).unwrap().lines().next().unwrap().to_owned();
    for cut in [0, 1, 5, 30, header.len()] {
        fs::write(&paths[2], &header[..cut]).unwrap();
        let merged = merge(&paths).unwrap();
        assert_eq!((lines(&merged), merged.missing.len(), merged.unbegun), (vec![1, 4, 5], 0, vec![paths[2].clone()]));
    }
    for foreign in ["1 2 3", "\n", "{\"pintu_batch\":1,"] {
        fs::write(&paths[2], foreign).unwrap();
        assert!(matches!(merge(&paths), Err(AnswerFileError::Foreign(_))), "{foreign}");
    }
    fs::remove_file(&paths[2]).unwrap();
    AnswerFile::open(&paths[2], Shard::WHOLE, job("standard")).unwrap();
    assert!(matches!(merge(&paths), Err(AnswerFileError::Other { .. })));
}

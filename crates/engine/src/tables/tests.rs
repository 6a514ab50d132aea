use std::{fs, path::PathBuf, thread};

use pintu_search::{Control, Stop};
use pintu_solver::tables::{Extent, Tables};
use pintu_tiles::{Size, Topology};

use super::*;

/// A directory that is gone after the test.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let dir = std::env::temp_dir().join(format!("pintu-tables-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&dir);
        Self(dir)
    }

    fn store(&self) -> Store {
        Store::at(&self.0)
    }

    fn files(&self) -> Vec<PathBuf> {
        let mut files: Vec<PathBuf> = fs::read_dir(&self.0).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        files
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn key() -> Key {
    Key { topology: Topology::plain(Size::new(3, 4).unwrap()), blank: 0, extent: Extent::Small }
}

fn make(store: &Store) -> (Kept, usize) {
    let mut built = std::collections::BTreeSet::new();
    let kept = store.make(key(), 2, &Control::unlimited(), &mut |building| {
        built.insert(building.table);
    });
    (kept.unwrap(), built.len())
}

fn entries(tables: &Tables) -> Vec<Vec<u8>> {
    tables.tables().iter().map(|table| table.entries().to_vec()).collect()
}

#[test]
fn tables_are_built_once_and_found_again() {
    let scratch = Scratch::new("again");
    assert!(scratch.store().ready(key()).is_none() && scratch.store().on_disk(key()).is_none());
    let (made, built) = make(&scratch.store());
    assert!(made.unwritten.is_none());
    assert_eq!((built, scratch.files().len()), (2, 2));
    let sizes = scratch.files().iter().map(|path| std::fs::metadata(path).unwrap().len()).sum();
    assert_eq!(scratch.store().on_disk(key()), Some(sizes));
    let found = scratch.store().ready(key()).expect("they lie in the directory");
    assert_eq!(entries(&found), entries(&made.tables));
    assert_eq!(make(&scratch.store()).1, 0, "nothing is built a second time");
    assert_eq!(entries(&found), entries(&make(&Store::in_memory()).0.tables));
}

#[test]
fn damage_anywhere_is_noticed_and_repaired() {
    let scratch = Scratch::new("damage");
    let right = entries(&make(&scratch.store()).0.tables);
    let path = scratch.files()[0].clone();
    let whole = fs::read(&path).unwrap();
    let flipped = |at: usize| {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x10;
        bytes
    };
    let damaged: Vec<Vec<u8>> = [0, 9, 13, 18, 33, 41, 57, 64, whole.len() / 2, whole.len() - 1]
        .into_iter()
        .map(flipped)
        .chain([Vec::new(), whole[..40].to_vec(), whole[..whole.len() - 1].to_vec(), [&whole[..], b"x"].concat()])
        .chain([fs::read(&scratch.files()[1]).unwrap(), vec![0; whole.len()]])
        .collect();
    for bytes in damaged {
        // As another process would: under another name first, for the old file may be mapped.
        let other = path.with_extension("other");
        fs::write(&other, &bytes).unwrap();
        fs::rename(&other, &path).unwrap();
        let store = scratch.store();
        assert!(store.ready(key()).is_none());
        assert_eq!(store.list().iter().filter(|listed| store.verify(listed).is_err()).count(), 1);
        let (made, built) = make(&store);
        assert_eq!((built, entries(&made.tables)), (1, right.clone()), "one table is built anew");
        assert_eq!(fs::read(&path).unwrap(), whole, "and written anew");
    }
}

#[test]
fn a_build_that_was_killed_leaves_nothing_that_is_believed() {
    let scratch = Scratch::new("killed");
    let control = Control::unlimited();
    // In the middle.
    let broken = scratch.store().make(key(), 1, &control, &mut |_| control.cancel_switch().cancel());
    assert!(matches!(broken, Err(StoreError::Stopped(Stop::Cancelled))));
    let (made, _) = make(&scratch.store());
    let whole = fs::read(&scratch.files()[0]).unwrap();
    let half = scratch.0.join("3x4-b0-t1.99-0.unfinished");
    fs::write(&half, &whole[..whole.len() / 2]).unwrap();
    let store = scratch.store();
    assert_eq!(store.list().len(), 2, "what is unfinished is not listed");
    assert_eq!(entries(&store.ready(key()).unwrap()), entries(&made.tables));
    assert_eq!(store.remove_unfinished(), 1);
    assert!(!half.exists());
}

#[test]
fn many_at_once_do_no_harm() {
    let scratch = Scratch::new("many");
    // Stores of their own, as processes of their own would have.
    let all: Vec<_> = thread::scope(|scope| {
        let threads: Vec<_> = (0..6).map(|_| scope.spawn(|| entries(&make(&scratch.store()).0.tables))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(all.windows(2).all(|pair| pair[0] == pair[1]));
    assert_eq!(scratch.files().len(), 2, "no unfinished file is left");
    assert_eq!(entries(&scratch.store().ready(key()).unwrap()), all[0]);
}

#[test]
fn what_cannot_be_written_is_kept_in_memory() {
    let scratch = Scratch::new("unwritable");
    fs::create_dir_all(&scratch.0).unwrap();
    // A file where the directory should be: nobody can write there, whoever runs the test.
    let blocked = scratch.0.join("blocked");
    fs::write(&blocked, b"").unwrap();
    let store = Store::at(blocked.join("tables"));
    let (made, built) = make(&store);
    assert_eq!(built, 2);
    let Some(StoreError::Unwritable { dir, .. }) = &made.unwritten else { panic!("it cannot be written") };
    assert!(dir.starts_with(&blocked));
    assert_eq!(entries(&store.in_hand(key()).unwrap()), entries(&made.tables));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_survived() {
    // Every write to this device ends as on a full disk; a link to it stands for the unfinished file's
    // directory being full.
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    let error = std::io::Write::write_all(&mut &full, &[0; 4096]).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::StorageFull);
    let scratch = Scratch::new("full");
    let (made, _) = make(&Store::in_memory());
    let table = &made.tables.tables()[0];
    let written = file::write_to(&full, table);
    assert_eq!(written.unwrap_err().kind(), std::io::ErrorKind::StorageFull);
    assert!(!scratch.0.exists());
}

#[test]
fn files_are_listed_verified_and_removed() {
    let scratch = Scratch::new("listed");
    make(&scratch.store());
    fs::write(scratch.0.join("foreign.table"), b"not a table at all, but long enough to be looked at: 64 bytes!")
        .unwrap();
    let store = scratch.store();
    let listed = store.list();
    assert_eq!(listed.len(), 3);
    let (good, bad): (Vec<_>, Vec<_>) = listed.iter().partition(|listed| store.verify(listed).is_ok());
    assert_eq!((good.len(), bad.len()), (2, 1));
    assert!(good.iter().all(|listed| listed.pattern.is_ok() && listed.bytes > 64));
    for listed in &listed {
        store.remove(listed).unwrap();
    }
    assert!(scratch.files().is_empty());
}

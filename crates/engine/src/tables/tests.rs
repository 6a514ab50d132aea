use std::{
    fs::{self, File},
    path::{Path, PathBuf},
    sync::mpsc::channel,
    thread,
    time::{Duration, SystemTime},
};

use pintu_search::{Control, Limits, Stop};
use pintu_solver::{
    Tables,
    store::{Extent, TableSource as _},
};
use pintu_tiles::{Size, Topology};

use super::{directory::Purpose, store::Wanted, *};
use crate::{device::Device, new_file::create_locked};

/// A directory that is gone after the test.
struct Scratch(tempfile::TempDir);

impl Scratch {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn dir(&self) -> &Path {
        self.0.path()
    }

    fn store(&self) -> Store {
        Store::at(self.dir())
    }

    /// The folder of tables that no user asked for.
    fn unasked(&self) -> PathBuf {
        self.dir().join("unasked")
    }

    fn files(&self) -> Vec<PathBuf> {
        files(&self.unasked())
    }

    /// Builds a set that a user asks for; its files.
    fn build(&self) -> Vec<PathBuf> {
        build(&self.store(), key());
        files(self.dir())
    }
}

fn files(dir: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(dir).into_iter().flatten().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = entries.filter(|path| !path.is_dir()).collect();
    files.sort();
    files
}

fn key() -> Key {
    Key { topology: Topology::plain(Size::new(3, 4).unwrap()), blank: 0, extent: Extent::Small }
}

/// A set that a search needs.
fn needed(store: &Store, key: Key, control: &Control, watch: Watch<'_>) -> Result<BuiltTables, StoreError> {
    let wanted = Wanted { key, purpose: Purpose::Unasked, device: Device::Cpu, threads: 2 };
    store.build_or_find(wanted, control, watch)
}

/// A set that a search needs, and how many tables of it were built.
fn make(store: &Store) -> (BuiltTables, usize) {
    let mut built = std::collections::BTreeSet::new();
    let mut watch = |building: Building| {
        built.insert(building.table);
    };
    let made = needed(store, key(), &Control::unlimited(), &mut watch).unwrap();
    (made, built.len())
}

fn build(store: &Store, key: Key) {
    store.build(key, Device::Cpu, 2, &Control::unlimited(), &mut |_| ()).unwrap();
}

fn entries(tables: &Tables) -> Vec<Vec<u8>> {
    tables.tables().iter().map(|table| table.entries().to_vec()).collect()
}

#[test]
fn tables_are_built_once_and_found_again() {
    let scratch = Scratch::new();
    assert!(scratch.store().read(key()).is_none() && scratch.store().readable(key()).is_none());
    let (made, built) = make(&scratch.store());
    assert!(made.unwritten.is_none());
    assert_eq!((built, scratch.files().len()), (2, 2));
    let sizes = scratch.files().iter().map(|path| fs::metadata(path).unwrap().len()).sum();
    assert_eq!(scratch.store().readable(key()), Some(sizes));
    let found = scratch.store().read(key()).expect("they lie in the directory");
    assert_eq!(entries(&found), entries(&made.tables));
    assert_eq!(make(&scratch.store()).1, 0, "nothing is built a second time");
    assert_eq!(entries(&found), entries(&make(&Store::in_memory()).0.tables));
    // Changing a small file changes no table that was read from it.
    // Larger files are mapped, so that a file which is cut off ends the process: they are replaced, never written in place.
    for path in scratch.files().into_iter().filter(|path| fs::metadata(path).unwrap().len() <= file::MAX_READ_BYTES) {
        fs::write(path, b"something else").unwrap();
    }
    assert_eq!(entries(&found), entries(&made.tables));
}

#[test]
fn damage_anywhere_is_noticed_and_repaired() {
    let scratch = Scratch::new();
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
        .chain([{
            // Bit 63 of a word and bit 28 of the word 32 bytes later: a sum of rotated words would not change.
            let mut bytes = whole.clone();
            bytes[64 + 7] ^= 0x80;
            bytes[64 + 32 + 3] ^= 0x10;
            bytes
        }])
        .collect();
    for bytes in damaged {
        // As another process would write it: under another name first, because the old file may be mapped.
        let other = path.with_extension("other");
        fs::write(&other, &bytes).unwrap();
        fs::rename(&other, &path).unwrap();
        let store = scratch.store();
        assert!(store.read(key()).is_none());
        assert_eq!(store.list().unwrap().iter().filter(|listed| store.verify(listed).is_err()).count(), 1);
        let (made, built) = make(&store);
        assert_eq!((built, entries(&made.tables)), (1, right.clone()), "one table is built anew");
        assert_eq!(fs::read(&path).unwrap(), whole, "and written anew");
    }
}

#[test]
fn a_build_that_was_killed_leaves_nothing_that_is_believed() {
    let scratch = Scratch::new();
    let control = Control::unlimited();
    // The build is cancelled in the middle.
    let broken = needed(&scratch.store(), key(), &control, &mut |_| control.cancel_switch().cancel());
    assert!(matches!(broken, Err(StoreError::BrokenOff(Stop::Cancelled))));
    assert!(scratch.files().is_empty());
    let (made, _) = make(&scratch.store());
    let whole = fs::read(&scratch.files()[0]).unwrap();
    let half = scratch.dir().join("3x4-b0-t1.99-0.unfinished");
    fs::write(&half, &whole[..whole.len() / 2]).unwrap();
    let store = scratch.store();
    assert_eq!(store.list().unwrap().len(), 2, "what is unfinished is not listed");
    assert_eq!(entries(&store.read(key()).unwrap()), entries(&made.tables));
    assert_eq!(store.remove_unfinished(), 1);
    assert!(!half.exists());
}

#[test]
fn many_at_once_do_no_harm() {
    let scratch = Scratch::new();
    // Separate stores, as in separate processes.
    let all: Vec<_> = thread::scope(|scope| {
        let threads: Vec<_> = (0..6).map(|_| scope.spawn(|| entries(&make(&scratch.store()).0.tables))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(all.windows(2).all(|pair| pair[0] == pair[1]));
    assert_eq!(scratch.files().len(), 2, "no unfinished file is left");
    assert_eq!(entries(&scratch.store().read(key()).unwrap()), all[0]);
}

#[test]
fn what_cannot_be_written_is_kept_in_memory() {
    let scratch = Scratch::new();
    // With a file in the directory's place no user can write there, not even root.
    let blocked = scratch.dir().join("blocked");
    fs::write(&blocked, b"").unwrap();
    let store = Store::at(blocked.join("tables"));
    let (made, built) = make(&store);
    assert_eq!(built, 2);
    let Some(StoreError::Io { what: "write", path, .. }) = &made.unwritten else { panic!("it cannot be written") };
    assert!(path.starts_with(&blocked));
    assert_eq!(entries(&store.in_hand(key()).unwrap()), entries(&made.tables));
}

#[test]
fn files_are_listed_verified_and_removed_if_they_are_ours() {
    let scratch = Scratch::new();
    let ours = scratch.build();
    fs::write(scratch.dir().join("foreign.table"), b"not a table at all, but long enough to be looked at: 64 bytes!")
        .unwrap();
    fs::copy(&ours[0], scratch.dir().join("a copy.table")).unwrap();
    let store = scratch.store();
    let listed = store.list().unwrap();
    assert_eq!(listed.len(), 4);
    let (good, bad): (Vec<_>, Vec<_>) = listed.iter().partition(|listed| store.verify(listed).is_ok());
    assert_eq!((good.len(), bad.len()), (2, 2));
    assert!(good.iter().all(|listed| listed.is_ours() && listed.pattern.is_ok() && listed.bytes > 64));
    assert!(bad.iter().all(|listed| listed.pattern.is_err()), "what is no table is not listed as one");
    for listed in &listed {
        let removed = store.remove(listed);
        assert_eq!(removed.is_ok(), ours.contains(&listed.path), "{removed:?}");
    }
    assert_eq!(files(scratch.dir()).len(), 2, "what is not ours stays");
}

#[test]
fn what_is_cut_off_is_damaged_and_says_how() {
    let scratch = Scratch::new();
    let (ours, store) = (scratch.build(), scratch.store());
    let length = fs::metadata(&ours[0]).unwrap().len();
    for (bytes, said) in [
        (length - 1, format!("found {} bytes, expected {length}", length - 1)),
        (63, "found 63 bytes, expected a table, which begins with 64".to_owned()),
        (0, "found 0 bytes, expected a table, which begins with 64".to_owned()),
    ] {
        File::options().write(true).open(&ours[0]).unwrap().set_len(bytes).unwrap();
        let listed = store.list().unwrap().into_iter().find(|listed| listed.path == ours[0]).unwrap();
        assert_eq!(store.verify(&listed).unwrap_err().to_string(), said);
        assert_eq!(listed.pattern.unwrap_err().to_string(), said);
    }
}

#[test]
fn what_another_process_is_writing_stays() {
    let scratch = Scratch::new();
    let being_written = create_locked(scratch.dir(), "3x4-b0-t1.2.".as_ref(), true).unwrap();
    let theirs = scratch.dir().join("notes.1.unfinished");
    let abandoned = scratch.dir().join("3x4-b0-t1.2.abc.unfinished");
    fs::write(&theirs, b"").unwrap();
    fs::write(&abandoned, b"half").unwrap();
    assert_eq!(scratch.store().remove_unfinished(), 1);
    assert!(being_written.path().exists() && theirs.exists() && !abandoned.exists());
    drop(being_written);
    assert_eq!(files(scratch.dir()), [theirs], "an unfinished file goes with its writer");
}

#[cfg(unix)]
#[test]
fn a_pipe_named_like_a_table_keeps_nobody_waiting() {
    let scratch = Scratch::new();
    let path = scratch.build().remove(0);
    fs::remove_file(&path).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
    let (done, ended) = channel();
    let store = scratch.store();
    thread::spawn(move || {
        let listed = store.list().unwrap();
        let damage = store.verify(&listed[0]);
        let (made, built) = make(&store);
        done.send((listed.len(), damage, made.unwritten.is_none(), built, store.remove(&listed[0]))).unwrap();
    });
    let (listed, damage, written, built, removed) =
        ended.recv_timeout(Duration::from_mins(1)).expect("nobody waits for the pipe's other end");
    assert!(matches!(damage, Err(Damage::Unreadable(_))), "{damage:?}");
    assert_eq!((listed, written, built), (2, true, 1));
    assert!(matches!(removed, Err(StoreError::Foreign(_))), "{removed:?}");
}

#[test]
fn a_folder_that_cannot_be_read_is_reported() {
    let scratch = Scratch::new();
    let file = scratch.dir().join("file");
    fs::write(&file, b"").unwrap();
    assert!(matches!(Store::at(&file).list(), Err(StoreError::Io { what: "read", .. })));
    assert!(Store::at(scratch.dir().join("nothing")).list().unwrap().is_empty());
}

#[test]
fn what_nobody_asked_for_makes_room_for_what_is_needed_now() {
    let scratch = Scratch::new();
    let other = Key { blank: 1, ..key() };
    let (unbounded, free) = (scratch.store(), Control::unlimited());
    unbounded.make(key(), 2, &free).unwrap();
    let both = unbounded.readable(key()).unwrap() * 3 / 2;
    // As if it had been used an hour ago.
    for path in scratch.files() {
        let hour = SystemTime::now() - Duration::from_hours(1);
        File::options().append(true).open(path).unwrap().set_modified(hour).unwrap();
    }
    let bounded = scratch.store().within(Bounds { memory: u64::MAX, unasked: both });
    bounded.make(other, 2, &free).unwrap();
    assert!(bounded.readable(other).is_some() && bounded.readable(key()).is_none());
    let held: u64 = scratch.files().iter().map(|path| fs::metadata(path).unwrap().len()).sum();
    assert!(held <= both, "{held} of {both}");
    // A table that a user asked for stays, whatever is needed after it.
    let tiny = scratch.store().within(Bounds { memory: u64::MAX, unasked: 100 });
    build(&tiny, other);
    assert!(make(&tiny).0.unwritten.is_none());
    assert!(tiny.readable(key()).is_none() && tiny.readable(other).is_some());
}

#[test]
fn what_is_in_hand_is_bounded_and_what_was_used_last_stays() {
    let keys = [0, 1, 5].map(|blank| Key { blank, ..key() });
    let (plenty, free) = (Store::in_memory(), Control::unlimited());
    let sets = keys.map(|key| plenty.make(key, 2, &free).unwrap());
    let most = sets[0].bytes() + sets[1].bytes().max(sets[2].bytes());
    let store = plenty.within(Bounds { memory: most, ..Bounds::default() });
    let made = store.make(keys[0], 2, &free).unwrap();
    store.make(keys[1], 2, &free).unwrap();
    assert!(store.in_hand(keys[0]).is_some(), "and is now the one used last");
    store.make(keys[2], 2, &free).unwrap();
    assert_eq!(keys.map(|key| store.in_hand(key).is_some()), [true, false, true]);
    assert_eq!(entries(&made), entries(&sets[0]));
}

#[test]
fn who_waits_for_anothers_build_can_give_up() {
    let scratch = Scratch::new();
    let store = scratch.store();
    let (began, has_begun) = channel();
    thread::scope(|scope| {
        let (give_up, has_given_up) = channel::<()>();
        let mut watch = move |_: Building| {
            let _ = began.send(());
            let _ = has_given_up.recv();
        };
        let store = &store;
        let builder = scope.spawn(move || needed(store, key(), &Control::unlimited(), &mut watch).is_ok());
        has_begun.recv().unwrap();
        let brief = Control::new(Limits::none().time(Duration::from_millis(50)));
        let waited = needed(store, key(), &brief, &mut |_| ());
        assert!(matches!(waited, Err(StoreError::BrokenOff(Stop::Time))));
        drop(give_up);
        assert!(builder.join().unwrap());
    });
    assert!(store.in_hand(key()).is_some());
}

#[test]
fn files_of_another_version_are_not_there_and_are_replaced() {
    let scratch = Scratch::new();
    make(&scratch.store());
    for file in scratch.files() {
        let mut bytes = fs::read(&file).unwrap();
        bytes[8] ^= 1; // The version stands behind eight bytes that name the format.
        // As if they had been built before the version changed.
        fs::write(scratch.dir().join(file.file_name().unwrap()), bytes).unwrap();
        fs::remove_file(file).unwrap();
    }
    assert_eq!(scratch.store().readable(key()), None);
    assert!(make(&scratch.store()).1 > 0, "they are built again, unasked");
    let built = scratch.build();
    assert!(scratch.files().is_empty(), "those in the folder are the new ones");
    assert!(built.iter().all(|file| file::pattern_of(file).is_ok()));
}

//! What becomes of work on a GPU that works, is lost in the middle, or finds what does not hold: on an emulated one.

use std::{collections::BTreeMap, fs, path::Path, sync::Mutex, time::Duration};

use pintu_gpu::{Gpu, Mishap, Station, emulator, faulty_emulator};
use pintu_search::{Control, Limits, Stop};
use pintu_solver::{
    BestKnown, KeptTables, Options, SolveOptions, Supply, deepen,
    tables::{Extent, Key, Pattern, SharedRows, normal_form_of},
};
use pintu_tiles::{Puzzle, Scrambler, Size, Topology, goal_with_blank};

use super::{Allowed, Device, DeviceError, Rig, SolveError};
use crate::{
    Algorithm, Request,
    tables::{Kept, Store, StoreError},
};

/// Enough for the tables of small boards.
const MEMORY: u64 = 64 << 20;

/// A rig with this GPU, which is asked at once.
fn rig(gpu: Gpu) -> Rig<'static> {
    let station: &'static Mutex<Station> = Box::leak(Box::new(Mutex::new(Station::new(gpu))));
    let open = Box::leak(Box::new(move || Ok(station)));
    Rig { may_have_gpu: &|| true, open, first_nodes: 1, least_cells: 0, least_build: Duration::ZERO }
}

fn wrapped(rows: usize, cols: usize, wraps: (&[usize], &[usize])) -> Topology {
    let size = Size::new(rows, cols).unwrap();
    Topology::wrapped(size, wraps.0.iter().copied(), wraps.1.iter().copied()).unwrap()
}

/// Random boards whose goal has its blank in a cell.
fn puzzles(topology: Topology, blank: usize, count: usize) -> Vec<Puzzle> {
    let goal = goal_with_blank(topology.size(), blank);
    let mut scrambler = Scrambler::new(topology, goal.clone(), blank as u64);
    (0..count).map(|_| Puzzle::new(topology, scrambler.uniform(), goal.clone()).unwrap()).collect()
}

/// The fewest moves, as the processor finds them.
fn fewest(puzzle: &Puzzle) -> u32 {
    let key = Key::of(puzzle, Extent::Small);
    let tables = KeptTables::new().make(key, 1, &Control::unlimited()).continue_value().unwrap();
    let options = Options { threads: 1, known: None };
    deepen(puzzle, &tables, &Control::unlimited(), &options).lower_bound
}

/// Solves a puzzle on a rig; says with how many moves, proved to be the fewest, and what did.
fn solve(rig: &Rig<'_>, device: Device, puzzle: &Puzzle) -> Result<(u32, Device), SolveError> {
    let options = SolveOptions { threads: 1, known: BestKnown::default(), on_better: &mut |_, _| {} };
    let control = Control::unlimited();
    let allowed = Allowed { gpu: &control, cpu: &control };
    let (solved, device) = rig.solve(device, puzzle, &KeptTables::new(), allowed, options)?;
    assert!(solved.known.is_proved(), "nothing limits it");
    assert!(puzzle.is_solved_by(solved.known.moves().unwrap()));
    Ok((solved.known.bound(), device))
}

#[test]
fn a_gpu_answers_for_any_blank_and_wrap_as_the_processor_does() {
    let boards: [(Topology, &[usize]); 3] = [
        (wrapped(2, 5, (&[], &[])), &[1, 7]),
        (wrapped(2, 5, (&[1], &[])), &[3]),
        (wrapped(5, 2, (&[], &[0, 1])), &[4]),
    ];
    for (topology, blanks) in boards {
        for &blank in blanks {
            let rig = rig(emulator(MEMORY));
            for puzzle in puzzles(topology, blank, 2) {
                let expected = fewest(&puzzle);
                assert_eq!(solve(&rig, Device::Gpu, &puzzle).unwrap(), (expected, Device::Gpu), "{puzzle:?}");
                assert_eq!(solve(&rig, Device::Auto, &puzzle).unwrap().0, expected, "{puzzle:?}");
            }
        }
    }
}

#[test]
fn whenever_a_gpu_is_lost_the_processor_answers_or_a_line_says_so() {
    let puzzle = &puzzles(wrapped(2, 5, (&[], &[])), 0, 1)[0];
    let expected = fewest(puzzle);
    let mut failures = 0;
    // How many kernels there are depends on how long each may take.
    for after in [0, 1, 2, 4, 8, 16, 24, 32, 48, 1000] {
        let lost = || rig(faulty_emulator(MEMORY, after, Mishap::Lost));
        let auto = lost();
        let (length, device) = solve(&auto, Device::Auto, puzzle).unwrap();
        assert_eq!(length, expected, "lost after {after} kernels");
        match solve(&lost(), Device::Gpu, puzzle) {
            Ok(solved) => assert_eq!(solved, (expected, Device::Gpu), "lost after {after} kernels"),
            Err(SolveError::Device(error @ DeviceError::Failed { .. })) => {
                failures += 1;
                assert_eq!(error.to_string(), "the GPU failed: device lost");
            }
            Err(other) => panic!("{other:?}"),
        }
        if device == Device::Cpu {
            // It is not asked again.
            assert!(!auto.has_gpu());
            assert_eq!(solve(&auto, Device::Auto, puzzle).unwrap(), (expected, Device::Cpu));
        }
    }
    assert!(failures > 3, "it is lost early and late");
}

/// The processor gives up on a board after a while where nobody has said how long it may take; a GPU does not.
#[test]
fn a_gpu_has_more_patience_than_the_processor() {
    let puzzle = &puzzles(wrapped(2, 5, (&[], &[])), 0, 1)[0];
    let (gpu, expected) = (Control::unlimited(), fewest(puzzle));
    let cpu = gpu.part(Limits { nodes: Some(1), ..Limits::default() });
    let options = SolveOptions { threads: 1, known: BestKnown::default(), on_better: &mut |_, _| {} };
    let allowed = Allowed { gpu: &gpu, cpu: &cpu };
    let rig = rig(emulator(MEMORY));
    let (solved, device) = rig.solve(Device::Gpu, puzzle, &KeptTables::new(), allowed, options).unwrap();
    assert_eq!((solved.known.length(), solved.known.bound(), device), (Some(expected), expected, Device::Gpu));
}

/// Who finds the GPU at work for another does not wait beyond its own limits, or does without.
#[test]
fn a_gpu_that_is_busy_holds_nobody_up() {
    let station: &'static Mutex<Station> = Box::leak(Box::new(Mutex::new(Station::new(emulator(MEMORY)))));
    let open = || Ok(station);
    let rig = Rig { may_have_gpu: &|| true, open: &open, first_nodes: 1, least_cells: 0, least_build: Duration::ZERO };
    let puzzle = &puzzles(wrapped(2, 5, (&[], &[])), 0, 1)[0];
    let busy = station.lock().unwrap();
    assert_eq!(solve(&rig, Device::Auto, puzzle).unwrap(), (fewest(puzzle), Device::Cpu));
    let control = Control::new(Limits { time: Some(Duration::from_millis(30)), ..Limits::default() });
    let allowed = Allowed { gpu: &control, cpu: &control };
    let options = SolveOptions { threads: 1, known: BestKnown::default(), on_better: &mut |_, _| {} };
    let (waited, _) = rig.solve(Device::Gpu, puzzle, &KeptTables::new(), allowed, options).unwrap();
    assert_eq!((waited.stopped, waited.known.length()), (Some(Stop::Time), None));
    drop(busy);
    assert_eq!(solve(&rig, Device::Gpu, puzzle).unwrap(), (fewest(puzzle), Device::Gpu));
}

#[test]
fn boards_that_are_solved_together_count_for_themselves() {
    let topology = wrapped(2, 5, (&[], &[]));
    let request = |puzzle: Puzzle| Request { device: Device::Gpu, ..Request::new(puzzle, Algorithm::Auto) };
    let requests: Vec<Request> = puzzles(topology, 2, 20).into_iter().map(request).collect();
    let control = Control::unlimited();
    let rig = Rig { least_cells: 17, ..rig(emulator(MEMORY)) };
    let answers: Vec<_> = rig.solve_together(requests.iter(), &control).into_iter().map(Option::unwrap).collect();
    for (request, answer) in requests.iter().zip(&answers) {
        let length = answer.moves().unwrap().len();
        assert!(answer.is_optimal() && length == fewest(&request.puzzle) as usize);
        assert!(answer.counters.generated > answer.counters.expanded, "{:?}", answer.counters);
        assert!(answer.counters.expanded as usize > length, "every state of the path is taken up");
    }
    let sum = |count: fn(&pintu_search::Counters) -> u64| -> u64 {
        answers.iter().map(|answer| count(&answer.counters)).sum()
    };
    assert_eq!(sum(|counters| counters.expanded), control.counters().expanded);
    assert_eq!(sum(|counters| counters.generated), control.counters().generated);
}

#[test]
fn a_gpu_that_fails_a_lot_answers_for_none_of_it() {
    let request = |puzzle: Puzzle| Request { device: Device::Gpu, ..Request::new(puzzle, Algorithm::Auto) };
    let requests: Vec<Request> = puzzles(wrapped(2, 5, (&[], &[])), 2, 4).into_iter().map(request).collect();
    // It is lost, or the moves that it writes down are not those that it has found.
    for (after, mishap) in [(3, Mishap::Lost), (0, Mishap::Garbled)] {
        let rig = Rig { least_cells: 17, ..rig(faulty_emulator(MEMORY, after, mishap)) };
        let answers = rig.solve_together(requests.iter(), &Control::unlimited());
        assert!(answers.len() == 4 && answers.iter().all(Option::is_none), "{mishap:?}");
    }
}

/// The tables of a board, built on a rig into a folder.
fn build(dir: &Path, rig: Rig<'static>, device: Device, key: Key) -> Result<Kept, StoreError> {
    Store::with_rig(dir, Box::leak(Box::new(rig))).build(key, device, 1, &Control::unlimited(), &mut |_| ())
}

fn files(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = fs::read_dir(dir).into_iter().flatten().map(|entry| entry.unwrap().path());
    let files = files.filter(|path| path.is_file());
    files.map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), fs::read(&path).unwrap())).collect()
}

fn key(topology: Topology, blank: usize) -> Key {
    let (topology, blank) = normal_form_of(topology, blank);
    Key { topology, blank, extent: Extent::Small }
}

#[test]
fn files_of_tables_that_a_gpu_builds_are_the_processors() {
    for key in [
        key(wrapped(2, 5, (&[], &[])), 3),
        key(wrapped(2, 5, (&[0], &[])), 0),
        key(wrapped(3, 4, (&[], &[])), 5),
        key(wrapped(3, 4, (&[1], &[0])), 2),
    ] {
        let (here, there) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let kept = build(here.path(), rig(emulator(MEMORY)), Device::Gpu, key).unwrap();
        assert_eq!((kept.built_on, kept.unwritten.is_none()), (Some(Device::Gpu), true));
        let plain = build(there.path(), rig(emulator(MEMORY)), Device::Cpu, key).unwrap();
        assert_eq!(plain.built_on, Some(Device::Cpu));
        assert!(files(here.path()) == files(there.path()) && !files(here.path()).is_empty(), "{key}");
        let store = Store::at(here.path());
        assert!(store.list().unwrap().iter().all(|listed| store.verify(listed).is_ok()));
        let again = build(here.path(), rig(emulator(MEMORY)), Device::Gpu, key).unwrap();
        assert_eq!(again.built_on, None, "they are there");
    }
}

#[test]
fn a_gpu_that_is_lost_while_it_builds_leaves_the_processors_tables_or_a_line() {
    let key = key(wrapped(2, 5, (&[], &[])), 0);
    let expected = tempfile::tempdir().unwrap();
    build(expected.path(), Rig::OWN, Device::Cpu, key).unwrap();
    for after in [0, 1, 5, 20] {
        let lost = || rig(faulty_emulator(MEMORY, after, Mishap::Lost));
        let dir = tempfile::tempdir().unwrap();
        let refused = build(dir.path(), lost(), Device::Gpu, key).err().expect("it is lost in the middle");
        assert_eq!(refused.to_string(), "the GPU failed: device lost");
        assert!(files(dir.path()).is_empty(), "nothing is left of it");
        let kept = build(dir.path(), lost(), Device::Auto, key).unwrap();
        assert_eq!(kept.built_on, Some(Device::Cpu));
        assert!(files(dir.path()) == files(expected.path()));
    }
}

#[test]
fn a_gpu_that_cannot_build_a_table_says_why() {
    let refused = |gpu: Gpu, key: Key| {
        let dir = tempfile::tempdir().unwrap();
        build(dir.path(), rig(gpu), Device::Gpu, key).err().map(|error| error.to_string()).unwrap_or_default()
    };
    let tiny = key(wrapped(3, 3, (&[], &[])), 0);
    assert!(refused(emulator(MEMORY), tiny).starts_with("found a board of 3x3, expected 10 to 25 cells"));
    let small = key(wrapped(3, 4, (&[], &[])), 0);
    assert!(refused(emulator(1 << 20), small).contains("bytes free on the GPU, expected"));
}

#[test]
fn only_tables_that_take_long_are_worth_a_gpu() {
    let dir = tempfile::tempdir().unwrap();
    let patient = Rig { least_build: Duration::from_mins(1), ..rig(emulator(MEMORY)) };
    let kept = build(dir.path(), patient, Device::Auto, key(wrapped(2, 5, (&[], &[])), 0)).unwrap();
    assert_eq!(kept.built_on, Some(Device::Cpu));
    let dir = tempfile::tempdir().unwrap();
    let kept = build(dir.path(), rig(emulator(MEMORY)), Device::Auto, key(wrapped(2, 5, (&[], &[])), 0)).unwrap();
    assert_eq!(kept.built_on, Some(Device::Gpu));
}

#[test]
fn rows_that_no_plan_has_are_not_built_on_a_gpu() {
    let long = wrapped(2, 12, (&[], &[]));
    let pattern = Pattern::new(long, 0, &[1, 2, 3, 12, 13, 14]).unwrap();
    let built = rig(emulator(MEMORY)).build(
        Device::Gpu,
        &pattern,
        &SharedRows::new(),
        1,
        &Control::new(Limits::default()),
        &mut |_| (),
    );
    assert!(matches!(built, Err(DeviceError::Board { .. })));
}

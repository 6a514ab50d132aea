//! Work on an emulated GPU that works, is lost in the middle, or reports wrong results.

use std::{collections::BTreeMap, fs, path::Path, sync::Mutex, time::Duration};

use pintu_gpu::{Fault, Gpu, GpuSolver, emulator, faulty_emulator};
use pintu_search::{Control, Limits, Stop};
use pintu_solver::{
    SolveOptions, Solved, TableCache, Tables,
    internals::{Options, Pattern, SharedRows, deepen, normal_form_of},
    store::{Extent, Key},
};
use pintu_tiles::{Puzzle, Scrambler, Size, Topology, goal_with_blank};

use super::{Allowed, Device, DeviceError, Devices, SolveError};
use crate::{
    Algorithm, Request,
    tables::{Bounds, BuiltTables, Store, StoreError},
};

/// Enough for the tables of small boards.
const MEMORY: u64 = 64 << 20;

/// Devices with this GPU, which is asked at once.
fn devices(gpu: Gpu) -> Devices<'static> {
    let station: &'static Mutex<GpuSolver> = Box::leak(Box::new(Mutex::new(GpuSolver::new(gpu))));
    let open = Box::leak(Box::new(move || Ok(station)));
    Devices { may_have_gpu: &|| true, open, first_nodes: 1, least_cells: 0, least_build: Duration::ZERO }
}

/// The board of two rows that an emulated GPU solves soonest.
fn plain() -> Topology {
    wrapped(2, 5, (&[], &[]))
}

fn wrapped(rows: usize, cols: usize, wraps: (&[usize], &[usize])) -> Topology {
    let size = Size::new(rows, cols).unwrap();
    Topology::wrapped(size, wraps.0.iter().copied(), wraps.1.iter().copied()).unwrap()
}

/// Random boards whose goal has its blank in a cell.
fn puzzles(topology: Topology, blank: usize, count: usize) -> Vec<Puzzle> {
    let goal = goal_with_blank(topology.size(), blank).unwrap();
    let mut scrambler = Scrambler::new(topology, goal.clone(), blank as u64);
    (0..count).map(|_| Puzzle::new(topology, scrambler.uniform(), goal.clone()).unwrap()).collect()
}

fn fewest(puzzle: &Puzzle) -> u32 {
    let key = Key::of(puzzle, Extent::Small);
    let tables = Tables::build(key, 1, &Control::unlimited()).unwrap();
    let options = Options { threads: 1, known: None };
    deepen(puzzle, &tables, &Control::unlimited(), &options).known.bound()
}

/// Solves a puzzle on some devices, under the given controls.
fn solve_within(
    devices: &Devices<'_>,
    device: Device,
    puzzle: &Puzzle,
    [gpu, cpu]: [&Control; 2],
) -> Result<(Solved, Device), SolveError> {
    let tables = TableCache::new();
    devices.solve(device, puzzle, Allowed { gpu, cpu }, SolveOptions::new().tables(&tables))
}

/// Solves a puzzle on some devices; returns the proved number of moves, and the device.
fn solve(devices: &Devices<'_>, device: Device, puzzle: &Puzzle) -> Result<(u32, Device), SolveError> {
    let (solved, device) = solve_within(devices, device, puzzle, [&Control::unlimited(); 2])?;
    assert!(solved.known.is_proved(), "nothing limits it");
    assert!(puzzle.is_solved_by(solved.known.moves().unwrap()));
    Ok((solved.known.bound(), device))
}

#[test]
fn a_gpu_answers_for_any_blank_and_wrap_as_the_processor_does() {
    let boards: [(Topology, &[usize]); 3] =
        [(plain(), &[1, 7]), (wrapped(2, 5, (&[1], &[])), &[3]), (wrapped(5, 2, (&[], &[0, 1])), &[4])];
    for (topology, blanks) in boards {
        for &blank in blanks {
            let devices = devices(emulator(MEMORY));
            for puzzle in puzzles(topology, blank, 1) {
                let expected = fewest(&puzzle);
                assert_eq!(solve(&devices, Device::Gpu, &puzzle).unwrap(), (expected, Device::Gpu), "{puzzle:?}");
                assert_eq!(solve(&devices, Device::Auto, &puzzle).unwrap().0, expected, "{puzzle:?}");
            }
        }
    }
}

#[test]
fn whenever_a_gpu_is_lost_the_processor_answers_or_a_line_says_so() {
    let puzzle = &puzzles(plain(), 0, 1)[0];
    let expected = fewest(puzzle);
    let mut failures = 0;
    // The number of kernels depends on how long each may take.
    for after in [0, 1, 4, 8, 16, 32, 1000] {
        let lost = || devices(faulty_emulator(MEMORY, after, Fault::Lost));
        let auto = lost();
        let (length, device) = solve(&auto, Device::Auto, puzzle).unwrap();
        assert_eq!(length, expected, "lost after {after} kernels");
        match solve(&lost(), Device::Gpu, puzzle) {
            Ok(solved) => assert_eq!(solved, (expected, Device::Gpu), "lost after {after} kernels"),
            Err(SolveError::Device(error @ DeviceError::Failed(_))) => {
                failures += 1;
                assert_eq!(error.to_string(), "the GPU failed: device lost");
            }
            Err(other) => panic!("{other:?}"),
        }
        if device == Device::Cpu {
            // It is not used again.
            assert!(!auto.has_gpu());
            assert_eq!(solve(&auto, Device::Auto, puzzle).unwrap(), (expected, Device::Cpu));
        }
    }
    assert!(failures > 3, "it is lost early and late");
}

/// Without a limit from the user, the processor ends at a default number of nodes; a GPU does not.
#[test]
fn the_default_node_limit_does_not_bind_a_gpu() {
    let puzzle = &puzzles(plain(), 0, 1)[0];
    let (gpu, expected) = (Control::unlimited(), fewest(puzzle));
    let cpu = gpu.part(Limits::none().nodes(1));
    let (solved, device) = solve_within(&devices(emulator(MEMORY)), Device::Gpu, puzzle, [&gpu, &cpu]).unwrap();
    assert_eq!((solved.known.length(), solved.known.bound(), device), (Some(expected), expected, Device::Gpu));
}

/// A request that finds the GPU busy waits within its own limits, or does without.
#[test]
fn a_gpu_that_is_busy_holds_nobody_up() {
    let devices = devices(emulator(MEMORY));
    let puzzle = &puzzles(plain(), 0, 1)[0];
    let busy = (devices.open)().unwrap().lock().unwrap();
    assert_eq!(solve(&devices, Device::Auto, puzzle).unwrap(), (fewest(puzzle), Device::Cpu));
    let control = Control::new(Limits::none().time(Duration::from_millis(30)));
    let (waited, _) = solve_within(&devices, Device::Gpu, puzzle, [&control; 2]).unwrap();
    assert_eq!((waited.stopped, waited.known.length()), (Some(Stop::Time), None));
    drop(busy);
    assert_eq!(solve(&devices, Device::Gpu, puzzle).unwrap(), (fewest(puzzle), Device::Gpu));
}

fn requests(count: usize) -> Vec<Request> {
    let request = |puzzle: Puzzle| Request { device: Device::Gpu, ..Request::new(puzzle, Algorithm::Auto) };
    puzzles(plain(), 2, count).into_iter().map(request).collect()
}

#[test]
fn boards_that_are_solved_together_count_for_themselves() {
    let requests = requests(20);
    let control = Control::unlimited();
    let devices = Devices { least_cells: 17, ..devices(emulator(MEMORY)) };
    let answers: Vec<_> = devices.solve_together(requests.iter(), &control).into_iter().map(Option::unwrap).collect();
    for (request, answer) in requests.iter().zip(&answers) {
        let length = answer.moves().unwrap().len();
        assert!(answer.is_optimal() && length == fewest(&request.puzzle) as usize);
        assert!(answer.counters.generated > answer.counters.expanded, "{:?}", answer.counters);
        assert!(answer.counters.expanded as usize > length, "every state of the path is expanded");
    }
    let sum = |count: fn(&pintu_search::Counters) -> u64| -> u64 {
        answers.iter().map(|answer| count(&answer.counters)).sum()
    };
    assert_eq!(sum(|counters| counters.expanded), control.counters().expanded);
    assert_eq!(sum(|counters| counters.generated), control.counters().generated);
}

#[test]
fn a_gpu_that_fails_a_lot_answers_for_none_of_it() {
    let requests = requests(4);
    // The GPU is lost, or reports other moves than it has found.
    for (after, mishap) in [(3, Fault::Lost), (0, Fault::Garbled)] {
        let devices = Devices { least_cells: 17, ..devices(faulty_emulator(MEMORY, after, mishap)) };
        let answers = devices.solve_together(requests.iter(), &Control::unlimited());
        assert!(answers.len() == 4 && answers.iter().all(Option::is_none), "{mishap:?}");
    }
}

/// The tables of a board, built on a devices into a folder.
fn build(dir: &Path, devices: Devices<'static>, device: Device, key: Key) -> Result<BuiltTables, StoreError> {
    let store = Store::with(Some(dir.to_owned()), Bounds::default(), Box::leak(Box::new(devices)));
    store.build(key, device, 1, &Control::unlimited(), &mut |_| ())
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
        key(plain(), 3),
        key(wrapped(2, 5, (&[0], &[])), 0),
        key(wrapped(3, 4, (&[], &[])), 5),
        key(wrapped(3, 4, (&[1], &[0])), 2),
    ] {
        let (here, there) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let kept = build(here.path(), devices(emulator(MEMORY)), Device::Gpu, key).unwrap();
        assert_eq!((kept.built_on, kept.unwritten.is_none()), (Some(Device::Gpu), true));
        let plain = build(there.path(), devices(emulator(MEMORY)), Device::Cpu, key).unwrap();
        assert_eq!(plain.built_on, Some(Device::Cpu));
        assert!(files(here.path()) == files(there.path()) && !files(here.path()).is_empty(), "{key}");
        let store = Store::at(here.path());
        assert!(store.list().unwrap().iter().all(|listed| store.verify(listed).is_ok()));
        let again = build(here.path(), devices(emulator(MEMORY)), Device::Gpu, key).unwrap();
        assert_eq!(again.built_on, None, "they are there");
    }
}

#[test]
fn a_gpu_that_is_lost_while_it_builds_leaves_the_processors_tables_or_a_line() {
    let key = key(plain(), 0);
    let expected = tempfile::tempdir().unwrap();
    build(expected.path(), Devices::OWN, Device::Cpu, key).unwrap();
    for after in [0, 1, 5, 20] {
        let lost = || devices(faulty_emulator(MEMORY, after, Fault::Lost));
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
        build(dir.path(), devices(gpu), Device::Gpu, key).err().map(|error| error.to_string()).unwrap_or_default()
    };
    let tiny = key(wrapped(3, 3, (&[], &[])), 0);
    assert!(refused(emulator(MEMORY), tiny).starts_with("found a board of 3x3, expected 10 to 25 cells"));
    let small = key(wrapped(3, 4, (&[], &[])), 0);
    assert!(refused(emulator(1 << 20), small).contains("bytes free on the GPU, expected"));
}

#[test]
fn only_tables_that_take_long_are_worth_a_gpu() {
    for (least_build, expected) in [(Duration::from_mins(1), Device::Cpu), (Duration::ZERO, Device::Gpu)] {
        let dir = tempfile::tempdir().unwrap();
        let devices = Devices { least_build, ..devices(emulator(MEMORY)) };
        assert_eq!(build(dir.path(), devices, Device::Auto, key(plain(), 0)).unwrap().built_on, Some(expected));
    }
}

#[test]
fn rows_that_no_plan_has_are_not_built_on_a_gpu() {
    let long = wrapped(2, 12, (&[], &[]));
    let pattern = Pattern::new(long, 0, &[1, 2, 3, 12, 13, 14]).unwrap();
    let (rows, control) = (SharedRows::new(), Control::unlimited());
    let built = devices(emulator(MEMORY)).build(Device::Gpu, &pattern, &rows, 1, &control, &mut |_| ());
    assert!(matches!(built, Err(DeviceError::Board { .. })));
}

/// A board of 36 cells, scrambled by `moves` moves.
fn large(moves: usize) -> Puzzle {
    let topology = wrapped(6, 6, (&[], &[]));
    let goal = goal_with_blank(topology.size(), 35).unwrap();
    Puzzle::new(topology, Scrambler::new(topology, goal.clone(), 1).walk(moves), goal).unwrap()
}

#[test]
fn a_gpu_solves_and_proves_a_large_board() {
    let puzzle = large(36);
    let expected = fewest(&puzzle);
    let devices = devices(emulator(MEMORY));
    assert_eq!(solve(&devices, Device::Gpu, &puzzle).unwrap(), (expected, Device::Gpu));
    // Node limits do not bind a GPU's beams, so the processor answers.
    let control = Control::new(Limits::none().nodes(1000));
    let (solved, device) = solve_within(&devices, Device::Gpu, &puzzle, [&control; 2]).unwrap();
    assert_eq!(device, Device::Cpu);
    assert!(control.counters().expanded <= 1000 && puzzle.is_solved_by(solved.known.moves().unwrap()));
}

#[test]
fn a_gpu_that_is_lost_on_a_large_board_leaves_what_was_known() {
    let puzzle = large(80);
    // The GPU is lost while tables are built, in a beam, or in a round; or it reports a wrong result.
    for (after, fault) in [(2, Fault::Lost), (400, Fault::Lost), (700, Fault::Lost), (0, Fault::Garbled)] {
        let control = Control::new(Limits::none().time(Duration::from_secs(4)));
        let lost = devices(faulty_emulator(MEMORY, after, fault));
        let (solved, _) = solve_within(&lost, Device::Auto, &puzzle, [&control; 2]).unwrap();
        let moves = solved.known.moves().expect("the processor has one at once");
        assert!(puzzle.is_solved_by(moves) && solved.known.bound() as usize <= moves.len());
    }
}

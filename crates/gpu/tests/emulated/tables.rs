use std::{
    ops::ControlFlow,
    time::{Duration, Instant},
};

use pintu_gpu::{DeviceError, DeviceTables, Tiling, Workshop, emulator};
use pintu_search::{Cancel, Control, Limits, Stop};
use pintu_solver::tables::{Pattern, normal_form_of};

use crate::boards::{build, gpu, in_reading_order, wrapped};

/// Tables that the device builds are those of the solver, to the bit.
#[test]
fn built_tables_are_the_solvers() {
    for (topology, blank) in [
        (wrapped(3, 4, (&[], &[])), 0),
        (wrapped(3, 4, (&[], &[])), 5),
        (wrapped(3, 4, (&[1], &[0])), 2),
        (wrapped(2, 6, (&[0], &[])), 3),
        (wrapped(3, 5, (&[], &[])), 7),
        (wrapped(4, 4, (&[], &[])), 0),
    ] {
        let (topology, blank) = normal_form_of(topology, blank);
        let made = DeviceTables::build_of(&gpu(), in_reading_order(topology, blank, 5), &Control::unlimited()).unwrap();
        let ControlFlow::Continue(made) = made else { panic!("nothing ends it") };
        for pattern in made.patterns() {
            check(&made, pattern);
        }
    }
}

fn check(made: &DeviceTables, pattern: &Pattern) {
    let table = build_one(pattern);
    let entries = made.entries(pattern).unwrap().expect("it has been built");
    assert_eq!(entries.len(), table.len(), "{pattern:?}");
    let wrong = entries.iter().zip(&table).filter(|(a, b)| a != b).count();
    assert_eq!(wrong, 0, "{pattern:?}");
}

fn build_one(pattern: &Pattern) -> Vec<u8> {
    use pintu_solver::tables::{SharedRows, Table};
    let table = Table::build(pattern, &SharedRows::new(), 2, &Control::unlimited(), &mut |_| ());
    table.continue_value().unwrap().entries().to_vec()
}

#[test]
fn a_build_can_be_ended() {
    let (topology, blank) = normal_form_of(wrapped(3, 4, (&[], &[])), 0);
    let cancel = Cancel::new();
    cancel.cancel();
    let control = Control::with_cancel(Limits::default(), cancel);
    let ended = DeviceTables::build(&gpu(), topology, blank, &Tiling::LARGE, &control).unwrap();
    assert!(matches!(ended, ControlFlow::Break(Stop::Cancelled)));
}

/// The larger a table, the longer a level of its build: it is done in pieces.
#[test]
fn a_build_is_ended_in_the_middle_of_a_level() {
    let (topology, blank) = normal_form_of(wrapped(4, 4, (&[], &[])), 0);
    let tiles: Vec<u8> = (9..16).collect();
    let pattern = Pattern::new(topology, blank, &tiles).unwrap();
    let cancel = Cancel::new();
    let control = Control::with_cancel(Limits::default(), cancel.clone());
    let (tell, told) = std::sync::mpsc::channel();
    let mut workshop = Workshop::new(&gpu(), topology).unwrap();
    let mut levels = vec![Instant::now()];
    let (ended, late) = std::thread::scope(|scope| {
        let asked = scope.spawn(move || {
            let level: Duration = told.recv().expect("levels are reported");
            std::thread::sleep(level / 4);
            cancel.cancel();
            Instant::now()
        });
        let ended = workshop.entries(&pattern, &control, &mut |_| {
            levels.push(Instant::now());
            // By then a level takes long.
            if levels.len() == 10 {
                tell.send(levels[9] - levels[8]).unwrap();
            }
        });
        let now = Instant::now();
        (ended.unwrap(), now.saturating_duration_since(asked.join().unwrap()))
    });
    assert!(matches!(ended, ControlFlow::Break(Stop::Cancelled)));
    // On a machine that does other work, too, everything takes longer.
    let level = levels[9] - levels[8];
    assert!(late < Duration::from_millis(100).max(level / 2), "{late:?}, where a level takes {level:?}");
}

#[test]
fn too_little_memory_is_said() {
    let (topology, blank) = normal_form_of(wrapped(4, 4, (&[], &[])), 0);
    let built = DeviceTables::build(&emulator(64 << 20), topology, blank, &Tiling::LARGE, &Control::unlimited());
    let Err(error @ DeviceError::Memory { .. }) = built else { panic!("there is enough") };
    assert!(error.to_string().contains("bytes free on the GPU, expected"), "{error}");
}

#[test]
fn boards_that_do_not_suit_are_refused() {
    for (rows, cols) in [(3, 3), (5, 6)] {
        let topology = wrapped(rows, cols, (&[], &[]));
        let built = DeviceTables::build(&gpu(), topology, 0, &Tiling::LARGE, &Control::unlimited());
        assert!(matches!(built, Err(DeviceError::Board { .. })), "{topology}");
    }
    let tables = build(&[Pattern::new(wrapped(2, 3, (&[], &[])), 0, &[1, 2, 3, 4, 5]).unwrap()]);
    assert!(matches!(DeviceTables::bring(&gpu(), &tables), Err(DeviceError::Board { .. })));
}

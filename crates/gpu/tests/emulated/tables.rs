use std::time::{Duration, Instant};

use pintu_gpu::{DeviceError, DeviceTables, TableBuilder, Tiling, emulator};
use pintu_search::{Cancel, Control, Limits, Stop};
use pintu_solver::internals::{Pattern, SharedRows, Table, normal_form_of};

use crate::boards::{gpu, in_reading_order, wrapped};

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
        let mut builder = TableBuilder::new(&gpu(), topology).unwrap();
        for pattern in &in_reading_order(topology, blank, 5) {
            let entries = builder.entries(pattern, &Control::unlimited(), &mut |_| ()).unwrap();
            let table = Table::build(pattern, &SharedRows::new(), 2, &Control::unlimited(), &mut |_| ()).unwrap();
            assert!(entries == table.entries(), "{pattern:?}");
        }
    }
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
    let mut builder = TableBuilder::new(&gpu(), topology).unwrap();
    let mut levels = vec![Instant::now()];
    let (ended, late) = std::thread::scope(|scope| {
        let asked = scope.spawn(move || {
            let level: Duration = told.recv().expect("levels are reported");
            std::thread::sleep(level / 4);
            cancel.cancel();
            Instant::now()
        });
        let ended = builder.entries(&pattern, &control, &mut |_| {
            levels.push(Instant::now());
            // By then a level takes long.
            if levels.len() == 10 {
                tell.send(levels[9] - levels[8]).unwrap();
            }
        });
        let now = Instant::now();
        (ended, now.saturating_duration_since(asked.join().unwrap()))
    });
    assert!(matches!(ended, Err(DeviceError::Stopped(Stop::Cancelled))));
    // On a machine that does other work, too, everything takes longer.
    let level = levels[9] - levels[8];
    assert!(late < Duration::from_millis(100).max(level / 2), "{late:?}, where a level takes {level:?}");
}

#[test]
fn too_little_memory_is_said() {
    let (topology, blank) = normal_form_of(wrapped(4, 4, (&[], &[])), 0);
    let built = DeviceTables::build(&emulator(64 << 20), topology, blank, Tiling::LARGE, &Control::unlimited());
    let Err(error @ DeviceError::Memory { .. }) = built else { panic!("there is enough") };
    assert!(error.to_string().contains("bytes free on the GPU, expected"), "{error}");
}

#[test]
fn boards_that_do_not_suit_are_refused() {
    for (rows, cols) in [(3, 3), (5, 6)] {
        let topology = wrapped(rows, cols, (&[], &[]));
        let built = DeviceTables::build(&gpu(), topology, 0, Tiling::LARGE, &Control::unlimited());
        assert!(matches!(built, Err(DeviceError::Board { .. })), "{topology}");
    }
}

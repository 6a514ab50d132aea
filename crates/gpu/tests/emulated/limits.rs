use std::time::{Duration, Instant};

use pintu_gpu::{DeviceError, Event, Fault, faulty_emulator};
use pintu_search::{Cancel, Control, Limits, Stop};
use pintu_solver::{Solved, Tables, internals::Options};
use pintu_testing::{boards::korf100, takes_at_most};
use pintu_tiles::{NamedGoal, Puzzle, Size, Topology};

use crate::boards::{OPTIONS, gpu, searcher, small_tables, tables_in_reading_order};

/// A 15-puzzle of 59 moves, and tables for which it is hard.
fn hard() -> (Puzzle, Tables) {
    let puzzle = korf100().swap_remove(2).puzzle;
    let tables = tables_in_reading_order(puzzle.topology(), 0, 4);
    (puzzle, tables)
}

#[test]
fn a_limit_on_nodes_is_exact() {
    let (puzzle, tables) = hard();
    let mut searcher = searcher(&gpu(), &tables);
    for nodes in [0, 1, 1000, 50_000, 300_001] {
        let control = Control::new(Limits::none().nodes(nodes));
        let Solved { known, stopped, .. } = searcher.deepen(&puzzle, &tables, &control, &OPTIONS, &mut |_| ()).unwrap();
        assert_eq!((known.length(), stopped), (None, Some(Stop::Nodes)), "{nodes} nodes are too few");
        assert_eq!(control.counters().expanded, nodes);
        assert!(known.bound() <= 59);
    }
}

#[test]
fn time_and_cancellation_end_it_soon() {
    let (puzzle, tables) = hard();
    let mut searcher = searcher(&gpu(), &tables);
    takes_at_most(Duration::from_millis(300), || {
        let time = Some(Duration::from_millis(60));
        let control = Control::new(Limits::none().time(time));
        let found = searcher.deepen(&puzzle, &tables, &control, &OPTIONS, &mut |_| ()).unwrap();
        assert_eq!((found.known.length(), found.stopped), (None, Some(Stop::Time)));
        control.elapsed()
    });
    takes_at_most(Duration::from_millis(200), || {
        let cancel = Cancel::new();
        let control = Control::with_cancel(Limits::default(), cancel.clone());
        let (found, asked) = std::thread::scope(|scope| {
            let asked = scope.spawn(|| {
                while control.counters().expanded < 10_000 {
                    std::thread::yield_now();
                }
                cancel.cancel();
                Instant::now()
            });
            let found = searcher.deepen(&puzzle, &tables, &control, &OPTIONS, &mut |_| ()).unwrap();
            (found, asked.join().unwrap())
        });
        assert_eq!(found.stopped, Some(Stop::Cancelled));
        asked.elapsed()
    });
}

#[test]
fn what_is_known_is_not_looked_for_again() {
    let (puzzle, _) = hard();
    let tables = small_tables(&puzzle);
    let mut searcher = searcher(&gpu(), &tables);
    let known = Options { known: Some(59), ..OPTIONS };
    let found = searcher.deepen(&puzzle, &tables, &Control::unlimited(), &known, &mut |_| ()).unwrap();
    assert_eq!((found.known.length(), found.known.bound(), found.stopped), (None, 59, None));
}

#[test]
fn a_solved_board_needs_no_moves() {
    let size = Size::new(4, 4).unwrap();
    let goal = NamedGoal::Standard.on(size);
    let puzzle = Puzzle::new(Topology::plain(size), goal.clone(), goal).unwrap();
    let tables = small_tables(&puzzle);
    let mut searcher = searcher(&gpu(), &tables);
    let found = searcher.deepen(&puzzle, &tables, &Control::unlimited(), &OPTIONS, &mut |_| ()).unwrap();
    assert_eq!((found.known.length(), found.known.bound()), (Some(0), 0));
    let (many, _) = searcher.solve_many(&[puzzle], &Control::unlimited(), &mut |_, _| ()).unwrap();
    assert_eq!(many[0].known.length(), Some(0));
}

/// A lower bound that a device has proved holds when the device is lost, and the caller's `watch` has been told of it.
#[test]
fn a_bound_outlives_the_device_that_found_it() {
    let (puzzle, tables) = hard();
    let told = |kernels: u64| {
        let gpu = faulty_emulator(2 << 30, kernels, Fault::Lost);
        let mut bound = 0;
        let lost = searcher(&gpu, &tables).deepen(&puzzle, &tables, &Control::unlimited(), &OPTIONS, &mut |event| {
            if let Event::Bound(higher) = event {
                assert!(higher > bound || bound == 0, "it only rises");
                bound = higher;
            }
        });
        assert!(matches!(lost, Err(DeviceError::Failed(_))), "{lost:?}");
        bound
    };
    let bounds = [1, 10, 40].map(told);
    assert!(bounds.is_sorted() && bounds[2] > bounds[0] && bounds[2] <= 59, "{bounds:?}");
}

#[test]
fn without_a_driver_a_line_says_so() {
    let Err(error) = pintu_gpu::first_gpu() else { return };
    let said = error.to_string();
    assert!(said.starts_with("found ") && said.contains("expected") && !said.contains('\n'), "{said}");
}

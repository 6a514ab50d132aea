//! How soon a device stops, and what becomes of a search whose device is lost.

use std::{
    thread,
    time::{Duration, Instant},
};

use cudarc::{
    driver::{CudaContext, LaunchConfig},
    nvrtc::Ptx,
};
use pintu_gpu::{DeviceError, Failure, Gpu, GpuSolver, first_gpu};
use pintu_search::{Cancel, Control, Limits};
use pintu_solver::{SolveOptions, Solved, TableCache};
use pintu_testing::boards::korf24;
use pintu_tiles::Puzzle;

/// A board that takes seconds, and its length.
fn hard() -> (Puzzle, u32) {
    let board = korf24().swap_remove(49);
    let length = board.recorded() as u32;
    (board.puzzle, length)
}

pub(crate) fn faults(gpu: &Gpu) {
    println!();
    let mut station = GpuSolver::new(gpu.clone());
    // Compiling, building, searching: it ends soon whatever it is at.
    let mut slowest = Duration::ZERO;
    for wait in [50, 200, 400, 600, 800, 1000, 1200, 1500, 2000, 2500, 3000] {
        // What has been compiled before need not be again, except by a device that is opened anew.
        let mut fresh = GpuSolver::new(first_gpu().expect("it is there"));
        for station in [&mut station, &mut fresh] {
            let took = cancelled_after(station, Duration::from_millis(wait));
            println!("cancelled after {wait} ms: it ended {:.0} ms later", took.as_secs_f64() * 1e3);
            slowest = slowest.max(took);
        }
    }
    println!("it stops within {:.0} ms", slowest.as_secs_f64() * 1e3);
    lost(station);
}

fn solve(solver: &mut GpuSolver, puzzle: &Puzzle, control: &Control) -> Result<Solved, Failure> {
    solver.solve(puzzle, control, SolveOptions::new().threads(4).tables(&TableCache::new()))
}

/// How long after its cancelling a search ends.
fn cancelled_after(station: &mut GpuSolver, wait: Duration) -> Duration {
    let (puzzle, _) = hard();
    let cancel = Cancel::new();
    let control = Control::with_cancel(Limits::default(), cancel.clone());
    thread::scope(|scope| {
        let asked = scope.spawn(move || {
            thread::sleep(wait);
            cancel.cancel();
            Instant::now()
        });
        solve(station, &puzzle, &control).expect("the device goes on");
        asked.join().expect("it only waits").elapsed()
    })
}

/// Has a kernel go wrong beside a search: the driver gives up all that this process has on the device. Comes last, for
/// nothing works there afterwards.
fn lost(mut station: GpuSolver) {
    let control = Control::unlimited();
    let (puzzle, length) = hard();
    let failure = thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(Duration::from_millis(700));
            trap();
        });
        solve(&mut station, &puzzle, &control).err()
    });
    let failure = failure.expect("the device is lost");
    assert!(matches!(failure.error, DeviceError::Failed(_)), "{}", failure.error);
    assert!(failure.known.bound() <= length && failure.known.length().is_none_or(|found| found >= length));
    assert!(station.lost().is_some(), "it is not asked again");
    println!("lost in the middle: {} (known by then: {:?} moves)", failure.error, failure.known.length());
}

/// A kernel that goes wrong.
#[expect(unsafe_code, reason = "a kernel is launched")]
fn trap() {
    let code = ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry wrong() {\n    trap;\n}\n";
    let context = CudaContext::new(0).expect("the device is there");
    let module = context.load_module(Ptx::from_src(code)).expect("it is compiled");
    let kernel = module.load_function("wrong").expect("it has one kernel");
    let stream = context.default_stream();
    let one = LaunchConfig { grid_dim: (1, 1, 1), block_dim: (1, 1, 1), shared_mem_bytes: 0 };
    // SAFETY: it touches no memory.
    let _ = unsafe { stream.launch_builder(&kernel).launch(one) };
    let _ = stream.synchronize();
}

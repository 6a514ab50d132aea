//! Depth-first searches of long, wide and cyclic spaces.

use std::{
    cell::Cell,
    time::{Duration, Instant},
};

use pintu_search::{Control, Outcome, Stop, Zero, dfs, from_fn, ida};

/// A path of free steps that leads nowhere.
const LONG: u32 = 100_000;

#[test]
fn free_cycles_end() {
    let ring =
        from_fn(|&n: &u32| [((n + 1) % 5, 0_u32), (n + 10, 1)].into_iter().filter(|(n, _)| *n < 45), |&n| n == 41);
    assert_eq!(ida(&ring, &0, Zero, ()).solution().unwrap().cost, 4);
    let stuck = from_fn(|&n: &u32| [((n + 1) % 5, 0_u32), (n, 0)], |&n| n == 41);
    assert_eq!(ida(&stuck, &0, Zero, ()).outcome, Outcome::NoSolution);
    // Long enough for the path to be moved to the heap on the way round.
    let long = from_fn(|&n: &u32| [((n + 1) % 5000, 0_u32)], |&n| n == 5001);
    assert_eq!(ida(&long, &0, Zero, ()).outcome, Outcome::NoSolution);
}

#[test]
fn a_long_way_back_takes_no_longer_than_the_way_there() {
    let chain = from_fn(|&n: &u32| (n < LONG).then_some((n + 1, 0_u32)), |_| false);
    pintu_testing::takes_at_most(Duration::from_secs(2), || {
        let begun = Instant::now();
        let report = ida(&chain, &0, Zero, ());
        assert_eq!((report.outcome, report.counters.expanded), (Outcome::NoSolution, u64::from(LONG) + 1));
        begun.elapsed()
    });
}

#[test]
fn a_search_can_be_cancelled_on_a_long_way_back() {
    let control = Control::unlimited();
    let is_way_back = Cell::new(false);
    let chain = from_fn(
        |&n: &u32| {
            if n == LONG {
                is_way_back.set(true);
            } else if n == LONG / 2 && is_way_back.get() {
                control.cancel_switch().cancel();
            }
            // The second of them leads nowhere.
            [(n + 1, 0_u32), (n, 0)].into_iter().filter(|(n, _)| *n <= LONG)
        },
        |_| false,
    );
    let report = ida(&chain, &0, Zero, &control);
    assert_eq!(report.counters.expanded, u64::from(LONG) + 1, "all had been expanded when it was cancelled");
    assert!(matches!(report.outcome, Outcome::Stopped { why: Stop::Cancelled, .. }), "{:?}", report.outcome);
}

#[test]
fn successors_in_large_arrays_do_not_overflow_the_stack() {
    let search = || {
        let wide = from_fn(|&n: &u64| std::array::from_fn::<_, 1000, _>(|k| (n + 1 + k as u64, 1_u32)), |&n| n == 2000);
        assert_eq!(dfs(&wide, &0, 3000, ()).solution().unwrap().path.len(), 2000);
        let far = |&n: &u64| (2000_u64.saturating_sub(n)).div_ceil(1000) as u32;
        assert_eq!(ida(&wide, &0, far, ()).solution().unwrap().cost, 2);
        // Half a megabyte of successors to a state.
        let wider = from_fn(|&n: &u64| std::array::from_fn::<_, 32_768, _>(|_| (n + 1, 1_u32)), |&n| n == 300);
        assert_eq!(dfs(&wider, &0, 3000, ()).solution().unwrap().path.len(), 300);
        assert_eq!(ida(&wider, &0, |&n: &u64| 300_u64.saturating_sub(n) as u32, ()).solution().unwrap().cost, 300);
    };
    // Room for some arrays, as code that is not optimised copies them, but not for the 300 of a path.
    std::thread::Builder::new().stack_size(32 << 20).spawn(search).unwrap().join().unwrap();
}

#[test]
fn the_deepest_path_does_not_overflow_the_stack() {
    const DEEP: u32 = 3_000_000;
    let corridor = from_fn(|&n: &u32| (n < DEEP).then_some((n + 1, 1_u32)), |&n| n == DEEP);
    assert_eq!(ida(&corridor, &0, |n: &u32| DEEP - n, ()).solution().unwrap().cost, DEEP);
    assert_eq!(dfs(&corridor, &0, DEEP, ()).solution().unwrap().path.len(), DEEP as usize);
}

use std::time::Duration;

/// Asserts that something takes no longer than `most` by the clock. `act` does it and says how long it took. A machine that is
/// busy with other things may keep it waiting: then it is done again, and what is too slow in itself is too slow each time.
///
/// # Panics
///
/// If it took longer each time.
#[track_caller]
pub fn takes_at_most(most: Duration, mut act: impl FnMut() -> Duration) {
    const TIMES: usize = 20;
    let fastest = (0..TIMES)
        .map(|_| act())
        .try_fold(Duration::MAX, |fastest, took| if took < most { Err(took) } else { Ok(fastest.min(took)) });
    if let Ok(fastest) = fastest {
        panic!("the fastest of {TIMES} took {fastest:?}, expected at most {most:?}");
    }
}

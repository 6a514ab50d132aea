use std::{
    fs::File,
    io::Write,
    thread,
    time::{Duration, Instant},
};

/// Times, sorted.
pub(crate) struct Times(Vec<Duration>);

impl Times {
    pub(crate) fn new(mut times: Vec<Duration>) -> Self {
        times.sort_unstable();
        Self(times)
    }

    /// The time that this part of them does not exceed.
    pub(crate) fn part(&self, part: f64) -> Duration {
        let index = (self.0.len() as f64 * part).ceil() as usize;
        self.0.get(index.saturating_sub(1)).copied().unwrap_or_default()
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }
}

pub(crate) fn millis(time: Duration) -> String {
    format!("{:.2} ms", time.as_secs_f64() * 1000.0)
}

/// How long this disk takes to keep a page, while `goes_on` says so: what no save can be quicker than, on a
/// machine as busy as it is.
pub(crate) fn flush_times(goes_on: impl Fn() -> bool) -> Times {
    let directory = tempfile::tempdir().expect("a directory");
    let mut file = File::create(directory.path().join("page")).expect("a file");
    let mut times = Vec::new();
    while goes_on() {
        let began = Instant::now();
        file.write_all(&[7; 4096]).and_then(|()| file.sync_data()).expect("a flush");
        times.push(began.elapsed());
        thread::sleep(Duration::from_millis(50));
    }
    Times::new(times)
}

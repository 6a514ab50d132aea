use std::{
    fmt,
    fs::File,
    io::Write,
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

impl fmt::Display for Times {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} / {}", millis(self.part(0.5)), millis(self.part(0.99)))
    }
}

pub(crate) fn millis(time: Duration) -> String {
    format!("{:.2} ms", time.as_secs_f64() * 1000.0)
}

/// How long this disk takes to keep a page: what no save can be quicker than.
pub(crate) fn flush_times(count: usize) -> Times {
    let directory = tempfile::tempdir().expect("a directory");
    let mut file = File::create(directory.path().join("page")).expect("a file");
    let times = (0..count).map(|_| {
        let began = Instant::now();
        file.write_all(&[7; 4096]).and_then(|()| file.sync_data()).expect("a flush");
        began.elapsed()
    });
    Times::new(times.collect())
}

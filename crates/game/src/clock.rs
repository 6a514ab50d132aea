use std::time::{Duration, Instant};

/// A stopwatch that is told the time, so that it can be tested, and saved while it runs.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    counted: Duration,
    since: Option<Instant>,
}

impl Clock {
    /// A clock that stands at `counted`.
    pub fn at(counted: Duration) -> Self {
        Self { counted, since: None }
    }

    /// Lets it run, unless it does.
    pub fn start(&mut self, now: Instant) {
        self.since.get_or_insert(now);
    }

    /// Halts it where it stands.
    pub fn stop(&mut self, now: Instant) {
        self.counted = self.read(now);
        self.since = None;
    }

    /// What it shows.
    pub fn read(&self, now: Instant) -> Duration {
        let running = self.since.map_or(Duration::ZERO, |since| now.saturating_duration_since(since));
        self.counted.saturating_add(running)
    }

    /// Whether it runs.
    pub fn is_running(&self) -> bool {
        self.since.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_counts_only_while_it_runs() {
        let second = Duration::from_secs(1);
        let noon = Instant::now();
        let mut clock = Clock::at(second);
        assert_eq!(clock.read(noon + second), second);
        clock.start(noon);
        clock.start(noon + second);
        assert_eq!(clock.read(noon + second), 2 * second);
        clock.stop(noon + 2 * second);
        assert_eq!(clock.read(noon + 5 * second), 3 * second);
        assert!(!clock.is_running());
    }

    #[test]
    fn a_time_before_the_start_counts_nothing() {
        let noon = Instant::now() + Duration::from_secs(10);
        let mut clock = Clock::default();
        clock.start(noon);
        assert_eq!(clock.read(noon.checked_sub(Duration::from_secs(1)).unwrap()), Duration::ZERO);
    }
}

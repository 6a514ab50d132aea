//! The clock, and whether threads can wait: the one place that knows of targets without either.

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use std::time::Instant;

/// Whether a thread can wait for another. `wasm32-unknown-unknown` has only one thread.
pub const CAN_WAIT: bool = cfg!(not(all(target_family = "wasm", target_os = "unknown")));

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use self::told::{Instant, set_clock};

/// In a browser the standard library has no clock: the page tells the time.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod told {
    use std::{ops::Sub, sync::OnceLock, time::Duration};

    static CLOCK: OnceLock<fn() -> Duration> = OnceLock::new();

    /// Sets the clock, which returns the time since some fixed moment. Until it is set, time stands still, and no time
    /// limit is reached.
    pub fn set_clock(clock: fn() -> Duration) {
        let _ = CLOCK.set(clock);
    }

    /// A stand-in for `std::time::Instant`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub struct Instant(Duration);

    impl Instant {
        /// The time by the clock.
        pub fn now() -> Self {
            Self(CLOCK.get().map_or(Duration::ZERO, |clock| clock()))
        }

        /// The time since then.
        pub fn elapsed(&self) -> Duration {
            Self::now() - *self
        }

        /// A later moment, if there is one.
        pub fn checked_add(&self, time: Duration) -> Option<Self> {
            self.0.checked_add(time).map(Self)
        }

        /// The time since another moment; none since a later one.
        pub fn saturating_duration_since(&self, earlier: Self) -> Duration {
            *self - earlier
        }
    }

    impl Sub for Instant {
        type Output = Duration;

        fn sub(self, earlier: Self) -> Duration {
            self.0.saturating_sub(earlier.0)
        }
    }
}

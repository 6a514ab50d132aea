//! The clock, and waiting: the one place that knows of a target which has neither.

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use std::time::Instant;

/// Whether a thread can wait for another: elsewhere there is none to wait for.
pub const CAN_WAIT: bool = cfg!(not(all(target_family = "wasm", target_os = "unknown")));

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use self::told::{Instant, set_clock};

/// In a browser the standard library has no clock: whoever embeds this tells the time.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod told {
    use std::{ops::Sub, sync::OnceLock, time::Duration};

    static CLOCK: OnceLock<fn() -> Duration> = OnceLock::new();

    /// Names the clock: the time since any moment, the same at each call. Before that, time stands still, and no time
    /// limit is ever met.
    pub fn set_clock(clock: fn() -> Duration) {
        let _ = CLOCK.set(clock);
    }

    /// What `std::time::Instant` is elsewhere.
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

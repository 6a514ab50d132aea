//! Memory: the bytes that work holds, and what its limits leave.

use std::{
    fmt,
    sync::{Arc, PoisonError, atomic::Ordering::Relaxed},
};

use super::Control;
use crate::Stop;

/// Bytes that a piece of work holds, counted by its [`Control`] and all controls above.
///
/// A data structure asks for [`more`](Self::more) *before* it grows, and does not grow if it is refused. Dropping the hold gives
/// its bytes back.
#[derive(Debug)]
pub struct Hold {
    control: Control,
    bytes: u64,
    peak: u64,
}

impl Hold {
    pub(super) fn new(control: Control) -> Self {
        Self { control, bytes: 0, peak: 0 }
    }

    /// The bytes held now.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The most bytes held at once.
    pub fn peak(&self) -> u64 {
        self.peak
    }

    /// Sets the peak to the bytes held now.
    pub fn forget_peak(&mut self) {
        self.peak = self.bytes;
    }

    /// Asks for more bytes. If they are refused, nothing has changed.
    pub fn more(&mut self, bytes: u64) -> Result<(), Stop> {
        self.control.take_bytes(bytes)?;
        self.bytes += bytes;
        self.peak = self.peak.max(self.bytes);
        Ok(())
    }

    /// Gives bytes back; all of them if there are fewer.
    pub fn less(&mut self, bytes: u64) {
        let bytes = bytes.min(self.bytes);
        self.control.give_bytes(bytes);
        self.bytes -= bytes;
    }

    /// Asks for more or gives back, so that exactly `bytes` are held. If more are refused, nothing has changed.
    pub fn set(&mut self, bytes: u64) -> Result<(), Stop> {
        if bytes > self.bytes {
            return self.more(bytes - self.bytes);
        }
        self.less(self.bytes - bytes);
        Ok(())
    }

    /// Reserves room in a vector for `capacity` elements in all, asking first.
    pub fn reserve<T>(&mut self, vec: &mut Vec<T>, capacity: usize) -> Result<(), Stop> {
        if capacity > vec.capacity() {
            self.more(((capacity - vec.capacity()) * size_of::<T>()) as u64)?;
            vec.reserve_exact(capacity - vec.len());
        }
        Ok(())
    }

    /// Pushes onto a vector, asking before it grows.
    pub(crate) fn push<T>(&mut self, vec: &mut Vec<T>, item: T) -> Result<(), Stop> {
        if vec.len() == vec.capacity() {
            self.reserve(vec, vec.len() + vec.len().clamp(16, 1 << 20))?;
        }
        vec.push(item);
        Ok(())
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        self.control.give_bytes(self.bytes);
    }
}

/// A cache whose bytes are in no [`Hold`]: it shrinks when memory is needed, so no request is refused because of it.
pub trait Idle: fmt::Debug + Send + Sync {
    /// Shrinks the cache to at most `bytes`. Entries in use are held elsewhere and do not count.
    fn keep_within(&self, bytes: u64);
}

impl Control {
    /// How many of the `wanted` bytes this control and those above it have left. A hint: nothing is reserved.
    #[doc(hidden)]
    pub fn room(&self, wanted: u64) -> u64 {
        self.upwards().map(Self::own_room).min().unwrap_or(u64::MAX).min(wanted)
    }

    /// Whether this control and those above it have `bytes` left.
    #[doc(hidden)]
    pub fn has_room(&self, bytes: u64) -> bool {
        self.room(bytes) == bytes
    }

    /// The bytes held now by this control and its parts.
    pub fn held(&self) -> u64 {
        self.0.held.load(Relaxed)
    }

    /// Sets the cache that shrinks as soon as it and the bytes held here exceed this control's memory limit. Only the
    /// first call has an effect.
    #[doc(hidden)]
    pub fn let_go_of(&self, idle: Arc<dyn Idle>) {
        let _ = self.0.idle.set(idle);
    }

    /// The bytes left under this control's own limit.
    fn own_room(&self) -> u64 {
        if self.0.memory == u64::MAX { u64::MAX } else { self.0.memory.saturating_sub(self.held()) }
    }

    /// Counts bytes in this control and those above it, or in none of them if a limit refuses them.
    ///
    /// Requests in one tree of controls take turns: none is refused because of bytes that another request has counted
    /// in a part and that the whole then refuses.
    fn take_bytes(&self, bytes: u64) -> Result<(), Stop> {
        let fits = |control: &Self| control.held().checked_add(bytes).is_some_and(|held| held <= control.0.memory);
        {
            let _one_at_a_time = self.0.taking.lock().unwrap_or_else(PoisonError::into_inner);
            if !self.upwards().all(fits) {
                return Err(Stop::Memory);
            }
            for control in self.upwards() {
                let held = control.0.held.fetch_add(bytes, Relaxed) + bytes;
                control.0.peak_bytes.fetch_max(held, Relaxed);
            }
        }
        for control in self.upwards() {
            if let Some(idle) = control.0.idle.get() {
                idle.keep_within(control.own_room());
            }
        }
        Ok(())
    }

    fn give_bytes(&self, bytes: u64) {
        for control in self.upwards() {
            control.0.held.fetch_sub(bytes, Relaxed);
        }
    }
}

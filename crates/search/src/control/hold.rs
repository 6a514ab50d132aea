use std::ops::ControlFlow;

use super::Control;
use crate::Stop;

/// Bytes that a piece of work holds, entered in the ledgers of its [`Control`] and of all controls above.
///
/// Whatever grows asks [`more`](Self::more) *before* it grows, and does not grow if the answer is no. What was held is
/// given back when the hold is dropped.
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

    /// Forgets that more was held before than is held now.
    pub fn forget_peak(&mut self) {
        self.peak = self.bytes;
    }

    /// Asks for so many bytes more. If they are refused, nothing has changed.
    pub fn more(&mut self, bytes: u64) -> ControlFlow<Stop> {
        self.control.take_bytes(bytes)?;
        self.bytes += bytes;
        self.peak = self.peak.max(self.bytes);
        ControlFlow::Continue(())
    }

    /// Gives so many bytes back; all of them if there are not as many.
    pub fn less(&mut self, bytes: u64) {
        let bytes = bytes.min(self.bytes);
        self.control.give_bytes(bytes);
        self.bytes -= bytes;
    }

    /// Holds exactly so many bytes from now on. If more are refused, nothing has changed.
    pub fn set(&mut self, bytes: u64) -> ControlFlow<Stop> {
        if bytes > self.bytes {
            return self.more(bytes - self.bytes);
        }
        self.less(self.bytes - bytes);
        ControlFlow::Continue(())
    }

    /// Makes room in a vector for so many elements in all, asking first.
    pub fn reserve<T>(&mut self, vec: &mut Vec<T>, capacity: usize) -> ControlFlow<Stop> {
        if capacity > vec.capacity() {
            let before = vec.capacity();
            self.more(((capacity - before) * size_of::<T>()) as u64)?;
            vec.reserve_exact(capacity - vec.len());
        }
        ControlFlow::Continue(())
    }

    /// Adds an element to a vector, which grows like others, but asks first.
    pub(crate) fn push<T>(&mut self, vec: &mut Vec<T>, item: T) -> ControlFlow<Stop> {
        if vec.len() == vec.capacity() {
            self.reserve(vec, vec.len() + vec.len().clamp(16, 1 << 20))?;
        }
        vec.push(item);
        ControlFlow::Continue(())
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        self.control.give_bytes(self.bytes);
    }
}

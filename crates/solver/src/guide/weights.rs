//! The weights of the networks.

/// The weights for a square of this side, if there are some.
#[cfg(not(target_family = "wasm"))]
pub fn weights_of(side: usize) -> Option<&'static [u8]> {
    match side {
        6 => Some(include_bytes!("../../weights/6.bin")),
        7 => Some(include_bytes!("../../weights/7.bin")),
        _ => None,
    }
}

#[cfg(target_family = "wasm")]
pub use self::given::give_weights;
#[cfg(target_family = "wasm")]
pub(super) use self::given::weights_of;

/// In a browser the weights are no part of the program: they are loaded when a board of one of the two sizes comes.
#[cfg(target_family = "wasm")]
mod given {
    use std::sync::OnceLock;

    static GIVEN: [OnceLock<Vec<u8>>; 2] = [const { OnceLock::new() }; 2];

    /// Sets the weights for a square of this side, once: later calls have no effect.
    pub fn give_weights(side: usize, bytes: Vec<u8>) {
        if let Some(slot) = side.checked_sub(6).and_then(|at| GIVEN.get(at)) {
            let _ = slot.set(bytes);
        }
    }

    pub(in crate::guide) fn weights_of(side: usize) -> Option<&'static [u8]> {
        GIVEN.get(side.checked_sub(6)?)?.get().map(Vec::as_slice)
    }
}

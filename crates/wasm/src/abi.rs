//! What the worker's script calls, and what it is called for: numbers, and bytes in the module's memory.
#![expect(unsafe_code, reason = "the boundary of a module is C's")]

use std::{panic, sync::OnceLock, time::Duration};

use pintu_engine::calls::CallError;
use pintu_search::clock::set_clock;
use serde_json::json;

use crate::{Engine, Reply};

#[link(wasm_import_module = "host")]
unsafe extern "C" {
    /// Milliseconds since any moment.
    safe fn now() -> f64;
    /// Takes the JSON of a search's progress; other than zero ends the search.
    fn tell(at: *const u8, length: usize) -> u32;
    /// Takes what a panic says.
    fn panicked(at: *const u8, length: usize);
    /// Takes an answer: its kind, its bytes, and the id of a map, which may be empty.
    fn reply(kind: u32, at: *const u8, length: usize, map: *const u8, map_length: usize);
}

/// The kinds of answers.
const ANSWER: u32 = 0;
const REFUSAL: u32 = 1;

static ENGINE: OnceLock<Engine> = OnceLock::new();

/// To be called first, with the bytes that a search may hold.
#[unsafe(no_mangle)]
extern "C" fn begin(bytes: f64) {
    set_clock(|| Duration::from_secs_f64(now() / 1000.0));
    panic::set_hook(Box::new(|panic| {
        let text = panic.to_string();
        // SAFETY: the host reads the text before this returns.
        unsafe { panicked(text.as_ptr(), text.len()) }
    }));
    // SAFETY: the host reads the bytes before this returns.
    let _ = ENGINE.set(Engine::new(bytes as u64, |bytes| unsafe { tell(bytes.as_ptr(), bytes.len()) != 0 }));
}

/// Memory for the host to write to, for [`call`] or [`weights`], which take it.
#[unsafe(no_mangle)]
extern "C" fn alloc(length: usize) -> *mut u8 {
    Box::into_raw(vec![0_u8; length].into_boxed_slice()).cast()
}

/// What the host has written.
///
/// # Safety
/// `at` comes from [`alloc`] with this length, and is given back only once.
unsafe fn taken(at: *mut u8, length: usize) -> Vec<u8> {
    // SAFETY: by the contract it is a boxed slice that nobody else has.
    unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(at, length)) }.into_vec()
}

/// Answers a call: the first bytes are its name, the others its body. The answer goes to `reply` before this returns.
#[unsafe(no_mangle)]
extern "C" fn call(at: *mut u8, name_length: usize, length: usize) {
    // SAFETY: the worker's script gives what it has from `alloc`.
    let bytes = unsafe { taken(at, length) };
    let (name, body) = bytes.split_at(name_length.min(length));
    let found = match (ENGINE.get(), std::str::from_utf8(name)) {
        (Some(engine), Ok(name)) => engine.call(name, body),
        _ => Err(CallError::new("internal", "the engine was not begun")),
    };
    let (kind, Reply { bytes, map_id }) = match found {
        Ok(found) => (ANSWER, found),
        Err(CallError { code, message }) => {
            let refusal = json!({ "error": message, "code": code });
            (REFUSAL, Reply { bytes: refusal.to_string().into_bytes(), map_id: None })
        }
    };
    let map = map_id.unwrap_or_default();
    // SAFETY: the host reads both before this returns.
    unsafe { reply(kind, bytes.as_ptr(), bytes.len(), map.as_ptr(), map.len()) }
}

/// The weights of the network for squares of a side.
#[unsafe(no_mangle)]
extern "C" fn weights(side: usize, at: *mut u8, length: usize) {
    // SAFETY: the worker's script gives what it has from `alloc`.
    pintu_solver::internals::give_weights(side, unsafe { taken(at, length) });
}

//! What the system's allocator does with memory that is given back.

/// Has large blocks come from the system and go back to it, each by itself, so that what is resident is what is held.
///
/// The GNU allocator learns from the first large block that is freed to keep the next ones, up to 32 MiB each, in a heap
/// that never shrinks, and copies them when they grow: a process then holds twice what its searches do. That is
/// faster, and right where nobody limits memory.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[expect(unsafe_code, reason = "the allocator is set by a function of C")]
pub(super) fn give_back_at_once() {
    const LARGE: libc::c_int = 256 << 10;
    // SAFETY: the call takes two numbers and locks what it changes.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE);
        libc::mallopt(libc::M_TRIM_THRESHOLD, LARGE);
    }
}

/// Other allocators are left as they are.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(super) fn give_back_at_once() {}

/// Has all threads allocate from one heap: the GNU allocator sets 64 MiB of addresses aside for each of them, of which
/// there is little where addresses are limited.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[expect(unsafe_code, reason = "the allocator is set by a function of C")]
pub(super) fn keep_in_one_place() {
    // SAFETY: the call takes two numbers and locks what it changes.
    unsafe {
        libc::mallopt(libc::M_ARENA_MAX, 1);
    }
}

/// Other allocators are left as they are.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(super) fn keep_in_one_place() {}

/// Gives back what is free between blocks that are in use: a heap shrinks by itself only from its end.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[expect(unsafe_code, reason = "the allocator is told by a function of C")]
pub(super) fn tidy() {
    // SAFETY: the call takes a number and locks what it changes.
    unsafe {
        libc::malloc_trim(0);
    }
}

/// Other allocators are left as they are.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(super) fn tidy() {}

//! What the GNU allocator does with memory that is given back.

#![expect(unsafe_code, reason = "the allocator is set by functions of C")]

/// Has large blocks come from the system and go back to it, each by itself, so that what is resident is what is held.
///
/// The GNU allocator learns from the first large block that is freed to keep the next ones, up to 32 MiB each, in a heap
/// that never shrinks, and copies them when they grow: a process then holds twice what its searches do. That is
/// faster, and right where memory is not limited.
pub(super) fn give_back_at_once() {
    const LARGE: libc::c_int = 256 << 10;
    // SAFETY: the call takes two numbers and locks what it changes.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE);
        libc::mallopt(libc::M_TRIM_THRESHOLD, LARGE);
    }
}

/// Has all threads allocate from one heap, rather than each keep what is free in its own.
pub(super) fn use_one_heap() {
    // SAFETY: the call takes two numbers and locks what it changes.
    unsafe {
        libc::mallopt(libc::M_ARENA_MAX, 1);
    }
}

/// Gives back what is free between blocks that are in use: a heap shrinks by itself only from its end.
pub(super) fn tidy() {
    // SAFETY: the call takes a number and locks what it changes.
    unsafe {
        libc::malloc_trim(0);
    }
}

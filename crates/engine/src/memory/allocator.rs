//! Settings of the GNU allocator for memory that is freed.

#![expect(unsafe_code, reason = "the allocator is set by functions of C")]

/// Takes large blocks directly from the system and returns each when it is freed: resident memory is held memory.
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

/// Makes all threads allocate from one heap, so that no thread keeps free memory of its own.
pub(super) fn use_one_heap() {
    // SAFETY: the call takes two numbers and locks what it changes.
    unsafe {
        libc::mallopt(libc::M_ARENA_MAX, 1);
    }
}

/// Returns free memory between used blocks to the system: a heap shrinks by itself only from its end.
pub(super) fn tidy() {
    // SAFETY: the call takes a number and locks what it changes.
    unsafe {
        libc::malloc_trim(0);
    }
}

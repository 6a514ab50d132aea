//! Work that gives way to answers.

/// Has this thread, and those that it starts, take what processors others leave: a search or a picture takes seconds anyway,
/// and somebody waits for a save. (A thread cannot undo it, so it is for threads that do nothing else.)
#[cfg(target_os = "linux")]
pub(crate) fn give_way() {
    /// About a tenth of a share where another wants the same processor.
    const NICE: i32 = 10;
    // Where it is not allowed, all are equal.
    let _ = rustix::process::setpriority_process(None, NICE);
}

/// Elsewhere a priority is the whole process's.
#[cfg(not(target_os = "linux"))]
pub(crate) fn give_way() {}

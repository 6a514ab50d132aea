//! CPU priority of worker threads: long jobs are reniced, so that they do not delay answers to others.

/// A thread whose priority can be lowered. It cannot be raised again, so this is for threads that run one job and end;
/// threads that they spawn afterwards inherit it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Thread {
    #[cfg(target_os = "linux")]
    id: Option<rustix::process::Pid>,
}

#[cfg(target_os = "linux")]
impl Thread {
    pub(crate) fn current() -> Self {
        let link = std::fs::read_link("/proc/thread-self").ok();
        let id = link.and_then(|link| link.file_name()?.to_str()?.parse().ok());
        Self { id: id.and_then(rustix::process::Pid::from_raw) }
    }

    /// Renices the thread, where the system allows it.
    pub(crate) fn lower_priority(self) {
        /// About a tenth of the usual share of a core that another thread wants, too.
        const NICE: i32 = 10;
        if let Some(id) = self.id {
            let _ = rustix::process::setpriority_process(Some(id), NICE);
        }
    }
}

/// Other systems have one priority for the whole process.
#[cfg(not(target_os = "linux"))]
impl Thread {
    pub(crate) fn current() -> Self {
        Self {}
    }

    pub(crate) fn lower_priority(self) {}
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::thread;

    use super::*;

    #[test]
    fn spawned_threads_inherit_a_lowered_priority() {
        let nice = || rustix::process::getpriority_process(Thread::current().id).unwrap();
        let usual = nice();
        let spawned = thread::spawn(move || {
            Thread::current().lower_priority();
            thread::spawn(nice).join().unwrap()
        });
        let lowered = spawned.join().unwrap();
        assert!((lowered > usual || usual >= 10) && nice() == usual);
    }
}

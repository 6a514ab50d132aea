//! Long work that gives way to answers.

/// A thread that may be asked to take no more than what others leave of the processors: it cannot take that back, so it is
/// for threads that do one thing and end. Threads that it makes from then on give way, too.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Worker {
    #[cfg(target_os = "linux")]
    number: Option<rustix::process::Pid>,
}

#[cfg(target_os = "linux")]
impl Worker {
    /// This thread.
    pub(crate) fn this() -> Self {
        let link = std::fs::read_link("/proc/thread-self").ok();
        let number = link.and_then(|link| link.file_name()?.to_str()?.parse().ok());
        Self { number: number.and_then(rustix::process::Pid::from_raw) }
    }

    /// Has the thread give way, as far as the system allows it.
    pub(crate) fn give_way(self) {
        /// About a tenth of a share where another wants the same processor.
        const NICE: i32 = 10;
        if let Some(number) = self.number {
            let _ = rustix::process::setpriority_process(Some(number), NICE);
        }
    }
}

/// Elsewhere a priority is the whole process's, and all are equal.
#[cfg(not(target_os = "linux"))]
impl Worker {
    pub(crate) fn this() -> Self {
        Self {}
    }

    pub(crate) fn give_way(self) {}
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::thread;

    use super::*;

    #[test]
    fn threads_of_one_that_gives_way_give_way() {
        let nice = || rustix::process::getpriority_process(Worker::this().number).unwrap();
        let usual = nice();
        let theirs = thread::spawn(move || {
            Worker::this().give_way();
            thread::spawn(nice).join().unwrap()
        });
        assert!(theirs.join().unwrap() > usual && nice() == usual);
    }
}

use std::{
    path::Path,
    process::{Command, Stdio},
};

/// A small disk of its own, where that can be had.
pub(crate) struct SmallDisk(tempfile::TempDir);

impl SmallDisk {
    /// One of so many bytes.
    pub(crate) fn mount(bytes: u64) -> Option<Self> {
        let at = tempfile::tempdir().unwrap();
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", &format!("size={bytes}"), "pintu"]).arg(at.path()).stderr(Stdio::null());
        let mounted = mount.status().is_ok_and(|status| status.success());
        if !mounted {
            eprintln!("not tested: a disk that is full, for only root can mount one");
        }
        mounted.then(|| Self(at))
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn remount(&self, how: &str) -> bool {
        Command::new("mount").args(["-o", how]).arg(self.0.path()).status().is_ok_and(|status| status.success())
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").args(["-l"]).arg(self.0.path()).status();
    }
}

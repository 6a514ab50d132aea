//! Memory on Linux: the machine's, from the kernel, and the container's, from its control groups.

use std::{
    fs,
    path::{Path, PathBuf},
};

use rustix::process::{Resource, getrlimit};

pub(super) fn resident() -> Option<u64> {
    kibibytes(&fs::read_to_string("/proc/self/status").ok()?, "VmRSS:")
}

pub(super) fn available() -> Option<u64> {
    let machine = fs::read_to_string("/proc/meminfo").ok().and_then(|text| kibibytes(&text, "MemAvailable:"));
    let groups = fs::read_to_string("/proc/self/cgroup").ok();
    let container = groups.and_then(|groups| group_room(Path::new("/sys/fs/cgroup"), &groups));
    machine.into_iter().chain(container).chain(address_room()).min()
}

/// The bytes that a limit on address space (`ulimit -v`) leaves.
pub(super) fn address_room() -> Option<u64> {
    let most = getrlimit(Resource::As).current?;
    Some(most.saturating_sub(kibibytes(&fs::read_to_string("/proc/self/status").ok()?, "VmSize:")?))
}

/// Reads a line such as `VmRSS:  1234 kB`, whatever the page size.
fn kibibytes(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kibibytes.checked_mul(1024)
}

/// The files of a version of control groups.
struct Version {
    /// The folder of its groups below the root folder of all.
    below: &'static str,
    limit: &'static str,
    used: &'static str,
    /// The line of `memory.stat` with the bytes that the kernel reclaims when memory is short.
    idle: &'static str,
}

const FIRST: Version = Version {
    below: "memory",
    limit: "memory.limit_in_bytes",
    used: "memory.usage_in_bytes",
    idle: "total_inactive_file ",
};
const SECOND: Version = Version { below: "", limit: "memory.max", used: "memory.current", idle: "inactive_file " };

/// The bytes that the process's control groups (of either version) leave; `None` where none limits it.
fn group_room(root: &Path, groups: &str) -> Option<u64> {
    let rooms = groups.lines().filter_map(|line| {
        let mut parts = line.splitn(3, ':');
        let (_, controllers, group) = (parts.next()?, parts.next()?, parts.next()?);
        let version = if controllers.is_empty() {
            SECOND
        } else if controllers.split(',').any(|name| name == "memory") {
            FIRST
        } else {
            return None;
        };
        version.room(root, group)
    });
    rooms.min()
}

impl Version {
    /// The least that a group or one above it leaves. In a container the path may be known to the host only; then the
    /// container's own group is at the top.
    fn room(&self, root: &Path, group: &str) -> Option<u64> {
        let top = root.join(self.below);
        let mut here: PathBuf = top.join(group.trim_start_matches('/'));
        let mut least = None;
        while here.starts_with(&top) {
            least = self.room_in(&here).into_iter().chain(least).min();
            if !here.pop() {
                break;
            }
        }
        least
    }

    fn room_in(&self, group: &Path) -> Option<u64> {
        let read = |name: &str| fs::read_to_string(group.join(name)).ok();
        // `max`, where there is no limit.
        let limit: u64 = read(self.limit)?.trim().parse().ok()?;
        let used: u64 = read(self.used)?.trim().parse().ok()?;
        let stat = read("memory.stat").unwrap_or_default();
        let idle = stat.lines().find_map(|line| line.strip_prefix(self.idle)?.trim().parse().ok()).unwrap_or(0);
        Some(limit.saturating_sub(used.saturating_sub(idle)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernel_is_understood() {
        assert_eq!(kibibytes("MemTotal: 9 kB\nMemAvailable:     2048 kB\n", "MemAvailable:"), Some(2 << 20));
        assert_eq!(kibibytes("MemTotal: 9 kB\n", "MemAvailable:"), None);
        assert!(resident() > Some(0));
        assert!(available() > Some(0));
    }

    #[test]
    fn what_is_taken_is_seen() {
        let before = resident().unwrap();
        let bytes = vec![1_u8; 64 << 20];
        let after = resident().unwrap();
        assert!(after >= before + (48 << 20), "{before} before, {after} with {} more", bytes.len());
    }

    #[test]
    fn both_versions_of_control_groups_are_understood() {
        let root = tempfile::tempdir().unwrap();
        let put = |name: &str, text: &str| {
            let path = root.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        assert_eq!(group_room(root.path(), "0::/\n"), None);
        put("memory.max", "max\n");
        put("memory.current", "5000\n");
        put("a/memory.max", "9000\n");
        put("a/memory.current", "4000\n");
        put("a/memory.stat", "anon 12\ninactive_file 1500\n");
        put("a/b/memory.max", "max\n");
        assert_eq!(group_room(root.path(), "0::/\n"), None, "no limit at the top");
        assert_eq!(group_room(root.path(), "0::/a/b\n"), Some(6500), "the limit of a group above counts");
        put("memory/limit_in_bytes", "nonsense");
        put("memory/memory.limit_in_bytes", "8000\n");
        put("memory/memory.usage_in_bytes", "1000\n");
        assert_eq!(group_room(root.path(), "5:cpu:/x\n4:memory,pids:/docker/1234\n0::/a\n"), Some(6500));
        put("memory/memory.usage_in_bytes", "7000\n");
        assert_eq!(group_room(root.path(), "4:memory:/docker/1234\n"), Some(1000), "the host's path is not there");
    }
}

//! Memory on other systems than Linux, through the `sysinfo` crate.

use sysinfo::{ProcessRefreshKind, ProcessesToUpdate, System, get_current_pid};

pub(super) fn resident() -> Option<u64> {
    let process = get_current_pid().ok()?;
    let mut system = System::new().ok()?;
    let only_memory = ProcessRefreshKind::nothing().with_memory();
    system.refresh_processes_specifics(ProcessesToUpdate::Some(&[process]), false, only_memory);
    system.process(process).map(sysinfo::Process::memory)
}

pub(super) fn available() -> Option<u64> {
    let mut system = System::new().ok()?;
    system.refresh_memory();
    Some(system.available_memory()).filter(|&bytes| bytes > 0)
}

/// Not known here.
pub(super) fn address_room() -> Option<u64> {
    None
}

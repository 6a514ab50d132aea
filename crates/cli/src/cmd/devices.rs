use clap::Args;
use pintu_engine::device::{compiler, devices};
use serde::Serialize;

use crate::{
    args::FormatArgs,
    exit::Exit,
    say::{self, fitted},
    units::{counted, show_bytes},
};

/// List what can search: this machine's processor and its GPUs
///
/// `pintu solve --device gpu` searches on the first GPU.
/// Where there is none, it says why.
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub(crate) struct Devices {
    #[command(flatten)]
    format: FormatArgs,
}

/// A device, as it is written to JSON.
#[derive(Default, Serialize)]
struct DeviceRecord {
    device: &'static str,
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    memory: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    free: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    processors: Option<u32>,
}

impl Devices {
    pub(crate) fn run(&self) -> anyhow::Result<Exit> {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        self.print(&DeviceRecord {
            device: "cpu",
            name: format!("this machine's processor, {}", counted(threads as u64, "thread")),
            ..DeviceRecord::default()
        })?;
        match devices() {
            Ok(found) if found.is_empty() => say::remark("no GPU: found no NVIDIA GPU, expected one"),
            Ok(found) => {
                for gpu in found {
                    self.print(&DeviceRecord {
                        device: "gpu",
                        name: gpu.name,
                        memory: Some(gpu.total_bytes),
                        free: Some(gpu.free_bytes),
                        processors: Some(gpu.processors),
                    })?;
                }
                if let Err(error) = compiler() {
                    say::remark(format!("it cannot be used: {error}"));
                }
            }
            Err(error) => say::remark(format!("no GPU: {error}")),
        }
        Ok(Exit::Solved)
    }

    fn print(&self, listed: &DeviceRecord) -> anyhow::Result<()> {
        let memory = listed.memory.zip(listed.free).map_or_else(String::new, |(memory, free)| {
            format!(", {} of {} free", show_bytes(free), show_bytes(memory))
        });
        let line = fitted(&format!("{}: {}{memory}", listed.device, listed.name));
        self.format.print(listed, |out| writeln!(out, "{line}"))
    }
}

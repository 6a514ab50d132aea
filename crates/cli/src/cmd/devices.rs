use clap::{Args, ValueEnum};
use pintu_engine::device::{DeviceInfo, compiler, devices};
use serde::Serialize;

use crate::{
    exit::Exit,
    render::fitted,
    say,
    units::{counted, show_bytes},
};

/// List what can search: this machine's processor and its GPUs
///
/// `pintu solve --device gpu` searches on the first GPU.
/// Where there is none, it says why.
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub(crate) struct Devices {
    /// How to print the list
    #[arg(long, value_enum, ignore_case = true, default_value = "text")]
    format: Format,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    /// A line for each
    Text,
    /// A JSON object a line
    Json,
}

/// A device, as it is written to JSON.
#[derive(Serialize)]
struct Listed {
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
        self.print(&Listed {
            device: "cpu",
            name: format!("this machine's processor, {}", counted(threads as u64, "thread")),
            memory: None,
            free: None,
            processors: None,
        })?;
        match devices() {
            Ok(found) if found.is_empty() => say::remark("no GPU: found no NVIDIA GPU, expected one"),
            Ok(found) => {
                found.iter().try_for_each(|gpu| self.print(&listed(gpu)))?;
                if let Err(error) = compiler() {
                    say::remark(format!("it cannot be used: {error}"));
                }
            }
            Err(error) => say::remark(format!("no GPU: {error}")),
        }
        Ok(Exit::Solved)
    }

    fn print(&self, listed: &Listed) -> anyhow::Result<()> {
        let line = match self.format {
            Format::Json => serde_json::to_string(listed)?,
            Format::Text => {
                let memory = listed.memory.zip(listed.free).map_or_else(String::new, |(memory, free)| {
                    format!(", {} of {} free", show_bytes(free as f64), show_bytes(memory as f64))
                });
                fitted(&format!("{}: {}{memory}", listed.device, listed.name))
            }
        };
        say::print(&format!("{line}\n"))
    }
}

fn listed(gpu: &DeviceInfo) -> Listed {
    Listed {
        device: "gpu",
        name: gpu.name.clone(),
        memory: Some(gpu.total_bytes),
        free: Some(gpu.free_bytes),
        processors: Some(gpu.processors),
    }
}

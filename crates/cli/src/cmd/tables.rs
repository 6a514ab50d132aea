use std::{
    fmt::Write,
    io::{IsTerminal, stderr},
    path::PathBuf,
    time::Instant,
};

use anyhow::{Context, bail};
use clap::{Args, Subcommand};
use pintu_engine::{
    device::Device,
    memory,
    tables::{Building, Damage, Kept, Key, Listed, Store, StoreError},
};
use pintu_search::{Control, Limits};
use pintu_solver::tables::{Extent, Pattern, normal_form_of};
use pintu_tiles::Size;

use crate::{
    args::{self, BoardArgs, names},
    exit::Exit,
    interrupt::cancel_on_interrupt,
    progress::bar,
    render::fitted,
    say,
    units::{counted, show_bytes, show_seconds},
};

/// Keep the pattern tables that `--algorithm auto` solves with
///
/// Small tables are built when they are first needed, within about a second.
/// The large ones, with which the hardest boards take a tenth of the time,
/// are built only here:
///
///     pintu tables build --size 4x4 --large
///
/// They serve every goal with the same blank cell,
/// however that is turned or reflected.
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub(crate) struct TablesCommand {
    #[command(subcommand)]
    action: Action,

    /// Where they are kept [default: `$PINTU_TABLES`, else pintu/tables in the user's cache directory]
    #[arg(long, value_name = "DIR", global = true)]
    tables: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// List what is there
    List,
    /// Build the tables of a board and goal
    Build(Build),
    /// Read every table to its end and check it
    Verify,
    /// Remove tables: those of a size, or all
    Remove(Remove),
}

#[derive(Args, Debug)]
struct Build {
    #[command(flatten)]
    board: BoardArgs,

    /// The large tables (8-7 on 4x4, 6-6-6-6 on 5x5) rather than the small ones
    #[arg(long)]
    large: bool,

    /// Threads to use [default: as many as the machine has]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// What builds them: the processor, or a GPU
    ///
    /// cpu: the processor. gpu: an NVIDIA GPU, for boards of 10 to 25 cells; the files are the same. auto: the GPU
    /// for tables that the processor would need more than a few seconds for, if there is one; else the processor.
    #[arg(long, value_name = "NAME", default_value = "auto", ignore_case = true, value_parser = names(&Device::ALL, Device::name))]
    device: Device,
}

#[derive(Args, Debug)]
struct Remove {
    /// Only those of boards of this size
    #[arg(long, value_name = "RxC")]
    size: Option<Size>,
}

impl TablesCommand {
    pub(crate) fn run(&self) -> anyhow::Result<Exit> {
        let store = args::store(self.tables.as_deref());
        let Some(dir) = store.dir() else {
            bail!("found no cache directory, expected --tables DIR, $PINTU_TABLES or a home directory");
        };
        // Where nobody said where tables are, there may be none yet.
        if self.tables.is_some() && !matches!(self.action, Action::Build(_)) && !dir.exists() {
            bail!("--tables: found no folder {}, expected one that is there", dir.display());
        }
        let dir = dir.display().to_string();
        match &self.action {
            Action::List => list(&store, &dir),
            Action::Build(build) => build.run(&store),
            Action::Verify => verify(&store, &dir),
            Action::Remove(remove) => remove.run(&store),
        }
    }
}

fn list(store: &Store, dir: &str) -> anyhow::Result<Exit> {
    let listed = store.list()?;
    let mut text = String::new();
    for table in &listed {
        let what = table.pattern.as_ref().map_or_else(|damage| format!("{damage}"), describe);
        let _ = writeln!(text, "{:>10}  {}  {what}", show_bytes(table.bytes as f64), name(table));
    }
    // What only has a table's name, a pipe or a folder, is told of and is none.
    let tables = listed.iter().filter(|table| table.pattern.is_ok());
    let (count, bytes) = tables.fold((0, 0), |(count, bytes), table| (count + 1, bytes + table.bytes));
    let _ = writeln!(text, "{}, {} in {dir}", counted(count, "table"), show_bytes(bytes as f64));
    say::print(&fitted(&text)).map(|()| Exit::Solved)
}

fn verify(store: &Store, dir: &str) -> anyhow::Result<Exit> {
    let listed = store.list()?;
    let mut good = 0;
    let mut exit = Exit::Solved;
    for table in &listed {
        let line = match store.verify(table) {
            Ok(()) => {
                good += 1;
                format!("good     {}\n", name(table))
            }
            Err(damage @ Damage::Unreadable(_)) => {
                exit = exit.max(Exit::BadInput);
                format!("unknown  {}: {damage}\n", name(table))
            }
            Err(damage) => {
                exit = exit.max(Exit::NoSolution);
                format!("damaged  {}: {damage}\n", name(table))
            }
        };
        say::print(&fitted(&line))?;
    }
    let (all, are) = (counted(listed.len() as u64, "table"), if listed.len() == 1 { "is" } else { "are" });
    say::print(&fitted(&format!("{good} of {all} in {dir} {are} good\n")))?;
    Ok(exit)
}

impl Build {
    fn run(&self, store: &Store) -> anyhow::Result<Exit> {
        let size = self.board.size_to_make()?.map_or_else(|| Size::new(4, 4), Ok)?;
        let (topology, blank) = normal_form_of(self.board.topology(size)?, self.board.goal(size)?.blank());
        let extent = if self.large { Extent::Large } else { Extent::Small };
        let key = Key { topology, blank, extent };
        let available = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let threads = memory::threads(None, self.threads.map_or_else(available, usize::from));
        let started = Instant::now();
        let control = Control::with_cancel(Limits::default(), cancel_on_interrupt()?);
        let kept = match build(store, key, self.device, threads, &control) {
            Err(StoreError::BrokenOff(why)) => {
                say::complain(StoreError::BrokenOff(why));
                return Ok(Exit::Limit);
            }
            kept => kept?,
        };
        if let Some(error) = kept.unwritten {
            return Err(error).context("the tables were built, but not kept");
        }
        let patterns: Vec<String> = kept.tables.each_once().map(|table| describe(table.pattern())).collect();
        let bytes = kept.tables.each_once().map(|table| table.entries().len() as f64).sum();
        let seconds = started.elapsed().as_secs_f64();
        let device = if kept.built_on == Some(Device::Gpu) { ", built on the GPU" } else { "" };
        let mut text = format!("{key}: {} in {}{device}\n", show_bytes(bytes), show_seconds(seconds));
        for pattern in &patterns {
            let _ = writeln!(text, "  {pattern}");
        }
        say::print(&fitted(&text))?;
        Ok(Exit::Solved)
    }
}

fn build(store: &Store, key: Key, device: Device, threads: usize, control: &Control) -> Result<Kept, StoreError> {
    let bar = stderr().is_terminal().then(|| bar("{msg} {bar:40} {percent}% {elapsed}"));
    let mut watch = |building: Building| {
        if let Some(bar) = &bar {
            bar.set_length(building.built.total);
            bar.set_position(building.built.done);
            bar.set_message(format!("table {} of {}", building.table, building.tables));
        }
    };
    let kept = store.build(key, device, threads, control, &mut watch);
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    kept
}

impl Remove {
    fn run(&self, store: &Store) -> anyhow::Result<Exit> {
        let mut removed = 0;
        for table in store.list()? {
            if !table.is_ours() {
                say::complain(format_args!("kept {}: no table that Pintu made", name(&table)));
                continue;
            }
            let size = table.named().map(|pattern| pattern.topology().size());
            if self.size.is_none() || size == self.size {
                store.remove(&table)?;
                removed += 1;
            }
        }
        let unfinished = store.remove_unfinished();
        let also = match unfinished {
            0 => String::new(),
            some => format!(", and {}", counted(some as u64, "unfinished file")),
        };
        say::print(&format!("{} removed{also}\n", counted(removed, "table")))?;
        Ok(Exit::Solved)
    }
}

fn name(table: &Listed) -> String {
    table.path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}

fn describe(pattern: &Pattern) -> String {
    let tiles: Vec<String> = pattern.tiles().iter().map(u8::to_string).collect();
    format!("{}, blank in cell {}: tiles of cells {}", pattern.topology(), pattern.blank(), tiles.join(" "))
}

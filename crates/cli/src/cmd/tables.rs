use std::{
    io::{IsTerminal, stderr},
    path::PathBuf,
    time::Instant,
};

use anyhow::{Context, bail};
use clap::{Args, Subcommand};
use pintu_engine::{
    device::Device,
    tables::{Building, BuiltTables, Damage, Key, Store, StoreError, TableFile},
};
use pintu_search::Control;
use pintu_solver::{
    internals::{Pattern, normal_form_of},
    store::Extent,
};
use pintu_tiles::Size;
use serde::Serialize;

use crate::{
    args::{self, BoardArgs, Format, FormatArgs, ThreadArgs, names},
    exit::{Exit, cancel_on_interrupt},
    progress::bar,
    say::{self, fitted},
    units::{counted, show_bytes, show_seconds},
};

/// Keep the pattern tables that `--algorithm auto` solves with
///
/// Small tables are built when they are first needed, within about a second.
/// The large ones, with which the hardest boards take a tenth of the time,
/// are built only here:
///
///     pintu tables build --size 4x4 --large --threads 0
///
/// They serve every goal with the same blank cell, however that is turned or
/// reflected, and are named by one such cell: for any corner, by cell 0.
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
    List(FormatArgs),
    /// Build the tables of a board and goal
    Build(Build),
    /// Read every table to its end and check it
    Verify(FormatArgs),
    /// Remove tables: those of a size, or all, large ones too, without asking
    Remove(Remove),
}

/// A table, as it is written to JSON.
#[derive(Serialize)]
struct Record {
    file: String,
    bytes: u64,
    /// The result of `verify`: `good`, `damaged` or `unreadable`.
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    board: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    blank: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tiles: Option<Vec<u8>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

impl Record {
    fn of(table: &TableFile, status: Option<&'static str>, error: Option<String>) -> Self {
        let pattern = table.pattern.as_ref().ok();
        Self {
            file: name(table),
            bytes: table.bytes,
            status,
            board: pattern.map(|pattern| pattern.topology().to_string()),
            blank: pattern.map(Pattern::blank),
            tiles: pattern.map(|pattern| pattern.tiles().to_vec()),
            error,
        }
    }
}

#[derive(Args, Debug)]
struct Build {
    #[command(flatten)]
    board: BoardArgs,

    /// The large tables (8-7 on 4x4, 6-6-6-6 on 5x5) rather than the small ones
    #[arg(long)]
    large: bool,

    /// Build one table of the set, so that several machines can share the work
    ///
    /// A number counts the set's tables from 1; several numbers are the cells of a table's tiles, as they are printed.
    #[arg(long, value_name = "PATTERN", value_parser = cells)]
    only: Option<Cells>,

    #[command(flatten)]
    threads: ThreadArgs,

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
    #[arg(short, long, value_name = "RxC")]
    size: Option<Size>,
}

impl TablesCommand {
    pub(crate) fn run(&self) -> anyhow::Result<Exit> {
        let store = args::store(self.tables.as_deref());
        let Some(dir) = store.dir() else {
            bail!("found no cache directory, expected --tables DIR, $PINTU_TABLES or a home directory");
        };
        // The default directory need not exist yet.
        if self.tables.is_some() && !matches!(self.action, Action::Build(_)) && !dir.exists() {
            bail!("--tables: found no folder {}, expected one that is there", dir.display());
        }
        let dir = dir.display().to_string();
        match &self.action {
            Action::List(output) => list(&store, &dir, *output),
            Action::Build(build) => build.run(&store),
            Action::Verify(output) => verify(&store, &dir, *output),
            Action::Remove(remove) => remove.run(&store),
        }
    }
}

fn list(store: &Store, dir: &str, output: FormatArgs) -> anyhow::Result<Exit> {
    let (mut count, mut bytes) = (0, 0);
    for table in &store.list()? {
        let error = table.pattern.as_ref().err().map(ToString::to_string);
        let what = error.clone().or_else(|| table.pattern.as_ref().ok().map(describe)).unwrap_or_default();
        let line = fitted(&format!("{:>10}  {}  {what}", show_bytes(table.bytes), name(table)));
        output.print(&Record::of(table, None, error), |out| writeln!(out, "{line}"))?;
        // A pipe or a folder with a table's name is listed, but not counted.
        if table.pattern.is_ok() {
            count += 1;
            bytes += table.bytes;
        }
    }
    if output.format == Format::Text {
        say::print(&fitted(&format!("{}, {} in {dir}\n", counted(count, "table"), show_bytes(bytes))))?;
    }
    Ok(Exit::Solved)
}

fn verify(store: &Store, dir: &str, output: FormatArgs) -> anyhow::Result<Exit> {
    let listed = store.list()?;
    let mut good = 0;
    let mut exit = Exit::Solved;
    for table in &listed {
        let found = store.verify(table);
        let (status, found_exit) = match found {
            Ok(()) => ("good", Exit::Solved),
            Err(Damage::Unreadable(_)) => ("unreadable", Exit::BadInput),
            Err(_) => ("damaged", Exit::NoSolution),
        };
        let error = found.err().map(|damage| damage.to_string());
        good += usize::from(error.is_none());
        exit = exit.max(found_exit);
        let said = error.as_ref().map_or_else(String::new, |error| format!(": {error}"));
        let line = fitted(&format!("{status:<10}  {}{said}", name(table)));
        output.print(&Record::of(table, Some(status), error), |out| writeln!(out, "{line}"))?;
    }
    if output.format == Format::Text {
        let (all, are) = (counted(listed.len() as u64, "table"), if listed.len() == 1 { "is" } else { "are" });
        say::print(&fitted(&format!("{good} of {all} in {dir} {are} good\n")))?;
    }
    Ok(exit)
}

impl Build {
    fn run(&self, store: &Store) -> anyhow::Result<Exit> {
        let size = self.board.size_to_make(4)?;
        let (topology, blank) = normal_form_of(self.board.topology(size)?, self.board.goal(size)?.blank());
        let extent = if self.large { Extent::Large } else { Extent::Small };
        let key = Key { topology, blank, extent };
        let started = Instant::now();
        let control = Control::unlimited();
        cancel_on_interrupt(control.cancel_switch())?;
        if let Some(only) = &self.only {
            return self.build_one(store, key, only, &control);
        }
        let kept = build(store, key, self.device, self.threads.count(None), &control)?;
        if let Some(error) = kept.unwritten {
            return Err(error).context("the tables were built, but not kept");
        }
        let bytes = kept.tables.each_once().map(|table| table.entries().len() as u64).sum();
        let seconds = started.elapsed().as_secs_f64();
        let device = if kept.built_on == Some(Device::Gpu) { ", built on the GPU" } else { "" };
        let mut text = format!("{key}: {} in {}{device}\n", show_bytes(bytes), show_seconds(seconds));
        text.extend(kept.tables.each_once().map(|table| format!("  {}\n", describe(table.pattern()))));
        say::print(&fitted(&text))?;
        Ok(Exit::Solved)
    }

    fn build_one(&self, store: &Store, key: Key, only: &Cells, control: &Control) -> anyhow::Result<Exit> {
        let started = Instant::now();
        let mut patterns = key.patterns()?;
        let (number, of) = (only.position(&patterns)?, patterns.len());
        let pattern = patterns.swap_remove(number);
        let threads = self.threads.count(None);
        let (bytes, built_on) = store.build_one(&pattern, self.device, threads, control, &mut |_| ())?;
        let how = match built_on {
            Some(Device::Gpu) => format!("in {}, built on the GPU", show_seconds(started.elapsed().as_secs_f64())),
            Some(_) => format!("in {}", show_seconds(started.elapsed().as_secs_f64())),
            None => "was there".to_owned(),
        };
        let text =
            format!("{key}, table {} of {of}: {} {how}\n  {}\n", number + 1, show_bytes(bytes), describe(&pattern));
        say::print(&fitted(&text))?;
        Ok(Exit::Solved)
    }
}

/// A table of a set: its number from 1, or the cells of its tiles.
#[derive(Clone, Debug)]
struct Cells(Vec<usize>);

fn cells(text: &str) -> Result<Cells, String> {
    let numbers = text.split([',', ' ']).filter(|number| !number.is_empty()).map(str::parse).collect();
    match numbers {
        Ok(numbers) if Vec::is_empty(&numbers) => Err("expected a number, or cells of tiles".to_owned()),
        Ok(numbers) => Ok(Cells(numbers)),
        Err(error) => Err(format!("{error}: expected a number, or cells of tiles")),
    }
}

impl Cells {
    /// The index of the table.
    fn position(&self, patterns: &[Pattern]) -> anyhow::Result<usize> {
        let has_tiles =
            |pattern: &Pattern| pattern.tiles().iter().map(|&tile| usize::from(tile)).eq(self.0.iter().copied());
        let found = match self.0[..] {
            [number] => number.checked_sub(1).filter(|&at| at < patterns.len()),
            _ => patterns.iter().position(has_tiles),
        };
        let listed =
            || patterns.iter().map(|pattern| format!("\n  {}", describe(pattern))).collect::<Vec<_>>().concat();
        found.with_context(|| format!("--only: found no such table, expected one of {}:{}", patterns.len(), listed()))
    }
}

fn build(
    store: &Store,
    key: Key,
    device: Device,
    threads: usize,
    control: &Control,
) -> Result<BuiltTables, StoreError> {
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

fn name(table: &TableFile) -> String {
    table.path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}

fn describe(pattern: &Pattern) -> String {
    let tiles: Vec<String> = pattern.tiles().iter().map(u8::to_string).collect();
    format!("{}, blank in cell {}: tiles of cells {}", pattern.topology(), pattern.blank(), tiles.join(" "))
}

//! Output: answers to standard output or `--output`, remarks to standard error, and whole files.
//!
//! The print macros panic if the output is closed; nothing here does.

use std::{
    fmt::Display,
    fs::{self, File},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
    sync::OnceLock,
};

use anstyle::AnsiColor;
use anyhow::Context;
use pintu_engine::{in_words, new_file_beside};
use serde::Serialize;
use textwrap::{Options, core::display_width};

/// The file of `--output`. It is created with the first answer, so that a command that fails before leaves an older
/// file as it is.
static OUTPUT: OnceLock<(PathBuf, OnceLock<File>)> = OnceLock::new();

/// Writes all answers to a file from now on.
pub(crate) fn print_to(path: &Path) {
    // Only the first call has an effect; arguments name only one file.
    let _ = OUTPUT.set((path.to_owned(), OnceLock::new()));
}

/// Whether answers are written to this file, so that it cannot be read as well.
pub(crate) fn is_output(path: &Path) -> bool {
    let same = |output: &Path| Some(output.canonicalize().ok()? == path.canonicalize().ok()?);
    OUTPUT.get().is_some_and(|(output, _)| same(output).unwrap_or(false))
}

fn output_file<'a>(path: &Path, file: &'a OnceLock<File>) -> io::Result<&'a File> {
    if file.get().is_none() {
        let _ = file.set(File::create(path)?);
    }
    Ok(file.get().expect("it was set"))
}

pub(crate) fn print(text: &str) -> anyhow::Result<()> {
    print_with(|out| out.write_all(text.as_bytes()))
}

/// Prints an object as a line of JSON and flushes it.
pub(crate) fn print_json(object: &impl Serialize) -> anyhow::Result<()> {
    print_with(|out| {
        serde_json::to_writer(&mut *out, object)?;
        out.write_all(b"\n")
    })
}

/// Prints in pieces what would be a large text, and flushes it.
pub(crate) fn print_with(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> anyhow::Result<()> {
    let (inner, name): (Box<dyn Write>, _) = match OUTPUT.get() {
        Some((path, file)) => {
            let name = format!("--output {}", path.display());
            (Box::new(output_file(path, file).with_context(|| name.clone())?), name)
        }
        None => (Box::new(io::stdout().lock()), "standard output".to_owned()),
    };
    let mut out = BufWriter::new(inner);
    write(&mut out).and_then(|()| out.flush()).context(name)
}

/// The most columns of help, and of all output without a terminal.
pub(crate) const PAGE_WIDTH: usize = 80;

/// The columns available for printed text.
pub(crate) fn room() -> usize {
    terminal_width().unwrap_or(PAGE_WIDTH)
}

/// The columns of the terminal, if answers are printed to one.
pub(crate) fn terminal_width() -> Option<usize> {
    if OUTPUT.get().is_some() {
        return None;
    }
    terminal_size::terminal_size_of(io::stdout()).map(|(width, _)| usize::from(width.0))
}

/// Whether answers are printed in colour: `--color`, else a terminal that has colours, unless `NO_COLOR` is set.
pub(crate) fn has_colours() -> bool {
    match anstream::ColorChoice::global() {
        anstream::ColorChoice::Auto if OUTPUT.get().is_some() => false,
        _ => anstream::AutoStream::choice(&io::stdout()) != anstream::ColorChoice::Never,
    }
}

/// A quality, shown as a colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    /// Proved, or the best value.
    Good,
    /// True, but not proved to be the best.
    Doubtful,
    /// Not the wanted result.
    Bad,
}

/// A text in the colour of a tone, where answers are printed in colour.
pub(crate) fn toned(tone: Tone, text: &str) -> String {
    if text.is_empty() || !has_colours() {
        return text.to_owned();
    }
    let style = match tone {
        Tone::Good => AnsiColor::Green,
        Tone::Doubtful => AnsiColor::Yellow,
        Tone::Bad => AnsiColor::Red,
    };
    let style = style.on_default().bold();
    format!("{style}{text}{style:#}")
}

/// Breaks a line into several of at most `room` columns: between its parts, which ` · ` separates, else between words,
/// else (in the moves of a solution) within a word.
pub(crate) fn folded(line: &str, room: usize) -> String {
    const BETWEEN: &str = " · ";
    let mut lines: Vec<String> = Vec::new();
    for part in line.split(BETWEEN) {
        match lines.last_mut() {
            Some(last) if display_width(last) + display_width(BETWEEN) + display_width(part) <= room => {
                last.push_str(BETWEEN);
                last.push_str(part);
            }
            _ => lines.push(textwrap::fill(part, Options::new(room).subsequent_indent("  "))),
        }
    }
    lines.join("\n")
}

/// Folds each line for the terminal on which it is printed; elsewhere leaves it as it is.
pub(crate) fn fitted(text: &str) -> String {
    let Some(room) = terminal_width() else { return text.to_owned() };
    text.split('\n').map(|line| folded(line, room)).collect::<Vec<_>>().join("\n")
}

/// Prints an error to standard error. If that cannot be written, the work goes on.
pub(crate) fn complain(what: impl Display) {
    remark(format_args!("pintu: {what}"));
}

pub(crate) fn complain_of(error: &anyhow::Error) {
    complain(chain(error));
}

/// An error and its causes in one line, without a cause that the error before it repeats.
pub(crate) fn chain(error: &anyhow::Error) -> String {
    let words = |cause: &(dyn std::error::Error + 'static)| match cause.downcast_ref::<io::Error>() {
        Some(system) => in_words(system),
        None => cause.to_string(),
    };
    let mut said: Vec<String> = error.chain().map(words).collect();
    said.dedup_by(|cause, error| error.ends_with(cause.as_str()));
    said.join(": ")
}

pub(crate) fn remark(what: impl Display) {
    let width = terminal_size::terminal_size_of(io::stderr()).map_or(usize::MAX, |(width, _)| width.0.into());
    let _ = writeln!(io::stderr(), "{}", textwrap::fill(&what.to_string(), width));
}

/// Whether an error says that the reader has closed the output.
pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let kind = |cause: &(dyn std::error::Error + 'static)| cause.downcast_ref::<io::Error>().map(io::Error::kind);
    error.chain().find_map(kind) == Some(io::ErrorKind::BrokenPipe)
}

/// Writes a file completely or not at all, even if the disk is full; a pipe or a device directly.
pub(crate) fn write_whole(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let Some(path) = regular_file(path) else {
        let mut out = BufWriter::new(File::options().write(true).open(path)?);
        return write(&mut out).and_then(|()| out.flush());
    };
    let mut out = BufWriter::new(new_file_beside(&path)?);
    write(&mut out)?;
    let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
    file.persist(path).map(|_| ()).map_err(|error| error.error)
}

/// The file of a name, links followed, whether it exists or not; `None` for a pipe, a device or a folder.
pub(crate) fn regular_file(path: &Path) -> Option<PathBuf> {
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    fs::metadata(&path).map_or(true, |found| found.is_file()).then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_folded_between_its_parts_then_words_then_letters() {
        for (line, room, expected) in [
            ("one · two · three", 80, "one · two · three"),
            ("one · two · three", 9, "one · two\nthree"),
            ("one · two · three", 5, "one\ntwo\nthree"),
            ("4 moves (optimal): ULDR (blank)", 12, "4 moves\n  (optimal):\n  ULDR\n  (blank)"),
            ("2 moves: UUUUUUUUUUUU", 8, "2 moves:\n  UUUUUU\n  UUUUUU"),
            // Chinese characters take two columns, colour codes none.
            ("地图 · 迷宫", 11, "地图 · 迷宫"),
            ("地图 · 迷宫", 10, "地图\n迷宫"),
            ("\x1b[32moptimal\x1b[0m · two", 13, "\x1b[32moptimal\x1b[0m · two"),
        ] {
            assert_eq!(folded(line, room), expected, "{room}");
        }
    }
}

//! What the command says: answers on standard output, remarks on standard error.
//!
//! The print macros panic where nobody can listen; nothing here does.

use std::{
    fmt::Display,
    io::{self, BufWriter, Write},
    process::ExitCode,
};

use anstyle::AnsiColor;
use anyhow::Context;
use pintu_engine::in_words;
use serde::Serialize;

use crate::render::{evened, wrapped};

/// Prints to standard output, so that it is out when this returns.
pub(crate) fn print(text: &str) -> anyhow::Result<()> {
    print_with(|out| out.write_all(text.as_bytes()))
}

/// Prints an object and the end of its line to standard output, piece by piece.
pub(crate) fn print_json(object: &impl Serialize) -> anyhow::Result<()> {
    print_with(|out| {
        serde_json::to_writer(&mut *out, object)?;
        out.write_all(b"\n")
    })
}

/// Has something written to standard output piece by piece, for as a text it might be larger than all else: it is out when
/// this returns.
pub(crate) fn print_with(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> anyhow::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    write(&mut out).and_then(|()| out.flush()).context("standard output")
}

/// Says what the reader of the arguments has to say, and what to end with.
pub(crate) fn usage(said: &clap::Error) -> anyhow::Result<ExitCode> {
    let text = said.render().ansi().to_string();
    if said.use_stderr() {
        let _ = anstream::stderr().write_all(wrapped_for_errors(&text).as_bytes());
    } else {
        let text = evened(&text, room().min(HELP_WIDTH));
        let mut out = anstream::stdout();
        out.write_all(text.as_bytes()).and_then(|()| out.flush()).context("standard output")?;
    }
    Ok(ExitCode::from(said.exit_code() as u8))
}

/// The most columns that help takes, however many there are.
pub(crate) const HELP_WIDTH: usize = 80;

/// How many columns what is printed may take: the terminal's, or what every terminal and every mail has.
pub(crate) fn room() -> usize {
    terminal_width().unwrap_or(HELP_WIDTH)
}

/// How many columns the terminal has, if what is printed goes to one.
pub(crate) fn terminal_width() -> Option<usize> {
    terminal_size::terminal_size_of(io::stdout()).map(|(width, _)| usize::from(width.0))
}

/// Whether what is printed may be in colour: a terminal that has some, and nobody who asks for none (`NO_COLOR`).
pub(crate) fn has_colours() -> bool {
    anstream::AutoStream::choice(&io::stdout()) != anstream::ColorChoice::Never
}

/// What somebody should notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    /// All that could be wished for.
    Good,
    /// True as far as it goes.
    Doubtful,
    /// Not what was asked for.
    Bad,
}

/// A text in the colour of a tone, where whoever reads what is printed sees colours.
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

/// Says on standard error what went wrong. Where that cannot be written, the work is no less worth doing.
pub(crate) fn complain(what: impl Display) {
    remark(format_args!("pintu: {what}"));
}

/// Says on standard error what was wrong.
pub(crate) fn complain_of(error: &anyhow::Error) {
    complain(chain(error));
}

/// An error and what caused it, in one line.
pub(crate) fn chain(error: &anyhow::Error) -> String {
    let words = |cause: &(dyn std::error::Error + 'static)| match cause.downcast_ref::<io::Error>() {
        Some(system) => in_words(system),
        None => cause.to_string(),
    };
    error.chain().map(words).collect::<Vec<_>>().join(": ")
}

/// Says something on standard error.
pub(crate) fn remark(what: impl Display) {
    let _ = writeln!(io::stderr(), "{}", wrapped_for_errors(&what.to_string()));
}

/// Lines as they fit the terminal that errors go to; elsewhere as they are.
fn wrapped_for_errors(text: &str) -> String {
    let Some((width, _)) = terminal_size::terminal_size_of(io::stderr()) else { return text.to_owned() };
    text.split('\n').map(|line| wrapped(line, width.0.into()).join("\n")).collect::<Vec<_>>().join("\n")
}

/// Whether an error is that whoever reads our output has had enough of it.
pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let kind = |cause: &(dyn std::error::Error + 'static)| cause.downcast_ref::<io::Error>().map(io::Error::kind);
    error.chain().find_map(kind) == Some(io::ErrorKind::BrokenPipe)
}

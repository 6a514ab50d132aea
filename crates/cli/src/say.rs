//! What the command says: answers on standard output, remarks on standard error.
//!
//! The print macros panic where nobody can listen; nothing here does.

use std::{
    fmt::Display,
    io::{self, Write},
    process::ExitCode,
};

use anyhow::Context;

/// Prints to standard output, so that it is out when this returns.
pub(crate) fn print(text: &str) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).context("standard output")
}

/// Says what the reader of the arguments has to say, and what to end with.
pub(crate) fn usage(said: &clap::Error) -> anyhow::Result<ExitCode> {
    let written = said.print().and_then(|()| io::stdout().flush());
    if !said.use_stderr() {
        written.context("standard output")?;
    }
    Ok(ExitCode::from(said.exit_code() as u8))
}

/// How many columns what is printed may take: the terminal's, or what every terminal and every mail has.
pub(crate) fn room() -> usize {
    terminal_width().unwrap_or(80)
}

/// How many columns the terminal has, if what is printed goes to one.
pub(crate) fn terminal_width() -> Option<usize> {
    terminal_size::terminal_size_of(io::stdout()).map(|(width, _)| usize::from(width.0))
}

/// Whether what is printed may be in colour: a terminal that has some, and nobody who asks for none (`NO_COLOR`).
pub(crate) fn has_colours() -> bool {
    anstream::AutoStream::choice(&io::stdout()) != anstream::ColorChoice::Never
}

/// Says on standard error what went wrong. Where that cannot be written, the work is no less worth doing.
pub(crate) fn complain(what: impl Display) {
    remark(format_args!("pintu: {what}"));
}

/// Says something on standard error.
pub(crate) fn remark(what: impl Display) {
    let _ = writeln!(io::stderr(), "{what}");
}

/// Whether an error is that whoever reads our output has had enough of it.
pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let kind = |cause: &(dyn std::error::Error + 'static)| {
        let plain = cause.downcast_ref::<io::Error>().map(io::Error::kind);
        // What is written as JSON fails as JSON.
        plain.or_else(|| cause.downcast_ref::<serde_json::Error>().and_then(serde_json::Error::io_error_kind))
    };
    error.chain().find_map(kind) == Some(io::ErrorKind::BrokenPipe)
}

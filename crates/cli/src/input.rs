//! Text from files and from standard input.

use std::{
    fs::{self, File},
    io::{self, BufRead, BufReader, IsTerminal, Read},
    path::Path,
    sync::mpsc::{RecvTimeoutError, sync_channel},
    thread,
    time::Duration,
};

use anyhow::{Context, bail};
use pintu_grid::without_mark;
use pintu_search::{Cancel, Control, Hold};
use pintu_tiles::{looks_like_board, read_link};

use crate::{say, units::show_bytes};

pub(crate) const STDIN: &str = "-";

/// The most bytes of a board, or of a line with one, with any spacing and comments.
const MAX_BOARD_BYTES: u64 = 1 << 20;

/// The sources of a command: its arguments, standard input if there are none, or a board whose numbers they are.
pub(crate) fn sources(args: &[String]) -> Vec<String> {
    let is_number = |arg: &String| !looks_like_board(arg) && !Path::new(arg).exists();
    match args {
        [] => vec![STDIN.to_owned()],
        [_, _, ..] if looks_like_board(&args.join(" ")) && args.iter().all(is_number) => vec![args.join(" ")],
        _ => args.to_vec(),
    }
}

/// The whole text of a file with a board, or of standard input for `-`, without a byte-order mark. (The readers of maps
/// skip it.)
pub(crate) fn read_file(path: &str) -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    let read = open_boards(path)?.take(MAX_BOARD_BYTES + 1).read_to_end(&mut bytes);
    let text = read.map_err(anyhow::Error::from).and_then(|_| board_text(bytes)).with_context(|| name(path))?;
    Ok(without_mark(&text).to_owned())
}

/// The whole text of a map or graph, or of standard input for `-`, with its bytes in `hold`: at most half of the
/// remaining memory, because the map or graph takes as much again.
pub(crate) fn read_within(path: &str, control: &Control, hold: &mut Hold) -> anyhow::Result<String> {
    const EXAMPLE: &str = "Type a map and end it with Ctrl-D, for instance the lines S.#. and ...G";
    let most = control.room(u64::MAX) / 2;
    let mut bytes = Vec::new();
    let size = fs::metadata(path).map_or(0, |found| found.len());
    if size > most {
        bail!(TooLarge::new(name(path), control));
    }
    bytes.reserve_exact(size as usize);
    open(path, EXAMPLE)?.take(most.saturating_add(1)).read_to_end(&mut bytes).with_context(|| name(path))?;
    if bytes.len() as u64 > most || hold.more(bytes.capacity() as u64).is_err() {
        bail!(TooLarge::new(name(path), control));
    }
    text(bytes).with_context(|| name(path))
}

/// The lines of a batch, each with its number from 1 on, which errors do not repeat. A line that is too long for a
/// board is an error by itself; a line that cannot be read is the last.
///
/// A separate thread reads them, so that waiting for the next line ends when the search is cancelled. Lines that have
/// been read by then are still returned.
pub(crate) fn read_lines(
    path: &str,
    cancel: Cancel,
) -> anyhow::Result<impl Iterator<Item = (usize, anyhow::Result<String>)> + use<>> {
    const CHECK_INTERVAL: Duration = Duration::from_millis(50);
    /// Lines that are read ahead.
    const AHEAD: usize = 64;
    let mut source = open_boards(path)?;
    let (sender, lines) = sync_channel(AHEAD);
    let read = move || {
        for number in 1.. {
            let Some(line) = next_line(&mut source).transpose() else { return };
            let failed = line.is_err();
            let line = line.map_err(anyhow::Error::from).and_then(board_text);
            let line = line.map(|line| if number == 1 { without_mark(&line).to_owned() } else { line });
            if sender.send((number, line)).is_err() || failed {
                return;
            }
        }
    };
    thread::Builder::new().spawn(read).context("cannot start a thread that reads")?;
    let mut left = AHEAD;
    Ok(std::iter::from_fn(move || {
        loop {
            if cancel.is_cancelled() {
                left = left.checked_sub(1)?;
                return lines.recv_timeout(CHECK_INTERVAL).ok();
            }
            match lines.recv_timeout(CHECK_INTERVAL) {
                Err(RecvTimeoutError::Timeout) => {}
                line => return line.ok(),
            }
        }
    }))
}

/// The next line without its end, if there is one. Of a line that is too long, only enough to show that is kept.
fn next_line(source: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    source.take(MAX_BOARD_BYTES + 1).read_until(b'\n', &mut bytes)?;
    if bytes.last() == Some(&b'\n') {
        bytes.pop();
    } else if bytes.is_empty() {
        return Ok(None);
    } else if bytes.len() as u64 > MAX_BOARD_BYTES {
        source.skip_until(b'\n')?;
    }
    Ok(Some(bytes))
}

/// The name of a file in messages.
pub(crate) fn name(path: &str) -> String {
    if path == STDIN { "standard input".to_owned() } else { path.to_owned() }
}

/// Opens a file, or standard input; on a terminal it prints an example of what to type.
fn open(path: &str, example: &str) -> anyhow::Result<Box<dyn BufRead + Send>> {
    if path == STDIN {
        if io::stdin().is_terminal() {
            say::remark(example);
        }
        return Ok(Box::new(BufReader::new(io::stdin())));
    }
    if Path::new(path).is_dir() {
        bail!("{path}: found a directory, expected a file");
    }
    if say::is_output(Path::new(path)) {
        bail!("{path}: found the same file as input and --output, expected two");
    }
    File::open(path).map(|file| Box::new(BufReader::new(file)) as _).with_context(|| path.to_owned())
}

/// Opens a file with boards. A board, or a link to one, may stand in place of the file's name.
fn open_boards(path: &str) -> anyhow::Result<Box<dyn BufRead + Send>> {
    if (looks_like_board(path) || read_link(path).is_some()) && !Path::new(path).exists() {
        return Ok(Box::new(io::Cursor::new(path.to_owned())));
    }
    open(path, "Type a board and end it with Ctrl-D, for instance 0 1 3 4 2 5 7 8 6")
}

fn board_text(bytes: Vec<u8>) -> anyhow::Result<String> {
    if bytes.len() as u64 > MAX_BOARD_BYTES {
        bail!("found more than {} at once, expected a board", show_bytes(MAX_BOARD_BYTES));
    }
    text(bytes)
}

fn text(bytes: Vec<u8>) -> anyhow::Result<String> {
    if let Some(at) = bytes.iter().position(|&byte| byte == 0) {
        bail!("found a zero byte at offset {at}, expected text");
    }
    String::from_utf8(bytes).map_err(|error| {
        anyhow::anyhow!("found bytes that are not UTF-8 at offset {}, expected text", error.utf8_error().valid_up_to())
    })
}

#[derive(Debug, thiserror::Error)]
#[error("{what} does not fit: {} of --memory-limit are left", show_bytes(*left))]
pub(crate) struct TooLarge {
    what: String,
    left: u64,
}

impl TooLarge {
    pub(crate) fn new(what: String, control: &Control) -> Self {
        Self { what, left: control.room(u64::MAX) }
    }
}

//! Text from files and from standard input.

mod patient;
mod room;

use std::{
    fs::{self, File},
    io::{self, BufRead, BufReader, IsTerminal, Read},
    path::Path,
};

use anyhow::{Context, bail};
use pintu_grid::without_mark;
use pintu_tiles::{looks_like_board, read_link};

pub(crate) use self::room::{Room, TooLarge, is_too_large};
use crate::{say, units::show_bytes};

/// The name of standard input.
pub(crate) const STDIN: &str = "-";

/// The whole text of a file with a board, or of standard input for `-`.
pub(crate) fn read_file(path: &str) -> anyhow::Result<String> {
    read_all(path, open_boards, |_, needed| is_short(needed).with_context(|| name(path))).map(unmarked)
}

/// The whole text of a file. Before it takes more bytes, `make_room` is told how many it will have then.
fn read_all(
    path: &str,
    open: impl FnOnce(&str) -> anyhow::Result<Box<dyn BufRead + Send>>,
    mut make_room: impl FnMut(&mut Vec<u8>, usize) -> anyhow::Result<()>,
) -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    let mut source = open(path)?;
    loop {
        let piece = match source.fill_buf() {
            Ok([]) => break,
            Ok(piece) => piece,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error).with_context(|| name(path)),
        };
        let needed = bytes.len() + piece.len();
        make_room(&mut bytes, needed)?;
        let length = piece.len();
        bytes.extend_from_slice(piece);
        source.consume(length);
    }
    text(bytes).with_context(|| name(path))
}

/// No board takes more, nor a line with one, however wide it is set and whatever is remarked on it. Whatever does is
/// something else, and is not held in memory to see that.
const MOST_BYTES: u64 = 1 << 20;

fn is_short(bytes: usize) -> anyhow::Result<()> {
    if bytes as u64 > MOST_BYTES {
        bail!("found more than {} at once, expected a board", show_bytes(MOST_BYTES as f64));
    }
    Ok(())
}

/// A file, or standard input for `-`, line by line, each with its number from 1 on: what is wrong with a line does not say
/// where that stands. A line that is none of a board's is wrong by itself; what cannot be read ends it.
pub(crate) fn read_lines(path: &str) -> anyhow::Result<impl Iterator<Item = (usize, anyhow::Result<String>)> + use<>> {
    let mut number = 0;
    let mut source = open_boards(path)?;
    let mut failed = false;
    Ok(std::iter::from_fn(move || {
        if failed {
            return None;
        }
        let line = next_line(&mut source).transpose()?;
        failed = line.is_err();
        number += 1;
        let short = |line: Vec<u8>| is_short(line.len()).map(|()| line);
        let line = line
            .map_err(anyhow::Error::from)
            .and_then(short)
            .and_then(text)
            .map(|line| if number == 1 { unmarked(line) } else { line });
        Some((number, line))
    }))
}

/// The next line without its end, if there is one. Of one that is too long, no more than shows that; the rest is skipped.
fn next_line(source: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    source.take(MOST_BYTES + 1).read_until(b'\n', &mut bytes)?;
    if bytes.last() == Some(&b'\n') {
        bytes.pop();
    } else if bytes.is_empty() {
        return Ok(None);
    } else if bytes.len() as u64 > MOST_BYTES {
        source.skip_until(b'\n')?;
    }
    Ok(Some(bytes))
}

/// What a file is called in messages.
pub(crate) fn name(path: &str) -> String {
    if path == STDIN { "standard input".to_owned() } else { path.to_owned() }
}

fn open(path: &str) -> anyhow::Result<Box<dyn BufRead + Send>> {
    if path == STDIN {
        if io::stdin().is_terminal() {
            say::remark("Type a board, for instance 0 1 3 4 2 5 7 8 6, and end it with Ctrl-D.");
        }
        return Ok(match patient::Reader::new(|| Ok(io::stdin())) {
            Ok(reader) => Box::new(reader),
            // Without a thread it is read as well, but Ctrl-C does not end the waiting.
            Err(_) => Box::new(BufReader::new(io::stdin())),
        });
    }
    if Path::new(path).is_dir() {
        bail!("{path}: found a directory, expected a file");
    }
    // A pipe with a name can keep us waiting from the moment it is opened.
    if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        let file = path.to_owned();
        if let Ok(reader) = patient::Reader::new(move || File::open(file)) {
            return Ok(Box::new(reader));
        }
    }
    match File::open(path) {
        Ok(file) => Ok(Box::new(BufReader::new(file))),
        // A link says all that a file with it would say.
        Err(error) if error.kind() == io::ErrorKind::NotFound && read_link(path).is_some() => {
            Ok(Box::new(io::Cursor::new(path.to_owned())))
        }
        Err(error) => Err(error).with_context(|| path.to_owned()),
    }
}

/// Opens a file with boards.
fn open_boards(path: &str) -> anyhow::Result<Box<dyn BufRead + Send>> {
    if looks_like_board(path) && !Path::new(path).exists() {
        bail!(
            "{path}: found a board, expected the name of a file; boards go to standard input, as in echo '{path}' | pintu solve"
        );
    }
    open(path)
}

/// A board's text without the byte-order mark that some editors put first. (Whoever reads maps does without it.)
fn unmarked(mut text: String) -> String {
    let mark = text.len() - without_mark(&text).len();
    text.drain(..mark);
    text
}

fn text(bytes: Vec<u8>) -> anyhow::Result<String> {
    if let Some(at) = bytes.iter().position(|&byte| byte == 0) {
        bail!("found a zero byte at offset {at}, expected text");
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(text),
        Err(error) => {
            bail!("found bytes that are not UTF-8 at offset {}, expected text", error.utf8_error().valid_up_to())
        }
    }
}

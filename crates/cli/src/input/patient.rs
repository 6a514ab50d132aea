//! Reading what may keep us waiting, with an ear for Ctrl-C.

use std::{
    io::{self, BufRead, Read},
    sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel},
    thread,
};

use crate::interrupt::{GLANCE, Interruption, is_interrupted};

/// A source that is read on a thread of its own: a read cannot be called off, but waiting for one can.
///
/// After Ctrl-C it still hands over what was there by then, and fails when it would have to wait, or to go on for ever.
pub(super) struct Reader {
    pieces: Receiver<io::Result<Vec<u8>>>,
    piece: Vec<u8>,
    /// How much of the piece is taken.
    taken: usize,
    /// How many pieces are yet to be handed over after Ctrl-C.
    last: usize,
}

/// How many pieces wait to be taken at most.
const AHEAD: usize = 4;

impl Reader {
    /// Opens a source on its thread and reads it from there. Fails if there is no thread to be had.
    pub(super) fn new<R: Read>(open: impl FnOnce() -> io::Result<R> + Send + 'static) -> io::Result<Self> {
        let (sender, pieces) = sync_channel(AHEAD);
        thread::Builder::new().spawn(move || pump(open(), &sender))?;
        Ok(Self { pieces, piece: Vec::new(), taken: 0, last: AHEAD })
    }
}

/// Reads until the source ends or fails, or nobody listens.
fn pump<R: Read>(source: io::Result<R>, pieces: &SyncSender<io::Result<Vec<u8>>>) {
    let mut source = match source {
        Ok(source) => source,
        Err(error) => return drop(pieces.send(Err(error))),
    };
    let mut buffer = vec![0; 1 << 16];
    loop {
        let piece = match source.read(&mut buffer) {
            Ok(0) => return,
            Ok(length) => Ok(buffer[..length].to_vec()),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => Err(error),
        };
        let failed = piece.is_err();
        if pieces.send(piece).is_err() || failed {
            return;
        }
    }
}

impl BufRead for Reader {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        while self.taken == self.piece.len() {
            if is_interrupted() {
                let Some(last) = self.last.checked_sub(1) else { return Err(io::Error::other(Interruption)) };
                self.last = last;
            }
            match self.pieces.recv_timeout(GLANCE) {
                Ok(piece) => (self.piece, self.taken) = (piece?, 0),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) if is_interrupted() => return Err(io::Error::other(Interruption)),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
        Ok(&self.piece[self.taken..])
    }

    fn consume(&mut self, length: usize) {
        self.taken += length;
    }
}

impl Read for Reader {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let length = self.fill_buf()?.read(into)?;
        self.consume(length);
        Ok(length)
    }
}

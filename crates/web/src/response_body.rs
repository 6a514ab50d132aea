//! Bodies of responses to searches. A worker compresses an answer while it writes it, into memory that is reserved first; a
//! slow client's answer is held compressed, and counts as in flight until it is read.

use std::io::{self, Cursor, Read, Write};

use axum::body::Bytes;
use flate2::{Compression, read::GzDecoder, write::GzEncoder};
use pintu_search::{Cancel, Control, Hold};
use serde::Serialize;

use crate::{budget::Reservation, error::ApiError};

pub(crate) const CHUNK_BYTES: usize = 64 << 10;

/// Takes an answer as it is written. One of a single chunk stays as it is; a longer one is compressed.
pub(crate) struct BodyWriter {
    /// Bytes that are not compressed yet.
    buffer: Vec<u8>,
    /// Where compressed bytes will go; the encoder has it once there are any.
    storage: Option<Storage>,
    encoder: Option<GzEncoder<Storage>>,
    /// Cancelled when the client has gone.
    gone: Cancel,
}

impl BodyWriter {
    /// The body counts towards the memory limit of its search until it is complete, and as in flight until it is read.
    pub(crate) fn new(search: &Control, in_flight: Reservation, gone: Cancel) -> Self {
        let storage = Storage { hold: search.hold(), held: Held { bytes: Vec::new(), in_flight } };
        Self { buffer: Vec::new(), storage: Some(storage), encoder: None, gone }
    }

    pub(crate) fn json(mut self, value: &impl Serialize) -> Result<ResponseBody, ApiError> {
        serde_json::to_writer(&mut self, value).map_err(|error| write_error(error.into()))?;
        self.finish(false)
    }

    /// The whole body; `compressed` also where it is short.
    pub(crate) fn finish(mut self, compressed: bool) -> Result<ResponseBody, ApiError> {
        if compressed || self.encoder.is_some() {
            self.compress().map_err(write_error)?;
        }
        match self.encoder {
            None => Ok(ResponseBody { is_gzip: false, bytes: self.buffer.into() }),
            Some(encoder) => {
                let Storage { held, .. } = encoder.finish().map_err(write_error)?;
                Ok(ResponseBody { is_gzip: true, bytes: Bytes::from_owner(held) })
            }
        }
    }

    fn compress(&mut self) -> io::Result<()> {
        if self.gone.is_cancelled() {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        if let Some(storage) = self.storage.take() {
            // The client waits for this: the fastest level.
            self.encoder = Some(GzEncoder::new(storage, Compression::fast()));
        }
        if let Some(encoder) = &mut self.encoder {
            encoder.write_all(&self.buffer)?;
        }
        self.buffer.clear();
        Ok(())
    }
}

impl Write for BodyWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.buffer.len() >= CHUNK_BYTES {
            self.compress()?;
        }
        let some = bytes.len().min(CHUNK_BYTES - self.buffer.len());
        self.buffer.extend_from_slice(&bytes[..some]);
        Ok(some)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Bytes that count as in flight until they are dropped.
pub(crate) struct Held {
    pub(crate) bytes: Vec<u8>,
    pub(crate) in_flight: Reservation,
}

impl AsRef<[u8]> for Held {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

/// Compressed bytes of an answer that is not complete.
struct Storage {
    hold: Hold,
    held: Held,
}

impl Storage {
    /// Reserves memory, and then takes it.
    fn grow(&mut self) -> Result<(), ApiError> {
        let more = CHUNK_BYTES.max(self.held.bytes.len() / 8);
        if self.hold.more(more as u64).is_err() {
            let message = "limits.mebibytes: found less than the answer itself takes, expected more";
            return Err(ApiError::bad("bad-field", message));
        }
        self.held.in_flight.add(more)?;
        self.held.bytes.reserve_exact(more);
        Ok(())
    }
}

impl Write for Storage {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let held = &self.held.bytes;
        if held.len() == held.capacity() {
            self.grow().map_err(io::Error::other)?;
        }
        let held = &mut self.held.bytes;
        let some = bytes.len().min(held.capacity() - held.len());
        held.extend_from_slice(&bytes[..some]);
        Ok(some)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

pub(crate) fn write_error(error: io::Error) -> ApiError {
    error.downcast().unwrap_or_else(|_| ApiError::internal())
}

#[derive(Clone)]
pub(crate) struct ResponseBody {
    pub(crate) is_gzip: bool,
    pub(crate) bytes: Bytes,
}

/// A body in chunks, made as they are asked for.
pub(crate) type Chunks = Box<dyn Iterator<Item = Bytes> + Send>;

impl ResponseBody {
    pub(crate) fn plain(self) -> Chunks {
        let stored = Cursor::new(self.bytes);
        if self.is_gzip {
            Box::new(chunks_of(GzDecoder::new(stored)))
        } else {
            Box::new(std::iter::once(stored.into_inner()))
        }
    }
}

fn chunks_of(mut source: impl Read) -> impl Iterator<Item = Bytes> {
    std::iter::from_fn(move || {
        let mut chunk = Vec::with_capacity(CHUNK_BYTES);
        // Reading what we compressed ourselves does not fail.
        source.by_ref().take(CHUNK_BYTES as u64).read_to_end(&mut chunk).ok()?;
        (!chunk.is_empty()).then(|| chunk.into())
    })
}

#[cfg(test)]
mod tests {
    use pintu_search::Limits;

    use super::*;
    use crate::budget::Budget;

    fn writer(memory: u64, in_flight: &Budget) -> BodyWriter {
        let control = Control::new(Limits::none().memory(memory));
        BodyWriter::new(&control, in_flight.begin("127.0.0.1".parse().unwrap()), Cancel::new())
    }

    fn budget(most: usize) -> Budget {
        Budget::new("full", most, most, 1)
    }

    fn noise(length: usize) -> Vec<u8> {
        let mut x = 1_u64;
        let next = |_| {
            x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (x >> 33) as u8
        };
        (0..length).map(next).collect()
    }

    fn body(bytes: &[u8], compressed: bool) -> ResponseBody {
        let mut out = writer(1 << 30, &budget(1 << 30));
        out.write_all(bytes).unwrap();
        out.finish(compressed).unwrap()
    }

    fn joined(chunks: Chunks) -> Vec<u8> {
        chunks.inspect(|chunk| assert!(chunk.len() <= CHUNK_BYTES)).flatten().collect()
    }

    #[test]
    fn a_body_comes_out_as_it_was_written_in_small_chunks() {
        for length in [0, 1, CHUNK_BYTES - 1, CHUNK_BYTES, CHUNK_BYTES + 1, 3 * CHUNK_BYTES + 7, 1_000_000] {
            let bytes = noise(length);
            for compressed in [false, true] {
                assert_eq!(body(&bytes, compressed).is_gzip, compressed || length > CHUNK_BYTES, "{length}");
                assert!(joined(body(&bytes, compressed).plain()) == bytes, "{length}");
            }
        }
        assert!(body(&vec![0; 5_000_000], false).bytes.len() < 100_000);
    }

    #[test]
    fn memory_is_reserved_before_it_is_used() {
        for (memory, max_in_flight, code) in [(1 << 19, 1 << 30, "bad-field"), (1 << 30, 1 << 19, "busy")] {
            let error = writer(memory, &budget(max_in_flight)).write_all(&noise(1 << 20)).unwrap_err();
            assert_eq!(write_error(error).code(), code);
        }
    }

    #[test]
    fn nothing_is_compressed_for_a_client_that_has_gone() {
        let mut writer = writer(1 << 30, &budget(1 << 30));
        writer.write_all(&noise(2 * CHUNK_BYTES)).unwrap();
        writer.gone.cancel();
        assert!(writer.write_all(&noise(2 * CHUNK_BYTES)).is_err());
        assert!(writer.finish(true).is_err());
    }

    #[test]
    fn a_body_is_in_flight_until_it_is_read_or_dropped() {
        let in_flight = budget(1 << 20);
        let mut writer = writer(1 << 30, &in_flight);
        writer.write_all(&noise(700_000)).unwrap();
        let mut chunks = writer.finish(true).unwrap().plain();
        chunks.next();
        assert!(in_flight.total() >= 700_000);
        drop(chunks);
        assert_eq!(in_flight.total(), 0);
    }
}

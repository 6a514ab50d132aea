//! Answers on their way. A worker packs an answer as it writes it, into memory that is asked for first; what is kept for a
//! client that reads slowly is packed, counted, and handed over part by part as the client takes it.

use std::{
    io::{self, Read, Write},
    mem,
    ops::ControlFlow::{self, Break},
};

use axum::body::Bytes;
use flate2::{Compression, read::GzDecoder, write::GzEncoder};
use pintu_search::{Cancel, Control, Hold};
use serde::Serialize;

use crate::{base64, error::ApiError, traffic::Load};

/// Bytes that are handed over at once.
pub(crate) const PART: usize = 64 << 10;

/// Takes an answer as it is written.
pub(crate) struct Packer {
    /// What has not been packed yet; all of it, where that is little.
    buffer: Vec<u8>,
    /// Nobody waits for the answer any more.
    gone: Cancel,
    stage: Stage,
}

enum Stage {
    /// So far all fits one part.
    Small(Parts),
    Packing(GzEncoder<Parts>),
    /// It failed.
    Ended,
}

impl Packer {
    /// What is packed counts as held by the search whose answer it is until there is an answer, and as something on its way
    /// from then on.
    pub(crate) fn new(search: &Control, load: Load, gone: Cancel) -> Self {
        let parts = Parts { hold: search.hold(), load, full: Vec::new(), last: Vec::new() };
        Self { buffer: Vec::new(), gone, stage: Stage::Small(parts) }
    }

    /// Packs what is written to JSON.
    pub(crate) fn json(mut self, value: &impl Serialize) -> Result<Parcel, ApiError> {
        serde_json::to_writer(&mut self, value).map_err(|error| refusal(error.into()))?;
        self.finish(false)
    }

    /// The whole. What is little is packed only if it is to be.
    pub(crate) fn finish(mut self, packed: bool) -> Result<Parcel, ApiError> {
        if packed || matches!(self.stage, Stage::Packing(_)) {
            self.pack().map_err(refusal)?;
        }
        match self.stage {
            Stage::Small(parts) => Ok(Parcel { content: Content::Plain(self.buffer.into()), load: parts.load }),
            Stage::Packing(encoder) => {
                let mut parts = encoder.finish().map_err(refusal)?;
                let last = mem::take(&mut parts.last);
                parts.full.push(last.into());
                Ok(Parcel { content: Content::Packed(parts.full), load: parts.load })
            }
            Stage::Ended => Err(ApiError::internal()),
        }
    }

    /// Packs what has come together.
    fn pack(&mut self) -> io::Result<()> {
        if self.gone.is_cancelled() {
            self.stage = Stage::Ended;
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        // Whoever waits for an answer waits for this, too: the fastest does.
        let mut encoder = match mem::replace(&mut self.stage, Stage::Ended) {
            Stage::Small(parts) => GzEncoder::new(parts, Compression::fast()),
            Stage::Packing(encoder) => encoder,
            Stage::Ended => return Err(io::ErrorKind::BrokenPipe.into()),
        };
        encoder.write_all(&self.buffer)?;
        self.buffer.clear();
        self.stage = Stage::Packing(encoder);
        Ok(())
    }
}

impl Write for Packer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.buffer.len() >= PART {
            self.pack()?;
        }
        let some = bytes.len().min(PART - self.buffer.len());
        self.buffer.extend_from_slice(&bytes[..some]);
        Ok(some)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Where packed bytes come to lie.
struct Parts {
    hold: Hold,
    load: Load,
    full: Vec<Bytes>,
    last: Vec<u8>,
}

impl Parts {
    /// Begins another part, if there is room for it.
    fn begin(&mut self) -> Result<(), ApiError> {
        let held: ControlFlow<_> = self.hold.more(PART as u64);
        if let Break(_) = held {
            let message = "limits.mebibytes: found less than the answer itself takes, expected more";
            return Err(ApiError::bad("bad-field", message));
        }
        self.load.add(PART)?;
        let part = mem::replace(&mut self.last, Vec::with_capacity(PART));
        if !part.is_empty() {
            self.full.push(part.into());
        }
        Ok(())
    }
}

impl Write for Parts {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.last.len() == self.last.capacity() {
            self.begin().map_err(|error| io::Error::other(Refused(error)))?;
        }
        let some = bytes.len().min(self.last.capacity() - self.last.len());
        self.last.extend_from_slice(&bytes[..some]);
        Ok(some)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Why an answer was not written to its end.
#[derive(Debug, thiserror::Error)]
#[error("there is no room for the answer")]
struct Refused(ApiError);

/// What a client is told when writing its answer failed.
pub(crate) fn refusal(error: io::Error) -> ApiError {
    error.downcast::<Refused>().map_or_else(|_| ApiError::internal(), |Refused(error)| error)
}

/// An answer that is whole.
pub(crate) struct Parcel {
    content: Content,
    load: Load,
}

enum Content {
    /// As it is, in one part.
    Plain(Bytes),
    /// In gzip.
    Packed(Vec<Bytes>),
}

/// An answer in parts, made as they are asked for; it counts as on its way until this is dropped.
pub(crate) type Parted = Box<dyn Iterator<Item = Bytes> + Send>;

impl Parcel {
    /// Whether it is in gzip.
    pub(crate) fn is_packed(&self) -> bool {
        matches!(self.content, Content::Packed(_))
    }

    /// The bytes as they are kept, and how many they are.
    pub(crate) fn into_kept(self) -> (usize, Parted) {
        let Self { content, load } = self;
        let parts = match content {
            Content::Plain(bytes) => vec![bytes],
            Content::Packed(parts) => parts,
        };
        let length = parts.iter().map(Bytes::len).sum();
        let counted = move |part| {
            let _until_read = &load;
            part
        };
        (length, Box::new(parts.into_iter().map(counted)))
    }

    /// The answer itself.
    pub(crate) fn plain(self) -> Parted {
        let is_packed = self.is_packed();
        let (_, parts) = self.into_kept();
        if is_packed { Box::new(in_parts(GzDecoder::new(Reader { parts, part: Bytes::new() }))) } else { parts }
    }

    /// The bytes as they are kept, as a text.
    pub(crate) fn base64(self) -> Parted {
        let (_, parts) = self.into_kept();
        // A part of a multiple of three bytes is a text of its own.
        let parts = in_groups(Reader { parts, part: Bytes::new() }, PART / 4 * 3);
        Box::new(parts.map(|part| base64::encode(&part).into()))
    }
}

/// Reads bytes that lie in parts.
struct Reader {
    parts: Parted,
    part: Bytes,
}

impl Read for Reader {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        while self.part.is_empty() {
            match self.parts.next() {
                Some(part) => self.part = part,
                None => return Ok(0),
            }
        }
        let some = self.part.split_to(to.len().min(self.part.len()));
        to[..some.len()].copy_from_slice(&some);
        Ok(some.len())
    }
}

fn in_parts(source: impl Read) -> impl Iterator<Item = Bytes> {
    in_groups(source, PART)
}

/// What there is to read, so many bytes at a time.
fn in_groups(mut source: impl Read, bytes: usize) -> impl Iterator<Item = Bytes> {
    std::iter::from_fn(move || {
        let mut part = Vec::with_capacity(bytes);
        // What we packed ourselves can be read; if not, it ends here.
        source.by_ref().take(bytes as u64).read_to_end(&mut part).ok()?;
        (!part.is_empty()).then(|| part.into())
    })
}

#[cfg(test)]
mod tests {
    use pintu_search::Limits;

    use super::*;
    use crate::traffic::Traffic;

    fn packer(memory: u64, most: usize) -> Packer {
        let control = Control::new(Limits { memory: Some(memory), ..Limits::default() });
        let load = Traffic::new("full", most, most).begin("127.0.0.1".parse().unwrap());
        Packer::new(&control, load, Cancel::new())
    }

    /// Bytes that gzip makes nothing of.
    fn noise(length: usize) -> Vec<u8> {
        let mut x = 1_u64;
        let next = |_| {
            x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (x >> 33) as u8
        };
        (0..length).map(next).collect()
    }

    fn packed(bytes: &[u8], is_packed: bool) -> Parcel {
        let mut out = packer(1 << 30, 1 << 30);
        out.write_all(bytes).unwrap();
        out.finish(is_packed).unwrap()
    }

    fn joined(parts: Parted) -> Vec<u8> {
        parts.flatten().collect()
    }

    #[test]
    fn what_is_packed_comes_out_as_it_was() {
        for length in [0, 1, PART - 1, PART, PART + 1, 3 * PART + 7, 1_000_000] {
            let bytes = noise(length);
            for is_packed in [false, true] {
                assert_eq!(packed(&bytes, is_packed).is_packed(), is_packed || length > PART, "{length}");
                assert!(joined(packed(&bytes, is_packed).plain()) == bytes, "{length}");
                let parcel = packed(&bytes, is_packed);
                let (size, parts) = parcel.into_kept();
                let whole = joined(parts);
                assert_eq!(size, whole.len());
                assert!(joined(packed(&bytes, is_packed).base64()) == base64::encode(&whole).into_bytes(), "{length}");
            }
        }
    }

    #[test]
    fn no_part_is_large() {
        let zeros = vec![0; 5_000_000];
        assert!(packed(&zeros, true).into_kept().0 < 100_000);
        assert!(packed(&zeros, true).plain().all(|part| part.len() <= PART));
        assert!(packed(&noise(500_000), true).base64().all(|part| part.len() <= PART));
    }

    #[test]
    fn room_is_asked_for_before_it_is_taken() {
        let code = |mut packer: Packer| {
            let error = packer.write_all(&noise(1 << 20)).unwrap_err();
            serde_json::to_value(refusal(error).body()).unwrap()["code"].clone()
        };
        assert_eq!(code(packer(1 << 19, 1 << 30)), "bad-field", "the search's memory");
        assert_eq!(code(packer(1 << 30, 1 << 19)), "busy", "what others do not read");
    }

    #[test]
    fn nothing_is_packed_for_nobody() {
        let mut packer = packer(1 << 30, 1 << 30);
        packer.write_all(&noise(2 * PART)).unwrap();
        packer.gone.cancel();
        assert!(packer.write_all(&noise(2 * PART)).is_err());
        assert!(packer.finish(true).is_err());
    }

    #[test]
    fn an_answer_counts_until_it_is_read_or_dropped() {
        let traffic = Traffic::new("full", 1 << 20, 1 << 20);
        let begin = || traffic.begin("127.0.0.1".parse().unwrap());
        let mut packer = Packer::new(&Control::unlimited(), begin(), Cancel::new());
        packer.write_all(&noise(700_000)).unwrap();
        let parcel = packer.finish(true).unwrap();
        assert!(begin().add(400_000).is_err());
        let mut parts = parcel.plain();
        parts.next();
        assert!(begin().add(400_000).is_err());
        drop(parts);
        assert!(begin().add(1_000_000).is_ok());
    }
}

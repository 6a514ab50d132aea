//! The formats of pictures, each read by a decoder made for it.

use std::{io::Cursor, num::NonZeroU64};

use zune_core::{bytestream::ZCursor, colorspace::ColorSpace, options::DecoderOptions};

use super::decode::Raw;

/// What may be unpacked beside the pixels.
const BESIDE: u64 = 16 << 20;

/// A format that is known.
#[derive(Clone, Copy, Debug)]
pub(super) enum Format {
    Jpeg,
    Png,
    WebP,
    Gif,
    Bmp,
}

/// Why a file is no picture.
#[derive(Debug)]
pub(super) enum Unreadable {
    /// It has more pixels than are allowed.
    TooLarge {
        width: usize,
        height: usize,
    },
    /// It takes more memory than is allowed.
    TooMuch(String),
    Broken(String),
}

/// A file's picture, and what its camera has noted of it.
type Read = Result<(Raw, Option<Vec<u8>>), Unreadable>;

impl Format {
    /// The format, by how a file begins.
    pub(super) fn of(bytes: &[u8]) -> Option<Self> {
        Some(match bytes {
            [0xff, 0xd8, 0xff, ..] => Self::Jpeg,
            [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => Self::Png,
            [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Self::WebP,
            [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Self::Gif,
            [b'B', b'M', ..] => Self::Bmp,
            _ => return None,
        })
    }

    /// Reads a file. Before any pixel is unpacked, `is_allowed` is asked whether there may be so many.
    pub(super) fn read(self, bytes: &[u8], is_allowed: &dyn Fn(usize, usize) -> bool) -> Read {
        let admit = &|width: usize, height: usize| {
            if is_allowed(width, height) { Ok(()) } else { Err(Unreadable::TooLarge { width, height }) }
        };
        match self {
            Self::Jpeg => jpeg(bytes, admit),
            Self::Png => png(bytes, admit),
            Self::WebP => webp(bytes, admit),
            Self::Gif => gif(bytes, admit),
            Self::Bmp => bmp(bytes, admit),
        }
    }
}

/// Refuses a picture of so many columns and rows, if there are too many.
type Admit<'a> = &'a dyn Fn(usize, usize) -> Result<(), Unreadable>;

fn jpeg(bytes: &[u8], admit: Admit<'_>) -> Read {
    let failed = |error: zune_jpeg::errors::DecodeErrors| broken(&error);
    let mut decoder = zune_jpeg::JpegDecoder::new_with_options(ZCursor::new(bytes), lenient());
    decoder.decode_headers().map_err(failed)?;
    let (width, height) = decoder.dimensions().unwrap_or_default();
    admit(width, height)?;
    let (colours, channels) = match decoder.input_colorspace() {
        Some(ColorSpace::Luma) => (ColorSpace::Luma, 1),
        _ => (ColorSpace::RGB, 3),
    };
    decoder.set_options(lenient().jpeg_set_out_colorspace(colours));
    let exif = decoder.exif().cloned();
    let bytes = decoder.decode().map_err(failed)?;
    whole(Raw { width, height, channels, bytes }, exif)
}

fn png(bytes: &[u8], admit: Admit<'_>) -> Read {
    let failed = |error: png::DecodingError| match error {
        png::DecodingError::LimitsExceeded => Unreadable::TooMuch(error.to_string()),
        _ => broken(&error),
    };
    let mut decoder = png::Decoder::new_with_limits(Cursor::new(bytes), png::Limits { bytes: BESIDE as usize });
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    let header = decoder.read_header_info().map_err(failed)?;
    let (width, height) = (header.width as usize, header.height as usize);
    admit(width, height)?;
    let mut reader = decoder.read_info().map_err(failed)?;
    let channels = reader.output_color_type().0.samples();
    let mut bytes = vec![0; width * height * channels];
    reader.next_frame(&mut bytes).map_err(failed)?;
    let exif = reader.info().exif_metadata.as_deref().map(<[u8]>::to_vec);
    whole(Raw { width, height, channels, bytes }, exif)
}

fn webp(bytes: &[u8], admit: Admit<'_>) -> Read {
    let failed = |error: image_webp::DecodingError| match error {
        image_webp::DecodingError::MemoryLimitExceeded => Unreadable::TooMuch(error.to_string()),
        _ => broken(&error),
    };
    let mut decoder = image_webp::WebPDecoder::new(Cursor::new(bytes)).map_err(failed)?;
    decoder.set_memory_limit(BESIDE as usize);
    let (width, height) = decoder.dimensions();
    let (width, height) = (width as usize, height as usize);
    admit(width, height)?;
    let exif = decoder.exif_metadata().map_err(failed)?;
    let channels = if decoder.has_alpha() { 4 } else { 3 };
    let mut bytes = vec![0; width * height * channels];
    decoder.read_image(&mut bytes).map_err(failed)?;
    whole(Raw { width, height, channels, bytes }, exif)
}

/// The first frame, where it belongs on the screen.
fn gif(bytes: &[u8], admit: Admit<'_>) -> Read {
    let failed = |error: gif::DecodingError| match error {
        gif::DecodingError::MemoryLimit | gif::DecodingError::OutOfMemory => Unreadable::TooMuch(error.to_string()),
        _ => broken(&error),
    };
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    options.check_frame_consistency(false);
    options.set_memory_limit(NonZeroU64::new(BESIDE).map_or(gif::MemoryLimit::Unlimited, gif::MemoryLimit::Bytes));
    let mut decoder = options.read_info(bytes).map_err(failed)?;
    let (width, height) = (usize::from(decoder.width()), usize::from(decoder.height()));
    admit(width, height)?;
    let frame = decoder.next_frame_info().map_err(failed)?.ok_or_else(|| broken(&"it has no frame"))?;
    let (left, top) = (usize::from(frame.left), usize::from(frame.top));
    let (across, down) = (usize::from(frame.width), usize::from(frame.height));
    admit(across, down)?;
    let mut inside = vec![0; 4 * across * down];
    decoder.read_into_buffer(&mut inside).map_err(failed)?;
    if (left, top, across, down) == (0, 0, width, height) {
        return whole(Raw { width, height, channels: 4, bytes: inside }, None);
    }
    let mut bytes = vec![0; 4 * width * height];
    let shown = across.min(width.saturating_sub(left));
    for (row, line) in bytes.chunks_exact_mut(4 * width).skip(top).zip(inside.chunks_exact(4 * across)) {
        row[4 * left.min(width)..][..4 * shown].copy_from_slice(&line[..4 * shown]);
    }
    whole(Raw { width, height, channels: 4, bytes }, None)
}

fn bmp(bytes: &[u8], admit: Admit<'_>) -> Read {
    // Its errors have no words but those for programmers, a line each.
    let failed = |error: zune_bmp::BmpDecoderErrors| broken(&format!("{error:?}").trim_end());
    let mut decoder = zune_bmp::BmpDecoder::new_with_options(ZCursor::new(bytes), lenient());
    decoder.decode_headers().map_err(failed)?;
    let (width, height) = decoder.dimensions().unwrap_or_default();
    admit(width, height)?;
    let channels = decoder.colorspace().map_or(3, |colours| colours.num_components());
    let mut bytes = decoder.decode().map_err(failed)?;
    if channels == 4 {
        // Most programs leave these bytes at any value.
        bytes.iter_mut().skip(3).step_by(4).for_each(|opacity| *opacity = 255);
    }
    whole(Raw { width, height, channels, bytes }, None)
}

/// Takes what can be read of files that are not quite as they should be. Sides are bounded elsewhere.
fn lenient() -> DecoderOptions {
    DecoderOptions::default().set_strict_mode(false).set_max_width(usize::MAX).set_max_height(usize::MAX)
}

/// A picture that has all its pixels.
fn whole(raw: Raw, exif: Option<Vec<u8>>) -> Read {
    let wanted = raw.width * raw.height * raw.channels;
    if raw.bytes.len() != wanted {
        return Err(broken(&format!("it has {} bytes of pixels, expected {wanted}", raw.bytes.len())));
    }
    Ok((raw, exif))
}

fn broken(error: &dyn std::fmt::Display) -> Unreadable {
    Unreadable::Broken(error.to_string())
}

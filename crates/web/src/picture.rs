//! Pictures that clients upload: each is decoded within bounds and encoded again, so that nothing of the file is stored but
//! its pixels. Metadata (EXIF, the place where a photo was taken) never reaches the store.

use axum::http::StatusCode;
use jpeg_encoder::{ColorType, Encoder};
use zune_core::{bytestream::ZCursor, colorspace::ColorSpace, options::DecoderOptions};
use zune_jpeg::{JpegDecoder, errors::DecodeErrors};

use crate::{config::Bounds, error::ApiError};

#[derive(Clone, Debug)]
pub(crate) struct StoredPicture {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) jpeg: Vec<u8>,
}

pub(crate) const MEDIA_TYPE: &str = "image/jpeg";
const QUALITY: u8 = 90;

/// Decodes an uploaded JPEG and encodes it again. A file that is cut off or damaged is refused; so is one that is too large,
/// before any pixel is decoded.
pub(crate) fn reencode(bytes: &[u8], bounds: &Bounds) -> Result<StoredPicture, ApiError> {
    if !bytes.starts_with(b"\xff\xd8\xff") {
        return Err(not_a_picture(format!("found {}, expected a JPEG picture", describe(bytes))));
    }
    if is_cut_off(bytes) {
        return Err(not_a_picture("the picture is damaged: it ends before its end marker".to_owned()));
    }
    let damaged = |error: DecodeErrors| not_a_picture(format!("the picture cannot be decoded: {error}"));
    let options = DecoderOptions::new_safe().set_strict_mode(true).set_max_width(usize::MAX).set_max_height(usize::MAX);
    let mut decoder =
        JpegDecoder::new_with_options(ZCursor::new(bytes), options.jpeg_set_out_colorspace(ColorSpace::RGB));
    decoder.decode_headers().map_err(damaged)?;
    let (width, height) = decoder.dimensions().unwrap_or_default();
    let side = bounds.picture_side;
    if width.max(height) > usize::from(side) {
        let message = format!("found a picture of {width}×{height} pixels, expected at most {side} a side");
        return Err(ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "too-many-pixels", message));
    }
    let pixels = decoder.decode().map_err(damaged)?;
    let (width, height) = (width as u16, height as u16);
    let mut jpeg = Vec::new();
    let encoded = Encoder::new(&mut jpeg, QUALITY).encode(&pixels, width, height, ColorType::Rgb);
    encoded.map_err(|error| not_a_picture(format!("the picture cannot be encoded again: {error}")))?;
    Ok(StoredPicture { width: width.into(), height: height.into(), jpeg })
}

/// Whether a JPEG ends before its end marker: the decoder would show grey for the rest. Segments are skipped by their
/// lengths, for a preview inside one has an end marker of its own; the same rule is in the page's `js/crop.js`.
fn is_cut_off(jpeg: &[u8]) -> bool {
    let mut rest = &jpeg[2..];
    loop {
        let skipped = match *rest {
            [0xff, 0xd9, ..] => return false,
            // In the pixels' data ff 00 is a byte, and ff d0 to ff d7 divide it.
            [0xff, 0xc0..=0xcf | 0xd8..=0xfe, high, low, ..] => 2 + usize::from(u16::from_be_bytes([high, low])),
            [_, ..] => 1,
            [] => return true,
        };
        rest = rest.get(skipped..).unwrap_or_default();
    }
}

/// The kind of file that the first bytes indicate.
fn describe(bytes: &[u8]) -> &'static str {
    match bytes {
        [] => "an empty body",
        [0x89, b'P', b'N', b'G', ..] => "a PNG picture (save it as JPEG)",
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => "a WebP picture (save it as JPEG)",
        [b'G', b'I', b'F', b'8', ..] => "a GIF picture (save it as JPEG)",
        [_, _, _, _, b'f', b't', b'y', b'p', ..] => "a HEIC or AVIF picture (save it as JPEG)",
        [b'<', ..] => "a text such as SVG or HTML",
        _ => "bytes of no format that is known",
    }
}

fn not_a_picture(message: String) -> ApiError {
    ApiError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "not-a-picture", message)
}

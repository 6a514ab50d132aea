//! From a file to pixels, within limits.

use axum::http::StatusCode;

use super::{
    Pixels,
    exif::Orientation,
    formats::{Format, Unreadable},
};
use crate::{config::Bounds, error::ApiError};

/// The picture as the file has it, and how it is to be turned.
pub(super) fn decode(bytes: &[u8], bounds: &Bounds) -> Result<(Pixels, Orientation), ApiError> {
    let Some(format) = Format::of(bytes) else {
        return Err(refused(&format!("found {}, expected a picture: JPEG, PNG, WebP, GIF or BMP", describe(bytes))));
    };
    // Decoders hold rows, and filters hold columns: a side is bounded like the whole.
    let (most, longest) = (bounds.picture_pixels, bounds.picture_longest);
    let is_allowed = |width: usize, height: usize| {
        let found = (width as u64).saturating_mul(height as u64);
        found > 0 && found <= most && width.max(height) as u64 <= u64::from(longest)
    };
    let (raw, exif) = format.read(bytes, &is_allowed).map_err(|error| match error {
        Unreadable::TooLarge { width, height } => too_large(format!(
            "found a picture of {width}×{height} pixels, expected at most {most} pixels and {longest} a side"
        )),
        Unreadable::TooMuch(error) => too_large(format!("the picture is too large: {error}")),
        Unreadable::Broken(error) => refused(&format!("the picture cannot be decoded: {error}")),
    })?;
    Ok((raw.on_white(), exif.and_then(|exif| Orientation::of(&exif)).unwrap_or_default()))
}

/// Pixels of one to four bytes: grey, grey and opacity, colours, colours and opacity.
pub(super) struct Raw {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) channels: usize,
    pub(super) bytes: Vec<u8>,
}

impl Raw {
    /// The picture without transparency, which a tile could not show. Large pictures, which have colours, stay where they are.
    fn on_white(self) -> Pixels {
        let Self { width, height, channels, mut bytes } = self;
        let over = |colour: u8, opacity: u8| {
            let (colour, opacity) = (u32::from(colour), u32::from(opacity));
            ((colour * opacity + 255 * (255 - opacity) + 127) / 255) as u8
        };
        match channels {
            1 => bytes = bytes.iter().flat_map(|&grey| [grey; 3]).collect(),
            2 => bytes = bytes.as_chunks().0.iter().flat_map(|&[grey, opacity]| [over(grey, opacity); 3]).collect(),
            4 => {
                for pixel in 0..width * height {
                    let opacity = bytes[4 * pixel + 3];
                    for colour in 0..3 {
                        bytes[3 * pixel + colour] = over(bytes[4 * pixel + colour], opacity);
                    }
                }
                bytes.truncate(3 * width * height);
            }
            _ => {}
        }
        Pixels { width, height, rgb: bytes }
    }
}

/// What the bytes look like, as far as their beginning tells.
fn describe(bytes: &[u8]) -> &'static str {
    let brand = bytes.get(4..12).unwrap_or_default();
    match brand {
        b"ftypheic" | b"ftypheix" | b"ftyphevc" | b"ftypmif1" | b"ftypmsf1" => "a HEIC picture (save it as JPEG)",
        b"ftypavif" | b"ftypavis" => "an AVIF picture (save it as JPEG)",
        _ if bytes.is_empty() => "an empty body",
        _ if bytes.starts_with(b"%PDF") => "a PDF document",
        _ if bytes.starts_with(b"<") => "a text such as SVG or HTML",
        _ => "bytes of no format that is known",
    }
}

fn too_large(message: String) -> ApiError {
    ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "too-many-pixels", message)
}

fn refused(message: &str) -> ApiError {
    ApiError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "not-a-picture", message)
}

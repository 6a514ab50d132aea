//! Pictures from outside: decoded within limits, turned upright, and written anew, so that nothing of the
//! file remains but what is seen.

use std::io::Cursor;

use axum::http::StatusCode;
use image::{
    DynamicImage, ImageDecoder, ImageError, ImageReader, Limits, RgbImage, codecs::jpeg::JpegEncoder,
    imageops::FilterType, metadata::Orientation,
};

use crate::{config::Bounds, error::ApiError};

/// A picture as it is kept.
#[derive(Clone, Debug)]
pub(crate) struct Kept {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) jpeg: Vec<u8>,
}

/// What pictures are kept as.
pub(crate) const MEDIA_TYPE: &str = "image/jpeg";
const QUALITY: u8 = 90;
/// Red, green, blue and opacity. A picture of two bytes a colour may have half as many pixels.
const BYTES_A_PIXEL: u64 = 4;
/// What may be unpacked before the pixels: a profile of colours is a few megabytes at most.
const HEAD_BYTES: u64 = 16 << 20;

/// Reads a picture in any format that is known, and writes it anew.
pub(crate) fn keep(bytes: &[u8], bounds: &Bounds) -> Result<Kept, ApiError> {
    let (picture, orientation) = decode(bytes, bounds)?;
    let mut fitting = fit(picture, bounds.picture_side);
    fitting.apply_orientation(orientation);
    let pixels = on_white(&fitting);
    let mut jpeg = Vec::new();
    pixels.write_with_encoder(JpegEncoder::new_with_quality(&mut jpeg, QUALITY)).map_err(|_| ApiError::internal())?;
    Ok(Kept { width: pixels.width(), height: pixels.height(), jpeg })
}

/// Makes a picture smaller, if it must be. The good filter needs memory for what it works on, so a large
/// picture is first brought near the size by one that needs none.
fn fit(picture: DynamicImage, side: u32) -> DynamicImage {
    let longer = |picture: &DynamicImage| picture.width().max(picture.height());
    let near = if longer(&picture) > 2 * side { picture.thumbnail(2 * side, 2 * side) } else { picture };
    if longer(&near) > side { near.resize(side, side, FilterType::CatmullRom) } else { near }
}

/// The picture as the file has it, and how it is to be turned.
fn decode(bytes: &[u8], bounds: &Bounds) -> Result<(DynamicImage, Orientation), ApiError> {
    let mut reader = ImageReader::new(Cursor::new(bytes)).with_guessed_format().map_err(|_| ApiError::internal())?;
    if reader.format().is_none() {
        return Err(refused(&format!("found {}, expected a picture: JPEG, PNG, WebP, GIF or BMP", describe(bytes))));
    }
    // Before anything is read: what comes before the pixels may be packed, too.
    reader.limits(limit(HEAD_BYTES));
    let mut decoder = reader.into_decoder().map_err(|error| undecodable(&error))?;
    let (width, height) = decoder.dimensions();
    let found = u64::from(width) * u64::from(height);
    // Decoders hold rows, and filters hold columns: a side is bounded like the whole.
    let (most, longest) = (bounds.picture_pixels, bounds.picture_longest);
    if found == 0 || found > most || width.max(height) > longest {
        return Err(ApiError::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            "too-many-pixels",
            format!("found a picture of {width}×{height} pixels, expected at most {most} pixels and {longest} a side"),
        ));
    }
    decoder.set_limits(limit(bounds.picture_pixels * BYTES_A_PIXEL)).map_err(|error| undecodable(&error))?;
    let orientation = decoder.orientation().map_err(|error| undecodable(&error))?;
    let picture = DynamicImage::from_decoder(decoder).map_err(|error| undecodable(&error))?;
    Ok((picture, orientation))
}

fn limit(bytes: u64) -> Limits {
    let mut limits = Limits::default();
    limits.max_alloc = Some(bytes);
    limits
}

/// The picture without transparency, which a tile could not show.
fn on_white(picture: &DynamicImage) -> RgbImage {
    if !picture.color().has_alpha() {
        return picture.to_rgb8();
    }
    let pixels = picture.to_rgba8();
    RgbImage::from_fn(pixels.width(), pixels.height(), |x, y| {
        let [red, green, blue, alpha] = pixels.get_pixel(x, y).0.map(u32::from);
        let over = |colour: u32| ((colour * alpha + 255 * (255 - alpha) + 127) / 255) as u8;
        image::Rgb([over(red), over(green), over(blue)])
    })
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

fn undecodable(error: &ImageError) -> ApiError {
    match error {
        ImageError::Limits(_) => ApiError::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            "too-many-pixels",
            format!("the picture is too large: {error}"),
        ),
        _ => refused(&format!("the picture cannot be decoded: {error}")),
    }
}

fn refused(message: &str) -> ApiError {
    ApiError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "not-a-picture", message)
}

//! Pictures from outside: decoded within limits, turned upright, and written anew, so that nothing of the
//! file remains but what is seen.

mod decode;
mod exif;
mod fit;
mod formats;

use jpeg_encoder::{ColorType, Encoder};

use self::{decode::decode, fit::fit};
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

/// Red, green and blue of every pixel, row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Pixels {
    width: usize,
    height: usize,
    rgb: Vec<u8>,
}

impl Pixels {
    fn pixels(&self) -> &[[u8; 3]] {
        self.rgb.as_chunks().0
    }
}

/// Reads a picture in any format that is known, and writes it anew.
pub(crate) fn keep(bytes: &[u8], bounds: &Bounds) -> Result<Kept, ApiError> {
    let (picture, orientation) = decode(bytes, bounds)?;
    let picture = orientation.turn(fit(picture, bounds.picture_side as usize));
    let mut jpeg = Vec::new();
    let sides = u16::try_from(picture.width).and_then(|width| Ok((width, u16::try_from(picture.height)?)));
    let (width, height) = sides.map_err(|_| ApiError::internal())?;
    Encoder::new(&mut jpeg, QUALITY)
        .encode(&picture.rgb, width, height, ColorType::Rgb)
        .map_err(|_| ApiError::internal())?;
    Ok(Kept { width: width.into(), height: height.into(), jpeg })
}

#[cfg(test)]
mod tests;

//! How a camera was held.

use super::Pixels;

/// How a picture is to be turned: first its rows and columns change places, then it is mirrored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Orientation {
    is_transposed: bool,
    left_to_right: bool,
    upside_down: bool,
}

impl Orientation {
    /// What the data of a photo say (the body of an Exif segment), if they are sound.
    pub(super) fn of(exif: &[u8]) -> Option<Self> {
        /// The tag of the orientation, and the type of a number of 16 bits.
        const ORIENTATION: (u16, u16) = (0x112, 3);
        let is_little = match exif.get(..4)? {
            b"II*\0" => true,
            b"MM\0*" => false,
            _ => return None,
        };
        let short = |at: usize| {
            let bytes = exif.get(at..)?.first_chunk()?;
            Some(if is_little { u16::from_le_bytes(*bytes) } else { u16::from_be_bytes(*bytes) })
        };
        let long = |at: usize| {
            let bytes = exif.get(at..)?.first_chunk()?;
            Some(if is_little { u32::from_le_bytes(*bytes) } else { u32::from_be_bytes(*bytes) })
        };
        let first = long(4)? as usize;
        let entries = (0..usize::from(short(first)?)).map(|number| first + 2 + 12 * number);
        for at in entries {
            if (short(at)?, short(at + 2)?) == ORIENTATION && long(at + 4)? == 1 {
                return Self::numbered(short(at + 8)?);
            }
        }
        None
    }

    fn numbered(number: u16) -> Option<Self> {
        let (is_transposed, left_to_right, upside_down) = match number {
            1 => (false, false, false),
            2 => (false, true, false),
            3 => (false, true, true),
            4 => (false, false, true),
            5 => (true, false, false),
            6 => (true, true, false),
            7 => (true, true, true),
            8 => (true, false, true),
            _ => return None,
        };
        Some(Self { is_transposed, left_to_right, upside_down })
    }

    /// The picture, upright.
    pub(super) fn turn(self, mut picture: Pixels) -> Pixels {
        if self.is_transposed {
            let (width, height, pixels) = (picture.width, picture.height, picture.pixels());
            let turned = (0..width).flat_map(|x| pixels.iter().skip(x).step_by(width)).flatten().copied().collect();
            picture = Pixels { width: height, height: width, rgb: turned };
        }
        let pixels = picture.rgb.as_chunks_mut::<3>().0;
        if self.upside_down {
            // Backwards, a picture is both upside down and mirrored.
            pixels.reverse();
        }
        if self.left_to_right != self.upside_down {
            pixels.chunks_exact_mut(picture.width).for_each(<[_]>::reverse);
        }
        picture
    }
}

//! The icon as a bitmap, for systems that install a page and draw no SVG: what `site/icon.svg` draws, but for the dashes of
//! the gap, which are a whole frame at these sizes.

use std::io::{self, Write};

use flate2::{Compression, Crc, write::ZlibEncoder};

const SEAL: [f64; 3] = [200.0, 64.0, 42.0];
const PAPER: [f64; 3] = [255.0, 248.0, 238.0];
/// Rectangles in the units of the drawing, which is 64 wide: left, top, side, radius of the corners, and how much paper.
const TILES: [(f64, f64, f64, f64, f64); 3] =
    [(10.0, 10.0, 20.0, 4.0, 1.0), (34.0, 10.0, 20.0, 4.0, 0.82), (10.0, 34.0, 20.0, 4.0, 0.9)];
/// The frame of the gap: its outer and its inner edge.
const FRAME: [(f64, f64, f64, f64); 2] = [(34.5, 34.5, 19.0, 4.5), (37.5, 37.5, 13.0, 1.5)];
/// Points a side of a pixel, over which its colour is the mean.
const SAMPLES: usize = 2;

/// A square PNG with sides of `side` pixels.
pub(crate) fn png(side: usize) -> io::Result<Vec<u8>> {
    let mut rows = ZlibEncoder::new(Vec::new(), Compression::best());
    for y in 0..side {
        // No filter.
        let mut row = vec![0];
        row.extend((0..side).flat_map(|x| colour(x, y, side)));
        rows.write_all(&row)?;
    }
    let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
    // Eight bits a channel, red, green and blue, nothing else.
    let extent = (side as u32).to_be_bytes();
    chunk(&mut png, *b"IHDR", &[&extent[..], &extent, &[8, 2, 0, 0, 0]].concat());
    chunk(&mut png, *b"IDAT", &rows.finish()?);
    chunk(&mut png, *b"IEND", &[]);
    Ok(png)
}

fn chunk(png: &mut Vec<u8>, kind: [u8; 4], data: &[u8]) {
    let mut sum = Crc::new();
    sum.update(&kind);
    sum.update(data);
    png.extend((data.len() as u32).to_be_bytes());
    png.extend(kind);
    png.extend(data);
    png.extend(sum.sum().to_be_bytes());
}

fn colour(x: usize, y: usize, side: usize) -> [u8; 3] {
    let at = |pixel: usize, sample: usize| {
        let unit = (pixel as f64 + (sample as f64 + 0.5) / SAMPLES as f64) / side as f64;
        // The tiles are drawn smaller, about the middle: systems cut the edges off.
        (unit * 64.0 - 11.2) / 0.65
    };
    let points = (0..SAMPLES * SAMPLES).map(|sample| paper(at(x, sample % SAMPLES), at(y, sample / SAMPLES)));
    let share = points.sum::<f64>() / (SAMPLES * SAMPLES) as f64;
    std::array::from_fn(|channel| (SEAL[channel] + (PAPER[channel] - SEAL[channel]) * share).round() as u8)
}

/// How much paper there is at a point; the rest is seal.
fn paper(x: f64, y: f64) -> f64 {
    let inside = |(left, top, side, radius): (f64, f64, f64, f64)| {
        let beyond = |at: f64, from: f64| (at - (from + side / 2.0)).abs() - (side / 2.0 - radius);
        let [across, down] = [beyond(x, left), beyond(y, top)];
        across.max(0.0).hypot(down.max(0.0)) <= radius
    };
    if inside(FRAME[0]) && !inside(FRAME[1]) {
        return 1.0;
    }
    TILES.iter().find(|&&(left, top, side, radius, _)| inside((left, top, side, radius))).map_or(0.0, |tile| tile.4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_icon_is_red_at_its_edge_and_paper_within_its_first_tile() {
        let png = png(192).unwrap();
        assert!(png.starts_with(b"\x89PNG\r\n\x1a\n") && png[16..24] == [0, 0, 0, 192, 0, 0, 0, 192]);
        assert!(png.len() < 4000, "{} bytes", png.len());
        assert_eq!((colour(0, 0, 192), colour(72, 72, 192)), ([200, 64, 42], [255, 248, 238]));
    }
}

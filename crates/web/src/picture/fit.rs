//! Makes pictures smaller.

use super::Pixels;

/// Makes a picture smaller, if it must be, so that neither side is longer than `side`: by a cubic filter (that of Catmull
/// and Rom), as wide as the pixels that become one. It takes the memory of a row beside the two pictures.
pub(super) fn fit(picture: Pixels, side: usize) -> Pixels {
    let longer = picture.width.max(picture.height);
    if longer <= side {
        return picture;
    }
    let shrunk = |length: usize| ((length * side + longer / 2) / longer).max(1);
    let (width, height) = (shrunk(picture.width), shrunk(picture.height));
    let (across, down) = (Taps::all(picture.width, width), Taps::all(picture.height, height));
    let mut rgb = Vec::with_capacity(3 * width * height);
    let mut row = vec![[0.0; 3]; picture.width];
    for taps in &down {
        row.fill([0.0; 3]);
        for (line, &weight) in picture.pixels().chunks_exact(picture.width).skip(taps.first).zip(&taps.weights) {
            row.iter_mut().zip(line).for_each(|(sum, pixel)| add(sum, pixel.map(f32::from), weight));
        }
        rgb.extend(across.iter().flat_map(|taps| {
            let mut sum = [0.0; 3];
            row[taps.first..].iter().zip(&taps.weights).for_each(|(&pixel, &weight)| add(&mut sum, pixel, weight));
            // A cast of a number that is too large or too small gives the nearest that fits.
            sum.map(|colour| colour.round() as u8)
        }));
    }
    Pixels { width, height, rgb }
}

fn add(sum: &mut [f32; 3], pixel: [f32; 3], weight: f32) {
    for (sum, colour) in sum.iter_mut().zip(pixel) {
        *sum += colour * weight;
    }
}

/// What a pixel is made of: neighbours along a line, the first of them and what each counts.
struct Taps {
    first: usize,
    weights: Vec<f32>,
}

impl Taps {
    /// For each pixel of a line that is made shorter.
    fn all(from: usize, to: usize) -> Vec<Self> {
        let scale = from as f32 / to as f32;
        let reach = 2.0 * scale;
        (0..to)
            .map(|number| {
                let centre = (number as f32 + 0.5) * scale - 0.5;
                let first = (centre - reach).ceil().max(0.0) as usize;
                let last = ((centre + reach).floor() as usize).min(from - 1);
                let weights: Vec<f32> =
                    (first..=last).map(|pixel| catmull_rom((pixel as f32 - centre).abs() / scale)).collect();
                let sum: f32 = weights.iter().sum();
                Self { first, weights: weights.iter().map(|weight| weight / sum).collect() }
            })
            .collect()
    }
}

fn catmull_rom(distance: f32) -> f32 {
    let x = distance;
    if x < 1.0 {
        (1.5 * x - 2.5) * x * x + 1.0
    } else if x < 2.0 {
        ((-0.5 * x + 2.5) * x - 4.0) * x + 2.0
    } else {
        0.0
    }
}

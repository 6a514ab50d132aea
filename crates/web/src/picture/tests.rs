//! Every kind of picture, beside what a library of all formats makes of it.

use std::io::Cursor;

use image::{
    DynamicImage, ExtendedColorType, GrayImage, ImageFormat, Luma, Rgba, RgbaImage,
    codecs::{bmp::BmpEncoder, jpeg::JpegDecoder},
    imageops::FilterType,
};

use super::{Pixels, decode::decode, fit::fit, keep};
use crate::config::Bounds;

/// Colours and opacities that change from pixel to pixel.
fn gradient(width: u32, height: u32) -> RgbaImage {
    RgbaImage::from_fn(width, height, |x, y| {
        Rgba([(x * 5) as u8, (y * 7) as u8, (x * y / 3) as u8, 255 - ((x * 3 + y) % 256) as u8])
    })
}

fn file(picture: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    picture.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

fn decoded(bytes: &[u8]) -> Pixels {
    decode(bytes, &Bounds::default()).unwrap().0
}

/// What a file looks like on white paper, if another library reads it.
fn expected(bytes: &[u8]) -> Vec<u8> {
    let picture = image::load_from_memory(bytes).unwrap().to_rgba8();
    let over = |colour: u8, opacity: u8| {
        (f64::from(colour) * f64::from(opacity) / 255.0 + 255.0 - f64::from(opacity)).round() as u8
    };
    picture.pixels().flat_map(|Rgba([r, g, b, a])| [over(*r, *a), over(*g, *a), over(*b, *a)]).collect()
}

fn assert_near(found: &[u8], wanted: &[u8], most: u8, what: &str) {
    assert_eq!(found.len(), wanted.len(), "{what}");
    let farthest = found.iter().zip(wanted).map(|(a, b)| a.abs_diff(*b)).max().unwrap();
    assert!(farthest <= most, "{what}: {farthest} apart");
}

#[test]
fn every_kind_of_pixel_is_read() {
    let colours: DynamicImage = gradient(40, 30).into();
    for (format, kinds) in [
        (ImageFormat::Png, 0..8),
        (ImageFormat::WebP, 2..4),
        (ImageFormat::Gif, 2..4),
        (ImageFormat::Bmp, 0..3),
        (ImageFormat::Jpeg, 0..1),
        (ImageFormat::Jpeg, 2..3),
    ] {
        for kind in kinds {
            let picture: DynamicImage = match kind {
                0 => colours.to_luma8().into(),
                1 if format == ImageFormat::Bmp => continue,
                1 => colours.to_luma_alpha8().into(),
                2 => colours.to_rgb8().into(),
                3 => colours.to_rgba8().into(),
                4 => colours.to_luma16().into(),
                5 => colours.to_luma_alpha16().into(),
                6 => colours.to_rgb16().into(),
                _ => colours.to_rgba16().into(),
            };
            let bytes = file(&picture, format);
            assert_near(&decoded(&bytes).rgb, &expected(&bytes), 1, &format!("{format:?} {:?}", picture.color()));
        }
    }
}

#[test]
fn palettes_and_few_bits_are_read() {
    for (depth, count) in [(png::BitDepth::One, 2), (png::BitDepth::Two, 4), (png::BitDepth::Four, 16)] {
        for colour in [png::ColorType::Indexed, png::ColorType::Grayscale] {
            let mut bytes = Vec::new();
            let mut encoder = png::Encoder::new(&mut bytes, 16, 3);
            encoder.set_depth(depth);
            encoder.set_color(colour);
            if colour == png::ColorType::Indexed {
                encoder.set_palette((0..count * 3).map(|byte| byte * 5).collect::<Vec<u8>>());
                encoder.set_trns(vec![0, 128]);
            }
            let rows: Vec<u8> = (0..3 * 2 * depth as u8).map(|byte| byte.wrapping_mul(91)).collect();
            encoder.write_header().unwrap().write_image_data(&rows).unwrap();
            assert_near(&decoded(&bytes).rgb, &expected(&bytes), 1, &format!("{depth:?} {colour:?}"));
        }
    }
    let palette: Vec<[u8; 3]> = (0..=255).map(|index| [index, 255 - index, 77]).collect();
    let mut bytes = Vec::new();
    let indices: Vec<u8> = (0..35).map(|pixel| pixel * 7).collect();
    BmpEncoder::new(&mut bytes).encode_with_palette(&indices, 7, 5, ExtendedColorType::L8, Some(&palette)).unwrap();
    assert_near(&decoded(&bytes).rgb, &expected(&bytes), 0, "a BMP with a palette");
}

#[test]
fn a_frame_is_shown_where_it_belongs() {
    for (left, top) in [(3, 2), (0, 2), (14, 9), (30, 1)] {
        let mut bytes = Vec::new();
        let mut encoder = gif::Encoder::new(&mut bytes, 16, 10, &[]).unwrap();
        let mut frame = gif::Frame::from_palette_pixels(5, 4, vec![1; 20], &[0, 0, 0, 250, 10, 20][..], None);
        (frame.left, frame.top) = (left, top);
        encoder.write_frame(&frame).unwrap();
        drop(encoder);
        assert_near(&decoded(&bytes).rgb, &expected(&bytes), 0, &format!("at {left}, {top}"));
    }
}

#[test]
fn a_smaller_picture_looks_the_same() {
    let large: DynamicImage = DynamicImage::from(gradient(300, 170)).to_rgb8().into();
    let picture = Pixels { width: 300, height: 170, rgb: large.as_bytes().to_vec() };
    let wanted = large.resize_exact(97, 55, FilterType::CatmullRom).to_rgb8();
    let found = fit(picture.clone(), 97);
    assert_eq!((found.width, found.height), (97, 55));
    assert_near(&found.rgb, &wanted, 1, "made smaller");
    assert_eq!(fit(picture.clone(), 300), picture, "what fits stays as it is");
    let line = Pixels { width: 500, height: 1, rgb: vec![9; 1500] };
    assert_eq!(fit(line, 10), Pixels { width: 10, height: 1, rgb: vec![9; 30] });
}

#[test]
fn what_is_kept_looks_like_what_was_sent() {
    let picture: DynamicImage = DynamicImage::from(gradient(64, 48)).to_rgb8().into();
    let kept = keep(&file(&picture, ImageFormat::Png), &Bounds::default()).unwrap();
    let again = DynamicImage::from_decoder(JpegDecoder::new(Cursor::new(&kept.jpeg)).unwrap()).unwrap();
    assert_eq!((kept.width, kept.height, again.width(), again.height()), (64, 48, 64, 48));
    assert_near(again.as_bytes(), picture.as_bytes(), 40, "kept");
    let apart = again.as_bytes().iter().zip(picture.as_bytes()).map(|(a, b)| u64::from(a.abs_diff(*b))).sum::<u64>();
    assert!(apart < 3 * 64 * 48 * 3, "{apart} in all");
}

/// Files with bytes changed, cut off and put in: refused or read, and nothing else.
#[test]
fn damaged_files_are_refused_or_read() {
    let colours: DynamicImage = gradient(24, 16).into();
    let grey: DynamicImage = GrayImage::from_fn(19, 7, |x, y| Luma([(x * y) as u8])).into();
    let mut files: Vec<Vec<u8>> =
        [ImageFormat::Png, ImageFormat::WebP, ImageFormat::Gif, ImageFormat::Bmp].map(|f| file(&colours, f)).into();
    files.push(file(&grey, ImageFormat::Bmp));
    files.push(file(&colours.to_rgb8().into(), ImageFormat::Jpeg));
    let mut run = Vec::new();
    run.extend(file(&grey, ImageFormat::Bmp));
    // Says that it is packed by runs, which its pixels then are by chance.
    run[30] = 1;
    files.push(run);
    let mut state = 1_u64;
    let mut below = |most: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % most
    };
    let bounds = Bounds { picture_pixels: 1 << 16, ..Bounds::default() };
    for round in 0..20_000 {
        let mut bytes = files[round % files.len()].clone();
        for _ in 0..=below(4) {
            let head = bytes.len().min(if below(2) == 0 { 80 } else { usize::MAX });
            let at = below(head.max(1));
            match below(4) {
                0 => bytes.truncate(at),
                1 => bytes.insert(at.min(bytes.len()), below(256) as u8),
                _ if bytes.is_empty() => {}
                2 => bytes[at] = [0, 1, 127, 128, 255][below(5)],
                _ => bytes[at] ^= 1 << below(8),
            }
        }
        let _ = keep(&bytes, &bounds);
    }
}

use std::io::Cursor;

use axum::body::Body;
use image::{DynamicImage, ImageFormat, Rgb, RgbImage, Rgba, RgbaImage};
use serde_json::json;

use crate::support::{Browser, Reply, browser, browser_with, game, named};

const RED: Rgb<u8> = Rgb([220, 30, 30]);
const BLUE: Rgb<u8> = Rgb([30, 30, 220]);

/// Wider than high; red on the left, blue on the right.
fn two_colours() -> DynamicImage {
    RgbImage::from_fn(64, 32, |x, _| if x < 32 { RED } else { BLUE }).into()
}

fn encoded(picture: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    picture.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

/// A JPEG file as a phone writes it: turned, and with the place where it was taken.
fn photo(orientation: u8) -> Vec<u8> {
    let mut tiff = b"II*\0\x08\0\0\0\x02\0".to_vec();
    tiff.extend([0x12, 0x01, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0]);
    tiff.extend([0x0e, 0x01, 2, 0, 11, 0, 0, 0, 38, 0, 0, 0]);
    tiff.extend([0, 0, 0, 0]);
    tiff.extend(b"GPS-SECRET\0");
    let jpeg = encoded(&two_colours(), ImageFormat::Jpeg);
    let mut bytes = vec![0xff, 0xd8, 0xff, 0xe1];
    bytes.extend(((tiff.len() + 8) as u16).to_be_bytes());
    bytes.extend(b"Exif\0\0");
    bytes.extend(tiff);
    bytes.extend(&jpeg[2..]);
    bytes
}

async fn post(browser: &mut Browser, bytes: impl Into<Body>) -> Reply {
    browser.send("POST", "/api/pictures", &[("content-type", "application/octet-stream")], bytes.into()).await
}

async fn kept(browser: &mut Browser, bytes: Vec<u8>) -> (Vec<u8>, RgbImage) {
    let reply = post(browser, bytes).await;
    assert_eq!(reply.status, 201, "{}", reply.text());
    let reply = browser.get(&format!("/api/pictures/{}", reply.json()["id"].as_str().unwrap())).await;
    assert_eq!((reply.status.as_u16(), reply.header("content-type")), (200, "image/jpeg"));
    let picture = image::load_from_memory(&reply.body).unwrap().to_rgb8();
    (reply.body, picture)
}

fn is_near(found: Rgb<u8>, wanted: Rgb<u8>) -> bool {
    found.0.iter().zip(wanted.0).all(|(&a, b)| a.abs_diff(b) < 30)
}

#[tokio::test]
async fn every_format_is_kept_as_it_looks() {
    let mut browser = browser();
    for format in [ImageFormat::Jpeg, ImageFormat::Png, ImageFormat::WebP, ImageFormat::Gif, ImageFormat::Bmp] {
        let (_, picture) = kept(&mut browser, encoded(&two_colours(), format)).await;
        assert_eq!(picture.dimensions(), (64, 32), "{format:?}");
        assert!(is_near(*picture.get_pixel(8, 16), RED) && is_near(*picture.get_pixel(56, 16), BLUE), "{format:?}");
    }
}

#[tokio::test]
async fn a_photo_comes_out_upright_and_without_its_data() {
    let mut browser = browser();
    // The orientation, and where the red half must be: x and y.
    for (orientation, size, red) in [
        (1, (64, 32), (8, 16)),
        (2, (64, 32), (56, 16)),
        (3, (64, 32), (56, 16)),
        (4, (64, 32), (8, 16)),
        (5, (32, 64), (16, 8)),
        (6, (32, 64), (16, 8)),
        (7, (32, 64), (16, 56)),
        (8, (32, 64), (16, 56)),
    ] {
        let photo = photo(orientation);
        assert!(photo.windows(10).any(|part| part == b"GPS-SECRET"));
        let (bytes, picture) = kept(&mut browser, photo).await;
        assert_eq!(picture.dimensions(), size, "orientation {orientation}");
        assert!(is_near(*picture.get_pixel(red.0, red.1), RED), "orientation {orientation}");
        assert!(!bytes.windows(4).any(|part| part == b"Exif") && !bytes.windows(10).any(|part| part == b"GPS-SECRET"));
    }
}

#[tokio::test]
async fn a_large_picture_is_made_smaller_and_transparency_white() {
    let mut browser = browser_with(|config| config.bounds.picture_side = 40);
    let glass: DynamicImage = RgbaImage::from_pixel(80, 20, Rgba([0, 0, 0, 0])).into();
    let (_, picture) = kept(&mut browser, encoded(&glass, ImageFormat::Png)).await;
    assert_eq!(picture.dimensions(), (40, 10));
    assert!(is_near(*picture.get_pixel(20, 5), Rgb([255; 3])));
}

#[tokio::test]
async fn what_is_no_picture_is_named() {
    let mut browser = browser();
    let heic = b"\0\0\0\x18ftypheic\0\0\0\0mif1heic".to_vec();
    let cut = encoded(&two_colours(), ImageFormat::Png)[..60].to_vec();
    let svg = b"<svg xmlns='http://www.w3.org/2000/svg'/>".to_vec();
    for (bytes, said) in [
        (heic, "HEIC"),
        (cut, "cannot be decoded"),
        (svg, "SVG"),
        (b"https://example.org/cat.jpg".to_vec(), "no format"),
        (Vec::new(), "empty"),
    ] {
        let reply = post(&mut browser, bytes).await;
        reply.assert_error(415, "not-a-picture");
        assert!(reply.text().contains(said), "{}", reply.text());
    }
}

#[tokio::test]
async fn a_bomb_is_refused_before_it_goes_off() {
    // A PNG of 50,000 × 50,000 pixels in a hundred bytes: its header, and the beginning of its data.
    let mut bomb = encoded(&two_colours(), ImageFormat::Png);
    bomb[16..20].copy_from_slice(&50_000_u32.to_be_bytes());
    bomb[20..24].copy_from_slice(&50_000_u32.to_be_bytes());
    let sum = crc32(&bomb[12..29]);
    bomb[29..33].copy_from_slice(&sum.to_be_bytes());
    post(&mut browser(), bomb).await.assert_error(413, "too-many-pixels");
}

fn crc32(bytes: &[u8]) -> u32 {
    let byte = |sum: u32, &byte: &u8| {
        (0..8).fold(sum ^ u32::from(byte), |sum, _| if sum & 1 == 1 { sum >> 1 ^ 0xedb8_8320 } else { sum >> 1 })
    };
    !bytes.iter().fold(u32::MAX, byte)
}

#[tokio::test]
async fn pictures_belong_to_their_browser_and_to_its_games() {
    let mut browser = browser();
    let id =
        post(&mut browser, encoded(&two_colours(), ImageFormat::Png)).await.json()["id"].as_str().unwrap().to_owned();
    let again = post(&mut browser, encoded(&two_colours(), ImageFormat::Png)).await.json()["id"].clone();
    assert_eq!(again, json!(id), "the same picture is kept once");
    let mut game = game();
    game["picture"] = json!(id);
    let save = browser.make("/api/saves", &named("mine", &game)).await;
    assert_eq!(browser.get(&format!("/api/saves/{save}")).await.json()["game"]["picture"], json!(id));
    let mut stranger = browser.stranger();
    stranger.get(&format!("/api/pictures/{id}")).await.assert_error(404, "not-found");
    stranger.post("/api/saves", &named("theirs", &game)).await.assert_error(400, "no-picture");
    browser.get("/api/pictures/nonsense").await.assert_error(404, "not-found");
}

#[tokio::test]
async fn the_oldest_unused_picture_makes_room_and_used_ones_stay() {
    let mut browser = browser_with(|config| config.bounds.pictures = 2);
    let shade = |shade: u8| encoded(&RgbImage::from_pixel(8, 8, Rgb([shade; 3])).into(), ImageFormat::Png);
    let mut ids = Vec::new();
    for number in 0..2 {
        ids.push(post(&mut browser, shade(number * 100)).await.json()["id"].as_str().unwrap().to_owned());
    }
    let mut used = game();
    used["picture"] = json!(ids[0]);
    browser.make("/api/saves", &named("a", &used)).await;
    let third = post(&mut browser, shade(250)).await.json()["id"].as_str().unwrap().to_owned();
    assert_eq!(browser.get(&format!("/api/pictures/{}", ids[0])).await.status, 200, "it is in a save");
    assert_eq!(browser.get(&format!("/api/pictures/{}", ids[1])).await.status, 404, "nothing used it");
    used["picture"] = json!(third);
    browser.make("/api/saves", &named("b", &used)).await;
    post(&mut browser, shade(180)).await.assert_error(413, "quota_pictures");
}

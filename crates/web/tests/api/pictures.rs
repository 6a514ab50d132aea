use axum::body::Body;
use jpeg_encoder::{ColorType, Encoder};
use serde_json::json;
use zune_jpeg::{JpegDecoder, zune_core::bytestream::ZCursor};

use crate::support::{
    Browser, PNG, Reply, animated_webp, browser, browser_with, game, jpeg, jpeg_of_kind, named, with,
};

const RED: [u8; 3] = [220, 30, 30];
const BLUE: [u8; 3] = [30, 30, 220];

/// Wider than high; red on the left, blue on the right.
fn two_colours() -> Vec<u8> {
    jpeg(64, 32, |x, _| if x < 32 { RED } else { BLUE })
}

/// A file of one colour, which some pixels more would make too large.
fn shade(shade: u8) -> Vec<u8> {
    jpeg(8, 8, |_, _| [shade; 3])
}

async fn post(browser: &mut Browser, bytes: impl Into<Body>) -> Reply {
    browser.send("POST", "/api/pictures", &[("content-type", "application/octet-stream")], bytes.into()).await
}

/// The file that is stored of a picture, its size and its pixels.
async fn stored(browser: &mut Browser, bytes: Vec<u8>) -> (Vec<u8>, (usize, usize), Vec<u8>) {
    let id = browser.post_picture(bytes).await;
    let reply = browser.get(&format!("/api/pictures/{id}")).await;
    assert_eq!((reply.status.as_u16(), reply.header("content-type")), (200, "image/jpeg"));
    let mut decoder = JpegDecoder::new(ZCursor::new(&reply.body));
    let pixels = decoder.decode().unwrap();
    (reply.body.clone(), decoder.dimensions().unwrap(), pixels)
}

fn is_near(pixels: &[u8], at: usize, wanted: [u8; 3]) -> bool {
    pixels[3 * at..].iter().zip(wanted).all(|(&a, b)| a.abs_diff(b) < 30)
}

#[tokio::test]
async fn every_kind_of_jpeg_is_stored_as_it_looks() {
    let mut browser = browser();
    let (progressive, mut grey) = (jpeg_of_kind(true, 64, 32, |_, _| RED), Vec::new());
    Encoder::new(&mut grey, 90).encode(&[99; 64 * 32], 64, 32, ColorType::Luma).unwrap();
    for (file, left, right) in [(two_colours(), RED, BLUE), (progressive, RED, RED), (grey, [99; 3], [99; 3])] {
        let (_, size, pixels) = stored(&mut browser, file).await;
        assert_eq!(size, (64, 32));
        assert!(is_near(&pixels, 16 * 64 + 8, left) && is_near(&pixels, 16 * 64 + 56, right));
    }
}

/// A file as a phone writes it, with the place where it was taken; and with data in a comment and behind its end.
#[tokio::test]
async fn metadata_is_not_stored() {
    let jpeg = two_colours();
    let mut photo = b"\xff\xd8".to_vec();
    for (marker, content) in [(0xe1, &b"Exif\0\0II*\0\x08\0\0\0\0\0GPS-SECRET"[..]), (0xfe, b"GPS-SECRET")] {
        photo.extend([0xff, marker]);
        photo.extend((content.len() as u16 + 2).to_be_bytes());
        photo.extend(content);
    }
    photo.extend(&jpeg[2..]);
    photo.extend(b"GPS-SECRET");
    let holds = |bytes: &[u8], text: &[u8]| bytes.windows(text.len()).any(|part| part == text);
    let (file, size, pixels) = stored(&mut browser(), photo).await;
    assert!(!holds(&file, b"Exif") && !holds(&file, b"GPS-SECRET"));
    assert!(size == (64, 32) && is_near(&pixels, 16 * 64 + 8, RED));
}

#[tokio::test]
async fn files_that_are_no_whole_jpeg_are_refused_by_name() {
    let mut browser = browser();
    let (whole, mut damaged) = (two_colours(), two_colours());
    let progressive = jpeg_of_kind(true, 64, 32, |_, _| RED);
    let end = damaged.len();
    damaged[20..end - 2].fill(0);
    for (bytes, said) in [
        (&b"\0\0\0\x18ftypheic\0\0\0\0mif1heic"[..], "HEIC"),
        (PNG, "PNG"),
        (&animated_webp(64, 8), "WebP"),
        (b"GIF89a", "GIF"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "SVG"),
        (b"https://example.org/cat.jpg", "no format"),
        (b"", "empty"),
        (&whole[..40], "it ends before its end marker"),
        (&whole[..whole.len() / 2], "it ends before its end marker"),
        (&whole[..whole.len() - 9], "it ends before its end marker"),
        (&whole[..whole.len() - 2], "it ends before its end marker"),
        (&progressive[..progressive.len() - 2], "it ends before its end marker"),
        (&damaged, "cannot be decoded"),
    ] {
        let reply = post(&mut browser, bytes.to_vec()).await;
        reply.assert_error(415, "not-a-picture");
        assert!(reply.text().contains(said), "{}", reply.text());
    }
}

#[tokio::test]
async fn large_pictures_are_refused() {
    let mut browser = browser_with(|config| config.bounds.picture_side = 63);
    let reply = post(&mut browser, two_colours()).await;
    reply.assert_error(413, "too-many-pixels");
    assert!(reply.text().contains("64×32 pixels, expected at most 63 a side"), "{}", reply.text());
    let mut bomb = two_colours();
    let header = bomb.windows(2).position(|marker| marker == b"\xff\xc0").unwrap();
    bomb[header + 5..header + 9].fill(0xff);
    post(&mut browser, bomb).await.assert_error(413, "too-many-pixels");
}

#[tokio::test]
async fn pictures_belong_to_their_browser_and_to_its_games() {
    let mut browser = browser();
    let id = browser.post_picture(two_colours()).await;
    assert_eq!(browser.post_picture(two_colours()).await, id, "the same picture is stored once");
    let game = with(&game(), "picture", json!(id));
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
    let ids = [browser.post_picture(shade(0)).await, browser.post_picture(shade(100)).await];
    browser.make("/api/saves", &named("a", &with(&game(), "picture", json!(ids[0])))).await;
    let third = browser.post_picture(shade(250)).await;
    assert_eq!(browser.get(&format!("/api/pictures/{}", ids[0])).await.status, 200, "it is in a save");
    assert_eq!(browser.get(&format!("/api/pictures/{}", ids[1])).await.status, 404, "nothing used it");
    browser.make("/api/saves", &named("b", &with(&game(), "picture", json!(third)))).await;
    post(&mut browser, shade(180)).await.assert_error(507, "quota-pictures");
}

//! The memory that a picture may cost, by the allocator's own count.

#[path = "api/support.rs"]
#[allow(dead_code, reason = "the other tests need more of it")]
mod support;

use axum::body::Body;
use pintu_testing::Counting;

#[global_allocator]
static MEMORY: Counting = Counting::new();

/// A JPEG file of noise, the longest of its size.
fn noise(side: u16, is_progressive: bool) -> Vec<u8> {
    support::jpeg_of_kind(is_progressive, side, side, |x, y| {
        let mixed = (u64::from(x) << 16 | u64::from(y)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        [(mixed >> 30) as u8, (mixed >> 40) as u8, (mixed >> 50) as u8]
    })
}

/// The status of a picture's post, and the most memory that was held meanwhile beside the file, in MiB.
async fn cost(file: Vec<u8>) -> (u16, u64) {
    let mut browser = support::browser();
    let body = Body::from(file);
    let before = MEMORY.held();
    MEMORY.forget_peak();
    let status = browser.send("POST", "/api/pictures", &[], body).await.status.as_u16();
    (status, (MEMORY.peak() - before) >> 20)
}

/// One test, for the whole process is counted.
#[tokio::test]
async fn no_picture_costs_much_more_than_its_pixels() {
    let (mut bomb, small) = (noise(64, false), noise(64, false));
    let header = bomb.windows(2).position(|marker| marker == b"\xff\xc0").unwrap();
    bomb[header + 5..header + 9].fill(0xff);
    // Colour profiles and photos' data as long as a file may be.
    let segments = |kind: &[u8]| {
        let segment = [kind, &vec![0; 60_000]].concat();
        let length = (segment.len() as u16 - 2).to_be_bytes();
        let segment = [&segment[..2], &length, &segment[4..]].concat();
        [&small[..2], &segment.repeat(120), &small[2..]].concat()
    };
    // 16 bytes a pixel of 1600×1600 are 39 MiB, as `Config::most_bytes` says.
    for (name, file, status, most) in [
        ("baseline", noise(1600, false), 201, 64),
        ("progressive", noise(1600, true), 201, 64),
        ("65535 pixels a side", bomb, 413, 4),
        ("animated WebP", support::animated_webp(1600, 20), 415, 4),
        ("PNG", support::PNG.to_vec(), 415, 4),
        ("EXIF", segments(b"\xff\xe1  Exif\0\0"), 201, 64),
        ("ICC", segments(b"\xff\xe2  ICC_PROFILE\0\x01\x01"), 201, 64),
    ] {
        let (found, mebibytes) = cost(file).await;
        println!("{name}: {found}, {mebibytes} MiB");
        assert_eq!(found, status, "{name}");
        assert!(mebibytes <= most, "{name} took {mebibytes} MiB, expected at most {most}");
    }
}

//! What a picture may cost, whatever its sides.

use std::io::Read;

use axum::{body::Body, http::Request};
use flate2::{Compression, write::ZlibEncoder};
use pintu_testing::Counting;
use pintu_web::{Config, app};
use tower::ServiceExt;

#[global_allocator]
static MEMORY: Counting = Counting::new();

/// So many bytes, all of which are 0, packed.
fn packed(bytes: u64) -> Vec<u8> {
    let mut packer = ZlibEncoder::new(Vec::new(), Compression::fast());
    std::io::copy(&mut std::io::repeat(0).take(bytes), &mut packer).unwrap();
    packer.finish().unwrap()
}

/// A black PNG with a profile of colours of so many bytes, of which nothing is in memory but the file.
fn png(width: u32, height: u32, profile: u64) -> Vec<u8> {
    let rows = packed(u64::from(height) * (1 + 3 * u64::from(width)));
    let colours = [b"name\0\0".to_vec(), packed(profile)].concat();
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut head = [width.to_be_bytes(), height.to_be_bytes()].concat();
    head.extend([8, 2, 0, 0, 0]);
    for (name, data) in [(b"IHDR", head), (b"iCCP", colours), (b"IDAT", rows), (b"IEND", Vec::new())] {
        file.extend((data.len() as u32).to_be_bytes());
        let start = file.len();
        file.extend(name);
        file.extend(&data);
        let mut sum = flate2::Crc::new();
        sum.update(&file[start..]);
        file.extend(sum.sum().to_be_bytes());
    }
    file
}

/// The status of a picture's post, and the most memory that was held meanwhile, in MiB.
async fn cost(width: u32, height: u32, profile: u64) -> (u16, usize) {
    let data = tempfile::tempdir().unwrap();
    let app = app(Config::new(data.path())).unwrap();
    let request = Request::post("/api/pictures")
        .header("host", "127.0.0.1")
        .body(Body::from(png(width, height, profile)))
        .unwrap();
    MEMORY.forget_peak();
    let before = MEMORY.held();
    let status = app.oneshot(request).await.unwrap().status().as_u16();
    (status, ((MEMORY.peak() - before) >> 20) as usize)
}

/// One test, for what is counted is the whole process's.
#[tokio::test]
async fn no_picture_costs_much_more_than_its_pixels() {
    // 32 million pixels: in a row, in a column, in rows as long as a side may be, and in the usual shape.
    for (width, height, wanted) in [(32_000_000, 1, 413), (1, 32_000_000, 413), (20_000, 1600, 201), (6400, 5000, 201)]
    {
        let (status, mebibytes) = cost(width, height, 0).await;
        assert_eq!(status, wanted, "{width}×{height}");
        // Three bytes a pixel are 92 MiB; refused ones cost nothing.
        let most = if wanted == 413 { 2 } else { 180 };
        assert!(mebibytes <= most, "{width}×{height} took {mebibytes} MiB, expected at most {most}");
    }
    // What comes before the pixels is bounded by itself.
    let (_, mebibytes) = cost(1, 1, 500_000_000).await;
    assert!(mebibytes <= 64, "a profile took {mebibytes} MiB");
}

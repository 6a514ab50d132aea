//! The page's files: in the binary in release builds, read from the disk in debug builds.

use std::{
    collections::HashMap,
    fs,
    io::Write,
    path::{Component, Path},
    sync::{LazyLock, Mutex, PoisonError},
};

use axum::{
    body::{Body, Bytes},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use flate2::{Compression, write::GzEncoder};
use sha2::{Digest, Sha256};

use crate::{guide, id::hex};

/// Where files are, by their names.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Files {
    /// The page's, in the binary.
    Embedded,
    /// Those of a folder of this package.
    Folder(&'static str),
}

/// The page's files.
pub(crate) const PAGE: Files = if cfg!(embedded) { Files::Embedded } else { Files::Folder("page") };

#[derive(Clone)]
struct File {
    data: Bytes,
    hash: [u8; 32],
}

/// Files compressed before, by the hash of what was compressed.
pub(crate) type Compressed = Mutex<HashMap<[u8; 32], Bytes>>;

impl File {
    fn new(data: Bytes) -> Self {
        Self { hash: Sha256::digest(&data).into(), data }
    }
}

impl Files {
    fn get(self, name: &str) -> Option<File> {
        /// What the build script listed.
        static EMBEDDED: LazyLock<HashMap<&str, File>> = LazyLock::new(|| {
            let listed: &[(&str, &'static [u8])] = include!(concat!(env!("OUT_DIR"), "/page.rs"));
            listed.iter().map(|&(name, bytes)| (name, File::new(Bytes::from_static(bytes)))).collect()
        });
        match self {
            Self::Embedded => EMBEDDED.get(name).cloned(),
            Self::Folder(folder) => {
                let name = Path::new(name);
                // Nothing from outside the folder.
                let is_inside = name.components().all(|part| matches!(part, Component::Normal(_)));
                let package = Path::new(env!("CARGO_MANIFEST_DIR"));
                let path = match name.to_str().and_then(guide::in_docs) {
                    Some(name) => package.join("../../docs").join(name),
                    None => package.join(folder).join(name),
                };
                (is_inside && path.is_file()).then(|| fs::read(path).ok())?.map(|data| File::new(data.into()))
            }
        }
    }
}

/// The file at a path, as a response to a request with these headers; `None` if there is none.
pub(crate) fn file(files: Files, path: &str, headers: &HeaderMap, compressed: &Compressed) -> Option<Response> {
    let file = match guide::source(path) {
        Some(source) => File::new(guide::html(str::from_utf8(&files.get(source)?.data).ok()?).into()),
        None => files.get(path)?,
    };
    let (media_type, is_text) = media_type(path);
    let zip = is_text && accepts_gzip(headers);
    let hash = hex(&file.hash[..12]);
    let tag = format!("\"{hash}{}\"", if zip { "-gz" } else { "" });
    let mut response = if is_known(headers, &tag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else if zip {
        let mut response = Body::from(gzip(&file, compressed)?).into_response();
        response.headers_mut().insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        response
    } else {
        Body::from(file.data).into_response()
    };
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    headers.insert(header::ETAG, HeaderValue::try_from(tag).ok()?);
    Some(response)
}

/// The media type of a file's name, and whether it is text, which compression pays for.
fn media_type(path: &str) -> (&'static str, bool) {
    match path.rsplit_once('.').map_or("", |(_, suffix)| suffix) {
        "html" => ("text/html; charset=utf-8", true),
        "js" | "mjs" => ("text/javascript; charset=utf-8", true),
        "css" => ("text/css; charset=utf-8", true),
        "json" => ("application/json", true),
        "webmanifest" => ("application/manifest+json", true),
        "svg" => ("image/svg+xml", true),
        "txt" => ("text/plain; charset=utf-8", true),
        "png" => ("image/png", false),
        "jpg" | "jpeg" => ("image/jpeg", false),
        "webp" => ("image/webp", false),
        "ico" => ("image/x-icon", false),
        "woff2" => ("font/woff2", false),
        _ => ("application/octet-stream", false),
    }
}

pub(crate) fn accepts_gzip(headers: &HeaderMap) -> bool {
    let values = headers.get_all(header::ACCEPT_ENCODING).into_iter().filter_map(|value| value.to_str().ok());
    let mut codings = values.flat_map(|value| value.split(','));
    codings.any(|coding| {
        let (name, quality) = coding.split_once(';').unwrap_or((coding, ""));
        name.trim().eq_ignore_ascii_case("gzip") && !matches!(quality.trim(), "q=0" | "q=0.0" | "q=0.00" | "q=0.000")
    })
}

fn is_known(headers: &HeaderMap, tag: &str) -> bool {
    let values = headers.get_all(header::IF_NONE_MATCH).into_iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).any(|known| known.trim().trim_start_matches("W/") == tag)
}

fn gzip(file: &File, compressed: &Compressed) -> Option<Bytes> {
    let mut compressed = compressed.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(bytes) = compressed.get(&file.hash) {
        return Some(bytes.clone());
    }
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(&file.data).ok()?;
    let bytes = Bytes::from(encoder.finish().ok()?);
    compressed.insert(file.hash, bytes.clone());
    Some(bytes)
}

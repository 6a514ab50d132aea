//! The files of the page and the guide: in the binary in release builds, read from the disk in debug builds. The guide is one
//! of the docs, whose Markdown becomes HTML here.

use std::{
    collections::HashMap,
    fs,
    io::Write,
    path::{Component, Path},
    sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError},
    time::SystemTime,
};

use axum::{
    body::{Body, Bytes},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use flate2::{Compression, write::GzEncoder};
use pulldown_cmark::{Options, Parser, html::push_html};
use sha2::{Digest, Sha256};

use crate::{app::PAGES, id::hex};

/// A served file: its bytes, a hash of them, and their compressed form once somebody asks for that.
pub(crate) struct File {
    pub(crate) data: Bytes,
    pub(crate) hash: String,
    gzip: OnceLock<Bytes>,
}

impl File {
    pub(crate) fn new(data: impl Into<Bytes>) -> Arc<Self> {
        let data = data.into();
        Arc::new(Self { hash: hex(&Sha256::digest(&data)[..12]), data, gzip: OnceLock::new() })
    }

    fn gzip(&self) -> Bytes {
        let compress = || {
            let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
            // Writing to memory does not fail.
            let _ = encoder.write_all(&self.data);
            encoder.finish().unwrap_or_default().into()
        };
        self.gzip.get_or_init(compress).clone()
    }
}

/// The files of the page but its document, as a host serves them: all in one folder, whose name is made of their hash, so
/// that browsers keep them and never ask again.
pub(crate) fn folder(files: &[(String, Bytes)], document: &str) -> String {
    let document = (String::new(), Bytes::from(document.to_owned()));
    format!("page-{}", hash(files.iter().chain([&document])))
}

/// A hash of files and their names.
pub(crate) fn hash<'a>(files: impl IntoIterator<Item = &'a (String, Bytes)>) -> String {
    let mut all = Sha256::new();
    for (name, bytes) in files {
        all.update((name.len() as u64).to_le_bytes());
        all.update(name);
        all.update((bytes.len() as u64).to_le_bytes());
        all.update(bytes);
    }
    hex(&all.finalize()[..8])
}

/// The document with the addresses of places, and those of its files in a folder.
pub(crate) fn in_folder(document: &str, place: impl Fn(&str) -> String, files: &str) -> String {
    let mut parts = document.split("=\"/");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once('"').unwrap_or((part, ""));
        let path = format!("/{name}");
        let address = if PAGES.contains(&path.as_str()) { place(&path) } else { format!("{files}{name}") };
        text.extend(["=\"", &address, "\"", rest]);
    }
    text.replacen("<html", &format!("<html data-files=\"{files}\""), 1)
}

/// The document and the name of the folder of its files.
struct Page {
    document: Arc<File>,
    folder: String,
}

impl Page {
    fn made() -> Option<Arc<Self>> {
        let document = contents("index.html")?;
        let document = str::from_utf8(&document).ok()?;
        let files: Vec<_> = names().into_iter().filter_map(|name| Some((name.clone(), contents(&name)?))).collect();
        let folder = folder(&files, document);
        let document = File::new(in_folder(document, str::to_owned, &format!("/{folder}/")));
        Some(Arc::new(Self { document, folder }))
    }

    /// The page; in debug builds, the one on the disk when its document was last asked for.
    fn current(is_asked_for: bool) -> Option<Arc<Self>> {
        static PAGE: Mutex<Option<(Option<SystemTime>, Arc<Page>)>> = Mutex::new(None);
        let mut page = PAGE.lock().unwrap_or_else(PoisonError::into_inner);
        let newest = if cfg!(embedded) || !is_asked_for { None } else { newest_file() };
        if page.as_ref().is_none_or(|(known, _)| is_asked_for && *known != newest) {
            *page = Some((newest, Self::made()?));
        }
        page.as_ref().map(|(_, page)| Arc::clone(page))
    }
}

/// The list of the build script, with packed scripts.
static EMBEDDED: LazyLock<HashMap<&str, Arc<File>>> = LazyLock::new(|| {
    let listed: &[(&str, &'static [u8])] = include!(concat!(env!("OUT_DIR"), "/page.rs"));
    listed.iter().map(|&(name, bytes)| (name, File::new(Bytes::from_static(bytes)))).collect()
});

/// The engine for browsers, where this program was built with one.
pub(crate) fn engine() -> Option<Bytes> {
    EMBEDDED.get(ENGINE).map(|file| file.data.clone())
}

const ENGINE: &str = "engine.wasm";

/// The paths of all files of the page but its document, the guide as HTML.
pub(crate) fn names() -> Vec<String> {
    let mut names: Vec<String> = if cfg!(embedded) {
        EMBEDDED.keys().map(|&name| name.to_owned()).collect()
    } else {
        let package = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut found = Vec::new();
        list(&package.join("page"), "", &mut found);
        found.retain(|name| Path::new(name).extension().is_none_or(|extension| extension != "js"));
        list(&package.join("../../docs/guide"), "guide/", &mut found);
        found.extend(packed_names());
        found.extend(["guide/en.md", "guide/zh.md"].map(str::to_owned));
        found
    };
    names.retain(|name| ![ENGINE, "index.html"].contains(&name.as_str()));
    for name in &mut names {
        if let Some(text) = name.strip_suffix(".md") {
            *name = format!("{text}.html");
        }
    }
    names.sort();
    names
}

/// Adds the files below a folder.
fn list(folder: &Path, prefix: &str, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            list(&entry.path(), &format!("{name}/"), found);
        } else {
            found.push(name);
        }
    }
}

/// The content of a file.
pub(crate) fn contents(name: &str) -> Option<Bytes> {
    found(name).map(|file| file.data.clone())
}

fn get(name: &str) -> Option<Arc<File>> {
    if cfg!(embedded) {
        return EMBEDDED.get(name).cloned();
    }
    if name == "index.html" || media_type(name).0.starts_with("text/javascript") {
        return packed(name);
    }
    // Nothing from outside the folder.
    let is_inside = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let path = match in_docs(name) {
        Some(name) => package.join("../../docs").join(name),
        None => package.join("page").join(name),
    };
    (is_inside && path.is_file()).then(|| fs::read(path).ok())?.map(File::new)
}

/// The document and the scripts, packed from the files on the disk: at first, and when the document is asked for and a file
/// has changed.
fn packed(name: &str) -> Option<Arc<File>> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("page");
    let mut packed = PACKED.lock().unwrap_or_else(PoisonError::into_inner);
    if packed.is_none() || name == "index.html" {
        let newest = newest_file()?;
        if packed.as_ref().is_none_or(|(known, _)| *known != newest) {
            let made =
                pintu_pack::pack_directory(&page).inspect_err(|error| tracing::error!("the page: {error}")).ok()?;
            let files = made.scripts.into_iter().chain([("index.html".to_owned(), made.document)]);
            *packed = Some((newest, files.map(|(name, text)| (name, File::new(text))).collect()));
        }
    }
    packed.as_ref()?.1.get(name).cloned()
}

type Packed = (SystemTime, HashMap<String, Arc<File>>);
static PACKED: Mutex<Option<Packed>> = Mutex::new(None);

fn packed_names() -> Vec<String> {
    packed("index.html");
    let packed = PACKED.lock().unwrap_or_else(PoisonError::into_inner);
    packed.as_ref().map(|(_, files)| files.keys().cloned().collect()).unwrap_or_default()
}

/// When a file of the page or its guide was last written.
fn newest_file() -> Option<SystemTime> {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    ["page", "../../docs"].into_iter().filter_map(|folder| newest(&package.join(folder))).max()
}

/// When a file below a directory was last written.
fn newest(directory: &Path) -> Option<SystemTime> {
    let entries = fs::read_dir(directory).ok()?.flatten();
    let times = entries.filter_map(|entry| {
        let is_directory = entry.file_type().ok()?.is_dir();
        if is_directory { newest(&entry.path()) } else { entry.metadata().ok()?.modified().ok() }
    });
    times.max()
}

/// The file that is served at a path, if there is one, and whether a browser may keep it.
pub(crate) fn served(path: &str) -> Option<(Arc<File>, bool)> {
    let page = Page::current(path == "index.html")?;
    let in_folder = path.strip_prefix(&page.folder).and_then(|rest| rest.strip_prefix('/'));
    let file = if path == "index.html" { Arc::clone(&page.document) } else { found(in_folder.unwrap_or(path))? };
    Some((file, in_folder.is_some()))
}

/// The file of a path, as a response to a request with these headers.
pub(crate) fn response(path: &str, file: &File, is_kept: bool, headers: &HeaderMap) -> Response {
    let (media_type, is_large) = media_type(path);
    let zip = is_large && accepts_gzip(headers);
    let etag = format!("\"{}{}\"", file.hash, if zip { "-gz" } else { "" });
    let mut response = if is_known(headers, &etag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else if zip {
        let mut response = Body::from(file.gzip()).into_response();
        response.headers_mut().insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        response
    } else {
        Body::from(file.data.clone()).into_response()
    };
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type));
    let caching = if is_kept { "public, max-age=31536000, immutable" } else { "no-cache" };
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(caching));
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    headers.extend(HeaderValue::try_from(etag).map(|etag| (header::ETAG, etag)));
    response
}

fn found(path: &str) -> Option<Arc<File>> {
    match path {
        "guide/en.html" => Some(File::new(html(str::from_utf8(&get("guide/en.md")?.data).ok()?))),
        "guide/zh.html" => Some(File::new(html(str::from_utf8(&get("guide/zh.md")?.data).ok()?))),
        _ => get(path),
    }
}

/// The media type of a file's name, and whether it is worth compressing.
fn media_type(path: &str) -> (&'static str, bool) {
    match path.rsplit_once('.').map_or("", |(_, suffix)| suffix) {
        "html" => ("text/html; charset=utf-8", true),
        "js" | "mjs" => ("text/javascript; charset=utf-8", true),
        "css" => ("text/css; charset=utf-8", true),
        "json" => ("application/json", true),
        "webmanifest" => ("application/manifest+json", true),
        "svg" => ("image/svg+xml", true),
        "wasm" => ("application/wasm", true),
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

fn is_known(headers: &HeaderMap, etag: &str) -> bool {
    let values = headers.get_all(header::IF_NONE_MATCH).into_iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).any(|known| known.trim().trim_start_matches("W/") == etag)
}

/// The file of the docs behind a path below `guide/`: a text or a picture.
fn in_docs(address: &str) -> Option<&str> {
    match address {
        "guide/en.md" => Some("guide.md"),
        "guide/zh.md" => Some("guide.zh.md"),
        _ => address.starts_with("guide/").then_some(address),
    }
}

/// A text as HTML, without head and body: a part of the page.
fn html(markdown: &str) -> String {
    let mut html = String::new();
    push_html(&mut html, Parser::new_ext(markdown, Options::ENABLE_TABLES));
    // The page's policy forbids inline styles.
    joined(&html.replace(" style=\"text-align: right\"", " class=\"right\""))
}

/// The text without line breaks between Chinese characters, which browsers show as blanks.
fn joined(text: &str) -> String {
    let is_chinese = |character: char| character >= '\u{3000}';
    let mut rest = text.chars().peekable();
    let mut joined = String::with_capacity(text.len());
    while let Some(character) = rest.next() {
        let is_within = joined.ends_with(is_chinese) && rest.peek().is_some_and(|&next| is_chinese(next));
        if character != '\n' || !is_within {
            joined.push(character);
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_chinese_are_joined_without_a_blank() {
        assert_eq!(html("选一张地图。\n画出来的 A*\n就是\n"), "<p>选一张地图。画出来的 A*\n就是</p>\n");
    }

    #[test]
    fn markdown_becomes_html() {
        let made = html("# A & b\n\n| x | y |\n| --- | ---: |\n| 1 | 2 |\n\n![p](guide/p.svg)\n");
        for part in [
            "<h1>A &amp; b</h1>",
            "<table>",
            "<td>1</td>",
            "<td class=\"right\">2</td>",
            "<img src=\"guide/p.svg\" alt=\"p\"",
        ] {
            assert!(made.contains(part), "{part} in {made}");
        }
    }
}

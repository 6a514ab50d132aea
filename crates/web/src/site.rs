//! The page as a folder of files for any host: the same scripts and styles, the guide as HTML, the engine for workers, and a
//! service worker that keeps it all for a browser without a network.
//!
//! What a version's files are called begins with its hash, so that no cache mixes two versions; only the documents, the
//! manifest and the service worker keep their names.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use axum::body::Bytes;
use serde_json::json;
use sha2::{Digest, Sha256};

use crate::{app::PAGES, assets, id::hex};

/// A site that was not written.
#[derive(Debug, thiserror::Error)]
pub enum SiteError {
    #[error("{}: {why}", path.display())]
    Io { path: PathBuf, why: io::Error },
    #[error("{}: found files that are not a site's, expected a new or empty folder, or an earlier site", .0.display())]
    Foreign(PathBuf),
    #[error("{}: found no WebAssembly module, expected the engine", .0.display())]
    NoModule(PathBuf),
    #[error(
        "found no engine for browsers in this program, expected `--engine FILE`; `cargo xtask site DIR` builds one"
    )]
    NoEngine,
    #[error("the page is not as it should be: it has no {0}")]
    Page(&'static str),
}

/// How a site is told from a folder of other things.
const MARK: &str = "sw.js";

/// Writes the site into a folder; says how many files and bytes that are. The engine is read from a file, unless the program
/// has one in it. Files of an earlier version stay: pages that are open still ask for them.
pub fn write(folder: &Path, engine: Option<&Path>) -> Result<(usize, u64), SiteError> {
    let is_foreign = fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some());
    if is_foreign && !folder.join(MARK).is_file() {
        return Err(SiteError::Foreign(folder.to_owned()));
    }
    let files = site(&module(engine)?)?;
    for (name, bytes) in &files {
        let path = folder.join(name);
        let failed = |why| SiteError::Io { path: path.clone(), why };
        fs::create_dir_all(path.parent().unwrap_or(folder)).map_err(failed)?;
        fs::write(&path, bytes).map_err(failed)?;
    }
    Ok((files.len(), files.iter().map(|(_, bytes)| bytes.len() as u64).sum()))
}

fn module(engine: Option<&Path>) -> Result<Bytes, SiteError> {
    let Some(path) = engine else { return assets::engine().ok_or(SiteError::NoEngine) };
    let bytes = fs::read(path).map_err(|why| SiteError::Io { path: path.to_owned(), why })?;
    if bytes.starts_with(b"\0asm") { Ok(bytes.into()) } else { Err(SiteError::NoModule(path.to_owned())) }
}

type Files = Vec<(String, Bytes)>;

fn site(module: &Bytes) -> Result<Files, SiteError> {
    let document = assets::contents("index.html").ok_or(SiteError::Page("document"))?;
    let document = String::from_utf8_lossy(&document).into_owned();
    let mut page: Files =
        assets::names().into_iter().filter_map(|name| Some((name.clone(), assets::contents(&name)?))).collect();
    page.push(("icon.svg".to_owned(), Bytes::from_static(include_bytes!("../site/icon.svg"))));
    let mut engine = vec![("engine.wasm".to_owned(), module.clone())];
    for side in [6, 7] {
        engine.extend(
            pintu_engine::network_weights(side).map(|bytes| (format!("{side}.bin"), Bytes::from_static(bytes))),
        );
    }
    let page_folder = format!("page-{}", hash(page.iter().chain([&(String::new(), document.clone().into())])));
    let engine_folder = format!("engine-{}", hash(&engine));
    let within = |folder: &str, files: Files| -> Files {
        files.into_iter().map(|(name, bytes)| (format!("{folder}/{name}"), bytes)).collect()
    };
    let (page, engine) = (within(&page_folder, page), within(&engine_folder, engine));
    let documents = PAGES.iter().map(|path| {
        let place = path.trim_start_matches('/');
        let name = if place.is_empty() { "index.html".to_owned() } else { format!("{place}/index.html") };
        (name, document_of(&document, place, &page_folder, &engine_folder).into())
    });
    let documents: Files = documents.collect();
    let manifest = ("manifest.webmanifest".to_owned(), manifest(&page_folder).into());
    let kept = documents.iter().map(|(name, _)| name.trim_end_matches("index.html").to_owned());
    let kept: Vec<String> = kept.map(|name| if name.is_empty() { "./".to_owned() } else { name }).collect();
    let kept: Vec<&str> =
        kept.iter().map(String::as_str).chain(page.iter().chain([&manifest]).map(|(name, _)| name.as_str())).collect();
    let engine_names: Vec<&str> = engine.iter().map(|(name, _)| name.as_str()).collect();
    let worker = include_str!("../site/sw.js")
        .replace("%VERSION%", &hash(page.iter().chain(&engine).chain(&documents)))
        .replace("%PAGE%", &page_folder)
        .replace("%FILES%", &json!(kept).to_string())
        .replace("%ENGINE%", &json!(engine_names).to_string());
    let worker = (MARK.to_owned(), worker.into());
    // The service worker comes last: a browser that finds it finds everything else.
    Ok(page.into_iter().chain(engine).chain(documents).chain([manifest, worker]).collect())
}

/// The document of a place, with addresses relative to it.
fn document_of(document: &str, place: &str, page: &str, engine: &str) -> String {
    let (up, name) = if place.is_empty() { ("./", "play") } else { ("../", place) };
    let mut text = document.to_owned();
    for path in PAGES {
        let name = path.trim_start_matches('/');
        let folder = if name.is_empty() { up.to_owned() } else { format!("{up}{name}/") };
        text = text.replace(&format!("href=\"{path}\""), &format!("href=\"{folder}\""));
    }
    for attribute in ["href", "src"] {
        text = text.replace(&format!("{attribute}=\"/"), &format!("{attribute}=\"{up}{page}/"));
    }
    let root = format!(
        "<html data-host=\"files\" data-base=\"{up}\" data-files=\"{up}{page}/\" data-engine=\"{up}{engine}/\" data-place=\"{name}\""
    );
    let links = format!("<link rel=\"manifest\" href=\"{up}manifest.webmanifest\">\n</head>");
    text.replacen("<html", &root, 1).replacen("</head>", &links, 1)
}

fn manifest(page: &str) -> String {
    let icon = |name: &str, purpose: &str| json!({ "src": format!("{page}/{name}"), "sizes": "any", "type": "image/svg+xml", "purpose": purpose });
    let manifest = json!({
        "name": "Pintu 拼图",
        "short_name": "Pintu",
        "description": "A sliding-picture game with your own pictures, and an engine that can solve it.",
        "id": "./",
        "start_url": "./",
        "scope": "./",
        "display": "standalone",
        "background_color": "#f6f3ec",
        "theme_color": "#f6f3ec",
        "icons": [icon("favicon.svg", "any"), icon("icon.svg", "maskable")],
    });
    manifest.to_string()
}

fn hash<'a>(files: impl IntoIterator<Item = &'a (String, Bytes)>) -> String {
    let mut all = Sha256::new();
    for (name, bytes) in files {
        all.update((name.len() as u64).to_le_bytes());
        all.update(name);
        all.update((bytes.len() as u64).to_le_bytes());
        all.update(bytes);
    }
    hex(&all.finalize()[..8])
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODULE: &[u8] = b"\0asm and more";

    fn files() -> Files {
        site(&Bytes::from_static(MODULE)).unwrap()
    }

    fn text(files: &Files, name: &str) -> String {
        let found = files.iter().find(|(other, _)| other == name);
        String::from_utf8(found.unwrap_or_else(|| panic!("{name} is there")).1.to_vec()).unwrap()
    }

    #[test]
    fn a_document_asks_for_what_is_there_and_for_nothing_at_the_root() {
        let files = files();
        for (name, folder) in [("index.html", ""), ("lab/index.html", "lab/"), ("guide/index.html", "guide/")] {
            let document = text(&files, name);
            let attributes = ["href=\"", "src=\""].into_iter().flat_map(|name| document.split(name).skip(1));
            for address in attributes.filter_map(|rest| rest.split('"').next()).filter(|one| !one.starts_with('#')) {
                assert!(address.starts_with('.'), "{name}: {address}");
                let path = format!("{folder}{}", address.trim_start_matches("./")).replace(&format!("{folder}../"), "");
                let path = if path.is_empty() || path.ends_with('/') { format!("{path}index.html") } else { path };
                assert!(files.iter().any(|(other, _)| *other == path), "{name}: {address}");
            }
            assert!(document.contains("data-host=\"files\"") && document.contains("rel=\"manifest\""));
        }
        assert!(files.iter().any(|(name, _)| name.ends_with("/guide/zh.html")));
    }

    #[test]
    fn the_service_worker_keeps_every_file_and_comes_last() {
        let files = files();
        let worker = text(&files, MARK);
        assert_eq!(files.last().unwrap().0, MARK);
        for (name, _) in files.iter().filter(|(name, _)| name != MARK) {
            let kept = name
                .strip_suffix("index.html")
                .map_or(name.as_str(), |folder| if folder.is_empty() { "./" } else { folder });
            assert!(worker.contains(&format!("\"{kept}\"")), "{name}");
        }
        assert!(!worker.contains('%'));
    }

    #[test]
    fn another_engine_is_another_version_of_the_engine_alone() {
        let [one, two] = [MODULE, b"\0asm, another"].map(|module| site(&Bytes::from_static(module)).unwrap());
        let of = |files: &Files, start: &str| files.iter().find(|(name, _)| name.starts_with(start)).unwrap().0.clone();
        assert_eq!(of(&one, "page-"), of(&two, "page-"));
        assert_ne!(of(&one, "engine-"), of(&two, "engine-"));
        assert_ne!(text(&one, MARK), text(&two, MARK));
    }

    #[test]
    fn a_folder_of_other_things_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let engine = folder.path().join("engine.wasm");
        fs::write(&engine, MODULE).unwrap();
        assert!(matches!(write(folder.path(), Some(&engine)), Err(SiteError::Foreign(_))));
        let site = folder.path().join("site");
        let (count, bytes) = write(&site, Some(&engine)).unwrap();
        assert!(count > 50 && bytes > 100_000);
        // A site may be written over.
        assert_eq!(write(&site, Some(&engine)).unwrap(), (count, bytes));
        fs::write(&engine, "no module").unwrap();
        assert!(matches!(write(&site, Some(&engine)), Err(SiteError::NoModule(_))));
    }
}

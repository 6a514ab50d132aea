//! The page as a folder of files for any host: the same scripts and styles, the guide as HTML, the engine for workers, and a
//! service worker that keeps it all for a browser without a network.
//!
//! The names of a version's files begin with its hash, so that no cache mixes two versions; only the documents, the
//! manifest, the service worker and the element for other pages keep their names.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use axum::body::Bytes;
use pintu_engine::in_words;
use serde_json::json;

use crate::{
    app::PAGES,
    assets::{self, hash},
    engine::{Engine, EngineError},
    icon,
};

/// A site that was not written.
#[derive(Debug, thiserror::Error)]
pub enum SiteError {
    #[error("found a file at {}, expected a folder", .0.display())]
    File(PathBuf),
    #[error("{}: {}", path.display(), in_words(why))]
    Io { path: PathBuf, why: io::Error },
    #[error("{}: found files that are not a site's, expected a new or empty folder, or an earlier site", .0.display())]
    Foreign(PathBuf),
    #[error(transparent)]
    Engine(#[from] EngineError),
    #[error(
        "found no engine for browsers in this program, expected `--engine FILE`; `cargo xtask site DIR` builds one"
    )]
    NoEngine,
    #[error("the icon: {0}")]
    Icon(io::Error),
    #[error("the page is not as it should be: it has no {0}")]
    Page(&'static str),
}

/// The sides of the icon's bitmaps, which browsers want beside the drawing before they offer to install a page.
const ICONS: [usize; 2] = [192, 512];

/// The service worker, by whose caches a site is told from a folder of other things.
const WORKER: &str = "sw.js";
const CACHES: &str = "`pintu-${registration.scope}-`";

/// The custom element, which pages of others include by its address: it stays from version to version.
const ELEMENT: &str = "pintu-board.js";

/// Writes the site into a folder; says how many files and bytes that are. The engine is read from a file, unless the program
/// has one in it. Files of an earlier version stay: pages that are open still ask for them.
pub fn write(folder: &Path, engine: Option<&Path>) -> Result<(usize, u64), SiteError> {
    if folder.is_file() {
        return Err(SiteError::File(folder.to_owned()));
    }
    let is_empty = fs::read_dir(folder).map_or(true, |mut entries| entries.next().is_none());
    if !is_empty && !fs::read_to_string(folder.join(WORKER)).is_ok_and(|worker| worker.contains(CACHES)) {
        return Err(SiteError::Foreign(folder.to_owned()));
    }
    let engine = match engine {
        Some(path) => Engine::read(path)?,
        None => Engine::built_in().ok_or(SiteError::NoEngine)?,
    };
    let files = site(&engine)?;
    for (name, bytes) in &files {
        let path = folder.join(name);
        let failed = |why| SiteError::Io { path: path.clone(), why };
        fs::create_dir_all(path.parent().unwrap_or(folder)).map_err(failed)?;
        fs::write(&path, bytes).map_err(failed)?;
    }
    Ok((files.len(), files.iter().map(|(_, bytes)| bytes.len() as u64).sum()))
}

/// What hosts show at addresses where there is nothing, with the way to the game; opened as a file, it says what the site needs.
const NOTHING: &str = "404.html";
const NOTHING_PAGE: &str = include_str!("../site/404.html");

type Files = Vec<(String, Bytes)>;

fn site(engine: &Engine) -> Result<Files, SiteError> {
    let document = assets::contents("index.html").ok_or(SiteError::Page("document"))?;
    let document = String::from_utf8_lossy(&document).into_owned();
    let mut page: Files =
        assets::names().into_iter().filter_map(|name| Some((name.clone(), assets::contents(&name)?))).collect();
    page.push(("icon.svg".to_owned(), Bytes::from_static(include_bytes!("../site/icon.svg"))));
    for side in ICONS {
        page.push((format!("icon-{side}.png"), icon::png(side).map_err(SiteError::Icon)?.into()));
    }
    let element = assets::contents(ELEMENT).ok_or(SiteError::Page("element"))?;
    let page_folder = assets::folder(&page, &document);
    let engine_folder = engine.folder();
    let page: Files = page.into_iter().map(|(name, bytes)| (format!("{page_folder}/{name}"), bytes)).collect();
    let engine: Files = engine.files().map(|(path, file)| (path.to_owned(), file.data.clone())).collect();
    let documents = PAGES.iter().map(|path| {
        let place = path.trim_start_matches('/');
        let name = if place.is_empty() { "index.html".to_owned() } else { format!("{place}/index.html") };
        (name, document_of(&document, place, &page_folder, engine_folder).into())
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
        .replace("%ENGINE%", &json!(engine_names).to_string())
        .replace("%NOTHING%", &json!(NOTHING_PAGE).to_string());
    let worker = (WORKER.to_owned(), worker.into());
    // The service worker comes last: a browser that finds it finds everything else.
    let element = (ELEMENT.to_owned(), element);
    let nothing = (NOTHING.to_owned(), NOTHING_PAGE.into());
    Ok(page.into_iter().chain(engine).chain(documents).chain([manifest, element, nothing, worker]).collect())
}

/// The document of a place, with addresses relative to it.
fn document_of(document: &str, place: &str, page: &str, engine: &str) -> String {
    let (up, name) = if place.is_empty() { ("./", "play") } else { ("../", place) };
    let folder_of = |path: &str| match path.trim_start_matches('/') {
        "" => up.to_owned(),
        name => format!("{up}{name}/"),
    };
    let files = format!("{up}{page}/");
    let attributes =
        format!("data-host=\"files\" data-base=\"{up}\" data-engine=\"{up}{engine}/\" data-place=\"{name}\"");
    // Browsers load no modules from files.
    let as_file = format!("<script>if (location.protocol === 'file:') location.replace('{up}{NOTHING}');</script>");
    let links = format!("<link rel=\"manifest\" href=\"{up}manifest.webmanifest\">\n{as_file}\n</head>");
    let document = document.replacen("<html", &format!("<html {attributes}"), 1);
    assets::in_folder(&document, folder_of, &files).replacen("</head>", &links, 1)
}

fn manifest(page: &str) -> String {
    let drawn = |name: &str, purpose: &str| json!({ "src": format!("{page}/{name}"), "sizes": "any", "type": "image/svg+xml", "purpose": purpose });
    let bitmaps = ICONS.map(|side| {
        json!({ "src": format!("{page}/icon-{side}.png"), "sizes": format!("{side}x{side}"), "type": "image/png", "purpose": "any maskable" })
    });
    let icons: Vec<_> =
        [drawn("favicon.svg", "any"), drawn("icon.svg", "maskable")].into_iter().chain(bitmaps).collect();
    // Without an `id`, which would be relative to the host's root: two sites on one host are told apart by where they start.
    let manifest = json!({
        "name": "Pintu 拼图",
        "short_name": "Pintu",
        "description": "A sliding-picture game with your own pictures, and an engine that can solve it.",
        "start_url": "./",
        "scope": "./",
        "display": "standalone",
        "background_color": "#f6f3ec",
        "theme_color": "#f6f3ec",
        "icons": icons,
    });
    manifest.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODULE: &[u8] = b"\0asm and more";

    fn files() -> Files {
        site(&Engine::of(Bytes::from_static(MODULE))).unwrap()
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
        for part in ["/guide/zh.html", "/pintu-board.js", "/icon-192.png", "/icon-512.png"] {
            assert!(files.iter().any(|(name, _)| name.ends_with(part)), "{part}");
        }
    }

    #[test]
    fn the_service_worker_keeps_every_file_and_comes_last() {
        let files = files();
        let worker = text(&files, WORKER);
        assert_eq!(files.last().unwrap().0, WORKER);
        // The element at this address is for pages of others, and the page about nothing is for the host.
        for (name, _) in files.iter().filter(|(name, _)| ![WORKER, ELEMENT, NOTHING].contains(&name.as_str())) {
            let kept = name
                .strip_suffix("index.html")
                .map_or(name.as_str(), |folder| if folder.is_empty() { "./" } else { folder });
            assert!(worker.contains(&format!("\"{kept}\"")), "{name}");
        }
        assert!(worker.contains("has no page at this address"), "an unknown address without a network");
        assert!(!worker.contains('%'));
    }

    #[test]
    fn the_element_has_an_address_that_stays() {
        let files = files();
        let found = text(&files, ELEMENT);
        assert!(found.contains("customElements") && !found.contains("page-"));
    }

    #[test]
    fn an_address_with_nothing_shows_the_way_to_the_game() {
        let found = text(&files(), "404.html");
        assert!(found.contains("Play the game") && found.contains("去玩游戏"));
        assert!(!found.contains("=\"/"), "the site may lie below any path");
    }

    #[test]
    fn the_manifest_is_relative_to_where_the_site_lies() {
        let files = files();
        let manifest: serde_json::Value = serde_json::from_str(&text(&files, "manifest.webmanifest")).unwrap();
        assert_eq!([&manifest["start_url"], &manifest["scope"]], ["./", "./"]);
        assert!(manifest.get("id").is_none());
        for icon in manifest["icons"].as_array().unwrap() {
            assert!(files.iter().any(|(name, _)| *name == icon["src"]), "{icon}");
        }
    }

    #[test]
    fn another_engine_is_another_version_of_the_engine_alone() {
        let [one, two] =
            [MODULE, b"\0asm, another"].map(|module| site(&Engine::of(Bytes::from_static(module))).unwrap());
        let of = |files: &Files, start: &str| files.iter().find(|(name, _)| name.starts_with(start)).unwrap().0.clone();
        assert_eq!(of(&one, "page-"), of(&two, "page-"));
        assert_ne!(of(&one, "engine-"), of(&two, "engine-"));
        assert_ne!(text(&one, WORKER), text(&two, WORKER));
    }

    #[test]
    fn a_folder_of_other_things_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let engine = folder.path().join("engine.wasm");
        fs::write(&engine, MODULE).unwrap();
        assert!(matches!(write(folder.path(), Some(&engine)), Err(SiteError::Foreign(_))));
        fs::write(folder.path().join(WORKER), "const NAME = 'their-own-cache';").unwrap();
        assert!(matches!(write(folder.path(), Some(&engine)), Err(SiteError::Foreign(_))));
        let error = write(tempfile::NamedTempFile::new().unwrap().path(), None).unwrap_err().to_string();
        assert!(error.starts_with("found a file at ") && error.ends_with(", expected a folder"), "{error}");
        let site = folder.path().join("site");
        let (count, bytes) = write(&site, Some(&engine)).unwrap();
        assert!(count > 50 && bytes > 100_000);
        // A site may be written over.
        assert_eq!(write(&site, Some(&engine)).unwrap(), (count, bytes));
        fs::write(&engine, "no module").unwrap();
        assert!(matches!(write(&site, Some(&engine)), Err(SiteError::Engine(EngineError::NoModule(_)))));
    }
}

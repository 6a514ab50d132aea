//! Packs the page's ES modules into a few scripts: a visit asks for ten files instead of sixty, and comments stay at home.
//!
//! Each module becomes a function that returns its exports, and is run when it is first imported; `loader.js` runs
//! them. Which script a module is in follows from which modules import it (`chunks.rs`). The
//! scripts import each other by relative addresses, so that the whole page can lie in a folder of any name.
//!
//! The page is written so that this is simple, and anything else is an error here: imports and exports begin a line and
//! end on it, no module imports itself in a circle, and no exported name is assigned again.

mod chunks;
mod module;
mod strip;

use std::{collections::BTreeMap, fmt::Write, fs, io, path::Path};

use module::Module;
use strip::strip;

#[derive(Debug, thiserror::Error)]
pub enum PackError {
    #[error("{module}: found `{found}`, expected {expected}")]
    Statement {
        module: String,
        found: String,
        /// The forms that are understood.
        expected: &'static str,
    },
    #[error("{module}: imports {missing}, which is not there")]
    Missing { module: String, missing: String },
    #[error("{module}: imports {name} from {from}, which does not export it")]
    NotExported { module: String, name: String, from: String },
    #[error("modules import each other in a circle: {}", .0.join(" → "))]
    Circle(Vec<String>),
    #[error("{path}: {error}")]
    Read { path: String, error: io::Error },
    #[error("index.html: expected {0}")]
    Document(&'static str),
}

/// The page's scripts and its document.
#[derive(Debug)]
pub struct Packed {
    /// The scripts by their paths, `app/NAME.js`, and the element, `pintu-board.js`.
    pub scripts: BTreeMap<String, String>,
    /// `index.html`, which asks for them.
    pub document: String,
}

/// Scripts on their own, which no module imports: the one that runs before the first paint, and the worker's.
const ALONE: [(&str, &str); 2] = [("js/early.js", "early"), ("js/worker.js", "worker")];
/// Where the scripts are.
const FOLDER: &str = "app";
const LOADER: &str = include_str!("loader.js");

/// Packs the page in a directory: its `index.html` and every `.js` file below it.
pub fn pack_directory(directory: &Path) -> Result<Packed, PackError> {
    let mut sources = BTreeMap::new();
    read_scripts(directory, "", &mut sources)?;
    pack(&sources, &read(&directory.join("index.html"))?)
}

fn read(path: &Path) -> Result<String, PackError> {
    fs::read_to_string(path).map_err(|error| unreadable(path, error))
}

fn unreadable(path: &Path, error: io::Error) -> PackError {
    PackError::Read { path: path.display().to_string(), error }
}

fn read_scripts(directory: &Path, prefix: &str, sources: &mut BTreeMap<String, String>) -> Result<(), PackError> {
    for entry in fs::read_dir(directory).map_err(|error| unreadable(directory, error))? {
        let entry = entry.map_err(|error| unreadable(directory, error))?;
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            read_scripts(&entry.path(), &format!("{name}/"), sources)?;
        } else if Path::new(&name).extension().is_some_and(|suffix| suffix == "js") {
            sources.insert(name, read(&entry.path())?);
        }
    }
    Ok(())
}

/// The element that any page can use: one module under an address of its own, beside the page's scripts.
const ELEMENT: (&str, &str) = ("element/pintu-board.js", "pintu-board.js");

/// Packs one module of the page in a directory, and all that it imports, into a single module with the same exports.
pub fn pack_module(directory: &Path, entry: &str) -> Result<String, PackError> {
    let mut sources = BTreeMap::new();
    read_scripts(directory, "", &mut sources)?;
    single(&sources, entry)
}

fn single(sources: &BTreeMap<String, String>, entry: &str) -> Result<String, PackError> {
    let modules = read_modules(sources)?;
    let ordered = chunks::in_order(entry, &modules)?;
    let names = ordered.iter().enumerate().map(|(index, module)| (module.path(), format!("$module{index}"))).collect();
    let mut text = ordered.iter().map(|module| module.constant(&names)).collect::<Result<String, PackError>>()?;
    let exports: Vec<&str> = modules[entry].exports().collect();
    let _ = writeln!(text, "export const {{ {} }} = {};", exports.join(", "), names[entry]);
    Ok(text)
}

fn read_modules(sources: &BTreeMap<String, String>) -> Result<chunks::Modules<'_>, PackError> {
    let sources = sources.iter().filter(|(path, _)| ALONE.iter().all(|(alone, _)| path != alone));
    sources.map(|(path, source)| Ok((path.as_str(), Module::read(path, &strip(source))?))).collect()
}

/// Packs modules, given by path and text, and the document that asks for `/js/early.js` and `/js/main.js`.
pub fn pack(sources: &BTreeMap<String, String>, document: &str) -> Result<Packed, PackError> {
    let mut scripts = chunks::scripts(&read_modules(sources)?)?;
    for (path, name) in ALONE {
        scripts.insert(name.to_owned(), sources.get(path).map(|source| strip(source)).unwrap_or_default());
    }
    let scripts = scripts.into_iter().map(|(name, text)| (format!("{FOLDER}/{name}.js"), text));
    let element = sources.contains_key(ELEMENT.0).then(|| Ok((ELEMENT.1.to_owned(), single(sources, ELEMENT.0)?)));
    Ok(Packed {
        document: rewritten(document)?,
        scripts: scripts.map(Ok).chain(element).collect::<Result<_, PackError>>()?,
    })
}

/// The document with the scripts' addresses.
fn rewritten(document: &str) -> Result<String, PackError> {
    let mut document = document.to_owned();
    for (name, tag) in
        [("early", "<script src=\"/js/early.js\">"), ("main", "<script type=\"module\" src=\"/js/main.js\">")]
    {
        if document.matches(tag).count() != 1 {
            return Err(PackError::Document("one tag for each of /js/early.js and /js/main.js"));
        }
        let address = format!("/js/{name}.js");
        document = document.replace(tag, &tag.replace(&address, &format!("/{FOLDER}/{name}.js")));
    }
    // It comes while the document is read.
    let preload = format!("<link rel=\"modulepreload\" href=\"/{FOLDER}/main.js\">\n</head>");
    Ok(document.replacen("</head>", &preload, 1))
}

#[cfg(test)]
mod tests;

//! Packs the page's scripts and lists its files and those of its guide, so that release builds have them in the binary.

use std::{
    env,
    fmt::Write,
    fs, io,
    path::{Path, PathBuf},
};

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    let page = root.join("page");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(embedded)");
    let mut entries = String::new();
    // A program that is built with the engine for browsers can write the site by itself.
    println!("cargo::rerun-if-env-changed=PINTU_ENGINE");
    if let Some(engine) = env::var_os("PINTU_ENGINE") {
        let engine = fs::canonicalize(engine)?;
        println!("cargo::rerun-if-changed={}", engine.display());
        add("engine.wasm", &engine, &mut entries);
    }
    // Debug builds read the files from the disk, and need not be built again when one changes.
    if env::var("PROFILE").is_ok_and(|profile| profile == "release") {
        println!("cargo::rerun-if-changed={}", page.display());
        println!("cargo::rustc-cfg=embedded");
        list(&page, "", &mut entries)?;
        let packed = pintu_pack::pack_directory(&page).map_err(io::Error::other)?;
        for (name, text) in packed.scripts.into_iter().chain([("index.html".to_owned(), packed.document)]) {
            let path = out.join("page").join(&name);
            fs::create_dir_all(path.parent().expect("it lies in OUT_DIR"))?;
            fs::write(&path, text)?;
            add(&name, &path, &mut entries);
        }
        // The guide is one of the docs; `assets.rs` maps its paths.
        let docs = root.join("../../docs");
        for (name, file) in [("guide/en.md", "guide.md"), ("guide/zh.md", "guide.zh.md")] {
            println!("cargo::rerun-if-changed={}", docs.join(file).display());
            add(name, &docs.join(file), &mut entries);
        }
        println!("cargo::rerun-if-changed={}", docs.join("guide").display());
        list(&docs.join("guide"), "guide/", &mut entries)?;
    }
    fs::write(out.join("page.rs"), format!("&[\n{entries}]\n"))
}

/// Adds a line for each file below a folder: its name within the page, and its bytes.
fn list(folder: &Path, prefix: &str, entries: &mut String) -> io::Result<()> {
    let mut found = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    found.sort_by_key(fs::DirEntry::file_name);
    for entry in found {
        let path = entry.path();
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if path.is_dir() {
            list(&path, &format!("{name}/"), entries)?;
        } else if name != "index.html" && path.extension().is_none_or(|suffix| suffix != "js") {
            add(&name, &path, entries);
        }
    }
    Ok(())
}

fn add(name: &str, path: &Path, entries: &mut String) {
    let path = path.to_string_lossy();
    let _ = writeln!(entries, "    ({name:?}, include_bytes!({path:?})),");
}

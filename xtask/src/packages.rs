//! The files of each package that is meant to be published.

use std::{fs, path::Path, time::SystemTime};

use anyhow::{Context, bail};

use crate::{
    shell::{cargo, metadata, output, root, run, target_folder},
    tools::tool,
};

/// Files that every package must contain.
const NEEDED: [&str; 4] = ["CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT", "README.md"];

/// Checks that each package that is meant to be published is complete, and depends on nothing that is not.
pub(crate) fn check() -> anyhow::Result<()> {
    let metadata = metadata(&["--no-deps"])?;
    let packages = metadata["packages"].as_array().context("cargo lists the packages")?;
    let name = |package: &serde_json::Value| package["name"].as_str().unwrap_or_default().to_owned();
    // An empty list of registries is what `publish = false` becomes.
    let (published, private): (Vec<_>, Vec<_>) = packages.iter().partition(|package| package["publish"].is_null());
    let private: Vec<String> = private.into_iter().map(name).collect();
    for package in &published {
        let name = name(package);
        for field in ["description", "documentation", "license", "readme", "repository", "rust_version"] {
            if package[field].is_null() {
                bail!("{name} is to be published and has no {field}");
            }
        }
        if package["metadata"]["docs"]["rs"].is_null() {
            bail!("{name} is to be published and does not say how docs.rs builds it");
        }
        let files = output(cargo().args(["package", "--list", "--allow-dirty", "--package", &name]))?;
        if let Some(missing) = NEEDED.iter().find(|needed| !files.lines().any(|file| file == **needed)) {
            bail!("{name} is to be published and has no {missing}");
        }
        let folder = Path::new(package["manifest_path"].as_str().unwrap_or_default()).with_file_name("");
        if let Some((file, private)) = private_use(&folder, &files, &private)? {
            bail!("{name} is to be published, and its {file} needs {private}, which is not");
        }
        let needs = package["dependencies"].as_array().context("cargo lists the dependencies")?;
        if let Some(need) =
            needs.iter().find(|need| need["kind"] != "dev" && private.iter().any(|name| need["name"] == **name))
        {
            bail!("{name} is to be published and needs {}, which is not", need["name"]);
        }
    }
    let mut names: Vec<String> = published.iter().copied().map(name).collect();
    names.sort_unstable_by_key(|name| PUBLISHED.iter().position(|known| known == name));
    if names != PUBLISHED {
        bail!("found {} to be published, expected {}", names.join(", "), PUBLISHED.join(", "));
    }
    println!("{}: complete", names.join(", "));
    Ok(())
}

/// The packages that are published. Cargo finds their order by itself.
const PUBLISHED: [&str; 4] = ["pintu-search", "pintu-tiles", "pintu-solver", "pintu-grid"];

/// Packs every published package and builds each from its archive and those of the packages that it needs.
pub(crate) fn publish_dry_run() -> anyhow::Result<()> {
    // Cargo keeps unpacked archives by the folder that it packs in, and would take an older one of the same version.
    let folder = target_folder()?.join("publish");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH)?.as_secs();
    let mut publish = cargo();
    publish.args(["publish", "--dry-run", "--allow-dirty", "--target-dir"]).arg(folder.join(now.to_string()));
    run(publish.args(PUBLISHED.iter().flat_map(|name| ["--package", name])))
}

/// Compares the public interfaces of the published packages with those of the baseline: a commit until the first release is
/// on crates.io. Whatever breaks them needs another version, and moves the baseline.
pub(crate) fn compare_interfaces() -> anyhow::Result<()> {
    let metadata = metadata(&["--no-deps"])?;
    let baseline = metadata["metadata"]["release"]["baseline"].as_str().context("Cargo.toml names the baseline")?;
    let mut check = tool("cargo-semver-checks")?;
    check.args(["semver-checks", "--baseline-rev", baseline]).current_dir(root());
    run(check.args(PUBLISHED.iter().flat_map(|name| ["--package", name])))
}

/// A file that is packed and uses a package that is not published, if there is one: its tests could not be built.
fn private_use<'a>(folder: &Path, files: &'a str, private: &'a [String]) -> anyhow::Result<Option<(&'a str, &'a str)>> {
    for file in files.lines().filter(|file| Path::new(file).extension().is_some_and(|suffix| suffix == "rs")) {
        let code = fs::read_to_string(folder.join(file)).with_context(|| file.to_owned())?;
        if let Some(private) = private.iter().find(|name| code.contains(&format!("{}::", name.replace('-', "_")))) {
            return Ok(Some((file, private)));
        }
    }
    Ok(None)
}

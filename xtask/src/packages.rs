//! What is packed of each package that is meant to be published.

use std::{fs, path::Path};

use anyhow::{Context, bail};

use crate::shell::{cargo, metadata, output};

/// What every package brings along, however it is got.
const NEEDED: [&str; 3] = ["LICENSE-APACHE", "LICENSE-MIT", "README.md"];

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
        for field in ["description", "documentation", "license", "readme", "rust_version"] {
            if package[field].is_null() {
                bail!("{name} is to be published and has no {field}");
            }
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
    println!("{}: complete", published.into_iter().map(name).collect::<Vec<_>>().join(", "));
    Ok(())
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

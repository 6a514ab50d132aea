//! The npm package of the custom element: one script, the rules, their types, a readme and the licences.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::Context;

use crate::{
    release::{of_program, version},
    shell::{root, run_aside, target_folder},
};

/// Modules of the page, and the files of the package that they become.
const SCRIPTS: [(&str, &str); 2] = [("element/pintu-board.js", "pintu-board.js"), ("js/rules.js", "rules.js")];
/// Modules whose types the package has: those that its users can reach. `tsconfig.json` has the same.
const TYPED: [&str; 2] = ["element/element", "js/rules"];
const COPIED: [(&str, &str); 4] = [
    ("crates/web/element/README.md", "README.md"),
    ("crates/web/element/index.d.ts", "index.d.ts"),
    ("LICENSE-APACHE", "LICENSE-APACHE"),
    ("LICENSE-MIT", "LICENSE-MIT"),
];

/// Makes the package and returns the archive that `npm publish` takes. The browser tests' own packages must be installed.
pub(crate) fn pack() -> anyhow::Result<PathBuf> {
    let folder = target_folder()?.join("element");
    let package = folder.join("package");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&package)?;
    let page = root().join("crates/web/page");
    for (module, name) in SCRIPTS {
        fs::write(package.join(name), pintu_pack::pack_module(&page, module)?)?;
    }
    for (from, to) in COPIED {
        fs::copy(root().join(from), package.join(to)).with_context(|| from.to_owned())?;
    }
    write_types(&folder.join("types"), &package)?;
    let version = write_manifest(&package)?;
    let mut npm = Command::new("npm");
    run_aside(npm.args(["pack", "--silent", "--pack-destination"]).arg(&folder).current_dir(&package))?;
    Ok(folder.join(format!("pintu-board-{version}.tgz")))
}

/// The types of the modules, made of their comments.
fn write_types(made: &Path, package: &Path) -> anyhow::Result<()> {
    let web = root().join("crates/web");
    let mut tsc = Command::new(web.join("tests/browser/node_modules/.bin/tsc"));
    run_aside(tsc.arg("--project").arg(web.join("element/tsconfig.json")).arg("--outDir").arg(made))?;
    for module in TYPED {
        let name = format!("{module}.d.ts");
        let path = package.join("types").join(&name);
        fs::create_dir_all(path.parent().expect("it lies in the package"))?;
        fs::copy(made.join(&name), path).with_context(|| name)?;
    }
    Ok(())
}

/// The package's manifest with the version of the workspace, which it returns, and with its addresses.
fn write_manifest(package: &Path) -> anyhow::Result<String> {
    let [version, repository] = [version()?, of_program("repository")?];
    let text = fs::read_to_string(root().join("crates/web/element/package.json"))?;
    let known = format!(
        r#""version": "{version}",
  "homepage": "{repository}/tree/main/crates/web/element#readme",
  "repository": {{ "type": "git", "url": "git+{repository}.git", "directory": "crates/web/element" }},
  "bugs": "{repository}/issues","#
    );
    fs::write(package.join("package.json"), text.replace(r#""version": "0.0.0","#, &known))?;
    Ok(version)
}

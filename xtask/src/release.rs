//! `cargo xtask release`: makes and tries what a release consists of, as far as this machine can.
//! [docs/releasing.md](../../docs/releasing.md) has the rest.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, bail};

use crate::{
    browser, element, installed, packages,
    shell::{Stages, cargo, metadata, output, root, run, target_folder},
    skipped::Skipped,
    targets,
    tools::tool,
};

const COMPLETIONS: [(&str, &str); 5] = [
    ("bash", "pintu.bash"),
    ("zsh", "_pintu"),
    ("fish", "pintu.fish"),
    ("powershell", "_pintu.ps1"),
    ("elvish", "pintu.elv"),
];

/// What no machine of this kind can try.
const UNTRIED: [&str; 4] = [
    "the archives of macOS, of Windows (MSVC) and of Linux on ARM: the workflow builds them on machines of their own",
    "the PowerShell installer and the Homebrew formula: they were made, not run",
    "the workflow itself, and everything that uploads",
    "`npm publish` and `cargo publish`: dry runs only",
];

pub(crate) fn release() -> anyhow::Result<()> {
    let stages = Stages::start();
    let untried = Skipped::start()?;
    stages.run("plan", plan)?;
    stages.run("packages for crates.io", || packages::check().and_then(|()| packages::publish_dry_run()))?;
    stages.run("public interfaces", packages::compare_interfaces)?;
    stages.run("package for npm", || browser::install_packages().and_then(|()| element::pack()).map(drop))?;
    stages.run("archive, installers and Debian package", archives)?;
    stages.run("installed", || installed::check(&target_folder()?.join("distrib"), &untried))?;
    stages.run("other systems", || untried.note(targets::check()?))?;
    untried.note(UNTRIED.map(str::to_owned))?;
    let owners = ["Cargo.toml", "crates/cli/Cargo.toml", "dist-workspace.toml"];
    let unset = owners
        .into_iter()
        .filter(|file| fs::read_to_string(root().join(file)).is_ok_and(|text| text.contains("OWNER")));
    untried.note(unset.map(|file| format!("a download: OWNER in {file} is still to be replaced")))?;
    untried.tell()?;
    stages.summarise();
    Ok(())
}

/// What a release will consist of, and that the workflow is the one that `dist` makes of its configuration.
fn plan() -> anyhow::Result<()> {
    run(tool("dist")?.arg("plan").current_dir(root()))?;
    run(tool("dist")?.args(["generate", "--check"]).current_dir(root()))
}

/// The target of the machine that compiles.
pub(crate) fn host() -> anyhow::Result<String> {
    let version = output(Command::new("rustc").arg("-vV"))?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.context("rustc names its host")?.to_owned())
}

/// Writes manual pages and completions where `dist-workspace.toml` and the Debian package expect them. The program that
/// writes them is the one that is packed, where the machine packs for itself: it is compiled once.
pub(crate) fn pages() -> anyhow::Result<()> {
    let host = host()?;
    run(cargo().args(["build", "--profile", "dist", "--bin", "pintu", "--target", &host]))?;
    let target = target_folder()?;
    let program = target.join(&host).join("dist").join(format!("pintu{}", std::env::consts::EXE_SUFFIX));
    let folder = target.join("pages");
    fs::create_dir_all(folder.join("completions"))?;
    run(Command::new(&program).args(["man", "--to"]).arg(folder.join("man")))?;
    for (shell, name) in COMPLETIONS {
        fs::write(folder.join("completions").join(name), output(Command::new(&program).args(["completions", shell]))?)?;
    }
    Ok(())
}

/// Makes the archive of this machine's system, the installers, the Debian package (by [`debian_package`], which
/// `dist-workspace.toml` names) and checksums.
fn archives() -> anyhow::Result<()> {
    pages()?;
    run(tool("dist")?.args(["build", "--artifacts", "local", "--target", &host()?]).current_dir(root()))?;
    // For every system: what is not built here is named in them all the same.
    run(tool("dist")?.args(["build", "--artifacts", "global"]).current_dir(root()))
}

/// Makes the Debian package.
pub(crate) fn debian_package() -> anyhow::Result<()> {
    pages()?;
    let path = target_folder()?.join("debian/pintu.deb");
    fs::create_dir_all(path.parent().expect("it lies in the target folder"))?;
    let mut deb = tool("cargo-deb")?;
    deb.args(["--package", "pintu-cli", "--profile", "dist", "--no-build", "--target", &host()?, "--output"]);
    run(deb.arg(&path).current_dir(root()))
}

/// Tries what was made before.
pub(crate) fn try_installed() -> anyhow::Result<()> {
    let untried = Skipped::start()?;
    installed::check(&target_folder()?.join("distrib"), &untried)?;
    untried.tell()
}

/// The version of the workspace.
pub(crate) fn version() -> anyhow::Result<String> {
    let metadata = metadata(&["--no-deps"])?;
    let packages = metadata["packages"].as_array().context("cargo lists the packages")?;
    let program = packages.iter().find(|package| package["name"] == "pintu-cli").context("pintu-cli is one of them")?;
    Ok(program["version"].as_str().context("a package has a version")?.to_owned())
}

/// The only file in a folder whose name begins and ends so.
pub(crate) fn only(folder: &Path, begin: &str, end: &str) -> anyhow::Result<PathBuf> {
    let found = fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?.into_iter().map(|entry| entry.path());
    let mut found = found.filter(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with(begin) && name.ends_with(end)
    });
    match (found.next(), found.next()) {
        (Some(path), None) => Ok(path),
        _ => bail!("expected one {begin}…{end} in {}", folder.display()),
    }
}

//! `cargo xtask release`: makes and tries what a release consists of, as far as this machine can.
//! [docs/releasing.md](../../docs/releasing.md) has the rest.

use std::{
    env, fs,
    io::Write,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, bail};

use crate::{
    browser, element, installed, packages,
    shell::{Stages, cargo, metadata, output, root, run, target_folder},
    site,
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

/// Parts that no machine of this kind can try.
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
    stages.run("archives, installers, Debian and npm packages, site", archives)?;
    stages.run("installed", || installed::check(&target_folder()?.join("distrib"), &untried))?;
    stages.run("other systems", || untried.note(targets::check()?))?;
    untried.note(UNTRIED.map(str::to_owned))?;
    untried.note(without_owner().map(|file| format!("a download: OWNER in {file} is still to be replaced")))?;
    untried.tell()?;
    stages.summarise();
    Ok(())
}

/// The files that do not say yet who has the repository, from which everything is downloaded.
fn without_owner() -> impl Iterator<Item = &'static str> {
    let files = ["Cargo.toml", "crates/cli/Cargo.toml", "dist-workspace.toml"];
    files.into_iter().filter(|file| {
        fs::read_to_string(root().join(file)).is_ok_and(|text| text.contains("OWNER/") || text.contains("OWNER@"))
    })
}

/// Checks the contents of a release, and that the workflow is the one that `dist` makes of its configuration.
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

/// The variable that names the engine for browsers, which the program then has in it (`crates/web/build.rs`).
const ENGINE: &str = "PINTU_ENGINE";

/// Builds the engine for browsers. A workflow is told of it, so that `dist` builds the same program in the steps after this;
/// it makes no release that nobody could download.
fn engine() -> anyhow::Result<PathBuf> {
    let workflow = env::var_os("GITHUB_ENV");
    if let (Some(_), Some(file)) = (&workflow, without_owner().next()) {
        bail!("found OWNER in {file}, expected who has the repository: docs/releasing.md says what to replace");
    }
    let engine = site::build()?;
    if let Some(file) = workflow {
        let mut file = fs::File::options().append(true).create(true).open(file)?;
        writeln!(file, "{ENGINE}={}", engine.display())?;
    }
    Ok(engine)
}

/// Writes manual pages and completions where `dist-workspace.toml` and the Debian package expect them. The program that
/// writes them, and is returned, is the one that is packed, where the machine packs for itself: it is compiled once.
pub(crate) fn pages() -> anyhow::Result<PathBuf> {
    let host = host()?;
    let engine = engine()?;
    run(cargo().args(["build", "--profile", "dist", "--bin", "pintu", "--target", &host]).env(ENGINE, engine))?;
    let target = target_folder()?;
    let program = target.join(&host).join("dist").join(format!("pintu{}", env::consts::EXE_SUFFIX));
    let folder = target.join("pages");
    fs::create_dir_all(folder.join("completions"))?;
    run(Command::new(&program).args(["man", "--to"]).arg(folder.join("man")))?;
    for (shell, name) in COMPLETIONS {
        fs::write(folder.join("completions").join(name), output(Command::new(&program).args(["completions", shell]))?)?;
    }
    Ok(program)
}

/// Makes the archive of this machine's system, the installers, what `dist-workspace.toml` names beside them
/// ([`debian_package`], [`web_packages`]) and checksums.
fn archives() -> anyhow::Result<()> {
    pages()?;
    let mut dist = tool("dist")?;
    dist.args(["build", "--artifacts", "local", "--target", &host()?]).current_dir(root());
    run(dist.env(ENGINE, engine()?))?;
    // The installers name the archives of all systems, also of those that are not built here.
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

/// Packs the site, for any web server, and the element for npm, under names without a version.
pub(crate) fn web_packages() -> anyhow::Result<()> {
    let folder = target_folder()?.join("upload");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    run(Command::new(pages()?).arg("site").arg(folder.join("pintu-site")))?;
    let mut tar = Command::new("tar");
    tar.args(["--create", "--gzip", "--file", "pintu-site.tar.gz", "pintu-site"]);
    run(tar.current_dir(&folder))?;
    browser::install_packages()?;
    fs::copy(element::pack()?, folder.join("pintu-board.tgz"))?;
    Ok(())
}

/// Tries what was made before.
pub(crate) fn try_installed() -> anyhow::Result<()> {
    let untried = Skipped::start()?;
    installed::check(&target_folder()?.join("distrib"), &untried)?;
    untried.tell()
}

/// The version of the workspace.
pub(crate) fn version() -> anyhow::Result<String> {
    of_program("version")
}

/// A field of the program's package, which has those of the workspace.
pub(crate) fn of_program(field: &str) -> anyhow::Result<String> {
    let metadata = metadata(&["--no-deps"])?;
    let packages = metadata["packages"].as_array().context("cargo lists the packages")?;
    let program = packages.iter().find(|package| package["name"] == "pintu-cli").context("pintu-cli is one of them")?;
    Ok(program[field].as_str().with_context(|| format!("pintu-cli has no {field}"))?.to_owned())
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

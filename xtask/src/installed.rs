//! Unpacks the packages for Linux into an empty root and starts the program there.

use std::{
    fs,
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

use anyhow::{Context, bail, ensure};

use crate::{
    release::{host, only, version},
    shell::{is_installed, output, run, run_aside, target_folder},
    skipped::Skipped,
};

/// Files that must come with the program: one of the manual pages and one of the completions, as examples of all.
const IN_ARCHIVE: [&str; 5] =
    ["LICENSE-APACHE", "LICENSE-MIT", "man/pintu.1", "man/pintu-solve.1", "completions/_pintu"];
const IN_PACKAGE: [&str; 5] = [
    "usr/share/man/man1/pintu.1.gz",
    "usr/share/man/man1/pintu-solve.1.gz",
    "usr/share/bash-completion/completions/pintu",
    "usr/share/zsh/vendor-completions/_pintu",
    "usr/share/doc/pintu/copyright",
];

/// Checks archive, installer and package, which lie in one folder; notes what could not be tried.
pub(crate) fn check(archives: &Path, untried: &Skipped) -> anyhow::Result<()> {
    let folder = target_folder()?.join("installed");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    let unpacked = check_archive(archives, &folder.join("archive"))?;
    check_installer(archives, &folder.join("home"))?;
    check_site(&archives.join("pintu-site.tar.gz"), &folder)?;
    let is_root = output(Command::new("id").arg("--user"))?.trim() == "0";
    if !is_root || !["apt-get", "chroot", "dpkg", "dpkg-deb"].iter().all(|program| is_installed(program)) {
        return untried.note(["an empty root: that needs root and Debian's tools".to_owned()]);
    }
    let root = empty_root(&folder, &archives.join("pintu.deb"))?;
    fs::copy(unpacked.join("pintu"), root.join("pintu"))?;
    for program in ["/pintu", "/usr/bin/pintu"] {
        println!("{program} in the empty root");
        try_program(|| {
            let mut command = Command::new("chroot");
            command.arg(&root).arg(program);
            command
        })?;
    }
    Ok(())
}

/// Unpacks the archive, whose checksum is checked, and returns the folder with the program.
fn check_archive(archives: &Path, folder: &Path) -> anyhow::Result<PathBuf> {
    let name = format!("pintu-cli-{}.tar.xz", host()?);
    run(Command::new("sha256sum").arg("--check").arg(format!("{name}.sha256")).current_dir(archives))?;
    fs::create_dir_all(folder)?;
    run(Command::new("tar").arg("--extract").arg("--file").arg(archives.join(name)).current_dir(folder))?;
    let unpacked = only(folder, "pintu-cli", "")?;
    for file in IN_ARCHIVE {
        ensure!(unpacked.join(file).is_file(), "the archive has no {file}");
    }
    try_program(|| Command::new(unpacked.join("pintu")))?;
    Ok(unpacked)
}

/// Unpacks the site, which must have a document for each place and the engine that it names.
fn check_site(archive: &Path, folder: &Path) -> anyhow::Result<()> {
    run(Command::new("tar").arg("--extract").arg("--file").arg(archive).current_dir(folder))?;
    let site = folder.join("pintu-site");
    for file in ["index.html", "lab/index.html", "sw.js", "pintu-board.js"] {
        ensure!(site.join(file).is_file(), "the site has no {file}");
    }
    let document = fs::read_to_string(site.join("index.html"))?;
    let engine = document.split("data-engine=\"./").nth(1).and_then(|rest| rest.split('"').next());
    let engine = engine.context("the site's document names an engine")?;
    ensure!(site.join(engine).join("engine.wasm").is_file(), "the site has no {engine}engine.wasm");
    Ok(())
}

/// Has the shell installer install the archive for a user who has nothing yet.
fn check_installer(archives: &Path, home: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(home)?;
    let mut sh = Command::new("sh");
    sh.arg(archives.join("pintu-cli-installer.sh")).env("HOME", home).env_remove("XDG_CONFIG_HOME");
    sh.env("PINTU_CLI_DOWNLOAD_URL", format!("file://{}", archives.display()));
    run_aside(&mut sh)?;
    try_program(|| Command::new(home.join(".local/bin/pintu")))
}

/// A root with the package installed, and with nothing else but the libraries on which it depends.
fn empty_root(folder: &Path, package: &Path) -> anyhow::Result<PathBuf> {
    let root = folder.join("root");
    fs::create_dir_all(root.join("var/lib/dpkg/info"))?;
    fs::create_dir_all(root.join("var/lib/dpkg/updates"))?;
    fs::create_dir_all(root.join("tmp"))?;
    fs::write(root.join("var/lib/dpkg/status"), "")?;
    let depends = output(Command::new("dpkg-deb").arg("--field").arg(package).arg("Depends"))?;
    let libraries = depends.split([',', '|']).filter_map(|one| one.split_whitespace().next());
    let libraries: Vec<&str> = libraries.collect();
    println!("depends on {}", libraries.join(", "));
    let debs = folder.join("debs");
    fs::create_dir_all(&debs)?;
    run_aside(Command::new("apt-get").arg("download").args(&libraries).current_dir(&debs))?;
    for deb in fs::read_dir(&debs)? {
        run(Command::new("dpkg-deb").arg("--extract").arg(deb?.path()).arg(&root))?;
    }
    // The libraries lie there without having been installed, so dpkg is told not to look for them.
    let mut dpkg = Command::new("dpkg");
    dpkg.arg(format!("--root={}", root.display())).args(["--force-depends", "--install"]);
    run_aside(dpkg.arg(package))?;
    for file in IN_PACKAGE {
        ensure!(root.join(file).is_file(), "the package has no {file}");
    }
    Ok(root)
}

/// The program says its version, solves a board, writes the site, and serves the game with page and engine in it.
fn try_program(program: impl Fn() -> Command) -> anyhow::Result<()> {
    let said = output(program().arg("--version"))?;
    ensure!(said.trim() == format!("pintu {}", version()?), "the program says {said}");
    let moves = output(program().args(["solve", "867254301", "--format", "moves"]))?;
    ensure!(moves.trim().len() == 31, "the hardest 8-puzzle has 31 moves, not {moves}");
    let data = format!("/tmp/pintu-release-{}", std::process::id());
    run_aside(program().args(["site", &format!("{data}/site")]))?;
    let mut serve = program();
    serve.args(["serve", "--no-open", "--addr", "127.0.0.1:0", "--data", &data]).stdout(Stdio::piped());
    let mut child = serve.spawn()?;
    let tried = try_server(&mut child);
    child.kill()?;
    child.wait()?;
    if Path::new(&data).exists() {
        fs::remove_dir_all(&data)?;
    }
    tried
}

fn try_server(child: &mut Child) -> anyhow::Result<()> {
    let mut line = String::new();
    BufReader::new(child.stdout.take().context("its output is piped")?).read_line(&mut line)?;
    let address = line.trim().strip_prefix("listening on http://").and_then(|rest| rest.strip_suffix('/'));
    let Some(address) = address else { bail!("the server says `{}`", line.trim()) };
    for (path, part) in [
        ("/api/health", "\"ok\""),
        ("/", "<html data-engine=\"/engine-"),
        ("/pintu-board.js", "customElements"),
        ("/guide/en.html", "<h1>"),
    ] {
        let mut stream = TcpStream::connect(address)?;
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n")?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer)?;
        let answer = String::from_utf8_lossy(&answer);
        ensure!(
            answer.starts_with("HTTP/1.1 200") && answer.contains(part),
            "{path} answers {}",
            answer.lines().next().unwrap_or_default()
        );
    }
    println!("started at {address}: it solves and serves");
    Ok(())
}

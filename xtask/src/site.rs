//! The engine for browsers, and the site that it is part of.

use std::{
    env,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, bail};

use crate::{
    apt,
    shell::{cargo, is_installed, output, run, run_aside, target_folder},
};

const TARGET: &str = "wasm32-unknown-unknown";
/// Debian's compiler for browsers, and the source of its standard library, which is compiled with the engine.
const DEBIAN: [&str; 2] = ["rustc-web", "rust-web-src"];
const DEBIAN_RUSTC: &str = "/usr/bin/rustc";
const DEBIAN_SOURCE: &str = "/usr/lib/rustlib/src/rust/library/Cargo.lock";

/// Builds the engine and writes the site into a folder.
pub(crate) fn write(args: &[String]) -> anyhow::Result<()> {
    let [folder] = args else { bail!("found {} arguments, expected the folder to write", args.len()) };
    // Arguments are paths from where the caller is.
    let folder = env::current_dir()?.join(folder);
    let engine = build("wasm")?;
    let site = ["run", "--quiet", "--package", "pintu-cli", "--", "site"];
    run(cargo().args(site).arg(folder).arg("--engine").arg(engine))
}

/// Builds the engine as a profile has it; says where it lies.
pub(crate) fn build(profile: &str) -> anyhow::Result<PathBuf> {
    let mut build = compiler()?.command()?;
    build.args(["--package", "pintu-wasm", "--target", TARGET, "--profile", profile]);
    run(&mut build)?;
    let folder = if profile == "dev" { "debug" } else { profile };
    Ok(target_folder()?.join(TARGET).join(folder).join("pintu_wasm.wasm"))
}

/// What compiles for a browser.
enum Compiler {
    /// The toolchain, which has the target's standard library.
    Own,
    /// Debian's, which compiles the standard library first; the toolchain's linker.
    Debian,
}

/// Finds a compiler, and fetches what it lacks: rustup's target if rustup may, else Debian's packages.
fn compiler() -> anyhow::Result<Compiler> {
    if has_target() || is_installed("rustup") && add_target() {
        return Ok(Compiler::Own);
    }
    if !has_debians() {
        apt::install(&DEBIAN, &format!("the engine for browsers (without `rustup target add {TARGET}`)"))?;
    }
    Ok(Compiler::Debian)
}

fn has_target() -> bool {
    let mut rustc = Command::new(env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned()));
    let folder = output(rustc.args(["--print", "target-libdir", "--target", TARGET]));
    folder.is_ok_and(|folder| Path::new(folder.trim()).is_dir())
}

fn add_target() -> bool {
    run_aside(Command::new("rustup").args(["target", "add", TARGET])).is_ok() && has_target()
}

/// Debian's compiler for other programs has no such source, unless somebody has installed that.
fn has_debians() -> bool {
    Path::new(DEBIAN_RUSTC).is_file() && Path::new(DEBIAN_SOURCE).is_file()
}

impl Compiler {
    /// `cargo build` with it.
    fn command(&self) -> anyhow::Result<Command> {
        let mut cargo = cargo();
        cargo.arg("build");
        if let Self::Debian = self {
            let own = output(Command::new("rustc").args(["--print", "sysroot"]))?;
            let host = output(Command::new("rustc").arg("--version").arg("--verbose"))?;
            let host = host.lines().find_map(|line| line.strip_prefix("host: ")).context("rustc says its host")?;
            let linker = Path::new(own.trim()).join("lib/rustlib").join(host).join("bin/rust-lld");
            cargo.arg("-Zbuild-std=std,panic_abort").env("RUSTC", DEBIAN_RUSTC).env("RUSTC_BOOTSTRAP", "1");
            cargo.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker);
        }
        Ok(cargo)
    }
}

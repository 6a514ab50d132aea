//! The engine for browsers, and the site that it is part of.

use std::{
    env,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::bail;

use crate::{
    apt,
    release::host,
    shell::{cargo, output, run, target_folder},
    targets,
};

const TARGET: &str = "wasm32-unknown-unknown";
const PROFILE: &str = "wasm";
/// Debian's compiler for browsers, and the source of its standard library, which is compiled with the engine.
const DEBIAN: [&str; 2] = ["rustc-web", "rust-web-src"];
const DEBIAN_RUSTC: &str = "/usr/bin/rustc";
const DEBIAN_SOURCE: &str = "/usr/lib/rustlib/src/rust/library/Cargo.lock";

/// Builds the engine and writes the site into a folder.
pub(crate) fn write(args: &[String]) -> anyhow::Result<()> {
    let [folder] = args else { bail!("found {} arguments, expected the folder to write", args.len()) };
    // Arguments are paths from where the caller is.
    let folder = env::current_dir()?.join(folder);
    let engine = build()?;
    let site = ["run", "--quiet", "--package", "pintu-cli", "--", "site"];
    run(cargo().args(site).arg(folder).arg("--engine").arg(engine))
}

/// Builds the engine that is released; says where it lies.
pub(crate) fn build() -> anyhow::Result<PathBuf> {
    compiler()?.build()
}

/// A compiler for browsers.
pub(crate) enum Compiler {
    /// The toolchain, which has the target's standard library.
    Own,
    /// Debian's, which compiles the standard library first; the toolchain's linker.
    Debian,
}

/// Finds a compiler, and fetches what it lacks: rustup's target if rustup may, else Debian's packages.
pub(crate) fn compiler() -> anyhow::Result<Compiler> {
    if targets::can_have(TARGET) {
        return Ok(Compiler::Own);
    }
    if !has_debians() {
        apt::install(&DEBIAN, &format!("the engine for browsers (without `rustup target add {TARGET}`)"))?;
    }
    Ok(Compiler::Debian)
}

/// Debian's compiler for other targets has no such source, unless its package is installed.
fn has_debians() -> bool {
    Path::new(DEBIAN_RUSTC).is_file() && Path::new(DEBIAN_SOURCE).is_file()
}

impl Compiler {
    /// Builds the engine that is released, which is the one that is tested; says where it lies.
    pub(crate) fn build(&self) -> anyhow::Result<PathBuf> {
        run(self.command()?.args(["--package", "pintu-wasm", "--target", TARGET, "--profile", PROFILE]))?;
        Ok(target_folder()?.join(TARGET).join(PROFILE).join("pintu_wasm.wasm"))
    }

    /// `cargo build` with it.
    fn command(&self) -> anyhow::Result<Command> {
        let mut cargo = cargo();
        cargo.arg("build");
        if let Self::Debian = self {
            let own = output(Command::new("rustc").args(["--print", "sysroot"]))?;
            let linker = Path::new(own.trim()).join("lib/rustlib").join(host()?).join("bin/rust-lld");
            cargo.arg("-Zbuild-std=std,panic_abort").env("RUSTC", DEBIAN_RUSTC).env("RUSTC_BOOTSTRAP", "1");
            cargo.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker);
        }
        Ok(cargo)
    }
}

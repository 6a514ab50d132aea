//! The Python package: its wheel and its tests, in an environment of its own.

use std::{
    env::{
        self,
        consts::{DLL_PREFIX, DLL_SUFFIX},
    },
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::Context;

use crate::{
    apt,
    shell::{is_installed, output, root, run_aside, target_folder},
    skipped::SKIPPED,
};

/// The packages of `PyPI` that the tests need.
const NEEDED: [&str; 13] = [
    "maturin>=1.9,<2",
    "pytest",
    "numpy",
    "pandas",
    "scipy",
    "networkx",
    "matplotlib",
    "tqdm",
    "nbclient",
    "ipykernel",
    "mypy",
    "pyyaml",
    "schemathesis>=4,<5",
];
/// Its tests are skipped where it cannot be had.
const WELCOME: &str = "ray";
/// What the job scripts of docs/cluster.md are tested with, and the Debian package it comes with.
const SCHEDULERS: [(&str, &str); 2] = [("slurmctld", "slurm-wlm"), ("parallel", "parallel")];
/// The packages that the benchmarks compare with.
const PEERS: [&str; 4] = ["rustworkx", "pathfinding", "simpleai", "astar"];

/// What the package consists of but for its native half: modules, their types, and the mark that they have types.
const MODULES: [&str; 3] = ["py", "pyi", "typed"];

/// The environment, with all that can be fetched.
pub(crate) struct Environment {
    folder: PathBuf,
    /// The missing programs, in words.
    pub(crate) missing: Vec<String>,
}

/// Makes the environment and fetches what the tests need.
pub(crate) fn prepare() -> anyhow::Result<Environment> {
    if !is_installed("python3") {
        apt::install(&["python3", "python3-venv"], "the tests of the Python package")?;
    }
    let is_new_enough = "import sys; sys.exit(sys.version_info < (3, 9))";
    run_aside(Command::new("python3").args(["-c", is_new_enough])).context("expected Python 3.9 or newer")?;
    let environment = Environment { folder: target_folder()?.join("python-tests"), missing: Vec::new() };
    if !environment.program("pip").exists() {
        let make = || run_aside(Command::new("python3").args(["-m", "venv"]).arg(&environment.folder));
        // Debian has Python without this module.
        make().or_else(|_| apt::install(&["python3-venv"], "the tests of the Python package").and_then(|()| make()))?;
    }
    // Without bytecode, which takes longer to make than the tests have use for. Ray's nodes have to start fast.
    environment.install(&[&["--no-compile"][..], &NEEDED].concat())?;
    Ok(environment.with_welcome())
}

impl Environment {
    fn program(&self, name: &str) -> PathBuf {
        self.folder.join("bin").join(name)
    }

    fn install(&self, packages: &[&str]) -> anyhow::Result<()> {
        let mut pip = Command::new(self.program("pip"));
        pip.args(["install", "--quiet", "--disable-pip-version-check", "--prefer-binary"]);
        run_aside(pip.args(packages))
    }

    fn with_welcome(mut self) -> Self {
        if let Err(error) = self.install(&[WELCOME]) {
            self.missing.push(format!("{WELCOME} cannot be installed: no tests of pintu.cluster ({error:#})"));
        }
        for (program, package) in SCHEDULERS {
            let is_there = |name: &str| is_installed(name) || Path::new("/usr/sbin").join(name).exists();
            if !is_there(program) && apt::install(&[package], "the tests of docs/cluster.md").is_err() {
                self.missing.push(format!("{package} cannot be installed: no test of its lines in docs/cluster.md"));
            }
        }
        self
    }

    /// Runs the package's tests with the module that was compiled with the tests of the workspace.
    pub(crate) fn test(&self, built: &Path, skipped: &Path) -> anyhow::Result<()> {
        self.put_together(built)?;
        let mut pytest = Command::new(self.program("python"));
        pytest.args(["-m", "pytest", "--quiet", "-p", "no:cacheprovider", "-rs"]).current_dir(root());
        pytest.env("PATH", self.path()?).env(SKIPPED, skipped).env("PINTU", built.join("pintu"));
        run_aside(&mut pytest)
    }

    /// Puts the package where a wheel would be installed: a wheel's own compilation takes minutes, for it selects one package,
    /// and its dependencies have other features then.
    fn put_together(&self, built: &Path) -> anyhow::Result<()> {
        let ask = "import sysconfig; print(sysconfig.get_path('platlib'))";
        let installed = output(Command::new(self.program("python")).args(["-c", ask]))?;
        let package = Path::new(installed.trim()).join("pintu");
        if package.exists() {
            fs::remove_dir_all(&package)?;
        }
        fs::create_dir_all(&package)?;
        for entry in fs::read_dir(root().join("crates/python/python/pintu"))? {
            let path = entry?.path();
            if path.extension().is_some_and(|suffix| MODULES.iter().any(|known| suffix == *known)) {
                fs::copy(&path, package.join(path.file_name().expect("it is a file")))?;
            }
        }
        let module = built.join(format!("{DLL_PREFIX}_pintu{DLL_SUFFIX}"));
        fs::copy(&module, package.join("_pintu.abi3.so")).with_context(|| module.display().to_string())?;
        Ok(())
    }

    /// Builds the wheel as a release has it, installs it and tries it.
    pub(crate) fn try_wheel(&self) -> anyhow::Result<()> {
        self.build(&["--release"])?;
        let try_it = "import pintu; assert pintu.solve('8 6 7 2 5 4 3 0 1').length == 31";
        // Outside the project's root, so that the installed package is imported.
        run_aside(Command::new(self.program("python")).args(["-c", try_it]).current_dir(&self.folder))
    }

    /// Tests the server's interface with `cases` cases an operation, and with options of schemathesis.
    pub(crate) fn try_interface(&self, pintu: &Path, cases: &str, options: &[&str]) -> anyhow::Result<()> {
        let mut python = Command::new(self.program("python"));
        run_aside(python.arg(root().join("crates/web/tests/interface/run.py")).arg(pintu).arg(cases).args(options))
    }

    /// Measures the package beside its peers, and Ray; with what is passed on.
    pub(crate) fn bench(&self, args: &[String]) -> anyhow::Result<()> {
        self.install(&PEERS)?;
        self.build(&["--release"])?;
        let mut python = Command::new(self.program("python"));
        python.arg(root().join("crates/python/benches/bench.py")).args(args).current_dir(root());
        crate::shell::run(python.env("PATH", self.path()?))
    }

    fn build(&self, options: &[&str]) -> anyhow::Result<()> {
        let wheels = self.folder.join("wheels");
        if wheels.exists() {
            fs::remove_dir_all(&wheels)?;
        }
        let mut maturin = Command::new(self.program("maturin"));
        maturin.args(["build", "--quiet", "--out"]).arg(&wheels).args(options).current_dir(root());
        // The same setting as in all builds of this command, so that cargo reuses the dependencies.
        if env::var_os("CARGO_INCREMENTAL").is_none() {
            maturin.env("CARGO_INCREMENTAL", "0");
        }
        run_aside(&mut maturin)?;
        let wheel = fs::read_dir(&wheels)?.next().context("maturin has built no wheel")??.path();
        let mut pip = Command::new(self.program("pip"));
        pip.args([
            "install",
            "--quiet",
            "--disable-pip-version-check",
            "--no-compile",
            "--no-deps",
            "--force-reinstall",
        ]);
        run_aside(pip.arg(wheel))
    }

    /// The environment's programs, and `/usr/sbin`, where Debian has Slurm's.
    fn path(&self) -> anyhow::Result<std::ffi::OsString> {
        let usual = env::var_os("PATH").unwrap_or_default();
        let all = std::iter::once(self.folder.join("bin"))
            .chain(env::split_paths(&usual))
            .chain([PathBuf::from("/usr/sbin")]);
        Ok(env::join_paths(all)?)
    }
}

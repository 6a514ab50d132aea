//! The Python package: its wheel and its tests, in an environment of its own.

use std::{
    env::{self, consts::EXE_SUFFIX},
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::Context;

use crate::{
    BUILD, apt,
    shell::{cargo, is_installed, root, run_aside, target_folder},
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

/// What maturin says to the build scripts of `PyO3`, which would compile it anew.
const SAID_BY_MATURIN: [&str; 3] = ["PYO3_CONFIG_FILE", "PYO3_ENVIRONMENT_SIGNATURE", "PYO3_PYTHON"];

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

    /// Builds a wheel of the module that was compiled with the tests of the workspace, and runs the package's tests on it.
    pub(crate) fn test(&self, built: &Path, skipped: &Path) -> anyhow::Result<()> {
        // The file of this process may have been replaced by the compilation of the tests.
        self.build(&[], Some(built.join(format!("xtask{EXE_SUFFIX}"))))?;
        let mut pytest = Command::new(self.program("python"));
        pytest.args(["-m", "pytest", "--quiet", "-p", "no:cacheprovider", "-rs"]).current_dir(root());
        pytest.env("PATH", self.path()?).env(SKIPPED, skipped).env("PINTU", built.join("pintu"));
        run_aside(&mut pytest)
    }

    /// Builds the wheel as a release has it, installs it and tries it.
    pub(crate) fn try_wheel(&self) -> anyhow::Result<()> {
        self.build(&["--release"], None)?;
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
        self.build(&["--release"], None)?;
        let mut python = Command::new(self.program("python"));
        python.arg(root().join("crates/python/benches/bench.py")).args(args).current_dir(root());
        crate::shell::run(python.env("PATH", self.path()?))
    }

    /// Builds the wheel, by another program than cargo if one is given, and installs it.
    fn build(&self, options: &[&str], instead_of_cargo: Option<PathBuf>) -> anyhow::Result<()> {
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
        maturin.envs(instead_of_cargo.map(|program| ("CARGO", program)));
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

/// Runs as cargo when maturin builds the tests' wheel. Maturin has one package compiled, whose dependencies have other features
/// than those of the workspace: more than a third of them would be compiled anew, the solver among them. This compiles what
/// the tests were compiled with, of which nothing is left to be done: cargo says where the module lies.
pub(crate) fn stand_in_for_cargo() -> anyhow::Result<()> {
    let mut build = cargo();
    build.args(BUILD).arg("--message-format=json-render-diagnostics");
    for name in SAID_BY_MATURIN {
        build.env_remove(name);
    }
    let status = build.status()?;
    anyhow::ensure!(status.success(), "cargo failed ({status})");
    Ok(())
}

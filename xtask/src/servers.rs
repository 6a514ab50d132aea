//! The database server that the tests of the store run against, and the proxy in front of several servers.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, id},
};

use anyhow::Context;

use crate::{
    apt,
    shell::{is_installed, output, run_aside},
};

/// The variable that tells tests the address of a `PostgreSQL` server; those that need one say so where it is not set.
pub(crate) const POSTGRES: &str = "PINTU_TEST_POSTGRES";
/// The variable that makes the tests of the server use the database at that address instead of a file.
pub(crate) const STORE: &str = "PINTU_TEST_STORE";

/// The tests that the stores have in common, by their modules.
pub(crate) const STORE_TESTS: [&str; 10] = [
    "saves::",
    "records::",
    "pictures::",
    "revisions::",
    "players::",
    "identity::",
    "auth::",
    "bounds::",
    "hostile::",
    "clock::",
];

const OLDEST_POSTGRES: u32 = 15;
/// Where Debian keeps the programs of its versions.
const DEBIAN: &str = "/usr/lib/postgresql";

/// A `PostgreSQL` server with a database of its own, on a socket in a temporary directory. Dropped, it ends.
pub(crate) struct Postgres {
    programs: PathBuf,
    folder: PathBuf,
}

/// Installs what is missing and starts the server.
pub(crate) fn start() -> anyhow::Result<Postgres> {
    let proxy = (!has_nginx()).then_some("nginx-light");
    let database = programs().is_none().then_some("postgresql");
    apt::install(&proxy.into_iter().chain(database).collect::<Vec<_>>(), "the tests of several servers")?;
    let programs = programs().with_context(|| format!("found no PostgreSQL {OLDEST_POSTGRES} or newer"))?;
    let folder = env::temp_dir().join(format!("pintu-postgres-{}", id()));
    let server = Postgres { programs, folder };
    server.start()?;
    Ok(server)
}

fn has_nginx() -> bool {
    is_installed("nginx") || Path::new("/usr/sbin/nginx").is_file()
}

/// The directory of the newest version's programs.
fn programs() -> Option<PathBuf> {
    let versions = fs::read_dir(DEBIAN).ok()?.flatten();
    let numbers = versions.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let has = |version: &u32| Path::new(DEBIAN).join(format!("{version}/bin/initdb")).is_file();
    let newest = numbers.filter(|&version| version >= OLDEST_POSTGRES).filter(has).max()?;
    Some(Path::new(DEBIAN).join(format!("{newest}/bin")))
}

impl Postgres {
    /// The address of its database.
    pub(crate) fn url(&self) -> String {
        let socket = self.folder.to_string_lossy().replace('/', "%2F");
        format!("postgres://pintu@{socket}/postgres")
    }

    fn start(&self) -> anyhow::Result<()> {
        fs::create_dir_all(&self.folder)?;
        if is_root()? {
            run_aside(Command::new("chown").arg(USER).arg(&self.folder))?;
        }
        let data = self.folder.join("data");
        let mut make = self.program("initdb")?;
        make.arg("--pgdata").arg(&data);
        make.args(["--username=pintu", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync"]);
        output(&mut make)?;
        let options = format!("-k {} -c listen_addresses= -c max_connections=200", self.folder.display());
        let mut start = self.program("pg_ctl")?;
        start.arg("start").arg("--wait").arg("--silent").arg("--pgdata").arg(&data).args(["--options", &options]);
        // Its log must not keep a pipe of ours open.
        start.arg("--log").arg(self.folder.join("log"));
        run_aside(&mut start).with_context(|| fs::read_to_string(self.folder.join("log")).unwrap_or_default())
    }

    /// A program of the server, which refuses to run as root.
    fn program(&self, name: &str) -> anyhow::Result<Command> {
        let path = self.programs.join(name);
        if !is_root()? {
            return Ok(Command::new(path));
        }
        let mut command = Command::new("runuser");
        command.args(["-u", USER, "--"]).arg(path).current_dir("/");
        Ok(command)
    }
}

/// The user whom Debian's package makes for the server.
const USER: &str = "postgres";

fn is_root() -> anyhow::Result<bool> {
    Ok(output(Command::new("id").arg("--user"))?.trim() == "0")
}

impl Drop for Postgres {
    fn drop(&mut self) {
        let stopped = self.program("pg_ctl").and_then(|mut stop| {
            output(stop.args(["stop", "--mode=immediate", "--pgdata"]).arg(self.folder.join("data")))
        });
        if let Err(error) = stopped {
            println!("the database server does not end: {error:#}");
        }
        let _ = fs::remove_dir_all(&self.folder);
    }
}

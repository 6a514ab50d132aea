//! Connecting to the database.

use std::{future::Future, thread, time::Duration};

use deadpool_postgres::{Manager, ManagerConfig, Pool, RecyclingMethod, Runtime};
use tokio::runtime;
use tokio_postgres::{Config, NoTls, config::SslMode};

use crate::store::{OpenError, StoreError};

pub(in crate::store) const SCHEMES: [&str; 2] = ["postgres://", "postgresql://"];

/// Milliseconds since 1970, by the database's clock.
pub(super) const NOW: &str = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::BIGINT";

/// How long a request waits for a free connection.
const WAIT_TIMEOUT: Duration = Duration::from_secs(5);
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// What every session is told: a commit returns when it is on the disk, and nothing waits for ever.
const OPTIONS: &str = "-c synchronous_commit=on -c lock_timeout=5s -c statement_timeout=30s \
                       -c idle_in_transaction_session_timeout=30s -c client_min_messages=warning";

/// Reads the address of a database. Its password is never shown.
pub(super) fn settings(url: &str) -> Result<Config, OpenError> {
    let mut settings: Config = url.parse().map_err(|_| OpenError::Url)?;
    if settings.get_ssl_mode() == SslMode::Require {
        return Err(OpenError::Tls);
    }
    let options = settings.get_options().map_or_else(|| OPTIONS.to_owned(), |own| format!("{OPTIONS} {own}"));
    settings.ssl_mode(SslMode::Disable).options(options).application_name("pintu");
    if settings.get_connect_timeout().is_none() {
        settings.connect_timeout(CONNECT_TIMEOUT);
    }
    Ok(settings)
}

pub(super) fn pool(settings: Config, connections: usize) -> Result<Pool, StoreError> {
    let manager = Manager::from_config(settings, NoTls, ManagerConfig { recycling_method: RecyclingMethod::Fast });
    let builder = Pool::builder(manager).max_size(connections).runtime(Runtime::Tokio1);
    let pool = builder.wait_timeout(Some(WAIT_TIMEOUT)).create_timeout(Some(CONNECT_TIMEOUT)).build();
    pool.map_err(|error| StoreError::Failed(error.to_string()))
}

/// Waits for the database on a thread of its own, for the caller's may be one that runs tasks.
pub(super) fn wait_for<T: Send>(work: impl Future<Output = Result<T, StoreError>> + Send) -> Result<T, StoreError> {
    let failed = |why: String| Err(StoreError::Failed(why));
    let run = || match runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime.block_on(work),
        Err(error) => failed(error.to_string()),
    };
    thread::scope(|scope| scope.spawn(run).join()).unwrap_or_else(|_| failed("opening it panicked".to_owned()))
}

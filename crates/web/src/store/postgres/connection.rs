//! Connecting to the database.

use std::{future::Future, sync::mpsc, time::Duration};

use deadpool_postgres::{Manager, ManagerConfig, Pool, RecyclingMethod};
use tokio::runtime::{Builder, Handle, Runtime};
use tokio_postgres::{Config, NoTls, config::SslMode};

use crate::store::{OpenError, StoreError};

pub(in crate::store) const SCHEMES: [&str; 2] = ["postgres://", "postgresql://"];

/// Milliseconds since 1970, by the database's clock.
pub(super) const NOW: &str = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::BIGINT";

/// How long a request waits for a free connection.
const WAIT_TIMEOUT: Duration = Duration::from_secs(5);
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// The settings of every session, whatever the address or the database says: a commit returns when it is on the disk, what is read
/// under a lock is as the one before left it, and nothing waits for ever.
const OPTIONS: &str = "-c synchronous_commit=on -c default_transaction_isolation=read\\ committed -c lock_timeout=5s \
                       -c statement_timeout=30s -c idle_in_transaction_session_timeout=30s \
                       -c client_min_messages=warning";

/// Reads the address of a database. Its password is never shown.
pub(super) fn settings(url: &str) -> Result<Config, OpenError> {
    let is_url = SCHEMES.iter().any(|scheme| url.starts_with(scheme));
    let parsed = if is_url { url.parse::<Config>().ok() } else { None };
    let mut settings = parsed.ok_or(OpenError::Url)?;
    if settings.get_ssl_mode() == SslMode::Require {
        return Err(OpenError::Tls);
    }
    let options = settings.get_options().map_or_else(|| OPTIONS.to_owned(), |own| format!("{own} {OPTIONS}"));
    settings.ssl_mode(SslMode::Disable).options(options);
    if settings.get_application_name().is_none() {
        settings.application_name("pintu");
    }
    if settings.get_connect_timeout().is_none() {
        settings.connect_timeout(CONNECT_TIMEOUT);
    }
    Ok(settings)
}

pub(super) fn pool(settings: Config, connections: usize) -> Result<Pool, StoreError> {
    let manager = Manager::from_config(settings, NoTls, ManagerConfig { recycling_method: RecyclingMethod::Fast });
    let builder = Pool::builder(manager).max_size(connections).runtime(deadpool_postgres::Runtime::Tokio1);
    let pool = builder.wait_timeout(Some(WAIT_TIMEOUT)).create_timeout(Some(CONNECT_TIMEOUT)).build();
    pool.map_err(|error| StoreError::Failed(error.to_string()))
}

pub(super) fn runtime() -> Result<Runtime, StoreError> {
    let runtime = Builder::new_multi_thread().worker_threads(1).thread_name("store").enable_all().build();
    runtime.map_err(|error| StoreError::Failed(error.to_string()))
}

/// Waits for the end of work that a runtime does. The caller may be a task of another one.
pub(super) fn wait_for<T: Send + 'static>(
    runtime: &Handle,
    work: impl Future<Output = Result<T, StoreError>> + Send + 'static,
) -> Result<T, StoreError> {
    let (done, result) = mpsc::channel();
    runtime.spawn(async move {
        // No receiver: nobody waits any more.
        let _ = done.send(work.await);
    });
    result.recv().unwrap_or_else(|_| Err(stopped()))
}

pub(super) fn stopped() -> StoreError {
    StoreError::Failed("the store has stopped".to_owned())
}

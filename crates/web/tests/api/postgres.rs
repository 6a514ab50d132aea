//! A `PostgreSQL` database in place of the file of a data directory, where the environment names one.

use std::{
    env,
    future::Future,
    hash::{DefaultHasher, Hash, Hasher},
    path::Path,
    thread,
};

use tokio_postgres::NoTls;

/// The variable that makes the tests run with `PostgreSQL`.
pub(crate) const ON: &str = "PINTU_TEST_STORE";

/// The address of a store of its own for a data directory, if the variable names a server.
pub(crate) fn store_of(data: &Path, variable: &str) -> Option<String> {
    let server = env::var(variable).ok()?;
    let mut hasher = DefaultHasher::new();
    data.hash(&mut hasher);
    Some(new_store(&server, &format!("t{:016x}", hasher.finish())))
}

/// Whether the tests run with `PostgreSQL`. Tests of what only files have do nothing then.
pub(crate) fn is_on() -> bool {
    env::var_os(ON).is_some()
}

/// A schema of a server's database, made if it is not there, as a database of its own. Its address names a default that the
/// store has to overrule.
pub(crate) fn new_store(server: &str, schema: &str) -> String {
    wait_for(run(server, &format!("CREATE SCHEMA IF NOT EXISTS {schema}")));
    format!("{server}?options=-csearch_path%3D{schema}%20-cdefault_transaction_isolation%3Dserializable")
}

/// Runs statements and returns the first column of the last row.
pub(crate) async fn run(url: &str, sql: &str) -> Option<String> {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.unwrap();
    let serving = tokio::spawn(connection);
    let answers = client.simple_query(sql).await.unwrap();
    drop(client);
    serving.await.unwrap().unwrap();
    let rows = answers.iter().filter_map(|answer| match answer {
        tokio_postgres::SimpleQueryMessage::Row(row) => row.get(0).map(str::to_owned),
        _ => None,
    });
    rows.last()
}

/// Waits on another thread, for tests run within a runtime.
fn wait_for<T: Send>(work: impl Future<Output = T> + Send) -> T {
    let runtime = || tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    thread::scope(|scope| scope.spawn(|| runtime().block_on(work)).join().unwrap())
}

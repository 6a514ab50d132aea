use std::{
    io,
    net::{IpAddr, SocketAddr},
    time::Duration,
};

use pintu_engine::in_words;
use tokio::runtime::Builder;

use crate::{BindError, Config, Server, StartError, app};

/// Runs a server until the process is told to end (Ctrl-C, or SIGTERM where there is such a thing).
/// `ready` is called with the server when it takes requests.
pub fn serve(mut config: Config, address: Option<SocketAddr>, ready: impl FnOnce(&Server)) -> Result<(), ServeError> {
    // What searches held goes back to the system, so that bounds on what they hold are bounds on the process.
    pintu_engine::memory::give_back_at_once();
    let runtime = Builder::new_multi_thread().enable_all().build().map_err(ServeError::Runtime)?;
    let result = runtime.block_on(async {
        let end = end().map_err(ServeError::Runtime)?;
        let server = Server::bind(address).await?;
        if let IpAddr::V6(_) = server.address().ip()
            && server.address().ip().is_loopback()
        {
            config.loopback = server.address().ip();
        }
        let app = app(config)?;
        ready(&server);
        server.run(app, end).await;
        Ok(())
    });
    // Searches that were cut off with their connections end in a moment; nobody waits for them.
    runtime.shutdown_timeout(Duration::from_millis(500));
    result
}

#[cfg(unix)]
fn end() -> io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => (),
            _ = terminate.recv() => (),
        }
    })
}

#[cfg(not(unix))]
fn end() -> io::Result<impl Future<Output = ()>> {
    Ok(async {
        // Without a way to hear of Ctrl-C the system's own handling of it ends the process.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    })
}

/// Why a server does not run.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The system gives no threads, or hears no signals.
    #[error("cannot start the server: {}", in_words(.0))]
    Runtime(io::Error),
    /// The address cannot be had.
    #[error(transparent)]
    Bind(#[from] BindError),
    /// The data cannot be opened.
    #[error(transparent)]
    Start(#[from] StartError),
}

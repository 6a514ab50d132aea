//! The socket: binding, accepting, ending.

use std::{
    future::Future,
    io,
    net::{Ipv4Addr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::graceful::GracefulShutdown,
    service::TowerToHyperService,
};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::Semaphore,
    task::JoinSet,
    time::{sleep, timeout},
};

/// A server that has its port, and is not running yet.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
}

/// The port unless another is asked for.
const USUAL_PORT: u16 = 7468;
const MOST_CONNECTIONS: usize = 1024;
/// How long a client may take over the head of a request, and idle between two.
const HEAD_TIME: Duration = Duration::from_secs(75);
/// How long requests that run at the end may take to finish.
const LAST_ORDERS: Duration = Duration::from_secs(2);

impl Server {
    /// Binds to an address; without one, to the usual port on loopback, or a free one if that is taken.
    pub async fn bind(address: Option<SocketAddr>) -> Result<Self, BindError> {
        let usual = SocketAddr::from((Ipv4Addr::LOCALHOST, USUAL_PORT));
        let wanted = address.unwrap_or(usual);
        let bound = match TcpListener::bind(wanted).await {
            Err(error) if error.kind() == io::ErrorKind::AddrInUse && address.is_none() => {
                TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await
            }
            bound => bound,
        };
        let listener = bound.map_err(|source| BindError { address: wanted, source })?;
        let address = listener.local_addr().map_err(|source| BindError { address: wanted, source })?;
        Ok(Self { listener, address })
    }

    /// The address it is bound to.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// What a browser on this machine opens.
    pub fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// Answers requests until `end` comes, then lets those that run finish, for a moment.
    pub async fn run(self, app: Router, end: impl Future<Output = ()>) {
        let graceful = GracefulShutdown::new();
        let places = Arc::new(Semaphore::new(MOST_CONNECTIONS));
        let mut connections = JoinSet::new();
        let mut end = std::pin::pin!(end);
        loop {
            let stream = tokio::select! {
                stream = accept(&self.listener) => stream,
                () = &mut end => break,
            };
            while connections.try_join_next().is_some() {}
            let Ok(place) = Arc::clone(&places).try_acquire_owned() else { continue };
            let service = TowerToHyperService::new(app.clone());
            let mut builder = http1::Builder::new();
            builder.timer(TokioTimer::new()).header_read_timeout(HEAD_TIME);
            let connection = graceful.watch(builder.serve_connection(TokioIo::new(stream), service));
            connections.spawn(async move {
                // A connection that breaks off is its client's affair.
                let _ = connection.await;
                drop(place);
            });
        }
        drop(self.listener);
        let _ = timeout(LAST_ORDERS, graceful.shutdown()).await;
        connections.shutdown().await;
    }
}

async fn accept(listener: &TcpListener) -> TcpStream {
    loop {
        match listener.accept().await {
            Ok((stream, _)) => {
                // Events are small and must not wait for more.
                let _ = stream.set_nodelay(true);
                return stream;
            }
            // Out of file descriptors, most likely: others will be closed.
            Err(_) => sleep(Duration::from_millis(100)).await,
        }
    }
}

/// An address that cannot be had.
#[derive(Debug, thiserror::Error)]
#[error("cannot listen on {address}: {source}")]
pub struct BindError {
    address: SocketAddr,
    source: io::Error,
}

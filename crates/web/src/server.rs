//! The socket: binding, accepting, ending.

use std::{
    convert::Infallible,
    future::Future,
    io,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    time::Duration,
};

use axum::{Router, http::Request, response::Response};
use hyper::{body::Incoming, server::conn::http1};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::graceful::GracefulShutdown,
    service::TowerToHyperService,
};
use pintu_engine::in_words;
use socket2::SockRef;
use tokio::{
    net::{TcpListener, TcpStream},
    task::JoinSet,
    time::{sleep, timeout},
};
use tower::{Service, ServiceBuilder};

use crate::{
    client::{Peer, share},
    connections::{Connections, Entry},
    patience::Patient,
};

/// A server that has its port, and is not running yet.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    patience: Duration,
}

/// Connections at once: what the usual limit of 1024 open files leaves, for the database has some, too.
pub(crate) const MOST_CONNECTIONS: usize = 896;
/// Connections of one address at once. A browser opens six.
const MOST_OF_ADDRESS: usize = 256;
/// How long a client may take over the head of a request, and idle between two.
const HEAD_TIME: Duration = Duration::from_secs(75);
/// Bytes of a connection that are read ahead or gathered to be written.
pub(crate) const BUFFERED: usize = 64 << 10;
/// Bytes that the system takes of us before a client has them. By itself it takes megabytes, which it asks more for only
/// when a third of them is gone: a reader of 20 kB/s would look dead for a minute. It counts what it keeps beside them, too,
/// so that this is enough for a few MB/s over 50 ms.
const SENT_AHEAD: usize = 128 << 10;
/// How long a client may take to read what it asked for, beyond what a slow line needs.
const PATIENCE: Duration = Duration::from_secs(20);
/// How long requests that run at the end may take to finish.
const LAST_ORDERS: Duration = Duration::from_secs(2);

impl Server {
    /// The port unless another is asked for.
    pub const USUAL_PORT: u16 = 7468;

    /// Binds to an address; without one, to the usual port on loopback, or a free one if that is taken.
    pub async fn bind(address: Option<SocketAddr>) -> Result<Self, BindError> {
        let usual = SocketAddr::from((Ipv4Addr::LOCALHOST, Self::USUAL_PORT));
        let wanted = address.unwrap_or(usual);
        let bound = match TcpListener::bind(wanted).await {
            Err(error) if error.kind() == io::ErrorKind::AddrInUse && address.is_none() => {
                TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await
            }
            bound => bound,
        };
        let listener = bound.map_err(|why| BindError { address: wanted, why })?;
        let address = listener.local_addr().map_err(|why| BindError { address: wanted, why })?;
        Ok(Self { listener, address, patience: PATIENCE })
    }

    /// The same server with another patience for clients that do not read.
    #[must_use]
    pub fn with_patience(self, patience: Duration) -> Self {
        Self { patience, ..self }
    }

    /// The address it is bound to.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The address as it was asked for.
    pub fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// What a browser on this machine opens.
    pub fn local_url(&self) -> String {
        let here = match self.address.ip() {
            IpAddr::V4(address) if address.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
            IpAddr::V6(address) if address.is_unspecified() => IpAddr::V6(Ipv6Addr::LOCALHOST),
            address => address,
        };
        format!("http://{}/", SocketAddr::new(here, self.address.port()))
    }

    /// Answers requests until `end` comes, then lets those that run finish, for a moment.
    pub async fn run(self, app: Router, end: impl Future<Output = ()>) {
        let graceful = GracefulShutdown::new();
        let connections = Connections::new(MOST_CONNECTIONS, MOST_OF_ADDRESS);
        let mut serving = JoinSet::new();
        let mut end = std::pin::pin!(end);
        loop {
            let (stream, peer) = tokio::select! {
                accepted = accept(&self.listener) => accepted,
                () = &mut end => break,
            };
            while serving.try_join_next().is_some() {}
            let entry = connections.admit(share(peer));
            let number = entry.number();
            let service = TowerToHyperService::new(service(&app, peer, &entry, &connections));
            let mut builder = http1::Builder::new();
            builder.timer(TokioTimer::new()).header_read_timeout(HEAD_TIME).max_buf_size(BUFFERED);
            let connection =
                graceful.watch(builder.serve_connection(TokioIo::new(Patient::new(stream, self.patience)), service));
            let end = serving.spawn(async move {
                // A connection that breaks off is its client's affair.
                let _ = connection.await;
                drop(entry);
            });
            Entry::set_end(&connections, number, end);
        }
        drop(self.listener);
        let _ = timeout(LAST_ORDERS, graceful.shutdown()).await;
        serving.shutdown().await;
    }
}

/// The app over one connection: requests say whose it is, and are noted.
fn service(
    app: &Router,
    peer: IpAddr,
    entry: &Entry,
    connections: &Connections,
) -> impl Service<Request<Incoming>, Response = Response, Error = Infallible, Future: Send> + Clone + Send + 'static + use<>
{
    let (note, connections) = (entry.note(), connections.clone());
    ServiceBuilder::new()
        .map_request(move |mut request: Request<Incoming>| {
            note();
            request.extensions_mut().insert(Peer(peer));
            request.extensions_mut().insert(connections.clone());
            request
        })
        .service(app.clone())
}

async fn accept(listener: &TcpListener) -> (TcpStream, IpAddr) {
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => {
                // Events are small and must not wait for more.
                let _ = stream.set_nodelay(true);
                // Where that cannot be set, slow readers are given up sooner than they deserve, and that is all.
                let _ = SockRef::from(&stream).set_send_buffer_size(SENT_AHEAD);
                return (stream, peer.ip());
            }
            // Out of file descriptors, most likely: others will be closed.
            Err(_) => sleep(Duration::from_millis(100)).await,
        }
    }
}

/// An address that cannot be had.
#[derive(Debug, thiserror::Error)]
#[error("cannot listen on {address}: {}", in_words(why))]
pub struct BindError {
    address: SocketAddr,
    why: io::Error,
}

//! The server: its socket, its connections, its end.

use std::{
    future::Future,
    io,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    time::Duration,
};

use axum::{Extension, Router};
use http_body_util::BodyExt;
use hyper::{Request, body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::graceful::GracefulShutdown,
};
use pintu_engine::in_words;
use socket2::SockRef;
use tokio::{
    net::{TcpListener, TcpStream},
    runtime::Builder,
    task::JoinSet,
    time::{sleep, timeout},
};
use tokio_io_timeout::TimeoutStream;
use tower::{Layer, ServiceExt};

use crate::{
    Bounds, Config, Service, StartError,
    client::{Peer, subnet_of},
    connections::Connections,
};

/// A server that is bound to its port, and not running yet.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
}

/// The read buffer of a connection.
pub(crate) const BUFFER_BYTES: usize = 64 << 10;
/// The system's send buffer of a connection. The default is megabytes, of which a third must be free before it accepts more:
/// a reader of 20 kB/s would look stalled for a minute. This is enough for a few MB/s over 50 ms.
const SEND_BUFFER_BYTES: usize = 128 << 10;

impl Server {
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
        Ok(Self { listener, address })
    }

    /// The address it is bound to.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The address as it was asked for.
    pub fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// The address that a browser on this machine opens.
    pub fn local_url(&self) -> String {
        let here = match self.address.ip() {
            IpAddr::V4(address) if address.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
            IpAddr::V6(address) if address.is_unspecified() => IpAddr::V6(Ipv6Addr::LOCALHOST),
            address => address,
        };
        format!("http://{}/", SocketAddr::new(here, self.address.port()))
    }

    /// Answers requests until `end` comes, then lets those that run finish, for a moment.
    pub async fn run(self, service: Service, end: impl Future<Output = ()>) {
        let Service(app) = &service;
        self.answer(service.router(), &app.connections, &app.config.bounds, end).await;
    }

    /// Answers the operator's requests for ever.
    async fn run_metrics(self, service: Service) {
        let config = &service.0.config;
        let connections = Connections::new(config);
        self.answer(service.metrics(), &connections, &config.bounds, std::future::pending()).await;
    }

    async fn answer(self, app: Router, connections: &Connections, bounds: &Bounds, end: impl Future<Output = ()>) {
        let graceful = GracefulShutdown::new();
        let mut serving = JoinSet::new();
        let mut end = std::pin::pin!(end);
        for number in 0.. {
            let (stream, peer) = tokio::select! {
                accepted = accept(&self.listener) => accepted,
                () = &mut end => break,
            };
            while serving.try_join_next().is_some() {}
            // Otherwise it is closed at once.
            let Some(open) = connections.admit(number, subnet_of(peer)) else { continue };
            let app = Extension(Peer(peer)).layer(app.clone());
            let service = service_fn(move |request: Request<Incoming>| {
                let (busy, answer) = (open.begin(), app.clone().oneshot(request));
                // The request ends when its answer is dropped.
                let until_dropped = move |_: &axum::Error| {
                    let _ = &busy;
                };
                async move { answer.await.map(|response| response.map(|body| body.inspect_err(until_dropped))) }
            });
            let mut builder = http1::Builder::new();
            builder.timer(TokioTimer::new()).header_read_timeout(bounds.idle_time).max_buf_size(BUFFER_BYTES);
            let mut stream = TimeoutStream::new(stream);
            stream.set_write_timeout(Some(bounds.write_time));
            let connection = graceful.watch(builder.serve_connection(TokioIo::new(Box::pin(stream)), service));
            // An error: the client has gone.
            let task = serving.spawn(async move { drop(connection.await) });
            connections.set_task(number, task);
        }
        drop(self.listener);
        let _ = timeout(bounds.shutdown_time, graceful.shutdown()).await;
        serving.shutdown().await;
    }
}

async fn accept(listener: &TcpListener) -> (TcpStream, IpAddr) {
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => {
                // Events are small and must not wait for more data.
                let _ = stream.set_nodelay(true);
                // Where that fails, slow readers are disconnected too soon.
                let _ = SockRef::from(&stream).set_send_buffer_size(SEND_BUFFER_BYTES);
                return (stream, peer.ip());
            }
            // Out of file descriptors, most likely: others will be closed.
            Err(_) => sleep(Duration::from_millis(100)).await,
        }
    }
}

#[derive(Debug, thiserror::Error)]
#[error("cannot listen on {address}: {}", in_words(why))]
pub struct BindError {
    address: SocketAddr,
    why: io::Error,
}

/// Runs a server until the process is told to end (Ctrl-C, or SIGTERM where there is such a thing).
/// `ready` is called with the server when it takes requests.
pub fn serve(mut config: Config, address: Option<SocketAddr>, ready: impl FnOnce(&Server)) -> Result<(), ServeError> {
    // Freed memory goes back to the system, so that bounds on searches are bounds on the process.
    pintu_engine::memory::give_back_at_once();
    let runtime = Builder::new_multi_thread().enable_all().build().map_err(ServeError::Runtime)?;
    let result = runtime.block_on(async {
        let signal = end_signal().map_err(ServeError::Runtime)?;
        let server = Server::bind(address).await?;
        if let IpAddr::V6(_) = server.address().ip()
            && server.address().ip().is_loopback()
        {
            config.loopback = server.address().ip();
        }
        let metrics = match config.metrics {
            Some(address) => Some(Server::bind(Some(address)).await?),
            None => None,
        };
        let service = Service::open(config)?;
        if let Some(metrics) = metrics {
            tracing::info!(address = %metrics.address(), "metrics");
            tokio::spawn(metrics.run_metrics(service.clone()));
        }
        ready(&server);
        server.run(service, signal).await;
        Ok(())
    });
    // Searches were cancelled with their connections, and end in a moment.
    runtime.shutdown_timeout(Duration::from_millis(500));
    result
}

#[cfg(unix)]
fn end_signal() -> io::Result<impl Future<Output = ()>> {
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
fn end_signal() -> io::Result<impl Future<Output = ()>> {
    Ok(async {
        // Without a handler, Ctrl-C ends the process anyway.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    })
}

#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    #[error("cannot start the server: {}", in_words(.0))]
    Runtime(io::Error),
    #[error(transparent)]
    Bind(#[from] BindError),
    #[error(transparent)]
    Start(#[from] StartError),
}

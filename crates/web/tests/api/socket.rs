//! A server with a real socket, and clients at several addresses.

use std::{net::SocketAddr, time::Duration};

use pintu_web::{Config, Server, Service};
use serde_json::Value;
use tokio::{sync::oneshot, task::JoinHandle};

use crate::client::Client;

pub(crate) struct Running {
    address: SocketAddr,
    pub(crate) service: Service,
    pub(crate) end: oneshot::Sender<()>,
    pub(crate) ended: JoinHandle<()>,
    _data: tempfile::TempDir,
}

pub(crate) async fn start(change: impl FnOnce(&mut Config)) -> Running {
    let data = tempfile::tempdir().unwrap();
    let mut config = Config::new(data.path());
    config.bounds.write_time = Duration::from_secs(20);
    change(&mut config);
    let server = Server::bind(Some("127.0.0.1:0".parse().unwrap())).await.unwrap();
    let (address, service) = (server.address(), Service::open(config).unwrap());
    let running = service.clone();
    let (end, told) = oneshot::channel::<()>();
    let ended = tokio::spawn(async move { server.run(running, async { _ = told.await }).await });
    Running { address, service, end, ended, _data: data }
}

impl Running {
    pub(crate) async fn connect(&self, from: &str) -> Client {
        Client::connect(self.address, from).await.unwrap()
    }

    /// A client that has sent the head of a request, and a part of its body.
    pub(crate) async fn begin(&self, from: &str, path: &str, length: usize, part: &[u8]) -> Client {
        let mut client = self.connect(from).await;
        client.begin(&format!("POST {path}"), "*/*", length, part).await.unwrap();
        client
    }

    pub(crate) async fn post(&self, from: &str, path: &str, accept: &str, body: &Value) -> Client {
        let (mut client, body) = (self.connect(from).await, body.to_string());
        client.begin(&format!("POST {path}"), accept, body.len(), body.as_bytes()).await.unwrap();
        client
    }

    /// Sends a request over a connection of its own, and reads the whole answer.
    pub(crate) async fn send(&self, from: &str, line: &str, body: &[u8]) -> (u16, Value) {
        let mut client = self.connect(from).await;
        client.begin(line, "*/*", body.len(), body).await.unwrap();
        answer(&mut client).await
    }
}

pub(crate) async fn answer(client: &mut Client) -> (u16, Value) {
    let (status, body) = client.answer().await.unwrap();
    (status, serde_json::from_str(&body).unwrap_or(Value::Null))
}

//! A client over a socket, with its cookie.

use std::{io, net::SocketAddr};

use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::{TcpSocket, TcpStream},
};

pub(crate) struct Client {
    pub(crate) stream: BufReader<TcpStream>,
    server: SocketAddr,
    /// The cookie, once the server has issued one.
    pub(crate) cookie: String,
}

impl Client {
    /// A new browser at one of the loopback's addresses.
    pub(crate) async fn connect(server: SocketAddr, from: &str) -> io::Result<Self> {
        let socket = TcpSocket::new_v4()?;
        socket.bind(format!("{from}:0").parse().map_err(io::Error::other)?)?;
        socket.set_nodelay(true)?;
        Self::over(socket, server).await
    }

    pub(crate) async fn over(socket: TcpSocket, server: SocketAddr) -> io::Result<Self> {
        let stream = BufReader::new(socket.connect(server).await?);
        Ok(Self { stream, server, cookie: String::new() })
    }

    /// Sends the head of a request, and a part of its body.
    pub(crate) async fn begin(&mut self, line: &str, accept: &str, length: usize, part: &[u8]) -> io::Result<()> {
        let Self { server, cookie, .. } = self;
        let head = format!(
            "{line} HTTP/1.1\r\nHost: {server}\r\nCookie: {cookie}\r\nAccept: {accept}\r\nContent-Length: {length}\r\n\r\n"
        );
        self.stream.write_all(&[head.as_bytes(), part].concat()).await
    }

    pub(crate) async fn send(&mut self, line: &str, body: &[u8]) -> io::Result<(u16, String)> {
        self.begin(line, "*/*", body.len(), body).await?;
        self.answer().await
    }

    pub(crate) async fn answer(&mut self) -> io::Result<(u16, String)> {
        let (mut status, mut length) = (0, 0);
        loop {
            let mut line = String::new();
            if self.stream.read_line(&mut line).await? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            let line = line.trim_end().to_ascii_lowercase();
            if let Some(rest) = line.strip_prefix("set-cookie: ") {
                rest.split(';').next().unwrap_or_default().clone_into(&mut self.cookie);
            } else if let Some(rest) = line.strip_prefix("http/1.1 ") {
                status = rest.get(..3).and_then(|code| code.parse().ok()).unwrap_or(0);
            } else if let Some(rest) = line.strip_prefix("content-length: ") {
                length = rest.parse().unwrap_or(0);
            } else if line.is_empty() {
                break;
            }
        }
        let mut bytes = vec![0; length];
        self.stream.read_exact(&mut bytes).await?;
        Ok((status, String::from_utf8_lossy(&bytes).into_owned()))
    }
}

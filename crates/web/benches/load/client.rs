use std::{io, net::SocketAddr};

use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::TcpStream,
};

/// One connection of one browser.
pub(crate) struct Client {
    stream: BufReader<TcpStream>,
    address: SocketAddr,
    /// The cookie, once the server has issued one.
    cookie: String,
}

impl Client {
    /// A new browser.
    pub(crate) async fn connect(address: SocketAddr) -> io::Result<Self> {
        Self::again(address, String::new()).await
    }

    /// A browser that was here before.
    pub(crate) async fn again(address: SocketAddr, cookie: String) -> io::Result<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Self { stream: BufReader::new(stream), address, cookie })
    }

    /// What the server knows this browser by.
    pub(crate) fn cookie(&self) -> String {
        self.cookie.clone()
    }

    /// Sends a request and reads the response: its status and its body.
    pub(crate) async fn send(&mut self, method: &str, path: &str, body: &str) -> io::Result<(u16, String)> {
        self.begin(method, path, body).await?;
        let (status, length) = self.head().await?;
        let mut bytes = vec![0; length];
        self.stream.read_exact(&mut bytes).await?;
        Ok((status, String::from_utf8_lossy(&bytes).into_owned()))
    }

    async fn begin(&mut self, method: &str, path: &str, body: &str) -> io::Result<()> {
        let (host, cookie, length) = (self.address, &self.cookie, body.len());
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {host}\r\nCookie: {cookie}\r\nContent-Length: {length}\r\n\r\n{body}"
        );
        self.stream.write_all(request.as_bytes()).await
    }

    async fn head(&mut self) -> io::Result<(u16, usize)> {
        let (mut status, mut length) = (0, 0);
        loop {
            let mut line = String::new();
            if self.stream.read_line(&mut line).await? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            let line = line.trim_end().to_ascii_lowercase();
            if let Some(rest) = line.strip_prefix("set-cookie: ") {
                rest.split(';').next().unwrap_or_default().clone_into(&mut self.cookie);
            }
            if let Some(rest) = line.strip_prefix("http/1.1 ") {
                status = rest.get(..3).and_then(|code| code.parse().ok()).unwrap_or(0);
            } else if let Some(rest) = line.strip_prefix("content-length: ") {
                length = rest.parse().unwrap_or(0);
            } else if line.is_empty() {
                return Ok((status, length));
            }
        }
    }
}

/// A game after so many moves, as it is saved.
pub(crate) fn save(moves: usize) -> String {
    let letters: String = "ULDR".chars().cycle().take(moves).collect();
    format!(
        r#"{{"name":"a game","game":{{"version":1,"rows":4,"cols":4,"wrap_rows":[],"wrap_cols":[],"blank":15,"start":[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,0],"moves":"{letters}","redo":"","millis":{moves},"helped":false,"picture":"builtin:dawn"}}}}"#
    )
}

/// The number of moves of a saved game.
pub(crate) fn moves_of(body: &str) -> Option<usize> {
    let loaded: serde_json::Value = serde_json::from_str(body).ok()?;
    let moves = loaded["game"]["moves"].as_str()?.len();
    (loaded["game"]["millis"].as_u64()? == moves as u64).then_some(moves)
}

/// Makes a save and returns its address.
pub(crate) async fn make(client: &mut Client) -> io::Result<String> {
    let (status, body) = client.send("POST", "/api/saves", &save(0)).await?;
    let made: serde_json::Value = serde_json::from_str(&body)?;
    match made["id"].as_str() {
        Some(id) if status == 201 => Ok(format!("/api/saves/{id}")),
        _ => Err(io::Error::other(format!("{status} {body}"))),
    }
}
